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

// A field for each number of the variant.
export function numbers() {
  const shape = element("variant").value;
  const parts = shape.split(NUMBERS);
  element("sizes").replaceChildren(...parts.map((part, i) => {
    if (i % 2 === 0) return "";
    const input = document.createElement("input");
    Object.assign(input, { type: "number", value: part, min: 0, inputMode: "numeric" });
    input.setAttribute("aria-label", `number ${(i + 1) / 2} of the variant (${element("variant").title})`);
    input.title = element("variant").title;
    input.addEventListener("input", () => { parts[i] = input.value || part; element("variant").value = parts.join(""); });
    return input;
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
