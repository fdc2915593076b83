//! Where an amazon can go: sets of squares as 128 bits, ten a row, on any board of up to 10 x 10.
//!
//! Squares off a smaller board count as occupied, so one table serves all sizes. A line through a square is cut by
//! the nearest obstacles on both sides with one subtraction (the obstruction difference of chess programs).

/// Squares a row in the numbering of squares: a1 is 0, b1 is 1, a2 is 10.
pub const STRIDE: usize = 10;

/// All squares of the 10 x 10 board.
pub const ALL: u128 = (1 << 100) - 1;

const LEFT: u128 = {
    let (mut set, mut row) = (0, 0);
    while row < STRIDE {
        set |= 1 << (row * STRIDE);
        row += 1;
    }
    set
};
const RIGHT: u128 = LEFT << (STRIDE - 1);

/// The squares below and above a square on one line through it, in the order of their numbers.
#[derive(Clone, Copy)]
struct Line {
    below: u128,
    above: u128,
}

const fn ray(square: usize, x: i32, y: i32) -> u128 {
    let (mut column, mut row) = ((square % STRIDE) as i32 + x, (square / STRIDE) as i32 + y);
    let mut set = 0;
    while 0 <= column && column < STRIDE as i32 && 0 <= row && row < STRIDE as i32 {
        set |= 1 << (row as usize * STRIDE + column as usize);
        (column, row) = (column + x, row + y);
    }
    set
}

static LINES: [[Line; 4]; 100] = {
    let mut table = [[Line { below: 0, above: 0 }; 4]; 100];
    let steps = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut square = 0;
    while square < 100 {
        let mut i = 0;
        while i < 4 {
            let (x, y) = steps[i];
            table[square][i] = Line { below: ray(square, -x, -y), above: ray(square, x, y) };
            i += 1;
        }
        square += 1;
    }
    table
};

/// The empty squares a queen can move to from `square`. Squares off the board must be in `occupied`.
#[inline]
pub fn queen(square: usize, occupied: u128) -> u128 {
    let mut reached = 0;
    for line in &LINES[square] {
        let nearest_below = 1u128 << ((occupied & line.below) | 1).ilog2();
        let above = occupied & line.above;
        reached |= (above ^ above.wrapping_sub(nearest_below)) & (line.below | line.above);
    }
    reached & !occupied
}

/// A set of squares and all their neighbours.
#[inline]
pub fn spread(set: u128) -> u128 {
    let row = set | (set & !RIGHT) << 1 | (set & !LEFT) >> 1;
    (row | row << STRIDE | row >> STRIDE) & ALL
}

/// The squares of a set, lowest first.
pub fn squares(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as usize;
            set &= set - 1;
            square
        })
    })
}

/// The square of a set with `below` squares of it below; the set must have more than that.
#[inline]
pub fn nth(set: u128, below: usize) -> usize {
    let (low, high) = (set as u64, (set >> 64) as u64);
    let ones = low.count_ones() as usize;
    if below < ones { crate::bits::select(low, below) } else { 64 + crate::bits::select(high, below - ones) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::Rng;

    #[test]
    fn queens_agree_with_walking() {
        let mut rng = Rng::new(1);
        for round in 0..20_000 {
            let mut occupied = u128::from(rng.bits()) << 64 | u128::from(rng.bits());
            for _ in 0..round % 4 {
                occupied &= u128::from(rng.bits()) << 64 | u128::from(rng.bits());
            }
            let square = rng.below(100);
            let mut expected = 0;
            for (x, y) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
                let (mut column, mut row) = ((square % 10) as i32 + x, (square / 10) as i32 + y);
                while (0..10).contains(&column)
                    && (0..10).contains(&row)
                    && occupied >> (10 * row + column) & 1 == 0
                {
                    expected |= 1 << (10 * row + column);
                    (column, row) = (column + x, row + y);
                }
            }
            assert_eq!(queen(square, occupied), expected, "{square} {occupied:x}");
        }
    }

    #[test]
    fn sets_are_listed_and_picked_in_order() {
        let set = 1 << 3 | 1 << 63 | 1 << 64 | 1 << 99;
        assert_eq!(squares(set).collect::<Vec<_>>(), [3, 63, 64, 99]);
        assert_eq!([0, 1, 2, 3].map(|i| nth(set, i)), [3, 63, 64, 99]);
        assert_eq!(squares(spread(1 << 9 | 1 << 90)).collect::<Vec<_>>(), [8, 9, 18, 19, 80, 81, 90, 91]);
    }
}
