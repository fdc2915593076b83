//! The m,n,k games: `LINE` in a row on a board of `WIDTH` x `HEIGHT`. Tic-tac-toe is 3,3,3.
//!
//! One type serves all sizes, with as many machine words a player as the board needs: [`Mnk`] runs on one
//! word and holds up to 64 cells, [`LargeMnk`] on six and holds up to 19x19. Both have the same name; who
//! looks a game up by its name reads a [`LargeMnk`] and asks it for its [`small`](LargeMnk::small) twin.

mod picture;
mod position;

pub use position::MnkPosition;

use crate::bits::Bits;
use crate::census::{has_run, in_turn};
use crate::grid::Grid;
use endspiel_game::notation::number;
use endspiel_game::{About, Convergence, Game, Superset, TextError};

/// The largest side of a board and the longest line.
pub const LARGEST: usize = 19;

/// A rule set: the size of the board and the length of the line, on boards of at most 64 * `WORDS` cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MnkRules<const WORDS: usize> {
    grid: Grid,
    line: u8,
}

/// Boards of up to 64 cells.
pub type Mnk = MnkRules<1>;
/// Boards of up to 19x19.
pub type LargeMnk = MnkRules<6>;

impl LargeMnk {
    /// The same rules on one machine word, where the board has at most 64 cells.
    pub fn small(&self) -> Option<Mnk> {
        (self.grid.cells() <= Bits::<1>::ROOM).then_some(MnkRules { grid: self.grid, line: self.line })
    }
}

impl<const WORDS: usize> Game for MnkRules<WORDS> {
    type Position = MnkPosition<WORDS>;

    const ABOUT: About = About {
        name: "mnk",
        title: "m,n,k game",
        summary: "Make an unbroken line of so many stones.",
        rules: "x begins; the players in turn put one stone of theirs on an empty cell. Who first has LINE \
                stones or more in an unbroken line, along a row, a column or a diagonal, wins. A full board \
                without such a line is a draw.",
        variants: "WIDTH,HEIGHT,LINE, such as 5,5,4; sides from 1 to 19, lines from 2 to the longer side",
        examples: &["3,3,3", "4,3,3", "4,4,4", "5,5,4", "6,5,4", "6,6,5"],
        players: ["x", "o"],
        sudden_death: true,
        convergence: Convergence::Diverging,
        notation: "moves: b2, column letter and row number from the bottom; \
                   positions: rows from the top and who is to move, such as x.o/.x./... o",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        if text.trim().is_empty() {
            return Ok(Self { grid: Grid::new(3, 3), line: 3 });
        }
        let parts: Vec<&str> = text.split(',').collect();
        let [width, height, line] = parts[..] else {
            let what = format!("the rules have {} numbers", parts.len());
            return Err(TextError::new(0, what, Self::ABOUT.variants));
        };
        let width_number = number(width, "width", 1, LARGEST)?;
        let at = width.len() + 1;
        let height_number = number(height, "height", 1, LARGEST).map_err(|e| e.shifted(at))?;
        let at = at + height.len() + 1;
        let longest = width_number.max(height_number).max(2);
        let line_number = number(line, "line", 2, longest).map_err(|e| e.shifted(at))?;
        let cells = width_number * height_number;
        if cells > Bits::<WORDS>::ROOM {
            let what = format!("the board has {cells} cells");
            return Err(TextError::new(0, what, format!("at most {} cells", Bits::<WORDS>::ROOM)));
        }
        Ok(Self { grid: Grid::new(width_number as u8, height_number as u8), line: line_number as u8 })
    }

    fn variant(&self) -> String {
        format!("{},{},{}", self.grid.width, self.grid.height, self.line)
    }

    fn start(&self) -> MnkPosition<WORDS> {
        MnkPosition::start(self.grid, self.line)
    }

    fn read(&self, text: &str) -> Result<MnkPosition<WORDS>, TextError> {
        MnkPosition::read(self.grid, self.line, text)
    }

    fn superset(&self) -> Option<Superset> {
        let (grid, line) = (self.grid, self.line as usize);
        let wins = move |_, stones: &Bits<WORDS>| has_run(grid, stones, |length| length >= line);
        Some(in_turn(grid.cells(), true, wins))
    }
}

