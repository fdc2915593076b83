//! Wythoff's game and its family for the database engine: all pairs of piles of up to a hundred stones are one slice.
//!
//! The piles are sorted, and who is to move makes no difference, so four positions have one number: that of the larger pile's
//! row in a triangle, and the smaller pile in it.

use endspiel_game::{Game, Player, TextError, TwoPlayer};
use endspiel_retro::{Indexed, Metric, NUMBERING_BYTES};
use endspiel_rules::wythoff::{Constraint, Piles, Wythoff};

/// The largest pile of tables.
pub const LARGEST_PILE: u16 = 100;

/// All pairs of piles.
#[derive(Clone, Debug)]
pub struct Pairs {
    game: Wythoff,
}

/// How many numbers come before the row of a larger pile.
fn row(larger: u64) -> u64 {
    larger * (larger + 1) / 2
}

impl Pairs {
    /// Those of a game.
    pub fn new(game: &Wythoff) -> Self {
        Self { game: game.clone() }
    }

    /// No fewer than the moves of all positions.
    fn moves(&self) -> u64 {
        let band = match self.game.constraint() {
            Constraint::Constant(t) => (2 * (*t).clamp(0, LARGEST_PILE.into()) as u64).saturating_sub(1),
            _ => u64::MAX,
        };
        let pairs = (0..=u64::from(LARGEST_PILE)).flat_map(|b| (0..=b).map(move |a| (a, b)));
        pairs.map(|(a, b)| a + b + a * band.min(b)).sum()
    }
}

impl Indexed for Pairs {
    type Position = Piles;
    type Slice = ();

    fn slice_name(&self, (): ()) -> String {
        "all".into()
    }

    fn read_slices(&self, text: &str) -> Result<Vec<()>, TextError> {
        crate::only_slice(text)
    }

    fn size(&self, (): ()) -> u64 {
        row(u64::from(LARGEST_PILE) + 1)
    }

    fn conversions(&self, (): ()) -> Vec<()> {
        Vec::new()
    }

    fn position(&self, (): (), index: u64) -> Option<Piles> {
        let mut larger = (2 * index).isqrt();
        while row(larger) > index {
            larger -= 1;
        }
        Some(self.game.piles([(index - row(larger)) as u16, larger as u16], Player::FIRST))
    }

    fn place(&self, piles: &Piles) -> Option<((), u64)> {
        let [a, b] = piles.stones();
        let (smaller, larger) = (a.min(b), a.max(b));
        (larger <= LARGEST_PILE).then(|| ((), row(larger.into()) + u64::from(smaller)))
    }

    fn outside(&self, _: &Piles) -> String {
        format!("its piles have more than {LARGEST_PILE} stones")
    }

    fn mover(&self, piles: &Piles) -> Player {
        piles.to_move()
    }

    fn is_impartial(&self) -> bool {
        self.game.start().impartial().is_some()
    }

    /// All moves are kept, and turned round.
    fn solving_bytes(&self, slice: (), _: Metric) -> u64 {
        self.size(slice) * (16 + NUMBERING_BYTES) + 8 * self.moves()
    }
}
