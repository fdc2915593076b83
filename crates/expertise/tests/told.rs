//! Wins by threats told in full, held against the rules alone: the sequence is played out against all replies that it
//! names, those sets of replies are found again by brute force, and every cell is tried as a reply.

use endspiel_expertise::gomoku::{Board, Limit, Sequences, Threes};
use endspiel_expertise::lines::Expert;
use endspiel_game::{Expertise, Game, Notation, Plan, Player, Position, Rng, Sequence, Stop, TwoPlayer};
use endspiel_rules::gomoku::{Gomoku, GomokuPosition};
use endspiel_rules::grid::Cell;
use endspiel_rules::mnk::Mnk;
use endspiel_rules::qubic::Qubic;

/// Sequences of the literature and others won by threes: Black's stones, White's, and Black to move.
const BOARDS: [(&str, &str); 10] = [
    ("f8 g8 h6 h7", ""),
    ("e8 f8 g8 h6 h7", "d8"),
    ("k6 i7 i8 j11 k11", "e6 g6 i9 f10 h11"),
    ("e7 f7 h9 i9 h11", "i7 e8 k9 j10 j11"),
    ("g7 h7 e8 f8 g9", "f6 f7 j9 g10 h10"),
    ("h5 k5 k6 e7 j7", "e5 j6 f7 i9 g11"),
    ("e5 e9 f9 f10 h10", "i5 j6 h7 j8 i11"),
    ("j6 k7 g9 j9 f11", "h6 i6 f8 i9 g10"),
    ("f6 f7 e8 g9 f10", "e6 j8 k8 k10 e11"),
    ("f5 f8 g10 g11 h11", "g5 j6 k6 k9 h10"),
];

/// The usual board with these stones.
fn board(rule: &str, black: &str, white: &str, mover: char) -> GomokuPosition<4> {
    let game = Gomoku::from_variant(rule).expect("a rule");
    let at = |list: &str| -> Vec<usize> {
        let start = game.start();
        list.split_whitespace().map(|name| start.read_move(name).expect("a cell").index()).collect()
    };
    let (black, white) = (at(black), at(white));
    let rows = (0..15usize).rev().map(|row| {
        let sign = |column| match 15 * row + column {
            i if black.contains(&i) => 'b',
            i if white.contains(&i) => 'w',
            _ => '.',
        };
        (0..15).map(sign).collect::<String>()
    });
    game.read(&format!("{} {mover}", rows.collect::<Vec<_>>().join("/"))).expect("a position")
}

fn told<P: TwoPlayer>(position: &P, attacker: Player) -> Option<Sequence<P::Move>>
where
    Expert: Expertise<P>,
{
    Expert.sequence(position, attacker, &Stop::default())
}

/// The same stones with the other to move, where the notation says so by its last letter.
fn turned<G: Game<Position: Notation>>(game: &G, position: &G::Position) -> G::Position {
    let text = position.write();
    let (stones, mover) = text.split_at(text.len() - 1);
    let letter = |n: usize| G::ABOUT.players[n].to_lowercase()[..1].to_string();
    let [first, second] = [letter(0), letter(1)];
    game.read(&format!("{stones}{}", if mover == first { second } else { first })).expect("a position")
}

/// Does the attacker, to move, win by the plan whichever of its replies is chosen?
fn ends_in_a_win<P: TwoPlayer>(position: &P, plan: &Plan<P::Move>) -> bool {
    let attacker = position.mover();
    let after = position.after(plan.attack);
    if after.turn().is_over() {
        return after.payoff().of(attacker) > 0;
    }
    let wins_after = |reply: P::Move, then: Option<&Plan<P::Move>>| {
        let next = after.after(reply);
        !next.turn().is_over()
            && then.map_or_else(|| next.winning_move(None).is_some(), |plan| ends_in_a_win(&next, plan))
    };
    if plan.then.is_empty() {
        return after.move_list().into_iter().all(|reply| wins_after(reply, None));
    }
    plan.then.iter().all(|(replies, plan)| replies.iter().all(|&reply| wins_after(reply, Some(plan))))
}

