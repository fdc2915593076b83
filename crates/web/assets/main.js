// The page: holds the game's state, writes it to the address, and ties board, players, analysis and proof
// together. All that is known of the rules comes from the server.

import { get, post, run, send } from "./api.js";
import { graph, progress, table, value, why, words } from "./analysis.js";
import { Board } from "./board.js";
import { CLOCKS, Clock, parse } from "./clock.js";
import "./theme.js";
import { Explorer } from "./proof.js";

const element = (id) => document.getElementById(id);
const STRENGTHS = { "200 nodes": { nodes: 200 }, "5000 nodes": { nodes: 5000 }, "0.2 s": { time: 0.2 }, "1 s": { time: 1 }, "5 s": { time: 5 }, "30 s": { time: 30 } };
const TIMES = { "2 s": 2, "10 s": 10, "1 min": 60, "5 min": 300 };

let games = [];
let state = fresh();
let view = null;
let shown = 0;
let analysis = null;
let thinking = null;
let values = [];
let seen = null;
let withDatabases = [];

function fresh() {
  return { game: "tic-tac-toe", position: "", moves: [], at: 0, flip: false, seats: ["human", "human"], strength: "1 s", analyse: false, threats: false, relief: false, clock: "" };
}

const place = (plies = state.at) => ({ game: state.game, position: state.position, moves: state.moves.slice(0, plies).join(" ") });

function fail(error) {
  element("error").textContent = error ? error.message : "";
  element("error").hidden = !error;
}

// The whole state is in the address.
function write() {
  const words = new URLSearchParams();
  words.set("game", state.game);
  if (state.position) words.set("position", state.position);
  if (state.moves.length) words.set("moves", state.moves.join(" "));
  if (state.at !== state.moves.length) words.set("at", state.at);
  if (state.flip) words.set("flip", 1);
  state.seats.forEach((seat, i) => { if (seat !== "human") words.set(["first", "second"][i], seat); });
  if (state.strength !== "1 s") words.set("strength", state.strength);
  if (state.analyse) words.set("analyse", 1);
  if (state.threats) words.set("threats", 1);
  if (state.relief) words.set("relief", 1);
  if (state.clock) {
    words.set("clock", state.clock);
    words.set("left", [0, 1].map((side) => clock.left(side).toFixed(1)).join(" "));
  }
  if (explorer.digest) { words.set("proof", explorer.digest); words.set("claim", explorer.claim); }
  history.replaceState(null, "", `#${words}`);
}

async function read() {
  const words = new URLSearchParams(location.hash.slice(1));
  state = fresh();
  state.game = words.get("game") || state.game;
  state.position = words.get("position") || "";
  const moves = words.get("moves") || "";
  state.flip = words.has("flip");
  state.seats = [words.get("first") || "human", words.get("second") || "human"];
  if (STRENGTHS[words.get("strength")]) state.strength = words.get("strength");
  for (const name of ["analyse", "threats", "relief"]) state[name] = words.has(name);
  state.clock = parse(words.get("clock")) ? words.get("clock") : "";
  clock.set(state.clock, words.has("left") ? words.get("left").split(" ").map(Number) : null);
  explorer.close();
  explorer.digest = words.get("proof") || "";
  explorer.claim = Number(words.get("claim") || 0);
  values = [];
  state.moves = moves ? (await get("position", { game: state.game, position: state.position, moves })).played : [];
  state.at = words.has("at") ? Math.min(Number(words.get("at")) || 0, state.moves.length) : state.moves.length;
  fillForms();
  await refresh();
}

const board = new Board(element("board"), element("chooser"), (move) => play(move).catch(fail));
const explorer = new Explorer(go, (move) => play(move).catch(fail), () => refresh().catch(fail));

const clock = new Clock([element("clock0"), element("clock1")], () => { stop(); refresh().catch(fail); });

async function go({ game, position, moves }) {
  stop();
  Object.assign(state, { game, position, moves, at: moves.length, seats: ["human", "human"], clock: "" });
  clock.set("");
  values = [];
  fillForms();
  await refresh();
}

