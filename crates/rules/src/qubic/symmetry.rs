//! The 192 automorphisms: the maps of the 64 cubes that keep the set of 76 lines.
//!
//! They are the 48 rotations and reflections of the cube, times the relabellings of the coordinates, the
//! same on all axes, that commute with reversal: (0 1)(2 3), (1 2) and their product (Allis 1994, 4.2.3).
//! In the six bits of a cube's number (two an axis) every one of them is a permutation of the bits, one of
//! 12, followed by an exclusive or, one of 16. So an image of a set of cubes is a few masked shifts, and a
//! walk through all 192 that changes one thing at a time finds the least image in some hundred instructions.

/// How many automorphisms there are.
pub const SYMMETRIES: usize = 192;

/// The 16 numbers to which the last step adds (exclusive or), in an order in which neighbours differ by one
/// of 000011, 001100, 110000 (an axis reversed) and 010101 (the relabelling (0 1)(2 3)).
const FLIPS: [u8; 16] = flips();

/// Where each automorphism takes each cube. Number 0 is the identity; number 16 p + f permutes the bits by
/// the p-th permutation of the walk, then flips by `FLIPS[f]`.
pub const MAPS: [[u8; 64]; SYMMETRIES] = maps();

/// The generator that a Gray code changes on its way to number `i`: the place of its lowest one.
const GENERATORS: [u8; 4] = [0b00_0011, 0b11_0000, 0b00_1100, 0b01_0101];

const fn flips() -> [u8; 16] {
    let mut flips = [0; 16];
    let mut i = 1;
    while i < 16 {
        flips[i] = flips[i - 1] ^ GENERATORS[(i as u32).trailing_zeros() as usize];
        i += 1;
    }
    flips
}

/// A number with its bits `low` and `low + apart` exchanged.
const fn swap_number(number: u8, low: u32, apart: u32) -> u8 {
    let difference = (number >> low ^ number >> (low + apart)) & 1;
    number ^ (difference << low) ^ (difference << (low + apart))
}

/// One step of the walk through the 12 permutations of bits, on a cube's number: odd steps exchange the two
/// bits of every axis, even ones two axes, in turn x with y and y with z.
const fn step_number(number: u8, step: usize) -> u8 {
    match step % 4 {
        1 | 3 => swap_number(swap_number(swap_number(number, 0, 1), 2, 1), 4, 1),
        2 => swap_number(swap_number(number, 0, 2), 1, 2),
        _ => swap_number(swap_number(number, 2, 2), 3, 2),
    }
}

const fn maps() -> [[u8; 64]; SYMMETRIES] {
    let mut maps = [[0; 64]; SYMMETRIES];
    let mut cube = 0;
    while cube < 64 {
        let mut number = cube as u8;
        let mut p = 0;
        while p < 12 {
            if p > 0 {
                number = step_number(number, p);
            }
            let mut f = 0;
            while f < 16 {
                maps[16 * p + f][cube] = number ^ FLIPS[f];
                f += 1;
            }
            p += 1;
        }
        cube += 1;
    }
    maps
}

/// The numbers whose bit `bit` is 0.
const fn zero_bit(bit: u32) -> u64 {
    let mut set = 0;
    let mut number = 0;
    while number < 64 {
        if number >> bit & 1 == 0 {
            set |= 1 << number;
        }
        number += 1;
    }
    set
}

/// The set with every number's bit `BIT` turned over.
#[inline]
const fn flip<const BIT: u32>(set: u64) -> u64 {
    let zero = const { zero_bit(BIT) };
    (set & zero) << (1 << BIT) | set >> (1 << BIT) & zero
}

/// The set with the bits `LOW` and `HIGH` of every number exchanged.
#[inline]
const fn swap<const LOW: u32, const HIGH: u32>(set: u64) -> u64 {
    let from = const { zero_bit(HIGH) & !zero_bit(LOW) };
    let shift = (1 << HIGH) - (1 << LOW);
    let difference = (set >> shift ^ set) & from;
    set ^ difference ^ difference << shift
}

/// [`step_number`] on a set.
#[inline]
fn step_set(set: u64, step: usize) -> u64 {
    match step % 4 {
        1 | 3 => swap::<4, 5>(swap::<2, 3>(swap::<0, 1>(set))),
        2 => swap::<1, 3>(swap::<0, 2>(set)),
        _ => swap::<3, 5>(swap::<2, 4>(set)),
    }
}

/// The change on the way to `FLIPS[i]`, on a set.
#[inline]
fn flip_set(set: u64, i: usize) -> u64 {
    match i.trailing_zeros() {
        0 => flip::<1>(flip::<0>(set)),
        1 => flip::<5>(flip::<4>(set)),
        2 => flip::<3>(flip::<2>(set)),
        _ => flip::<4>(flip::<2>(flip::<0>(set))),
    }
}

/// The image of a set under automorphism `s`.
pub fn image_of(set: u64, s: usize) -> u64 {
    let mut image = 0;
    let mut rest = set;
    while rest != 0 {
        image |= 1 << MAPS[s][rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
    image
}

/// The least image of a pair of sets, first by the one, then by the other, and an automorphism that leads
/// to it. The walk takes the first set along; the second is only mapped where the first is the least so far.
pub fn least_image([first, second]: [u64; 2]) -> ([u64; 2], usize) {
    let (mut best, mut turned, mut s) = ([first, second], first, 0);
    for p in 0..12 {
        if p > 0 {
            turned = step_set(turned, p);
        }
        let mut image = turned;
        for f in 0..16 {
            if f > 0 {
                image = flip_set(image, f);
            }
            if image <= best[0] {
                let pair = [image, image_of(second, 16 * p + f)];
                if pair < best {
                    (best, s) = (pair, 16 * p + f);
                }
            }
        }
    }
    (best, s)
}

#[cfg(test)]
mod tests {
    use super::super::lines::LINES;
    use super::*;
    use endspiel_game::Rng;
    use std::collections::HashSet;

    #[test]
    fn the_maps_are_a_group_of_192_that_keeps_the_lines() {
        let all: HashSet<[u8; 64]> = MAPS.into_iter().collect();
        assert_eq!(all.len(), 192);
        assert!((0..64).all(|cube| MAPS[0][cube as usize] == cube));
        for first in &MAPS {
            for second in &MAPS {
                assert!(all.contains(&first.map(|cube| second[cube as usize])), "closed");
            }
        }
        let lines: HashSet<u64> = LINES.into_iter().collect();
        for s in 0..SYMMETRIES {
            assert_eq!(LINES.iter().map(|&line| image_of(line, s)).collect::<HashSet<_>>(), lines);
        }
    }

    #[test]
    fn the_walk_agrees_with_the_maps() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let white = rng.bits() & rng.bits() & rng.bits();
            let black = rng.bits() & rng.bits() & !white;
            let images = (0..SYMMETRIES).map(|s| [image_of(white, s), image_of(black, s)]);
            let (least, s) = least_image([white, black]);
            assert_eq!(images.min(), Some(least));
            assert_eq!(least, [image_of(white, s), image_of(black, s)]);
        }
    }
}
