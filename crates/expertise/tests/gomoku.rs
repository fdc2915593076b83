//! The board against the rules, and every win by threats against all defences.

use endspiel_expertise::gomoku::{Allowance, Board, Cells, Engine, Fours, Limit, Threes};
use endspiel_game::{Game, Notation, Player, Position, Rng};
use endspiel_rules::gomoku::{LargeGomoku, Rule};
use endspiel_rules::grid::{Cell, Grid};
use std::collections::HashSet;

type Rules = endspiel_rules::gomoku::GomokuPosition<7>;

fn rules(variant: &str) -> Rules {
    LargeGomoku::from_variant(variant).expect("a variant").start()
}

/// The same stones on a board.
fn board(position: &Rules) -> Board {
    let mut board = Board::new(position.stones().grid(), position.rule());
    for player in [Player::FIRST, Player::SECOND] {
        position.stones().of(player).iter().for_each(|cell| board.place(cell, player));
    }
    board
}

/// Ten stones or so in the middle, the game not over.
fn scattered(variant: &str, stones: usize, room: usize, rng: &mut Rng) -> Rules {
    loop {
        let mut position = rules(variant);
        let grid = position.stones().grid();
        let (left, down) = ((grid.width as usize - room) / 2, (grid.height as usize - room) / 2);
        for _ in 0..stones {
            let cell = grid.cell(left + rng.below(room), down + rng.below(room));
            if !position.turn().is_over() && position.move_list().contains(&Cell(cell as u16)) {
                position.play(Cell(cell as u16));
            }
        }
        if !position.turn().is_over() {
            return position;
        }
    }
}

#[test]
fn fives_and_fours_agree_with_the_rules() {
    let mut rng = Rng::new(4);
    for round in 0..150 {
        let variant = ["free,9", "standard,9", "renju,9"][round % 3];
        let position = scattered(variant, 26, 9, &mut rng);
        let mut board = board(&position);
        let mover = position.stones().mover();
        let wins = |position: &Rules| -> Cells {
            let winning =
                position.move_list().into_iter().filter(|&m| position.after(m).payoff().of(mover) > 0);
            winning.map(Cell::index).collect()
        };
        assert_eq!(*board.fives(mover), wins(&position), "{position:?}");
        for m in position.move_list() {
            assert!(board.allows(mover, m.index()));
            let before = (*board.fives(mover), *board.fours(mover), *board.threes(mover), board.key());
            if board.fives(mover).is_empty() {
                let makes_four = board.fours(mover).contains(m.index());
                board.place(m.index(), mover);
                assert_eq!(makes_four, !board.fives(mover).is_empty());
                board.remove(m.index(), mover);
            }
            let after = (*board.fives(mover), *board.fours(mover), *board.threes(mover), board.key());
            assert_eq!(before, after, "a stone taken back leaves no trace");
        }
    }
}

/// What finds a move that wins by threats.
type Finder<'a> = &'a mut dyn FnMut(&mut Board, Player) -> Option<usize>;

/// Does the player to move win whatever the other does, going on with the wins that `find` finds? The board has the
/// position's stones; `seen` are positions that were confirmed.
fn is_confirmed(position: &Rules, board: &mut Board, find: Finder, seen: &mut HashSet<u64>) -> bool {
    if seen.contains(&position.key()) {
        return true;
    }
    let attacker = position.stones().mover();
    let Some(cell) = find(board, attacker) else { return false };
    let after = position.after(Cell(cell as u16));
    if after.turn().is_over() {
        return after.payoff().of(attacker) > 0;
    }
    board.place(cell, attacker);
    let holds = after.move_list().into_iter().all(|reply| {
        let next = after.after(reply);
        board.place(reply.index(), attacker.other());
        let holds = !next.turn().is_over() && is_confirmed(&next, board, find, seen);
        board.remove(reply.index(), attacker.other());
        holds
    });
    board.remove(cell, attacker);
    if holds {
        seen.insert(position.key());
    }
    holds
}

#[test]
fn wins_by_fours_and_threes_are_confirmed_by_all_defences() {
    let mut rng = Rng::new(21);
    let mut found = [0; 2];
    for round in 0..80 {
        let position = scattered(["free", "standard"][round % 2], 10 + round % 6, 7, &mut rng);
        let (mut fours, mut threes) = (Fours::new(12), Threes::default());
        let (mut board, mover) = (board(&position), position.stones().mover());
        let mut by_fours = |board: &mut Board, attacker| fours.win(board, attacker, &mut Limit::nodes(2000));
        let mut by_threes =
            |board: &mut Board, attacker| threes.win(board, attacker, 3, &mut Limit::nodes(1000));
        let finders: [Finder; 2] = [&mut by_fours, &mut by_threes];
        for (order, finder) in finders.into_iter().enumerate() {
            if finder(&mut board, mover).is_some() {
                found[order] += 1;
                let confirmed = is_confirmed(&position, &mut board, finder, &mut HashSet::new());
                assert!(confirmed, "{}", position.write());
                break;
            }
        }
    }
    assert!(found[0] > 10 && found[1] > 10, "{found:?}");
}

#[test]
fn black_makes_no_forbidden_four() {
    // Two fours at once at h8 win by the free rule and are forbidden in renju.
    for (rule, wins) in [(Rule::Free, true), (Rule::Standard, true), (Rule::Renju, false)] {
        let mut board = Board::new(Grid::new(15, 15), rule);
        let cell = |name: &str| board.grid().read_name(name).expect("a cell");
        let black = ["e8", "f8", "g8", "h5", "h6", "h7"].map(cell);
        let white = ["d8", "h4", "j10", "h11"].map(cell);
        for (player, cells) in [(Player::FIRST, &black[..]), (Player::SECOND, &white[..])] {
            for &cell in cells {
                board.place(cell, player);
            }
        }
        let found = Fours::new(8).win(&mut board, Player::FIRST, &mut Limit::nodes(1000));
        assert_eq!(found.is_some(), wins, "{rule:?} {found:?}");
    }
}

#[test]
fn the_engine_beats_a_player_who_counts_lines() {
    let mut rng = Rng::new(2);
    for round in 0..6 {
        let engine = Player(round % 2);
        let mut position = rules(["free", "standard", "renju"][round as usize / 2]);
        let mut hero = Engine::new(&board(&position), 1 << 20);
        while let Some(mover) = position.turn().player() {
            let mut board = board(&position);
            let cell = if position.stones().taken().is_empty() {
                112
            } else if mover == engine {
                let allowance = Allowance { nodes: Some(1500), ..Allowance::default() };
                hero.choose(&mut board, mover, &allowance).expect("a move").cell
            } else {
                let worth = |m: &Cell| (board.worth(m.index(), mover), rng.bits() & 7);
                position.move_list().into_iter().max_by_key(worth).expect("a move").index()
            };
            assert!(position.move_list().contains(&Cell(cell as u16)), "an illegal move");
            position.play(Cell(cell as u16));
        }
        assert_eq!(position.payoff().of(engine), 1, "round {round}");
    }
}