// Fetches the position and shows it.
async function refresh() {
  const number = ++shown;
  stop();
  write();
  const next = await get("position", { ...place(), flip: state.flip, relief: state.relief });
  if (number !== shown) return;
  fail(null);
  view = next;
  seen = null;
  const over = view.result || clock.fallen !== null;
  // The clock runs from the first move on, for who is to move where the game is, not where it is looked at.
  if (state.at === state.moves.length) clock.run(over || !state.moves.length ? null : view.turn);
  board.show(view, !over && (human() || state.at < state.moves.length || Boolean(explorer.digest)));
  element("text").textContent = view.text;
  const last = view.played.length ? `${view.played[view.played.length - 1]} was played. ` : "";
  const late = clock.fallen !== null ? `${view.players[clock.fallen]}'s time is up: ${view.players[1 - clock.fallen]} wins.` : "";
  element("status").textContent = last + (view.result ? `The game is over: ${view.result}.` : late || `${view.mover} to move.`);
  element("verdict").textContent = "";
  element("progress").textContent = "";
  element("moves").tBodies[0].replaceChildren();
  element("relief").hidden = !view.relief;
  element("seen").hidden = element("known").hidden = true;
  line();
  glance(number).catch(fail);
  known(number).catch(fail);
  await explorer.show(state.moves.slice(0, state.at));
  if (number !== shown) return;
  if (explorer.digest) {
    if (explorer.station && explorer.station.answer) board.hint(explorer.station.answer);
  } else if (!over && !human() && state.at === state.moves.length) think().catch(fail);
  else if (state.analyse) analyse().catch(fail);
}

// What is seen without a search: shown if it is wanted, and used to tell why a move is bad.
async function glance(number) {
  if (view.result || !(state.threats || state.analyse)) return;
  const found = await get("glance", place());
  if (number !== shown) return;
  seen = found;
  if (!state.threats) return;
  board.see(seen);
  element("seen").hidden = false;
  element("seen").textContent = seen.words.join(" ") || "No threat is seen.";
}

// What a database says of the position, where there is one.
async function known(number) {
  if (!withDatabases.includes(state.game.split(":")[0])) return;
  const { found } = await get("databases/probe", place());
  if (number !== shown || !found) return;
  const sized = found.outcome === "draw" ? "" : found.unit === "plies" ? ` in ${found.number} plies` : ` by ${Math.abs(found.number)}`;
  const best = found.moves.filter((m) => m.outcome === found.moves[0].outcome && m.number === found.moves[0].number).map((m) => m.move);
  element("known").hidden = false;
  element("known").textContent = `Database: ${found.outcome}${sized} for ${found.mover}; best ${best.join(", ")}.`;
}

const explain = (method) => (report) => why(report, view.scored, { mover: view.mover, other: view.players[1 - view.turn], seen, method });

function human() { return view && view.turn !== null && state.seats[view.turn] === "human"; }

async function play(move) {
  const kept = state.moves[state.at] === move ? state.moves : [...state.moves.slice(0, state.at), move];
  if (kept !== state.moves) values.length = Math.min(values.length, state.at + 1);
  if (state.at === state.moves.length && view) clock.press(view.turn);
  state.moves = kept;
  state.at += 1;
  await refresh();
  // Against a proof, the proof answers at once.
  const station = explorer.digest && explorer.station;
  if (station && station.answer && !station.result) await play(station.answer);
}

function line() {
  element("line").replaceChildren(...state.moves.map((move, i) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.textContent = i % 2 ? move : `${i / 2 + 1}. ${move}`;
    button.setAttribute("aria-current", i + 1 === state.at);
    button.addEventListener("click", () => move_to(i + 1));
    item.append(button);
    return item;
  }));
  graph(element("graph"), values, state.moves.length, state.at);
}

function move_to(ply) {
  state.at = Math.max(0, Math.min(state.moves.length, ply));
  refresh().catch(fail);
}

function stop() {
  for (const job of [analysis, thinking]) if (job) job.stop();
  analysis = thinking = null;
  element("stop").hidden = true;
}

// Runs a job that belongs to the position now shown; its news are dropped once another one is.
async function ask(kind, more, news) {
  stop();
  const number = shown;
  const job = run({ kind, ...place(), ...more }, (message) => {
    if (number !== shown) return;
    element("progress").textContent = progress(message);
    if (news) news(message);
  });
  element("stop").hidden = false;
  if (kind === "analyse") analysis = job;
  else thinking = job;
  try {
    const last = await job.done;
    return number === shown ? last : null;
  } finally {
    if (job === analysis || job === thinking) element("stop").hidden = true;
  }
}

function remember(ply, report, turn) {
  const known = value(report, turn, view.scored);
  if (known && !(values[ply] && values[ply].proven)) values[ply] = known;
  graph(element("graph"), values, state.moves.length, state.at);
}

const how = () => ({ method: element("method").value, score: element("score").checked, time: TIMES[element("time").value] });

