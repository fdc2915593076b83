//! Values of games on sets that moves flip, virus games among them, by linear algebra: no list of positions is made, so graphs may
//! have hundreds of vertices (A. Fraenkel, Virus Versus Mankind, 2000).
//!
//! A move fires a vertex of the set and adds one of its *ways*, a vector with that vertex. Whatever the ways are, values add up: who answers in
//! each of two sets answers in their sum, since a reply that both would make cancels, and is a move in the other to be
//! answered next. So positions worth a number are a space, of which a basis is found here, [`Linear`].
//!
//! A position is worth v if its moves reach every number below v and not v, and each move to no lower number has a reply to a position
//! *known* to be worth v. Known is all of the space found so far, and only the *class* of a way matters there: what is left of it by
//! that space, with a number. Small sets are tried first. Then, to know that nothing is missing: if a position outside the space is
//! worth a number, then one is that passes by what is known. A move and its reply make its class a sum of two ways', or that of one if it is not worth 0,
//! so that there are few classes to look through; which vertices such a position may have follows from the classes alone, and whether there is one with such
//! vertices from linear equations. Of several all are tried, up to [`TRIED`].
//!
//! Vertices are taken by strong components, those first that lead nowhere else.

use crate::{Bits, Grundy, Linear};
use endspiel_game::Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// So many positions of a class are tried.
const TRIED: usize = 1 << 12;

/// The class of a vector: what is left of it by the known space, and the number of what is not.
type Class = (Bits, u32);

/// A game on sets, all of whose values are known.
#[derive(Clone, Debug)]
pub struct Firing {
    space: Linear,
    /// By vertices, and by what is left of a way, the numbers of the classes of ways.
    reached: Vec<FxHashMap<Bits, BTreeSet<u32>>>,
}

impl Firing {
    /// Solves the game in which firing a vertex adds one of its ways. None if `stop` asks to, or if it is not sure that all
    /// positions worth a number were found.
    pub fn solve(ways: &[Vec<Bits>], stop: &mut dyn FnMut() -> bool) -> Option<Self> {
        let mut search = Search::new(ways);
        for component in components(ways) {
            search.take(&component, stop)?;
        }
        let reached = search.classes.into_iter().map(|classes| {
            let mut reached: FxHashMap<Bits, BTreeSet<u32>> = FxHashMap::default();
            for (rest, number) in classes {
                reached.entry(rest).or_default().insert(number);
            }
            reached
        });
        Some(Self { reached: reached.collect(), space: search.space })
    }

    /// The positions worth a number.
    pub fn space(&self) -> &Linear {
        &self.space
    }

    /// What a position is worth.
    pub fn value(&self, position: &Bits) -> Grundy {
        let (rest, number) = self.space.split(position);
        if rest.is_empty() {
            return Grundy::Number(number);
        }
        let ways = position.members().filter_map(|vertex| self.reached[vertex].get(&rest)).flatten();
        Grundy::Infinite(ways.map(|way| way ^ number).collect())
    }
}

/// The strong components; what one leads to comes before it.
fn components(ways: &[Vec<Bits>]) -> Vec<Vec<usize>> {
    let size = ways.len();
    let mut by_reach: FxHashMap<Bits, Vec<usize>> = FxHashMap::default();
    for vertex in 0..size {
        let mut reach = Bits::of(size, [vertex]);
        let mut open = vec![vertex];
        while let Some(at) = open.pop() {
            for next in ways[at].iter().flat_map(Bits::members) {
                if !reach.has(next) {
                    reach.flip(next);
                    open.push(next);
                }
            }
        }
        by_reach.entry(reach).or_default().push(vertex);
    }
    let mut out: Vec<_> = by_reach.into_iter().collect();
    out.sort_by_key(|(reach, vertices)| (reach.count(), vertices[0]));
    out.into_iter().map(|(_, vertices)| vertices).collect()
}

struct Search<'a> {
    ways: &'a [Vec<Bits>],
    classes: Vec<Vec<Class>>,
    space: Linear,
    /// The vertices that are looked at, closed under what they lead to.
    here: Vec<usize>,
    /// The vertices of `here` with a way of this class, and one such way.
    owners: FxHashMap<Class, (Vec<usize>, Bits)>,
}

/// Positions that may be worth a number.
struct Chance {
    class: Class,
    /// Some position of the class.
    such_as: Bits,
    value: u32,
}

impl<'a> Search<'a> {
    fn new(ways: &'a [Vec<Bits>]) -> Self {
        let classes = ways.iter().map(|ways| ways.iter().map(|way| (way.clone(), 0)).collect()).collect();
        let (space, owners) = Default::default();
        Self { ways, classes, space, here: Vec::new(), owners }
    }

