// The page: holds the game's state, writes it to the address, and ties board, players, analysis and proof
// together. All that is known of the rules comes from the server.
//
// Answers come when they come. Each position that is wanted has a number, `shown`; what belongs to another number
// than the latest is dropped, and no move is taken from a board that is not the latest.

import { get, run } from "./api.js";
import { Moves, progress, says, why, words } from "./analysis.js";
import { Board } from "./board.js";
import { CLOCKS, Clock } from "./clock.js";
import { OWN, chosen, numbers, options, variants } from "./form.js";
import { graph, legend, nearest, value } from "./graph.js";
import { keys } from "./keys.js";
import { Explorer } from "./proof.js";
import { Proven } from "./proven.js";
import { Records, tagged } from "./records.js";
import { Size } from "./size.js";
import { STRENGTHS, SWITCHES, fresh, fromAddress, toAddress } from "./state.js";
import "./theme.js";
import { trouble } from "./trouble.js";

const element = (id) => document.getElementById(id);
const TIMES = { "2 s": 2, "10 s": 10, "1 min": 60, "5 min": 300 };
// What ended a search that has not decided what was asked.
const ENDED = { time: "The time was used up.", nodes: "The nodes were used up.", memory: "The memory was used up.", stopped: "It was stopped.", method: "The method cannot do more." };
// Why there is no analysis beside a proof.
const WALKING = "While a proof is walked through nothing is analysed: the proof says it all. Close the proof to analyse.";
// So many legal moves are listed as buttons.
const LISTED = 400;

let games = [];
let methods = [];
let withDatabases = [];
// The state is replaced, not changed; only what is known of the game's positions grows.
let state = fresh("");
// The number of the position that is wanted, the position on the board, and its number.
let shown = 0;
let view = null;
let drawn = 0;
// The job that runs, and what is known of this position without one.
let job = null;
let seen = null;
let stored = null;
// Does a method wait to be told to go on?
let paused = false;
// What is proven of positions that were shown or led to.
const proven = new Proven();

const board = new Board(element("board"), element("chooser"), (move) => play(move).catch(fail), words);
const moves = new Moves(element("moves").tBodies[0], (move) => play(move).catch(fail));
const explorer = new Explorer({
  go: (place) => go(place, true).then(answer),
  play: (move) => play(move).catch(fail),
  changed: () => refresh().then(answer).catch(fail),
  back: () => takeBack(state.at - 1).catch(fail),
  left: (error) => { write(); fail(error); },
  begun: () => fail(null),
});
const records = new Records(recordPlace, () => ["human", ...methods], loadRecord, fail);
const size = new Size(element("frame"), element("board"), element("size"), element("larger"));
const clock = new Clock([element("clock0"), element("clock1")], () => refresh().catch(fail));

const place = (plies = state.at) => ({ game: state.game, position: state.position, moves: state.moves.slice(0, plies).join(" ") });
const atEnd = () => state.at === state.moves.length;
const human = () => view && view.turn !== null && state.seats[view.turn] === "human";
const over = () => Boolean(view.result) || clock.fallen !== null;
const walking = () => Boolean(explorer.digest && explorer.station);
const mayMove = () => !over() && (human() || !atEnd() || walking());
// Is it a method's turn?
const due = () => !over() && !human() && atEnd() && !walking();

function fail(error) {
  trouble(error, () => {
    if (!view) return location.reload();
    paused = false;
    return refresh().catch(fail);
  });
}

// Writes the state to the address. Another game has an entry of its own in the browser's history, which `another` tells
// about, so that Back leads to the one before.
function write(another = null) {
  const left = [0, 1].map((side) => clock.left(side));
  const address = `#${toAddress(state, left, explorer, records.kept())}`;
  if (another && address !== location.hash) history.pushState(another, "", address);
  else history.replaceState(history.state, "", address);
  element("backtogame").hidden = !(explorer.digest && history.state && history.state.proof);
}