/// Does the player to move win by moves that each threaten to complete a line? By the rules alone.
fn wins_by_fours<P: TwoPlayer>(position: &P, depth: u32) -> bool {
    if position.winning_move(None).is_some() {
        return true;
    }
    depth > 0
        && position.move_list().into_iter().any(|attack| {
            let after = position.after(attack);
            !after.turn().is_over() && after.winning_move(None).is_none() && {
                let replies = after.move_list();
                let open: Vec<P::Move> = replies
                    .into_iter()
                    .filter(|&reply| {
                        let next = after.after(reply);
                        next.turn().is_over() || next.winning_move(None).is_none()
                    })
                    .collect();
                // A four leaves one reply, and a double one none.
                match open[..] {
                    [] => true,
                    [reply] => {
                        let next = after.after(reply);
                        !next.turn().is_over() && wins_by_fours(&next, depth - 1)
                    }
                    _ => false,
                }
            }
        })
}

/// Random stones on a board, nobody with a line.
fn scattered<P: TwoPlayer>(start: P, stones: usize, rng: &mut Rng) -> Option<P> {
    let mut position = start;
    for _ in 0..stones {
        position.play(position.random_move(rng)?);
        if position.turn().is_over() {
            return None;
        }
    }
    Some(position)
}

#[test]
fn what_is_told_ends_in_a_win_by_the_rules_alone() {
    for rule in ["free", "standard"] {
        for (black, white) in BOARDS {
            let position = board(rule, black, white, 'b');
            let told = told(&position, Player::FIRST).expect("a win");
            assert!(ends_in_a_win(&position, &told.plan), "{rule} {black}: {:?}", told.plan);
        }
    }
    let mut rng = Rng::new(5);
    let (mut found, mut trees) = (0, 0);
    for round in 0..210 {
        let game = Gomoku::from_variant(["free,8", "standard,8", "renju,8"][round % 3]).expect("a variant");
        let Some(position) = scattered(game.start(), 10 + round % 9, &mut rng) else { continue };
        if let Some(told) = told(&position, position.mover()) {
            found += 1;
            trees += usize::from(!told.plan.variations().is_empty());
            assert!(ends_in_a_win(&position, &told.plan), "{}: {:?}", position.write(), told.plan);
        }
    }
    assert!(found > 20, "{found} wins, {trees} of them trees");
}

/// In renju too, where wins by fours and threes honour what is forbidden to Black.
#[test]
fn threes_are_told_in_renju() {
    let game = Gomoku::from_variant("renju").expect("a variant");
    let (mut rng, mut threes) = (Rng::new(23), [0; 2]);
    for round in 0..60 {
        let mut position = game.start();
        while position.stones().taken().len() < 10 + round % 2 {
            let cell = Cell(position.stones().grid().cell(4 + rng.below(7), 4 + rng.below(7)) as u16);
            if position.move_list().contains(&cell) {
                position.play(cell);
            }
        }
        let Some(told) = told(&position, position.mover()) else { continue };
        assert!(ends_in_a_win(&position, &told.plan), "{}: {:?}", position.write(), told.plan);
        threes[round % 2] += usize::from(!wins_by_fours(&position, 4));
    }
    assert!(threes[0] >= 3 && threes[1] >= 3, "{threes:?}");
}

/// After the first move the attacker has a win whatever the reply, also where the plan does not name it.
#[test]
fn no_reply_that_is_not_told_helps() {
    let mut rng = Rng::new(15);
    let mut positions: Vec<_> =
        BOARDS.iter().map(|(black, white)| board("free", black, white, 'b')).collect();
    for round in 0..90 {
        let game = Gomoku::from_variant(["free,8", "standard,8", "renju,8"][round % 3]).expect("a variant");
        positions.extend(scattered(game.start(), 10 + round % 9, &mut rng));
    }
    let mut replies = 0;
    for position in positions {
        let Some(told) = told(&position, position.mover()) else { continue };
        let after = position.after(told.plan.attack);
        for reply in after.move_list() {
            let next = after.after(reply);
            let wins = || Expert.attack(&next, position.mover()).is_some() || patiently(&next);
            assert!(!next.turn().is_over() && wins(), "{} {:?} {reply:?}", position.write(), told.plan);
            replies += 1;
        }
    }
    assert!(replies > 2000, "{replies}");
}

