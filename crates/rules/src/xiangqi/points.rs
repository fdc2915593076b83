//! The points of the board and where pieces can step from them: a0 = 0, b0 = 1, ... i9 = 89, Red below.

/// Files, a to i.
pub const FILES: usize = 9;
/// Ranks, 0 to 9.
pub const RANKS: usize = 10;
/// All points.
pub const POINTS: usize = FILES * RANKS;

/// A point, below [`POINTS`].
pub type Point = u8;

/// The point on the other wing.
#[inline]
pub const fn mirrored(point: Point) -> Point {
    let file = point % 9;
    point - file + (8 - file)
}

/// The point as the other side sees it.
#[inline]
pub(super) const fn opposite(point: Point) -> Point {
    (9 - point / 9) * 9 + point % 9
}

/// The lowest point of a set that is not empty.
#[inline]
pub(super) const fn lowest(set: u128) -> Point {
    set.trailing_zeros() as Point
}

/// The points of a set, the lowest first.
#[inline]
pub(super) fn each_point(mut set: u128, mut each: impl FnMut(Point)) {
    while set != 0 {
        each(lowest(set));
        set &= set - 1;
    }
}

/// A point so many files and ranks away, if the board has it.
const fn beside(point: usize, files: i32, ranks: i32) -> Option<usize> {
    let (file, rank) = ((point % FILES) as i32 + files, (point / FILES) as i32 + ranks);
    if file < 0 || file >= FILES as i32 || rank < 0 || rank >= RANKS as i32 {
        return None;
    }
    Some(rank as usize * FILES + file as usize)
}

/// Is it in one of the palaces?
const fn in_palace(point: usize) -> bool {
    let (file, rank) = (point % FILES, point / FILES);
    file >= 3 && file <= 5 && (rank <= 2 || rank >= 7)
}

/// The points of the four given directions, both ways, that a piece inside a palace can step to.
const fn palace_steps(directions: [(i32, i32); 4]) -> [u128; POINTS] {
    let (mut table, mut i) = ([0; POINTS], 0);
    while i < POINTS * 4 {
        let (point, (files, ranks)) = (i / 4, directions[i % 4]);
        if let Some(to) = beside(point, files, ranks)
            && in_palace(point)
            && in_palace(to)
        {
            table[point] |= 1 << to;
        }
        i += 1;
    }
    table
}

/// Where kings step.
pub(super) static KING: [u128; POINTS] = palace_steps([(1, 0), (-1, 0), (0, 1), (0, -1)]);

/// Where guards step from the points that they can stand on.
pub(super) static GUARD: [u128; POINTS] = palace_steps([(1, 1), (-1, 1), (1, -1), (-1, -1)]);

/// Where pawns step: Red's, then Black's.
pub(super) static PAWN: [[u128; POINTS]; 2] = {
    let (mut table, mut i) = ([[0; POINTS]; 2], 0);
    while i < 2 * POINTS {
        let (player, point) = (i / POINTS, i % POINTS);
        let rank = point / FILES;
        let (ahead, beyond) = if player == 0 { (1, rank >= 5) } else { (-1, rank <= 4) };
        if let Some(to) = beside(point, 0, ahead) {
            table[player][point] |= 1 << to;
        }
        if beyond {
            if let Some(to) = beside(point, 1, 0) {
                table[player][point] |= 1 << to;
            }
            if let Some(to) = beside(point, -1, 0) {
                table[player][point] |= 1 << to;
            }
        }
        i += 1;
    }
    table
};

/// Where pawns can have stepped from: Red's, then Black's.
pub(super) static PAWN_BACK: [[u128; POINTS]; 2] = {
    let (mut table, mut i) = ([[0; POINTS]; 2], 0);
    while i < 2 * POINTS {
        let (player, from) = (i / POINTS, i % POINTS);
        let mut to = 0;
        while to < POINTS {
            if PAWN[player][from] >> to & 1 != 0 && PAWNS[player] >> from & 1 != 0 {
                table[player][to] |= 1 << from;
            }
            to += 1;
        }
        i += 1;
    }
    table
};

/// A leap and the point that must be free for it; `to` is 255 behind the last one.
#[derive(Clone, Copy)]
pub(super) struct Leap {
    pub to: Point,
    pub over: Point,
}

