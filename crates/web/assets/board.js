import { mean as middle, spread as unsure } from "./figures.js";

// The board: the picture that the game draws, with its places to click, drag or walk over by keys.
// A move is made by the places it names, in order; where several moves share them, buttons ask which.

const NS = "http://www.w3.org/2000/svg";

// So much room there is around the picture, in its units, and so far from its middle a place is hit.
export const RIM = 0.1;
export const SPOT = 0.48;

function make(tag, attributes, text) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// How good a judged move is for the mover, from -2 (lost at once) to 2 (won at once).
export function merit(report, scored) {
  if (!report) return -9;
  const plies = report.distance ? report.distance.plies : 500;
  const [low, high] = report.bounds;
  if (report.value === "win") return 1 + (scored ? low / 1000 : 1 / (1 + plies));
  if (report.value === "loss") return -1 - (scored ? -high / 1000 : 1 / (1 + plies));
  if (report.value === "draw") return 0;
  if (report.estimate) return Math.max(-0.99, Math.min(0.99, report.estimate.mean / (scored ? 20 : 1)));
  return report.status === "bounded" ? (low + high) / 2 / 100 : -9;
}

// A figure in as few signs as there is room for on a place.
const short = (text) => text.replace("-", "−").replace(" ", "").replace(/0(?=\.\d)/, "");

// The class of a judged move, what is written on it, how unsure that is, and a sign for all of it where room is scarce.
export function truth(report, scored) {
  if (report.value) {
    const sign = { win: "W", draw: "D", loss: "L" }[report.value];
    const label = scored && report.score !== null ? (report.score > 0 ? `+${report.score}` : short(`${report.score}`))
      : sign + (report.distance && report.value !== "draw" ? report.distance.plies : "");
    return { kind: report.value, label, spread: "", sign };
  }
  if (report.estimate) {
    const { mean } = report.estimate;
    const kind = mean > 0.1 ? "win" : mean < -0.1 ? "loss" : "draw";
    const error = unsure(report.estimate);
    return { kind: `guess ${kind}`, label: short(middle(report.estimate)), spread: error && `±${short(error)}`, sign: { win: "+", draw: "=", loss: "−" }[kind] };
  }
  const open = report.status === "bounded" ? "?" : "";
  return { kind: "guess none", label: open, spread: "", sign: open };
}

// Words on the board are at least so many pixels high, or they are not written.
const LEAST = 9;

// How wide a text is, in digits.
const width = (text) => [...text].reduce((sum, sign) => sum + (sign === "W" ? 1.6 : sign === "." ? 0.5 : 1), 0);

// The size of a text in a disc, of at most `most`, where a unit of the picture has `unit` pixels; 0 if nobody could read it.
function fit(text, radius, most, unit) {
  const size = Math.min(most, (2.3 * radius) / Math.max(1, width(text)));
  return size * unit >= LEAST ? size : 0;
}

export class Board {
  // `play` is told the move that was made, `tell` says a report in words.
  constructor(svg, chooser, play, tell) {
    Object.assign(this, { svg, chooser, play, tell, view: null, chosen: [], reports: new Map(), hinted: null, seen: null, down: null, dragged: false, open: false, asked: "" });
    svg.addEventListener("click", (event) => { if (!this.dragged) this.press(this.near(event)); this.dragged = false; });
    svg.addEventListener("pointerdown", (event) => { this.down = event.isPrimary && event.button === 0 ? this.near(event) : null; this.dragged = false; });
    svg.addEventListener("pointermove", (event) => { if (event.buttons) this.drag(event); });
    svg.addEventListener("pointerup", (event) => this.drop(this.near(event)));
    svg.addEventListener("pointercancel", () => { this.down = null; this.carried(null); });
    // A finger on a piece carries it; elsewhere, or with a second one, it moves the page.
    const carries = (event) => this.down !== null && event.touches.length === 1 && this.spots[this.down].classList.contains("piece");
    svg.addEventListener("touchmove", (event) => { if (carries(event)) event.preventDefault(); }, { passive: false });
    svg.addEventListener("keydown", (event) => this.key(event));
    // What is written on the board depends on how large it is.
    new ResizeObserver(() => this.update()).observe(svg);
  }

  // How many pixels a unit of the picture has.
  unit() {
    const matrix = this.svg.getScreenCTM();
    return matrix ? matrix.a : 0;
  }

  // Where a place's judgement is written, and its scale: on the place, at the corner of what stands there so that its
  // sign is still seen whole, or where the picture has room for it.
  note(i) {
    const [, x, y, standing, , aside] = this.view.picture.places[i];
    if (aside) return [...aside, 1];
    return standing ? [x + 0.36, y + 0.36, 0.58] : [x, y, 1];
  }

