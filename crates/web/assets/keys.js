// Keys for what the buttons do, while no field is being filled in, and the list of them. Arrows walk over the board
// while a place on it has the focus.

const element = (id) => document.getElementById(id);

// Each key, the button it presses, and what that does.
const KEYS = [
  ["ArrowLeft", "back", "one move back"], ["ArrowRight", "forward", "one move on"], ["Home", "first", "to the start"], ["End", "last", "to the end"],
  ["u", "undo", "undo"], ["n", "new", "new game"], ["h", "hint", "hint"], ["a", "analyse", "analyse, or no more"], ["p", "prove", "prove"],
  ["s", "stop", "stop, or go on"], ["t", "threats", "threats"], ["f", "flip", "flip the board"], ["m", "typed", "type a move"], ["?", "help", "this list"],
];
const NAMES = { ArrowLeft: "←", ArrowRight: "→" };

// Presses a button; what a disabled one says is told to `refused`.
function press(id, refused) {
  const target = id === "stop" && element("stop").hidden ? element("goon") : element(id);
  if (target.hidden) return;
  if (target.disabled) { refused(target.title); return; }
  if (target.matches("input")) target.focus();
  else target.click();
}

export function keys(refused) {
  const rows = KEYS.map(([key, , does]) => {
    const row = document.createElement("tr");
    const [name, words] = [document.createElement("th"), document.createElement("td")];
    const shown = document.createElement("kbd");
    shown.textContent = NAMES[key] || key;
    name.append(shown);
    words.textContent = does;
    row.append(name, words);
    return row;
  });
  element("keylist").tBodies[0].replaceChildren(...rows);
  element("help").addEventListener("click", () => element("helptext").showModal());
  element("closehelp").addEventListener("click", () => element("helptext").close());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || element("helptext").open) return;
    if (event.target.closest("input, select, textarea, summary")) return;
    const known = KEYS.find(([key]) => key === event.key);
    if (!known) return;
    event.preventDefault();
    press(known[1], refused);
  });
}
