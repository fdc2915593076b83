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

// What an estimate rests on, by the method that made it.
function basis(method) {
  if (method === "uct") return "the results of random games, more of them where it looks good";
  if (["exhaustive", "pn", "pn2", "df-pn", "pds", "mst", "shortest"].includes(method)) return "what is proven so far";
  return "the game's evaluation where looking ahead ended";
}

// Why a move is judged as it is, in sentences: the end it forces, what refutes it, or what the guess rests on.
// `context` has the mover, the opponent, what was seen at a glance and the method.
export function why(report, scored, context) {
  const { mover, other, seen, method } = context;
  const [move, reply, ...rest] = report.line;
  const line = rest.length ? `, then ${rest.slice(0, 10).join(" ")}${rest.length > 10 ? " …" : ""}` : "";
  const plies = report.distance ? `${report.distance.exact ? "" : "at most "}${report.distance.plies} plies` : "";
  const said = [];
  if (seen && seen.wins.includes(move)) said.push(`${move} ends the game: ${mover} wins.`);
  else if (report.value === "win") {
    said.push(`${move} wins against every reply${plies ? `, in ${plies}` : ""}.`);
    if (reply) said.push(`The longest known resistance is ${reply}${line}.`);
  } else if (report.value === "loss") {
    if (seen && seen.threats.length && seen.must.length && !seen.must.includes(move)) said.push(`${move} does not meet the threat of ${seen.threats.slice(0, 3).join(" and ")}.`);
    said.push(reply ? `${move} is refuted by ${reply}${line}${plies ? `: ${other} wins in ${plies}` : ""}.` : `${other} wins against ${move}${plies ? `, in ${plies}` : ""}.`);
  } else if (report.value === "draw") {
    said.push(`After ${move} neither side can force more than a draw${reply ? `: ${reply}${line} is best for both` : ""}.`);
  } else {
    if (report.status === "bounded") said.push(`It is proven that ${move} gives ${mover} from ${signed(report.bounds[0])} to ${signed(report.bounds[1])}.`);
    if (report.estimate) {
      const spread = report.estimate.spread ? `, give or take ${report.estimate.spread.toFixed(2)}` : "";
      said.push(`Not proven: about ${signed(Number(report.estimate.mean.toFixed(2)))}${spread}, by ${basis(method)}${method ? ` (${method})` : ""}.`);
      if (reply) said.push(`The expected reply is ${reply}${line}.`);
    }
    if (!said.length) said.push(`Nothing is known of ${move} yet.`);
  }
  if (scored && report.score !== null && report.value && report.value !== "draw") said.push(`The margin is ${Math.abs(report.score)}.`);
  return said.join(" ");
}

// Fills the table of moves, the best first. Choosing a judgement tells why.
export function table(body, reports, scored, play, explain) {
  const open = body.dataset.open;
  const sorted = [...reports].sort((a, b) => merit(b, scored) - merit(a, scored)).slice(0, 100);
  body.replaceChildren(...sorted.flatMap((report) => {
    const row = document.createElement("tr");
    const button = document.createElement("button");
    button.textContent = report.move;
    button.addEventListener("click", () => play(report.move));
    const judged = document.createElement("td");
    const ask = document.createElement("button");
    ask.className = `why ${truth(report, scored)[0]}`;
    ask.textContent = words(report, scored);
    ask.title = "Why?";
    ask.setAttribute("aria-expanded", open === report.move);
    ask.addEventListener("click", () => {
      body.dataset.open = body.dataset.open === report.move ? "" : report.move;
      table(body, reports, scored, play, explain);
    });
    judged.append(ask);
    const line = document.createElement("td");
    line.textContent = report.line.slice(1, 10).join(" ");
    const move = document.createElement("td");
    move.append(button);
    row.append(move, judged, line);
    if (open !== report.move) return [row];
    const because = document.createElement("tr");
    const said = document.createElement("td");
    said.colSpan = 3;
    said.className = "because";
    said.textContent = explain(report);
    because.append(said);
    return [row, because];
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