async function analyse() {
  if (view.result) return;
  const reports = new Map();
  const last = await ask("analyse", { ...how(), play: true }, (message) => {
    for (const report of message.moves) reports.set(report.move, report);
    board.judge(message.moves);
    table(element("moves").tBodies[0], [...reports.values()], view.scored, (move) => play(move).catch(fail), explain(how().method === "auto" ? "" : how().method));
  });
  if (!last || !last.result) return;
  const { result } = last;
  board.judge(result.moves);
  table(element("moves").tBodies[0], result.moves, view.scored, (move) => play(move).catch(fail), explain(result.method));
  element("verdict").textContent = `${view.mover}: ${words(result, view.scored)}. Best: ${result.line.slice(0, 12).join(" ")}`;
  remember(state.at, result, view.turn);
}

async function prove() {
  const last = await ask("solve", { ...how(), certificate: true });
  if (!last || !last.result) return;
  const { result } = last;
  element("verdict").textContent = `${view.mover || "over"}: ${words(result, view.scored)}${result.why ? ` (${result.method}: ${result.why})` : ""}`;
  remember(state.at, result, view.turn);
  if (result.line.length) board.hint(result.line[0]);
  if (!result.certificate) return;
  const button = document.createElement("button");
  button.id = "walk";
  button.textContent = `Walk the proof (${result.certificate.records} positions)`;
  button.addEventListener("click", () => explorer.open(result.certificate.file, { game: view.game, position: view.position }).catch(fail));
  element("verdict").append(" ", button);
}

async function hint() {
  const last = await ask("solve", { method: "auto", play: true, time: 1 });
  if (!last || !last.result || !last.result.line.length) return;
  board.hint(last.result.line[0]);
  element("verdict").textContent = `Hint: ${last.result.line[0]}, ${words(last.result, view.scored)}`;
}

// A method's turn.
async function think() {
  const limits = { ...STRENGTHS[state.strength] };
  // Before the first move nobody's time runs, but a method minds its clock all the same.
  if (clock.terms) limits.time = Math.min(limits.time || Infinity, clock.budget(view.turn));
  const last = await ask("solve", { method: state.seats[view.turn], play: true, score: true, ...limits });
  if (!last || !last.result || last.state === "cancelled") return;
  remember(state.at, last.result, view.turn);
  await play(last.result.line[0] || view.moves[0].move);
}

// Judges every position of the game, one after the other.
async function review() {
  for (let ply = 0; ply <= state.moves.length; ply++) {
    if (values[ply] && values[ply].proven) continue;
    state.at = ply;
    state.analyse = false;
    element("analyse").setAttribute("aria-pressed", false);
    await refresh();
    if (view.result) break;
    const last = await ask("solve", { method: "auto", play: true, time: 0.5 });
    if (!last || !last.result) return;
    remember(ply, last.result, view.turn);
  }
}

function options(select, entries, chosen) {
  select.replaceChildren(...entries.map(([name, title]) => {
    const option = document.createElement("option");
    option.value = name;
    option.textContent = title;
    return option;
  }));
  select.value = chosen;
}

function fillForms() {
  const [name, variant = ""] = state.game.split(/:(.*)/s);
  element("game").value = name;
  fillVariants(variant);
  const about = games.find((game) => game.name === name);
  if (about) {
    element("name0").textContent = about.players[0];
    element("name1").textContent = about.players[1];
    element("rulestext").textContent = `${about.rules} Notation: ${about.notation}.`;
  }
  state.seats.forEach((seat, i) => { element(`seat${i}`).value = seat; });
  element("strength").value = state.strength;
  if (![...element("clock").options].some((option) => option.value === state.clock)) element("clock").append(new Option(state.clock, state.clock));
  element("clock").value = state.clock;
  for (const name of ["analyse", "threats", "relief"]) element(name).setAttribute("aria-pressed", state[name]);
}

// The variants of the chosen game: examples, free text, and a field for each number in it.
function fillVariants(variant) {
  const about = games.find((game) => game.name === element("game").value);
  if (!about) return;
  options(element("example"), [["", "standard"], ...about.examples.map((e) => [e, e])], about.examples.includes(variant) ? variant : "");
  element("example").disabled = element("variant").disabled = !about.variants;
  element("variant").value = variant;
  element("variant").title = about.variants;
  element("variant").placeholder = about.variants ? "own" : "";
  numbers();
}

function numbers() {
  const parts = element("variant").value.split(/(\d+)/);
  element("sizes").replaceChildren(...parts.map((part, i) => {
    if (i % 2 === 0) return "";
    const input = document.createElement("input");
    Object.assign(input, { type: "number", value: part, min: 0 });
    input.setAttribute("aria-label", `number ${(i + 1) / 2} of the variant`);
    input.addEventListener("input", () => { parts[i] = input.value; element("variant").value = parts.join(""); });
    return input;
  }));
}

async function savedGames() {
  const all = await get("records");
  options(element("saved"), [["", "…"], ...all.map((r) => [r.id, `${r.name} (${r.game})`])], "");
}

