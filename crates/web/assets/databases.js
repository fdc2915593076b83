// The databases: what there is, figures of a slice, and what is known of a position and each of its moves.

import { get } from "./api.js";
import { says, words } from "./analysis.js";
import { Board } from "./board.js";
import "./theme.js";
import { trouble } from "./trouble.js";

const element = (id) => document.getElementById(id);
const many = new Intl.NumberFormat("en");
const NS = "http://www.w3.org/2000/svg";

let stores = [];
// Answers to anything but the latest question are dropped: of positions, and of figures.
let asked = 0;
let counted = 0;
const board = new Board(element("board"), element("chooser"), (move) => play(move).catch(fail), words);

function fail(error) { trouble(error, () => renew().catch(fail)); }

const store = () => stores.find((s) => s.game === element("game").value);

// What a database says of a move, as a report of the kind that methods give.
function report(found, { unit, metric }) {
  const plies = unit === "plies" && metric !== "dtr";
  return {
    move: found.move, value: found.outcome, status: "proven", estimate: null, line: [found.move], bounds: [found.number, found.number],
    score: unit === "points" ? found.number : null, distance: plies ? { plies: found.number, exact: true } : null,
  };
}

function button(text, press) {
  const made = document.createElement("button");
  made.textContent = text;
  made.addEventListener("click", () => press().catch(fail));
  return made;
}

function cell(kind, ...parts) {
  const made = document.createElement("td");
  made.className = kind;
  made.append(...parts);
  return made;
}

function row(...cells) {
  const made = document.createElement("tr");
  made.append(...cells);
  return made;
}

function write() {
  const query = new URLSearchParams({ game: element("game").value });
  if (element("position").value) query.set("position", element("position").value);
  if (element("metric").value) query.set("metric", element("metric").value);
  history.replaceState(null, "", `#${query}`);
}

// The metrics that the game is there in, and chooses one of them; the usual one has no name.
function choose(metric) {
  const names = [...new Set(store() ? store().slices.map((slice) => slice.metric) : [])];
  element("metric").replaceChildren(new Option("usual", ""), ...names.map((name) => new Option(name, name)));
  element("metric").value = names.includes(metric) ? metric : "";
}

// Goes to the example of the game.
function exemplify() {
  element("position").value = store() ? store().example : "";
  choose(store() && store().metric);
}

// Takes game, position and metric from the address.
function read() {
  const query = new URLSearchParams(location.hash.slice(1));
  if (stores.some((s) => s.game === query.get("game"))) element("game").value = query.get("game");
  exemplify();
  const [position, metric] = [query.get("position"), query.get("metric")];
  if (position) element("position").value = position;
  if (position || metric) choose(metric);
}

async function lookUp() {
  const number = ++asked;
  const game = element("game").value;
  const position = element("position").value.trim();
  const metric = element("metric").value;
  write();
  if (!game) return;
  const [view, { found, missing }] = await Promise.all([get("position", { game, position }), get("databases/probe", { game, position, metric })]);
  if (number !== asked) return;
  fail(null);
  board.show(view, !view.result);
  element("verdict").className = found ? found.outcome : "";
  element("verdict").textContent = found
    ? `${found.mover} to move: ${says(found, found)} (slice ${found.slice}, number ${many.format(found.index)} there)`
    : view.result ? `The game is over: ${view.result}.` : `Not in the databases: ${missing}.`;
  const moves = found ? found.moves : [];
  board.judge(moves.map((m) => report(m, found)));
  element("moves").tBodies[0].replaceChildren(...moves.map((m) => row(cell("", button(m.move, () => play(m.move))), cell(m.outcome, says(m, found)))));
}

async function play(move) {
  const number = ++asked;
  const next = await get("position", { game: element("game").value, position: element("position").value, moves: move });
  if (number !== asked) return;
  element("position").value = next.position;
  await lookUp();
}

function list() {
  element("list").tBodies[0].replaceChildren(...(store() ? store().slices : []).map((slice) => {
    const share = (n) => `${((100 * n) / Math.max(1, slice.positions)).toFixed(1)} %`;
    const cells = [
      cell("", button(slice.slice, () => figures(slice))), cell("", slice.metric), cell("number", many.format(slice.positions)),
      cell("number win", share(slice.wins)), cell("number draw", share(slice.draws)), cell("number loss", share(slice.losses)),
      cell("number", many.format(slice.bytes)),
    ];
    // On a narrow screen a row is a block, and its cells say what they are.
    const heads = element("list").tHead.rows[0].cells;
    cells.forEach((made, i) => { made.dataset.label = heads[i].textContent; });
    return row(...cells);
  }));
}

