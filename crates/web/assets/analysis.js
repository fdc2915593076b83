// What is known of a position, in words and in a table. Proven and guessed are never mixed up.

import { merit, truth } from "./board.js";
import { estimate, mean, signed, spread } from "./figures.js";

const many = new Intl.NumberFormat("en");

const counted = (plies) => `${plies} ${plies === 1 ? "ply" : "plies"}`;
const far = ({ plies, exact }) => `${exact ? "" : "at most "}${counted(plies)}`;

// A report in words, for the player to move.
export function words(report, scored) {
  const distance = report.distance ? ` in ${far(report.distance)}` : "";
  if (report.value) {
    const score = scored && report.score !== null ? ` by ${Math.abs(report.score)}` : "";
    return `proven ${report.value}${report.value === "draw" ? "" : score + distance}`;
  }
  const parts = [];
  if (report.status === "bounded") parts.push(`proven from ${signed(report.bounds[0])} to ${signed(report.bounds[1])}`);
  if (report.estimate) parts.push(`estimate ${estimate(report.estimate)}`);
  return parts.join(", ") || "nothing known yet";
}

// The value of an impartial game: a number, or infinite with the numbers that one move reaches.
const worth = ({ number, infinite }) => (infinite ? `∞(${infinite.join(",")})` : number);

// What a database says of a position or a move, in words. The numbers of `dtr` are plies that a phase may last.
export function says(found, { unit, metric }) {
  if (found.value) return `${found.outcome}, ${found.move ? "leaves" : "worth"} ${worth(found.value)}`;
  if (found.outcome === "draw" || unit === "outcomes") return found.outcome;
  if (metric === "dtr") return `${found.outcome} with ${counted(found.number)} a phase`;
  const sized = unit === "plies" ? `in ${counted(found.number)}` : `by ${Math.abs(found.number)}`;
  return `${found.outcome} ${sized}`;
}

// How far a job is, in words.
export function progress(news) {
  if (news.state === "waiting") return `waiting, ${news.before} before`;
  const p = news.progress;
  const parts = [`${{ running: "working", cancelled: "stopped" }[news.state] || news.state} ${news.seconds.toFixed(1)} s`];
  const over = news.result && news.result.nodes !== undefined;
  if (over) parts.push(`${many.format(news.result.nodes)} nodes`);
  else if (p) {
    parts.push(p.doing, `${many.format(p.nodes)} nodes`);
    if (p.depth) parts.push(`depth ${p.depth}`);
    if (p.share !== null) parts.push(`${Math.round(p.share * 100)} %`);
    if (p.line.length) parts.push(p.line.slice(0, 8).join(" "));
  }
  return parts.join(" · ");
}

// What an estimate rests on, by the method that made it.
function basis(method) {
  if (method === "uct") return "the results of random games, more of them where it looks good; ± is the error of that sample";
  if (["exhaustive", "pn", "pn2", "df-pn", "pds", "mst", "shortest"].includes(method)) return "what is proven so far";
  return "the game's evaluation where looking ahead ended";
}

// A sequence of threats: the attacker's moves, the replies that meet each in brackets.
function sequence(attack) {
  return attack.sequence.map(({ move, replies }) => (replies.length ? `${move} (${replies.join(" ")})` : move)).join(" ");
}

// The threats behind a move, as far as they were seen without a search: the sequence that it begins, and those of the
// other's that it meets or not. What wins need not meet anything.
function threats({ move, value }, other, seen) {
  if (!seen) return [];
  const attack = (mine) => seen.attacks.find((a) => a.to_move === mine);
  const [own, theirs] = [attack(true), attack(false)];
  const said = [];
  if (own && own.line[0] === move) said.push(`It begins a sequence of threats that wins: ${sequence(own)}.`);
  const answers = (must, what) => {
    if (must.includes(move)) said.push(`${move} meets ${what}.`);
    else if (value !== "win") said.push(`${move} does not meet ${what}.`);
  };
  if (seen.threats.length) { if (seen.must.length) answers(seen.must, `the threat of ${seen.threats.slice(0, 3).join(" and ")}`); }
  else if (theirs) answers(theirs.must, `${other}'s sequence of threats: ${sequence(theirs)}`);
  return said;
}

