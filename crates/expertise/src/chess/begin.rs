//! How the solution of an ending begins: which positions are legal, and what captures and promotions are worth.
//!
//! The captures of a row are found as sets of squares of the last piece; each is then looked up in the table of the
//! ending that it leads to, unless it leaves the own king attacked.

use super::endings::Endings;
use super::layout::{Layout, MOST, Men};
use super::material::Material;
use super::rows::{LAST_RANKS, Layer, Row, Rows, Which, attacked_from, attacks, between, slides};
use endspiel_game::Player;
use endspiel_retro::{Job, Metric, Stage, Stopped, Table};
use endspiel_rules::chess::Kind;
use std::sync::Mutex;

/// What leaving the ending is worth to who moves: greater is better. Distances are in moves of the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sure(i16);

impl Sure {
    /// There is no such move.
    pub const NONE: Self = Self(i16::MIN);
    /// A draw.
    pub const DRAW: Self = Self(0);

    /// A win in `n` moves.
    pub fn win(n: u8) -> Self {
        Self(1000 - i16::from(n))
    }

    /// A loss in `n` moves.
    pub fn loss(n: u8) -> Self {
        Self(i16::from(n) - 1000)
    }

    /// What a move to a position is worth of which this is known, for who moves there.
    #[inline]
    pub fn seen_before(self) -> Self {
        // A loss in n moves is one move more to who wins.
        if self < Self::DRAW { Self(-1 - self.0) } else { Self(-self.0) }
    }

    /// The same for the opponent.
    pub fn turned(self) -> Self {
        Self(-self.0)
    }

    /// The plies as tables have them.
    pub fn plies(self) -> i16 {
        match (self.wins(), self.loses()) {
            (Some(n), _) => 2 * i16::from(n) - 1,
            (_, Some(n)) => -1 - 2 * i16::from(n),
            _ => 0,
        }
    }

    /// The moves of a win.
    pub fn wins(self) -> Option<u8> {
        (self.0 > 0).then(|| (1000 - self.0) as u8)
    }

    /// The moves of a loss.
    pub fn loses(self) -> Option<u8> {
        (self < Self::DRAW && self != Self::NONE).then(|| (self.0 + 1000) as u8)
    }

    /// What a move is worth that leads to a position of which a table says this. For the depth by the rule its moves are the
    /// plies of the limit.
    pub fn before(metric: Metric, there: i32) -> Self {
        if metric == Metric::Rule {
            return match there {
                0 => Self::DRAW,
                1.. => Self::loss(there.min(u8::MAX.into()) as u8),
                _ => Self::win((-1 - there).clamp(1, u8::MAX.into()) as u8),
            };
        }
        match (there, matches!(metric, Metric::End | Metric::EndWithin(_))) {
            (0, _) => Self::DRAW,
            (1.., true) => Self::loss(((there + 1) / 2) as u8),
            (1.., false) => Self::loss(0),
            (_, true) => Self::win(((1 - there) / 2) as u8),
            (_, false) => Self::win(1),
        }
    }
}

/// How a phase begins for one side: what is no position, and what the best move that ends the phase is worth, by row.
#[derive(Default)]
pub struct Begun {
    /// By row.
    pub illegal: Vec<u64>,
    /// By position.
    pub leaving: Vec<Sure>,
}

impl Begun {
    /// What moves out of the ending tell.
    pub fn new(
        endings: &Endings,
        job: &Job<'_, Endings>,
        rows: &Rows<'_>,
        side: Player,
    ) -> Result<Self, Stopped> {
        let (mut illegal, mut sure) = (vec![!0; rows.count()], vec![Sure::NONE; rows.count() * 64]);
        let leaving = Leaving::new(endings, job, rows, side);
        let blocks = illegal.chunks_mut(rows.block).zip(sure.chunks_mut(rows.block * 64));
        let blocks: Vec<_> = blocks.map(Mutex::new).collect();
        let stage = Stage { doing: "conversions", pass: 1, changed: None };
        job.work.share(stage, blocks.len(), rows.count() as u64 * 64, |pair| {
            let Ok(mut block) = blocks[pair].lock() else { return };
            for row in (0..rows.block).filter_map(|within| rows.row(pair, within)) {
                let within = row.number - pair * rows.block;
                let illegal = rows.illegal(&row, side);
                block.0[within] = illegal;
                if let Ok(sure) = (&mut block.1[within * 64..within * 64 + 64]).try_into() {
                    leaving.row(&row, !illegal, sure);
                }
            }
        })?;
        drop(blocks);
        Ok(Self { illegal, leaving: sure })
    }

