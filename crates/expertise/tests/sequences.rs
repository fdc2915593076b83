//! Winning sequences of threats on published positions, and by the rules of renju. The laboratory confirms those of random
//! positions against all defences (`endspiel lab run threat-confirmation`).

use endspiel_expertise::gomoku::{Board, Fours, Limit, Sequences, Threes};
use endspiel_game::{Player, Rng};
use endspiel_rules::gomoku::Rule;
use endspiel_rules::grid::Grid;
use std::collections::HashSet;

fn board_of(rule: Rule, black: &str, white: &str) -> Board {
    let mut board = Board::new(Grid::new(15, 15), rule);
    for (player, names) in [(Player::FIRST, black), (Player::SECOND, white)] {
        for name in names.split_whitespace() {
            let cell = board.grid().read_name(name).expect("a cell");
            board.place(cell, player);
        }
    }
    board
}

fn wins(rule: Rule, black: &str, white: &str) -> bool {
    Sequences::new(40_000).find(&board_of(rule, black, white), Player::FIRST).is_some()
}

#[test]
fn published_positions_are_won() {
    for (black, white) in [
        // Two fours, a four and a three, two threes at h8.
        ("e8 f8 g8 h5 h6 h7", "d8 h4"),
        ("e8 f8 g8 h6 h7", "d8"),
        ("f8 g8 h6 h7", ""),
        // Five stones each.
        ("k6 i7 i8 j11 k11", "e6 g6 i9 f10 h11"),
        ("e7 f7 h9 i9 h11", "i7 e8 k9 j10 j11"),
        ("g7 h7 e8 f8 g9", "f6 f7 j9 g10 h10"),
        ("h5 k5 k6 e7 j7", "e5 j6 f7 i9 g11"),
        ("e5 e9 f9 f10 h10", "i5 j6 h7 j8 i11"),
        ("j6 k7 g9 j9 f11", "h6 i6 f8 i9 g10"),
        ("f6 f7 e8 g9 f10", "e6 j8 k8 k10 e11"),
        ("f5 f8 g10 g11 h11", "g5 j6 k6 k9 h10"),
    ] {
        let mut board = board_of(Rule::Free, black, white);
        let plan = Sequences::new(40_000).find(&board, Player::FIRST).expect(black);
        let plan: Vec<usize> = plan.into_iter().map(|threat| threat.attack).collect();
        assert!(Attack::new().holds(&mut board, plan[0], &plan[1..]), "{black}");
    }
}

/// Black's attack, played out against every legal reply: a five, fours that win, the sequence as it was found, and
/// where a reply upsets it what the searches find anew.
struct Attack {
    fours: Fours,
    sequences: [Sequences; 2],
    threes: Threes,
    /// Positions in which Black wins.
    seen: HashSet<u64>,
}

impl Attack {
    fn new() -> Self {
        let sequences = [300, 40_000].map(Sequences::new);
        Self { fours: Fours::new(12), sequences, threes: Threes::default(), seen: HashSet::new() }
    }

    /// Does Black, to move, win?
    fn wins(&mut self, board: &mut Board, plan: &[usize]) -> bool {
        let black = Player::FIRST;
        if !board.fives(black).is_empty() || self.seen.contains(&board.key()) {
            return true;
        }
        // A four of White's has to be met first.
        let must = *board.fives(Player::SECOND);
        let wins = match (self.fours.win(board, black, &mut Limit::nodes(2000)), must.lowest()) {
            (Some(cell), _) => self.holds(board, cell, &[]),
            (None, Some(cell)) => must.len() == 1 && self.holds(board, cell, plan),
            (None, None) => {
                plan.first().is_some_and(|&cell| self.holds(board, cell, &plan[1..]))
                    || (0..3).any(|way| {
                        let found = match way {
                            2 => self.threes.win(board, black, 5, &mut Limit::nodes(4000)),
                            _ => self.sequences[way].first_move(board, black),
                        };
                        found.is_some_and(|cell| self.holds(board, cell, &[]))
                    })
            }
        };
        if wins {
            self.seen.insert(board.key());
        }
        wins
    }

