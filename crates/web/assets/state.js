// The state of the game on the page, and the address that holds all of it but `values`, what was found out of each
// position of the game.

import { parse } from "./clock.js";

export const STRENGTHS = { "200 nodes": { nodes: 200 }, "5000 nodes": { nodes: 5000 }, "0.2 s": { time: 0.2 }, "1 s": { time: 1 }, "5 s": { time: 5 }, "30 s": { time: 30 } };
export const SWITCHES = ["analyse", "threats", "relief"];
const SEATS = ["first", "second"];
const USUAL = "1 s";

export function fresh(game) {
  return { game, position: "", moves: [], at: 0, values: [], flip: false, seats: ["human", "human"], strengths: [USUAL, USUAL], analyse: false, threats: false, relief: false, clock: "" };
}

// The words of the address; `left` is the time that each side has, `proof` what is walked through, `record` what is
// kept of the record that was read.
export function toAddress(state, left, proof, record) {
  const words = new URLSearchParams({ game: state.game });
  if (state.position) words.set("position", state.position);
  if (state.moves.length) words.set("moves", state.moves.join(" "));
  if (state.at !== state.moves.length) words.set("at", state.at);
  if (state.flip) words.set("flip", 1);
  state.seats.forEach((seat, i) => {
    if (seat === "human") return;
    words.set(SEATS[i], seat);
    if (state.strengths[i] !== USUAL) words.set(`${SEATS[i]}-strength`, state.strengths[i]);
  });
  for (const name of SWITCHES) if (state[name]) words.set(name, 1);
  if (state.clock) {
    words.set("clock", state.clock);
    words.set("left", left.map((seconds) => seconds.toFixed(1)).join(" "));
  }
  if (record.tags.length) {
    words.set("tags", record.text);
    if (record.plies !== state.moves.length) words.set("recorded", record.plies);
  }
  if (proof.digest) { words.set("proof", proof.digest); words.set("claim", proof.claim); }
  return words;
}

// What an address says; its moves are text, to be read by the server. `strength` is that of both seats. Words that
// make no sense are left out, and `wrong` says which. Where none is named it is the game `usual`.
export function fromAddress(hash, methods, usual) {
  // A plus that people write in a clock or a variant is a plus; elsewhere it is a space, as in all addresses.
  const words = new URLSearchParams(hash.slice(1).replace(/(^|&)(clock|game)=[^&]*/g, (word) => word.replaceAll("+", "%2B")));
  const state = fresh(words.get("game") || usual);
  const wrong = [];
  const take = (name, good, usual, expected) => {
    const word = words.get(name);
    if (word === null || word === "") return usual;
    if (good(word)) return word;
    wrong.push(`${name}=${word.slice(0, 40)} is not ${expected}`);
    return usual;
  };
  const like = (pattern) => (word) => pattern.test(word);
  const strength = (name, usual) => take(name, (word) => Object.hasOwn(STRENGTHS, word), usual, `one of ${Object.keys(STRENGTHS).join(", ")}`);
  state.position = words.get("position") || "";
  const on = (name) => words.has(name) && !["0", "false", "no"].includes(words.get(name));
  state.flip = on("flip");
  state.seats = SEATS.map((name) => take(name, (word) => word === "human" || methods.includes(word), "human", "a method"));
  const both = strength("strength", USUAL);
  state.strengths = SEATS.map((name) => strength(`${name}-strength`, both));
  for (const name of SWITCHES) state[name] = on(name);
  state.clock = take("clock", parse, "", "a clock such as 180+2");
  const at = take("at", like(/^\d{1,6}$/), "", "the number of a move");
  const recorded = take("recorded", like(/^\d{1,6}$/), "", "the number of a move");
  const left = take("left", like(/^\d{1,7}(\.\d+)? \d{1,7}(\.\d+)?$/), "", "two times in seconds");
  return {
    state,
    moves: words.get("moves") || "",
    at: at === "" ? Infinity : Number(at),
    tags: take("tags", like(/^(\s*\[\w+ "([^"\\]|\\.)*"\])+\s*$/), "", 'a list of tags such as [White "Anderssen"]'),
    recorded: recorded === "" ? Infinity : Number(recorded),
    left: left === "" ? null : left.split(" ").map(Number),
    proof: take("proof", like(/^[0-9a-f]{32}$/), "", "the name of a certificate, 32 hexadecimal digits"),
    claim: Number(take("claim", like(/^\d{1,3}$/), "0", "the number of a claim")),
    wrong,
  };
}
