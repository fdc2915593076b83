// What is proven of positions, to be told when they are shown again, and what it says of the position after a move: what was
// proven of a move holds where it leads, until more is known there. Certificates of proofs that were made are known as well.

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
  return { ...report, distance: distance && { ...distance, plies: distance.plies - 1 }, estimate: null, line: line.slice(1), carried: true };
}

export class Proven {
  constructor() { this.reports = new Map(); this.certificates = new Map(); }

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

  // Keeps the certificate of a report for the player number `turn`.
  certify(place, report, turn) {
    this.certificates.set(JSON.stringify(place), { ...report.certificate, report, turn });
    if (this.certificates.size > KEPT) this.certificates.delete(this.certificates.keys().next().value);
  }

  // The certificate that was made of a position, if there is one.
  certificate(place) { return this.certificates.get(JSON.stringify(place)) || null; }

  // The certificates by which the player number `turn` wins and that may lead to this position, the latest first: their files,
  // the moves from there to here, and what they prove.
  winning(place, turn) {
    const line = place.moves ? place.moves.split(" ") : [];
    return line.concat("").flatMap((_, back) => {
      const plies = line.length - back;
      const made = this.certificate({ ...place, moves: line.slice(0, plies).join(" ") });
      const report = made && (made.turn === turn ? made.report : turned(made.report));
      return report && report.value === "win" ? [{ file: made.file, moves: line.slice(plies).join(" "), report }] : [];
    });
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