/// Noughts and crosses: three in a row on 3x3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicTacToe;

impl TicTacToe {
    const RULES: Mnk = MnkRules { grid: Grid::new(3, 3), line: 3 };
}

impl Game for TicTacToe {
    type Position = MnkPosition<1>;

    const ABOUT: About = About {
        name: "tic-tac-toe",
        title: "Tic-tac-toe",
        summary: "Make a line of three on a board of three by three.",
        rules: "x begins; the players in turn put one sign of theirs on an empty cell of the nine. Who first \
                has three in a row, a column or a diagonal wins. A full board without such a line is a draw.",
        variants: "none",
        examples: &[],
        players: ["x", "o"],
        sudden_death: true,
        convergence: Convergence::Diverging,
        notation: "moves: b2, column letter and row number from the bottom; \
                   positions: rows from the top and who is to move, such as x.o/.x./... o",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        if text.trim().is_empty() {
            return Ok(Self);
        }
        Err(TextError::new(0, "tic-tac-toe has no variants", "nothing; other boards are games of mnk"))
    }

    fn variant(&self) -> String {
        String::new()
    }

    fn start(&self) -> MnkPosition<1> {
        Self::RULES.start()
    }

    fn read(&self, text: &str) -> Result<MnkPosition<1>, TextError> {
        Self::RULES.read(text)
    }