// Takes the state from the address, as far as it makes sense; what does not is told. Without a game that is known all
// stays as it was.
async function read() {
  const number = ++shown;
  drop();
  board.close();
  paused = false;
  const asked = fromAddress(location.hash, methods, games[0].name);
  const { wrong } = asked;
  try {
    const { game, position } = asked.state;
    const found = await get("position", { game, position, moves: asked.moves, prefix: true });
    if (number !== shown) return;
    const line = found.played;
    const root = found.wrong.length ? { game: found.game, position: position && found.root } : {};
    wrong.unshift(...found.wrong);
    explorer.follow(asked.proof, asked.claim);
    records.follow({ game, position, ...root, moves: line.slice(0, asked.recorded).join(" "), tags: tagged(asked.tags) });
    clock.set(asked.state.clock, asked.left);
    if (asked.at > line.length && asked.at < Infinity) wrong.push(`at=${asked.at} is beyond the ${line.length} moves`);
    await change({ ...asked.state, ...root, moves: line, at: Math.min(asked.at, line.length) });
    if (!line.length) await answer();
    introduce(records.kept().tags);
    if (wrong.length) fail(new Error(`Not all of the address makes sense: ${wrong.join("; ")}.`));
  } catch (error) {
    if (number + 1 < shown) return;
    explorer.close();
    await refresh();
    fail(wrong.length ? new Error([error.message, ...wrong].join("; ")) : error);
  }
  fillForms();
}

// Shows another game, position or line; a `proof` is walked through and left again.
async function go({ game, position, moves: line }, proof = false) {
  clock.set("");
  await change({ game, position, moves: line, at: line.length, values: [], seats: ["human", "human"], clock: "" }, false, { proof });
  fillForms();
}

// Changes the state and shows it. If the server refuses that, the state is again what it was. What was complained of
// is forgotten, unless it is to be kept: a method's move is no reason to stop reading. `another` says of what kind
// another game is.
async function change(changes, keep = false, another = null) {
  const before = state;
  const after = { ...state, ...changes };
  state = after;
  try {
    await refresh(keep, another);
  } catch (error) {
    if (state !== after) return;
    state = before;
    if (view) {
      drawn = shown;
      runClock();
      if (mayMove()) board.reopen();
      write();
    }
    throw error;
  }
}

// Fetches the position and shows it.
async function refresh(keep = false, another = null) {
  const number = ++shown;
  drop();
  board.close();
  // The game that is left stays where it is in the history.
  if (!another) write();
  let next;
  try {
    next = await get("position", { ...place(), flip: state.flip, relief: state.relief });
  } catch (error) {
    if (number === shown) throw error;
    return;
  }
  if (number !== shown) return;
  if (another) write(another);
  if (!keep) fail(null);
  view = next;
  drawn = number;
  seen = stored = null;
  runClock();
  board.show(view, mayMove());
  size.show(view);
  describe();
  const still = (error) => { if (number === shown) fail(error); };
  glance(number).catch(still);
  known(number).catch(still);
  await explorer.show(state.moves.slice(0, state.at), view);
  if (number === shown) proceed();
}

// The clock runs from the first move on, for who is to move where the game is, not where it is looked at.
function runClock() {
  if (!atEnd()) return;
  clock.mark(state.at);
  clock.run(over() || !state.moves.length ? null : view.turn);
}

// Whose turn is it? A method thinks, unless it waits; otherwise the position is analysed if that is wanted.
function proceed() {
  element("goon").hidden = !(due() && paused);
  switches();
  if (walking()) {
    if (state.analyse) tell("progress", WALKING);
    if (explorer.station.answer) board.hint(explorer.station.answer);
  } else if (due()) {
    if (!paused) think().catch((error) => { wait(); fail(error); });
  } else if (state.analyse) analyse().catch(fail);
}

// The method whose turn it is waits until it is told to go on.
function wait() {
  paused = true;
  proceed();
}

// What is written around the board.
function describe() {
  const last = view.played.length ? `${view.played[view.played.length - 1]} was played. ` : "";
  const late = clock.fallen !== null ? `${view.players[clock.fallen]}'s time is up: ${view.players[1 - clock.fallen]} wins.` : "";
  const ended = atEnd() && !view.result ? records.ended(view.players) : "";
  const recorded = ended && `The game ended here by its record: ${ended}. A move goes on from here; ${view.mover} to move.`;
  element("status").textContent = last + (view.result ? `The game is over: ${view.result}.` : late || recorded || `${view.mover} to move.`);
  element("text").textContent = view.text;
  element("position").value = view.position;
  document.title = `${view.result || ended || `${view.mover} to move`} · ${view.game} · Endspiel`;
  for (const id of ["verdict", "told", "advice", "progress"]) tell(id, "");
  element("goon").hidden = true;
  element("relief").hidden = !view.relief;
  element("seen").hidden = element("known").hidden = true;
  moves.clear();
  recall();
  line();
  legal();
}

