// The clock of the game on the page: a side's time runs while it is to move, and each of its moves brings the
// increment. Whose time is up has lost; a method is told how much of its time it may spend on a move.

export const CLOCKS = [["", "no clock"], ["60+0", "1 min"], ["180+2", "3 min + 2 s"], ["300+0", "5 min"], ["600+5", "10 min + 5 s"], ["1800+10", "30 min + 10 s"]];

// "180+2" in seconds; nothing if it makes no sense.
export function parse(text) {
  const found = /^(\d{1,5})\+(\d{1,3})$/.exec(text || "");
  return found && Number(found[1]) > 0 ? { base: Number(found[1]), increment: Number(found[2]) } : null;
}

export function shown(seconds) {
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const rest = `${hours ? two(Math.floor(whole / 60) % 60) : Math.floor(whole / 60)}:${two(whole % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

export class Clock {
  // `faces` are two elements; `fell(side)` is told when a side's time is up.
  constructor(faces, fell) {
    Object.assign(this, { faces, fell, terms: null, rest: [0, 0], running: null, since: 0, fallen: null, past: [] });
    setInterval(() => this.tick(), 100);
  }

  // Sets the clock: "180+2", or "" for none; `rest` is what each side has left, all of it if not given.
  set(text, rest) {
    this.terms = parse(text);
    const whole = this.terms ? this.terms.base : 0;
    this.rest = [0, 1].map((side) => (rest && rest[side] >= 0 ? rest[side] : whole));
    this.running = null;
    this.fallen = this.terms && this.rest.includes(0) ? this.rest.indexOf(0) : null;
    this.past = [];
    this.show();
  }

  // The game is at this ply for the first time: what each side has left is remembered.
  mark(ply) {
    if (this.terms && this.fallen === null) this.past[ply] ||= [this.left(0), this.left(1)];
  }

  // What comes from this ply on is another game than before.
  forget(ply) { this.past.length = Math.min(this.past.length, ply); }

  // The game is back at this ply: each side has what it had there, and no flag has fallen. Where that is not known, whose
  // flag had fallen begins anew.
  back(ply) {
    if (!this.terms) return;
    this.halt();
    const then = this.past[ply];
    if (then) this.rest = [...then];
    else if (this.fallen !== null) this.rest[this.fallen] = this.terms.base;
    this.fallen = null;
    this.forget(ply + 1);
    this.show();
  }

  left(side) {
    const spent = this.running === side ? (performance.now() - this.since) / 1000 : 0;
    return Math.max(0, this.rest[side] - spent);
  }

  // `side` is to move now; nobody, if it is null.
  run(side) {
    if (!this.terms || this.fallen !== null || this.running === side) return;
    this.halt();
    this.running = side;
    this.since = performance.now();
    this.show();
  }

  halt() {
    if (this.running === null) return;
    this.rest[this.running] = this.left(this.running);
    this.running = null;
  }

  // `side` has moved.
  press(side) {
    if (!this.terms || this.fallen !== null) return;
    const ran = this.running === side;
    this.halt();
    if (ran) this.rest[side] += this.terms.increment;
  }

  // What a method may spend on a move, in seconds: its share of 30 more moves and most of the increment.
  budget(side) {
    const left = this.left(side);
    return Math.max(0.02, Math.min(left / 2, left / 30 + 0.8 * this.terms.increment) - 0.02);
  }

  tick() {
    if (this.running === null) return;
    this.show();
    if (this.left(this.running) > 0) return;
    const side = this.running;
    this.halt();
    this.fallen = side;
    this.show();
    this.fell(side);
  }

  show() {
    this.faces.forEach((face, side) => {
      face.hidden = !this.terms;
      face.textContent = this.terms ? shown(this.left(side)) + (this.fallen === side ? " ⚑" : "") : "";
      face.classList.toggle("running", this.running === side);
      face.classList.toggle("fallen", this.fallen === side);
    });
  }
}
