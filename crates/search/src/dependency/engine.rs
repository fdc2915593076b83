//! The two stages in turn: what depends on the last level is added depth-first, then nodes are joined.
//!
//! Joining starts from an operator: for each of its preconditions that did not hold at the start one node
//! whose key adds it is chosen, or none where another part brings it along. This finds sets of any size.

use super::hash::{Map, Set};
use super::merge::{Union, agree, united};
use super::{Graph, Kind, Node, Options, Rule};
use endspiel_game::{Budget, Meter, Operator, Structured};

/// Searches the key classes of a problem level by level until nothing new is found.
pub fn search<D: Structured>(domain: &D, options: Options, budget: &Budget) -> Graph<D::Attribute> {
    search_watched(domain, options, budget, &|_| ())
}

/// The same, and tells `watch` now and then how many nodes were counted.
pub fn search_watched<D: Structured>(
    domain: &D,
    options: Options,
    budget: &Budget,
    watch: &dyn Fn(u64),
) -> Graph<D::Attribute> {
    let start: Set<D::Attribute> = domain.start().into_iter().collect();
    let mut search = Search {
        domain,
        options,
        meter: budget.start(),
        watch,
        room: budget.memory,
        adding: Map::default(),
        needing: Map::default(),
        numbers: Map::default(),
        classes: Set::default(),
        joined: Set::default(),
        graph: Graph {
            operators: Vec::new(),
            nodes: Vec::new(),
            complete: true,
            out: false,
            full: false,
            goals: Vec::new(),
        },
        start,
        level: 1,
        ended: false,
    };
    search.graph.nodes.push(Node { kind: Kind::Root, level: 0, parents: Vec::new(), operators: Vec::new() });
    let mut from = 0;
    while from < search.graph.nodes.len() && !search.ended {
        let to = search.graph.nodes.len();
        for node in from..to {
            search.depend(node);
        }
        let made = to..search.graph.nodes.len();
        from = made.end;
        for node in made {
            search.combine(node);
        }
        search.level += 1;
    }
    search.graph
}

/// Every so many nodes something is told.
const TOLD: u64 = 1024;
/// What a node takes beside its operators, which are kept twice.
const NODE: usize = 192;

type Attribute<D> = <D as Structured>::Attribute;

struct Search<'a, D: Structured> {
    domain: &'a D,
    options: Options,
    meter: Meter,
    watch: &'a dyn Fn(u64),
    /// The bytes that are left for nodes.
    room: usize,
    start: Set<Attribute<D>>,
    level: u32,
    /// Is the search over before its time?
    ended: bool,
    graph: Graph<Attribute<D>>,
    /// The key classes whose key adds an attribute, and those whose key needs it.
    adding: Map<Attribute<D>, Vec<usize>>,
    needing: Map<Attribute<D>, Vec<usize>>,
    numbers: Map<Operator<Attribute<D>>, usize>,
    classes: Set<Vec<usize>>,
    joined: Set<Vec<usize>>,
}

