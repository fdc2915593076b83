// Games written down: saved on the server, shown as text, read from a file.

import { get, post, remove, send } from "./api.js";
import { options } from "./form.js";

const element = (id) => document.getElementById(id);

// Tags as they stand in a record, and back: `[White "Anderssen"]`.
const quoted = (tags) => tags.map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, "\\$&")}"]`).join("\n");
export function tagged(text) {
  return [...text.matchAll(/\[(\w+) "((?:[^"\\]|\\.)*)"\]/g)].map(([, name, value]) => [name, value.replace(/\\(.)/g, "$1")]);
}

// What the game itself tells need not be kept.
const OURS = ["Game", "Position", "Variant", "GameType", "SetUp", "FEN", "PlyCount"];

export class Records {
  // `place()` says which game is to be written, `seats()` what may have a seat, `load(record)` shows a record that was read.
  constructor(place, seats, load, fail) {
    Object.assign(this, { place, seats, load, last: null });
    const on = (id, event, act) => element(id).addEventListener(event, () => { fail(null); act().catch(fail); });
    on("export", "click", () => this.show());
    on("save", "click", () => this.save());
    on("load", "change", () => this.read());
    on("loadtext", "click", () => this.play(element("record").value));
    on("saved", "change", () => this.open());
    on("forget", "click", () => this.forget());
  }

  // The record that the game was read from.
  follow(record) { this.last = record; }

  // What a record that was read says of the game stays with it as long as the game goes on from there: its tags, the same
  // as text, and how many moves it had.
  kept() {
    const place = this.place();
    const { game, position, moves, tags } = this.last || { tags: [] };
    const goes = tags.length && game === place.game && position === place.position && (`${place.moves} `).startsWith(moves ? `${moves} ` : "");
    const kept = goes ? tags.filter(([name]) => !OURS.includes(name)) : [];
    return { tags: kept, text: quoted(kept), plies: kept.length && moves ? moves.split(" ").length : 0 };
  }

  // How the game ended by the record that it was read from, in its words, where all of its moves are there and no more.
  ended(players) {
    const { tags } = this.kept();
    if (!tags.length || this.last.moves !== this.place().moves) return "";
    const tag = (wanted) => (tags.find(([name, value]) => name === wanted && !/^[?*-]*$/.test(value)) || ["", ""])[1];
    const [result, how] = [tag("Result"), tag("Termination")];
    // PGN counts for White; who is called so elsewhere is not said.
    const words = { "1-0": `${players[0]} wins`, "0-1": `${players[1]} wins`, "1/2-1/2": "a draw", "½-½": "a draw" };
    const told = players[0] === "White" && words[result] ? words[result] : result;
    return told && told + (how && !/^(normal|unterminated)$/i.test(how) ? ` (${how})` : "");
  }

  // What of that is still true of the game to be written. Once it has gone on it has not ended as the record says, a seat
  // that a method has is the method's, and the words for a seat that we wrote ourselves are those of another day.
  told() {
    const place = this.place();
    const { tags } = this.kept();
    if (!tags.length || this.last.moves === place.moves) return tags;
    const seats = { White: place.first, First: place.first, Black: place.second, Second: place.second };
    return tags.filter(([name, value]) => {
      if (["Result", "Termination"].includes(name)) return false;
      if (name === "TimeControl") return !place.clock;
      return !(name in seats) || (seats[name] === "human" && !this.seats().includes(value));
    });
  }

  // A game that was read was not played today.
  text() {
    const tags = quoted(this.told());
    return get("record", { ...this.place(), ...(this.kept().text && { date: "" }), tags });
  }

  async list(chosen = "") {
    const all = await get("records");
    options(element("saved"), [["", "…"], ...all.map((r) => [r.id, `${r.name} (${r.game})`])], chosen);
    element("forget").hidden = !element("saved").value;
  }

  async show() {
    element("record").hidden = element("loadtext").hidden = false;
    element("record").value = await this.text();
  }

  async save() {
    const name = element("recordname").value.trim() || new Date().toLocaleString();
    const { id } = await post("records", { name, text: await this.text() });
    element("recordname").value = "";
    await this.list(id);
  }

  // Another game is begun: any of the saved ones can be chosen again.
  leave() {
    this.last = null;
    element("saved").value = "";
    element("forget").hidden = true;
  }

  // Shows a record; the server says what is wrong with one.
  async play(text) {
    const record = await send(`record?${new URLSearchParams({ game: this.place().game })}`, text);
    const before = this.last;
    this.last = record;
    await this.load(record).catch((error) => { this.last = before; throw error; });
    this.last = { ...this.place(), tags: record.tags };
  }

  async read() {
    const [file] = element("load").files;
    element("load").value = "";
    if (file) await this.play(await file.text());
  }

  async open() {
    const id = element("saved").value;
    element("forget").hidden = !id;
    if (id) await this.play((await get(`records/${id}`)).text);
  }

  async forget() {
    await remove(`records/${element("saved").value}`);
    await this.list();
  }
}
