//! Small games for tests: a graph of positions with payoffs at its ends. Players need not alternate, lines may
//! meet, and may go round. The value is found by iterating to the fixpoint from what endless play gives.

use endspiel_game::{Payoff, Player, Position, Rng, Symmetric, Turn, TwoPlayer};
use std::sync::Arc;

/// One position of the graph.
#[derive(Clone, Debug)]
pub struct Place {
    pub mover: Player,
    /// Where the moves lead; none at an end.
    pub next: Vec<usize>,
    /// What the first player gets here.
    pub payoff: i32,
}

/// A position in an acyclic (`false`) or any (`true`) graph.
#[derive(Clone)]
pub struct Toy<const CYCLES: bool> {
    pub places: Arc<Vec<Place>>,
    pub at: usize,
}

impl<const CYCLES: bool> Position for Toy<CYCLES> {
    type Move = u8;
    const CYCLIC: bool = CYCLES;
    fn turn(&self) -> Turn {
        let place = &self.places[self.at];
        if place.next.is_empty() { Turn::Over } else { Turn::Player(place.mover) }
    }
    fn moves(&self, each: impl FnMut(u8)) {
        (0..self.places[self.at].next.len() as u8).for_each(each);
    }
    fn play(&mut self, m: u8) {
        self.at = self.places[self.at].next[m as usize];
    }
    fn payoff(&self) -> Payoff {
        Payoff::zero_sum(self.places[self.at].payoff)
    }
    fn key(&self) -> u64 {
        self.at as u64
    }
}

impl<const CYCLES: bool> TwoPlayer for Toy<CYCLES> {
    fn score_range(&self) -> (i32, i32) {
        let payoffs = || self.places.iter().map(|p| p.payoff).chain([0]);
        (payoffs().min().unwrap_or(0), payoffs().max().unwrap_or(0))
    }
}

impl<const CYCLES: bool> Symmetric for Toy<CYCLES> {}

impl<const CYCLES: bool> Toy<CYCLES> {
    /// A random graph of `size` places with payoffs in `-most..=most`, begun at place 0.
    pub fn random(size: usize, width: usize, most: i32, rng: &mut Rng) -> Self {
        let mut places = Vec::new();
        for at in 0..size {
            let mover = Player(rng.below(2) as u8);
            let left = if CYCLES { size } else { size - 1 - at };
            let end = left == 0 || at > 0 && rng.below(5) == 0;
            let moves = if end { 0 } else { 1 + rng.below(width) };
            let to = |rng: &mut Rng| {
                if CYCLES { rng.below(size) } else { at + 1 + rng.below(left.min(2 * width)) }
            };
            let next = (0..moves).map(|_| to(rng)).collect();
            let payoff = if end { rng.below(2 * most as usize + 1) as i32 - most } else { 0 };
            places.push(Place { mover, next, payoff });
        }
        Self { places: Arc::new(places), at: 0 }
    }

    /// What the player to move gets with best play of both; endless play is worth 0.
    pub fn value(&self) -> i32 {
        let (least, most) = self.score_range();
        // From below it finds what is won in finite play, from above what is lost in it.
        let won = self.fixpoint(least.min(0) - 1);
        let lost = self.fixpoint(most.max(0) + 1);
        let first = if won > 0 { won } else { lost.min(0) };
        if self.mover() == Player::FIRST { first } else { -first }
    }

    fn fixpoint(&self, start: i32) -> i32 {
        let mut value: Vec<i32> =
            self.places.iter().map(|p| if p.next.is_empty() { p.payoff } else { start }).collect();
        loop {
            let before = value.clone();
            for (i, place) in self.places.iter().enumerate() {
                let after = place.next.iter().map(|&n| before[n]);
                let best = if place.mover == Player::FIRST { after.max() } else { after.min() };
                value[i] = best.unwrap_or(before[i]);
            }
            if value == before {
                return value[self.at];
            }
        }
    }
}

#[test]
fn cycles_are_worth_nothing_unless_left() {
    let place = |mover, next: &[usize], payoff| Place { mover: Player(mover), next: next.into(), payoff };
    let game = |places| Toy::<true> { places: Arc::new(places), at: 0 };
    // The first player may leave the circle for 3.
    assert_eq!(game(vec![place(0, &[1], 0), place(0, &[0, 2], 0), place(0, &[], 3)]).value(), 3);
    // Nobody wants to leave.
    assert_eq!(game(vec![place(0, &[1], 0), place(0, &[0, 2], 0), place(0, &[], -3)]).value(), 0);
    // The second player leaves; seen by itself that is a gain.
    assert_eq!(game(vec![place(1, &[0, 1], 0), place(0, &[], -3)]).value(), 3);
}
