//! Hex on boards of 1x1 to 19x19, with or without the swap.
//!
//! Coordinates and sides as in Hayward, Björnsson, Johanson, Kan, Po and van Rijswijck, Solving 7x7 Hex
//! (2003), with the first player called Black as the field's programs do: `a1` is an acute corner, rows
//! count from the top. [`Hex`] holds up to 11x11 in two machine words a set, [`LargeHex`] up to 19x19; who
//! looks a game up by its name reads a [`LargeHex`] and asks it for its [`small`](LargeHex::small) twin.

mod bridges;
mod notation;
mod position;
pub mod topology;

pub use position::{HexMove, HexPosition};

use crate::bits::Bits;
use crate::census::in_turn;
use endspiel_game::notation::number;
use endspiel_game::{About, Convergence, Game, Superset, TextError};
use topology::{LARGEST, Topology};

/// A rule set: the size of the board, at most 64 * `WORDS` cells, and whether there is the swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexRules<const WORDS: usize> {
    board: &'static Topology,
    swap: bool,
}

/// Boards of up to 11x11.
pub type Hex = HexRules<2>;
/// Boards of up to 19x19.
pub type LargeHex = HexRules<6>;

/// The side of the standard board.
const STANDARD: usize = 11;

impl LargeHex {
    /// The same rules on two machine words, where the board is at most 11x11.
    pub fn small(&self) -> Option<Hex> {
        (self.board.cells() <= Bits::<2>::ROOM).then_some(HexRules { board: self.board, swap: self.swap })
    }
}

impl<const WORDS: usize> Game for HexRules<WORDS> {
    type Position = HexPosition<WORDS>;

    const ABOUT: About = About {
        name: "hex",
        title: "Hex",
        summary: "Connect your two sides of a rhombus of hexagons.",
        rules: "Black begins; the players in turn put one stone of theirs on an empty cell. Black wins by a \
                chain of neighbouring black stones from the top row to the bottom row, White by a chain of \
                white stones from the left column to the right column. One of them always does: there are no \
                draws. In the variants with swap, White's first move may be swap-pieces: the black stone \
                becomes a white one on the cell mirrored in the long diagonal (from a1), and Black moves.",
        variants: "SIZE or SIZE,swap, such as 7 or 11,swap; sizes from 1 to 19, the standard is 11",
        examples: &["4", "5", "7", "11,swap", "13"],
        players: ["Black", "White"],
        sudden_death: true,
        convergence: Convergence::Diverging,
        notation: "moves: c4, column letter and row number from the top, or swap-pieces; \
                   positions: rows from the top and who is to move, such as .b./.w./... b",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        let (size, rest) = text.split_once(',').unwrap_or((text, ""));
        let (size, rest, at) = if size.trim() == "swap" && rest.is_empty() {
            ("", size, 0)
        } else {
            (size, rest, size.len() + 1)
        };
        let sides = if size.trim().is_empty() { STANDARD } else { number(size, "size", 1, LARGEST)? };
        let swap = match rest.trim() {
            "swap" => true,
            "" if !text.ends_with(',') => false,
            _ => return Err(TextError::new(at, "the rules go on wrongly", "swap or nothing after the size")),
        };
        if sides * sides > Bits::<WORDS>::ROOM {
            let what = format!("the board has {} cells", sides * sides);
            return Err(TextError::new(0, what, format!("at most {} cells", Bits::<WORDS>::ROOM)));
        }
        Ok(Self { board: Topology::of(sides), swap })
    }

    fn variant(&self) -> String {
        match (self.board.size(), self.swap) {
            (STANDARD, false) => String::new(),
            (size, false) => size.to_string(),
            (size, true) => format!("{size},swap"),
        }
    }

    fn start(&self) -> HexPosition<WORDS> {
        HexPosition::start(self.board, self.swap)
    }

    fn read(&self, text: &str) -> Result<HexPosition<WORDS>, TextError> {
        let (stones, mover) = notation::grid(self.board.size()).read(text, notation::SIGNS)?;
        HexPosition::new(self.board, self.swap, stones, mover)
            .map_err(|e| e.shifted(text.trim_end().len() - 1))
    }

