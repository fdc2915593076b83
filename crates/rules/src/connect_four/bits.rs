//! Lines of four in a bitboard of columns.
//!
//! A column takes `stride` bits, from the bottom up: one a cell and one that stays empty above them, so that
//! no line runs from one column into the next. Neighbours lie 1 (up), `stride` (right) and `stride` +- 1
//! (diagonally) apart. The layout is that of J. Tromp's and P. Pons' solvers. Boards of the usual height take
//! a path with the stride known at compile time.

/// The stride of boards of height 6.
const USUAL: u32 = 7;

/// Do `stones` hold four in a row? On boards narrower than four only columns count.
#[inline(always)]
pub fn has_four(stones: u64, stride: u32, width: u32) -> bool {
    let in_direction = |by: u32| {
        let pairs = stones & stones >> by;
        pairs & pairs >> (2 * by)
    };
    if stride == USUAL {
        in_direction(1) | in_direction(USUAL - 1) | in_direction(USUAL) | in_direction(USUAL + 1) != 0
    } else if width < 4 {
        in_direction(1) != 0
    } else {
        in_direction(1) | in_direction(stride - 1) | in_direction(stride) | in_direction(stride + 1) != 0
    }
}

/// The cells that would complete a four of `stones`, whether empty, taken or off the board.
#[inline(always)]
pub fn completing(stones: u64, stride: u32, width: u32) -> u64 {
    let up = stones << 1 & stones << 2 & stones << 3;
    // Three of the four cells of a line are there: xxx., xx.x, x.xx, .xxx.
    let in_direction = |by: u32| {
        let below = stones << by & stones << (2 * by);
        let above = stones >> by & stones >> (2 * by);
        below & (stones << (3 * by) | stones >> by) | above & (stones >> (3 * by) | stones << by)
    };
    if stride == USUAL {
        up | in_direction(USUAL - 1) | in_direction(USUAL) | in_direction(USUAL + 1)
    } else if width < 4 {
        up
    } else {
        up | in_direction(stride - 1) | in_direction(stride) | in_direction(stride + 1)
    }
}

/// The cells of all fours of `stones`.
pub fn fours(stones: u64, stride: u32, width: u32) -> u64 {
    let in_direction = |by: u32| {
        let pairs = stones & stones >> by;
        let lowest = pairs & pairs >> (2 * by);
        lowest | lowest << by | lowest << (2 * by) | lowest << (3 * by)
    };
    let up = in_direction(1);
    if width < 4 {
        up
    } else {
        up | in_direction(stride - 1) | in_direction(stride) | in_direction(stride + 1)
    }
}

/// The columns of `bits` in the opposite order.
#[inline(always)]
pub fn mirrored(bits: u64, stride: u32, width: u32) -> u64 {
    let reverse = |stride: u32, width: u32| {
        let column = (1 << stride) - 1;
        (0..width).fold(0, |out, c| out << stride | bits >> (c * stride) & column)
    };
    if stride == USUAL && width == 7 {
        reverse(USUAL, 7)
    } else if width == 1 {
        bits
    } else {
        reverse(stride, width)
    }
}

/// The number of bits in `some`, a part of the `bottom` cells.
#[inline(always)]
pub fn count_bottom(some: u64, bottom: u64, stride: u32, width: u32) -> usize {
    if stride == USUAL {
        // The product has the sum of all columns in each of its columns from the last on, and 9 fit in 7 bits.
        (some.wrapping_mul(bottom) >> (USUAL * (width - 1)) & 0x7f) as usize
    } else {
        some.count_ones() as usize
    }
}