// Why a move is judged as it is, in sentences: the end it forces, the threats behind it, what refutes it, what a
// database says, or what the guess rests on. `context` has the mover, the opponent, what was seen at a glance,
// what a database knows and the method.
export function why(report, scored, context) {
  const { mover, other, seen, known, method } = context;
  const { move } = report;
  const [, reply, ...rest] = report.line;
  const line = rest.length ? `, then ${rest.slice(0, 10).join(" ")}${rest.length > 10 ? " …" : ""}` : "";
  const plies = report.distance ? far(report.distance) : "";
  const said = [];
  if (seen && seen.wins.includes(move)) said.push(`${move} ends the game: ${mover} wins.`);
  else if (report.value === "win") {
    said.push(`${move} wins against every reply${plies ? `, in ${plies}` : ""}.`, ...threats(report, other, seen));
    if (reply) said.push(`The longest known resistance is ${reply}${line}.`);
  } else if (report.value === "loss") {
    said.push(...threats(report, other, seen));
    said.push(reply ? `${move} is refuted by ${reply}${line}${plies ? `: ${other} wins in ${plies}` : ""}.` : `${other} wins against ${move}${plies ? `, in ${plies}` : ""}.`);
  } else if (report.value === "draw") {
    said.push(...threats(report, other, seen), `After ${move} neither side can force more than a draw${reply ? `: ${reply}${line} is best for both` : ""}.`);
  } else {
    said.push(...threats(report, other, seen));
    if (report.status === "bounded") said.push(`It is proven that ${move} gives ${mover} from ${signed(report.bounds[0])} to ${signed(report.bounds[1])}.`);
    if (report.estimate) {
      const unsure = spread(report.estimate);
      said.push(`Not proven: about ${mean(report.estimate)}${unsure && `, give or take ${unsure}`}, by ${basis(method)}${method ? ` (${method})` : ""}.`);
      if (reply) said.push(`The expected reply is ${reply}${line}.`);
    }
    if (!said.length) said.push(`Nothing is known of ${move} yet.`);
  }
  if (scored && report.score !== null && report.value && report.value !== "draw") said.push(`The margin is ${Math.abs(report.score)}.`);
  const stored = known && known.moves.find((m) => m.move === move);
  if (stored) said.push(`The database of slice ${known.slice} says: ${says(stored, known)}.`);
  return said.join(" ");
}

// So many moves are listed.
const LISTED = 100;

// The table of judged moves, the best first. Choosing a judgement tells why. A row stays as long as its move does,
// so that its buttons can be pressed and keep the focus while the judgements change.
export class Moves {
  constructor(body, play) {
    Object.assign(this, { body, play, rows: new Map(), open: "" });
  }

  clear() {
    this.rows.clear();
    this.body.replaceChildren();
    this.open = "";
  }

  // A new row: the move, its judgement, and how play may go on; below it room for the reason.
  make(move) {
    const cell = (...parts) => { const td = document.createElement("td"); td.append(...parts); return td; };
    const button = (text) => { const made = document.createElement("button"); made.textContent = text; return made; };
    const [chosen, ask, line, because] = [button(move), button(""), cell(), cell()];
    const [row, reason] = [document.createElement("tr"), document.createElement("tr")];
    ask.title = "Why?";
    chosen.addEventListener("click", () => this.play(move));
    ask.addEventListener("click", () => { this.open = this.open === move ? "" : move; this.show(...this.last); });
    because.colSpan = 3;
    because.className = "because";
    row.append(cell(chosen), cell(ask), line);
    reason.append(because);
    return { row, reason, ask, line, because };
  }

  // Shows all reports there are; `explain` says why.
  show(reports, scored, explain) {
    this.last = [reports, scored, explain];
    const sorted = [...reports].sort((a, b) => merit(b, scored) - merit(a, scored)).slice(0, LISTED);
    const wanted = sorted.flatMap((report) => {
      const { move } = report;
      if (!this.rows.has(move)) this.rows.set(move, this.make(move));
      const { row, reason, ask, line, because } = this.rows.get(move);
      ask.className = `why ${truth(report, scored).kind}`;
      ask.textContent = words(report, scored);
      ask.setAttribute("aria-expanded", this.open === move);
      line.textContent = report.line.slice(1, 10).join(" ");
      if (this.open !== move) return [row];
      because.textContent = explain(report);
      return [row, reason];
    });
    if (reports.length > LISTED) wanted.push(this.rest(reports.length - LISTED));
    // Only rows that are not where they should be are moved.
    let at = this.body.firstElementChild;
    for (const row of wanted) {
      if (row === at) at = at.nextElementSibling;
      else this.body.insertBefore(row, at);
    }
    while (at) {
      const next = at.nextElementSibling;
      at.remove();
      at = next;
    }
  }

  rest(number) {
    const row = document.createElement("tr");
    const cell = document.createElement("td");
    cell.colSpan = 3;
    cell.textContent = `and ${many.format(number)} more, coloured on the board`;
    row.append(cell);
    return row;
  }
}
