//! MST*: the smallest solution tree (Allis 1994, section 2.5, with I. Althofer).
//!
//! Pn-search counts only the work still to be done, so its proofs need not be small. Here every node counts
//! one for itself, solved or not, so that the numbers are lower bounds on the *size* of a proof and of a
//! disproof and only grow, as in A*. A node's proof is *complete* when a cheapest solution tree of it, by these
//! bounds, has no open leaf. A node may be known to be true while a smaller proof is still possible. The
//! search ends when the root's proof or disproof is complete. No tree is deleted: this is for small problems.

use super::answer::{self, Watch};
use super::history::Path;
use super::leaf::{Initial, Leaf};
use super::numbers::{ENDLESS, FREE, Finding, INFINITE, Numbers, sum};
use super::strategy::{self, Prover, Strategy, of_first};
use super::table::{Entry, Table, Value, key_of};
use endspiel_game::{
    Advisor, Answer, Budget, Counts, Expertise, Meter, Question, Symmetric, Task, TwoPlayer,
};

/// MST* has no choices: other first numbers than one would lose the least size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options;

/// Lower bounds for one answer, yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Side {
    /// A solution tree has at least so many nodes.
    size: u32,
    /// It has exactly so many, and all of them are known.
    complete: bool,
}

const IMPOSSIBLE: Side = Side { size: INFINITE, complete: false };

struct Node<M> {
    m: M,
    or: bool,
    parent: u32,
    first: u32,
    count: u32,
    /// The bounds for no and for yes.
    sides: [Side; 2],
}

impl<M> Node<M> {
    /// Is the node known to have the other answer?
    fn rules_out(&self, yes: bool) -> bool {
        self.sides[usize::from(yes)].size == INFINITE
    }
}

/// MST* with its tree and the moves of its last solution.
pub struct Solver<P: TwoPlayer, E> {
    budget: Budget,
    nodes: Vec<Node<P::Move>>,
    kept: Table,
    strategy: Strategy,
    expertise: Option<E>,
    winning: Option<P::Move>,
}

