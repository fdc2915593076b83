use super::{Awari, Board, End, GrandSlam, Pit};
use crate::counts;
use endspiel_game::conform::conform;
use endspiel_game::{Game, Notation, Payoff, Player, Position, Rng, Turn, TwoPlayer, perft};
use std::collections::HashMap;

fn game(variant: &str) -> Awari {
    Awari::from_variant(variant).unwrap()
}

fn read(text: &str) -> Board {
    Awari::default().read(text).unwrap()
}

fn names(board: &Board) -> Vec<String> {
    board.move_list().into_iter().map(|m| board.write_move(m)).collect()
}

#[test]
fn keeps_the_promises_of_a_game() {
    for (_, grand_slam) in GrandSlam::NAMES {
        for end in [End::Majority, End::LastStone] {
            conform(&Awari { grand_slam, end }, 15, 200, 6);
        }
    }
}

#[test]
fn counts_of_lines_are_those_of_others() {
    for (variant, depth, count) in counts::read(include_str!("perft.txt")) {
        assert_eq!(perft(&game(variant).start(), depth), count, "depth {depth}");
    }
}

/// Allis 1994, figures 2.7 and 2.8; pits c to f of the first are not printed and chosen to fit.
#[test]
fn positions_of_the_thesis() {
    assert_eq!(names(&read("1 0 4 19 4 2|1 1 3 0 0 1")), ["A1", "C4x2", "D19x7", "E4", "F2x4"]);
    let board = read("0 1 0 0 1 0|0 0 0 0 0 1 0-0 S");
    let (end, line) = board.read_line("1. B1 f1 2. C1").unwrap();
    assert_eq!((line.len(), end.turn(), end.payoff()), (3, Turn::Over, Payoff::zero_sum(3)));
    let (only, _) = board.read_line("E1 f1").unwrap();
    assert_eq!(names(&only), ["F1"], "the feeding rule");
    let (back, _) = board.read_line("E1 f1 2. F1 a1 3. B1 b1 4. C1 c1 5. D1 d1 6. A1 e1").unwrap();
    assert_eq!(back, board);
}

/// The rules written pit by pit.
fn slowly(board: &Board, pit: usize) -> Option<([[u8; 6]; 2], [u8; 2])> {
    let (own, other) = (board.mover, board.mover.other());
    let mut ring: Vec<u8> = board.pits(own).into_iter().chain(board.pits(other)).collect();
    let hand = std::mem::take(&mut ring[pit]);
    if hand == 0 {
        return None;
    }
    let mut at = pit;
    for _ in 0..hand {
        at = (at + 1) % 12;
        if at == pit {
            at = (at + 1) % 12;
        }
        ring[at] += 1;
    }
    let mut after = ring.clone();
    let mut captured = 0;
    while at >= 6 && (2..=3).contains(&after[at]) {
        captured += std::mem::take(&mut after[at]);
        at -= 1;
    }
    let slam = captured > 0 && after[6..].iter().all(|&stones| stones == 0);
    let mut rest = 0;
    match board.game().grand_slam {
        GrandSlam::Forbidden if slam => return None,
        GrandSlam::NoCapture if slam => (after, captured) = (ring, 0),
        GrandSlam::RestToOpponent if slam => {
            rest = after.iter().sum();
            after = vec![0; 12];
        }
        _ => {}
    }
    let mut pits = [[0; 6]; 2];
    pits[own.index()].copy_from_slice(&after[..6]);
    pits[other.index()].copy_from_slice(&after[6..]);
    let mut taken = [board.captured(Player::FIRST), board.captured(Player::SECOND)];
    taken[own.index()] += captured;
    taken[other.index()] += rest;
    Some((pits, taken))
}

#[test]
fn words_agree_with_sowing_by_hand() {
    let mut rng = Rng::new(11);
    for (_, grand_slam) in GrandSlam::NAMES {
        let game = Awari { grand_slam, end: End::LastStone };
        for round in 0..3000 {
            let mut pits = [[0; 6]; 2];
            for _ in 0..=rng.below(if round % 2 == 0 { 48 } else { 12 }) {
                // Few pits, so that some grow large and rows run dry.
                pits[rng.below(2)][rng.below(6) * rng.below(2)] += 1;
            }
            let player = Player(rng.below(2) as u8);
            let board = Board::new(game, player, pits, [0; 2]);
            let results: Vec<_> = (0..6).map(|pit| slowly(&board, pit)).collect();
            let other = player.other().index();
            let slams_count = matches!(grand_slam, GrandSlam::Allowed | GrandSlam::RestToOpponent);
            let feeds =
                |r: &([[u8; 6]; 2], [u8; 2])| r.0[other] != [0; 6] || slams_count && r.1[player.index()] > 0;
            let must = results.iter().flatten().any(feeds);
            let legal: Vec<Pit> = (0..6)
                .filter(|&pit| results[pit].as_ref().is_some_and(|r| !must || feeds(r)))
                .filter_map(Pit::new)
                .collect();
            assert_eq!(board.move_list(), legal, "{} {grand_slam:?}", board.write());
            for m in legal {
                let next = board.after(m);
                let (pits, taken) = results[m.index()].unwrap();
                assert_eq!(next, Board::new(game, player.other(), pits, taken), "{}", board.write());
            }
        }
    }
}