  // Shows a position; `open` says whether a move may be made.
  show(view, open) {
    const same = this.view && this.view.game === view.game && document.activeElement.classList.contains("spot");
    const focus = same ? document.activeElement.dataset.index : null;
    this.view = view;
    this.open = open;
    this.chosen = [];
    this.reports = new Map();
    this.hinted = this.seen = this.down = null;
    const { width, height, shapes, places } = view.picture;
    // Lines and judgements at the edges are seen whole.
    this.svg.setAttribute("viewBox", `${-RIM} ${-RIM} ${width + 2 * RIM} ${height + 2 * RIM}`);
    // The server draws shapes from numbers and escapes the words in them.
    this.svg.innerHTML = `<g>${shapes}</g>`;
    this.marks = this.svg.appendChild(make("g", { "aria-hidden": "true" }));
    const spots = this.svg.appendChild(make("g", {}));
    this.spots = places.map(([name, x, y, standing, called], index) => {
      const spot = make("circle", { class: "spot", cx: x, cy: y, r: SPOT, role: "button", "data-place": name, "data-index": index, tabindex: -1 });
      if (standing) spot.append(make("title", {}, `${called}: ${standing}`));
      return spots.appendChild(spot);
    });
    const first = this.spots[focus ?? 0];
    if (first) first.setAttribute("tabindex", 0);
    if (focus !== null && this.spots[focus]) this.spots[focus].focus();
    this.update();
  }

  // No move may be made until the next position is shown, or `reopen` says so.
  close() { this.open = false; this.chosen = []; }
  reopen() { this.open = true; this.update(); }

  judge(reports) { for (const report of reports) this.reports.set(report.move, report); this.update(); }
  see(seen) { this.seen = seen; this.update(); }
  hint(move) { this.hinted = move; this.update(); }

  name(index) { return this.view.picture.places[index][0]; }
  // The moves that the chosen places, and perhaps one more, begin.
  candidates(names) {
    return this.view.moves.filter((m) => names.every((name, i) => i < m.path.length && this.name(m.path[i]) === name));
  }

  update() {
    if (!this.view) return;
    const step = this.chosen.length;
    const { places } = this.view.picture;
    const candidates = this.open ? this.candidates(this.chosen) : [];
    const best = new Map();
    for (const m of candidates) {
      if (m.path.length <= step) continue;
      const report = this.reports.get(m.move);
      const known = best.get(m.path[step]);
      if (known === undefined || merit(report, this.view.scored) > merit(known, this.view.scored)) best.set(m.path[step], report);
    }
    const targets = new Map([...best].map(([i, report]) => [this.name(i), report]));
    const carried = new Set(candidates.filter((m) => m.path.length > step + 1).map((m) => this.name(m.path[step])));
    this.marks.replaceChildren();
    const unit = this.unit();
    const disc = (x, y, cls, r) => this.marks.append(make("circle", { class: cls, cx: x, cy: y, r }));
    const ring = (i, cls, r) => disc(places[i][1], places[i][2], cls, r);
    const write = (x, y, cls, words, size) => this.marks.append(make("text", { class: cls, x, y, dy: ".35em", "font-size": size }, words));
    // A light rim lets the ring be seen on whatever is there.
    for (const [x, y, r] of this.view.last) for (const cls of ["lastmove rim", "lastmove"]) disc(x, y, cls, r);
    const hinted = this.view.moves.find((m) => m.move === this.hinted) || (step ? undefined : this.best());
    // Along all places of the move: where a piece goes, then where it jumps on or what it shoots at; below the judgements, which
    // are to be read.
    if (hinted) hinted.path.slice(1).forEach((to, i) => this.arrow(places[hinted.path[i]], places[to], i > 0));
    for (const [i, report] of best) {
      const { kind, label, spread, sign } = report ? truth(report, this.view.scored) : {};
      // Of what nothing is known there is nothing to see.
      if (label) {
        const [x, y, scale] = this.note(i);
        const radius = 0.37 * scale;
        const size = fit(label, radius, 0.28 * scale, unit);
        // A sign fills its disc if it stands for something proven; else it is as small as can be read.
        const most = report.value ? 1.6 * radius : Math.max(1.15 * radius, 1.01 * LEAST / unit);
        const signed = size ? 0 : fit(sign, radius, most, unit);
        // An estimate of an empty place is hollow, as the board behind it: stones alone are full.
        const empty = !places[i][3] && !places[i][5];
        const cls = !report.value && empty ? `${kind} open` : kind;
        // A mark without a word is small, so that nobody takes it for a stone, and so is a sign of an estimate.
        const full = size || (signed && report.value);
        disc(x, y, `truth ${cls}`, full ? radius : Math.max(0.55 * radius, 0.65 * signed));
        // All of it, the figure alone, a sign, or the colour alone: as much as can be read.
        const below = spread ? fit(spread, radius, 0.16 * scale, unit) : 0;
        if (size) write(x, below ? y - 0.07 * scale : y, `label ${cls}`, label, size);
        else if (signed) write(x, y, `label ${cls}`, sign, signed);
        if (size && below) write(x, y + 0.15 * scale, `label ${cls}`, spread, below);
      } else if (step > 0) ring(i, "dot", 0.16);
    }
    if (this.seen) {
      this.overlay(ring, (i, number) => {
        if (best.get(i)) return;
        const size = fit(`${number}`, 0.3, Math.max(0.28, 1.1 * LEAST / unit), unit);
        ring(i, "sequence", unit < 30 ? 0.34 : 0.22);
        if (size) write(places[i][1], places[i][2], "label", number, size);
      });
    }
    if (hinted && hinted.path.length === 1 && hinted.move === this.hinted) ring(hinted.path[0], "hinted", 0.42);
    this.spots.forEach((spot, i) => {
      const name = this.name(i);
      const target = targets.has(name);
      spot.classList.toggle("target", target || this.chosen.includes(name));
      spot.classList.toggle("piece", carried.has(name) || (step > 0 && name === this.chosen[step - 1]));
      spot.classList.toggle("chosen", this.chosen.includes(name) && step > 0);
      const report = targets.get(name);
      const here = `${places[i][4]}, ${places[i][3] || "empty"}`;
      const label = target ? `${here}, ${step ? "go on here" : "move"}${report ? `, ${this.tell(report, this.view.scored)}` : ""}` : here;
      if (spot.getAttribute("aria-label") !== label) spot.setAttribute("aria-label", label);
    });
    this.choose(candidates, step);
  }

