//! The graphs that virus games are played on, and how they are written.

use super::set::{MOST_VERTICES, Set};
use endspiel_game::TextError;
use endspiel_game::notation::{number, shorten};
use std::fmt::Write;

/// The most moves that a position may have: a list of them should be made in no time.
const MOST_MOVES: u64 = 10_000;

/// A directed graph, and how many followers a vertex that fires takes along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    shape: Shape,
    names: Vec<String>,
    followers: Vec<Set>,
    /// The least and the most followers that are flipped.
    flips: Vec<(u32, u32)>,
    /// In how many ways they can be chosen.
    choices: Vec<u64>,
}

/// How a graph came about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Shape {
    /// Fraenkel's G(p).
    Fraenkel(usize),
    /// As it was written.
    Written(String),
}

/// How many followers are flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Firing {
    /// As many, or all if there are fewer.
    pub flips: u32,
    /// In G(p), the same of the vertices y with an even number.
    pub even: u32,
    /// Or any smaller number.
    pub fewer: bool,
}

impl Firing {
    fn of(self, most: u32, followers: Set) -> (u32, u32) {
        let most = most.min(followers.count());
        (if self.fewer { 0 } else { most }, most)
    }
}

impl Graph {
    /// Fraenkel's graph G(p): vertices x1 to xp and y1 to yp. From x leads one edge, to the y of its number; from y to all y before it
    /// and to all x but that of its number.
    pub fn fraenkel(p: usize, firing: Firing) -> Result<Self, TextError> {
        let names = ["x", "y"].into_iter().flat_map(|letter| (1..=p).map(move |i| format!("{letter}{i}")));
        let names: Vec<String> = names.collect();
        let mut followers: Vec<Set> = (0..p).map(|i| Set::one(p + i)).collect();
        followers.extend((0..p).map(|k| (p..p + k).chain((0..p).filter(|&j| j != k)).collect::<Set>()));
        let flips = |(i, &set): (usize, &Set)| {
            let is_even = i >= p && (i - p) % 2 == 1;
            firing.of(if is_even { firing.even } else { firing.flips }, set)
        };
        let flips = followers.iter().enumerate().map(flips).collect();
        Self { shape: Shape::Fraenkel(p), names, followers, flips, choices: Vec::new() }.bounded()
    }

    /// A graph as it is written, such as `a:b+b:ce+c:d`, `a:b/1` where another number is flipped.
    pub fn read(text: &str, firing: Firing) -> Result<Self, TextError> {
        // Whatever is no name is told below, with its place.
        let words = text.split(['+', ':']).map(|word| word.split('/').next().unwrap_or(""));
        let mut names: Vec<String> =
            words.filter_map(|word| names(word).ok()).flatten().map(|(_, name)| name).collect();
        names.sort_by_key(|name| (name.as_bytes()[0], name.len(), name.clone()));
        names.dedup();
        if names.len() > MOST_VERTICES {
            let what = format!("there are {} vertices", names.len());
            return Err(TextError::new(0, what, format!("at most {MOST_VERTICES}")));
        }
        let (shape, followers) = (Shape::Written(text.into()), vec![Set::EMPTY; names.len()]);
        let mut graph = Self { shape, names, followers, flips: Vec::new(), choices: Vec::new() };
        let (mut at, mut own) = (0, Vec::new());
        for part in text.split('+') {
            let Some((from, to)) = part.split_once(':') else {
                let expected = "a vertex, a colon and what follows it, such as b:ce";
                return Err(TextError::new(at, "a vertex has no followers", expected));
            };
            let (to, most) = to.split_once('/').map_or((to, None), |(to, most)| (to, Some(most)));
            let place = at + from.len() + 1 + to.len() + 1;
            let most = most.map(|most| number(most, "number of flips", 0, MOST_VERTICES));
            let most = most.transpose().map_err(|e| e.shifted(place))?;
            let sources = graph.vertices(from, at)?;
            let &[(_, source)] = &sources[..] else {
                return Err(TextError::new(at, "one vertex stands before the colon", "such as b:ce"));
            };
            let name = graph.name(source);
            if own.iter().any(|&(known, _)| known == source) {
                let expected = "all that follows a vertex in one place, such as b:ce";
                return Err(TextError::new(at, format!("'{name}' is given followers twice"), expected));
            }
            let mut set = Set::EMPTY;
            for (place, vertex) in graph.vertices(to, at + from.len() + 1)? {
                if vertex == source {
                    return Err(TextError::new(
                        at,
                        "a vertex follows itself",
                        "edges between different vertices",
                    ));
                }
                if set.has(vertex) {
                    let what = format!("'{}' follows '{name}' twice", graph.name(vertex));
                    return Err(TextError::new(place, what, "each follower once"));
                }
                set = set | Set::one(vertex);
            }
            graph.followers[source] = set;
            own.push((source, most));
            at += part.len() + 1;
        }
        let usual = graph.followers.iter().map(|&set| firing.of(firing.flips, set));
        graph.flips = usual.collect();
        for (vertex, most) in own.into_iter().filter_map(|(vertex, most)| Some((vertex, most?))) {
            graph.flips[vertex] = firing.of(most as u32, graph.followers[vertex]);
        }
        graph.bounded()
    }

