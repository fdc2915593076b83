//! The squares of shogi, what attacks what, and the two boards.
//!
//! Squares are numbered by ranks from a, within a rank by files from 1: 1a = 0, 2a = 1, ... 9i = 80. Sente, below,
//! goes towards rank a. The small board is the corner of files 1 to 5 and ranks a to e: what lies beyond counts as
//! occupied, so that lines end there, and is no target.

use endspiel_game::Player;

/// A square: nine times its rank and its file less one.
pub type Square = u8;
/// Files, and ranks, of the large board.
pub const SIDE: usize = 9;
/// Squares of the large board.
pub const SQUARES: usize = SIDE * SIDE;

/// Which board, and so which pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// 9 x 9.
    #[default]
    Standard,
    /// 5 x 5: minishogi.
    Mini,
}

const FIELD: [u128; 2] = [field(SIDE), field(5)];
const ZONES: [[u128; 2]; 2] = [[ranks(SIDE, 0, 3), ranks(SIDE, 6, 9)], [ranks(5, 0, 1), ranks(5, 4, 5)]];

impl Shape {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Standard, Self::Mini];

    /// Files, and ranks.
    #[inline]
    pub fn side(self) -> usize {
        [SIDE, 5][self as usize]
    }

    /// Its squares.
    #[inline]
    pub fn field(self) -> u128 {
        FIELD[self as usize]
    }

    /// The squares on which a player's pieces promote.
    #[inline]
    pub fn zone(self, player: Player) -> u128 {
        ZONES[self as usize][player.index()]
    }

    /// How many pieces of each kind there are, both sides together, in the order of [`Kind`](super::Kind).
    pub fn pieces(self) -> [u8; 8] {
        match self {
            Self::Standard => [2, 2, 2, 4, 4, 4, 4, 18],
            Self::Mini => [2, 2, 2, 2, 2, 0, 0, 2],
        }
    }

    /// The square on the other wing.
    #[inline]
    pub fn mirrored(self, square: Square) -> Square {
        square / 9 * 9 + self.side() as Square - 1 - square % 9
    }

    /// The square that the other player sees where one sees this.
    #[inline]
    pub fn turned(self, square: Square) -> Square {
        let last = self.side() as Square - 1;
        (last - square / 9) * 9 + last - square % 9
    }

    /// The ranks from which a player's pieces that only go forward by so many can still go on.
    #[inline]
    pub(super) fn before_last(self, player: Player, ranks: usize) -> u128 {
        let all = self.field();
        if player == Player::FIRST { all & all << (9 * ranks) } else { all & all >> (9 * ranks) }
    }
}

const fn ranks(side: usize, from: usize, to: usize) -> u128 {
    let (mut set, mut rank) = (0, from);
    while rank < to {
        set |= ((1 << side) - 1) << (9 * rank);
        rank += 1;
    }
    set
}

const fn field(side: usize) -> u128 {
    ranks(side, 0, side)
}

/// All squares of a file, by its number less one.
pub const FILES: [u128; SIDE] = {
    let (mut files, mut i) = ([0; SIDE], 0);
    while i < SQUARES {
        files[i % SIDE] |= 1 << i;
        i += 1;
    }
    files
};

/// The files that a set of squares has part in.
#[inline]
pub fn files_of(set: u128) -> u128 {
    let three = set | set >> 27 | set >> 54;
    ((three | three >> 9 | three >> 18) & 0x1FF) * FILES[0]
}

/// Ways as steps of rank and file: first those that lead to higher numbers, straight ones before oblique ones, then
/// their opposites in the same order.
const WAYS: [(i8, i8); 8] = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)];
/// Straight ways.
pub const STRAIGHT: [usize; 4] = [0, 1, 4, 5];
/// Oblique ways.
pub const OBLIQUE: [usize; 4] = [2, 3, 6, 7];
/// The way forward of each player.
pub const FORWARD: [usize; 2] = [5, 1];

const fn stepped(square: usize, (ranks, files): (i8, i8)) -> Option<usize> {
    let (rank, file) = ((square / SIDE) as i8 + ranks, (square % SIDE) as i8 + files);
    if rank < 0 || rank >= SIDE as i8 || file < 0 || file >= SIDE as i8 {
        return None;
    }
    Some(rank as usize * SIDE + file as usize)
}