  // The best of the moves that are judged so far.
  best() {
    const worth = (m) => merit(this.reports.get(m.move), this.view.scored);
    return this.view.moves.filter((m) => this.reports.has(m.move)).reduce((best, m) => (!best || worth(m) > worth(best) ? m : best), undefined);
  }

  arrow([, x0, y0], [, x1, y1], further) {
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (length < 0.1) return;
    const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
    const at = (along, aside) => `${x0 + along * dx - aside * dy},${y0 + along * dy + aside * dx}`;
    const points = [at(0.3, 0.06), at(length - 0.36, 0.06), at(length - 0.36, 0.2), at(length - 0.06, 0), at(length - 0.36, -0.2), at(length - 0.36, -0.06), at(0.3, -0.06)];
    this.marks.append(make("polygon", { class: further ? "arrow further" : "arrow", points: points.join(" ") }));
  }

  // Buttons for moves that places alone do not tell. They stay while the question does.
  choose(candidates, step) {
    const exact = step ? candidates.filter((m) => m.path.length === step) : [];
    const nameless = this.open && !step ? this.view.moves.filter((m) => !m.path.length) : [];
    const choices = [...exact, ...nameless].map((m) => m.move);
    const lead = exact.length ? `Play${candidates.length > exact.length ? " or go on" : ""}: ` : "";
    const asked = lead + choices.join(" ");
    if (asked === this.asked) return;
    this.asked = asked;
    this.chooser.replaceChildren(lead, ...choices.flatMap((move) => {
      const button = document.createElement("button");
      button.textContent = move;
      // The button goes with the question; who walks by keys is on the board again.
      button.addEventListener("click", () => {
        const at = this.view.moves.find((m) => m.move === move).path.at(-1);
        const spot = at === undefined ? this.spots.find((place) => place.tabIndex === 0) : this.spots[at];
        if (document.activeElement === button && spot) spot.focus();
        this.make(move);
      });
      return [button, " "];
    }));
  }

  // What was seen at a glance: wins at once, the opponent's threats, the moves to choose from, and sequences of
  // threats, numbered.
  overlay(ring, number) {
    const { wins, threats, must, attacks } = this.seen;
    const here = (move) => this.view.moves.find((m) => m.move === move);
    const last = (m) => m.path[m.path.length - 1];
    // The opponent's move has a name here only if it is one of ours as well; else its last place has.
    const at = (move) => {
      const m = here(move);
      return m && m.path.length ? last(m) : this.lastPlace(move);
    };
    for (const move of must) { const m = here(move); if (m && m.path.length && !wins.includes(move)) ring(last(m), "must", 0.44); }
    for (const move of wins) { const m = here(move); if (m && m.path.length) ring(last(m), "winning", 0.44); }
    for (const move of threats) if (at(move) >= 0) ring(at(move), "threat", 0.36);
    for (const attack of attacks) {
      if (!must.length && !attack.to_move) for (const move of attack.must) if (here(move)) ring(at(move), "must", 0.44);
    }
    const shown = attacks.find((attack) => attack.to_move) || attacks[0];
    // The attacker's moves are 1, 3, 5 ..., and all replies to one have the number that follows it.
    const numbers = new Map();
    if (shown) {
      shown.sequence.forEach(({ move }, i) => numbers.set(at(move), 2 * i + 1));
      shown.sequence.forEach(({ replies }, i) => replies.map(at).filter((to) => !numbers.has(to)).forEach((to) => numbers.set(to, 2 * i + 2)));
    }
    numbers.forEach((n, to) => { if (to >= 0) number(to, n); });
  }

