//! Small games for the tests of all methods: random graphs with cycles, and the slow truth about them.

use endspiel_game::{Payoff, Player, Position, Rng, Symmetric, Turn, TwoPlayer};
use std::sync::Arc;

#[derive(Debug)]
struct Node {
    mover: Option<Player>,
    payoff: i32,
    to: Vec<u8>,
}

/// A walk on a random graph. Nodes lie in layers; moves stay in a layer or go on to later ones, and each
/// layer has its own payoff for endless play.
#[derive(Clone, Debug)]
pub struct Walk {
    nodes: Arc<Vec<Node>>,
    at: u8,
}

impl Walk {
    /// A graph of `size` nodes with payoffs up to `spread`, seen from node 0.
    pub fn random(size: u8, spread: i32, rng: &mut Rng) -> Self {
        let score = |rng: &mut Rng| rng.below(2 * spread as usize + 1) as i32 - spread;
        let layers = 1 + rng.below(3) as u8;
        let layer = |node: u8| u16::from(node) * u16::from(layers) / u16::from(size);
        let endless: Vec<i32> = (0..layers).map(|_| score(rng)).collect();
        let nodes = (0..size)
            .map(|i| {
                let first = (0..size).find(|&j| layer(j) == layer(i)).unwrap_or(i);
                let over = i > 0 && rng.below(5) == 0;
                let to: Vec<u8> = (0..if over { 0 } else { 1 + rng.below(3) })
                    .map(|_| first + rng.below((size - first) as usize) as u8)
                    .collect();
                Node {
                    mover: (!over).then(|| Player(rng.below(2) as u8)),
                    payoff: if over { score(rng) } else { endless[layer(i) as usize] },
                    to,
                }
            })
            .collect();
        Self { nodes: Arc::new(nodes), at: 0 }
    }

    /// The same graph seen from each of its nodes.
    pub fn everywhere(&self) -> impl Iterator<Item = Self> {
        (0..self.nodes.len() as u8).map(|at| Self { at, ..self.clone() })
    }

    /// What the first player gets, by trying every path until it comes back to itself.
    pub fn truth(&self) -> i32 {
        fn walk(here: &Walk, path: &mut Vec<u8>) -> i32 {
            let node = &here.nodes[here.at as usize];
            let Some(mover) = node.mover else { return node.payoff };
            if path.contains(&here.at) {
                return node.payoff;
            }
            path.push(here.at);
            let scores = node.to.iter().map(|&at| walk(&Walk { at, ..here.clone() }, path));
            let best = if mover == Player::FIRST { scores.max() } else { scores.min() };
            path.pop();
            best.unwrap_or(0)
        }
        walk(self, &mut Vec::new())
    }

    fn node(&self) -> &Node {
        &self.nodes[self.at as usize]
    }
}

impl Position for Walk {
    type Move = u8;
    const CYCLIC: bool = true;

    fn turn(&self) -> Turn {
        self.node().mover.map_or(Turn::Over, Turn::Player)
    }
    fn moves(&self, each: impl FnMut(u8)) {
        self.node().to.iter().copied().for_each(each);
    }
    fn play(&mut self, to: u8) {
        self.at = to;
    }
    fn payoff(&self) -> Payoff {
        Payoff::zero_sum(self.node().payoff)
    }
    fn repeated(&self) -> Payoff {
        Payoff::zero_sum(self.node().payoff)
    }
    fn key(&self) -> u64 {
        u64::from(self.at)
    }
}

impl TwoPlayer for Walk {
    fn score_range(&self) -> (i32, i32) {
        let scores = || self.nodes.iter().map(|n| n.payoff);
        (scores().min().unwrap_or(0), scores().max().unwrap_or(0))
    }
}

impl Symmetric for Walk {}