// Positions to be looked up, as buttons.
const examples = (positions) => positions.flatMap((position) => [button(position, () => { element("position").value = position; return lookUp(); }), " "]);

async function figures(slice) {
  const number = ++counted;
  const [stats] = await get("databases/stats", { game: element("game").value, slice: slice.slice, metric: slice.metric });
  if (number !== counted) return;
  fail(null);
  element("figures").hidden = false;
  const mean = stats.mean === undefined ? "" : `: mean ${stats.mean.toFixed(3)}, deviation ${stats.deviation.toFixed(3)}`;
  element("summary").textContent = `Slice ${slice.slice} in ${slice.unit}${mean}; file ${slice.xxh3}.`;
  histogram(stats.histogram, slice.unit === "plies", slice.unit === "numbers");
  const told = (name, most) => (most ? [`${name}: ${most.number}, ${many.format(most.positions)} times, such as `, ...examples(most.such_as)] : []);
  // A limit by the rule is no length.
  const most = (what) => (slice.metric === "dtr" ? `Most plies a phase of a ${what}` : `Longest ${what} in plies`);
  element("greatest").replaceChildren(...told(slice.unit === "plies" ? most("win") : "Greatest", stats.greatest));
  element("longest").replaceChildren(...told(most("loss"), stats.longest_loss));
  const held = stats.zugzwangs;
  element("zugzwangs").replaceChildren(...(held ? [`Mutual zugzwangs: ${many.format(held.all)}, in ${many.format(held.both_lose)} whoever moves loses. `, ...examples(held.such_as)] : []));
  element("figures").scrollIntoView({ block: "nearest" });
}

// A bar a value, as high as it is frequent. Where plies are counted, draws are in the middle, the shortest wins and losses next to them.
function histogram(values, plies, numbers) {
  const svg = element("histogram");
  const add = (tag, attributes, text) => {
    const shape = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
    if (text !== undefined) shape.textContent = text;
    svg.append(shape);
    return shape;
  };
  svg.replaceChildren();
  if (!values.length) return;
  const infinite = ({ number }) => numbers && number < 0;
  // A loss that is there already stands beside the draws, and what is infinite before the numbers, draws first.
  const place = (value) => {
    if (infinite(value)) return value.outcome === "draw" ? -2 : -1;
    return plies && value.outcome === "loss" ? -1 - value.number : value.number;
  };
  const places = values.map(place);
  const [low, high] = [Math.min(...places), Math.max(...places)];
  const most = Math.max(...values.map((value) => value.positions));
  const step = 580 / (high - low + 1);
  for (const value of values) {
    const height = Math.max(1, (130 * value.positions) / most);
    const x = 10 + (place(value) - low) * step;
    const bar = add("rect", { class: value.outcome, x, y: 140 - height, width: Math.max(1, step - 1), height });
    const title = document.createElementNS(NS, "title");
    const told = plies ? (value.outcome === "draw" ? "draw" : `${value.outcome} in ${value.number}`) : value.number;
    const name = infinite(value) ? `∞, ${value.outcome}` : told;
    title.textContent = `${name}: ${many.format(value.positions)}`;
    bar.append(title);
  }
  for (const at of new Set([low, 0, high])) {
    const told = plies && at < 0 ? -1 - at : plies && at === 0 ? "draw" : at;
    const label = numbers && at < 0 ? "∞" : told;
    if (at >= low && at <= high) add("text", { x: 10 + (at - low + 0.5) * step, y: 156, "font-size": 12 }, label);
  }
}

async function begin() {
  stores = (await get("databases")).filter((s) => s.slices.length);
  element("none").hidden = stores.length > 0;
  element("lookup").hidden = element("slices").hidden = !stores.length;
  element("game").replaceChildren(...stores.map((s) => new Option(s.game, s.game)));
  const renew = () => { list(); element("figures").hidden = true; counted += 1; return lookUp(); };
  element("game").addEventListener("change", () => { exemplify(); renew().catch(fail); });
  element("metric").addEventListener("change", () => lookUp().catch(fail));
  element("asking").addEventListener("submit", (event) => { event.preventDefault(); lookUp().catch(fail); });
  window.addEventListener("hashchange", () => { read(); renew().catch(fail); });
  read();
  await renew().catch(fail);
  document.documentElement.dataset.ready = "yes";
}

begin().catch(fail);