impl<D: Structured> Search<'_, D> {
    /// Adds all that depends on a node, and all that depends on that, depth first.
    fn depend(&mut self, first: usize) {
        let mut open = vec![first];
        while let Some(node) = open.pop() {
            let keys = self.keys(node);
            let before = open.len();
            for f in self.dependents(node, &keys) {
                if self.options.rule == Rule::Literal && self.is_more_than_needed(node, &f) {
                    continue;
                }
                if self.is_too_long(node) {
                    self.graph.complete = false;
                    break;
                }
                let number = self.number(f);
                let operators = united(&self.graph.nodes[node].operators, &[number]);
                if !self.classes.insert(operators.clone()) {
                    continue;
                }
                if let Some(child) = self.grow(number, node, operators) {
                    open.push(child);
                }
                if self.ended {
                    return;
                }
            }
            open[before..].reverse();
        }
    }

    /// The keys of a node: its own, those of its parts, or none for the root.
    fn keys(&self, node: usize) -> Vec<usize> {
        let key = |n: usize| match self.graph.nodes[n].kind {
            Kind::Dependency(key) => Some(key),
            _ => None,
        };
        match self.graph.nodes[node].kind {
            Kind::Combination => self.graph.nodes[node].parents.iter().filter_map(|&p| key(p)).collect(),
            _ => key(node).into_iter().collect(),
        }
    }

    /// A new key class; none if it is the last because the budget or the wish for a goal ends here.
    fn grow(&mut self, key: usize, parent: usize, operators: Vec<usize>) -> Option<usize> {
        let node = self.graph.nodes.len();
        let f = self.graph.operators[key].clone();
        let parents = vec![parent];
        self.take_room(&operators);
        self.graph.nodes.push(Node { kind: Kind::Dependency(key), level: self.level, parents, operators });
        let is_goal = f.add.iter().any(|&a| self.domain.is_goal(a));
        if is_goal {
            self.graph.goals.push(node);
            self.ended |= self.options.first;
        }
        // What is an end is no part of anything else.
        if !(is_goal && self.options.ends) {
            for &a in &f.add {
                self.adding.entry(a).or_default().push(node);
            }
            for &a in &f.pre {
                self.needing.entry(a).or_default().push(node);
            }
        }
        self.spend();
        if self.ended || is_goal && self.options.ends { None } else { Some(node) }
    }

    fn number(&mut self, f: Operator<Attribute<D>>) -> usize {
        let next = self.graph.operators.len();
        let number = *self.numbers.entry(f.clone()).or_insert(next);
        if number == next {
            self.graph.operators.push(f);
        }
        number
    }

    /// What holds after a set of operators.
    fn union(&self, operators: &[usize]) -> Union<Attribute<D>> {
        let mut union = Union::default();
        for &f in operators {
            union.insert(&self.graph.operators[f]);
        }
        union
    }

    /// The operators that apply after a node and depend on all of `keys`; for the root, all that apply.
    fn dependents(&self, node: usize, keys: &[usize]) -> Vec<Operator<Attribute<D>>> {
        let union = self.union(&self.graph.nodes[node].operators);
        let has = |a: Attribute<D>| union.holds(a, self.start.contains(&a));
        let mut found = Vec::new();
        let mut sources: Vec<Attribute<D>> = match keys.first() {
            None => self.start.iter().copied().collect(),
            Some(&key) => self.touched(key),
        };
        sources.sort_unstable();
        for a in sources {
            if has(a) {
                self.domain.operators(a, &has, &mut |f| {
                    if keys.iter().all(|&key| self.depends(&f, key)) && !found.contains(&f) {
                        found.push(f);
                    }
                });
            }
        }
        found
    }

    /// The attributes through which something can depend on an operator.
    fn touched(&self, key: usize) -> Vec<Attribute<D>> {
        let key = &self.graph.operators[key];
        let mut out = key.add.clone();
        if self.options.rule != Rule::Supports {
            out.extend(key.pre.iter().copied().filter(|a| !key.add.contains(a)));
        }
        out
    }

    /// Does `f` depend on the operator `key`, in the sense of the rule?
    fn depends(&self, f: &Operator<Attribute<D>>, key: usize) -> bool {
        let key = &self.graph.operators[key];
        key.add.iter().any(|a| f.pre.contains(a))
            || self.options.rule != Rule::Supports && key.pre.iter().any(|a| f.del.contains(a))
    }

    /// Would fewer parts of a node do for `f`? Then the rule as printed does not add it here.
    fn is_more_than_needed(&self, node: usize, f: &Operator<Attribute<D>>) -> bool {
        match self.graph.nodes[node].kind {
            Kind::Root => false,
            Kind::Dependency(_) => self.is_covered(f, &[node]),
            Kind::Combination => self.is_covered(f, &self.graph.nodes[node].parents),
        }
    }

    /// Joins a node of this level with others wherever an operator depends on them all.
    fn combine(&mut self, node: usize) {
        let Kind::Dependency(key) = self.graph.nodes[node].kind else { return };
        if self.options.ends && self.graph.operators[key].add.iter().any(|&a| self.domain.is_goal(a)) {
            return;
        }
        let reached = |a: Attribute<D>| self.start.contains(&a) || self.adding.contains_key(&a);
        let mut wanted = Vec::new();
        for a in self.touched(key) {
            self.domain.operators(a, &reached, &mut |f| {
                if self.depends(&f, key) && !self.spoils(node, &f) {
                    wanted.push(f);
                }
            });
        }
        wanted.sort_unstable();
        wanted.dedup();
        for f in wanted {
            self.provide(&f, 0, &mut vec![node], &self.graph.nodes[node].operators.clone());
            if self.ended {
                return;
            }
        }
    }

    /// A node with these operators is kept.
    fn take_room(&mut self, operators: &[usize]) {
        self.room = self.room.saturating_sub(NODE + 2 * size_of_val(operators));
    }

    /// Counts a node, and ends the search where the budget does.
    fn spend(&mut self) {
        self.graph.full |= self.room == 0;
        self.graph.out |= self.meter.spend(1) || self.graph.full;
        if self.meter.nodes().is_multiple_of(TOLD) {
            (self.watch)(self.meter.nodes());
        }
        self.ended |= self.graph.out;
        self.graph.complete &= !self.ended;
    }

    /// Would a node with an operator more be too long?
    fn is_too_long(&self, node: usize) -> bool {
        self.options.longest.is_some_and(|longest| self.graph.nodes[node].operators.len() >= longest)
    }

    /// Chooses providers for the preconditions of `f` from number `place` on, beside the parts chosen.
    fn provide(&mut self, f: &Operator<Attribute<D>>, place: usize, parts: &mut Vec<usize>, all: &[usize]) {
        let Some(&a) = f.pre.get(place) else {
            self.join(f, parts, all);
            if self.options.rule != Rule::Supports {
                self.precede(f, 0, parts, all);
            }
            return;
        };
        self.provide(f, place + 1, parts, all);
        let is_full = self.options.parts.is_some_and(|most| parts.len() >= most);
        if is_full || self.start.contains(&a) || self.union(all).adds(a) {
            return;
        }
        for i in 0..self.adding.get(&a).map_or(0, Vec::len) {
            let other = self.adding[&a][i];
            // An attempt costs as much as a node, and there may be very many.
            self.spend();
            if self.ended {
                return;
            }
            if let Some(all) = self.with(f, parts, other, all) {
                parts.push(other);
                self.provide(f, place + 1, parts, &all);
                parts.pop();
            }
        }
    }

    /// Adds parts whose keys precede `f`, from number `place` of them on.
    fn precede(&mut self, f: &Operator<Attribute<D>>, place: usize, parts: &mut Vec<usize>, all: &[usize]) {
        let mut others: Vec<usize> =
            f.del.iter().filter_map(|a| self.needing.get(a)).flatten().copied().collect();
        others.sort_unstable();
        others.dedup();
        for (i, &other) in others.iter().enumerate().skip(place) {
            if let Some(all) = self.with(f, parts, other, all) {
                parts.push(other);
                self.join(f, parts, &all);
                self.precede(f, i + 1, parts, &all);
                parts.pop();
            }
        }
    }

    /// All operators with those of `other`, if it can be joined for `f`: no key within another part, no
    /// conflict, and nothing taken that `f` needs, since it would not come back.
    fn with(
        &self,
        f: &Operator<Attribute<D>>,
        parts: &[usize],
        other: usize,
        all: &[usize],
    ) -> Option<Vec<usize>> {
        let nodes = &self.graph.nodes;
        let Kind::Dependency(key) = nodes[other].kind else { return None };
        let keys_inside = |&part: &usize| match nodes[part].kind {
            Kind::Dependency(k) => nodes[other].operators.binary_search(&k).is_ok(),
            _ => true,
        };
        if all.binary_search(&key).is_ok() || self.spoils(other, f) || parts.iter().any(keys_inside) {
            return None;
        }
        let all = united(all, &nodes[other].operators);
        let operators: Vec<_> = all.iter().map(|&f| &self.graph.operators[f]).collect();
        agree(&operators, &self.union(&all)).then_some(all)
    }

    /// Does a node take what `f` needs?
    fn spoils(&self, node: usize, f: &Operator<Attribute<D>>) -> bool {
        let takes = |g: &usize| self.graph.operators[*g].del.iter().any(|a| f.pre.contains(a));
        self.graph.nodes[node].operators.iter().any(takes)
    }

    /// Keeps the parts as a combination if `f` applies after them and depends on each.
    fn join(&mut self, f: &Operator<Attribute<D>>, parts: &[usize], all: &[usize]) {
        if parts.len() < 2 {
            return;
        }
        let union = self.union(all);
        if !f.pre.iter().all(|a| union.holds(*a, self.start.contains(a))) {
            return;
        }
        let depends = parts.iter().all(|&part| match self.graph.nodes[part].kind {
            Kind::Dependency(key) => self.depends(f, key),
            _ => false,
        });
        let mut parents = parts.to_vec();
        parents.sort_unstable();
        if !depends || self.joined.contains(&parents) {
            return;
        }
        if self.options.rule == Rule::Literal && self.is_covered(f, &parents) {
            return;
        }
        self.joined.insert(parents.clone());
        let (kind, level) = (Kind::Combination, self.level);
        self.take_room(all);
        self.graph.nodes.push(Node { kind, level, parents, operators: all.to_vec() });
        self.spend();
    }

    /// Does `f` apply after fewer of these nodes?
    fn is_covered(&self, f: &Operator<Attribute<D>>, parts: &[usize]) -> bool {
        (0..(1u64 << parts.len().min(20)) - 1).any(|some| {
            let operators = (0..parts.len())
                .filter(|i| some >> i & 1 == 1)
                .fold(Vec::new(), |all, i| united(&all, &self.graph.nodes[parts[i]].operators));
            let union = self.union(&operators);
            f.pre.iter().all(|a| union.holds(*a, self.start.contains(a)))
        })
    }
}
