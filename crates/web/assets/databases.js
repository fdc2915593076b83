// The databases: what there is, figures of a slice, and what is known of a position and each of its moves.

import { get } from "./api.js";
import { Board } from "./board.js";
import "./theme.js";

const element = (id) => document.getElementById(id);
const many = new Intl.NumberFormat("en");
const NS = "http://www.w3.org/2000/svg";

let stores = [];
const board = new Board(element("board"), element("chooser"), (move) => play(move).catch(fail));

function fail(error) {
  element("error").textContent = error ? error.message : "";
  element("error").hidden = !error;
}

const store = () => stores.find((s) => s.game === element("game").value);

// What a database says, in words.
export function says(found) {
  const sized = found.unit === "plies" ? `in ${found.number} plies` : `by ${Math.abs(found.number)}`;
  return found.outcome === "draw" ? "draw" : `${found.outcome} ${sized}`;
}

// What a database says of a move, as a report of the kind that methods give.
export function report(found, unit) {
  const plies = unit === "plies";
  return {
    move: found.move, value: found.outcome, status: "proven", estimate: null, line: [found.move], bounds: [found.number, found.number],
    score: plies ? null : found.number, distance: plies ? { plies: found.number, exact: true } : null,
  };
}

function write() {
  const words = new URLSearchParams({ game: element("game").value });
  if (element("position").value) words.set("position", element("position").value);
  history.replaceState(null, "", `#${words}`);
}

async function lookUp() {
  const game = element("game").value;
  const position = element("position").value.trim();
  write();
  if (!game) return;
  const view = await get("position", { game, position });
  const { found, missing } = await get("databases/probe", { game, position });
  fail(null);
  board.show(view, !view.result);
  element("verdict").className = found ? found.outcome : "";
  element("verdict").textContent = found
    ? `${found.mover} to move: ${says(found)} (slice ${found.slice}, number ${many.format(found.index)} there)`
    : view.result ? `The game is over: ${view.result}.` : `Not in the databases: ${missing}.`;
  const moves = found ? found.moves : [];
  board.judge(moves.map((m) => report(m, found.unit)));
  element("moves").tBodies[0].replaceChildren(...moves.map((m) => {
    const row = document.createElement("tr");
    const button = document.createElement("button");
    button.textContent = m.move;
    button.addEventListener("click", () => play(m.move).catch(fail));
    const name = document.createElement("td");
    name.append(button);
    const value = document.createElement("td");
    value.className = m.outcome;
    value.textContent = says({ ...m, unit: found.unit });
    row.append(name, value);
    return row;
  }));
}

async function play(move) {
  const next = await get("position", { game: element("game").value, position: element("position").value, moves: move });
  element("position").value = next.position;
  await lookUp();
}

function list() {
  const rows = (store() ? store().slices : []).map((slice) => {
    const row = document.createElement("tr");
    const share = (n) => `${((100 * n) / Math.max(1, slice.positions)).toFixed(1)} %`;
    const texts = [slice.slice, slice.metric, many.format(slice.positions), share(slice.wins), share(slice.draws), share(slice.losses), many.format(slice.bytes)];
    row.append(...texts.map((text, i) => {
      const td = document.createElement("td");
      td.textContent = text;
      td.className = ["", "", "number", "number win", "number draw", "number loss", "number"][i];
      return td;
    }));
    const button = document.createElement("button");
    button.textContent = "Figures";
    button.addEventListener("click", () => figures(slice).catch(fail));
    row.append(document.createElement("td"));
    row.lastChild.append(button);
    return row;
  });
  element("list").tBodies[0].replaceChildren(...rows);
}

async function figures(slice) {
  const [stats] = await get("databases/stats", { game: element("game").value, slice: slice.slice, metric: slice.metric });
  fail(null);
  element("figures").hidden = false;
  element("summary").textContent = `Slice ${slice.slice}: mean ${stats.mean.toFixed(3)}, deviation ${stats.deviation.toFixed(3)} (${slice.unit}); file ${slice.xxh3}.`;
  histogram(Object.entries(stats.histogram).map(([value, count]) => [Number(value), count]));
  const [value, count, examples] = stats.greatest;
  element("greatest").replaceChildren(`Greatest: ${value}, ${many.format(count)} times, such as `, ...examples.flatMap((position) => {
    const button = document.createElement("button");
    button.textContent = position;
    button.addEventListener("click", () => { element("position").value = position; lookUp().catch(fail); });
    return [button, " "];
  }));
  element("figures").scrollIntoView({ block: "nearest" });
}

// A bar a value, as high as it is frequent.
function histogram(pairs) {
  const svg = element("histogram");
  const add = (tag, attributes, text) => {
    const shape = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
    if (text !== undefined) shape.textContent = text;
    svg.append(shape);
    return shape;
  };
  svg.replaceChildren();
  pairs.sort((a, b) => a[0] - b[0]);
  const [low, high] = [pairs[0][0], pairs[pairs.length - 1][0]];
  const most = Math.max(...pairs.map(([, count]) => count));
  const step = 580 / (high - low + 1);
  for (const [value, count] of pairs) {
    const height = Math.max(1, (130 * count) / most);
    const x = 10 + (value - low) * step;
    const bar = add("rect", { class: value > 0 ? "win" : value < 0 ? "loss" : "draw", x, y: 140 - height, width: Math.max(1, step - 1), height });
    const title = document.createElementNS(NS, "title");
    title.textContent = `${value}: ${many.format(count)}`;
    bar.append(title);
  }
  for (const value of new Set([low, 0, high])) {
    if (value >= low && value <= high) add("text", { x: 10 + (value - low + 0.5) * step, y: 156, "font-size": 12 }, value);
  }
}

async function begin() {
  stores = (await get("databases")).filter((s) => s.slices.length);
  element("none").hidden = stores.length > 0;
  element("lookup").hidden = element("slices").hidden = !stores.length;
  const words = new URLSearchParams(location.hash.slice(1));
  element("game").replaceChildren(...stores.map((s) => new Option(s.game, s.game)));
  if (words.get("game") && stores.some((s) => s.game === words.get("game"))) element("game").value = words.get("game");
  element("position").value = words.get("position") || (store() ? store().example : "");
  element("game").addEventListener("change", () => { element("position").value = store().example; list(); lookUp().catch(fail); });
  element("asking").addEventListener("submit", (event) => { event.preventDefault(); lookUp().catch(fail); });
  list();
  await lookUp().catch(fail);
  document.documentElement.dataset.ready = "yes";
}

begin().catch(fail);
