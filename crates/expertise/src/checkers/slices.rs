//! The endings of checkers for the database engine.

use super::layout::Layout;
use super::material::{MOST_OF_SIDE, Material, Side};
use endspiel_game::{Player, Position, TextError};
use endspiel_retro::{Indexed, Metric, Omits, SOLVING_BYTES};
use endspiel_rules::checkers::{Board, Move};
use std::ops::Range;
use std::sync::OnceLock;

/// All endings with up to five pieces a side.
#[derive(Debug)]
pub struct Endings {
    /// By the kings and men of both; made when first asked for.
    layouts: Vec<OnceLock<Layout>>,
}

impl Default for Endings {
    fn default() -> Self {
        Self::new()
    }
}

const KINDS: usize = MOST_OF_SIDE as usize + 1;

impl Endings {
    /// The endings.
    pub fn new() -> Self {
        Self { layouts: std::iter::repeat_with(OnceLock::new).take(KINDS.pow(4)).collect() }
    }

    /// How an ending is numbered.
    #[inline]
    pub fn layout(&self, material: Material) -> &Layout {
        let [stronger, weaker] = material.0;
        let counts = [stronger.all, stronger.kings, weaker.all, weaker.kings];
        let at = counts.into_iter().fold(0, |at, count| KINDS * at + usize::from(count));
        self.layouts[at].get_or_init(|| Layout::new(material))
    }
}

impl Indexed for Endings {
    type Position = Board;
    type Slice = Material;

    fn slice_name(&self, slice: Material) -> String {
        slice.to_string()
    }

    fn read_slices(&self, text: &str) -> Result<Vec<Material>, TextError> {
        Material::read(text)
    }

    fn size(&self, slice: Material) -> u64 {
        self.layout(slice).size()
    }

    fn conversions(&self, slice: Material) -> Vec<Material> {
        slice.conversions()
    }

    fn runs(&self, slice: Material) -> Vec<Range<u64>> {
        self.layout(slice).runs().to_vec()
    }

    fn position(&self, slice: Material, index: u64) -> Option<Board> {
        self.layout(slice).board(index)
    }

    #[inline]
    fn place(&self, position: &Board) -> Option<(Material, u64)> {
        let (black, white) = sides(position);
        if !(1..=MOST_OF_SIDE).contains(&black.all) || !(1..=MOST_OF_SIDE).contains(&white.all) {
            return None;
        }
        let (material, exchanged) = Material::of(black, white);
        let white_moves = position.side() == Player::SECOND;
        let exchanged = exchanged || black == white && white_moves;
        let layout = self.layout(material);
        let index = if exchanged { layout.index(&position.swapped()) } else { layout.index(position) };
        index.map(|index| (material, index))
    }

    fn outside(&self, _: &Board) -> String {
        format!("a side has more than {MOST_OF_SIDE} pieces")
    }

    fn mover(&self, position: &Board) -> Player {
        position.side()
    }

    /// A man never comes back.
    fn is_zeroing(&self, position: &Board, m: Move) -> bool {
        position.kings() >> m.from & 1 == 0
    }

    fn has_zeroing(&self, slice: Material) -> bool {
        slice.0.iter().any(|side| side.men() > 0)
    }

    /// Men never go back.
    fn zeroing_goes_round(&self, _: Material) -> bool {
        false
    }

    fn after_pass(&self, position: &Board) -> Option<Board> {
        let pieces = [Player::FIRST, Player::SECOND].map(|p| position.pieces(p));
        Some(Board::new(pieces, position.kings(), position.side().other()))
    }

    /// Where both sides have the same men, a position and the one after a step are numbered for the same player.
    fn omissions(&self, slice: Material) -> Vec<Omits> {
        let [stronger, weaker] = slice.0;
        if stronger == weaker {
            vec![Omits::Forced]
        } else {
            vec![Omits::Forced, Omits::First, Omits::Second]
        }
    }

    fn first(&self, position: &Board) -> Player {
        let (black, white) = sides(position);
        let (_, exchanged) = Material::of(black, white);
        if exchanged { Player::SECOND } else { Player::FIRST }
    }

    /// A jump leaves the slice. Where one threatens, steps are told if none of them leaves or makes a threat.
    fn leaves_out(&self, omits: Omits, position: &Board) -> bool {
        if position.turn().is_over() {
            return false;
        }
        let threatened = |board: &Board| self.after_pass(board).is_some_and(|board| board.must_jump());
        position.must_jump()
            || match omits {
                Omits::First => position.side() == self.first(position),
                Omits::Second => position.side() != self.first(position),
                Omits::Forced => {
                    let is_told = |m: &Move| {
                        let next = position.after(*m);
                        next.turn().is_over() || next.must_jump() || !threatened(&next)
                    };
                    threatened(position) && position.move_list().iter().all(is_told)
                }
            }
    }

    fn predecessors(&self, position: &Board, each: &mut dyn FnMut(Board)) -> bool {
        position.before_steps(each);
        true
    }

    /// The labels and the table, and what a run takes.
    fn solving_bytes(&self, slice: Material, metric: Metric) -> u64 {
        let longest = self.layout(slice).runs().iter().map(|run| run.end - run.start).max().unwrap_or(0);
        if metric.counts_from_a_zero() {
            return self.size(slice) * 64;
        }
        let moves = if metric.counts_phases() { 48 } else { 0 };
        self.size(slice) * 4 + longest * (SOLVING_BYTES + moves)
    }
}

/// The men of Black and of White.
#[inline]
fn sides(position: &Board) -> (Side, Side) {
    let side = |player| {
        let set = position.pieces(player);
        Side { all: set.count_ones() as u8, kings: (set & position.kings()).count_ones() as u8 }
    };
    (side(Player::FIRST), side(Player::SECOND))
}
