//! The endings of xiangqi for the database engine.

use super::groups::Court;
use super::layout::{Layout, Men, opposite};
use super::material::{MOST_ATTACKERS, MOST_DEFENDERS, Material};
use endspiel_game::{Player, TextError};
use endspiel_retro::{Indexed, Metric, Omits, SOLVING_BYTES};
use endspiel_rules::xiangqi::{Board, Kind, Move, Point};
use rustc_hash::FxHashMap;

/// All endings in which one side has one or two attackers, with up to four guards and ministers.
#[derive(Clone, Debug)]
pub struct Endings {
    layouts: FxHashMap<Material, Layout>,
}

impl Default for Endings {
    fn default() -> Self {
        Self::new()
    }
}

/// One side's men, as it sees the board itself.
struct Side {
    counts: [u8; 4],
    /// The attackers in the order of their kinds, the lower point first.
    attackers: [(usize, Point); MOST_ATTACKERS as usize],
    many: usize,
    defenders: [u8; 2],
    court: Court,
}

impl Side {
    /// None if there are too many attackers.
    #[inline]
    fn of(board: &Board, player: Player) -> Option<Self> {
        let mut side =
            Self { counts: [0; 4], attackers: [(0, 0); 2], many: 0, defenders: [0; 2], court: Court::EMPTY };
        let mut left = board.pieces(player);
        while left != 0 {
            let at = left.trailing_zeros() as Point;
            left &= left - 1;
            let (kind, _) = board.at(at)?;
            let point = if player == Player::FIRST { at } else { opposite(at) };
            if kind.attacks() {
                let slot = side.attackers.get_mut(side.many)?;
                let kind = kind as usize - Kind::Rook as usize;
                *slot = (kind, point);
                side.many += 1;
                side.counts[kind] += 1;
            } else {
                side.court.add(kind, point);
                if kind != Kind::King {
                    side.defenders[usize::from(kind == Kind::Minister)] += 1;
                }
            }
        }
        side.attackers[..side.many].sort_unstable();
        Some(side)
    }
}

impl Endings {
    /// The endings.
    pub fn new() -> Self {
        let all = (3..=2 + MOST_ATTACKERS + MOST_DEFENDERS).flat_map(Material::all);
        Self { layouts: all.filter_map(|material| Some((material, Layout::new(material)?))).collect() }
    }

    /// How an ending is numbered.
    pub(super) fn layout(&self, material: Material) -> Option<&Layout> {
        self.layouts.get(&material)
    }
}

impl Indexed for Endings {
    type Position = Board;
    type Slice = Material;

    fn slice_name(&self, material: Material) -> String {
        material.name()
    }

    fn read_slices(&self, text: &str) -> Result<Vec<Material>, TextError> {
        Material::read(text)
    }

    fn size(&self, material: Material) -> u64 {
        self.layout(material).map_or(0, |layout| 2 * layout.half)
    }

    fn conversions(&self, material: Material) -> Vec<Material> {
        material.conversions()
    }

    fn position(&self, material: Material, index: u64) -> Option<Board> {
        self.layout(material)?.board(index)
    }

    #[inline]
    fn place(&self, board: &Board) -> Option<(Material, u64)> {
        let (red, black) = (Side::of(board, Player::FIRST)?, Side::of(board, Player::SECOND)?);
        let (strong, weak, swap) = match (red.many, black.many) {
            (1.., 0) => (red, black, 0),
            (0, 1..) => (black, red, 1),
            _ => return None,
        };
        let material = Material { attackers: strong.counts, defenders: [strong.defenders, weak.defenders] };
        let layout = self.layouts.get(&material)?;
        let [(first, a), (second, b)] = strong.attackers;
        let attackers = match strong.many {
            1 => [[a, a], [0; 2]],
            _ if first == second => [[a, b], [0; 2]],
            _ => [[a, a], [b, b]],
        };
        let men = Men { attackers, courts: [strong.court, weak.court], mover: Player(board.side().0 ^ swap) };
        Some((material, layout.index(&men)?))
    }

    fn outside(&self, _: &Board) -> String {
        "databases are of endings in which one side has one or two attackers and the other has none".into()
    }

    fn mover(&self, board: &Board) -> Player {
        board.side()
    }

    fn is_zeroing(&self, board: &Board, m: Move) -> bool {
        board.is_zeroing(m)
    }

    fn has_zeroing(&self, material: Material) -> bool {
        material.attackers[3] > 0
    }

    fn after_pass(&self, board: &Board) -> Option<Board> {
        board.after_pass()
    }

    fn omissions(&self, _material: Material) -> Vec<Omits> {
        vec![Omits::First, Omits::Second]
    }

    /// The one with attackers.
    fn first(&self, board: &Board) -> Player {
        match Side::of(board, Player::FIRST) {
            Some(red) if red.many > 0 => Player::FIRST,
            _ => Player::SECOND,
        }
    }

    /// A position that is its own mirror image stands for itself alone.
    fn weight(&self, board: &Board) -> f64 {
        if board.mirrored() == *board { 0.5 } else { 1.0 }
    }

    fn predecessors(&self, board: &Board, each: &mut dyn FnMut(Board)) -> bool {
        board.before_moves(each);
        true
    }

    /// Metrics that count phases keep all moves.
    fn solving_bytes(&self, material: Material, metric: Metric) -> u64 {
        self.size(material) * if metric.knows_phases() { 96 } else { SOLVING_BYTES }
    }
}
