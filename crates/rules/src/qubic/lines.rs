//! The 76 lines of four cubes: 48 along an axis, 24 diagonals of planes, 4 diagonals of the whole cube.
//!
//! The 8 corners and the 8 inner cubes lie on 7 lines each, the other 48 cubes on 4 (Allis 1994, 4.1).

/// How many lines there are.
pub const LINE_COUNT: usize = 76;

/// Each line as a set of cubes; cube x + 4y + 16z is that bit.
pub const LINES: [u64; LINE_COUNT] = lines();

/// The lines through each cube, in the order of [`LINES`]: the first [`THROUGH_COUNT`] of the seven.
/// The places beyond repeat the first line, so that all seven may be looked at.
pub const THROUGH: [[u64; 7]; 64] = through().0;

/// How many lines go through each cube: 7 or 4.
pub const THROUGH_COUNT: [u8; 64] = through().1;

/// Does a line in the direction `step` begin at `point`? It fills the side of the cube, so a coordinate that
/// changes runs from 0 up or from 3 down.
const fn begins(point: [i32; 3], step: [i32; 3]) -> bool {
    let mut axis = 0;
    let mut all = true;
    while axis < 3 {
        let right = match step[axis] {
            1 => point[axis] == 0,
            -1 => point[axis] == 3,
            _ => true,
        };
        all = all && right;
        axis += 1;
    }
    all
}

const fn lines() -> [u64; LINE_COUNT] {
    let mut lines = [0; LINE_COUNT];
    let mut count = 0;
    let mut direction = 14;
    // The directions 14 to 26, as three digits to the base 3 less 1 each, are one of each opposite pair.
    while direction < 27 {
        let step = [direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1];
        let mut cube = 0;
        while cube < 64 {
            if begins([cube % 4, cube / 4 % 4, cube / 16], step) {
                let difference = step[0] + 4 * step[1] + 16 * step[2];
                let mut i = 0;
                while i < 4 {
                    lines[count] |= 1 << (cube + i * difference);
                    i += 1;
                }
                count += 1;
            }
            cube += 1;
        }
        direction += 1;
    }
    assert!(count == LINE_COUNT);
    lines
}

const fn through() -> ([[u64; 7]; 64], [u8; 64]) {
    let (mut masks, mut counts) = ([[0; 7]; 64], [0; 64]);
    let mut cube = 0;
    while cube < 64 {
        let mut line = 0;
        while line < LINE_COUNT {
            if LINES[line] >> cube & 1 == 1 {
                masks[cube][counts[cube] as usize] = LINES[line];
                counts[cube] += 1;
            }
            line += 1;
        }
        let mut i = counts[cube] as usize;
        while i < 7 {
            masks[cube][i] = masks[cube][0];
            i += 1;
        }
        cube += 1;
    }
    (masks, counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_the_published_ones() {
        let mut lines = LINES.to_vec();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), 76);
        assert!(lines.iter().all(|line| line.count_ones() == 4));
        let rich: Vec<usize> = (0..64).filter(|&cube| THROUGH_COUNT[cube] == 7).collect();
        assert_eq!(rich, [0, 3, 12, 15, 21, 22, 25, 26, 37, 38, 41, 42, 48, 51, 60, 63]);
        assert!((0..64).all(|cube| rich.contains(&cube) || THROUGH_COUNT[cube] == 4));
        // The four diagonals of the whole cube.
        for line in [[0, 21, 42, 63], [3, 22, 41, 60], [12, 25, 38, 51], [15, 26, 37, 48]] {
            assert!(LINES.contains(&line.iter().fold(0, |set, cube| set | 1 << cube)));
        }
    }
}