#[test]
fn what_is_told_of_other_lines_ends_in_a_win_too() {
    let mut rng = Rng::new(6);
    let (mut small, mut cube) = (0, 0);
    let game = Mnk::from_variant("6,6,4").expect("a variant");
    for round in 0..80 {
        let Some(position) = scattered(game.start(), 4 + round % 8, &mut rng) else { continue };
        if let Some(told) = told(&position, position.mover()) {
            small += 1;
            assert!(ends_in_a_win(&position, &told.plan), "{}: {:?}", position.write(), told.plan);
        }
    }
    for round in 0..40 {
        let Some(position) = scattered(Qubic.start(), 8 + round % 8, &mut rng) else { continue };
        if let Some(told) = told(&position, position.mover()) {
            cube += 1;
            assert!(ends_in_a_win(&position, &told.plan), "{}: {:?}", position.write(), told.plan);
        }
    }
    assert!(small > 20 && cube > 10, "{small} and {cube}");
}

/// Every cell of `must` leaves no win that is found, or wins at once; every other leaves one, of which every `step`th is
/// looked for anew, first in the quick way and then by `patiently`.
fn must_is_right<G: Game<Position: Notation + TwoPlayer>>(
    game: &G,
    position: &G::Position,
    step: usize,
    patiently: impl Fn(&G::Position) -> bool,
) -> (usize, usize)
where
    Expert: Expertise<G::Position>,
{
    let attacker = position.mover();
    let Some(told) = told(position, attacker) else { return (0, 0) };
    let waiting = turned(game, position);
    let mut counts = (0, 0);
    for reply in waiting.move_list() {
        let after = waiting.after(reply);
        if after.turn().is_over() {
            assert!(told.must.contains(&reply), "{reply:?} ends it: {}", position.write());
        } else if told.must.contains(&reply) {
            counts.0 += 1;
            let wins = !told.unsure.contains(&reply) && self::told(&after, attacker).is_some();
            assert!(!wins, "{reply:?} loses: {}", position.write());
        } else {
            counts.1 += 1;
            let wins = || Expert.attack(&after, attacker).is_some() || patiently(&after);
            assert!(counts.1 % step > 0 || wins(), "{reply:?} holds: {}", position.write());
        }
    }
    counts
}

/// Does the player to move win by a sequence that takes long to find?
fn patiently(position: &GomokuPosition<4>) -> bool {
    let stones = position.stones();
    let mut board = Board::new(stones.grid(), position.rule());
    for player in [Player::FIRST, Player::SECOND] {
        stones.of(player).iter().for_each(|cell| board.place(cell, player));
    }
    let mover = position.mover();
    Sequences::new(20_000).first_move(&board, mover).is_some()
        || Threes::default().win(&mut board, mover, 6, &mut Limit::nodes(50_000)).is_some()
}

#[test]
fn the_defender_has_to_play_where_no_win_is_found_and_nowhere_else() {
    let free = Gomoku::from_variant("free").expect("a variant");
    let (mut inside, mut outside) = (0, 0);
    for (black, white) in &BOARDS[..4] {
        let (must, other) = must_is_right(&free, &board("free", black, white, 'b'), 5, patiently);
        assert!(must < 60 && other > 100, "{black}: {must} and {other}");
    }
    let mut rng = Rng::new(9);
    for round in 0..36 {
        let game = Gomoku::from_variant(["free,8", "standard,8", "renju,8"][round % 3]).expect("a variant");
        if let Some(position) = scattered(game.start(), 12 + round % 7, &mut rng) {
            let (must, other) = must_is_right(&game, &position, 1, patiently);
            (inside, outside) = (inside + must, outside + other);
        }
    }
    for round in 0..10 {
        if let Some(position) = scattered(Qubic.start(), 8 + round, &mut rng) {
            must_is_right(&Qubic, &position, 1, |_| false);
        }
    }
    assert!(inside > 5 && outside > 100, "{inside} and {outside}");
}

/// The moves after which a sequence of fours that threatens, if the other passes, is no longer there.
fn stopping<P: TwoPlayer>(after: &P, depth: u32) -> Vec<P::Move> {
    let stops = |reply: &P::Move| {
        let next = after.after(*reply);
        next.turn().is_over() || !wins_by_fours(&next, depth)
    };
    after.move_list().into_iter().filter(stops).collect()
}