    /// Finds the positions worth a number of a component and those before it, when those without it are known.
    fn take(&mut self, component: &[usize], stop: &mut dyn FnMut() -> bool) -> Option<()> {
        self.here.extend(component);
        self.list_owners();
        loop {
            while self.small_sets(component) {
                if stop() {
                    return None;
                }
            }
            if !self.any_class(component, stop)? {
                return Some(());
            }
        }
    }

    fn list_owners(&mut self) {
        self.owners.clear();
        for &vertex in &self.here {
            for (class, way) in self.classes[vertex].iter().zip(&self.ways[vertex]) {
                match self.owners.get_mut(class) {
                    Some((owners, _)) if owners.last() == Some(&vertex) => {}
                    Some((owners, _)) => owners.push(vertex),
                    None => drop(self.owners.insert(class.clone(), (vec![vertex], way.clone()))),
                }
            }
        }
    }

    fn learn(&mut self, position: &Bits, value: u32) {
        let Some((vector, number)) = self.space.learn(position, value) else { return };
        let Some(highest) = vector.highest() else { return };
        for (rest, n) in self.classes.iter_mut().flatten() {
            if rest.has(highest) {
                rest.add(&vector);
                *n ^= number;
            }
        }
        self.list_owners();
    }

    /// Tries vertices of a component alone and with another; was any new?
    fn small_sets(&mut self, component: &[usize]) -> bool {
        let mut is_new = false;
        let here = self.here.clone();
        for &vertex in component {
            let alone = Bits::of(self.ways.len(), [vertex]);
            is_new |= self.attempt(&alone);
            for &other in here.iter().filter(|&&other| other != vertex) {
                let mut pair = alone.clone();
                pair.flip(other);
                is_new |= self.attempt(&pair);
            }
        }
        is_new
    }

    /// Learns a position outside the space if it passes.
    fn attempt(&mut self, position: &Bits) -> bool {
        let class = self.space.split(position);
        if class.0.is_empty() {
            return false;
        }
        let Some(value) = self.worth(position, &class) else { return false };
        self.learn(position, value);
        true
    }

    /// What a position is worth by what is known.
    fn worth(&self, position: &Bits, class: &Class) -> Option<u32> {
        let reached: BTreeSet<u32> = position
            .members()
            .flat_map(|vertex| &self.classes[vertex])
            .filter_map(|way| (way.0 == class.0).then_some(way.1 ^ class.1))
            .collect();
        let value = least_free(&reached);
        let mut key = class.clone();
        let is_answered = |(vertex, way): (usize, usize)| {
            let flips = &self.ways[vertex][way];
            self.is_answered((vertex, way), class, value, &mut key, |owner| {
                position.has(owner) != flips.has(owner)
            })
        };
        let mut moves =
            position.members().flat_map(|vertex| (0..self.ways[vertex].len()).map(move |way| (vertex, way)));
        moves.all(is_answered).then_some(value)
    }

    /// Does a move from a position of this class lead to a lower number, or can one of these owners answer it?
    fn is_answered(
        &self,
        (vertex, way): (usize, usize),
        class: &Class,
        value: u32,
        key: &mut Class,
        may_answer: impl Fn(usize) -> bool,
    ) -> bool {
        let (rest, number) = &self.classes[vertex][way];
        if *rest == class.0 && number ^ class.1 < value {
            return true;
        }
        key.0.clone_from(&class.0);
        key.0.add(rest);
        key.1 = class.1 ^ number ^ value;
        let owners = self.owners.get(key);
        owners.is_some_and(|(owners, _)| owners.iter().any(|&owner| owner != vertex && may_answer(owner)))
    }

    /// Looks through all classes that a further position with a number could have, until one is found and learnt.
    fn any_class(&mut self, component: &[usize], stop: &mut dyn FnMut() -> bool) -> Option<bool> {
        let zero: Vec<Bits> = self.space.zero();
        let mut seen: FxHashSet<Class> = FxHashSet::default();
        let mut is_sure = true;
        for &vertex in component {
            // Whichever move is made, a reply leads to what is known: the first will do.
            let (Some(first), Some(way)) = (self.classes[vertex].first(), self.ways[vertex].first()) else {
                continue;
            };
            for (count, (other, (_, flips))) in self.owners.iter().enumerate() {
                if count % 1024 == 0 && stop() {
                    return None;
                }
                let class = (first.0.plus(&other.0), first.1 ^ other.1);
                if class.0.is_empty()
                    || !self.may_have(vertex, &class, 0, |_| true)
                    || !seen.insert(class.clone())
                {
                    continue;
                }
                let chance = Chance { class, such_as: way.plus(flips), value: 0 };
                match self.look(&chance, component, &zero) {
                    Look::Found(position, value) => {
                        self.learn(&position, value);
                        return Some(true);
                    }
                    Look::Nothing => {}
                    Look::Unsure => is_sure = false,
                }
            }
        }
        let mut by_rest: FxHashMap<&Bits, BTreeSet<u32>> = FxHashMap::default();
        for (rest, number) in self.owners.keys().filter(|class| !class.0.is_empty()) {
            by_rest.entry(rest).or_default().insert(*number);
        }
        for (class, (_, flips)) in self.owners.iter().filter(|(class, _)| !class.0.is_empty()) {
            let reached: BTreeSet<u32> = by_rest[&class.0].iter().map(|number| number ^ class.1).collect();
            for value in 1..=least_free(&reached) {
                if stop() {
                    return None;
                }
                let chance = Chance { class: class.clone(), such_as: flips.clone(), value };
                match self.look(&chance, component, &zero) {
                    Look::Found(position, value) => {
                        self.learn(&position, value);
                        return Some(true);
                    }
                    Look::Nothing => {}
                    Look::Unsure => is_sure = false,
                }
            }
        }
        is_sure.then_some(false)
    }

