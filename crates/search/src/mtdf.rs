//! MTD(f): closes in on a score by null-window tests alone, each at the bound the last one gave (Plaat,
//! Schaeffer, Pijls and de Bruin 1996). From above with an infinite guess it visits what SSS* visits.

use endspiel_game::Bounds;

/// Narrows `bounds` to one score, beginning at `guess`. `test(beta)` returns a bound on the score that is at
/// least `beta` or below it (fail-soft), or none to give up with what is known.
pub fn mtdf(mut bounds: Bounds, guess: i32, mut test: impl FnMut(i32) -> Option<i32>) -> Bounds {
    let mut at = guess.clamp(bounds.low, bounds.high);
    while bounds.low < bounds.high {
        let beta = at.max(bounds.low + 1);
        match test(beta) {
            Some(value) if value >= beta => bounds.low = value.min(bounds.high),
            Some(value) => bounds.high = value.max(bounds.low),
            None => break,
        }
        at = if bounds.low >= beta { bounds.low } else { bounds.high };
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_at_the_score_from_any_guess() {
        let open = Bounds { low: -20, high: 20 };
        for truth in -20..=20 {
            for guess in [i32::MIN, -3, truth, 17, i32::MAX] {
                let mut tests = 0;
                let found = mtdf(open, guess, |beta| {
                    tests += 1;
                    // The weakest fail-soft answer there is.
                    Some(if truth >= beta { beta } else { beta - 1 })
                });
                assert_eq!(found, Bounds::exactly(truth));
                assert!(guess != truth || tests <= 2);
            }
        }
        assert_eq!(mtdf(open, 0, |_| None), open);
    }
}