    /// Does he with this move, whatever White replies?
    fn holds(&mut self, board: &mut Board, cell: usize, plan: &[usize]) -> bool {
        if !board.is_empty(cell) || !board.allows(Player::FIRST, cell) {
            return false;
        }
        board.place(cell, Player::FIRST);
        let replies: Vec<usize> = board.empty().iter().collect();
        let holds = board.fives(Player::SECOND).is_empty()
            && replies.into_iter().all(|reply| {
                board.place(reply, Player::SECOND);
                let wins = self.wins(board, plan);
                board.remove(reply, Player::SECOND);
                wins
            });
        board.remove(cell, Player::FIRST);
        holds
    }
}

/// What only ran short of nodes is no failure: who asks again with more of them finds the win.
#[test]
fn a_search_for_threes_that_ran_short_may_be_tried_again() {
    let (mut rng, mut found) = (Rng::new(3), 0);
    for _ in 0..1500 {
        let mut board = Board::new(Grid::new(15, 15), Rule::Free);
        for i in 0..24 {
            let player = Player(i % 2);
            let cell = board.grid().cell(3 + rng.below(9), 3 + rng.below(9));
            if board.is_empty(cell) && !board.fives(player).contains(cell) {
                board.place(cell, player);
            }
        }
        let many = || Limit::nodes(4000);
        if Threes::default().win(&mut board, Player::FIRST, 2, &mut many()).is_none() {
            continue;
        }
        found += 1;
        let mut threes = Threes::default();
        for few in 1..60 {
            threes.win(&mut board, Player::FIRST, 2, &mut Limit::nodes(few));
        }
        assert!(threes.win(&mut board, Player::FIRST, 2, &mut many()).is_some(), "win {found} is forgotten");
    }
    assert!(found > 100, "{found}");
}

#[test]
fn what_is_no_win_is_not_claimed() {
    // Two stones are no attack.
    assert!(!wins(Rule::Free, "h8 i9", "a1 b3"));
    // Two threes, but White makes a four on a cell that one of them needs.
    assert!(!wins(Rule::Free, "f8 g8 h6 h7 d9", "e9 f9 g9"));
    // A sixth stone: a win by the free rule alone.
    let six = ("b8 c8 d8 f8 g8", "a8 h8 e9 e7");
    assert!(wins(Rule::Free, six.0, six.1));
    assert!(!wins(Rule::Standard, six.0, six.1));
}

/// Does Black win by threes, and does dependency-based search say so too?
fn renju(black: &str, white: &str) -> [bool; 2] {
    let mut board = board_of(Rule::Renju, black, white);
    let by_threes = Threes::default().win(&mut board, Player::FIRST, 3, &mut Limit::nodes(2000)).is_some();
    [by_threes, wins(Rule::Renju, black, white)]
}

#[test]
fn forbidden_points_of_renju_are_honoured() {
    let h8 = |black: &str, white: &str| {
        let board = board_of(Rule::Renju, black, white);
        let cell = board.grid().read_name("h8").expect("a cell");
        board.allows(Player::FIRST, cell)
    };
    // Two threes and two fours are forbidden; a four and a three are not, and win.
    assert!(!h8("f8 g8 h6 h7", ""));
    assert!(!h8("e8 f8 g8 h5 h6 h7", "d8 h4"));
    assert!(h8("e8 f8 g8 h6 h7", "d8"));
    assert_eq!(renju("e8 f8 g8 h6 h7", "d8"), [true, true]);
    // A three that can only become a four with a closed end is none.
    assert!(h8("f8 g8 h6 h7", "h4 h10"));
    // Neither is one that only a forbidden stone makes a straight four: here at h9, where it makes a second four.
    assert!(!h8("f8 g8 h6 h7", "h4"));
    assert!(h8("f8 g8 h6 h7 e9 f9 g9", "h4 d9"));
    // An overline never wins for Black.
    assert_eq!(renju("b8 c8 d8 f8 g8", "a8 h8 e9 e7"), [false, false]);
    // White may do all of it.
    let mut board = board_of(Rule::Renju, "a1 a15 o1 o15", "f8 g8 h6 h7");
    assert!(Sequences::new(40_000).find(&board, Player::SECOND).is_some());
    assert!(Threes::default().win(&mut board, Player::SECOND, 3, &mut Limit::nodes(2000)).is_some());
}
