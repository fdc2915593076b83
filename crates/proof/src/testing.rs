//! What the tests share: a game on a random graph, an oracle that solves small games by brute force, and
//! certificates in memory.

use crate::check::verify_from;
use crate::file::{Reader, encode, make_header};
use crate::{Header, Rejected, Statement, Strategy, Verified, build};
use endspiel_game::{
    About, Advisor, Bounds, Budget, Convergence, Game, Notation, Payoff, Player, Position, Question, Quiet,
    Rng, Symmetric, TextError, Turn, TwoPlayer, mix,
};
use std::collections::HashMap;
use std::sync::Arc;

/// A game on a random graph: `maze:SEED`. Each node belongs to a player or is an end; moves stay on a
/// level or go down; what coming back for ever means depends on the level.
#[derive(Clone, Debug)]
pub struct Maze {
    seed: u64,
    nodes: Arc<Vec<Node>>,
}

#[derive(Clone, Debug)]
struct Node {
    turn: Turn,
    next: Vec<u16>,
    payoff: i32,
}

/// A node of a maze.
#[derive(Clone, Debug)]
pub struct Place {
    nodes: Arc<Vec<Node>>,
    at: u16,
}

impl Maze {
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::new(mix(seed));
        let count = 4 + rng.below(60);
        let levels = 1 + rng.below(3);
        let level = |i: usize| i * levels / count;
        let repeated: Vec<i32> = (0..levels).map(|_| rng.below(3) as i32 - 1).collect();
        let ends = 2 + rng.below(6);
        let nodes = (0..count)
            .map(|i| {
                if i > 0 && rng.below(ends) == 0 {
                    return Node { turn: Turn::Over, next: Vec::new(), payoff: rng.below(5) as i32 - 2 };
                }
                let first = (0..count).find(|&j| level(j) == level(i)).unwrap_or(i);
                let mut next: Vec<u16> =
                    (0..=rng.below(4)).map(|_| (first + rng.below(count - first)) as u16).collect();
                next.sort_unstable();
                next.dedup();
                Node { turn: Turn::Player(Player(rng.below(2) as u8)), next, payoff: repeated[level(i)] }
            })
            .collect();
        Self { seed, nodes: Arc::new(nodes) }
    }

    fn place(&self, at: u16) -> Place {
        Place { nodes: self.nodes.clone(), at }
    }
}

impl Place {
    fn node(&self) -> &Node {
        &self.nodes[self.at as usize]
    }
}

impl Position for Place {
    type Move = u16;
    const CYCLIC: bool = true;

    fn turn(&self) -> Turn {
        self.node().turn
    }

    fn moves(&self, each: impl FnMut(u16)) {
        self.node().next.iter().copied().for_each(each);
    }

    fn play(&mut self, m: u16) {
        self.at = m;
    }

    fn payoff(&self) -> Payoff {
        Payoff::zero_sum(self.node().payoff)
    }

    fn repeated(&self) -> Payoff {
        self.payoff()
    }

    fn key(&self) -> u64 {
        self.at.into()
    }
}

impl TwoPlayer for Place {
    fn score_range(&self) -> (i32, i32) {
        (-2, 2)
    }

    /// In mazes of every other size, so that certificates with and without the rule are tried.
    fn winning_move(&self, _: Option<u16>) -> Option<u16> {
        let wins = |&&next: &&u16| {
            let node = &self.nodes[next as usize];
            node.turn.is_over() && Payoff::zero_sum(node.payoff).of(self.mover()) > 0
        };
        self.node().next.iter().find(wins).copied().filter(|_| self.nodes.len().is_multiple_of(2))
    }
}

impl Symmetric for Place {}

impl Notation for Place {
    fn write_move(&self, m: u16) -> String {
        format!("to{m}")
    }

    fn write(&self) -> String {
        self.at.to_string()
    }
}

impl Game for Maze {
    type Position = Place;
    const ABOUT: About = About {
        name: "maze",
        title: "Maze",
        summary: "",
        rules: "",
        variants: "SEED",
        examples: &[],
        players: ["A", "B"],
        sudden_death: true,
        convergence: Convergence::Unchangeable,
        notation: "",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        endspiel_game::notation::number(text, "seed", 0, 1 << 40).map(|seed| Self::new(seed as u64))
    }

    fn variant(&self) -> String {
        self.seed.to_string()
    }

    fn start(&self) -> Place {
        self.place(0)
    }

    fn read(&self, text: &str) -> Result<Place, TextError> {
        endspiel_game::notation::number(text, "node", 0, self.nodes.len() - 1).map(|at| self.place(at as u16))
    }
}

/// Knows everything about one claim at all positions that can follow a root.
#[derive(Clone)]
pub struct Oracle<P> {
    numbers: HashMap<u64, usize>,
    positions: Vec<P>,
    next: Vec<Vec<usize>>,
    /// The stage at which a position turned out to keep the claim.
    stage: Vec<Option<u32>>,
    claim: Question,
}

