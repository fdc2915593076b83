//! The set Othello's positions are drawn from: any discs, with the four squares of the middle filled
//! (Allis 1994, section 6.3.6, who does not list all the tests of his estimate of 10^28).

use super::Othello;
use super::bits::squares;
use endspiel_game::Rng;
use endspiel_game::superset::{Bound, Superset, Test};

pub fn superset(game: Othello) -> Superset {
    let cells = i32::from(game.size).pow(2);
    let (board, middle) = (squares(game.size), game.centre().iter().sum::<u64>());
    let draw = move |rng: &mut Rng| {
        let mut filled = middle;
        let mut rest = board & !middle;
        while rest != 0 {
            let square = rest & rest.wrapping_neg();
            rest ^= square;
            if rng.below(3) > 0 {
                filled |= square;
            }
        }
        can_be_filled(filled, middle)
    };
    Superset {
        bounds: vec![
            Bound::new("every square is empty or has a disc of either", 3f64.powi(cells)),
            Bound::new("the four squares of the middle are filled", 16.0 * 3f64.powi(cells - 4)),
        ],
        test: Some(Test {
            what: "the squares can have been filled one by one, each with two filled ones next to it in a line",
            exact: false,
            draw: Box::new(draw),
        }),
    }
}

/// Can these squares have been filled one after the other from the middle? A disc catches at least one other
/// against a third, so two squares next to it in some direction are filled before it.
fn can_be_filled(filled: u64, middle: u64) -> bool {
    const LEFT: u64 = 0x0101_0101_0101_0101;
    let step = |set: u64, by: u32, up: bool, wall: u64| {
        let set = set & !wall;
        if up { set << by } else { set >> by }
    };
    let right = LEFT << 7;
    // Towards each of the eight directions: how far to shift, up or down, and the column that must not be left.
    let directions =
        [(1, true, right), (1, false, LEFT), (8, true, 0), (8, false, 0), (7, true, LEFT), (7, false, right)];
    let more = [(9, true, right), (9, false, LEFT)];
    let mut grown = middle;
    loop {
        let near = directions.iter().chain(&more).fold(0, |near, &(by, up, wall)| {
            let one = step(grown, by, up, wall) & grown;
            near | step(one, by, up, wall)
        });
        let next = grown | near & filled;
        if next == grown {
            return grown == filled;
        }
        grown = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::{Game, Position};

    #[test]
    fn what_is_played_passes() {
        let mut rng = Rng::new(5);
        for game in [Othello::STANDARD, Othello { size: 6, discs_only: false }] {
            let middle = game.centre().iter().sum::<u64>();
            for _ in 0..50 {
                let mut board = game.start();
                while let Some(m) = board.random_move(&mut rng) {
                    board.play(m);
                    assert!(can_be_filled(board.own() | board.opponent(), middle));
                }
            }
            assert!(!can_be_filled(middle | 1, middle), "a corner alone");
        }
    }
}
