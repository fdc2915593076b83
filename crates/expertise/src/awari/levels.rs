//! Awari's databases: a slice is the number of stones on the board, a value the difference in stones from
//! here on, whatever was captured before.

use super::rank::Level;
use super::sweep;
use endspiel_game::{Player, Position, TextError, TwoPlayer};
use endspiel_retro::{Indexed, Job, Metric, Stopped, Table};
use endspiel_rules::awari::sowing::{STONES, Sowing, filled, stones, stones_in};
use endspiel_rules::awari::{Awari, Board, End, Pit};

/// The positions of awari by the number of stones on the board.
#[derive(Clone, Debug)]
pub struct Levels {
    game: Awari,
    levels: Vec<Level>,
}

impl Levels {
    /// The levels of a rule set. When the game ends does not matter: play goes on to the last stone.
    pub fn new(game: Awari) -> Self {
        let game = Awari { end: End::LastStone, ..game };
        Self { game, levels: (0..=STONES).map(Level::new).collect() }
    }

    /// The rule set, with play to the last stone.
    pub fn game(&self) -> Awari {
        self.game
    }

    /// How the positions with so many stones are numbered.
    pub(super) fn level(&self, stones: usize) -> &Level {
        &self.levels[stones]
    }

    /// The positions of the level are those in which this player is South, nothing is captured and play goes
    /// on to the last stone.
    fn bare(&self, own: u64, other: u64) -> Board {
        Board::of_rows(self.game, own, other)
    }
}

impl Indexed for Levels {
    type Position = Board;
    type Slice = u8;

    fn slice_name(&self, stones: u8) -> String {
        stones.to_string()
    }

    fn read_slices(&self, text: &str) -> Result<Vec<u8>, TextError> {
        let number = |at: usize, word: &str| {
            let wrong = || {
                TextError::new(at, format!("'{}' is no level", endspiel_game::notation::shorten(word)), {
                    "stones on the board from 0 to 48, such as 12 or 0-20"
                })
            };
            word.trim().parse::<u8>().ok().filter(|&n| usize::from(n) <= STONES).ok_or_else(wrong)
        };
        let mut out = Vec::new();
        for (at, word) in endspiel_game::notation::words(text) {
            match word.split_once('-') {
                Some((low, high)) => {
                    let (low, high) = (number(at, low)?, number(at + low.len() + 1, high)?);
                    if low > high {
                        let what = format!("{low} is more than {high}");
                        return Err(TextError::new(at, what, format!("the lower level first: {high}-{low}")));
                    }
                    out.extend(low..=high);
                }
                None => out.push(number(at, word)?),
            }
        }
        Ok(out)
    }

    fn size(&self, stones: u8) -> u64 {
        self.levels[usize::from(stones)].size()
    }

    /// A capture takes two stones at least.
    fn conversions(&self, stones: u8) -> Vec<u8> {
        (0..stones.saturating_sub(1)).collect()
    }

    fn position(&self, stones: u8, index: u64) -> Option<Board> {
        let (own, other) = self.levels[usize::from(stones)].rows(index);
        Some(self.bare(own, other))
    }

    fn place(&self, position: &Board) -> Option<(u8, u64)> {
        let (own, other) = position.rows();
        let n = stones(own) + stones(other);
        Some((n, self.levels[usize::from(n)].index(own, other)))
    }

    fn mover(&self, position: &Board) -> Player {
        position.lead_of_mover().0
    }

    fn lead(&self, position: &Board) -> i32 {
        position.lead_of_mover().1
    }

    /// The tables are of play to the last stone. Where a majority ends the game, who wins is the same: who can be sure
    /// of more than half in the end passes it on the way, and the other never does. The margin may differ.
    fn proves(&self, position: &Board, metric: Metric, number: i32) -> (i32, i32) {
        let score = number + self.lead(position);
        let (low, high) = position.score_range_of(self.mover(position));
        match score {
            _ if metric != Metric::Score => (low, high),
            0 => (0, 0),
            _ if position.game().end == End::LastStone => (score, score),
            1.. => (low.max(1), high),
            _ => (low, high.min(-1)),
        }
    }

    fn is_scored(&self) -> bool {
        true
    }

    fn stakes(&self, stones: u8) -> u16 {
        stones.into()
    }

    /// Takes the stones back, pit by pit, out of the pits that follow an empty one.
    fn predecessors(&self, position: &Board, each: &mut dyn FnMut(Board)) -> bool {
        let (opponent, own) = position.rows();
        let all = stones(own) + stones(opponent);
        for pit in 0..6 {
            if stones_in(own, pit) > 0 {
                continue;
            }
            for hand in 1..=all {
                let sown = Sowing::of(pit, hand);
                let covers = |row: u64, part: u64| (0..6).all(|p| stones_in(row, p) >= stones_in(part, p));
                if !covers(own, sown.own) || !covers(opponent, sown.opponent) {
                    break;
                }
                let before = self.bare(
                    own - sown.own + (u64::from(hand) << (8 * u32::from(pit))),
                    opponent - sown.opponent,
                );
                let Some(m) = Pit::new(pit.into()) else { continue };
                let mut legal = false;
                before.moves(|other| legal |= other == m);
                if legal && before.after(m).rows() == (opponent, own) {
                    each(before);
                }
            }
        }
        true
    }

    /// One byte a position, and the lists of rows.
    fn solving_bytes(&self, stones: u8, _metric: Metric) -> u64 {
        self.size(stones) + sweep::table_bytes(stones.into())
    }

    fn solve(&self, job: &Job<'_, Self>) -> Result<Table, Stopped> {
        sweep::solve(self, job)
    }
}

/// The pits with stones in a row.
pub(super) fn pits(row: u64) -> impl Iterator<Item = u8> {
    let mut left = filled(row);
    std::iter::from_fn(move || {
        let pit = (left != 0).then(|| (left.trailing_zeros() / 8) as u8)?;
        left &= left - 1;
        Some(pit)
    })
}
