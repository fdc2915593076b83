// Estimates as text: as many digits as the error warrants, never a "± 0.00".

const LEAST = 0.01;

// So many decimals make sense beside such an error: its first digit.
function decimals(spread) {
  if (!spread) return 2;
  return Math.max(0, Math.min(2, Math.ceil(-Math.log10(spread) - 1e-9)));
}

export function signed(n) { return n > 0 ? `+${n}` : `${n}`; }

// The middle of an estimate, with its sign, to the digit that its error begins with: -0.10 where that is ± 0.04.
export function mean({ mean: value, spread }) {
  const text = value.toFixed(decimals(spread));
  if (!spread || !Number(text)) return signed(Number(text));
  return value > 0 ? `+${text}` : text;
}

// How unsure it is; nothing where that is not known.
export function spread({ spread: value }) {
  if (!value) return "";
  return value < LEAST ? `< ${LEAST}` : value.toFixed(decimals(value));
}

// Both: "+0.3 ± 0.1".
export function estimate(found) {
  const unsure = spread(found);
  return mean(found) + (unsure ? ` ± ${unsure}` : "");
}
