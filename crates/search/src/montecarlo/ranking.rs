//! Which child is best when some values are proven and others sampled, and the list of root moves.
//!
//! A proven value counts as it is. Among the others the most visited child stands for all (the *robust child*:
//! a mean of few visits may be luck). A child that cannot better a proven value is never preferred to it, and a proven win is
//! not given up for the hope of a higher one.

use super::tree::{Moments, Tree};
use crate::units::Units;
use endspiel_game::{Bounds, Player, TwoPlayer};

/// What is known of one root move. Values are of the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked<M> {
    /// The move.
    pub m: M,
    /// How many simulations went through it.
    pub visits: u64,
    /// Their mean result, or the proven one.
    pub mean: f64,
    /// The standard error of the mean, as if the simulations were independent.
    pub spread: Option<f64>,
    /// What is proven of the payoff after it.
    pub bounds: Bounds,
}

/// A child as its parent's player sees it.
#[derive(Clone, Copy)]
struct Choice {
    visits: u64,
    mean: f64,
    low: i32,
    high: i32,
}

impl Choice {
    fn new(maximise: bool, visits: u64, mean: f64, (low, high): (i32, i32)) -> Self {
        let (low, high) = if maximise { (low, high) } else { (-high, -low) };
        let mean = if maximise { mean } else { -mean };
        let mean = if low == high { low.into() } else { mean };
        Self { visits, mean, low, high }
    }
}

fn best(choices: &[Choice]) -> Option<usize> {
    let sure =
        (0..choices.len()).rev().max_by_key(|&i| (choices[i].low, choices[i].high, choices[i].visits))?;
    let least = choices[sure].low;
    let open = |c: &Choice| c.low < c.high && c.high > least && (least <= 0 || c.low > 0);
    let robust = (0..choices.len()).rev().filter(|&i| open(&choices[i])).max_by(|&a, &b| {
        let (a, b) = (&choices[a], &choices[b]);
        a.visits.cmp(&b.visits).then(a.mean.total_cmp(&b.mean))
    });
    Some(match robust {
        Some(i) if choices[i].mean > f64::from(least) => i,
        _ => sure,
    })
}

/// The best child of a node whose player maximises or not; none if it has no children.
fn best_child<M: Copy>(tree: &Tree<M>, node: usize, maximise: bool) -> Option<usize> {
    if !tree.nodes[node].is_expanded() {
        return None;
    }
    let first = tree.nodes[node].first as usize;
    let choices: Vec<Choice> = tree
        .children(node)
        .iter()
        .zip(&tree.lures[first..])
        .map(|(c, lure)| Choice::new(maximise, c.visits.into(), lure.mean.into(), (c.low, c.high)))
        .collect();
    best(&choices).map(|i| first + i)
}

/// The best line from the root, as far as nodes were visited; it begins with `first`.
pub(super) fn line<P: TwoPlayer>(tree: &Tree<P::Move>, root: &P, first: P::Move) -> Vec<P::Move> {
    let mut position = root.clone();
    let start = tree.nodes[0].first as usize;
    let mut next = tree.children(0).iter().position(|c| c.m == first).map(|i| start + i);
    let mut line = Vec::new();
    while let Some(node) = next {
        let m = tree.nodes[node].m;
        if tree.nodes[node].visits == 0 && !line.is_empty() {
            break;
        }
        line.push(m);
        position.play(m);
        next = best_child(tree, node, position.mover() == Player::FIRST);
    }
    line
}

/// The root moves by what all trees know of them, best first, and the bounds of the root.
pub(super) fn rank<M: Copy>(trees: &[Tree<M>], units: Units, mover: Player) -> (Vec<Ranked<M>>, (i32, i32)) {
    let maximise = mover == Player::FIRST;
    let sign = if maximise { 1.0 } else { -1.0 };
    let (mut low, mut high) = units.range();
    for tree in trees {
        (low, high) = (low.max(tree.nodes[0].low), high.min(tree.nodes[0].high));
    }
    let (mut choices, mut moves) = (Vec::new(), Vec::new());
    for i in 0..trees[0].children(0).len() {
        let (mut moments, mut bounds) = (Moments::default(), units.range());
        for tree in trees {
            let child = &tree.children(0)[i];
            moments.merge(tree.moves[i]);
            bounds = (bounds.0.max(child.low), bounds.1.min(child.high));
        }
        let choice = Choice::new(maximise, moments.count as u64, moments.mean(), bounds);
        let settled = bounds.0 == bounds.1;
        choices.push(choice);
        moves.push(Ranked {
            m: trees[0].children(0)[i].m,
            visits: choice.visits,
            mean: if settled { choice.mean } else { sign * moments.mean() },
            spread: if settled { None } else { moments.error() },
            bounds: units.payoffs(mover, bounds),
        });
    }
    // What one tree knows of one move and another tree of the next may together settle the root.
    let over = |pick: fn(i32, i32) -> i32, of: fn(&Choice) -> i32| choices.iter().map(of).reduce(pick);
    if let (Some(least), Some(most)) = (over(i32::max, |c| c.low), over(i32::max, |c| c.high)) {
        let (least, most) = if maximise { (least, most) } else { (-most, -least) };
        (low, high) = (low.max(least), high.min(most));
    }
    let first = best(&choices);
    let mut order: Vec<usize> = (0..moves.len()).collect();
    order.sort_by_key(|&i| (Some(i) != first, std::cmp::Reverse(choices[i].visits)));
    (order.into_iter().map(|i| moves[i]).collect(), (low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(visits: u64, mean: f64, low: i32, high: i32) -> Choice {
        Choice { visits, mean, low, high }
    }

    #[test]
    fn proofs_count_before_samples_and_samples_before_luck() {
        // A sure win beats everything.
        assert_eq!(best(&[choice(900, 0.9, -1, 1), choice(1, 1.0, 1, 1)]), Some(1));
        // A sure draw beats what looks worse, not what looks better.
        assert_eq!(best(&[choice(900, -0.2, -1, 1), choice(1, 0.0, 0, 0)]), Some(1));
        assert_eq!(best(&[choice(900, 0.2, -1, 1), choice(1, 0.0, 0, 0)]), Some(0));
        // The most visited stands for what is sampled; a proven loss is the last resort.
        assert_eq!(best(&[choice(10, 0.9, -1, 1), choice(90, 0.5, -1, 1)]), Some(1));
        assert_eq!(best(&[choice(500, -1.0, -1, -1), choice(3, -0.9, -1, 1)]), Some(1));
        assert_eq!(best(&[choice(5, -1.0, -1, -1), choice(3, -1.0, -1, -1)]), Some(0));
        // A higher win is hoped for only where a win is sure.
        assert_eq!(best(&[choice(900, 5.0, -9, 9), choice(1, 2.0, 2, 2)]), Some(1));
        assert_eq!(best(&[choice(900, 5.0, 1, 9), choice(1, 2.0, 2, 2)]), Some(0));
        assert_eq!(best(&[]), None);
    }
}
