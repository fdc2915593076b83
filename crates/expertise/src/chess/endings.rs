//! The endings of chess for the database engine.

use super::layout::{Layout, MOST, Men};
use super::material::{MOST_MEN, Material};
use super::{countdown, limits, rounds};
use endspiel_game::{Player, TextError};
use endspiel_retro::{Indexed, Job, Metric, Omits, Stopped, Table, Tally, backward};
use endspiel_rules::chess::{Board, Kind, Move};
use rustc_hash::FxHashMap;
use std::fmt;

/// All endings with up to five men.
#[derive(Clone, Debug)]
pub struct Endings {
    layouts: FxHashMap<Material, Layout>,
}

impl Default for Endings {
    fn default() -> Self {
        Self::new()
    }
}

impl Endings {
    /// The endings.
    pub fn new() -> Self {
        let all = (3..=MOST_MEN).flat_map(Material::all);
        Self { layouts: all.map(|material| (material, Layout::new(material))).collect() }
    }

    /// How an ending is numbered; none if nobody can win it or it has too many men.
    pub fn layout(&self, material: Material) -> Option<&Layout> {
        self.layouts.get(&material)
    }

    /// The greatest depths of a table in moves of the winner.
    pub fn depths(&self, material: Material, table: &Table) -> Depths {
        let Some(layout) = self.layout(material) else { return Depths::default() };
        let mut sides = [Tally::default(); 2];
        for (index, cell) in (0..).zip(table.values()).take((layout.halves() * layout.half) as usize) {
            if let Some(cell) = cell {
                sides[usize::from(index >= layout.half)].note(table.metric, cell);
            }
        }
        if material.is_symmetric() {
            sides[1] = sides[0];
        }
        let [white, black] = sides;
        Depths { longest: [white.longest_win, black.longest_loss, white.longest_loss, black.longest_win] }
    }

    /// What the fifty-move rule does to the wins of White and of Black, by depths to zeroing without and with the rule.
    /// As in [`Endings::depths`], positions in which a pawn can be captured in passing are left out.
    pub fn impact(&self, material: Material, without: &Table, with: &Table) -> [Impact; 2] {
        let mut impact = [Impact::default(); 2];
        let Some(layout) = self.layout(material) else { return impact };
        for index in 0..layout.halves() * layout.half {
            let (Some(free), Some(ruled)) = (without.get(index), with.get(index)) else { continue };
            let mover = usize::from(index >= layout.half);
            let winner = if free > 0 { mover } else { 1 - mover };
            let impact = &mut impact[winner];
            impact.won[mover] += u64::from(free != 0);
            impact.drawn[mover] += u64::from(free != 0 && ruled == 0);
            impact.delayed[mover] += u64::from(ruled.abs() > free.abs());
        }
        if material.is_symmetric() {
            // Black's wins with Black to move are White's with White to move.
            let [white, black] = impact;
            for (to, from) in impact.iter_mut().zip([black, white]) {
                to.won[1] = from.won[0];
                to.drawn[1] = from.drawn[0];
                to.delayed[1] = from.delayed[0];
            }
        }
        impact
    }

    /// The layout that holds a position, and its men there, the colours exchanged where that is needed.
    #[inline]
    fn men(&self, board: &Board) -> Option<(&Layout, Men, bool)> {
        let both = board.all_pieces(Player::FIRST) | board.all_pieces(Player::SECOND);
        if both.count_ones() as usize > MOST_MEN || board.castling_rooks() != 0 {
            return None;
        }
        let mut material = Material::default();
        for (player, counts) in [Player::FIRST, Player::SECOND].into_iter().zip(&mut material.sides) {
            for (kind, count) in Kind::ALL.into_iter().zip(counts) {
                // Few pieces are quicker counted one by one.
                let mut left = board.pieces(kind, player);
                while left != 0 {
                    left &= left - 1;
                    *count += 1;
                }
            }
        }
        let (normal, mut exchanged) = material.normal();
        exchanged |= material.is_symmetric() && board.side() == Player::SECOND;
        let layout = self.layouts.get(&normal)?;
        let (turn, swap) = if exchanged { (56, 1) } else { (0, 0) };
        let player = |player: Player| Player(player.0 ^ swap);
        let first = |set: u64| (set.trailing_zeros() & 63) as u8 ^ turn;
        let king = |of| first(board.pieces(Kind::King, player(of)));
        let mut pieces = [0; MOST];
        let (mut last, mut left) = (None, 0);
        for (slot, &(kind, of)) in pieces.iter_mut().zip(&layout.pieces) {
            if last != Some((kind, of)) {
                left = board.pieces(kind, player(of));
                last = Some((kind, of));
            }
            *slot = first(left);
            left &= left.wrapping_sub(1);
        }
        let men =
            Men { kings: [king(Player::FIRST), king(Player::SECOND)], pieces, mover: player(board.side()) };
        Some((layout, men, exchanged))
    }
}

