//! The set the positions of Amazons are drawn from: four amazons of each colour and arrows anywhere.

use super::reach::{queen, spread};
use super::{Amazons, Board};
use endspiel_game::superset::{Bound, Superset, Test, choose};
use endspiel_game::{Game, Player, Rng};

pub fn superset(game: Amazons) -> Superset {
    let squares = usize::from(game.width) * usize::from(game.height);
    let size = choose(squares, 4) * choose(squares - 4, 4) * 2f64.powi(squares as i32 - 8);
    let start = game.start();
    let draw = move |rng: &mut Rng| {
        let [white, black, arrows] = drawn(game, rng);
        can_arise(&start, white, black, arrows)
    };
    Superset {
        bounds: vec![Bound::new("four amazons of each colour, any of the other squares blocked", size)],
        test: Some(Test {
            what: "an amazon of who moved last can have shot an arrow, or it is the start",
            exact: false,
            draw: Box::new(draw),
        }),
    }
}

/// White amazons, black amazons, arrows.
fn drawn(game: Amazons, rng: &mut Rng) -> [u128; 3] {
    let mut free = Board::empty(game.width, game.height).empties();
    let mut sets = [0; 3];
    for i in 0..8 {
        let square = super::reach::nth(free, rng.below(free.count_ones() as usize));
        sets[i / 4] |= 1 << square;
        free ^= 1 << square;
    }
    sets[2] = free & (u128::from(rng.bits()) << 64 | u128::from(rng.bits()));
    sets
}

/// White's and Black's amazons.
fn both(board: &Board) -> [u128; 2] {
    [board.amazons(Player::FIRST), board.amazons(Player::SECOND)]
}

/// Everything that is no square of this board.
fn off_board(board: &Board) -> u128 {
    Board::empty(board.grid().width, board.grid().height).occupied()
}

/// Who shot an arrow last can have come from its square: so a last move is there if a player's amazon has an
/// arrow within its reach.
fn can_arise(start: &Board, white: u128, black: u128, arrows: u128) -> bool {
    if arrows == 0 {
        return [white, black] == both(start);
    }
    let last = if arrows.count_ones() % 2 == 1 { white } else { black };
    let occupied = off_board(start) | white | black | arrows;
    super::reach::squares(last).any(|amazon| {
        // Next to the amazon, or at the end of a free line: next to a square it reaches, on that line.
        spread(1 << amazon) & arrows != 0 || {
            let reached = queen(amazon, occupied);
            super::reach::squares(arrows).any(|arrow| {
                spread(1 << arrow) & reached != 0 && queen(amazon, occupied ^ 1 << arrow) >> arrow & 1 == 1
            })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::Position;

    #[test]
    fn what_is_played_passes() {
        let (mut rng, start) = (Rng::new(2), Amazons::STANDARD.start());
        for _ in 0..20 {
            let mut board = start.clone();
            while let Some(m) = board.random_move(&mut rng) {
                board.play(m);
                let [white, black] = both(&board);
                assert!(can_arise(&start, white, black, board.arrows()));
            }
        }
        let [white, black] = both(&start);
        assert!(can_arise(&start, white, black, 0) && !can_arise(&start, black, white, 0));
    }
}