    fn superset(&self) -> Option<Superset> {
        let board = self.board;
        // A swap changes whose stones are how many.
        (!self.swap).then(|| {
            in_turn(board.cells(), true, move |player, stones: &Bits<WORDS>| board.connects(player, stones))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts;
    use endspiel_game::conform::conform;
    use endspiel_game::{Notation, Payoff, Player, Position, Rng, Symmetric, perft};
    use std::collections::HashMap;

    fn small(variant: &str) -> Hex {
        Hex::from_variant(variant).expect("a good variant")
    }

    /// Does the player to move win?
    pub(super) fn wins(position: &HexPosition<2>, known: &mut HashMap<u64, bool>) -> bool {
        if position.turn().is_over() {
            return false;
        }
        let key = position.canonical_key();
        if let Some(&value) = known.get(&key) {
            return value;
        }
        let value = position.move_list().into_iter().any(|m| !wins(&position.after(m), known));
        known.insert(key, value);
        value
    }

    /// The winning openings, row by row from the top.
    fn openings(variant: &str) -> String {
        let (start, mut known, mut map) = (small(variant).start(), HashMap::new(), String::new());
        let size = start.board().size();
        for (i, m) in start.move_list().into_iter().enumerate() {
            if i > 0 && i % size == 0 {
                map.push('/');
            }
            map.push(if wins(&start.after(m), &mut known) { 'L' } else { 'W' });
        }
        map
    }

    #[test]
    fn promises_are_kept() {
        for (seed, variant) in ["1", "1,swap", "2", "3,swap", "4", "5", "8", ""].into_iter().enumerate() {
            conform(&small(variant), 8, 130, seed as u64);
        }
        for (seed, variant) in ["12,swap", "19"].into_iter().enumerate() {
            conform(&LargeHex::from_variant(variant).expect("a good variant"), 1, 400, seed as u64);
        }
    }

    #[test]
    fn lines_of_play_are_counted() {
        for (variant, depth, count) in counts::read(include_str!("counts.txt")) {
            let large = LargeHex::from_variant(variant).expect("a good variant");
            assert_eq!(perft(&small(variant).start(), depth), count, "{variant} to depth {depth}");
            assert_eq!(perft(&large.start(), depth), count, "{variant} to depth {depth}, on six words");
        }
    }

    #[test]
    fn winning_openings_of_small_boards_are_the_published_ones() {
        assert_eq!(openings("2"), "LW/WL");
        assert_eq!(openings("3"), "LLW/WWW/WLL");
        assert_eq!(openings("4"), "LLLW/LLWL/LWLL/WLLL");
        // With the swap the second player wins: a winning opening is taken over.
        assert!(!wins(&small("3,swap").start(), &mut HashMap::new()));
    }

    #[test]
    fn the_winner_of_a_full_board_is_who_connected_first() {
        let mut rng = Rng::new(4);
        for size in 1..=11 {
            let start = small(&size.to_string()).start();
            for _ in 0..200 {
                let mut position = start;
                let mut winner = None;
                let mut stones = [Bits::<2>::EMPTY; 2];
                let mut order: Vec<usize> = (0..size * size).collect();
                for i in (1..order.len()).rev() {
                    order.swap(i, rng.below(i + 1));
                }
                for (i, &cell) in order.iter().enumerate() {
                    stones[i % 2].insert(cell);
                    if winner.is_none() {
                        position.play(HexMove::Place(crate::grid::Cell(cell as u16)));
                        winner = position.turn().is_over().then(|| position.payoff());
                    }
                }
                let full = Payoff::win(topology::winner_of_full(size, &stones[0]));
                assert_eq!(winner, Some(full), "{}", position.write());
            }
        }
    }

    #[test]
    fn playouts_fill_the_board_fairly() {
        let mut rng = Rng::new(8);
        let start = small("3").start();
        let (mut filled, mut stepped) = (0, 0);
        for _ in 0..20_000 {
            let mut position = start;
            filled += position.playout(&mut rng, 9).of(Player::FIRST);
            assert_eq!(position.stones(Player::FIRST).len(), 5);
            let mut position = start;
            while let Some(m) = position.random_move(&mut rng) {
                position.play(m);
            }
            stepped += position.payoff().of(Player::FIRST);
        }
        assert!((filled - stepped).abs() < 800, "{filled} against {stepped}");
        let mut cut = start;
        assert_eq!(cut.playout(&mut rng, 2), Payoff::DRAW);
        assert_eq!(cut.count_moves(), 7);
        // One in nine second moves is a swap, after which White gets the odd stone.
        let mut swapped = 0;
        for _ in 0..1800 {
            let mut position = small("3,swap").start();
            assert_ne!(position.playout(&mut rng, 100), Payoff::DRAW);
            swapped += usize::from(position.stones(Player::SECOND).len() == 5);
        }
        assert!((150..=250).contains(&swapped), "{swapped}");
    }

    #[test]
    fn swapping_mirrors_the_stone() {
        let start = small("5,swap").start();
        let (position, _) = start.read_line("b1 swap-pieces").expect("a legal line");
        assert_eq!(position.write(), "...../w..../...../...../..... b");
        assert!(start.read_line("swap").is_err_and(|e| e.what.contains("not possible")));
        assert!(start.read_line("b1c3swap-pieces").is_err_and(|e| e.at == 4));
        assert!(small("5").start().read_line("b1 swap").is_err());
        assert_eq!(position.image(1).write(), "...../...../...../....w/..... b");
    }

    #[test]
    fn errors_name_the_place() {
        let at = |text: &str| Hex::from_variant(text).map(|rules| rules.variant()).map_err(|e| e.at);
        assert_eq!(at(""), Ok(String::new()));
        assert_eq!(at("swap"), Ok("11,swap".into()));
        assert_eq!(at("7, swap"), Ok("7,swap".into()));
        assert_eq!(
            [at("12"), at("20"), at("7,8"), at("7,"), at("x")],
            [Err(0), Err(0), Err(2), Err(2), Err(0)]
        );
        let rules = small("2");
        assert!(rules.read("b./b. b").is_err_and(|e| e.at == 6));
        let won = rules.read("b./b. w").expect("Black has won");
        assert_eq!((won.turn().is_over(), won.payoff()), (true, Payoff::win(Player::FIRST)));
        assert!(won.read_move("b1").is_err_and(|e| e.what.contains("over")));
        assert!(rules.start().read_move("c1").is_err_and(|e| e.what.contains("off the board")));
    }
}
