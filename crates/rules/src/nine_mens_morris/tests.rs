use super::points::{self, MILL_SYMMETRIES, MILLS, NEIGHBOURS, SYMMETRIES, each, image_point};
use super::*;
use crate::counts;
use endspiel_game::conform::conform;
use endspiel_game::{Notation, Payoff, Player, Position, Rng, Turn, perft};

fn read(text: &str) -> Board {
    NineMensMorris.read(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn it_keeps_its_promises() {
    conform(&NineMensMorris, 30, 120, 9);
}

#[test]
fn published_counts() {
    for (_, depth, count) in counts::read(include_str!("counts.txt")) {
        assert_eq!(perft(&NineMensMorris.start(), depth), count, "depth {depth}");
    }
}

#[test]
fn the_board_has_16_mills_32_lines_and_its_symmetries() {
    let mut mills: Vec<u32> = (0..24).flat_map(|p| MILLS[p].map(|others| others | 1 << p)).collect();
    mills.sort_unstable();
    mills.dedup();
    assert_eq!(mills.len(), 16);
    assert_eq!(NEIGHBOURS.iter().map(|n| n.count_ones()).sum::<u32>(), 64);
    for s in 0..MILL_SYMMETRIES {
        for &mill in &mills {
            assert!(mills.contains(&points::image(mill, s)), "symmetry {s}");
        }
        let keeps_lines = (0..24).all(|p| points::image(NEIGHBOURS[p], s) == NEIGHBOURS[image_point(p, s)]);
        assert_eq!(keeps_lines, s < SYMMETRIES, "symmetry {s}");
    }
}

/// What is found for whole sets is what single points tell.
#[test]
fn sets_have_the_mills_and_neighbours_of_their_points() {
    let mut rng = Rng::new(9);
    for _ in 0..20_000 {
        let set = (rng.bits() & rng.bits()) as u32 & points::ALL;
        let milled = each(set).filter(|&p| points::in_mill(set, p)).fold(0, |all, p| all | 1 << p);
        let near = each(set).fold(0, |all, p| all | NEIGHBOURS[p]);
        assert_eq!((points::milled(set), points::neighbours(set)), (milled, near), "{set:x}");
    }
}

#[test]
fn mills_take_men_and_the_last_ones_decide() {
    // Two in a row, the third from the hand: either free man may be taken, the mill's men may not.
    let board = read("xx./.../.../o.o.../.../.../... x 7-7");
    let names: Vec<String> = board.move_list().iter().map(|&m| board.write_move(m)).collect();
    assert!(names.contains(&"g7xa4".into()) && names.contains(&"g7xc4".into()));
    assert_eq!(names.len(), 21);
    // All of Black's men are in one mill, so one of them may be taken: Black has two left and has lost.
    let board = read("xx./ooo/.../.....x/.../.../... x");
    let m = board.read_move("g4-g7xb6").unwrap();
    let next = board.after(m);
    assert_eq!((next.turn(), next.payoff()), (Turn::Over, Payoff::win(Player::FIRST)));
    // Four men that cannot move have lost; three fly.
    let stuck = read("oxo/.x./.../x....x/.../.../o.o o");
    assert_eq!(stuck.turn(), Turn::Player(Player::SECOND));
    let stuck = read("oxo/.o./.../x....x/.../.../oxo x");
    assert!(!stuck.turn().is_over());
    let stuck = read("oxo/.../.../x....x/.../.../oxo o");
    assert_eq!((stuck.turn(), stuck.payoff()), (Turn::Over, Payoff::win(Player::FIRST)));
    let flies = read("oxo/x../.../xx...x/.../.../o.x o");
    assert!(!flies.turn().is_over());
}

/// Taking a move back leads to the positions from which it can be made, and to no other.
#[test]
fn moves_are_taken_back() {
    let mut rng = Rng::new(4);
    let quiet =
        |board: &Board, m: Move| m.from != Move::NONE && m.takes == Move::NONE && !board.turn().is_over();
    for _ in 0..20 {
        let mut at = NineMensMorris.start();
        for _ in 0..150 {
            let mut before = Vec::new();
            at.before_moves(|board| before.push(board));
            for board in &before {
                let leads = |&m: &Move| quiet(board, m) && board.after(m) == at;
                assert!(board.move_list().iter().any(leads), "{} to {}", board.write(), at.write());
            }
            let Some(m) = at.random_move(&mut rng) else { break };
            let next = at.after(m);
            if quiet(&at, m) && at.hand(Player::FIRST) + at.hand(Player::SECOND) == 0 {
                let mut found = false;
                next.before_moves(|board| found |= board == at);
                assert!(found, "{} from {}", next.write(), at.write());
            }
            at = next;
        }
    }
}

#[test]
fn errors_say_where() {
    let at = |text: &str| NineMensMorris.read(text).unwrap_err().at;
    assert_eq!(at("x.o/.../.../....../.../.../..."), 30);
    assert_eq!(at("x.o/..q/.../....../.../.../... x 8-8"), 6);
    assert_eq!(at("x.o/.../.../....../.../.../... x 8-7"), 33);
    assert_eq!(at("x.o/.../.../....../.../.../... x"), 0);
    assert_eq!(at("x.o/.../.../....../.../... x 8-8"), 27);
    assert_eq!(at("x.o/.../.../....../.../.../... x 8-8 !"), 37);
    assert!(NineMensMorris::from_variant("lasker").is_err());
    assert_eq!(each(0b101).collect::<Vec<_>>(), [0, 2]);
}