    /// May a position of this class and value have this vertex, as far as classes tell, if only some others are in it?
    fn may_have(&self, vertex: usize, class: &Class, value: u32, others: impl Fn(usize) -> bool) -> bool {
        let mut key = class.clone();
        (0..self.ways[vertex].len()).all(|way| {
            let flips = &self.ways[vertex][way];
            self.is_answered((vertex, way), class, value, &mut key, |owner| flips.has(owner) || others(owner))
        })
    }

    /// Looks for a position of this class and value that passes and has a vertex of the component.
    fn look(&self, chance: &Chance, component: &[usize], zero: &[Bits]) -> Look {
        let (class, value) = (&chance.class, chance.value);
        let mut within = Bits::of(self.ways.len(), self.here.iter().copied());
        loop {
            let out: Vec<usize> = within
                .members()
                .filter(|&vertex| !self.may_have(vertex, class, value, |owner| within.has(owner)))
                .collect();
            if out.is_empty() {
                break;
            }
            for vertex in out {
                within.flip(vertex);
            }
            if !component.iter().any(|&vertex| within.has(vertex)) {
                return Look::Nothing;
            }
        }
        let reached: BTreeSet<u32> = within
            .members()
            .flat_map(|vertex| &self.classes[vertex])
            .filter_map(|way| (way.0 == class.0).then_some(way.1 ^ class.1))
            .collect();
        if least_free(&reached) < value {
            return Look::Nothing;
        }
        let outside = self.here.iter().copied().filter(|&vertex| !within.has(vertex));
        let Some((position, free)) = solutions(&chance.such_as, zero, outside) else { return Look::Nothing };
        let passes = |position: &Bits| Some((position.clone(), self.worth(position, class)?));
        match trials(position, &free).find_map(|position| passes(&position)) {
            Some((position, value)) => Look::Found(position, value),
            None if 1 << free.len().min(63) <= TRIED => Look::Nothing,
            None => Look::Unsure,
        }
    }
}

/// What looking for a position came to.
enum Look {
    Found(Bits, u32),
    Nothing,
    Unsure,
}

/// The sums of a vector and some of the others that have none of these bits: one of them, and what may be added to it.
fn solutions(
    vector: &Bits,
    others: &[Bits],
    without: impl Iterator<Item = usize>,
) -> Option<(Bits, Vec<Bits>)> {
    let (mut vector, mut free) = (vector.clone(), others.to_vec());
    for bit in without {
        if let Some(at) = free.iter().position(|other| other.has(bit)) {
            let pivot = free.swap_remove(at);
            free.iter_mut().filter(|other| other.has(bit)).for_each(|other| other.add(&pivot));
            if vector.has(bit) {
                vector.add(&pivot);
            }
        } else if vector.has(bit) {
            return None;
        }
    }
    Some((vector, free))
}

/// A position with any of these added: all that come about, or [`TRIED`] at random.
fn trials(start: Bits, free: &[Bits]) -> impl Iterator<Item = Bits> {
    let is_all = 1 << free.len().min(63) <= TRIED;
    let (many, mut rng, mut position) = (if is_all { 1 << free.len() } else { TRIED }, Rng::new(1), start);
    (0..many).map(move |count: usize| {
        if count > 0 {
            let next = if is_all { count.trailing_zeros() as usize } else { rng.below(free.len()) };
            position.add(&free[next]);
        }
        position.clone()
    })
}

/// The least number that is not there.
fn least_free(numbers: &BTreeSet<u32>) -> u32 {
    (0..).zip(numbers).find(|&(at, &number)| at != number).map_or(numbers.len() as u32, |(at, _)| at)
}
