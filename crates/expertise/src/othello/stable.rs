//! Stable discs: those that no play can turn any more.
//!
//! A disc is stable when in each of the four line directions it is safe: the line is full, or one of its two
//! neighbours there is off the board or a stable disc of its own colour. The set is built up until it grows
//! no more; it is sound, not complete. Cost: a hundred or two operations on words.

/// The discs of `own` that are found to be stable on a board of `size` x `size`.
pub(super) fn discs(own: u64, opponent: u64, size: usize) -> u64 {
    let sides = &SIDES[size / 2];
    if own & sides.corners == 0 && (own | opponent) & sides.corners != sides.corners {
        // Without a corner there are stable discs only on a nearly full board.
        if (sides.all & !(own | opponent)).count_ones() > 8 {
            return 0;
        }
    }
    let empty = sides.all & !(own | opponent);
    let safe = [1, 8, 7, 9].map(|by| {
        // Empty squares spread along the lines: what they do not reach is full.
        let open = spread(empty, by, sides);
        sides.ends(by) | !open
    });
    let mut stable = 0;
    loop {
        let grown = [1, 8, 7, 9]
            .iter()
            .zip(safe)
            .fold(own, |discs, (&by, safe)| discs & (safe | sides.up(stable, by) | sides.down(stable, by)));
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// All squares on lines through `squares` in the direction of shifts by `by`.
#[inline(always)]
fn spread(squares: u64, by: u32, sides: &Sides) -> u64 {
    let (mut up, mut down) = (squares, squares);
    for _ in 1..sides.size {
        up |= sides.up(up, by);
        down |= sides.down(down, by);
    }
    up | down
}

/// The borders of a board.
struct Sides {
    size: u32,
    all: u64,
    corners: u64,
    left: u64,
    right: u64,
    rows: u64,
}

impl Sides {
    /// The squares that have no neighbour on one side in the direction of shifts by `by`.
    #[inline(always)]
    fn ends(&self, by: u32) -> u64 {
        match by {
            1 => self.left | self.right,
            8 => self.rows,
            _ => self.left | self.right | self.rows,
        }
    }

    /// One step to greater numbers.
    #[inline(always)]
    fn up(&self, squares: u64, by: u32) -> u64 {
        let wrapped = match by {
            1 | 9 => self.left,
            7 => self.right,
            _ => 0,
        };
        squares << by & self.all & !wrapped
    }

    /// One step to smaller numbers.
    #[inline(always)]
    fn down(&self, squares: u64, by: u32) -> u64 {
        let wrapped = match by {
            1 | 9 => self.right,
            7 => self.left,
            _ => 0,
        };
        squares >> by & self.all & !wrapped
    }
}

/// By half the size of the board.
static SIDES: [Sides; 5] = [sides(2), sides(2), sides(4), sides(6), sides(8)];

const fn sides(size: u32) -> Sides {
    let row = (1u64 << size) - 1;
    let (mut all, mut left, mut r) = (0, 0, 0);
    while r < size {
        all |= row << (8 * r);
        left |= 1 << (8 * r);
        r += 1;
    }
    let right = left << (size - 1);
    let rows = row | row << (8 * (size - 1));
    Sides { size, all, corners: (left | right) & rows, left, right, rows }
}