// Writes a sentence; one about a report that proves nothing is slanted.
function tell(id, sentence, report = null) {
  element(id).textContent = sentence;
  element(id).classList.toggle("guess", Boolean(report && !report.value));
}

// What was proven of the position before, of itself or of the move that led here.
function recall() {
  offer();
  const report = view.result ? null : proven.get(place(), view.turn);
  if (!report) return;
  tell("verdict", verdict(report), report);
  const before = state.values[state.at];
  if (!(before && before.proven)) state.values[state.at] = value(report, view.turn, view.scored);
}

const guessed = () => element("verdict").classList.contains("guess");

// What is proven takes the place of an estimate, never the other way round.
function settle(report) {
  const best = report.value ? report : proven.get(place(), view.turn) || report;
  tell("verdict", verdict(best), best);
}

// The certificate of this position, to be walked through.
function offer() {
  const made = proven.certificate(place());
  element("offer").replaceChildren();
  if (!made || made.file === explorer.digest) return;
  const button = document.createElement("button");
  button.id = "walk";
  button.textContent = `Walk the proof (${made.records} positions)`;
  const root = { game: view.game, position: view.position };
  button.addEventListener("click", () => explorer.open(made.file, root).catch(fail));
  element("offer").append(button);
}

function verdict(report) {
  const best = report.line.length ? ` Best: ${report.line.slice(0, 12).join(" ")}` : "";
  return `${view.mover}: ${words(report, view.scored)}.${best}`;
}

// The moves of the game, and its graph.
function line() {
  element("line").replaceChildren(...state.moves.map((move, i) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.textContent = i % 2 ? move : `${i / 2 + 1}. ${move}`;
    button.setAttribute("aria-current", i + 1 === state.at);
    button.addEventListener("click", () => moveTo(i + 1));
    item.append(button);
    return item;
  }));
  drawGraph();
}

function drawGraph() {
  graph(element("graph"), state.values, state.moves.length, state.at, view.players[0]);
  legend(element("graphsays"), view.players[0]);
}

// The legal moves as text, while that is open.
function legal() {
  element("legalsays").textContent = `The moves (${view.moves.length})`;
  if (!element("legal").open) return element("legallist").replaceChildren();
  const buttons = view.moves.slice(0, LISTED).map(({ move }) => {
    const button = document.createElement("button");
    button.textContent = move;
    button.disabled = !mayMove();
    button.addEventListener("click", () => play(move).catch(fail));
    return button;
  });
  const more = view.moves.length > LISTED ? [`and ${view.moves.length - LISTED} more`] : [];
  return element("legallist").replaceChildren(...buttons, ...more);
}

// What is seen without a search: shown if it is wanted, and used to tell why a move is good or bad.
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
  if (view.result || !withDatabases.includes(state.game.split(":")[0])) return;
  const { found } = await get("databases/probe", place());
  if (number !== shown || !found) return;
  stored = found;
  const best = found.moves.filter((m) => m.outcome === found.moves[0].outcome && m.number === found.moves[0].number).map((m) => m.move);
  element("known").hidden = false;
  element("known").textContent = `Database: ${says(found, found)} for ${found.mover}; best ${best.join(", ")}.`;
}

const explain = (method) => (report) => why(report, view.scored, { mover: view.mover, other: view.players[1 - view.turn], seen, known: stored, method });

async function play(move, keep = false) {
  // The position that the move was meant for is not there any more.
  if (drawn !== shown) return;
  paused = false;
  const at = state.at + 1;
  const same = state.moves[state.at] === move;
  // Another move amid a game leaves the old line to the browser's history.
  const another = same || atEnd() ? null : { proof: false };
  proven.carry(place(), move, { ...place(), moves: [...view.played, move].join(" ") }, board.reports.get(move), view.turn);
  if (atEnd()) clock.press(view.turn);
  if (!same) clock.forget(at);
  await change(same ? { at } : { at, moves: [...state.moves.slice(0, state.at), move], values: state.values.slice(0, at) }, keep, another);
  await answer();
}