/// The share of the memory that keeps proven moves.
const KEPT_SHARE: usize = 8;

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Solver<P, E> {
    /// A solver whose tree stays within the budget's memory.
    pub fn new(_: Options, budget: &Budget) -> Self {
        Self {
            budget: budget.clone(),
            nodes: Vec::new(),
            kept: Table::new(budget.memory / KEPT_SHARE),
            strategy: Strategy::default(),
            expertise: None,
            winning: None,
        }
    }

    /// Answers a question as far as the meter lets it. If it is answered, the finding's proof number (for a
    /// yes) or disproof number (for a no) is the number of nodes of a smallest solution tree.
    pub fn prove(&mut self, root: &P, question: Question, expertise: &E, meter: &Meter) -> Finding {
        self.ask(Path::none(), root, question, expertise, &Watch::quiet(meter))
    }

    /// Decides the task's goal by as many questions as it takes.
    pub fn solve(&mut self, task: &Task<'_, P, E>) -> Answer<P::Move> {
        answer::solve(self, task)
    }

    /// Develops the next leaf and brings the bounds above it up to date.
    fn develop(&mut self, root: &P, leaf: &Leaf<'_, E>, path: &mut Path, base: u32) {
        let (mut position, mut at, mut keys) = (root.clone(), 0, Vec::new());
        loop {
            if P::CYCLIC {
                keys.push(key_of(&position, leaf.question));
                path.push(keys[keys.len() - 1], base + keys.len() as u32 - 1);
            }
            if self.nodes[at].count == 0 {
                break;
            }
            at = self.select(at);
            position.play(self.nodes[at].m);
        }
        let first = self.nodes.len();
        leaf.expertise.candidates(&position, |m| {
            let child = position.after(m);
            let known = leaf.known(&child).or_else(|| {
                let depth = path.depth_of(key_of(&child, leaf.question)).filter(|_| P::CYCLIC)?;
                Some(Numbers::solved(leaf.repeated(&child), ENDLESS, depth))
            });
            self.nodes.push(node(m, leaf.is_or(&child), at as u32, known.map(|n| n.pn == 0)));
        });
        (self.nodes[at].first, self.nodes[at].count) = (first as u32, (self.nodes.len() - first) as u32);
        for (depth, key) in keys.into_iter().enumerate() {
            path.pop(key, base + depth as u32);
        }
        loop {
            let before = self.nodes[at].sides;
            let sides = [self.bound(at, false), self.bound(at, true)];
            self.nodes[at].sides = sides;
            if sides == before || at == 0 {
                break;
            }
            at = self.nodes[at].parent as usize;
        }
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let (first, count) = (self.nodes[at].first as usize, self.nodes[at].count as usize);
        first..first + count
    }

    /// The bound of an expanded node for one answer: the cheapest child if the mover wants it, else all.
    fn bound(&self, at: usize, yes: bool) -> Side {
        let sides = self.children(at).map(|c| self.nodes[c].sides[usize::from(yes)]);
        let side = if self.nodes[at].or == yes {
            sides.min_by_key(|side| (side.size, !side.complete)).unwrap_or(IMPOSSIBLE)
        } else {
            sides.fold(Side { size: 0, complete: true }, |all, side| Side {
                size: sum(all.size, side.size),
                complete: all.complete && side.complete,
            })
        };
        Side { size: sum(side.size, 1), complete: side.complete && side.size != INFINITE }
    }

    /// The child on the way to a leaf that every completion needs. While the answer is open, the mover's own
    /// cheapest child, as in pn-search; once it is known, an incomplete part of the cheapest solution.
    fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let goal = if node.rules_out(!node.or) {
            node.or
        } else if node.rules_out(node.or) {
            !node.or
        } else {
            node.or
        };
        let side = |c: usize| self.nodes[c].sides[usize::from(goal)];
        let mut children = self.children(at);
        let chosen = if goal == node.or {
            children.min_by_key(|&c| side(c).size)
        } else {
            children.find(|&c| !side(c).complete)
        };
        chosen.unwrap_or(at)
    }

    /// Remembers the winner's moves of the solution.
    fn keep(&mut self, root: &P, yes: bool, leaf: &Leaf<'_, E>) {
        let mut todo = vec![(0, root.clone())];
        while let Some((at, position)) = todo.pop() {
            if self.nodes[at].count == 0 {
                continue;
            }
            if self.nodes[at].or != yes {
                todo.extend(self.children(at).map(|c| (c, position.after(self.nodes[c].m))));
                continue;
            }
            let side = |c: &usize| self.nodes[*c].sides[usize::from(yes)];
            let Some(best) = self.children(at).min_by_key(|c| (side(c).size, !side(c).complete)) else {
                continue;
            };
            let m = self.nodes[best].m;
            if at == 0 {
                self.winning = Some(m);
            }
            let child = position.after(m);
            // In a game with cycles the advice has to be tried before it is trusted.
            let value = if P::CYCLIC {
                Value::OnPath { yes, signature: 0 }
            } else {
                Value::Solved { yes, height: ENDLESS }
            };
            let hint = key_of(&child, leaf.question) as u16;
            let work = side(&best).size;
            self.kept.store(key_of(&position, leaf.question), &Entry { value, hint, depth: 0, work });
            self.kept.make_room();
            todo.push((best, child));
        }
    }
}