    /// Adds the moves of pawns that stay in the ending; `there` tells of the positions after them, by row and square, for who
    /// moves there.
    pub fn step(
        &mut self,
        job: &Job<'_, Endings>,
        rows: &Rows<'_>,
        (side, layer): (Player, &Layer),
        other: &Self,
        there: impl Fn(usize) -> Sure + Sync,
    ) -> Result<(), Stopped> {
        let illegal = &self.illegal;
        let blocks: Vec<_> = self.leaving.chunks_mut(rows.block * 64).map(Mutex::new).collect();
        let stage = Stage { doing: "pawn moves", pass: 1, changed: None };
        job.work.share(stage, blocks.len(), rows.count() as u64 * 64, |pair| {
            let Ok(mut block) = blocks[pair].lock() else { return };
            for &(within, squares) in &layer.rows {
                let Some(row) = rows.row(pair, within) else { continue };
                let leaving = &mut block[within * 64..within * 64 + 64];
                let (legal, here) = (|i: usize| !other.illegal[i], squares & !illegal[row.number]);
                rows.successors(&row, side, legal, here, Which::Pawns, |square, row, to| {
                    leaving[square] = leaving[square].max(there(row * 64 + to));
                });
            }
        })?;
        Ok(())
    }
}

/// An ending that a move leads to.
struct Target<'a> {
    /// None where the game is over.
    table: Option<(&'a Layout, &'a Table)>,
    /// For each of its pieces, which of ours it is.
    from: [usize; MOST],
    /// Are the colours exchanged?
    exchanged: bool,
    /// Who is to move there.
    mover: Player,
}

/// What becomes of the men when a side moves out of the ending.
#[derive(Clone, Copy)]
struct Change {
    taken: Option<usize>,
    promoted: Option<(usize, Kind)>,
}

const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

impl Change {
    /// A small number for each.
    fn code(self) -> usize {
        let promoted = self.promoted.map_or(0, |(i, kind)| 1 + 4 * i + kind as usize - 1);
        self.taken.map_or(0, |i| 1 + i) * (1 + 4 * MOST) + promoted
    }
}

/// What one side's captures and promotions lead to.
pub struct Leaving<'a> {
    rows: &'a Rows<'a>,
    side: Player,
    metric: Metric,
    targets: Vec<Option<Target<'a>>>,
}

impl<'a> Leaving<'a> {
    /// The endings that this side's moves lead to, with their tables.
    pub fn new(endings: &'a Endings, job: &'a Job<'_, Endings>, rows: &'a Rows<'a>, side: Player) -> Self {
        let pieces = &rows.layout.pieces;
        let mut targets: Vec<Option<Target<'_>>> = Vec::new();
        targets.resize_with((1 + MOST) * (1 + 4 * MOST), || None);
        let own = |i: &usize| pieces[*i].1 == side;
        let taken = (0..pieces.len()).filter(|i| !own(i)).map(Some).chain([None]);
        for taken in taken {
            let pawns = (0..pieces.len()).filter(own).filter(|&i| pieces[i].0 == Kind::Pawn);
            let promoted = pawns.flat_map(|i| PROMOTIONS.map(|kind| Some((i, kind)))).chain([None]);
            for promoted in promoted {
                let change = Change { taken, promoted };
                if taken.is_some() || promoted.is_some() {
                    targets[change.code()] = Some(Self::target(endings, job, rows, side, change));
                }
            }
        }
        Self { rows, side, metric: job.metric, targets }
    }

