//! When a player can be kept from ever completing a line, by answers alone.
//!
//! *Pairs* (Hales and Jewett 1963): if there are pairs of empty cells, no cell in two of them, with a pair on every line that is
//! still open, the defender answers each stone on a pair at its other cell, and every line comes to hold a stone of
//! his. Lines of one run that share two cells can share a pair.
//!
//! *Weights* (Erdos and Selfridge 1973): a line that lacks m stones weighs 2^-m. The defender always takes the cell of the
//! greatest weight: that takes away at least what the attacker's next stone can add, so the sum never grows
//! between two turns of the defender's. A completed line weighs 1. So if the sum is below 1 when the defender is to move, no
//! line is ever completed; if the attacker is to move, the sum with any one cell counted twice must be below 1.
//!
//! A stone more never hurts the defender: he may hold by pairs, too, when it is his turn.

use crate::bits::Bits;

/// A line that the attacker may still complete: without a stone of the defender's.
#[derive(Clone, Copy, Debug)]
pub struct OpenLine<const WORDS: usize> {
    /// Which run of the board it lies on, from 0.
    pub run: usize,
    /// Its empty cells.
    pub empty: Bits<WORDS>,
}

/// Are there disjoint pairs of empty cells with one on every line? The lines of a run come in their order along it.
///
/// From its first line on, a run's lines get one pair as long as they have two cells in common, then the next. Whether all
/// these pairs can be had at once is then a question of matching, which is answered exactly.
pub fn by_pairs<const WORDS: usize>(lines: impl Iterator<Item = OpenLine<WORDS>>, empty: usize) -> bool {
    let mut wanted: Vec<Bits<WORDS>> = Vec::new();
    // The last pair of each run.
    let mut last: Vec<Option<usize>> = Vec::new();
    for line in lines {
        if last.len() <= line.run {
            last.resize(line.run + 1, None);
        }
        let pair = &mut last[line.run];
        if let Some(pair) = *pair {
            let common = wanted[pair] & line.empty;
            if common.len() > 1 {
                wanted[pair] = common;
                continue;
            }
        }
        if line.empty.len() < 2 || 2 * wanted.len() + 2 > empty {
            return false;
        }
        *pair = Some(wanted.len());
        wanted.push(line.empty);
    }
    let mut matching = Matching { taken: vec![None; Bits::<WORDS>::ROOM], wanted };
    (0..matching.wanted.len()).all(|pair| (0..2).all(|_| matching.give(pair, &mut Bits::first(0))))
}

/// Which pair each cell belongs to so far.
struct Matching<const WORDS: usize> {
    wanted: Vec<Bits<WORDS>>,
    taken: Vec<Option<usize>>,
}

impl<const WORDS: usize> Matching<WORDS> {
    /// Gives a pair one more cell, if need be by moving others (Kuhn 1955); none of those tried before.
    fn give(&mut self, pair: usize, tried: &mut Bits<WORDS>) -> bool {
        for cell in self.wanted[pair].iter() {
            if tried.contains(cell) || self.taken[cell] == Some(pair) {
                continue;
            }
            tried.insert(cell);
            if self.taken[cell].is_none_or(|other| self.give(other, tried)) {
                self.taken[cell] = Some(pair);
                return true;
            }
        }
        false
    }
}

/// Do the weights stay below a completed line? All lines have `length` cells, no more than 32.
pub fn by_weights<const WORDS: usize>(
    lines: &[OpenLine<WORDS>],
    length: usize,
    attacker_moves: bool,
) -> bool {
    let full = 1u64 << length;
    let (mut sum, mut through) = (0, vec![0; Bits::<WORDS>::ROOM]);
    for line in lines {
        let weight = full >> line.empty.len();
        sum += weight;
        line.empty.iter().for_each(|cell| through[cell] += weight);
    }
    sum < full && (!attacker_moves || through.iter().all(|more| sum + more < full))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(run: usize, cells: &[usize]) -> OpenLine<1> {
        OpenLine { run, empty: cells.iter().copied().collect() }
    }

    #[test]
    fn lines_of_a_run_share_a_pair_as_long_as_they_have_two_cells_in_common() {
        let row = [line(0, &[0, 1, 2]), line(0, &[1, 2, 3])];
        assert!(by_pairs(row.into_iter(), 4));
        // The second run wants both cells in the middle as well.
        let crossed = row.into_iter().chain([line(1, &[1, 2])]);
        assert!(!by_pairs(crossed, 4));
        // Apart they would need four cells more.
        assert!(by_pairs([line(0, &[0, 1]), line(0, &[2, 3])].into_iter(), 4));
        assert!(!by_pairs([line(0, &[0, 1]), line(0, &[1, 2])].into_iter(), 4));
    }

    #[test]
    fn cells_are_passed_on() {
        // Each pair must give way to the next.
        let chain = [line(0, &[0, 1, 2, 3]), line(1, &[0, 1, 4]), line(2, &[0, 4, 5])];
        assert!(by_pairs(chain.into_iter(), 6));
        assert!(!by_pairs(chain.into_iter().chain([line(3, &[2, 6])]), 7));
        assert!(by_pairs(chain.into_iter().chain([line(3, &[6, 7])]), 8));
        assert!(!by_pairs([line(0, &[3])].into_iter(), 10), "one cell is no pair");
        assert!(by_pairs(std::iter::empty::<OpenLine<1>>(), 0));
    }

    #[test]
    fn a_completed_line_weighs_one() {
        let three = [line(0, &[0, 1, 2]), line(1, &[3, 4, 5]), line(2, &[6, 7, 8])];
        assert!(by_weights(&three, 3, true));
        let more = [three[0], three[1], three[2], line(3, &[0, 3, 6]), line(4, &[1, 4, 7])];
        assert!(by_weights(&more, 3, false) && by_weights(&more, 3, true));
        let six = [more[0], more[1], more[2], more[3], more[4], line(5, &[2, 5, 8])];
        assert!(by_weights(&six, 3, false), "6/8");
        assert!(!by_weights(&six, 3, true), "6/8 and two lines through every cell");
        assert!(!by_weights(&[line(0, &[0])], 3, true), "one stone completes it");
        assert!(by_weights(&[line(0, &[0])], 3, false), "one stone blocks it");
    }
}