fn node<M>(m: M, or: bool, parent: u32, known: Option<bool>) -> Node<M> {
    let side = |yes: bool| match known {
        None => Side { size: 1, complete: false },
        Some(truth) if truth == yes => Side { size: 1, complete: true },
        Some(_) => IMPOSSIBLE,
    };
    Node { m, or, parent, first: 0, count: 0, sides: [side(false), side(true)] }
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Prover<P> for Solver<P, E> {
    type Expertise = E;

    fn parts(&mut self) -> Option<(&mut Table, &mut Strategy, &E)> {
        Some((&mut self.kept, &mut self.strategy, self.expertise.as_ref()?))
    }

    fn ask(
        &mut self,
        (mut path, base): (Path, u32),
        root: &P,
        question: Question,
        expertise: &E,
        watch: &Watch<'_>,
    ) -> Finding {
        self.expertise = Some(expertise.clone());
        let (question, same) = of_first::<P>(question);
        let leaf = Leaf { question, initial: Initial::Standard, expertise };
        let limit = (self.budget.memory - self.budget.memory / KEPT_SHARE) / size_of::<Node<P::Move>>();
        self.nodes.clear();
        self.winning = None;
        let (mut developments, mut spent, stride) = (0, 0, watch.meter.stride());
        let mut answer = leaf.known(root).filter(|_| root.turn().is_over());
        if let (None, Some(&any)) = (answer, root.move_list().first()) {
            self.nodes.push(node(any, leaf.is_or(root), 0, None));
            while answer.is_none() && self.nodes.len() < limit {
                let created = self.nodes.len() as u64;
                if created - spent >= stride && watch.spend(created - std::mem::replace(&mut spent, created))
                {
                    break;
                }
                developments += 1;
                self.develop(root, &leaf, &mut path, base);
                answer = [false, true]
                    .into_iter()
                    .find(|&yes| self.nodes[0].sides[usize::from(yes)].complete)
                    .map(|yes| Numbers::solved(yes, ENDLESS, FREE));
            }
            if let Some(numbers) = answer {
                self.keep(root, numbers.pn == 0, &leaf);
            }
        }
        let created = self.nodes.len() as u64;
        watch.spend(created - spent);
        let counts = Counts {
            nodes: created,
            peak: created,
            evaluations: created,
            time: watch.meter.elapsed(),
            hits: 0,
        };
        let mut finding = Finding::new(answer.unwrap_or(Numbers::open(1, 1)), developments, counts);
        if let Some(root) = self.nodes.first() {
            (finding.pn, finding.dn) = (root.sides[1].size, root.sides[0].size);
        }
        finding.unless(same)
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn winning(&self) -> Option<P::Move> {
        self.winning
    }
}

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Advisor<P> for Solver<P, E> {
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        strategy::advise(self, position, question)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::super::sample::{At, random_tree, values};
    use super::*;
    use endspiel_game::{Player, Rng, Rules};

    /// The size of a smallest solution tree, by trying everything.
    fn smallest(at: &At<false>, spot: u32, yes: bool) -> u32 {
        let here = &at.graph.spots[spot as usize];
        if here.next.is_empty() {
            return if (here.payoff >= 1) == yes { 1 } else { INFINITE };
        }
        let sizes = here.next.iter().map(|&n| smallest(at, n, yes));
        let below = if (here.mover == Player::FIRST) == yes { sizes.min() } else { sizes.reduce(sum) };
        sum(1, below.unwrap_or(INFINITE))
    }

    #[test]
    fn the_solution_tree_is_a_smallest_one() {
        let mut rng = Rng::new(21);
        let budget = Budget::default();
        let question = Question { player: Player::FIRST, at_least: 1 };
        let mut smaller = 0;
        for _ in 0..600 {
            let root = random_tree(&mut rng, 7, 3);
            let mut solver = Solver::new(Options, &budget);
            let found = solver.prove(&root, question, &Rules, &budget.start());
            let yes = values::<false>(&root.graph)[0] >= 1;
            assert_eq!(found.verdict, if yes { Verdict::Yes } else { Verdict::No });
            assert_eq!(if yes { found.pn } else { found.dn }, smallest(&root, 0, yes));
            smaller += u32::from(found.counts.nodes < root.graph.spots.len() as u64);
        }
        assert!(smaller > 300, "only {smaller} searches left a part of the tree alone");
    }
}