/// The greatest depth and how many positions have it, for White's wins with White and with Black to move, then for
/// Black's wins in the same order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depths {
    /// Moves of the winner, and positions.
    pub longest: [Option<(u32, u64)>; 4],
}

/// What the fifty-move rule does to one side's wins, with White and with Black to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Impact {
    /// All wins without the rule.
    pub won: [u64; 2],
    /// Those that are drawn by the rule.
    pub drawn: [u64; 2],
    /// Those in which the next zeroing move comes later.
    pub delayed: [u64; 2],
}

/// As papers have it: the numbers of positions, a stroke, the depths.
impl fmt::Display for Depths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (_, many) in self.longest.iter().flatten() {
            write!(f, "{many} ")?;
        }
        write!(f, "|")?;
        self.longest.iter().flatten().try_for_each(|(moves, _)| write!(f, " {moves}"))
    }
}

impl Indexed for Endings {
    type Position = Board;
    type Slice = Material;

    /// With both kings on the long diagonal a position and its mirror image have numbers of their own.
    fn weight(&self, board: &Board) -> f64 {
        let pawns = board.pieces(Kind::Pawn, Player::FIRST) | board.pieces(Kind::Pawn, Player::SECOND);
        let diagonal = |player| {
            let king = board.pieces(Kind::King, player).trailing_zeros();
            king % 8 == king / 8
        };
        if pawns == 0 && diagonal(Player::FIRST) && diagonal(Player::SECOND) { 0.5 } else { 1.0 }
    }

    fn slice_name(&self, material: Material) -> String {
        material.name()
    }

    fn read_slices(&self, text: &str) -> Result<Vec<Material>, TextError> {
        Material::read(text)
    }

    fn size(&self, material: Material) -> u64 {
        self.layout(material).map_or(0, Layout::size)
    }

    fn conversions(&self, material: Material) -> Vec<Material> {
        material.conversions().into_iter().collect()
    }

    fn position(&self, material: Material, index: u64) -> Option<Board> {
        let layout = self.layout(material)?;
        let (men, passed) = layout.men(index);
        let board = layout.board(men, passed)?;
        // Two pawns may be able to capture in passing; the position has the number of one of them.
        let twice = passed.is_some_and(|square| layout.passing_index(men, square) != Some(index));
        (!twice).then_some(board)
    }

    #[inline]
    fn place(&self, board: &Board) -> Option<(Material, u64)> {
        let (layout, men, exchanged) = self.men(board)?;
        let index = match board.passed_square() {
            None => layout.index(men)?,
            Some(square) => layout.passing_index(men, square ^ if exchanged { 56 } else { 0 })?,
        };
        Some((layout.material, index))
    }

    fn mover(&self, board: &Board) -> Player {
        board.side()
    }

    fn is_zeroing(&self, board: &Board, m: Move) -> bool {
        board.is_zeroing(m)
    }

    fn has_zeroing(&self, material: Material) -> bool {
        material.has_pawns()
    }

    /// Pawns never go back.
    fn zeroing_goes_round(&self, _: Material) -> bool {
        false
    }

    /// Where both sides have the same men, a position and the one after a move are numbered for the same player.
    fn omissions(&self, material: Material) -> Vec<Omits> {
        if material.is_symmetric() { Vec::new() } else { vec![Omits::First, Omits::Second] }
    }

    fn first(&self, board: &Board) -> Player {
        match self.men(board) {
            Some((.., true)) => Player::SECOND,
            _ => Player::FIRST,
        }
    }

    fn after_pass(&self, board: &Board) -> Option<Board> {
        board.after_pass()
    }

    fn counts_moves(&self, metric: Metric) -> bool {
        metric.counts_plies() && !metric.counts_from_a_zero()
    }

    fn solving_bytes(&self, material: Material, metric: Metric) -> u64 {
        let bytes = match Way::of(material, metric) {
            Way::Rounds => rounds::bytes,
            Way::Limits => limits::bytes,
            Way::Countdown(_) => countdown::bytes,
        };
        self.layout(material).map_or(0, bytes)
    }

    fn solve(&self, job: &Job<'_, Self>) -> Result<Table, Stopped> {
        let table = match Way::of(job.slice, job.metric) {
            Way::Rounds => rounds::solve(self, job)?,
            Way::Limits => limits::solve(self, job)?,
            Way::Countdown(plies) => countdown::solve(self, job, plies)?,
        };
        // More than 126 moves do not fit in a byte.
        table.map_or_else(|| backward(self, job), Ok)
    }
}

/// How an ending is solved.
enum Way {
    Rounds,
    Limits,
    /// With so many plies a phase.
    Countdown(u16),
}

impl Way {
    fn of(material: Material, metric: Metric) -> Self {
        match metric {
            // The longest win of five men takes 127 moves.
            Metric::End if material.name() == "KPPKP" => Self::Countdown(u16::MAX),
            Metric::Rule => Self::Limits,
            Metric::ZeroingWithin(_) => Self::Rounds,
            _ => metric.phase().map_or(Self::Rounds, Self::Countdown),
        }
    }
}
