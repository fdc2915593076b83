// The form by which a game is chosen: its name, an example of a variant, or a variant of one's own, with a field for
// each number in it.

const element = (id) => document.getElementById(id);
// The choice of a variant of one's own; no variant is written like this.
export const OWN = "?";

export function options(select, entries, chosen) {
  select.replaceChildren(...entries.map(([name, title]) => new Option(title, name)));
  select.value = chosen;
}

// Numbers that stand for themselves, not those in names such as g1 or x0; 6x5 has two.
const NUMBERS = /(?<!\d|[a-wyz]|(?<!\d)x)(\d+)/i;

// What the numbers of a variant are called, as far as the game's words on its variants tell: by the capitals of
// `WIDTH,HEIGHT,LINE`, `d=DEPTH` or `start=A,B`, else as a size where they speak of one.
function names(shape, about) {
  const parts = shape.split(NUMBERS);
  const count = (parts.length - 1) / 2;
  const patterns = (about.match(/(?<![=\w])[A-Z]+(?:[x,][A-Z]+)*\b/g) || []).map((pattern) => pattern.toLowerCase().split(/[x,]/));
  const fitting = shape.includes("=") ? null : patterns.find((words) => words.length === count);
  const usual = (i) => (count === 1 && /size/i.test(about) ? "size" : `number ${i + 1}`);
  const shared = (word) => about.split(`=${word}`).length > 2;
  // The numbers of a list stand behind one key.
  let [key, place] = ["", 0];
  return Array.from({ length: count }, (_, i) => {
    const before = parts[2 * i];
    [key, place] = before === "," && key ? [key, place + 1] : [(/([a-z]+)=$/.exec(before) || ["", ""])[1], 0];
    if (!key) return fitting ? fitting[i] : usual(i);
    const words = (new RegExp(`\\b${key}=([A-Z]+(?:,[A-Z]+)*)`).exec(about) || ["", ""])[1].split(",");
    if (words.length > 1) return `${key} ${words[place] || place + 1}`;
    return words[0].length > 1 && words[0] !== "NUMBER" ? `${shared(words[0]) ? `${key} ` : ""}${words[0].toLowerCase()}` : key;
  });
}

// A field for each number of the variant, with its name.
export function numbers() {
  const shape = element("variant").value;
  const parts = shape.split(NUMBERS);
  const called = names(shape, element("variant").title);
  element("sizes").replaceChildren(...parts.map((part, i) => {
    if (i % 2 === 0) return "";
    const [label, input] = [document.createElement("label"), document.createElement("input")];
    Object.assign(input, { type: "number", value: part, min: 0, inputMode: "numeric", title: element("variant").title });
    input.addEventListener("input", () => { parts[i] = input.value || part; element("variant").value = parts.join(""); });
    label.append(`${called[(i - 1) / 2]} `, input);
    return label;
  }));
}

// Shows what variants a game has. The fields of one's own are there when it is not the standard one: `own` begins with
// an example to be changed.
export function variants(about, variant, own = false) {
  if (!about) return;
  const some = about.variants !== "" && about.variants !== "none";
  element("variants").hidden = !some;
  const known = variant === "" || about.examples.includes(variant) ? about.examples : [...about.examples, variant];
  options(element("example"), [["", "standard"], ...known.map((e) => [e, e]), [OWN, "your own …"]], own ? OWN : variant);
  const begin = own ? about.examples.find((example) => NUMBERS.test(example)) || about.examples[0] || "" : variant;
  element("variant").value = some ? begin : "";
  element("variant").title = about.variants;
  element("variant").placeholder = "variant";
  element("variantsays").textContent = about.variants;
  element("own").hidden = element("variantsays").hidden = !some || !(own || variant);
  numbers();
}

// The game that the form says.
export function chosen() {
  const variant = element("variant").value.trim();
  return element("game").value + (variant ? `:${variant}` : "");
}
