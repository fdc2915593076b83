//! Othello on bitboards: where discs may go, what they turn, and the symmetries of the square.
//!
//! Square (column c, row r) is bit 8 r + c, whatever the size of the board; boards of 4x4 and 6x6 lie in the
//! corner of the lowest bits. Squares off a small board are empty, so lines end there as at a wall.
//!
//! Moves are found for all squares at once by parallel prefix (each step doubles the length of the runs of
//! opposing discs looked along). Turned discs are found ray by ray: a carry runs up a ray through opposing
//! discs to the first other square; down a ray that square is the leading one.

/// Everything but the first and the last column: discs there are not turned along rows or diagonals, and
/// leaving them out keeps shifts from running into the next row.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The squares of a board of `size` x `size`.
pub const fn squares(size: u8) -> u64 {
    let row = (1u64 << size) - 1;
    let (mut all, mut r) = (0, 0);
    while r < size {
        all |= row << (8 * r);
        r += 1;
    }
    all
}

/// The squares, empty or not, where a disc of `own` would turn some of `opponent` in the two directions of
/// shifts by `by`. Only `opponent` discs are passed over.
#[inline(always)]
fn bracketed(own: u64, opponent: u64, by: u32) -> u64 {
    let mut up = own << by & opponent;
    let mut down = own >> by & opponent;
    up |= up << by & opponent;
    down |= down >> by & opponent;
    let two_up = opponent & opponent << by;
    let two_down = two_up >> by;
    up |= up << (2 * by) & two_up;
    down |= down >> (2 * by) & two_down;
    up |= up << (2 * by) & two_up;
    down |= down >> (2 * by) & two_down;
    up << by | down >> by
}

/// As [`bracketed`], for discs caught to the right of the square alone.
#[inline(always)]
fn left(own: u64, opponent: u64) -> u64 {
    let mut run = own >> 1 & opponent;
    run |= run >> 1 & opponent;
    let two = opponent & opponent >> 1;
    run |= run >> 2 & two;
    run |= run >> 2 & two;
    run >> 1
}

/// The squares among `empty` where `own` may put a disc.
#[inline(always)]
pub fn legal(own: u64, opponent: u64, empty: u64) -> u64 {
    let inner = opponent & INNER;
    // To the right along rows a carry does the walking: it starts next to a disc of `own` and comes to
    // rest behind the run.
    let right = ((own << 1 & inner) + inner) & !inner;
    let all = right
        | left(own, inner)
        | bracketed(own, opponent, 8)
        | bracketed(own, inner, 7)
        | bracketed(own, inner, 9);
    all & empty
}

/// For each square the rays towards greater numbers (right, down-left, down, down-right) and those towards
/// smaller ones (left, up-right, up, up-left), without the square.
static RAYS: [([u64; 4], [u64; 4]); 64] = rays();

const fn rays() -> [([u64; 4], [u64; 4]); 64] {
    const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut out = [([0; 4], [0; 4]); 64];
    let mut from = 0;
    while from < 64 {
        let mut d = 0;
        while d < 4 {
            let (dx, dy) = DIRECTIONS[d];
            let mut steps = 1;
            while steps < 8 {
                let (x, y) = (from as i32 % 8, from as i32 / 8);
                let (fx, fy) = (x + steps * dx, y + steps * dy);
                if fx >= 0 && fx < 8 && fy >= 0 && fy < 8 {
                    out[from].0[d] |= 1 << (8 * fy + fx);
                }
                let (bx, by) = (x - steps * dx, y - steps * dy);
                if bx >= 0 && bx < 8 && by >= 0 && by < 8 {
                    out[from].1[d] |= 1 << (8 * by + bx);
                }
                steps += 1;
            }
            d += 1;
        }
        from += 1;
    }
    out
}

/// The discs of `opponent` that a disc of `own` on `square` turns.
#[inline(always)]
pub fn turned(own: u64, opponent: u64, square: u8) -> u64 {
    let (up, down) = &RAYS[usize::from(square & 63)];
    let mut out = 0;
    for &ray in up {
        // The carry starts below the ray and comes to rest on its first square without an opposing disc.
        let end = (opponent | !ray).wrapping_add(1) & own & ray;
        out |= end.saturating_sub(1) & ray;
    }
    for &ray in down {
        // The first square without an opposing disc; bit 0 does no harm where there is none.
        let end = 1 << 63 >> (ray & !opponent | 1).leading_zeros() & own & ray;
        out |= end.wrapping_neg() << 1 & ray;
    }
    out
}

/// The board under symmetry `s`: bit 0 exchanges left and right, then bit 1 top and bottom, then bit 2
/// columns and rows.
#[inline(always)]
pub fn image(mut bits: u64, s: usize, size: u8) -> u64 {
    if s & 1 != 0 {
        bits = bits.swap_bytes().reverse_bits() >> (8 - size);
    }
    if s & 2 != 0 {
        bits = bits.swap_bytes() >> (8 * (8 - size));
    }
    if s & 4 != 0 {
        // Exchange the off-diagonal squares of 2x2, then blocks in 4x4, then in 8x8.
        for (mask, by) in [(0x00aa_00aa_00aa_00aa, 7), (0x0000_cccc_0000_cccc, 14), (0xf0f0_f0f0, 28)] {
            let change = (bits ^ bits >> by) & mask;
            bits ^= change ^ change << by;
        }
    }
    bits
}

/// Where symmetry `s` takes a square.
pub fn image_square(square: u8, s: usize, size: u8) -> u8 {
    let (mut x, mut y) = (square % 8, square / 8);
    if s & 1 != 0 {
        x = size - 1 - x;
    }
    if s & 2 != 0 {
        y = size - 1 - y;
    }
    if s & 4 != 0 { 8 * x + y } else { 8 * y + x }
}

/// Does every disc of `discs` hang together with every other, by sides or corners?
pub fn connected(discs: u64) -> bool {
    let mut reached = discs & discs.wrapping_neg();
    loop {
        let sides = (reached & !0x0101_0101_0101_0101) >> 1 | (reached & !0x8080_8080_8080_8080) << 1;
        let rows = reached | sides;
        let next = (rows | rows << 8 | rows >> 8) & discs;
        if next == reached {
            return reached == discs;
        }
        reached = next;
    }
}