  // The place that a move names last, -1 if there is none; 14 does not name 4.
  lastPlace(move) {
    let [found, end, length] = [-1, -1, 0];
    this.view.picture.places.forEach(([name], i) => {
      const from = move.lastIndexOf(name);
      const to = from + name.length;
      const inside = /\d/.test(move[from - 1] || "") && /^\d/.test(name);
      if (from < 0 || inside || to < end || (to === end && name.length <= length)) return;
      [found, end, length] = [i, to, name.length];
    });
    return found;
  }

  make(move) { this.close(); this.play(move); }

  // A place was pressed.
  press(index) {
    if (index === null || !this.open) return this.clear();
    const name = this.name(index);
    const repeated = this.chosen.length && this.chosen[this.chosen.length - 1] === name;
    const exact = this.candidates(this.chosen).filter((m) => m.path.length === this.chosen.length);
    let names = [...this.chosen, name];
    let found = this.candidates(names);
    if (!found.length && repeated) return exact.length === 1 ? this.make(exact[0].move) : this.clear();
    if (!found.length) { names = [name]; found = this.candidates(names); }
    if (!found.length) return this.clear();
    if (found.length === 1 && found[0].path.length === names.length) return this.make(found[0].move);
    this.chosen = names;
    this.update();
  }

  clear() { this.chosen = []; this.update(); }

  // A pressed piece is carried: its targets are shown, and a ring goes along.
  drag(event) {
    const down = this.down;
    if (down === null || !this.open || this.near(event) === down) return;
    const name = this.name(down);
    if (!this.candidates([...this.chosen, name]).some((m) => m.path.length > this.chosen.length + 1) && this.chosen[this.chosen.length - 1] !== name) return;
    if (this.chosen[this.chosen.length - 1] !== name) this.press(down);
    // Also beyond the board's edge, so that it is noticed where the piece is let go.
    this.svg.setPointerCapture(event.pointerId);
    this.carried(this.point(event));
  }

  carried(point) {
    this.svg.querySelectorAll(".carried").forEach((ring) => ring.remove());
    if (point) this.svg.append(make("circle", { class: "carried", cx: point.x, cy: point.y, r: 0.4 }));
  }

  drop(index) {
    this.carried(null);
    const down = this.down;
    this.down = null;
    if (down === null || index === null || down === index || !this.open) return;
    if (this.chosen[this.chosen.length - 1] !== this.name(down)) this.press(down);
    this.dragged = true;
    if (this.chosen.length) this.press(index);
  }

  // Where the pointer is, in the picture's units.
  point(event) {
    const matrix = this.svg.getScreenCTM();
    return matrix && new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  }

  // The place nearest to where the pointer is.
  near(event) {
    const point = this.view && this.point(event);
    if (!point) return null;
    return this.nearest((x, y) => Math.hypot(x - point.x, y - point.y), 0.71);
  }

  nearest(measure, most) {
    let best = null;
    this.view.picture.places.forEach(([, x, y], index) => {
      const distance = measure(x, y);
      if (distance < most) { most = distance; best = index; }
    });
    return best;
  }

  key(event) {
    const at = event.target.dataset && event.target.dataset.index;
    if (at === undefined) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.press(Number(at));
    } else if (event.key === "Escape") this.clear();
    else if (steps[event.key]) {
      event.preventDefault();
      const [dx, dy] = steps[event.key];
      const [, x0, y0] = this.view.picture.places[at];
      const measure = (x, y) => {
        const along = (x - x0) * dx + (y - y0) * dy;
        const aside = Math.abs((x - x0) * dy) + Math.abs((y - y0) * dx);
        return along > 0.2 ? along + 2 * aside : Infinity;
      };
      const next = this.nearest(measure, Infinity);
      if (next === null) return;
      this.spots[at].setAttribute("tabindex", -1);
      this.spots[next].setAttribute("tabindex", 0);
      this.spots[next].focus();
    }
  }
}
