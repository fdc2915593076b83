// The proof explorer: at the opponent's turns every reply with what the proof answers and how much of the
// proof lies below; at the prover's turns the proof's move. Who plays against a proof chooses for the opponent alone: the
// proof answers by itself.

import { get, send } from "./api.js";

// The largest certificate that the server takes.
const LARGEST = 2 ** 26;

const element = (id) => document.getElementById(id);

// What is left to prove after a reply, or at a position. Where the rules alone know the rest, the proof has nothing below.
function size(entry) {
  if (entry.result) return entry.result;
  if (entry.certain) return "certain by the rules";
  if (!entry.size && entry.exact) return "ends at once";
  return `${entry.exact ? "" : "over "}${entry.size} position${entry.size === 1 ? "" : "s"} below`;
}

export class Explorer {
  // `go(place)` shows a position, `play(move)` makes a move, `changed()` shows the position anew, `back()` takes the last
  // move back, `left(error)` hears why a proof is not followed any more, `begun()` that a certificate is opened.
  constructor({ go, play, changed, back, left, begun }) {
    Object.assign(this, { go, play, changed, back, left, begun, digest: "", claim: 0, prover: "", station: null, asked: 0 });
    element("certificate").addEventListener("change", (event) => this.upload(event.target));
    element("closeproof").addEventListener("click", () => { this.close(); this.changed(); });
  }

  async upload(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    this.begun();
    element("proofsays").textContent = `checking ${file.name} …`;
    try {
      // The server would cut the connection before the browser had read why.
      if (file.size > LARGEST) throw new Error(`it has ${file.size} bytes; a certificate here has at most ${LARGEST}`);
      const opened = await send("certificates", file);
      await this.open(opened.certificate, opened.accepted);
    } catch (error) {
      this.close();
      element("proofsays").textContent = `${file.name} is refused: ${error.message}`;
    }
  }

  async open(digest, accepted) {
    this.follow(digest, 0);
    try {
      await this.go({ game: accepted.game, position: accepted.position, moves: [] });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  // The next position shown is looked up in this proof; in none, if the digest is empty.
  follow(digest, claim) {
    this.close();
    this.digest = digest;
    this.claim = claim;
  }

  close() {
    this.digest = "";
    this.station = null;
    this.asked += 1;
    element("closeproof").hidden = element("backtogame").hidden = true;
    element("explorer").classList.remove("open");
    element("claims").replaceChildren();
    element("station").replaceChildren();
    element("replies").tBodies[0].replaceChildren();
    element("proofsays").textContent = "Open a certificate, or prove a position, to play against its proof.";
  }

  // What the proof says after `moves`; where it says nothing, what it is about, and why it says no more.
  async find(digest, claim, moves) {
    try {
      return await get(`certificates/${digest}/proof`, { claim, moves });
    } catch (error) {
      return { ...(await get(`certificates/${digest}/proof`)), station: null, why: error.message };
    }
  }

  // The move that a certificate has for `mover` after `moves`; null if it says nothing there.
  async answer(digest, mover, moves) {
    try {
      const { claims } = await get(`certificates/${digest}/proof`);
      const claim = claims.findIndex(({ prover }) => prover === mover);
      if (claim < 0) return null;
      return (await get(`certificates/${digest}/proof`, { claim, moves })).station.answer;
    } catch (error) {
      // It may have made room for newer ones, or the line has left it.
      if (error.lost) throw error;
      return null;
    }
  }

  // Closes a proof that cannot be followed, and says why; `more` are further parts of the message.
  leave(why, ...more) {
    this.close();
    element("proofsays").replaceChildren(`${why} `, ...more);
    this.left(new Error(why));
  }

  // Shows what the proof says after `moves` of the game that `view` shows; what is asked for later is shown instead.
  async show(moves, view) {
    if (!this.digest) return;
    const { digest, claim } = this;
    const asked = ++this.asked;
    let found;
    try {
      found = await this.find(digest, claim, moves.join(" "));
    } catch (error) {
      if (asked === this.asked) this.leave(`The proof ${digest} cannot be followed: ${error.message}.`);
      return;
    }
    if (asked !== this.asked) return;
    const { accepted, claims, station, why } = found;
    if (accepted.game !== view.game || accepted.position !== view.root) {
      const button = document.createElement("button");
      button.id = "itsposition";
      button.textContent = "Show its position";
      button.addEventListener("click", () => this.open(digest, accepted));
      this.leave(`The certificate is about ${accepted.game}, ${accepted.position}, not about the game that is shown.`, button);
      return;
    }
    if (claim >= claims.length) {
      this.leave(`The certificate has ${claims.length} claim${claims.length === 1 ? "" : "s"}, and none with the number ${claim}.`);
      return;
    }
    this.station = station;
    this.prover = claims[claim].prover;
    element("closeproof").hidden = false;
    element("explorer").classList.add("open");
    element("proofsays").textContent = `Accepted: ${accepted.statement}. ${accepted.records} positions, every reply answered. `;
    const link = document.createElement("a");
    link.href = `api/certificates/${digest}`;
    link.textContent = "Download the certificate";
    element("proofsays").append(link);
    element("claims").replaceChildren(...claims.map((c, i) => {
      const button = document.createElement("button");
      button.textContent = `${c.claim} (${c.records})`;
      button.setAttribute("aria-pressed", i === claim);
      button.addEventListener("click", () => { this.claim = i; this.changed(); });
      return button;
    }));
    if (station) this.describe(station);
    else {
      const button = document.createElement("button");
      button.id = "takeback";
      button.textContent = "Take the last move back";
      button.addEventListener("click", () => this.back());
      element("station").replaceChildren(`${why[0].toUpperCase()}${why.slice(1)}. `, button);
      element("replies").tBodies[0].replaceChildren();
    }
  }

  describe(station) {
    const says = element("station");
    says.replaceChildren();
    // Why nothing is left to prove, as a sentence.
    const rest = station.certain ? `${station.certain[0].toUpperCase()}${station.certain.slice(1)}` : size(station);
    if (station.result) says.textContent = `The end: ${station.result}.`;
    else if (station.answer) {
      const button = document.createElement("button");
      button.id = "answer";
      button.textContent = `${this.prover} plays ${station.answer}`;
      button.addEventListener("click", () => this.play(station.answer));
      says.append(button, ` ${rest}.`);
    } else says.textContent = `You are ${station.mover}: try anything, and ${this.prover} answers. ${rest}.`;
    element("replies").tBodies[0].replaceChildren(...station.replies.map((reply) => {
      const row = document.createElement("tr");
      const button = document.createElement("button");
      button.textContent = reply.move;
      button.addEventListener("click", () => this.play(reply.move));
      const cells = ["td", "td", "td"].map((tag) => document.createElement(tag));
      cells[0].append(button);
      cells[1].textContent = reply.answer ? `answer ${reply.answer}` : "";
      cells[2].textContent = size(reply);
      row.append(...cells);
      return row;
    }));
  }
}