// Against a proof, the proof answers at once.
async function answer() {
  if (walking() && atEnd() && drawn === shown && explorer.station.answer && !explorer.station.result) await play(explorer.station.answer);
}

function moveTo(ply) {
  return change({ at: Math.max(0, Math.min(state.moves.length, ply)) }).catch(fail);
}

// Back to a person's last turn; against a proof, to the last turn of who plays against it. Amid a game nothing is taken back.
async function undo() {
  if (!atEnd() && !walking()) { await moveTo(state.at - 1); return; }
  const number = shown;
  let back = state.at - 1;
  const persons = walking() ? view.players.map((name) => name !== explorer.prover) : state.seats.map((seat) => seat === "human");
  for (; persons.includes(true) && persons.includes(false) && back > 0; back--) {
    const { turn } = await get("position", place(back));
    if (number !== shown) return;
    if (turn !== null && persons[turn]) break;
  }
  await takeBack(back);
}

// Takes back all moves from this ply on, and the time that they took: a flag that fell meanwhile has not fallen.
async function takeBack(ply) {
  if (ply < 0) return;
  // Where no person sits, a game that was stopped stays so.
  paused = paused && !state.seats.includes("human");
  clock.back(ply);
  await change({ at: ply, moves: state.moves.slice(0, ply), values: state.values.slice(0, ply + 1) });
}

// Nobody wants what runs any more.
function drop() {
  if (job) job.drop();
  job = null;
  element("stop").hidden = true;
}

// Runs a job about a position of the game that is shown; gives null once something else is wanted.
async function ask(kind, more, news, ply = state.at) {
  drop();
  const number = shown;
  const mine = run({ kind, ...place(ply), ...more }, (message) => {
    if (number !== shown || mine !== job) return;
    element("progress").textContent = progress(message);
    if (news) news(message);
  });
  job = mine;
  element("stop").hidden = false;
  try {
    const last = await mine.done;
    return number === shown ? last : null;
  } catch (error) {
    if (number !== shown) return null;
    element("progress").textContent = "interrupted";
    throw error;
  } finally {
    if (mine === job) { job = null; element("stop").hidden = true; }
  }
}

function remember(ply, report, turn) {
  const found = value(report, turn, view.scored);
  const before = state.values[ply];
  if (found && !(before && before.proven)) state.values[ply] = found;
  proven.put(place(ply), report, turn);
  drawGraph();
}

const how = () => ({ method: element("method").value, score: element("score").checked, time: TIMES[element("time").value] });

async function analyse() {
  if (view.result) return;
  const reports = new Map();
  const asked = how();
  // What is proven stays until more is.
  const show = (judged, method) => {
    const better = judged.filter(({ move, value: found }) => found || !(reports.has(move) && reports.get(move).value));
    for (const report of better) reports.set(report.move, report);
    board.judge(better);
    moves.show([...reports.values()], view.scored, explain(method));
  };
  const known = proven.get(place(), view.turn);
  if (known && known.value === "win" && known.line.length) show([{ ...known, move: known.line[0] }], known.method);
  const last = await ask("best", { ...asked, play: true }, (message) => show(message.moves, asked.method === "auto" ? "" : asked.method));
  if (!last || !last.result) return;
  const { result } = last;
  show(result.moves, result.method);
  remember(state.at, result, view.turn);
  settle(result);
}

// Asks something beside the game's own course, which goes on afterwards: a method thinks again, an analysis begins anew.
async function aside(act) {
  const number = shown;
  try {
    await act();
  } finally {
    if (number === shown && !job) proceed();
  }
}

// In a finished game there is nothing to look for.
function finished() {
  if (!view.result) return false;
  element("told").textContent = `The game is over: ${view.result}. There is nothing left to prove.`;
  return true;
}

