//! Backward induction on a graph that may have cycles.
//!
//! The strongly connected components come out of Tarjan's walk (1972) with all they lead to before them.
//! Within one component endless play gives everybody the same, the *endless payoff*. A player gets more
//! than that only by force: such values spread backwards from the exits of the component, the best first,
//! and each position that gets one also gets a *rank*, which falls along the forcing moves. What no side
//! can force away has the endless payoff. A component of one position without a loop is plain minimax.
//! Cost: linear in the moves, but for a heap within components.

use super::graph::{Backwards, Graph};
use endspiel_game::Player;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// For each position of a graph, what best play gives.
pub(super) struct Values {
    /// What the first player gets.
    pub scores: Vec<i32>,
    /// Falls along a move that forces a score; positions of one component have ranks above all that the
    /// component leads to.
    pub ranks: Vec<u32>,
}

const OPEN: u32 = u32::MAX;

/// +1 for the first player, whose scores are kept, and -1 for the second.
const fn sign(player: Player) -> i32 {
    1 - 2 * player.0 as i32
}

/// The score of each position under best play of both.
pub(super) fn values(graph: &Graph, backwards: &Backwards) -> Values {
    let mut values = Values { scores: graph.payoffs.clone(), ranks: vec![OPEN; graph.len()] };
    let mut base = 0;
    // How many successors of a position of the component are not decided yet.
    let mut waiting = Vec::new();
    components(graph, |component, members| {
        if let &[single] = members {
            values.single(graph, single);
            values.ranks[single as usize] = base;
        } else {
            waiting.resize(graph.len(), 0);
            for player in [Player::FIRST, Player::SECOND] {
                values.force(graph, backwards, component, members, player, base, &mut waiting);
            }
            for &i in members {
                if values.ranks[i as usize] == OPEN {
                    values.ranks[i as usize] = base;
                }
            }
        }
        base = members.iter().map(|&i| values.ranks[i as usize]).max().map_or(base, |top| top + 1);
    });
    values
}

impl Values {
    /// Minimax of a position that never comes back. A loop of one move is worth its endless payoff, which
    /// is the score the position starts with.
    fn single(&mut self, graph: &Graph, i: u32) {
        let Some(mover) = graph.movers[i as usize] else { return };
        let own = sign(mover);
        let best = graph.after(i).iter().map(|&to| self.scores[to as usize] * own).max();
        if let Some(best) = best {
            self.scores[i as usize] = best * own;
        }
    }

    /// Spreads what `player` can force beyond the endless payoff through a component.
    #[expect(clippy::too_many_arguments, reason = "one step of `values`, with its locals")]
    fn force(
        &mut self,
        graph: &Graph,
        backwards: &Backwards,
        component: &[u32],
        members: &[u32],
        player: Player,
        base: u32,
        waiting: &mut [u32],
    ) {
        let own = sign(player);
        // Best first; among equals the least rank first.
        let mut heap = BinaryHeap::new();
        for &i in members {
            let endless = graph.payoffs[i as usize] * own;
            let mine = graph.movers[i as usize] == Some(player);
            let (mut exit, mut inside) = (None, 0);
            for &to in graph.after(i) {
                if component[to as usize] == component[i as usize] {
                    inside += 1;
                } else {
                    let score = self.scores[to as usize] * own;
                    exit = Some(exit.map_or(score, |e: i32| if mine { e.max(score) } else { e.min(score) }));
                }
            }
            // An opponent with a good exit of his own is never forced.
            waiting[i as usize] = if !mine && exit.is_some_and(|e| e <= endless) { OPEN } else { inside };
            if let Some(exit) = exit
                && exit > endless
                && (mine || inside == 0)
            {
                heap.push((exit, Reverse(base + 1), i));
            }
        }
        while let Some((score, Reverse(rank), i)) = heap.pop() {
            if self.ranks[i as usize] != OPEN {
                continue;
            }
            self.ranks[i as usize] = rank;
            self.scores[i as usize] = score * own;
            for &from in backwards.before(i) {
                let inside = component[from as usize] == component[i as usize];
                if !inside || self.ranks[from as usize] != OPEN || waiting[from as usize] == OPEN {
                    continue;
                }
                if graph.movers[from as usize] == Some(player) {
                    heap.push((score, Reverse(rank + 1), from));
                } else {
                    waiting[from as usize] -= 1;
                    if waiting[from as usize] == 0 {
                        let least = graph.after(from).iter().map(|&to| self.scores[to as usize] * own).min();
                        heap.push((least.unwrap_or(score), Reverse(rank + 1), from));
                    }
                }
            }
        }
    }
}

/// Calls `each` with every strongly connected component, those it leads to before it, and before that with
/// the number of the component of each position seen so far.
fn components(graph: &Graph, mut each: impl FnMut(&[u32], &[u32])) {
    let mut component = vec![OPEN; graph.len()];
    // The number of the earliest position on the walk's stack that a position is known to lead back to.
    let mut low = vec![OPEN; graph.len()];
    let (mut clock, mut count) = (0, 0);
    let mut path: Vec<(u32, u32, u32)> = vec![(0, graph.first_successor[0], 0)];
    let mut stack: Vec<u32> = Vec::new();
    while let Some((i, next, number)) = path.last_mut() {
        let here = *i as usize;
        if low[here] == OPEN {
            *number = clock;
            low[here] = clock;
            clock += 1;
            stack.push(*i);
        }
        if *next < graph.first_successor[here + 1] {
            let to = graph.successors[*next as usize];
            *next += 1;
            if low[to as usize] == OPEN {
                path.push((to, graph.first_successor[to as usize], 0));
            } else if component[to as usize] == OPEN {
                low[here] = low[here].min(low[to as usize]);
            }
            continue;
        }
        if low[here] == *number {
            let start = stack.iter().rposition(|o| *o == *i).unwrap_or(0);
            for &member in &stack[start..] {
                component[member as usize] = count;
            }
            each(&component, &stack[start..]);
            stack.truncate(start);
            count += 1;
        }
        path.pop();
        if let Some(&(parent, ..)) = path.last() {
            low[parent as usize] = low[parent as usize].min(low[here]);
        }
    }
}

/// Plies to the end where one side wins and hurries and the other holds out; `u32::MAX` where nobody can
/// force a finished win. Spreads backwards from the ends, one ply after the other.
pub(super) fn distances(graph: &Graph, backwards: &Backwards) -> Vec<u32> {
    let mut distances = vec![OPEN; graph.len()];
    let mut winners: Vec<Option<Player>> = vec![None; graph.len()];
    let mut lost: Vec<u32> = vec![0; graph.len()];
    let mut queue = VecDeque::new();
    for i in 0..graph.len() {
        if graph.movers[i].is_none() && graph.payoffs[i] != 0 {
            winners[i] = Some(if graph.payoffs[i] > 0 { Player::FIRST } else { Player::SECOND });
            distances[i] = 0;
            queue.push_back(i as u32);
        }
    }
    while let Some(i) = queue.pop_front() {
        let winner = winners[i as usize];
        for &from in backwards.before(i) {
            let f = from as usize;
            if distances[f] != OPEN {
                continue;
            }
            if graph.movers[f] != winner {
                lost[f] += 1;
                if (lost[f] as usize) < graph.after(from).len() {
                    continue;
                }
            }
            winners[f] = winner;
            distances[f] = distances[i as usize] + 1;
            queue.push_back(from);
        }
    }
    distances
}
