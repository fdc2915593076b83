//! Lines of action: how close together a side's stones are, how central, how free.
//!
//! The features are those of MIA (Winands, van den Herik and Uiterwijk 2003) that need no tables of line
//! configurations, each own minus opponent: *concentration*, the distances of the stones from their centre of
//! mass beyond what so many stones need at least; *centralisation*, averaged over the stones; *mobility*;
//! *connectedness*, the average number of neighbours of a stone; *uniformity*, the area of the bounding
//! rectangle; and the move. The paper prints no weights: these are chosen by hand. Moves are ordered as by MONA
//! (Billings and Björnsson 2003): captures and central squares first.

#[cfg(test)]
mod tests;

use endspiel_game::{Expertise, Player};
use endspiel_rules::lines_of_action::{Board, Move};

/// What is known of lines of action.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expert;

/// Weights, in thousandths of a win for one unit of the feature.
const CONCENTRATION: i32 = 130;
const CENTRALISATION: i32 = 40;
const MOBILITY: i32 = 5;
const CONNECTEDNESS: i32 = 40;
const UNIFORMITY: i32 = 3;
const MOVE: i32 = 20;
/// An estimate claims no more than this.
const MOST: i32 = 950;

impl Expertise<Board> for Expert {
    const EVALUATES: bool = true;

    fn evaluate(&self, board: &Board) -> i32 {
        let mover = board.side();
        (worth(board, mover) - worth(board, mover.other()) + MOVE).clamp(-MOST, MOST)
    }

    #[inline]
    fn promise(&self, board: &Board, m: Move) -> i32 {
        if m.is_pass() {
            return 0;
        }
        let size = usize::from(board.grid().width);
        let captures = board.stones(board.side().other()) >> m.to & 1 == 1;
        2 * (centrality(m.to.into(), size) - centrality(m.from.into(), size)) + 3 * i32::from(captures)
    }
}

/// The distances of a square from the nearest edges, summed: 0 in a corner.
fn centrality(square: usize, size: usize) -> i32 {
    let from_edge = |at: usize| at.min(size - 1 - at) as i32;
    from_edge(square % size) + from_edge(square / size)
}

/// The least sum of distances that `count` stones can have from a square: one on it, eight around it, ...
fn least_distances(count: i32) -> i32 {
    let (mut sum, mut left, mut ring) = (0, count - 1, 1);
    while left > 0 {
        sum += ring * left.min(8 * ring);
        left -= 8 * ring;
        ring += 1;
    }
    sum
}

fn worth(board: &Board, player: Player) -> i32 {
    let size = usize::from(board.grid().width);
    let stones = board.stones(player);
    let count = stones.count_ones() as i32;
    if count == 0 {
        return 0;
    }
    let mut places = [(0i32, 0i32); 64];
    let (mut left, mut sum, mut central) = (stones, (0, 0), 0);
    let (mut least, mut most) = ((i32::MAX, i32::MAX), (0, 0));
    for place in &mut places[..count as usize] {
        let at = left.trailing_zeros() as usize;
        left &= left - 1;
        let (x, y) = ((at % size) as i32, (at / size) as i32);
        *place = (x, y);
        sum = (sum.0 + x, sum.1 + y);
        least = (least.0.min(x), least.1.min(y));
        most = (most.0.max(x), most.1.max(y));
        central += centrality(at, size);
    }
    let places = &places[..count as usize];
    // The nearest square to the centre of mass.
    let centre = ((2 * sum.0 + count) / (2 * count), (2 * sum.1 + count) / (2 * count));
    let distance = |a: (i32, i32), b: (i32, i32)| (a.0 - b.0).abs().max((a.1 - b.1).abs());
    let spread: i32 = places.iter().map(|&at| distance(at, centre)).sum();
    let beyond = (spread - least_distances(count)).max(0);
    let pairs = places
        .iter()
        .enumerate()
        .map(|(i, &a)| places[..i].iter().filter(|&&b| distance(a, b) == 1).count() as i32)
        .sum::<i32>();
    let area = (most.0 - least.0 + 1) * (most.1 - least.1 + 1);
    (CENTRALISATION * central - CONCENTRATION * beyond + CONNECTEDNESS * 2 * pairs) / count
        + MOBILITY * board.mobility(player) as i32
        - UNIFORMITY * area
}