/// Every value with up to `most` stones on the board and none captured, by value iteration from even shares
/// (R. van der Goot 2000): what the player to move gets more of them, number of stones by number.
fn values(game: Awari, most: u8) -> Vec<Vec<i32>> {
    let bare =
        |board: &Board| Board::new(game, Player::FIRST, [board.own_pits(), board.other_pits()], [0; 2]);
    let mut levels: Vec<Vec<i32>> = Vec::new();
    let mut index: Vec<HashMap<u64, usize>> = Vec::new();
    for n in 0..=most {
        let boards: Vec<Board> =
            distributions(n).map(|p| Board::new(game, Player::FIRST, p, [0; 2])).collect();
        index.push(boards.iter().enumerate().map(|(i, board)| (board.key(), i)).collect());
        // For each position the best it gets by leaving the level, and where else it can go.
        let mut ways: Vec<(i32, Vec<usize>)> = Vec::new();
        for board in &boards {
            let (mut sure, mut inside) = (i32::MIN, Vec::new());
            if board.turn().is_over() {
                sure = board.payoff().of(Player::FIRST);
            }
            board.moves(|m| {
                let next = board.after(m);
                let gain = next.repeated().of(Player::FIRST);
                let (level, there) = (next.on_board(), bare(&next).key());
                let i = index[usize::from(level)][&there];
                if level == n {
                    inside.push(i);
                } else {
                    sure = sure.max(gain - levels[usize::from(level)][i]);
                }
            });
            ways.push((sure, inside));
        }
        let mut level = vec![0; boards.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (i, (sure, inside)) in ways.iter().enumerate() {
                let value = inside.iter().map(|&j: &usize| -level[j]).fold(*sure, i32::max);
                changed |= std::mem::replace(&mut level[i], value) != value;
            }
        }
        levels.push(level);
    }
    levels
}

/// All ways to lay `n` stones into twelve pits.
fn distributions(n: u8) -> impl Iterator<Item = [[u8; 6]; 2]> {
    let mut pits = Some([0; 12]);
    pits.as_mut().unwrap()[0] = n;
    std::iter::from_fn(move || {
        let now = pits?;
        // The first stones move on by one pit, what is before them goes back to the beginning.
        let mut next = now;
        let first = next.iter().position(|&stones| stones > 0).unwrap_or(11);
        pits = (first < 11).then(|| {
            next[first + 1] += 1;
            let left = std::mem::take(&mut next[first]) - 1;
            next[0] += left;
            next
        });
        let (south, north) = now.split_at(6);
        Some([south.try_into().unwrap(), north.try_into().unwrap()])
    })
}

impl Board {
    fn own_pits(&self) -> [u8; 6] {
        self.pits(self.mover)
    }

    fn other_pits(&self) -> [u8; 6] {
        self.pits(self.mover.other())
    }
}

#[test]
fn values_of_few_stones() {
    // Wins, draws and losses of the player to move with 1 to 9 stones.
    const OUTCOMES: [[usize; 3]; 9] = [
        [5, 0, 7],
        [25, 13, 40],
        [123, 63, 178],
        [580, 143, 642],
        [2165, 0, 2203],
        [5698, 1548, 5130],
        [14921, 4487, 12416],
        [37767, 8351, 29464],
        [85285, 20308, 62367],
    ];
    let levels = values(game("end=last-stone"), 9);
    for (n, expected) in (1..).zip(OUTCOMES) {
        let count = |sign: i32| levels[n].iter().filter(|value| value.signum() == sign).count();
        assert_eq!([count(1), count(0), count(-1)], expected, "{n} stones");
    }
    let six = [(-6, 4242), (-4, 116), (-2, 772), (0, 1548), (2, 550), (3, 62), (4, 302), (6, 4784)];
    for (value, count) in six {
        assert_eq!(levels[6].iter().filter(|&&v| v == value).count(), count, "value {value} with six stones");
    }
}

/// Mean and deviation of the values with ten stones tell the rules of the grand slam apart.
#[test]
fn values_of_ten_stones_by_rule() {
    for (variant, mean, deviation) in [
        ("grand-slam=no-capture,end=last-stone", 1.12375, 5.22753),
        ("grand-slam=allowed,end=last-stone", 1.17165, 5.26791),
        ("grand-slam=rest-to-opponent,end=last-stone", 1.12669, 5.21350),
    ] {
        let ten = values(game(variant), 10).pop().unwrap_or_default();
        let count = ten.len() as f64;
        let (sum, squares) = (ten.iter().sum::<i32>(), ten.iter().map(|v| v * v).sum::<i32>());
        let found = f64::from(sum) / count;
        let spread = (f64::from(squares) / count - found * found).sqrt();
        assert!(
            (found - mean).abs() < 1e-5 && (spread - deviation).abs() < 1e-5,
            "{variant} {found} {spread}"
        );
    }
}

