import { spread as unsure } from "./figures.js";

// The graph of the game: what each position is worth to the first player, proven or estimated with its spread.

const NS = "http://www.w3.org/2000/svg";
// Estimates of scored games are drawn to this scale.
const SCALE = 20;

const within = (y) => Math.max(-1, Math.min(1, y));

// The value of a position for the first player, from -1 to 1: proven, or a guess and how unsure it is.
export function value(report, turn, scored) {
  const sign = turn === 1 ? -1 : 1;
  if (report.value) return { y: sign * { win: 1, draw: 0, loss: -1 }[report.value], proven: true, spread: 0 };
  if (!report.estimate) return null;
  const scale = scored ? SCALE : 1;
  return { y: within((sign * report.estimate.mean) / scale), proven: false, spread: (report.estimate.spread || 0) / scale };
}

// The ply where the graph was pressed.
export function nearest(svg, event, plies) {
  const { left, width } = svg.getBoundingClientRect();
  return Math.max(0, Math.min(plies, Math.round(plies * (300 * (event.clientX - left) / width - 8) / 284)));
}

// Draws the values over the game; `values[ply]` may be missing.
export function graph(svg, values, plies, here) {
  const x = (ply) => 8 + 284 * (plies ? ply / plies : 0);
  const y = (v) => 40 - 34 * within(v);
  const add = (tag, attributes) => {
    const element = document.createElementNS(NS, tag);
    for (const [name, v] of Object.entries(attributes)) element.setAttribute(name, v);
    svg.append(element);
    return element;
  };
  svg.replaceChildren();
  add("line", { class: "axis", x1: 0, x2: 300, y1: 40, y2: 40 });
  add("line", { class: "here", x1: x(here), x2: x(here), y1: 2, y2: 78 });
  const known = values.map((v, ply) => [ply, v]).filter(([ply, v]) => v && ply <= plies);
  add("polyline", { class: "curve", points: known.map(([ply, v]) => `${x(ply)},${y(v.y)}`).join(" ") });
  for (const [ply, v] of known) {
    if (v.spread) add("line", { class: "spread", x1: x(ply), x2: x(ply), y1: y(v.y - v.spread), y2: y(v.y + v.spread) });
    const dot = add("circle", { class: v.proven ? "proven" : "", cx: x(ply), cy: y(v.y), r: 3 });
    const title = document.createElementNS(NS, "title");
    title.textContent = `after ${ply}: ${v.proven ? "proven" : "estimated"} ${v.y.toFixed(2)}${v.spread ? ` ± ${unsure(v)}` : ""}`;
    dot.append(title);
  }
}
