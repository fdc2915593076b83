//! Conspiracy-number search (McAllester 1988). For every value v a node knows the least number of leaves below
//! it that must change for it to get at least v (*up*) or at most v (*down*): at a leaf 0 if it has it already,
//! 1 if a change may give it, infinite if its bounds exclude it; at a maximising node up is the least of the
//! children's and down their sum; at a minimising node the other way round.
//!
//! The search works towards the farthest value that a conspiracy of at most t leaves may give the root. When
//! none is left, t grows; the root's value is *reliable* at the threshold of the options. With the three
//! values of an outcome and leaves of value 0 the numbers up for a win and down for a loss are the proof and
//! disproof numbers. Wide ranges of scores are cut into at most 16 steps, and finer when only one is left.
//! Cost a step: steps times children along one path.

use super::drive::Method;
use super::store::Store;
use endspiel_game::{Estimate, Expertise, Player, Task, TwoPlayer};

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The root's value is taken to be reliable when more leaves than this would have to change.
    pub threshold: u32,
}

impl Default for Options {
    /// Goes on until it is proven.
    fn default() -> Self {
        Self { threshold: INFINITE - 1 }
    }
}

const INFINITE: u32 = u32::MAX;
const MOST_STEPS: usize = 16;

/// The search. Of each node it keeps its heuristic value at creation.
pub struct Search<P: TwoPlayer> {
    store: Store<P, i32>,
    scale: Scale,
    /// By node and step: up, then down.
    numbers: Vec<u32>,
    threshold: u32,
    limit: u32,
    evaluates: bool,
}

/// Solves by conspiracy numbers.
pub type Solver<P, E> = super::Solver<P, E, Search<P>>;

/// The values that are told apart: `steps` of them, from `base` on, `width` apart.
#[derive(Clone, Copy, Debug)]
struct Scale {
    base: i32,
    width: i32,
    steps: usize,
}

impl Scale {
    fn over(low: i32, high: i32) -> Self {
        let values = high - low + 1;
        let width = (values + MOST_STEPS as i32 - 1) / MOST_STEPS as i32;
        Self { base: low, width, steps: ((values + width - 1) / width) as usize }
    }

    fn step(self, value: i32) -> usize {
        ((value - self.base).max(0) / self.width).min(self.steps as i32 - 1) as usize
    }
}

impl<P: TwoPlayer> Search<P> {
    fn up(&self, node: usize, step: usize) -> u32 {
        self.numbers[2 * node * self.scale.steps + step]
    }

    fn down(&self, node: usize, step: usize) -> u32 {
        self.numbers[(2 * node + 1) * self.scale.steps + step]
    }

    /// The step of a node's value: the greatest that needs no change.
    fn step_of(&self, node: usize) -> usize {
        (0..self.scale.steps).rev().find(|&step| self.up(node, step) == 0).unwrap_or(0)
    }

    /// Sets the numbers of a node from those of its children, or from its own value.
    fn count(&mut self, node: usize) {
        let steps = self.scale.steps;
        let n = &self.store.nodes[node];
        let (least, most) = (self.scale.step(n.low), self.scale.step(n.high));
        let value = self.scale.step(n.data.clamp(n.low, n.high));
        for step in 0..steps {
            let fold = |of: &dyn Fn(usize) -> u32, sum: bool| {
                let children = n.children().map(of);
                if sum { children.fold(0, u32::saturating_add) } else { children.min().unwrap_or(INFINITE) }
            };
            let (up, down) = if n.is_expanded() {
                (fold(&|c| self.up(c, step), !n.maximise), fold(&|c| self.down(c, step), n.maximise))
            } else {
                (u32::from(step > value), u32::from(step < value))
            };
            let bounded = |number, met: bool, excluded: bool| {
                if met {
                    0
                } else if excluded {
                    INFINITE
                } else {
                    number
                }
            };
            self.numbers[2 * node * steps + step] = bounded(up, step <= least, step > most);
            self.numbers[(2 * node + 1) * steps + step] = bounded(down, step >= most, step < least);
        }
    }

    /// Tells the values that are left apart more finely.
    fn refine(&mut self) {
        let root = &self.store.nodes[0];
        self.scale = Scale::over(root.low, root.high);
        self.numbers.clear();
        self.numbers.resize(2 * self.scale.steps * self.store.nodes.len(), 0);
        for node in (0..self.store.nodes.len()).rev() {
            self.count(node);
        }
        self.threshold = 1;
    }

    /// The farthest value that a small conspiracy may give the root: up or down, and to which step.
    fn aim(&mut self) -> Option<(bool, usize)> {
        loop {
            let (value, steps, t) = (self.step_of(0), self.scale.steps, self.threshold);
            let high = (value..steps).rev().find(|&step| self.up(0, step) <= t).unwrap_or(value);
            let low = (0..=value).find(|&step| self.down(0, step) <= t).unwrap_or(value);
            let (rise, fall) = (high - value, value - low);
            if rise.max(fall) > 0 {
                let fewer = self.up(0, high) <= self.down(0, low);
                return Some(if rise > fall || rise == fall && fewer { (true, high) } else { (false, low) });
            }
            let others = (value + 1..steps).map(|s| self.up(0, s)).chain((0..value).map(|s| self.down(0, s)));
            let next = others.filter(|&number| number < INFINITE).min();
            match next {
                Some(next) if next <= self.limit => self.threshold = next,
                None if !self.store.nodes[0].is_settled() && self.scale.width > 1 => self.refine(),
                _ => return None,
            }
        }
    }
}

impl<P: TwoPlayer, E: Expertise<P>> Method<P, E> for Search<P> {
    type Options = Options;
    type Data = i32;