async function prove() {
  if (finished()) return;
  const last = await ask("solve", { ...how(), certificate: true, keep: element("keep").checked });
  if (!last || !last.result) return;
  const { result } = last;
  // What was proven before is still told.
  const beside = !result.value && proven.get(place(), view.turn);
  tell("advice", "");
  tell(beside ? "advice" : "told", `${view.mover}: ${words(result, view.scored)}${result.why ? ` (${result.method}: ${result.why})` : ""}`
    + (result.uncertified ? ` There is no certificate: ${result.uncertified}.` : "") + (result.ended ? ` ${ENDED[result.ended] || ""}` : ""), result);
  remember(state.at, result, view.turn);
  if (result.value && guessed()) settle(result);
  if (result.line.length && !beside) board.hint(result.line[0]);
  if (!result.certificate) return;
  proven.certify(place(), result, view.turn);
  offer();
  // There is something to look at: a method that is to move waits.
  if (due()) paused = true;
}

// A report on this position whose first move is proven to be best, if the page holds such a proof: of the moves that are judged,
// of the position itself, or of a certificate that was made on the way here or is walked through.
async function sure() {
  const legal = (report) => report && view.moves.some(({ move }) => move === report.line[0]);
  const known = proven.get(place(), view.turn);
  // Of a draw that was proven a move before, the line alone proves nothing.
  if (legal(known) && (known.value === "win" || (known.value === "draw" && !known.carried))) return known;
  const judged = [...board.reports.values()].find((report) => report.value === "win");
  if (legal(judged)) return judged;
  for (const { file, moves: since, report } of proven.winning(place(), view.turn)) {
    const move = await explorer.answer(file, view.mover, since);
    // How long it takes from here the certificate does not say.
    if (move) return { ...report, score: null, distance: null, estimate: null, line: [move] };
  }
  return null;
}

// Shows a move that was looked for, and what is known of it.
function advise(report) {
  const [move] = report.line;
  board.hint(move);
  if (report.value) board.judge([{ ...report, move }]);
  tell("advice", `Hint: ${move}, ${words(report, view.scored)}`, report);
}

// What is proven is shown at once; otherwise a short look is taken.
async function hint() {
  if (finished()) return;
  const number = shown;
  if (walking() && explorer.station.answer) {
    board.hint(explorer.station.answer);
    tell("advice", `Hint: ${explorer.station.answer}, as the proof says`);
    return;
  }
  const best = await sure();
  if (number !== shown) return;
  if (best) { advise(best); return; }
  const last = await ask("solve", { method: "auto", play: true, time: 1 });
  if (!last || !last.result || !last.result.line.length) return;
  const { result } = last;
  const known = proven.get(place(), view.turn);
  advise(result);
  // An estimate does not speak against a proof.
  if (!result.value && known && known.value === "loss") tell("advice", `Hint: ${result.line[0]}; every move loses, as is proven`);
  else if (!result.value && walking()) tell("advice", `${element("advice").textContent}; the proof answers every move`, result);
  remember(state.at, result, view.turn);
  if (result.value && guessed()) settle(result);
}

// A method's turn. Who may choose how to play plays what is proven.
async function think() {
  const number = shown;
  const best = state.seats[view.turn] === "auto" ? await sure() : null;
  // Something else may be wanted by now.
  if (number !== shown || job) return;
  if (best) {
    board.judge([{ ...best, move: best.line[0] }]);
    await play(best.line[0], true);
    return;
  }
  const limits = { ...STRENGTHS[state.strengths[view.turn]] };
  // Before the first move nobody's time runs, but a method minds its clock all the same.
  if (clock.terms) limits.time = Math.min(limits.time || Infinity, clock.budget(view.turn));
  const last = await ask("solve", { method: state.seats[view.turn], play: true, score: true, ...limits });
  if (!last) return;
  if (paused || !last.result) { wait(); return; }
  remember(state.at, last.result, view.turn);
  await play(last.result.line[0] || view.moves[0].move, true);
}

// Stops what runs. A method plays what it has found so far; between two methods the game waits; an analysis is over.
function stop() {
  if (!job) return;
  if (job.kind === "best" && state.analyse) {
    state = { ...state, analyse: false };
    element("analyse").setAttribute("aria-pressed", false);
    write();
  }
  if (due() && !state.seats.includes("human")) paused = true;
  job.stop();
}

