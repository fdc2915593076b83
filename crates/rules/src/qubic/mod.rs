//! Qubic: four in a row in a cube of 4x4x4 (Allis 1994, chapter 4; Patashnik 1980).
//!
//! The 64 cubes are the bits of a machine word, cube x + 4y + 16z. [`lines`] has the 76 lines,
//! [`symmetry`] the 192 automorphisms.

pub mod lines;
mod notation;
mod position;
pub mod symmetry;

pub use position::QubicPosition;

use crate::bits::Bits;
use crate::census::in_turn;
use endspiel_game::{About, Convergence, Game, Superset, TextError};

/// The game; it has no variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Qubic;

impl Game for Qubic {
    type Position = QubicPosition;

    const ABOUT: About = About {
        name: "qubic",
        title: "Qubic",
        summary: "Make a line of four in a cube of four by four by four.",
        rules: "White begins; the players in turn put one stone of theirs on an empty cube of the 64. Who \
                first has all four cubes of one of the 76 lines wins: 48 lines run along an axis, 24 are \
                diagonals of a plane, 4 are diagonals of the whole. Stones do not fall. A full cube without \
                such a line is a draw.",
        variants: "none",
        examples: &[],
        players: ["White", "Black"],
        sudden_death: true,
        convergence: Convergence::Diverging,
        notation: "moves: the cube's number x + 4y + 16z from 0 to 63; positions: 64 signs w, b or . in order \
                   of the cubes, / between rows and | between levels, then who is to move; or a list of \
                   White's stones and then Black's, such as <0,3,12>",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        if text.trim().is_empty() {
            return Ok(Self);
        }
        Err(TextError::new(0, "qubic has no variants", "nothing"))
    }

    fn variant(&self) -> String {
        String::new()
    }

    fn start(&self) -> QubicPosition {
        QubicPosition::START
    }

    fn read(&self, text: &str) -> Result<QubicPosition, TextError> {
        notation::read(text)
    }

    fn superset(&self) -> Option<Superset> {
        let wins = |_, stones: &Bits<1>| lines::LINES.iter().any(|line| stones.0[0] & line == *line);
        Some(in_turn(64, true, wins))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts;
    use endspiel_game::conform::conform;
    use endspiel_game::{Notation, Payoff, Player, Position, Symmetric, perft};
    use std::collections::{BTreeMap, HashSet};

    fn at(text: &str) -> QubicPosition {
        Qubic.read(text).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    /// The first move of every class of moves, with the size of the class.
    fn classes(position: &QubicPosition) -> Vec<(u16, usize)> {
        let mut by_key = BTreeMap::new();
        for m in position.move_list() {
            let (_, size) = by_key.entry(position.after(m).canonical_key()).or_insert((m.0, 0));
            *size += 1;
        }
        let mut found: Vec<_> = by_key.into_values().collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn promises_are_kept() {
        conform(&Qubic, 2, 64, 1);
    }

    #[test]
    fn lines_of_play_are_counted() {
        for (_, depth, count) in counts::read(include_str!("counts.txt")) {
            assert_eq!(perft(&Qubic.start(), depth), count, "depth {depth}");
        }
    }

    #[test]
    fn openings_fall_into_the_published_classes() {
        assert_eq!(classes(&Qubic.start()), [(0, 16), (1, 48)]);
        let replies = classes(&at("<0>"));
        let published = [1, 3, 5, 6, 7, 15, 21, 22, 23, 27, 31, 63].into_iter();
        assert_eq!(replies, published.zip([6, 3, 6, 6, 12, 3, 2, 6, 6, 6, 6, 1]).collect::<Vec<_>>());
        assert_eq!(classes(&at("<1>")).len(), 23);
    }

    #[test]
    fn the_seven_third_stones_lead_to_195_positions() {
        // Patashnik's choice, taken over by Allis (4.5): 7 positions with 61 replies each.
        let seven = ["<0,3,12>", "<0,3,20>", "<0,3,21>", "<0,3,24>", "<0,3,60>", "<0,3,61>", "<0,12,1>"];
        let (mut fourth, mut raw) = (HashSet::new(), 0);
        for text in seven {
            let position = at(text);
            raw += position.count_moves();
            fourth.extend(position.move_list().into_iter().map(|m| position.after(m).canonical_key()));
        }
        assert_eq!((raw, fourth.len()), (427, 195));
        // Each of the twelve second stones is answered.
        let third: HashSet<u64> = seven.iter().map(|text| at(text).canonical_key()).collect();
        for (reply, _) in classes(&at("<0>")) {
            let position = at(&format!("<0,{reply}>"));
            let answered = |m| third.contains(&position.after(m).canonical_key());
            assert!(position.move_list().into_iter().any(answered), "{reply}");
        }
    }

    #[test]
    fn lines_win_and_errors_name_the_place() {
        let (won, _) = Qubic.start().read_line("0 1 21, 2 42 4 63").expect("legal moves");
        assert_eq!((won.turn().is_over(), won.payoff()), (true, Payoff::win(Player::FIRST)));
        assert!(won.read_move("5").is_err_and(|e| e.what.contains("over")));
        assert!(Qubic.start().read_line("0 0").is_err_and(|e| e.at == 2 && e.what == "cube 0 is taken"));
        let wrong = |text: &str| Qubic.read(text).map(|_| ()).map_err(|e| e.at);
        assert_eq!(wrong("<0,3,3>"), Err(5));
        assert_eq!(wrong("<0,64>"), Err(3));
        assert_eq!(wrong("<0,3"), Err(4));
        assert_eq!(wrong("..../....x"), Err(9));
        assert_eq!(wrong("..../...."), Err(9));
        let start = Qubic.start().write();
        assert_eq!(wrong(start.trim_end_matches(" w")), Err(79));
        assert_eq!(wrong(&start), Ok(()));
        let both = start.replacen("....|....", "wwww|bbbb", 1);
        assert!(Qubic.read(&both).is_err_and(|e| e.what.contains("both")));
    }
}
