//! The toy systems of the source, and random systems against a plain enumeration of all key classes.

use super::plain::{Room, after, classes, legal, paths};
use super::{Kind, Options, Rule, search};
use endspiel_game::{Budget, Operator, Rng, Structured};
use std::collections::{BTreeMap, BTreeSet};

/// A problem given by its list of operators.
struct System {
    start: Vec<u32>,
    operators: Vec<Operator<u32>>,
    goal: u32,
}

impl Structured for System {
    type Attribute = u32;
    fn start(&self) -> Vec<u32> {
        self.start.clone()
    }
    fn operators(&self, a: u32, has: &dyn Fn(u32) -> bool, each: &mut dyn FnMut(Operator<u32>)) {
        for f in &self.operators {
            if f.pre.contains(&a) && f.pre.iter().all(|&b| b == a || has(b)) {
                each(f.clone());
            }
        }
    }
    fn is_goal(&self, a: u32) -> bool {
        a == self.goal
    }
}

/// Every operator adds one attribute of its own and takes some of what it needs.
fn random(rng: &mut Rng) -> System {
    let (starts, count) = (3 + rng.below(3) as u32, 4 + rng.below(4) as u32);
    let operators = (0..count)
        .map(|i| {
            let mut pre: Vec<u32> =
                (0..=rng.below(3)).map(|_| rng.below((starts + i) as usize) as u32).collect();
            pre.sort_unstable();
            pre.dedup();
            let mut del: Vec<u32> = pre.iter().copied().filter(|_| rng.below(3) == 0).collect();
            if del.is_empty() {
                del.push(pre[rng.below(pre.len())]);
            }
            Operator { pre, del, add: vec![starts + i] }
        })
        .collect();
    System { start: (0..starts).collect(), operators, goal: starts + count - 1 }
}

/// All key classes, by the definition: the sets of operators all of whose orders end in the same one.
fn key_classes(system: &System) -> BTreeSet<Vec<Operator<u32>>> {
    let mut last: BTreeMap<Vec<Operator<u32>>, BTreeSet<Operator<u32>>> = BTreeMap::new();
    let mut open = vec![(Vec::new(), system.start())];
    let mut seen = BTreeSet::new();
    while let Some((done, state)) = open.pop() {
        for f in legal(system, &state) {
            let mut set: Vec<Operator<u32>> = done.clone();
            set.push(f.clone());
            set.sort();
            last.entry(set.clone()).or_default().insert(f.clone());
            if seen.insert((set.clone(), f.clone())) {
                open.push((set, after(&state, &f)));
            }
        }
    }
    last.into_iter().filter(|(_, keys)| keys.len() == 1).map(|(set, _)| set).collect()
}

fn found(system: &System, rule: Rule) -> (BTreeSet<Vec<Operator<u32>>>, bool) {
    let graph = search(system, Options { rule, ..Options::default() }, &Budget::default());
    assert!(graph.complete);
    let mut sets = BTreeSet::new();
    for (i, node) in graph.nodes.iter().enumerate() {
        if let Kind::Dependency(key) = node.kind {
            let path = graph.path(i);
            let mut state = system.start();
            for f in &path {
                assert!(f.pre.iter().all(|a| state.contains(a)), "a path that does not apply");
                state = after(&state, f);
            }
            assert_eq!(path.last(), Some(&&graph.operators[key]));
            let mut set: Vec<Operator<u32>> = path.into_iter().cloned().collect();
            set.sort();
            assert!(sets.insert(set), "a key class found twice");
        }
    }
    (sets, graph.solutions().next().is_some())
}