// Judges every position of the game, one after the other; the board stays as it is.
async function review() {
  const number = shown;
  for (let ply = 0; ply <= state.moves.length; ply++) {
    if (state.values[ply] && state.values[ply].proven) continue;
    const there = await get("position", place(ply));
    if (number !== shown) return;
    if (there.result) break;
    const last = await ask("solve", { method: "auto", play: true, time: 0.5 }, null, ply);
    if (!last || !last.result || last.state === "cancelled") return;
    remember(ply, last.result, there.turn);
  }
}

function fillForms() {
  const [name, variant = ""] = state.game.split(/:(.*)/s);
  const about = games.find((game) => game.name === name);
  element("game").value = name;
  variants(about, variant);
  if (about) {
    element("name0").textContent = about.players[0];
    element("name1").textContent = about.players[1];
    element("rulestext").textContent = `${about.rules} Notation: ${about.notation}.`;
  }
  state.seats.forEach((seat, i) => { element(`seat${i}`).value = seat; });
  state.strengths.forEach((strength, i) => {
    element(`strength${i}`).value = strength;
    element(`strength${i}`).hidden = state.seats[i] === "human";
  });
  if (![...element("clock").options].some((option) => option.value === state.clock)) element("clock").append(new Option(state.clock, state.clock));
  element("clock").value = state.clock;
  switches();
}

// What is switched on. Beside a proof nothing is analysed.
function switches() {
  for (const name of SWITCHES) element(name).setAttribute("aria-pressed", state[name] && !(name === "analyse" && walking()));
  element("analyse").disabled = walking();
  element("analyse").title = walking() ? WALKING : "";
}

// The game as it is to be written down.
function recordPlace() {
  const [ended, winner] = clock.fallen === null || !view ? ["", ""] : [`time of ${view.players[clock.fallen]}`, view.players[1 - clock.fallen]];
  const today = new Date();
  const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((n) => String(n).padStart(2, "0")).join(".");
  return { ...place(state.moves.length), first: state.seats[0], second: state.seats[1], clock: state.clock, ended, winner, date };
}

async function loadRecord(record) {
  const before = state.game;
  explorer.close();
  await go({ game: record.game, position: record.position, moves: record.moves ? record.moves.split(" ") : [] });
  const read = record.tags.length || record.game === before ? "" : `The record names no game: it is read as one of ${record.game}.`;
  introduce(record.tags, record.games > 1 ? `The first of ${record.games} games in the record.` : read);
}

// Says who played the game of a record, when and where, as far as its tags tell.
function introduce(tags, more = "") {
  const tag = (name) => (tags.find(([known, value]) => known === name && !/^[?.]*$/.test(value)) || [])[1];
  const players = [tag("White") || tag("First"), tag("Black") || tag("Second")];
  const about = [players.join(" – "), tag("Event"), tag("Date")].filter(Boolean).join(", ");
  const who = players.every(Boolean) && !players.includes("human") ? `${about}.` : "";
  if (who || more) element("told").textContent = `${who} ${more}`.trim();
}

async function newGame() {
  explorer.close();
  records.leave();
  clock.set(state.clock);
  paused = false;
  await change({ game: chosen(), position: "", moves: [], at: 0, values: [] }, false, { proof: false });
  fillForms();
}

// Plays what was typed: one move or several, as far as they are a person's.
async function type() {
  const typed = element("typed").value.trim();
  if (!typed) return;
  const others = () => `${view.mover}'s turn, and a method plays ${view.mover}`;
  if (!mayMove()) throw new Error(over() ? "the game is over" : `it is ${others()}`);
  const number = shown;
  const before = place().moves && `${place().moves} `;
  // Where it is wrong is told of what was typed.
  const next = await get("position", { ...place(), moves: before + typed }).catch((error) => {
    error.message = error.message.replace(/at character (\d+)/, (_, at) => `at character ${at - before.length}`);
    throw error;
  });
  if (number !== shown) return;
  element("typed").value = "";
  element("typed").focus();
  const line = next.played.slice(state.at);
  for (const [i, move] of line.entries()) {
    if (!mayMove()) throw new Error(`played ${line.slice(0, i).join(" ")}, not ${line.slice(i).join(" ")}: it is ${others()}`);
    await play(move);
  }
}

// Begins anew from the position that was written down.
async function setUp() {
  const position = element("position").value.trim();
  if (!position || position === view.position) return;
  explorer.close();
  clock.set(state.clock);
  paused = false;
  await change({ position, moves: [], at: 0, values: [] }, false, { proof: false });
}