const NO_LEAP: Leap = Leap { to: 255, over: 0 };

/// Where ministers go, and the point between.
pub(super) static MINISTER: [[Leap; 4]; POINTS] = {
    let (mut table, mut i) = ([[NO_LEAP; 4]; POINTS], 0);
    let ways = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
    while i < POINTS {
        let (mut way, mut count) = (0, 0);
        while way < 4 {
            let (files, ranks) = ways[way];
            if let (Some(to), Some(over)) = (beside(i, 2 * files, 2 * ranks), beside(i, files, ranks))
                && (to < POINTS / 2) == (i < POINTS / 2)
            {
                table[i][count] = Leap { to: to as Point, over: over as Point };
                count += 1;
            }
            way += 1;
        }
        i += 1;
    }
    table
};

const KNIGHT_WAYS: [(i32, i32); 8] = [(1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)];

const fn knight(back: bool) -> [[Leap; 8]; POINTS] {
    let (mut table, mut i) = ([[NO_LEAP; 8]; POINTS], 0);
    while i < POINTS {
        let (mut way, mut count) = (0, 0);
        while way < 8 {
            let (files, ranks) = KNIGHT_WAYS[way];
            if let Some(to) = beside(i, files, ranks) {
                // The leg stands beside the point that the knight leaves.
                let near = beside(if back { to } else { i }, files / 2, ranks / 2);
                let far = beside(if back { to } else { i }, -files / 2, -ranks / 2);
                if let Some(over) = if back { far } else { near } {
                    table[i][count] = Leap { to: to as Point, over: over as Point };
                    count += 1;
                }
            }
            way += 1;
        }
        i += 1;
    }
    table
}

/// Where knights go, and the leg that must be free.
pub(super) static KNIGHT: [[Leap; 8]; POINTS] = knight(false);

/// Where knights can have come from, and the leg that was free.
pub(super) static KNIGHT_BACK: [[Leap; 8]; POINTS] = knight(true);

/// The points from which a piece could attack a king here: its lines and a knight's leaps.
pub(super) static NEAR: [u128; POINTS] = {
    let (mut table, mut i) = ([0; POINTS], 0);
    while i < POINTS {
        let mut other = 0;
        while other < POINTS {
            let (files, ranks) = ((other % FILES).abs_diff(i % FILES), (other / FILES).abs_diff(i / FILES));
            let leaps = files == 1 && ranks == 2 || files == 2 && ranks == 1;
            if (files == 0) != (ranks == 0) || leaps {
                table[i] |= 1 << other;
            }
            other += 1;
        }
        i += 1;
    }
    table
};

const FILE_A: u128 = {
    let (mut set, mut rank) = (0, 0);
    while rank < RANKS {
        set |= 1 << (rank * FILES);
        rank += 1;
    }
    set
};

/// The points between two on one line.
#[inline]
pub(super) const fn between(a: Point, b: Point) -> u128 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let range = (1_u128 << high) - (2_u128 << low);
    if a / 9 == b / 9 { range } else { range & FILE_A << (a % 9) }
}

/// Where each side's pieces can stand: ministers.
pub(super) const MINISTERS: [u128; 2] = [
    1 << 2 | 1 << 6 | 1 << 18 | 1 << 22 | 1 << 26 | 1 << 38 | 1 << 42,
    1 << 83 | 1 << 87 | 1 << 63 | 1 << 67 | 1 << 71 | 1 << 47 | 1 << 51,
];

/// Guards.
pub(super) const GUARDS: [u128; 2] =
    [1 << 3 | 1 << 5 | 1 << 13 | 1 << 21 | 1 << 23, 1 << 84 | 1 << 86 | 1 << 76 | 1 << 66 | 1 << 68];

/// Kings.
pub(super) const KINGS: [u128; 2] = [0o7 << 3 | 0o7 << 12 | 0o7 << 21, 0o7 << 66 | 0o7 << 75 | 0o7 << 84];

/// Pawns: every other file before the river, everywhere beyond it.
pub(super) const PAWNS: [u128; 2] = {
    let every_other = 0b1_0101_0101;
    let half = (1 << 45) - 1;
    [every_other << 27 | every_other << 36 | half << 45, every_other << 54 | every_other << 45 | half]
};