/// Under the majority rule the same positions are won, drawn and lost.
#[test]
fn the_majority_decides_as_the_last_stone_does() {
    let (most, game) = (5, Awari::default());
    let truth = values(self::game("end=last-stone"), most);
    let mut boards = Vec::new();
    for on_board in 0..=most {
        for captured in 0..=most - on_board {
            let taken = [captured, most - on_board - captured];
            boards.extend(distributions(on_board).map(|p| Board::new(game, Player::FIRST, p, taken)));
        }
    }
    let turned = |board: &Board| {
        let taken = [board.own_captured, board.opponent_captured];
        Board::new(game, Player::FIRST, [board.own_pits(), board.other_pits()], taken)
    };
    let index: HashMap<u64, usize> = boards.iter().enumerate().map(|(i, b)| (b.key(), i)).collect();
    let next: Vec<Vec<usize>> = boards
        .iter()
        .map(|board| board.move_list().into_iter().map(|m| index[&turned(&board.after(m)).key()]).collect())
        .collect();
    let mut level: Vec<i32> =
        boards.iter().map(|board| board.repeated().of(Player::FIRST).signum()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (i, board) in boards.iter().enumerate() {
            let best = next[i].iter().map(|&j| -level[j]).max();
            let value = best.unwrap_or_else(|| board.payoff().of(Player::FIRST).signum());
            changed |= std::mem::replace(&mut level[i], value) != value;
        }
    }
    let start = boards.iter().position(|board| board.on_board() == most).unwrap();
    for (value, truth) in level[start..].iter().zip(&truth[usize::from(most)]) {
        assert_eq!(*value, truth.signum());
    }
}

#[test]
fn games_end_as_they_should() {
    let board = read("0 0 0 0 0 1|1 0 0 0 0 4 24-18 S");
    let end = board.after(board.read_move("f1x2").unwrap());
    assert_eq!((end.turn(), end.payoff()), (Turn::Over, Payoff::zero_sum(8)), "26 stones are a majority");
    assert_eq!(read("0 0 0 0 0 0|1 0 0 0 0 4 20-20 S").payoff(), Payoff::zero_sum(-5), "no stone to move");
    assert_eq!(read("1 0 0 0 0 0|1 0 0 0 0 4 20-22 N").repeated(), Payoff::zero_sum(-2));
    assert_eq!(read("1 0 0 0 0 0|1 0 0 0 0 4 20-21 N").score_range(), (-7, 5));
    assert_eq!(read("0 0 0 0 0 0|0 0 0 0 0 0").turn(), Turn::Over);
    // One grand slam under all rules: F1x2 takes all that North has.
    let slam = "1 0 0 0 0 1|1 0 0 0 0 0 10-10 S";
    let at = |variant: &str| game(variant).read(slam).unwrap();
    assert_eq!(names(&at("")), ["A1"]);
    assert_eq!(names(&at("grand-slam=forbidden")), ["A1"]);
    assert_eq!(names(&at("grand-slam=no-capture")), ["A1", "F1"]);
    let taken = |variant: &str| at(variant).read_line("F1x2").unwrap().0.payoff();
    assert_eq!(taken("grand-slam=allowed,end=last-stone"), Payoff::zero_sum(3));
    assert_eq!(taken("grand-slam=rest-to-opponent"), Payoff::zero_sum(1));
    let forced = |variant: &str| game(variant).read("0 0 0 0 0 1|1 0 0 0 0 0 10-10 S").unwrap();
    assert_eq!(names(&forced("")), ["F1x2"], "a grand slam that cannot be avoided");
    let stuck = forced("grand-slam=forbidden");
    assert_eq!((stuck.turn(), stuck.payoff()), (Turn::Over, Payoff::zero_sum(-2)));
}

#[test]
fn errors_name_the_place() {
    let start = Awari::default().start();
    let error = |text: &str| start.read_line(text).unwrap_err();
    assert_eq!((error("F4 g").at, error("F4 g").what.as_str()), (3, "'g' does not begin with a pit"));
    assert_eq!((error("F5").at, error("F5").expected.as_str()), (1, "one of A4 B4 C4 D4 E4 F4"));
    assert_eq!(error("f a f b f").what, "pit F is empty");
    let fault = |text: &str| Awari::default().read(text).unwrap_err();
    assert_eq!(fault("4 4 4 4 4 4 4 4 4").what, "there is no | between the rows");
    assert_eq!(
        (fault("4 4 4 4 4|4 4 4 4 4 4").at, fault("4 4 4 4 4|4 4 4 4 4 4").what.as_str()),
        (9, "5 pits in a row")
    );
    assert_eq!(fault("4 4 4 x 4 4|4 4 4 4 4 4").at, 6);
    assert_eq!(fault("4 4 4 4 4 4|4 4 4 4 4 4 0-9x").at, 26);
    assert_eq!(fault("4 4 4 4 4 4|4 4 4 4 4 4 0-0 W").at, 28);
    assert_eq!(fault("4 4 4 4 4 4|4 4 4 4 4 4 0-1 S").what, "49 stones in all");
    assert_eq!(Awari::from_variant("grand-slam=never").unwrap_err().at, 0);
    assert_eq!(Awari::from_variant("end=last-stone,x").unwrap_err().at, 15);
}
