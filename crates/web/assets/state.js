// The state of the game on the page, and the address that holds all of it but `values`, what was found out of each
// position of the game.

import { parse } from "./clock.js";

export const STRENGTHS = { "200 nodes": { nodes: 200 }, "5000 nodes": { nodes: 5000 }, "0.2 s": { time: 0.2 }, "1 s": { time: 1 }, "5 s": { time: 5 }, "30 s": { time: 30 } };
export const SWITCHES = ["analyse", "threats", "relief"];
const SEATS = ["first", "second"];

export function fresh() {
  return { game: "tic-tac-toe", position: "", moves: [], at: 0, values: [], flip: false, seats: ["human", "human"], strength: "1 s", analyse: false, threats: false, relief: false, clock: "" };
}

// The words of the address; `left` is the time that each side has, `proof` what is walked through.
export function toAddress(state, left, proof) {
  const words = new URLSearchParams({ game: state.game });
  if (state.position) words.set("position", state.position);
  if (state.moves.length) words.set("moves", state.moves.join(" "));
  if (state.at !== state.moves.length) words.set("at", state.at);
  if (state.flip) words.set("flip", 1);
  state.seats.forEach((seat, i) => { if (seat !== "human") words.set(SEATS[i], seat); });
  if (state.strength !== fresh().strength) words.set("strength", state.strength);
  for (const name of SWITCHES) if (state[name]) words.set(name, 1);
  if (state.clock) {
    words.set("clock", state.clock);
    words.set("left", left.map((seconds) => seconds.toFixed(1)).join(" "));
  }
  if (proof.digest) { words.set("proof", proof.digest); words.set("claim", proof.claim); }
  return words;
}

// What an address says; its moves are text, to be read by the server. Methods it does not know are people.
export function fromAddress(hash, methods) {
  const words = new URLSearchParams(hash.slice(1));
  const state = fresh();
  state.game = words.get("game") || state.game;
  state.position = words.get("position") || "";
  state.flip = words.has("flip");
  state.seats = SEATS.map((name) => (methods.includes(words.get(name)) ? words.get(name) : "human"));
  if (Object.hasOwn(STRENGTHS, words.get("strength"))) state.strength = words.get("strength");
  for (const name of SWITCHES) state[name] = words.has(name);
  state.clock = parse(words.get("clock")) ? words.get("clock") : "";
  return {
    state,
    moves: words.get("moves") || "",
    at: words.has("at") ? Number(words.get("at")) || 0 : Infinity,
    left: words.has("left") ? words.get("left").split(" ").map(Number) : null,
    proof: words.get("proof") || "",
    claim: Number(words.get("claim")) || 0,
  };
}
