//! Where the kings stand, symmetries folded: 462 pairs without pawns, 1806 with them.
//!
//! Without pawns the white king is brought into the triangle a1-d1-d4 and, if it is on the diagonal, the black one
//! onto or below it; with pawns the white king is brought to the files a to d. With both kings on the diagonal a
//! position and its mirror image have different numbers, as in the published counts.

use endspiel_rules::chess::turned;
use std::sync::LazyLock;

/// The pairs of kings.
#[derive(Debug)]
pub struct Kings {
    /// White's and Black's square by number.
    pub pairs: Vec<(u8, u8)>,
    /// Number and symmetry for each pair of squares.
    of: Vec<(u16, u8)>,
}

const NONE: u16 = u16::MAX;

static PAWNLESS: LazyLock<Kings> = LazyLock::new(|| Kings::new(false));
static WITH_PAWNS: LazyLock<Kings> = LazyLock::new(|| Kings::new(true));

impl Kings {
    /// The pairs with or without pawns.
    pub fn get(pawns: bool) -> &'static Self {
        if pawns { &WITH_PAWNS } else { &PAWNLESS }
    }

    fn new(pawns: bool) -> Self {
        let square = |i: usize| (i % 8, i / 8);
        let apart = |a: usize, b: usize| {
            let ((f, r), (g, q)) = (square(a), square(b));
            f.abs_diff(g) > 1 || r.abs_diff(q) > 1
        };
        let folded = |white: usize, black: usize| {
            let ((f, r), (g, q)) = (square(white), square(black));
            f < 4 && (pawns || r < f || r == f && q <= g)
        };
        let all = || (0..64).flat_map(|w| (0..64).map(move |b| (w, b)));
        let pairs: Vec<(u8, u8)> =
            all().filter(|&(w, b)| apart(w, b) && folded(w, b)).map(|(w, b)| (w as u8, b as u8)).collect();
        let number = |white: u8, black: u8| pairs.iter().position(|&pair| pair == (white, black));
        let of = all()
            .map(|(w, b)| {
                (0..if pawns { 2 } else { 8 })
                    .find_map(|s| {
                        let number = number(turned(w as u8, s), turned(b as u8, s))?;
                        Some((number as u16, s as u8))
                    })
                    .unwrap_or((NONE, 0))
            })
            .collect();
        Self { pairs, of }
    }

    /// The number of a pair, and the symmetry that leads there; none where kings touch.
    #[inline]
    pub fn place(&self, white: u8, black: u8) -> Option<(usize, usize)> {
        let (number, s) = self.of[usize::from(white) << 6 | usize::from(black)];
        (number != NONE).then_some((number.into(), s.into()))
    }
}

/// The set of squares that symmetry `s` takes into `set`.
#[inline]
pub fn turned_back(set: u64, s: usize) -> u64 {
    let mut set = if s & 4 != 0 { transposed(set) } else { set };
    if s & 1 != 0 {
        let swap = |x: u64, n: u32, low: u64| x >> n & low | (x & low) << n;
        set = swap(
            swap(swap(set, 1, 0x5555_5555_5555_5555), 2, 0x3333_3333_3333_3333),
            4,
            0x0F0F_0F0F_0F0F_0F0F,
        );
    }
    if s & 2 != 0 { set.swap_bytes() } else { set }
}

/// Files and ranks exchanged.
fn transposed(mut x: u64) -> u64 {
    for (mask, n) in
        [(0x0F0F_0F0F_0000_0000_u64, 28), (0x3333_0000_3333_0000, 14), (0x5500_5500_5500_5500, 7)]
    {
        let t = mask & (x ^ x << n);
        x ^= t ^ t >> n;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_folded() {
        assert_eq!((Kings::get(false).pairs.len(), Kings::get(true).pairs.len()), (462, 1806));
        for pawns in [false, true] {
            let kings = Kings::get(pawns);
            for (i, &(w, b)) in kings.pairs.iter().enumerate() {
                assert_eq!(kings.place(w, b), Some((i, 0)));
            }
        }
        assert_eq!(Kings::get(false).place(0, 9), None);
    }

    #[test]
    fn sets_are_turned_square_by_square() {
        let set = 0x0123_4567_89AB_CDEF;
        for s in 0..8 {
            let back = turned_back(set, s);
            for x in 0..64 {
                assert_eq!(back >> x & 1, set >> turned(x, s) & 1, "symmetry {s}, square {x}");
            }
        }
    }
}