async function copy() {
  if (!navigator.clipboard) throw new Error("the browser lets no page copy here: copy the address from its bar");
  await navigator.clipboard.writeText(location.href);
  element("copied").textContent = "copied";
}

function wire() {
  // Until the first position is there, there is nothing to act on. What was complained of before is over with a new act.
  const begin = (act) => { if (view) { fail(null); Promise.resolve().then(act).catch(fail); } };
  const on = (id, event, act) => element(id).addEventListener(event, (e) => begin(() => act(e)));
  const submit = (id, act) => element(id).addEventListener("submit", (e) => { e.preventDefault(); begin(act); });
  submit("choose", newGame);
  submit("typing", type);
  submit("setup", setUp);
  keys((why) => tell("advice", why));
  const about = () => games.find((game) => game.name === element("game").value);
  on("game", "change", () => { variants(about(), ""); return newGame(); });
  on("example", "change", () => {
    const own = element("example").value === OWN;
    variants(about(), own ? "" : element("example").value, own);
    if (!own) return newGame();
    return (element("sizes").querySelector("input") || element("variant")).focus();
  });
  element("variant").addEventListener("input", () => numbers());
  on("first", "click", () => moveTo(0));
  on("back", "click", () => moveTo(state.at - 1));
  on("forward", "click", () => moveTo(state.at + 1));
  on("last", "click", () => moveTo(state.moves.length));
  on("undo", "click", undo);
  on("hint", "click", () => aside(hint));
  on("flip", "click", () => change({ flip: !state.flip }));
  for (const i of [0, 1]) {
    on(`seat${i}`, "change", async () => {
      paused = false;
      await change({ seats: state.seats.with(i, element(`seat${i}`).value) });
      fillForms();
    });
    on(`strength${i}`, "change", () => { state = { ...state, strengths: state.strengths.with(i, element(`strength${i}`).value) }; write(); });
  }
  on("clock", "change", () => { clock.set(element("clock").value); return change({ clock: element("clock").value }); });
  for (const name of SWITCHES) {
    on(name, "click", () => {
      element(name).setAttribute("aria-pressed", !state[name]);
      return change({ [name]: !state[name] });
    });
  }
  // Who looks up the moves may still want to read why one was refused.
  element("legal").addEventListener("toggle", () => { if (view) legal(); });
  on("prove", "click", () => aside(prove));
  on("stop", "click", stop);
  on("goon", "click", () => { paused = false; proceed(); });
  on("review", "click", () => aside(review));
  on("copy", "click", copy);
  on("backtogame", "click", () => history.back());
  on("graph", "click", (event) => moveTo(nearest(element("graph"), event, state.moves.length)));
  window.addEventListener("hashchange", () => { if (games.length) read().catch(fail); });
  // A page that is left may be kept by the browser and come back as it was; its jobs end all the same.
  window.addEventListener("pagehide", () => drop());
  window.addEventListener("pageshow", (event) => { if (event.persisted && view) refresh(true).catch(fail); });
}

async function begin() {
  wire();
  // Looking through the databases may take a moment; the game need not wait for that.
  get("databases").then((found) => {
    withDatabases = found.filter((d) => d.slices.length).map((d) => d.game.split(":")[0]);
    if (view && drawn === shown) return known(shown);
    return null;
  }).catch(() => {});
  const [all, ways] = await Promise.all([get("games"), get("methods")]);
  games = all;
  state = fresh(games[0].name);
  methods = ["auto", ...ways.map((m) => m.name)];
  const names = methods.map((m) => [m, m]);
  options(element("game"), games.map((game) => [game.name, game.title]), state.game);
  options(element("method"), names, "auto");
  for (const i of [0, 1]) {
    options(element(`seat${i}`), [["human", "person"], ...names], "human");
    options(element(`strength${i}`), Object.keys(STRENGTHS).map((s) => [s, s]), state.strengths[i]);
  }
  options(element("clock"), CLOCKS, "");
  options(element("time"), Object.keys(TIMES).map((t) => [t, t]), "10 s");
  records.list().catch(fail);
  await read();
  document.documentElement.dataset.ready = "yes";
}

begin().catch(fail);