    fn superset(&self) -> Option<Superset> {
        Self::RULES.superset()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts;
    use endspiel_game::conform::conform;
    use endspiel_game::{Notation, Payoff, Player, Position, Rng, Symmetric, TwoPlayer, perft};
    use std::collections::{HashMap, HashSet};

    fn small(variant: &str) -> Mnk {
        Mnk::from_variant(variant).expect("a good variant")
    }

    #[test]
    fn promises_are_kept() {
        conform(&TicTacToe, 60, 20, 1);
        for (seed, variant) in ["2,1,2", "4,3,3", "5,5,4", "8,8,5", "1,3,2"].into_iter().enumerate() {
            conform(&small(variant), 12, 70, seed as u64);
        }
        for (seed, variant) in ["9,9,5", "19,19,19", "15,4,4"].into_iter().enumerate() {
            conform(&LargeMnk::from_variant(variant).expect("a good variant"), 1, 400, seed as u64);
        }
    }

    #[test]
    fn lines_of_play_are_counted() {
        for (variant, depth, count) in counts::read(include_str!("counts.txt")) {
            let large = LargeMnk::from_variant(variant).expect("a good variant");
            assert_eq!(perft(&small(variant).start(), depth), count, "{variant} to depth {depth}");
            assert_eq!(perft(&large.start(), depth), count, "{variant} to depth {depth}, on six words");
        }
    }

    #[test]
    fn tic_tac_toe_has_5478_positions_and_255168_games() {
        fn walk(position: &MnkPosition<1>, seen: &mut HashSet<String>, classes: &mut HashSet<u64>) -> u32 {
            seen.insert(position.write());
            classes.insert(position.canonical_key());
            if position.turn().is_over() {
                return 1;
            }
            position.move_list().into_iter().map(|m| walk(&position.after(m), seen, classes)).sum()
        }
        let (mut seen, mut classes) = (HashSet::new(), HashSet::new());
        assert_eq!(walk(&TicTacToe.start(), &mut seen, &mut classes), 255_168);
        // 765 positions are essentially different, by the well-known count under the 8 symmetries.
        assert_eq!((seen.len(), classes.len()), (5478, 765));
    }

    #[test]
    fn playouts_are_as_random_as_single_moves() {
        let (mut rng, mut wins) = (Rng::new(7), [0, 0]);
        for _ in 0..20_000 {
            let mut first = TicTacToe.start();
            wins[0] += first.playout(&mut rng, 9).of(Player::FIRST);
            let mut second = TicTacToe.start();
            while let Some(m) = second.random_move(&mut rng) {
                second.play(m);
            }
            wins[1] += second.payoff().of(Player::FIRST);
        }
        // The exact mean is 0.2968: wins of x less wins of o, each line of random play by its chance.
        for sum in wins {
            assert!((f64::from(sum) / 20_000.0 - 0.2968).abs() < 0.02, "{wins:?}");
        }
        let mut cut = TicTacToe.start();
        assert_eq!(cut.playout(&mut rng, 3), Payoff::DRAW);
        assert_eq!(cut.count_moves(), 6, "three moves were played");
    }

    /// What x gets with best play.
    fn value(position: &MnkPosition<1>, known: &mut HashMap<u64, i32>) -> i32 {
        if position.turn().is_over() {
            return position.payoff().of(Player::FIRST);
        }
        if let Some(&value) = known.get(&position.key()) {
            return value;
        }
        let values = position.move_list().into_iter().map(|m| value(&position.after(m), known));
        let best = if position.mover() == Player::FIRST { values.max() } else { values.min() };
        let best = best.expect("there is a move");
        known.insert(position.key(), best);
        best
    }

    #[test]
    fn who_is_secured_does_not_lose() {
        let mut rng = Rng::new(5);
        let boards =
            [("3,3,3", 500, 9, 40), ("4,4,4", 60, 8, 90), ("7,2,3", 60, 9, 40), ("6,3,4", 60, 9, 90)];
        for (variant, games, searched, percent) in boards {
            let (mut known, mut secured, mut held) = (HashMap::new(), 0, 0);
            for _ in 0..games {
                let mut position = small(variant).start();
                while let Some(m) = position.random_move(&mut rng) {
                    position.play(m);
                    if position.turn().is_over() || position.count_moves() > searched {
                        continue;
                    }
                    let score = value(&position, &mut known);
                    for (player, score) in [(Player::FIRST, score), (Player::SECOND, -score)] {
                        let sure = position.secured(player, 0);
                        assert!(!sure || score >= 0, "{player:?} at {}", position.write());
                        assert!(!position.secured(player, 1));
                        secured += u32::from(sure);
                        held += u32::from(score >= 0);
                        let image = position.image(rng.below(position.symmetries()));
                        assert_eq!(image.secured(player, 0), sure, "an image of {}", position.write());
                    }
                }
            }
            // Most of those who do not lose are seen to be sure of it where lines are hard to make.
            assert!(100 * secured >= percent * held, "{variant}: {secured} of {held}");
        }
    }

    #[test]
    fn shifted_boards_find_the_lines_that_a_look_along_them_finds() {
        let mut rng = Rng::new(11);
        for width in 1..=19 {
            for height in 1..=19.min(64 / width) {
                for line in 2..=width.max(height) {
                    let rules = small(&format!("{width},{height},{line}"));
                    let mut position = rules.start();
                    while let Some(m) = position.random_move(&mut rng) {
                        position.play(m);
                        let seen = [Player::FIRST, Player::SECOND].map(|p| position.line_of(p).is_some());
                        let won = position.payoff() != Payoff::DRAW;
                        assert_eq!(seen[0] || seen[1], won, "{} {}", rules.variant(), position.write());
                    }
                }
            }
        }
    }

    #[test]
    fn errors_name_the_place() {
        let at = |text: &str| Mnk::from_variant(text).map_err(|e| e.at);
        assert_eq!(at("3,3,4"), Err(4));
        assert_eq!(at("3,20,3"), Err(2));
        assert_eq!(at("9,9,5"), Err(0));
        assert_eq!(at("3,3"), Err(0));
        assert!(LargeMnk::from_variant("9,9,5").is_ok_and(|rules| rules.small().is_none()));
        let start = TicTacToe.start();
        assert!(start.read_line("b2 b2").is_err_and(|e| e.at == 3 && e.what == "b2 is taken"));
        let both = TicTacToe.read("xxx/ooo/... x");
        assert!(both.is_err_and(|e| e.what.contains("both")));
        let moving = TicTacToe.read("xxx/oo./... x");
        assert!(moving.is_err_and(|e| e.at == 12));
        let won = TicTacToe.read("xxx/oo./... o").expect("x has won");
        assert_eq!((won.turn().is_over(), won.payoff()), (true, Payoff::win(Player::FIRST)));
        assert!(won.read_move("c1").is_err_and(|e| e.what.contains("over")));
    }
}