    fn target(
        endings: &'a Endings,
        job: &'a Job<'_, Endings>,
        rows: &Rows<'_>,
        side: Player,
        change: Change,
    ) -> Target<'a> {
        let mut left: Vec<(Kind, Player, usize)> = Vec::new();
        for (i, &(kind, player)) in rows.layout.pieces.iter().enumerate() {
            let kind = change.promoted.filter(|p| p.0 == i).map_or(kind, |p| p.1);
            if change.taken != Some(i) {
                left.push((kind, player, i));
            }
        }
        let mut material = Material::default();
        for &(kind, player, _) in &left {
            material.sides[player.index()][kind as usize] += 1;
        }
        let (normal, mut exchanged) = material.normal();
        exchanged |= material.is_symmetric() && side == Player::FIRST;
        let swap = u8::from(exchanged);
        let mover = Player(side.other().0 ^ swap);
        let mut from = [0; MOST];
        let table = endings.layout(normal).and_then(|layout| {
            for (slot, &(kind, player)) in from.iter_mut().zip(&layout.pieces) {
                let found = left.iter().position(|&(k, p, _)| (k, p.0 ^ swap) == (kind, player.0))?;
                *slot = left.swap_remove(found).2;
            }
            Some((layout, &**job.known.table(&normal)?))
        });
        Target { table, from, exchanged, mover }
    }

    /// What the moves out of the ending are worth for the legal positions of a row.
    pub fn row(&self, row: &Row, legal: u64, sure: &mut [Sure; 64]) {
        let rows = self.rows;
        let last = rows.standing.len();
        let own = |piece: (Kind, Player)| piece.1 == self.side;
        let king = (Kind::King, self.side);
        let movers = rows.standing.iter().enumerate().map(|(i, &piece)| (Some(i), piece, row.squares[i]));
        for (mover, piece, from) in movers.chain([(None, king, row.kings[self.side.index()])]) {
            if !own(piece) {
                continue;
            }
            let reach = attacks(piece, from, row.occupied);
            for (j, &enemy) in rows.standing.iter().enumerate().filter(|(_, enemy)| !own(**enemy)) {
                let to = row.squares[j];
                if reach >> to & 1 != 0 {
                    let clear = if slides(piece.0) { !between(from, to) } else { !0 };
                    debug_assert!(enemy.1 != self.side);
                    self.each(row, legal & clear, mover, |_| to, Some(j), sure);
                }
            }
            if !own(rows.last) {
                self.each(row, legal & reach & !row.occupied, mover, |last| last, Some(last), sure);
            }
            if piece.0 == Kind::Pawn {
                let to = if self.side == Player::FIRST { from + 8 } else { from - 8 };
                if LAST_RANKS >> to & 1 != 0 && row.occupied >> to & 1 == 0 {
                    self.each(row, legal & !(1 << to), mover, |_| to, None, sure);
                }
            }
        }
        if own(rows.last) {
            for (j, _) in rows.standing.iter().enumerate().filter(|(_, enemy)| !own(**enemy)) {
                let to = row.squares[j];
                let from = attacked_from(rows.last, to, row.occupied);
                self.each(row, legal & from, Some(last), |_| to, Some(j), sure);
            }
            if rows.last.0 == Kind::Pawn {
                let ahead = |from: u8| if self.side == Player::FIRST { from + 8 } else { from - 8 };
                let free = !row.occupied;
                let seventh =
                    if self.side == Player::FIRST { 0xFF << 48 & free >> 8 } else { 0xFF00 & free << 8 };
                self.each(row, legal & seventh, Some(last), ahead, None, sure);
            }
        }
    }

    /// Looks up a move of one man for each of these squares of the last piece.
    #[inline]
    fn each(
        &self,
        row: &Row,
        mut lasts: u64,
        mover: Option<usize>,
        to: impl Fn(u8) -> u8,
        taken: Option<usize>,
        sure: &mut [Sure; 64],
    ) {
        let last = self.rows.standing.len();
        while lasts != 0 {
            let square = lasts.trailing_zeros() as u8;
            lasts &= lasts - 1;
            let to = to(square);
            let mut men = Men { kings: row.kings, pieces: row.squares, mover: self.side };
            men.pieces[last] = square;
            let from = match mover {
                Some(i) => std::mem::replace(&mut men.pieces[i], to),
                None => std::mem::replace(&mut men.kings[self.side.index()], to),
            };
            let occupied = (row.occupied | 1 << square) & !(1 << from) | 1 << to;
            if !self.is_safe(men, occupied, taken) {
                continue;
            }
            let pawn = mover.filter(|&i| self.rows.layout.pieces[i].0 == Kind::Pawn);
            let best = match pawn.filter(|_| LAST_RANKS >> to & 1 != 0) {
                Some(i) => {
                    let worth = |kind| self.worth(men, Change { taken, promoted: Some((i, kind)) });
                    PROMOTIONS.into_iter().map(worth).max().unwrap_or(Sure::NONE)
                }
                None => self.worth(men, Change { taken, promoted: None }),
            };
            let slot = &mut sure[usize::from(square)];
            *slot = (*slot).max(best);
        }
    }

    /// Is the own king safe among these men?
    #[inline]
    fn is_safe(&self, men: Men, occupied: u64, taken: Option<usize>) -> bool {
        let king = men.kings[self.side.index()];
        let enemy_king = men.kings[self.side.other().index()];
        if attacks((Kind::King, self.side), king, 0) >> enemy_king & 1 != 0 {
            return false;
        }
        self.rows.layout.pieces.iter().enumerate().all(|(i, &piece)| {
            piece.1 == self.side || taken == Some(i) || {
                let square = men.pieces[i];
                attacks(piece, square, 0) >> king & 1 == 0
                    || slides(piece.0) && between(square, king) & occupied != 0
            }
        })
    }

    /// What the table says of these men.
    #[inline]
    fn worth(&self, men: Men, change: Change) -> Sure {
        let Some(target) = &self.targets[change.code()] else { return Sure::DRAW };
        let Some((layout, table)) = target.table else { return Sure::DRAW };
        let turn = |square: u8| if target.exchanged { square ^ 0x38 } else { square };
        let [white, black] = men.kings.map(turn);
        let kings = if target.exchanged { [black, white] } else { [white, black] };
        let mut pieces = [0; MOST];
        for (slot, &i) in pieces.iter_mut().zip(&target.from[..layout.pieces.len()]) {
            *slot = turn(men.pieces[i]);
        }
        let found = layout.index(Men { kings, pieces, mover: target.mover });
        Sure::before(self.metric, found.and_then(|index| table.get(index)).unwrap_or(0))
    }
}