#[test]
fn random_systems_give_all_key_classes_and_no_other() {
    let mut rng = Rng::new(3);
    let (mut missed, mut solved, mut joined) = (0, 0, 0);
    for _ in 0..3000 {
        let system = random(&mut rng);
        let truth = key_classes(&system);
        let reachable = truth.iter().flatten().any(|f| f.add.contains(&system.goal));
        let (exact, by_exact) = found(&system, Rule::Exact);
        let (literal, by_literal) = found(&system, Rule::Literal);
        let (supports, by_supports) = found(&system, Rule::Supports);
        assert_eq!(exact, truth, "{:?}", system.operators);
        assert!(literal.is_subset(&truth));
        assert!(supports.len() <= truth.len());
        assert_eq!([by_exact, by_literal, by_supports], [reachable; 3]);
        missed += usize::from(literal.len() < truth.len());
        solved += usize::from(reachable);
        joined += usize::from(truth.iter().any(|set| set.len() > 3));
    }
    assert!(missed > 20 && solved > 500 && joined > 500, "{missed} {solved} {joined}");
}

#[test]
fn the_printed_rule_misses_a_class_whose_key_only_precedes() {
    let op = |pre: &[u32], del: &[u32], add| Operator { pre: pre.into(), del: del.into(), add: vec![add] };
    let (p, x, q, a, b, c) = (0, 1, 2, 3, 4, 5);
    let operators = vec![op(&[p], &[p], a), op(&[x, q], &[q], b), op(&[a, x], &[a, x], c)];
    let system = System { start: vec![p, x, q], operators: operators.clone(), goal: c };
    let mut all = operators;
    all.sort();
    assert!(found(&system, Rule::Exact).0.contains(&all));
    assert!(!found(&system, Rule::Literal).0.contains(&all));
}

/// Ten letters, each rewritten by itself, and if `whole`, all ten made into the goal.
fn letters(whole: bool) -> System {
    let mut operators: Vec<Operator<u32>> =
        (0..10).map(|i| Operator { pre: vec![i], del: vec![i], add: vec![10 + i] }).collect();
    if whole {
        let ten: Vec<u32> = (10..20).collect();
        operators.push(Operator { pre: ten.clone(), del: ten, add: vec![20] });
    }
    System { start: (0..10).collect(), operators, goal: 20 }
}

#[test]
fn ten_independent_letters() {
    for (whole, plain, reduced) in [(false, 1024, 11), (true, 1025, 12)] {
        for rule in [Rule::Exact, Rule::Literal, Rule::Supports] {
            let graph = search(&letters(whole), Options { rule, ..Options::default() }, &Budget::default());
            assert_eq!((graph.key_classes(), graph.combinations()), (reduced, usize::from(whole)));
            assert_eq!(graph.solutions().count(), usize::from(whole));
        }
        assert_eq!(classes(&letters(whole), Room { memory: 1 << 20, ends: &mut |_| false }), Ok(plain));
    }
    // All orders of all subsets: the sum of 10! / k!.
    assert_eq!(paths(&letters(false), Room { memory: 1 << 20, ends: &mut |_| false }), Ok(9_864_101));
    // States and bytes end the counts, and are not passed.
    assert_eq!(paths(&letters(false), Room { memory: 1 << 20, ends: &mut |met| met >= 1000 }), Err(1000));
    assert_eq!(classes(&letters(false), Room { memory: 1 << 20, ends: &mut |met| met >= 1000 }), Err(1000));
    let met = classes(&letters(false), Room { memory: 10_000, ends: &mut |_| false }).expect_err("no room");
    assert!((10..200).contains(&met), "{met}");
}

#[test]
fn a_budget_ends_the_search_and_a_first_goal_too() {
    let little = Budget::default().with_memory(1000);
    let graph = search(&letters(true), Options::default(), &little);
    assert!(graph.out && graph.full && !graph.complete);
    let graph = search(&letters(true), Options::default(), &Budget::nodes(5));
    assert!(!graph.complete && graph.nodes.len() <= 6);
    let graph = search(&letters(true), Options { first: true, ..Options::default() }, &Budget::default());
    assert_eq!(graph.solutions().count(), 1);
}
