//! The one table of all games. A game is added by its folder in the rules and its line here.

use crate::entry::{AnyGame, Entry, listed, sizes, with_databases, with_prover};
use crate::report::Error;
use crate::specialist::threats;
use endspiel_expertise as expertise;
use endspiel_game::Rules;
use endspiel_rules as rules;

/// All games, in the order in which they are shown.
pub static GAMES: &[&dyn Entry] = &[
    &listed::<rules::mnk::TicTacToe, expertise::lines::Expert>(),
    &sizes(
        &listed::<rules::mnk::Mnk, expertise::lines::Expert>(),
        &listed::<rules::mnk::LargeMnk, expertise::lines::Expert>(),
    ),
    &listed::<rules::connect_four::ConnectFour, expertise::connect_four::Expert>(),
    &listed::<rules::qubic::Qubic, expertise::lines::Expert>(),
    &sizes(
        &with_prover::<rules::gomoku::Gomoku, expertise::lines::Expert>(threats),
        &listed::<rules::gomoku::LargeGomoku, expertise::lines::Expert>(),
    ),
    &sizes(
        &listed::<rules::hex::Hex, expertise::hex::Expert>(),
        &listed::<rules::hex::LargeHex, expertise::hex::Expert>(),
    ),
    &with_databases::<rules::awari::Awari, expertise::awari::Expert, expertise::awari::Levels>(),
    &with_databases::<rules::checkers::Checkers, expertise::checkers::Expert, expertise::checkers::Endings>(),
    &with_databases::<rules::nine_mens_morris::NineMensMorris, Rules, expertise::nine_mens_morris::Subspaces>(
    ),
    &listed::<rules::othello::Othello, expertise::othello::Expert>(),
    &listed::<rules::lines_of_action::LinesOfAction, expertise::lines_of_action::Expert>(),
    &listed::<rules::amazons::Amazons, expertise::amazons::Expert>(),
    &with_databases::<rules::wythoff::Wythoff, Rules, expertise::wythoff::Pairs>(),
    &with_databases::<rules::virus::Virus, Rules, expertise::virus::Infections>(),
    &with_databases::<rules::chess::Chess, expertise::chess::Expert, expertise::chess::Endings>(),
    &with_databases::<rules::xiangqi::Xiangqi, expertise::xiangqi::Expert, expertise::xiangqi::Endings>(),
    &with_databases::<rules::shogi::Shogi, expertise::shogi::Expert, expertise::shogi::Endings>(),
    &listed::<rules::give_away_chess::GiveAwayChess, Rules>(),
    &listed::<rules::random_tree::RandomTree, expertise::random_tree::Expert>(),
];

/// The rule set called `name` or `name:variant`.
///
/// ```
/// let game = endspiel_catalog::game("mnk:4,3,3").unwrap();
/// assert_eq!(game.full_name(), "mnk:4,3,3");
/// assert!(endspiel_catalog::game("chess-boxing").is_err());
/// ```
pub fn game(full_name: &str) -> Result<Box<dyn AnyGame>, Error> {
    let (name, variant) = full_name.split_once(':').unwrap_or((full_name, ""));
    match GAMES.iter().find(|entry| entry.about().name == name) {
        Some(entry) => entry.open(variant),
        None => Err(unknown(name, "games", &names())),
    }
}

/// The names of all games.
fn names() -> Vec<&'static str> {
    GAMES.iter().map(|entry| entry.about().name).collect()
}

/// An error for a name that is none of those known, with what may have been meant; `what` they are.
pub(crate) fn unknown(given: &str, what: &str, known: &[&str]) -> Error {
    let name = &*given.to_lowercase();
    let initials = |known: &&&str| known.split('-').filter_map(|word| word.chars().next()).eq(name.chars());
    let near = known.iter().find(initials).or_else(|| {
        let near = known.iter().min_by_key(|known| distance(known, name))?;
        (distance(near, name) <= 3.min(name.chars().count() / 2)).then_some(near)
    });
    let meant = match near {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("the {what} are {}", known.join(", ")),
    };
    Error::UnknownGame(endspiel_game::notation::shorten(given), meant)
}

/// How many letters must be changed, added or taken away (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(40).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let next = (corner + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}