    fn plant(options: &Options, task: &Task<'_, P, E>, memory: usize) -> Self {
        let extra = 2 * size_of::<u32>() * MOST_STEPS;
        let mut store = Store::new(task.root, task.goal, memory, extra, 0);
        store.visit(0, task.root, task.expertise);
        let scale = Scale::over(store.nodes[0].low, store.nodes[0].high);
        let limit = options.threshold.clamp(1, INFINITE - 1);
        let mut search =
            Self { store, scale, numbers: Vec::new(), threshold: 1, limit, evaluates: E::EVALUATES };
        search.refine();
        search
    }

    fn grow(&mut self, expertise: &E) -> Option<usize> {
        if self.store.nodes[0].is_settled() {
            return None;
        }
        let (rise, step) = self.aim()?;
        let (numbers, steps) = (&self.numbers, self.scale.steps);
        let number = |node: usize| numbers[(2 * node + usize::from(!rise)) * steps + step];
        // Walk to a conspirator: whoever would have to change, and the fewest of them.
        let (leaf, position) = self.store.walk(|store, node| {
            let children = store.nodes[node].children();
            children.filter(|&c| (1..INFINITE).contains(&number(c))).min_by_key(|&c| number(c))
        });
        let units = self.store.units;
        let made = self.store.expand(leaf, &position, expertise, |child, _, _| {
            // Thousandths to the nearest unit.
            let value = (f64::from(expertise.evaluate(child)) / 1000.0).round() as i32;
            units.count(if child.mover() == Player::FIRST { value } else { -value })
        });
        self.numbers.resize(2 * steps * self.store.nodes.len(), 0);
        for child in self.store.nodes[leaf].children() {
            self.count(child);
        }
        let mut node = leaf;
        loop {
            self.store.refresh(node);
            self.count(node);
            if node == 0 {
                break;
            }
            node = self.store.nodes[node].parent as usize;
        }
        (made > 0).then_some(made)
    }

    fn store(&self) -> &Store<P, i32> {
        &self.store
    }

    fn choice(&self, node: usize) -> Option<usize> {
        let n = &self.store.nodes[node];
        let sure = |c: usize| {
            let c = &self.store.nodes[c];
            if n.maximise { c.low } else { -c.high }
        };
        let guess = |c: usize| if n.maximise { self.step_of(c) } else { self.scale.steps - self.step_of(c) };
        // The first of the best.
        n.children().rev().max_by_key(|&c| if n.is_settled() { (sure(c), 0) } else { (0, guess(c)) })
    }

    fn estimate(&self) -> Option<Estimate> {
        let root = &self.store.nodes[0];
        let value = self.scale.base + self.scale.width * self.step_of(0) as i32;
        let value = f64::from(value.clamp(root.low, root.high));
        let mean = if root.maximise { value } else { -value };
        self.evaluates.then_some(Estimate { mean, spread: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bestfirst::testing::agrees;
    use endspiel_game::{Budget, Game, Goal, Quiet, Rules};
    use endspiel_rules::random_tree::{Leaves, Node, RandomTree};

    /// Proof and disproof number of "the first player wins" where all that is no loss yet is no win either.
    fn proof_numbers(search: &Search<Node>, node: usize) -> (u32, u32) {
        let n = &search.store.nodes[node];
        if !n.is_expanded() {
            return match (n.low, n.high) {
                (1, 1) => (0, INFINITE),
                (-1, -1) => (INFINITE, 0),
                _ => (1, 1),
            };
        }
        let numbers: Vec<_> = n.children().map(|c| proof_numbers(search, c)).collect();
        let least = |of: fn(&(u32, u32)) -> u32| numbers.iter().map(of).min().unwrap_or(INFINITE);
        let sum = |of: fn(&(u32, u32)) -> u32| numbers.iter().map(of).fold(0, u32::saturating_add);
        if n.maximise { (least(|x| x.0), sum(|x| x.1)) } else { (sum(|x| x.0), least(|x| x.1)) }
    }

    #[test]
    fn three_values_give_proof_and_disproof_numbers() {
        let mut compared = 0;
        for seed in 0..40 {
            let tree =
                RandomTree { leaves: Leaves::TwoValues, least_branching: 1, ..RandomTree::new(4, 6, seed) };
            let (root, budget) = (tree.start(), Budget::default());
            let task = Task {
                root: &root,
                goal: Goal::Outcome,
                expertise: &Rules,
                budget: &budget,
                observer: &Quiet,
            };
            let mut search = <Search<_> as Method<_, Rules>>::plant(&Options::default(), &task, 1 << 24);
            assert_eq!(search.scale.steps, 3);
            while search.grow(&Rules).is_some() {
                for node in 0..search.store.nodes.len() {
                    assert_eq!((search.up(node, 2), search.down(node, 0)), proof_numbers(&search, node));
                }
                compared += 1;
            }
            assert!(search.store.nodes[0].is_settled());
        }
        assert!(compared > 300, "{compared}");
    }

    #[test]
    fn a_low_threshold_stops_early() {
        let root = RandomTree { leaves: Leaves::ThreeValues, ..RandomTree::new(3, 8, 2) }.start();
        let budget = Budget::default();
        let task =
            Task { root: &root, goal: Goal::Outcome, expertise: &Rules, budget: &budget, observer: &Quiet };
        let nodes = |threshold| Solver::new(Options { threshold }, &budget).solve(&task).counts.nodes;
        assert!(nodes(2) < nodes(8) && nodes(8) < nodes(u32::MAX));
    }

    #[test]
    fn agrees_with_enumeration() {
        agrees::<Search<_>, Search<_>, Search<_>>(&Options::default());
    }
}
