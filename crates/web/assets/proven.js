// What is proven of positions, to be told when they are shown again, and what it says of the position after a move: what was
// proven of a move holds where it leads, until more is known there.

// So many positions are kept; the oldest go first.
const KEPT = 1000;

// A report for the other side.
function turned(report) {
  const { value, score, bounds: [low, high] } = report;
  return { ...report, value: { win: "loss", draw: "draw", loss: "win" }[value], score: score === null ? null : -score, bounds: [-high, -low] };
}

// The same report one move later, still for who made it.
function later(report) {
  const { distance, line } = report;
  return { ...report, distance: distance && { ...distance, plies: distance.plies - 1 }, estimate: null, line: line.slice(1) };
}

export class Proven {
  constructor() { this.reports = new Map(); }

  // Keeps a report for the player number `turn`, if it proves a value and says no less than the one before.
  put(place, report, turn) {
    const key = JSON.stringify(place);
    const before = this.reports.get(key);
    if (!report.value || (before && before.report.distance && !report.distance)) return;
    this.reports.set(key, { report, turn });
    if (this.reports.size > KEPT) this.reports.delete(this.reports.keys().next().value);
  }

  // What is proven of a position, for the player number `turn`; nothing if nothing is.
  get(place, turn) {
    const known = this.reports.get(JSON.stringify(place));
    if (!known) return null;
    return known.turn === turn ? known.report : turned(known.report);
  }

  // The player number `turn` moves on from `place` to `next`: `judged` is what is known of that move, if anything. A won position
  // tells of its best move as well, and one that is lost of all of them.
  carry(place, move, next, judged, turn) {
    if (this.reports.has(JSON.stringify(next))) return undefined;
    if (judged && judged.value) return this.put(next, later(judged), turn);
    const report = this.get(place, turn);
    if (!report || report.value === "draw") return undefined;
    const best = report.line[0] === move;
    if (best) return this.put(next, later(report), turn);
    // Another move may lose sooner, or by more.
    if (report.value === "loss") return this.put(next, { ...later(report), score: null, distance: null, line: [] }, turn);
    return undefined;
  }
}
