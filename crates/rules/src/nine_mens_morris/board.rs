//! The position: two sets of points, the men in hand, and who is to move.

use super::points::{self, ALL, NEIGHBOURS, Points, SYMMETRIES, each, in_mill, milled};
use endspiel_game::{Payoff, Player, Position, Symmetric, Turn, TwoPlayer, mix};

/// Men of a side at the start.
pub const MEN: u8 = 9;
/// With so many men a side may fly.
pub const FLYING: u32 = 3;

/// A move: put a man on `to`, or move it there from `from`, and take one off `takes`. [`Move::NONE`] stands where
/// there is no such point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the man comes from; none from the hand.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
    /// The enemy man that is taken.
    pub takes: u8,
}

impl Move {
    /// No point.
    pub const NONE: u8 = 24;
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    men: [Points; 2],
    hand: [u8; 2],
    mover: Player,
    over: bool,
}

impl Board {
    /// An empty board, all men in hand.
    pub const START: Self = Self { men: [0; 2], hand: [MEN; 2], mover: Player::FIRST, over: false };

    /// The position with these men on the board and in hand; none if a point is taken twice or somebody has more than
    /// nine men.
    pub fn new(men: [Points; 2], hand: [u8; 2], mover: Player) -> Option<Self> {
        let many = |i: usize| men[i].count_ones() + u32::from(hand[i]);
        if men[0] & men[1] != 0 || (men[0] | men[1]) & !ALL != 0 || many(0).max(many(1)) > MEN.into() {
            return None;
        }
        let mut board = Self { men, hand, mover, over: false };
        board.settle();
        Some(board)
    }

    /// A player's men on the board.
    #[inline]
    pub fn men(&self, player: Player) -> Points {
        self.men[player.index()]
    }

    /// A player's men in hand.
    #[inline]
    pub fn hand(&self, player: Player) -> u8 {
        self.hand[player.index()]
    }

    /// Who is to move, or would be if the game were not over.
    #[inline]
    pub fn side(&self) -> Player {
        self.mover
    }

    fn empty(&self) -> Points {
        ALL & !(self.men[0] | self.men[1])
    }

    /// Over if a side has fewer than three men, or the side to move has no move.
    #[inline]
    fn settle(&mut self) {
        let me = self.mover.index();
        let many = |i: usize| self.men[i].count_ones() + u32::from(self.hand[i]);
        let stuck = self.hand[me] == 0
            && self.men[me].count_ones() > FLYING
            && points::neighbours(self.men[me]) & self.empty() == 0;
        self.over = many(0).min(many(1)) < FLYING || stuck;
    }

    /// The enemy men that may be taken: those in no mill, or all if all are in mills.
    #[inline]
    fn takeable(&self) -> Points {
        let men = self.men[self.mover.other().index()];
        match men & !milled(men) {
            0 => men,
            open => open,
        }
    }

    /// Calls `each` with every position from which a move without a capture, of a man on the board, leads here.
    pub fn before_moves(&self, mut found: impl FnMut(Self)) {
        let (me, other) = (self.mover.index(), self.mover.other().index());
        let men = self.men[other];
        if self.hand != [0, 0] || self.men[me].count_ones() < FLYING || men.count_ones() < FLYING {
            return;
        }
        for to in each(men) {
            // Who closes a mill takes a man.
            if in_mill(men, to) {
                continue;
            }
            let reach = if men.count_ones() == FLYING { ALL } else { NEIGHBOURS[to] };
            for from in each(reach & self.empty()) {
                let mut before = *self;
                before.men[other] = men & !(1 << to) | 1 << from;
                before.mover = self.mover.other();
                before.over = false;
                found(before);
            }
        }
    }
}

impl Position for Board {
    type Move = Move;
    const CYCLIC: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        if self.over { Turn::Over } else { Turn::Player(self.mover) }
    }

    #[inline]
    fn moves(&self, mut found: impl FnMut(Move)) {
        if self.over {
            return;
        }
        let me = self.mover.index();
        let (men, empty) = (self.men[me], self.empty());
        let takeable = self.takeable();
        let mut go = |left: Points, from: u8, to: usize| {
            let to_byte = to as u8;
            if in_mill(left, to) && takeable != 0 {
                each(takeable).for_each(|man| found(Move { from, to: to_byte, takes: man as u8 }));
            } else {
                found(Move { from, to: to_byte, takes: Move::NONE });
            }
        };
        if self.hand[me] > 0 {
            each(empty).for_each(|to| go(men, Move::NONE, to));
            return;
        }
        let flies = men.count_ones() == FLYING;
        for from in each(men) {
            let reach = if flies { ALL } else { NEIGHBOURS[from] };
            each(reach & empty).for_each(|to| go(men & !(1 << from), from as u8, to));
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let (me, other) = (self.mover.index(), self.mover.other().index());
        if m.from == Move::NONE {
            self.hand[me] -= 1;
        } else {
            self.men[me] &= !(1 << m.from);
        }
        self.men[me] |= 1 << m.to;
        if m.takes != Move::NONE {
            self.men[other] &= !(1 << m.takes);
        }
        self.mover = self.mover.other();
        self.settle();
    }

    /// Who has too few men, or cannot move, has lost.
    fn payoff(&self) -> Payoff {
        let many = |i: usize| self.men[i].count_ones() + u32::from(self.hand[i]);
        let other = self.mover.other();
        if many(other.index()) < FLYING && many(self.mover.index()) >= FLYING {
            Payoff::win(self.mover)
        } else {
            Payoff::win(other)
        }
    }

    fn key(&self) -> u64 {
        let hand = u64::from(self.hand[0]) * 10 + u64::from(self.hand[1]);
        let rest = 2 * hand + u64::from(self.mover.0);
        mix(u64::from(self.men[0]) | u64::from(self.men[1]) << 24 | rest << 48)
    }
}

impl TwoPlayer for Board {}

impl Symmetric for Board {
    fn symmetries(&self) -> usize {
        SYMMETRIES
    }

    fn image(&self, s: usize) -> Self {
        Self { men: self.men.map(|men| points::image(men, s)), ..*self }
    }

    fn image_move(&self, m: Move, s: usize) -> Move {
        let image = |point: u8| {
            if point == Move::NONE { point } else { points::image_point(point.into(), s) as u8 }
        };
        Move { from: image(m.from), to: image(m.to), takes: image(m.takes) }
    }
}
