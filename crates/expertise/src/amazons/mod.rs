//! Amazons: who reaches which squares first, and whose amazons are shut in.
//!
//! The evaluation of AMAZONG (Lieberum 2003). `D1` and `D2` of a square are the queen and king moves that the
//! nearest amazon of a side needs to it. `t1` and `t2` count the squares that one side reaches first by queen and
//! by king moves, `c1` and `c2` by how much; `w` sums how contested the squares are and is 0 when the filling
//! begins, where `t1` is all that counts. Amazons with little room are punished while much is open. The paper
//! leaves the functions of `w` open: those here are chosen by hand within its conditions. Cost: some 200 queen
//! moves on words of 128 bits.

mod distance;
#[cfg(test)]
mod tests;

use distance::{Distances, FAR};
use endspiel_game::Expertise;
use endspiel_rules::amazons::reach::{queen, spread, squares};
use endspiel_rules::amazons::{Board, Move};

/// What is known of Amazons.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expert;

/// What the right to move is worth on a square that both sides reach at once.
const TEMPO: f64 = 0.1;
/// Thousandths of a win for a square of territory.
const SQUARE: f64 = 40.0;
/// An estimate claims no more than this.
const MOST: f64 = 950.0;

impl Expertise<Board> for Expert {
    const EVALUATES: bool = true;

    fn evaluate(&self, board: &Board) -> i32 {
        (SQUARE * territory(board)).clamp(-MOST, MOST) as i32
    }

    /// Free squares around the new place, and arrows next to the opponent.
    #[inline]
    fn promise(&self, board: &Board, m: Move) -> i32 {
        let room = |at: u8| (spread(1 << at) & board.empties()).count_ones() as i32;
        let opponent = spread(board.amazons(board.side().other()));
        room(m.to) - room(m.from) + 4 * i32::from(opponent >> m.arrow & 1 == 1)
    }
}

/// Squares that the player to move is ahead by.
fn territory(board: &Board) -> f64 {
    let sides = [board.side(), board.side().other()];
    let [own, other] = sides.map(|player| Distances::of(board.amazons(player), board.occupied()));
    let (mut t1, mut t2, mut c1, mut c2, mut w) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for at in squares(board.empties()) {
        let (queen, king) = ([own.queen[at], other.queen[at]], [own.king[at], other.king[at]]);
        t1 += first(queen);
        t2 += first(king);
        c1 += 2.0 * (share(queen[0]) - share(queen[1]));
        c2 += ((f64::from(king[1]) - f64::from(king[0])) / 6.0).clamp(-1.0, 1.0);
        if queen[0] < FAR && queen[1] < FAR {
            w += share(queen[0].abs_diff(queen[1]));
        }
    }
    // How open the game is: 0 when the filling begins.
    let open = w / (w + 20.0);
    let t = (1.0 - open) * t1 + open * (0.4 * c1 + 0.3 * c2 + 0.3 * t2);
    let shut = |distances: &Distances, side: usize| -> f64 {
        squares(board.amazons(sides[side]))
            .map(|at| (w / 60.0).min(1.0) * 15.0 * (-mobility(board, at, distances) / 4.0).exp2())
            .sum()
    };
    t + shut(&own, 1) - shut(&other, 0)
}

/// 2 to the power of minus a distance.
fn share(distance: u8) -> f64 {
    if distance >= FAR { 0.0 } else { (-f64::from(distance)).exp2() }
}

/// Who is first at a square; the player to move has a little of what both reach at once.
fn first([own, other]: [u8; 2]) -> f64 {
    match own.cmp(&other) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Greater => -1.0,
        std::cmp::Ordering::Equal if own < FAR => TEMPO,
        std::cmp::Ordering::Equal => 0.0,
    }
}

/// The room of the amazon at `from`: the squares one move away that the opponent can reach, each by its free
/// neighbours, the farther ones less.
fn mobility(board: &Board, from: usize, opponent: &Distances) -> f64 {
    let mut near = 1u128 << from;
    let mut left = queen(from, board.occupied());
    let (mut weight, mut sum) = (1.0, 0.0);
    while left != 0 {
        near = spread(near);
        for at in squares(left & near).filter(|&at| opponent.king[at] < FAR) {
            sum += weight * f64::from((spread(1 << at) & board.empties() & !(1 << at)).count_ones());
        }
        left &= !near;
        weight /= 2.0;
    }
    sum
}