/// The squares in each way from each square to the edge of the large board.
static RAYS: [[u128; SQUARES]; 8] = {
    let mut rays = [[0; SQUARES]; 8];
    let mut i = 0;
    while i < 8 * SQUARES {
        let (way, mut at) = (i / SQUARES, i % SQUARES);
        while let Some(next) = stepped(at, WAYS[way]) {
            rays[way][i % SQUARES] |= 1 << next;
            at = next;
        }
        i += 1;
    }
    rays
};

/// The lines through each square, straight and oblique.
pub static LINES: [[u128; SQUARES]; 2] = {
    let mut lines = [[0; SQUARES]; 2];
    let mut i = 0;
    while i < SQUARES {
        let mut way = 0;
        while way < 4 {
            lines[0][i] |= RAYS[STRAIGHT[way]][i];
            lines[1][i] |= RAYS[OBLIQUE[way]][i];
            way += 1;
        }
        i += 1;
    }
    lines
};

/// Where a line leads one way: to what is empty and to the first that is not.
#[inline]
pub fn ray(way: usize, from: Square, all: u128) -> u128 {
    let open = RAYS[way][usize::from(from)];
    let met = open & all;
    if met == 0 {
        return open;
    }
    let first = if way < 4 { met.trailing_zeros() } else { met.ilog2() };
    open ^ RAYS[way][first as usize]
}

/// Where lines lead in some ways.
#[inline]
pub fn rays(ways: [usize; 4], from: Square, all: u128) -> u128 {
    ways.iter().fold(0, |set, &way| set | ray(way, from, all))
}

/// The squares that one way leads to on the empty board.
#[inline]
pub fn way_from(way: usize, from: Square) -> u128 {
    RAYS[way][usize::from(from)]
}

/// The half line from one square through another, and the squares between them; nothing if no line joins them.
#[inline]
pub fn line(from: Square, to: Square) -> (u128, u128) {
    for open in &RAYS {
        let open_from = open[usize::from(from)];
        if open_from >> to & 1 != 0 {
            return (open_from, open_from ^ open[usize::from(to)] ^ 1 << to);
        }
    }
    (0, 0)
}

/// Where pieces step, by player, by twice the kind (one more if promoted) and by square. Rook, bishop and lance have the
/// steps that promotion adds; their lines are [`rays`].
pub static STEPS: [[[u128; SQUARES]; 16]; 2] = {
    const KING: &[(i8, i8)] = &WAYS;
    const GOLD: &[(i8, i8)] = &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0)];
    const SILVER: &[(i8, i8)] = &[(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 1)];
    const KNIGHT: &[(i8, i8)] = &[(-2, -1), (-2, 1)];
    const PAWN: &[(i8, i8)] = &[(-1, 0)];
    const ACROSS: &[(i8, i8)] = &[(-1, -1), (-1, 1), (1, -1), (1, 1)];
    const ALONG: &[(i8, i8)] = &[(-1, 0), (1, 0), (0, -1), (0, 1)];
    // King, rook, bishop, gold, silver, knight, lance, pawn.
    const ALL: [&[(i8, i8)]; 16] =
        [KING, KING, &[], ACROSS, &[], ALONG, GOLD, GOLD, SILVER, GOLD, KNIGHT, GOLD, &[], GOLD, PAWN, GOLD];
    let mut steps = [[[0; SQUARES]; 16]; 2];
    let mut i = 0;
    while i < 16 * SQUARES {
        let (piece, square) = (i / SQUARES, i % SQUARES);
        let mut n = 0;
        while n < ALL[piece].len() {
            let (ranks, files) = ALL[piece][n];
            if let Some(to) = stepped(square, (ranks, files)) {
                steps[0][piece][square] |= 1 << to;
            }
            if let Some(to) = stepped(square, (-ranks, files)) {
                steps[1][piece][square] |= 1 << to;
            }
            n += 1;
        }
        i += 1;
    }
    steps
};

/// The lowest square of a set that is not empty.
#[inline]
pub fn lowest(set: u128) -> Square {
    set.trailing_zeros() as Square
}

/// The squares of a set, the lowest first.
#[inline]
pub fn each_square(mut set: u128) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = lowest(set);
        set &= set - 1;
        Some(square)
    })
}

/// The name of a square: 7g.
pub fn name(square: Square) -> String {
    format!("{}{}", square % 9 + 1, char::from(b'a' + square / 9))
}
