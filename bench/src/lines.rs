//! Lines of play counted by perft, the last ply counted and not played, beside the crate board-game.

use crate::contest::Contest;
use crate::trees::oware;
use board_game::games::connect4::Connect4;
use board_game::games::oware::OwareBoard;
use board_game::util::game_stats::perft_naive;
use endspiel_game::{Game, perft};
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::othello::Othello;

/// All contests in lines.
pub fn run(contest: &Contest) {
    contest.run(
        "perft connect-four 9",
        || perft(&ConnectFour::STANDARD.start(), 9),
        || perft_naive(&Connect4::default(), 9),
    );
    contest.run(
        "perft awari 9",
        || perft(&oware().start(), 9),
        || perft_naive(&OwareBoard::<6>::default(), 9),
    );
    contest.alone("perft othello 10", || perft(&Othello::STANDARD.start(), 10));
}