#[test]
fn replies_are_those_that_stop_the_threat() {
    // A four has one reply, a three two or three; that with a wall next to it has three.
    for (black, white, first, replies) in
        [("e8 f8 g8 h5 h6 h7", "d8 h4", "h8", vec!["h9", "i8"]), ("f8 g8 h6 h7", "", "h8", vec!["e8", "i8"])]
    {
        let position = board("free", black, white, 'b');
        let told = told(&position, Player::FIRST).expect("a win");
        let names = |list: &[Cell]| list.iter().map(|&m| position.write_move(m)).collect::<Vec<_>>();
        assert_eq!(names(&[told.plan.attack]), [first]);
        assert!(names(&told.plan.replies()).iter().all(|name| replies.contains(&name.as_str())), "{told:?}");
    }
    // By brute force, in plans of threats of the first and second order on small boards: the replies are those that
    // stop the fours to come, and each of them has its continuation.
    let game = Mnk::from_variant("6,6,4").expect("a variant");
    let mut rng = Rng::new(11);
    let mut quiet = 0;
    for round in 0..60 {
        let Some(position) = scattered(game.start(), 4 + round % 6, &mut rng) else { continue };
        let Some(told) = told(&position, position.mover()) else { continue };
        let after = position.after(told.plan.attack);
        if after.turn().is_over() || told.plan.then.is_empty() {
            continue;
        }
        let mut replies = told.plan.replies();
        replies.sort_unstable();
        let stopping = stopping(&after, 12);
        if stopping.is_empty() {
            continue;
        }
        quiet += usize::from(stopping.len() > 1);
        assert_eq!(replies, stopping, "{} {:?}", position.write(), told.plan);
    }
    assert!(quiet > 5, "{quiet}");
}

/// Each threat of the sequences found on random boards, with what else stands on its line: its replies are those that
/// stop it.
#[test]
fn replies_of_fours_and_threes_are_those_that_stop_them() {
    let mut rng = Rng::new(13);
    let mut sequences = Sequences::new(200);
    let (mut fours, mut threes) = (0, 0);
    for round in 0..400 {
        let game = Gomoku::from_variant(["free,9", "standard,9"][round % 2]).expect("a variant");
        let Some(position) = scattered(game.start(), 12, &mut rng) else { continue };
        let grid = position.stones().grid();
        let mut stones = [Player::FIRST, Player::SECOND].map(|player| *position.stones().of(player));
        let mut board = Board::new(grid, position.rule());
        for player in [Player::FIRST, Player::SECOND] {
            stones[player.index()].iter().for_each(|cell| board.place(cell, player));
        }
        for threat in sequences.find(&board, Player::FIRST).into_iter().flatten() {
            stones[0].insert(threat.attack);
            let step = threat.line[1] - threat.line[0];
            let (column, row) = (threat.line[0] % 9, threat.line[0] / 9);
            let on_line = |cell: usize| {
                let (x, y) = ((cell % 9) as i32 - column as i32, (cell / 9) as i32 - row as i32);
                match step {
                    1 => y == 0,
                    9 => x == 0,
                    10 => x == y,
                    _ => x == -y,
                }
            };
            // Another stone on the line may make more of it than one threat.
            let alone = stones[0].iter().all(|cell| !on_line(cell) || threat.line.contains(&cell));
            if alone && !threat.replies.is_empty() {
                let sign = |cell: usize| match cell {
                    cell if !on_line(cell) => '.',
                    cell if stones[0].contains(cell) => 'b',
                    cell if stones[1].contains(cell) => 'w',
                    _ => '.',
                };
                let rows: Vec<String> =
                    (0..9).rev().map(|y| (0..9).map(|x| sign(9 * y + x)).collect()).collect();
                let after = game.read(&format!("{} w", rows.join("/"))).expect("White to move");
                let mut replies = threat.replies.clone();
                replies.sort_unstable();
                let stops: Vec<usize> = stopping(&after, 2).into_iter().map(Cell::index).collect();
                assert_eq!(replies, stops, "{} {threat:?}", after.write());
                *if threat.category == 1 { &mut fours } else { &mut threes } += 1;
            }
            threat.replies.iter().for_each(|&reply| stones[1].insert(reply));
        }
    }
    assert!(fours > 10 && threes > 10, "{fours} and {threes}");
}
