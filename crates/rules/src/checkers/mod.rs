//! Checkers, American or English: 8 x 8 squares, short kings, any capture may be chosen.
//!
//! `board` has the sets of squares and the moves, `notation` the numbers of squares and the FEN of PDN.

mod board;
mod notation;

pub use board::{Board, CROWN, Move, squares, step};

use endspiel_game::notation::shorten;
use endspiel_game::superset::Bound;
use endspiel_game::{About, Convergence, Game, Player, Superset, TextError};

/// The rule set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Checkers;

/// Pieces of a player at the start, and at most.
const MOST: usize = 12;

impl Game for Checkers {
    type Position = Board;

    const ABOUT: About = About {
        name: "checkers",
        title: "Checkers",
        summary: "Take or block all enemy pieces.",
        rules: "American (English) checkers on the 32 dark squares of 8 x 8. Black has twelve men on the squares 1 to \
                12 and moves first, White has twelve on 21 to 32. A man moves one square diagonally forward, a king \
                also backward. A piece takes by jumping over an adjacent enemy to the empty square behind it, and goes \
                on jumping while it can; men jump forward only. Who can take must, but may choose how. A man that \
                reaches the last row becomes a king and its move ends. Who has no move loses. Play that comes back to \
                a position is a draw.",
        variants: "none",
        examples: &[],
        players: ["Black", "White"],
        sudden_death: false,
        convergence: Convergence::Converging,
        notation: "moves 11-15, jumps 15x24 and 2x9x18; positions are the FEN of PDN, K for kings: W:W21,22,K3:B1,2",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        if text.trim().is_empty() {
            return Ok(Self);
        }
        let what = format!("'{}' is no variant of checkers", shorten(text));
        Err(TextError::new(0, what, "nothing after the name: checkers"))
    }

    fn variant(&self) -> String {
        String::new()
    }

    fn start(&self) -> Board {
        Board::new([0x0000_0fff, 0xfff0_0000], 0, Player::FIRST)
    }

    fn read(&self, text: &str) -> Result<Board, TextError> {
        notation::read(text)
    }

    fn superset(&self) -> Option<Superset> {
        let what = "at most 12 pieces a player, no men on the last row, either player to move";
        Some(Superset { bounds: vec![Bound::new(what, 2.0 * placements() as f64)], test: None })
    }
}

/// How many ways there are to choose `k` of `n`.
const fn choose(n: usize, k: usize) -> u128 {
    if k > n {
        return 0;
    }
    let (mut ways, mut i) = (1, 1);
    while i <= k {
        ways = ways * (n + 1 - i) as u128 / i as u128;
        i += 1;
    }
    ways
}

/// How many ways there are to place so many kings and men of Black and so many of White (J. Schaeffer and others,
/// Building the Checkers 10-Piece Endgame Databases, 2003).
pub fn placements_of(black: (usize, usize), white: (usize, usize)) -> u128 {
    let ((black_kings, black_men), (white_kings, white_men)) = (black, white);
    // Black's men have their own first row to themselves, and so has White.
    let men: u128 = (0..=black_men.min(4))
        .map(|i| choose(4, i) * choose(24, black_men - i) * choose(28 + i - black_men, white_men))
        .sum();
    let free = 32 - black_men - white_men;
    men * choose(free, black_kings) * choose(free - black_kings, white_kings)
}

/// How many ways there are to place 1 to 24 pieces, at most twelve of a player.
fn placements() -> u128 {
    let sides = || (0..=MOST).flat_map(|all| (0..=all).map(move |men| (all - men, men)));
    let all = sides().flat_map(|black| sides().map(move |white| placements_of(black, white)));
    all.sum::<u128>() - 1
}

#[cfg(test)]
mod tests;