impl<P: TwoPlayer + Symmetric> Oracle<P> {
    pub fn new(root: &P, claim: Question) -> Self {
        let mut oracle = Self {
            numbers: HashMap::from([(root.key(), 0)]),
            positions: vec![root.clone()],
            next: Vec::new(),
            stage: Vec::new(),
            claim,
        };
        let mut i = 0;
        while i < oracle.positions.len() {
            let position = oracle.positions[i].clone();
            let mut next = Vec::new();
            for m in position.move_list() {
                let after = position.after(m);
                let fresh = oracle.positions.len();
                let number = *oracle.numbers.entry(after.key()).or_insert(fresh);
                if number == fresh {
                    oracle.positions.push(after);
                }
                next.push(number);
            }
            oracle.next.push(next);
            i += 1;
        }
        oracle.ask(claim);
        oracle
    }

    /// Turns to another claim; says whether it holds at the root.
    pub fn ask(&mut self, claim: Question) -> bool {
        self.claim = claim;
        self.stage = vec![None; self.positions.len()];
        self.solve();
        self.holds()
    }

    /// Stage by stage: what can be kept for ever where that is good enough, or left for an earlier stage.
    fn solve(&mut self) {
        for stage in 0.. {
            let mut stays: Vec<bool> = self.stage.iter().map(|s| P::CYCLIC && s.is_none()).collect();
            loop {
                let leave: Vec<usize> =
                    (0..stays.len()).rev().filter(|&i| stays[i] && !self.keeps(i, &stays)).collect();
                if leave.is_empty() {
                    break;
                }
                for i in leave {
                    stays[i] = false;
                }
            }
            let mut changed = false;
            for i in (0..stays.len()).rev() {
                if self.stage[i].is_none() && (stays[i] || !P::CYCLIC && self.keeps(i, &stays)) {
                    self.stage[i] = Some(stage);
                    changed = true;
                }
            }
            if !changed && stage > 0 {
                return;
            }
        }
    }

    fn keeps(&self, i: usize, stays: &[bool]) -> bool {
        let position = &self.positions[i];
        let safe = P::CYCLIC && self.claim.is_met_by(position.repeated());
        let fine = |&j: &usize| self.stage[j].is_some() || safe && stays[j];
        match position.turn() {
            Turn::Over => self.claim.is_met_by(position.payoff()),
            Turn::Player(p) if p == self.claim.player => self.next[i].iter().any(fine),
            _ => self.next[i].iter().all(fine),
        }
    }

    /// The stage of a position, or of an image of it, that can follow the root.
    pub fn stage(&self, position: &P) -> Option<u32> {
        let known = |s| self.numbers.get(&position.image(s).key()).copied();
        self.stage[(0..position.symmetries()).find_map(known)?]
    }

    /// Does the claim hold at the root?
    pub fn holds(&self) -> bool {
        self.stage[0].is_some()
    }
}

impl<P: TwoPlayer + Symmetric> Advisor<P> for Oracle<P> {
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        assert_eq!(question, self.claim);
        self.stage(position)?;
        let stage = |m: &P::Move| self.stage(&position.after(*m)).unwrap_or(u32::MAX);
        position.move_list().into_iter().min_by_key(stage)
    }
}

/// The exact value of a root for the player to move, by brute force, and the strategies that prove it.
pub fn prove<P: TwoPlayer + Notation + Symmetric>(root: &P, folded: bool) -> (Statement, Vec<Strategy>) {
    let player = root.mover();
    let (low, high) = root.score_range_of(player);
    let mut oracle = Oracle::new(root, Question { player, at_least: low });
    let value = (low..=high).rev().find(|&n| oracle.ask(Question { player, at_least: n }));
    let value = Bounds::exactly(value.expect("the least score is sure"));
    let statement = Statement::of_bounds(root, value).expect("more than the rules say");
    let strategies = statement.claims().into_iter().map(|claim| {
        assert!(oracle.ask(claim));
        build(root, claim, folded, &mut oracle, &Budget::default(), &Quiet).expect("the oracle is right")
    });
    (statement, strategies.collect())
}

/// A certificate in memory.
pub fn certify<G: Game>(
    game: &G,
    root: &G::Position,
    statement: Statement,
    strategies: &[Strategy],
) -> Vec<u8>
where
    G::Position: TwoPlayer + Notation,
{
    let header = make_header(game.full_name(), root.write(), statement, strategies).expect("a header");
    encode_with(&header, strategies)
}

/// A certificate with any header.
pub fn encode_with(header: &Header, strategies: &[Strategy]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let records: Vec<_> = strategies.iter().map(|s| &s.records).collect();
    encode(&mut bytes, header, &records).expect("memory takes everything");
    bytes
}

/// Checks a certificate in memory.
pub fn check_bytes<G: Game>(game: &G, bytes: &[u8], threads: usize) -> Result<Verified, Rejected>
where
    G::Position: TwoPlayer + Notation + Symmetric,
{
    let budget = Budget { threads, ..Budget::default() };
    verify_from(game, Reader::new(bytes, bytes.len() as u64)?, None, &budget, &Quiet, |_, _| ())
}
