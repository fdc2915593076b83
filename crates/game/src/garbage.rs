//! Texts that no parser should fall over: random ones, and real ones with a few things wrong. For tests.

use crate::Rng;

/// How many texts a test feeds to a parser: the number in the environment variable `ENDSPIEL_FUZZ`, or `usual`.
pub fn rounds(usual: usize) -> usize {
    std::env::var("ENDSPIEL_FUZZ").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A text at random: bytes, letters that notations use, or one of `real` damaged in up to four places.
pub fn text(real: &[String], rng: &mut Rng) -> String {
    const LETTERS: &[u8] = b"abcdefghxoXOBWSN.-/|: ,0123456789kqKQrnpw#*+_()<>=\n\t\0\xc3\xa9";
    let letter = |rng: &mut Rng| LETTERS[rng.below(LETTERS.len())];
    let mut bytes: Vec<u8> = match rng.below(8) {
        0 => (0..rng.below(48)).map(|_| rng.bits() as u8).collect(),
        1 => (0..rng.below(96)).map(|_| letter(rng)).collect(),
        _ if real.is_empty() => Vec::new(),
        _ => real[rng.below(real.len())].clone().into_bytes(),
    };
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        let end = at + rng.below(bytes.len() - at + 1).min(12);
        match rng.below(8) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.truncate(at),
            2 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            3 if !real.is_empty() => {
                let other = real[rng.below(real.len())].as_bytes();
                let from = rng.below(other.len() + 1);
                bytes.splice(at..end, other[from..].iter().take(24).copied());
            }
            // Numbers that are too large, or signs where none belong.
            4 => {
                let numbers: [&[u8]; 6] =
                    [b"99999999999999999999999", b"-1", b"18446744073709551616", b"0", b"4294967296", b"255"];
                bytes.splice(at..end, numbers[rng.below(6)].iter().copied());
            }
            5 if at < bytes.len() => bytes[at] = rng.bits() as u8,
            6 if at < bytes.len() => bytes[at] = letter(rng),
            _ => bytes.insert(at, letter(rng)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
