// What is known of a position, in words, in a table and in a graph. Proven and guessed are never mixed up.

import { merit, truth } from "./board.js";

const many = new Intl.NumberFormat("en");

function signed(n) { return n > 0 ? `+${n}` : `${n}`; }

// A report in words, for the player to move.
export function words(report, scored) {
  const distance = report.distance ? ` in ${report.distance.exact ? "" : "at most "}${report.distance.plies} plies` : "";
  if (report.value) {
    const score = scored && report.score !== null ? ` by ${Math.abs(report.score)}` : "";
    return `proven ${report.value}${report.value === "draw" ? "" : score + distance}`;
  }
  const parts = [];
  if (report.status === "bounded") parts.push(`proven from ${signed(report.bounds[0])} to ${signed(report.bounds[1])}`);
  if (report.estimate) {
    const spread = report.estimate.spread ? ` ± ${report.estimate.spread.toFixed(2)}` : "";
    parts.push(`estimate ${signed(Number(report.estimate.mean.toFixed(2)))}${spread}`);
  }
  return parts.join(", ") || "nothing known yet";
}

// How far a job is, in words.
export function progress(news) {
  if (news.state === "waiting") return `waiting, ${news.before} before`;
  const p = news.progress;
  const parts = [`${news.state === "running" ? "working" : news.state} ${news.seconds.toFixed(1)} s`];
  if (p) {
    parts.push(p.doing, `${many.format(p.nodes)} nodes`);
    if (p.depth) parts.push(`depth ${p.depth}`);
    if (p.share !== null) parts.push(`${Math.round(p.share * 100)} %`);
    if (p.line.length) parts.push(p.line.slice(0, 8).join(" "));
  }
  return parts.join(" · ");
}

// Fills the table of moves, the best first.
export function table(body, reports, scored, play) {
  const sorted = [...reports].sort((a, b) => merit(b, scored) - merit(a, scored)).slice(0, 100);
  body.replaceChildren(...sorted.map((report) => {
    const row = document.createElement("tr");
    const button = document.createElement("button");
    button.textContent = report.move;
    button.addEventListener("click", () => play(report.move));
    const judged = document.createElement("td");
    judged.className = truth(report, scored)[0];
    judged.textContent = words(report, scored);
    const line = document.createElement("td");
    line.textContent = report.line.slice(1, 10).join(" ");
    const move = document.createElement("td");
    move.append(button);
    row.append(move, judged, line);
    return row;
  }));
}

// The value of a position for the first player, from -1 to 1, and whether it is proven.
export function value(report, turn, scored) {
  const sign = turn === 1 ? -1 : 1;
  if (report.value) return { y: sign * { win: 1, draw: 0, loss: -1 }[report.value], proven: true };
  if (!report.estimate) return null;
  return { y: sign * Math.max(-1, Math.min(1, report.estimate.mean / (scored ? 20 : 1))), proven: false };
}

// Draws the values over the game; `values[ply]` may be missing.
export function graph(svg, values, plies, here) {
  const NS = "http://www.w3.org/2000/svg";
  const x = (ply) => 8 + 284 * (plies ? ply / plies : 0);
  const y = (v) => 40 - 34 * v;
  const add = (tag, attributes) => {
    const element = document.createElementNS(NS, tag);
    for (const [name, v] of Object.entries(attributes)) element.setAttribute(name, v);
    svg.append(element);
    return element;
  };
  svg.replaceChildren();
  add("line", { class: "axis", x1: 0, x2: 300, y1: 40, y2: 40 });
  add("line", { class: "here", x1: x(here), x2: x(here), y1: 2, y2: 78 });
  const known = values.map((v, ply) => (v ? [ply, v] : null)).filter((v) => v && v[0] <= plies);
  add("polyline", { class: "curve", points: known.map(([ply, v]) => `${x(ply)},${y(v.y)}`).join(" ") });
  for (const [ply, v] of known) {
    const dot = add("circle", { class: v.proven ? "proven" : "", cx: x(ply), cy: y(v.y), r: 3 });
    const title = document.createElementNS(NS, "title");
    title.textContent = `after ${ply}: ${v.proven ? "proven" : "estimated"} ${v.y.toFixed(2)}`;
    dot.append(title);
  }
}
