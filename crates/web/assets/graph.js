import { spread as unsure } from "./figures.js";

// The graph of the game: what each position is worth to the first player, proven or estimated with its spread. Colour
// and shape both tell what is proven, so that either will do.

const NS = "http://www.w3.org/2000/svg";
// Estimates of scored games are drawn to this scale.
const SCALE = 20;
// What is proven for the first player: its sign in the words below, and its outline around a point.
const SHAPES = {
  win: ["▲", [[0, -5], [4.6, 3.6], [-4.6, 3.6]]],
  draw: ["◆", [[0, -4.6], [4.6, 0], [0, 4.6], [-4.6, 0]]],
  loss: ["▼", [[0, 5], [4.6, -3.6], [-4.6, -3.6]]],
};

const within = (y) => Math.max(-1, Math.min(1, y));

// The value of a position for the first player, from -1 to 1: proven, or a guess and how unsure it is.
export function value(report, turn, scored) {
  const sign = turn === 1 ? -1 : 1;
  if (report.value) {
    const y = sign * { win: 1, draw: 0, loss: -1 }[report.value];
    return { y, proven: { 1: "win", 0: "draw", "-1": "loss" }[y], spread: 0 };
  }
  if (!report.estimate) return null;
  const scale = scored ? SCALE : 1;
  return { y: within((sign * report.estimate.mean) / scale), proven: "", spread: (report.estimate.spread || 0) / scale };
}

// The ply where the graph was pressed.
export function nearest(svg, event, plies) {
  const { left, width } = svg.getBoundingClientRect();
  return Math.max(0, Math.min(plies, Math.round(plies * (300 * (event.clientX - left) / width - 8) / 284)));
}

// Says in `element` for whom the values are, and what the shapes mean.
export function legend(element, player) {
  const part = (kind, words) => Object.assign(document.createElement("span"), { className: kind, textContent: `${SHAPES[kind][0]} ${words}` });
  element.replaceChildren(`For ${player}, proven: `, part("win", "win"), " ", part("draw", "draw"), " ", part("loss", "loss"), "; ○ estimated, above the line good");
}

// Draws the values over the game; `values[ply]` may be missing.
export function graph(svg, values, plies, here, player) {
  const x = (ply) => 8 + 284 * (plies ? ply / plies : 0);
  const y = (v) => 40 - 32 * within(v);
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
  const told = known.map(([ply, v]) => {
    if (v.spread) add("line", { class: "spread", x1: x(ply), x2: x(ply), y1: y(v.y - v.spread), y2: y(v.y + v.spread) });
    const [cx, cy] = [x(ply), y(v.y)];
    const point = v.proven ? add("polygon", { class: `point ${v.proven}`, points: SHAPES[v.proven][1].map(([dx, dy]) => `${cx + dx},${cy + dy}`).join(" ") })
      : add("circle", { class: "point guess", cx, cy, r: 3 });
    const title = document.createElementNS(NS, "title");
    const words = `after ${ply}: ${v.proven ? `proven ${v.proven}` : `estimated ${v.y.toFixed(2)}`}${v.spread ? ` ± ${unsure(v)}` : ""}`;
    title.textContent = `${words} for ${player}`;
    point.append(title);
    return words;
  });
  // Who does not see the graph hears it.
  svg.setAttribute("aria-label", `What each position of the game is worth to ${player}: ${told.join("; ") || "not known yet"}`);
}
