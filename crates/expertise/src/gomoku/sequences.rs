//! Winning sequences of threats by dependency-based search, checked against all counter-play (Allis 1994, section 5.3).
//!
//! The search finds *potential* sequences: threats whose replies, all at once, do not stop a five or a straight four.
//! The defender may still put fours of his own in between. So each sequence is gone through: before every reply to a
//! three, all positions he can reach by fours are collected, and in each of them he must not get a five, a straight
//! four, or a cell that the rest of the sequence needs. Wins may be missed; none is claimed wrongly by the free and the
//! standard rule (the defender's counter-play is searched by the free one, which has more of it).

use super::board::{Board, Cells};
use super::operators::{Pattern, Threat, ThreatSpace, beyond};
use endspiel_game::{Budget, Player};
use endspiel_rules::gomoku::Rule;
use endspiel_rules::grid::Grid;
use endspiel_search::dependency::{Graph, Kind, Options, search};

/// So many potential sequences are checked before giving up.
const TRIES: usize = 20;
/// Sequences of at most so many threats are looked for, then longer ones.
const LONGEST: [usize; 3] = [3, 5, 9];
/// So many positions of the defender's fours are followed.
const POSITIONS: usize = 100;

/// Finds winning sequences of threats.
#[derive(Clone, Debug)]
pub struct Sequences {
    patterns: Vec<Pattern>,
    /// Nodes of a search.
    nodes: u64,
    /// Nodes of all searches so far.
    pub spent: u64,
}

/// What is searched for: threats up to a category, by which rule, and sequences of what length; without one, the
/// first success is enough.
#[derive(Clone, Copy, Debug)]
struct Want {
    category: u8,
    exactly: bool,
    longest: Option<usize>,
}

impl Want {
    /// Counter-play: by the free rule, and any success will do.
    fn counter(category: u8) -> Self {
        Self { category, exactly: false, longest: None }
    }
}

/// The stones of the attacker and of the defender.
type Stones = [Cells; 2];

impl Sequences {
    /// Each search of at most so many nodes.
    pub fn new(nodes: u64) -> Self {
        Self { patterns: Pattern::all(), nodes, spent: 0 }
    }

    /// A sequence by which the attacker, to move, wins whatever the defender does; none where none is found, and none
    /// in renju, where cells are forbidden.
    pub fn find(&mut self, board: &Board, attacker: Player) -> Option<Vec<Threat>> {
        let defender = attacker.other();
        let threats = [board.fives(attacker), board.fours(attacker), board.threes(attacker)];
        if board.rule() == Rule::Renju || threats.iter().all(|cells| cells.is_empty()) {
            return None;
        }
        // Against a four of the defender's nothing but a five helps; against a three of his, fours.
        let category = match () {
            () if !board.fives(attacker).is_empty() => 0,
            () if !board.fives(defender).is_empty() => return None,
            () if !board.straights(defender).is_empty() => 1,
            () => 2,
        };
        let (grid, stones) = (board.grid(), [*board.stones(attacker), *board.stones(defender)]);
        let exactly = board.rule() == Rule::Standard;
        for longest in LONGEST {
            let graph =
                self.search(grid, stones, Cells::EMPTY, Want { category, exactly, longest: Some(longest) });
            let mut solutions: Vec<usize> = graph.solutions().collect();
            solutions.sort_by_key(|&node| graph.nodes[node].operators.len());
            for node in solutions.into_iter().take(TRIES) {
                let threats: Vec<Threat> = graph.path(node).into_iter().map(Threat::new).collect();
                if !self.is_refuted(grid, stones, &threats, exactly) {
                    return Some(threats);
                }
            }
            if graph.complete || graph.out {
                break;
            }
        }
        None
    }

    /// The key classes of threats up to a category of the first of `stones`.
    fn search(&mut self, grid: Grid, stones: Stones, goals: Cells, want: Want) -> Graph<u16> {
        let Want { category, exactly, longest } = want;
        let space = ThreatSpace { grid, patterns: &self.patterns, stones, goals, category, exactly };
        let options =
            Options { longest, first: longest.is_none(), ends: true, parts: Some(2), ..Options::default() };
        let graph = search(&space, options, &Budget::nodes(self.nodes));
        self.spent += graph.nodes.len() as u64;
        graph
    }

    /// Can the defender upset a potential sequence, as far as can be excluded?
    fn is_refuted(&mut self, grid: Grid, stones: Stones, threats: &[Threat], exactly: bool) -> bool {
        let mut reached = vec![stones];
        for (i, threat) in threats.iter().enumerate() {
            // 1. The attack, in every position that the defender may have reached.
            for [own, other] in &mut reached {
                let is_open = |cell: &&usize| !own.contains(**cell);
                let spoilt = threat.line.iter().any(|&cell| other.contains(cell))
                    || own.contains(threat.attack)
                    || threat.line.iter().filter(is_open).count() != open_cells(threat)
                    || exactly && beyond(grid, &threat.line).any(|cell| own.contains(cell));
                if spoilt {
                    return true;
                }
                own.insert(threat.attack);
            }
            // 2. What the defender may do in between.
            match threat.category {
                0 => return false,
                1 => {
                    for &[own, other] in &reached {
                        let fives = self.search(grid, [other, own], Cells::EMPTY, Want::counter(0));
                        if fives.solutions().next().is_some() {
                            return true;
                        }
                    }
                    if threat.replies.is_empty() {
                        return false;
                    }
                }
                _ => {
                    let rest = threats[i..].iter().flat_map(|t| t.replies.iter().copied().chain([t.attack]));
                    if self.counters(grid, &mut reached, rest.collect()) {
                        return true;
                    }
                }
            }
            // 3. All replies.
            for [own, other] in &mut reached {
                for &reply in threat.replies.iter().filter(|&&reply| !own.contains(reply)) {
                    other.insert(reply);
                }
            }
        }
        true
    }

    /// Follows the fours of the defender's from each position, and adds where they lead. Does he get what he wants?
    fn counters(&mut self, grid: Grid, reached: &mut Vec<Stones>, goals: Cells) -> bool {
        let mut next = 0;
        while next < reached.len() {
            let [own, other] = reached[next];
            next += 1;
            let graph = self.search(grid, [other, own], goals, Want::counter(1));
            if !graph.complete || graph.solutions().next().is_some() || reached.len() > POSITIONS {
                return true;
            }
            for node in graph.nodes.iter().filter(|node| matches!(node.kind, Kind::Dependency(_))) {
                let mut position = [own, other];
                for &f in &node.operators {
                    let threat = Threat::new(&graph.operators[f]);
                    position[1].insert(threat.attack);
                    threat.replies.iter().for_each(|&reply| position[0].insert(reply));
                }
                if !reached.contains(&position) {
                    reached.push(position);
                }
            }
        }
        false
    }
}

/// How many cells of a threat's line are not the attacker's before it is made.
fn open_cells(threat: &Threat) -> usize {
    match (threat.category, threat.line.len()) {
        (0, _) => 1,
        (1, 5) => 2,
        (1, _) => 3,
        (_, 6) => 4,
        _ => 5,
    }
}