    /// The vertices of a word such as `ce` or `x1y12`, which the graph has, with their places; the word begins at `at`.
    fn vertices(&self, word: &str, at: usize) -> Result<Vec<(usize, usize)>, TextError> {
        let names = names(word).map_err(|e| e.shifted(at))?.into_iter();
        let number = |name: String| self.names.iter().position(|known| *known == name);
        Ok(names.filter_map(|(place, name)| Some((at + place, number(name)?))).collect())
    }

    /// The graph, if its positions have few enough moves.
    fn bounded(mut self) -> Result<Self, TextError> {
        let ways = |vertex: usize| match self.followers[vertex].count() {
            0 => 0,
            followers => {
                let (least, most) = self.flips[vertex];
                (least..=most).fold(0_u64, |sum, q| sum.saturating_add(choose(followers, q)))
            }
        };
        self.choices = (0..self.len()).map(ways).collect();
        let moves = self.choices.iter().fold(0_u64, |sum, &ways| sum.saturating_add(ways));
        if moves <= MOST_MOVES {
            return Ok(self);
        }
        let what = format!("a position may have {moves} moves");
        Err(TextError::new(0, what, format!("a graph and a rule with at most {MOST_MOVES}")))
    }

    /// Its number of vertices.
    #[expect(clippy::len_without_is_empty, reason = "a graph has a vertex")]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The name of a vertex.
    pub fn name(&self, vertex: usize) -> &str {
        &self.names[vertex]
    }

    /// The vertices that edges from this one lead to.
    #[inline]
    pub fn followers(&self, vertex: usize) -> Set {
        self.followers[vertex]
    }

    /// The least and the most followers that are flipped when this vertex fires.
    #[inline]
    pub fn flips(&self, vertex: usize) -> (u32, u32) {
        self.flips[vertex]
    }

    /// Calls `each` with all sets of followers that it may flip.
    pub fn each_choice(&self, vertex: usize, each: &mut impl FnMut(Set)) {
        let followers: Vec<usize> = self.followers[vertex].members().collect();
        let (least, most) = self.flips[vertex];
        for many in (least..=most).filter(|_| !followers.is_empty()) {
            subsets(&followers, many as usize, Set::EMPTY, each);
        }
    }

    /// In how many ways it can fire.
    #[inline]
    pub fn choices(&self, vertex: usize) -> u64 {
        self.choices[vertex]
    }

    /// The p of G(p).
    pub fn fraenkel_size(&self) -> Option<usize> {
        match self.shape {
            Shape::Fraenkel(p) => Some(p),
            Shape::Written(_) => None,
        }
    }

    /// The graph as a part of a variant.
    pub fn write(&self) -> String {
        match &self.shape {
            Shape::Fraenkel(p) => format!("p={p}"),
            Shape::Written(text) => format!("graph={text}"),
        }
    }

    /// The names of a set of vertices, `0` if it is empty.
    pub fn write_set(&self, set: Set) -> String {
        let mut out = String::new();
        for vertex in set.members() {
            let _ = write!(out, "{}", self.names[vertex]);
        }
        if out.is_empty() { "0".into() } else { out }
    }

    /// Reads a set of vertices.
    pub fn read_set(&self, text: &str) -> Result<Set, TextError> {
        let mut set = Set::EMPTY;
        if text == "0" {
            return Ok(set);
        }
        for (at, name) in names(text)? {
            let Some(vertex) = self.names.iter().position(|known| *known == name) else {
                let what = format!("there is no vertex '{}'", shorten(&name));
                return Err(TextError::new(at, what, format!("vertices of {}", self.names.join(" "))));
            };
            if set.has(vertex) {
                return Err(TextError::new(at, format!("'{name}' comes twice"), "each vertex once"));
            }
            set = set | Set::one(vertex);
        }
        Ok(set)
    }
}

/// The ways to choose k of n, or as many as there are numbers.
pub fn choose(n: u32, k: u32) -> u64 {
    let mut ways = 1_u128;
    for i in 0..k.min(n - k) {
        ways = ways * u128::from(n - i) / u128::from(i + 1);
        if ways > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    ways as u64
}

/// Calls `each` with all subsets of `set` that have so many members, the least vertices first.
fn subsets(set: &[usize], many: usize, chosen: Set, each: &mut impl FnMut(Set)) {
    if many == 0 {
        return each(chosen);
    }
    for at in 0..(set.len() + 1).saturating_sub(many) {
        subsets(&set[at + 1..], many - 1, chosen | Set::one(set[at]), each);
    }
}

/// Cuts a word into names: a letter and digits each.
fn names(word: &str) -> Result<Vec<(usize, String)>, TextError> {
    let mut out: Vec<(usize, String)> = Vec::new();
    for (at, c) in word.char_indices() {
        let c = c.to_ascii_lowercase();
        match out.last_mut() {
            _ if c.is_ascii_lowercase() => out.push((at, c.into())),
            Some((_, name)) if c.is_ascii_digit() && name.len() < 4 => name.push(c),
            _ => {
                let what = format!("'{}' is no name of a vertex", shorten(&word[at..]));
                return Err(TextError::new(
                    at,
                    what,
                    "names of a letter and up to three digits, such as b or y12",
                ));
            }
        }
    }
    Ok(out)
}
