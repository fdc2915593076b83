//! Small games for the tests: explicit graphs of positions, drawn by hand or at random.

use endspiel_game::{Payoff, Player, Position, Rng, Symmetric, Turn, TwoPlayer};
use std::sync::Arc;

/// One position of a graph: who moves, where the moves lead; the payoff of the first player if none do.
#[derive(Clone, Debug)]
pub struct Spot {
    pub mover: Player,
    pub next: Vec<u32>,
    pub payoff: i32,
}

/// A game on an explicit graph. Endless play pays the first player `endless`.
#[derive(Debug)]
pub struct Graph {
    pub spots: Vec<Spot>,
    pub endless: i32,
}

/// A position of a graph game; `CYCLES` says whether positions may come back.
#[derive(Clone, Debug)]
pub struct At<const CYCLES: bool> {
    pub graph: Arc<Graph>,
    pub spot: u32,
}

impl<const CYCLES: bool> At<CYCLES> {
    pub fn spot(&self) -> &Spot {
        &self.graph.spots[self.spot as usize]
    }
}

impl<const CYCLES: bool> Position for At<CYCLES> {
    type Move = u32;
    const CYCLIC: bool = CYCLES;

    fn turn(&self) -> Turn {
        if self.spot().next.is_empty() { Turn::Over } else { Turn::Player(self.spot().mover) }
    }
    fn moves(&self, each: impl FnMut(u32)) {
        self.spot().next.iter().copied().for_each(each);
    }
    fn play(&mut self, to: u32) {
        self.spot = to;
    }
    fn payoff(&self) -> Payoff {
        Payoff::zero_sum(self.spot().payoff)
    }
    fn key(&self) -> u64 {
        u64::from(self.spot)
    }
    fn repeated(&self) -> Payoff {
        Payoff::zero_sum(self.graph.endless)
    }
}

impl<const CYCLES: bool> TwoPlayer for At<CYCLES> {}
impl<const CYCLES: bool> Symmetric for At<CYCLES> {}

/// A random tree: every inner node has one to `width` children, leaves pay -1, 0 or 1. Players need not
/// alternate.
pub fn random_tree(rng: &mut Rng, depth: u32, width: usize) -> At<false> {
    fn grow(spots: &mut Vec<Spot>, rng: &mut Rng, depth: u32, width: usize) -> u32 {
        let mover = Player(rng.below(2) as u8);
        let here = spots.len() as u32;
        spots.push(Spot { mover, next: Vec::new(), payoff: rng.below(3) as i32 - 1 });
        if depth > 0 && (rng.below(5) > 0 || here == 0) {
            let next = (0..=rng.below(width)).map(|_| grow(spots, rng, depth - 1, width)).collect();
            spots[here as usize].next = next;
        }
        here
    }
    let mut spots = Vec::new();
    grow(&mut spots, rng, depth, width);
    At { graph: Arc::new(Graph { spots, endless: 0 }), spot: 0 }
}

/// A random graph with cycles: `size` positions with one to `width` different moves, some of them ends.
pub fn random_graph(rng: &mut Rng, size: usize, width: usize) -> At<true> {
    let spots = (0..size)
        .map(|here| {
            let over = here > 0 && rng.below(4) == 0;
            let mut next: Vec<u32> =
                (0..if over { 0 } else { 1 + rng.below(width) }).map(|_| rng.below(size) as u32).collect();
            next.sort_unstable();
            next.dedup();
            Spot { mover: Player(rng.below(2) as u8), next, payoff: rng.below(3) as i32 - 1 }
        })
        .collect();
    At { graph: Arc::new(Graph { spots, endless: rng.below(3) as i32 - 1 }), spot: 0 }
}

/// The payoff of the first player from every position of a graph with best play of both, endless play
/// counted as the graph says: for each threshold the wins that play forces in finitely many moves.
pub fn values<const CYCLES: bool>(graph: &Graph) -> Vec<i32> {
    let mut values = vec![-1; graph.spots.len()];
    for at_least in [0, 1] {
        // The side that endless play does not serve must force its payoff; the other gets all else.
        let forcing_yes = graph.endless < at_least;
        let mut forced = vec![false; graph.spots.len()];
        loop {
            let mut changed = false;
            for (i, spot) in graph.spots.iter().enumerate() {
                if forced[i] {
                    continue;
                }
                let to = |&n: &u32| forced[n as usize];
                forced[i] = if spot.next.is_empty() {
                    (spot.payoff >= at_least) == forcing_yes
                } else if (spot.mover == Player::FIRST) == forcing_yes {
                    spot.next.iter().any(to)
                } else {
                    spot.next.iter().all(to)
                };
                changed |= forced[i];
            }
            if !changed {
                break;
            }
        }
        for (value, &forced) in values.iter_mut().zip(&forced) {
            if forced == forcing_yes {
                *value = at_least;
            }
        }
    }
    values
}
