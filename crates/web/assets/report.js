// A report of the laboratory: its rows as a table, and what was counted as bars on a scale of powers of ten.

const NS = "http://www.w3.org/2000/svg";
const many = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
// Bars of at most so many series have a colour each.
const SERIES = 4;
// What is counted where a row has but one count.
const COUNT = "nodes";

const words = (name) => name.replaceAll("_", " ");
// What a method spent, and whether that was enough.
const isSpent = (value) => value !== null && typeof value === "object" && typeof value.nodes === "number";

function shown(value) {
  if (value === null || value === undefined) return "";
  if (isSpent(value)) return `${value.solved === false ? "> " : ""}${many.format(value.nodes)}`;
  if (typeof value === "number") return many.format(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

// The columns that say something in at least one row.
function columns(rows) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.filter((name) => rows.some((row) => row[name] !== null && row[name] !== undefined));
}

// What a row is called: its first word, with a number where others are called the same.
function labels(rows) {
  const first = rows.map((row) => Object.values(row).find((value) => typeof value === "string") || "");
  return first.map((label, i) => (first.indexOf(label) === first.lastIndexOf(label) ? label : `${label} ${first.slice(0, i + 1).filter((other) => other === label).length}`));
}

export function table(element, rows) {
  const names = columns(rows);
  const cell = (tag, text, number) => Object.assign(document.createElement(tag), { textContent: text, className: number ? "number" : "" });
  const counted = (name) => rows.some((row) => typeof row[name] === "number" || isSpent(row[name]));
  const line = (cells) => { const row = document.createElement("tr"); row.append(...cells); return row; };
  const head = line(names.map((name) => cell("th", words(name), counted(name))));
  const body = rows.map((row) => line(names.map((name) => {
    const made = cell("td", shown(row[name]), counted(name));
    if (name === "agrees" && row[name] !== null) made.className = row[name] ? "win" : "loss";
    return made;
  })));
  element.tHead.replaceChildren(head);
  element.tBodies[0].replaceChildren(...body);
}

// Draws the counts of the rows as bars; says whether there was anything to draw.
export function plot(svg, rows) {
  const names = columns(rows).filter((name) => rows.some((row) => isSpent(row[name]))).slice(0, SERIES);
  const series = names.length ? names : columns(rows).filter((name) => name === COUNT);
  const value = (row, name) => (isSpent(row[name]) ? row[name].nodes : Number(row[name] || 0));
  const most = Math.max(0, ...rows.flatMap((row) => series.map((name) => value(row, name))));
  svg.replaceChildren();
  if (!series.length || rows.length < 2 || most < 1) return false;
  const add = (tag, attributes, text) => {
    const made = document.createElementNS(NS, tag);
    for (const [name, v] of Object.entries(attributes)) made.setAttribute(name, v);
    if (text !== undefined) made.textContent = text;
    svg.append(made);
    return made;
  };
  // A unit is a pixel, so that words are as large on a phone.
  const wide = Math.max(260, Math.min(640, svg.closest("fieldset").clientWidth - 30));
  const [left, right, bar, gap, top] = [100, wide - 14, 9, 6, series.length > 1 ? 22 : 8];
  const powers = Math.max(1, Math.ceil(Math.log10(most)));
  const x = (n) => left + (right - left) * (n > 0 ? Math.log10(Math.max(1, n)) / powers : 0);
  const block = series.length * bar + gap;
  const height = top + rows.length * block + 22;
  svg.setAttribute("viewBox", `0 0 ${wide} ${height}`);
  for (let power = 0; power <= powers; power++) {
    add("line", { class: "axis", x1: x(10 ** power), x2: x(10 ** power), y1: top, y2: height - 18 });
    add("text", { x: x(10 ** power), y: height - 6, "font-size": 10 }, power > 3 ? `10${[..."⁰¹²³⁴⁵⁶⁷⁸⁹"][power] || `^${power}`}` : many.format(10 ** power));
  }
  if (series.length > 1) series.forEach((name, i) => {
    add("rect", { class: `series${i}`, x: 10 + i * 84, y: 4, width: 10, height: 10 });
    add("text", { class: "begin", x: 24 + i * 84, y: 13, "font-size": 11 }, words(name));
  });
  const named = labels(rows);
  rows.forEach((row, r) => {
    const y = top + r * block + gap / 2;
    add("text", { class: "end", x: left - 6, y: y + (series.length * bar) / 2 + 4, "font-size": 10 }, named[r].slice(0, 16));
    series.forEach((name, i) => {
      const open = isSpent(row[name]) && row[name].solved === false;
      const made = add("rect", { class: `series${i}${open ? " open" : ""}`, x: left, y: y + i * bar, width: Math.max(1, x(value(row, name)) - left), height: bar - 1.5 });
      const title = document.createElementNS(NS, "title");
      title.textContent = `${named[r]}, ${words(name)}: ${shown(row[name])}`;
      made.append(title);
    });
  });
  return true;
}