async function recordText() {
  const ended = clock.fallen === null ? "" : `time of ${view.players[clock.fallen]}`;
  return get("record", { ...place(state.moves.length), first: state.seats[0], second: state.seats[1], clock: state.clock, ended });
}

async function loadRecord(text) {
  const record = await send("record", text);
  explorer.close();
  await go({ game: record.game, position: record.position, moves: record.moves ? record.moves.split(" ") : [] });
}

function wire() {
  const on = (id, event, act) => element(id).addEventListener(event, (e) => { Promise.resolve(act(e)).catch(fail); });
  on("choose", "submit", (event) => {
    event.preventDefault();
    const variant = element("variant").value.trim();
    const seats = state.seats;
    explorer.close();
    Object.assign(state, { game: element("game").value + (variant ? `:${variant}` : ""), position: "", moves: [], at: 0, seats });
    clock.set(state.clock);
    values = [];
    return refresh().then(fillForms);
  });
  on("game", "change", () => { fillVariants(""); element("choose").requestSubmit(); });
  on("example", "change", () => { element("variant").value = element("example").value; numbers(); element("choose").requestSubmit(); });
  on("variant", "input", numbers);
  on("first", "click", () => move_to(0));
  on("back", "click", () => move_to(state.at - 1));
  on("forward", "click", () => move_to(state.at + 1));
  on("last", "click", () => move_to(state.moves.length));
  on("undo", "click", () => {
    // Back to a person's last turn.
    let back = state.at - 1;
    const machine = state.seats.includes("human") && state.seats.some((seat) => seat !== "human");
    if (machine && back > 0 && human()) back -= 1;
    if (back < 0) return null;
    state.moves = state.moves.slice(0, back);
    state.at = back;
    values.length = Math.min(values.length, back + 1);
    return refresh();
  });
  on("hint", "click", hint);
  on("flip", "click", () => { state.flip = !state.flip; return refresh(); });
  on("size", "input", () => { element("board").style.width = `${element("size").value}%`; });
  on("typing", "submit", async (event) => {
    event.preventDefault();
    const typed = element("typed").value.trim();
    if (!typed || !view) return;
    const next = await get("position", { ...place(), moves: `${place().moves} ${typed}` });
    element("typed").value = "";
    for (const move of next.played.slice(state.at)) await play(move);
    element("typed").focus();
  });
  for (const i of [0, 1]) on(`seat${i}`, "change", () => { state.seats[i] = element(`seat${i}`).value; return refresh(); });
  on("strength", "change", () => { state.strength = element("strength").value; write(); });
  on("clock", "change", () => { state.clock = element("clock").value; clock.set(state.clock); return refresh(); });
  for (const name of ["analyse", "threats", "relief"]) {
    on(name, "click", () => {
      state[name] = !state[name];
      element(name).setAttribute("aria-pressed", state[name]);
      return refresh();
    });
  }
  on("prove", "click", prove);
  on("stop", "click", stop);
  on("review", "click", review);
  on("copy", "click", () => navigator.clipboard.writeText(location.href));
  on("export", "click", async () => { element("record").hidden = false; element("record").value = await recordText(); });
  on("save", "click", async () => {
    await post("records", { name: new Date().toLocaleString(), text: await recordText() });
    await savedGames();
  });
  on("load", "change", async (event) => { await loadRecord(await event.target.files[0].text()); event.target.value = ""; });
  on("saved", "change", async (event) => { if (event.target.value) await loadRecord((await get(`records/${event.target.value}`)).text); });
  window.addEventListener("hashchange", () => { read().catch(fail); });
}

async function begin() {
  wire();
  const [all, methods, databases] = await Promise.all([get("games"), get("methods"), get("databases").catch(() => [])]);
  games = all;
  withDatabases = databases.filter((d) => d.slices.length).map((d) => d.game.split(":")[0]);
  options(element("game"), games.map((game) => [game.name, game.title]), "tic-tac-toe");
  const names = [["auto", "auto"], ...methods.map((m) => [m.name, m.name])];
  options(element("method"), names, "auto");
  for (const i of [0, 1]) options(element(`seat${i}`), [["human", "person"], ...names], "human");
  options(element("strength"), Object.keys(STRENGTHS).map((s) => [s, s]), "1 s");
  options(element("clock"), CLOCKS, "");
  options(element("time"), Object.keys(TIMES).map((t) => [t, t]), "10 s");
  savedGames().catch(fail);
  // An address that makes no sense is told, and the page is there all the same.
  await read().catch(fail);
  document.documentElement.dataset.ready = "yes";
}

begin().catch(fail);
