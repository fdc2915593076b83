//! What is known of the games beyond their rules, for the methods that ask for it: one folder a game.
//!
//! An expert's bounds and candidates are sound, so that what is proven with them is proven.
//!
//! ```
//! use endspiel_expertise::hex::Expert;
//! use endspiel_game::{Expertise, Game, Notation};
//! use endspiel_rules::hex::Hex;
//!
//! // Black to move wins on 5x5: the connections tell, without a search.
//! let (after, _) = Hex::from_variant("5").unwrap().start().read_line("c3 a1").unwrap();
//! assert_eq!(Expert.bounds(&after), (1, 1));
//! ```

use endspiel_game::notation::shorten;
use endspiel_game::{Position, TextError};

pub mod amazons;
pub mod awari;
pub mod backgammon;
pub mod checkers;
pub mod chess;
pub mod chinese_checkers;
pub mod connect_four;
pub mod gomoku;
pub mod hex;
pub mod lines;
pub mod lines_of_action;
mod men;
pub mod nine_mens_morris;
pub mod othello;
pub mod random_tree;
pub mod shogi;
#[cfg(test)]
mod testing;
pub mod virus;
pub mod wythoff;
pub mod xiangqi;

/// What an advantage in hundredths of a man is worth in thousandths of a win: a man of 100 a sixth, nothing ever
/// all. The curve is the hyperbolic tangent's, by a fraction that is the same on every machine.
pub(crate) fn chances(hundredths: i32) -> i32 {
    let x = (f64::from(hundredths) / 600.0).clamp(-3.0, 3.0);
    (990.0 * x * (27.0 + x * x) / (27.0 + 9.0 * x * x)) as i32
}

/// Moves to be played out before a position is judged: those that are loud, such as captures, and every way out of check, which nobody
/// may ignore. May the player to move leave them all?
#[inline]
pub(crate) fn unsettled<P: Position>(
    board: &P,
    check: bool,
    is_loud: impl Fn(P::Move) -> bool,
    mut each: impl FnMut(P::Move),
) -> bool {
    board.moves(|m| {
        if check || is_loud(m) {
            each(m);
        }
    });
    !check
}

/// Reads the name of the slice where there is one, `all`; nothing means it too.
pub(crate) fn only_slice(text: &str) -> Result<Vec<()>, TextError> {
    let name = text.trim();
    if name.is_empty() || name.eq_ignore_ascii_case("all") {
        return Ok(vec![()]);
    }
    let what = format!("there is no slice '{}'", shorten(name));
    Err(TextError::new(text.len() - text.trim_start().len(), what, "all, the one slice of this game"))
}
