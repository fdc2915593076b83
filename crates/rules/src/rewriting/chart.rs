//! Which letters each piece of a text can be reduced to: TRIANGLE (Allis 1994, appendix A), the method of
//! Cocke, Younger and Kasami for rules of any length.
//!
//! Longer left sides are cut into pairs through letters of their own. For each letter the table keeps, by
//! first place, the set of last places and, by last place, the set of first places, so that all cuts of a
//! piece are tried 64 at a time: n^3 / 384 word operations a pair of letters.

use super::{Rule, System};
use std::collections::HashMap;

/// Two letters, side by side, make a third; by number.
#[derive(Clone, Copy, Debug)]
struct Pair {
    left: usize,
    right: usize,
    to: usize,
}

/// The table of a text.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    text: &'a [char],
    /// The letters of the rules, then those that stand for the beginning of a longer left side.
    letters: Vec<char>,
    pairs: Vec<Pair>,
    /// One letter becomes another.
    units: Vec<(usize, usize)>,
    words: usize,
    /// Bit `to` of row (letter, from), and bit `from - 1` of column (letter, to).
    rows: Vec<u64>,
    columns: Vec<u64>,
}

impl<'a> Chart<'a> {
    /// Works out the table of a text as [`System::read_text`] gives it.
    pub fn new(system: &System, text: &'a [char]) -> Self {
        let mut chart = Self::empty(system, text);
        chart.fill(&mut || false);
        chart
    }

    /// The same as long as `stop` does not end it, which is asked once a letter.
    pub fn within(system: &System, text: &'a [char], stop: &mut dyn FnMut() -> bool) -> Option<Self> {
        let mut chart = Self::empty(system, text);
        chart.fill(stop).then_some(chart)
    }

    /// Fills the table in, column by column; true if it was not stopped.
    fn fill(&mut self, stop: &mut dyn FnMut() -> bool) -> bool {
        let chart = self;
        for (to, &letter) in chart.text.iter().enumerate() {
            if stop() {
                return false;
            }
            if let Some(letter) = chart.number(letter) {
                chart.put(to, to, letter);
            }
            for from in (0..to).rev() {
                for i in 0..chart.pairs.len() {
                    let pair = chart.pairs[i];
                    if !chart.has(from, to, pair.to) && chart.cut(pair, from, to).is_some() {
                        chart.put(from, to, pair.to);
                    }
                }
            }
        }
        true
    }

    fn empty(system: &System, text: &'a [char]) -> Self {
        let mut letters: Vec<char> =
            system.rules().iter().flat_map(|r| r.from.iter().copied().chain([r.to])).collect();
        letters.sort_unstable();
        letters.dedup();
        let number: HashMap<char, usize> = letters.iter().enumerate().map(|(i, &c)| (c, i)).collect();
        let (mut pairs, mut units) = (Vec::new(), Vec::new());
        for Rule { from, to } in system.rules() {
            let mut left = number[&from[0]];
            for (i, c) in from.iter().enumerate().skip(1) {
                let last = i + 1 == from.len();
                let to = if last { number[to] } else { letters.len() };
                if !last {
                    letters.push('\0');
                }
                pairs.push(Pair { left, right: number[c], to });
                left = to;
            }
            if from.len() == 1 {
                units.push((left, number[to]));
            }
        }
        let words = text.len().div_ceil(64);
        let bits = vec![0; letters.len() * text.len() * words];
        Self { text, letters, pairs, units, words, columns: bits.clone(), rows: bits }
    }

    fn number(&self, letter: char) -> Option<usize> {
        self.letters.iter().position(|&c| c == letter)
    }

    fn line(&self, letter: usize, place: usize) -> usize {
        (letter * self.text.len() + place) * self.words
    }

    fn has(&self, from: usize, to: usize, letter: usize) -> bool {
        self.rows[self.line(letter, from) + to / 64] >> (to % 64) & 1 == 1
    }

    /// Notes that the piece can become `letter`, and what single letters make of that.
    fn put(&mut self, from: usize, to: usize, letter: usize) {
        if self.has(from, to, letter) {
            return;
        }
        let (row, column) = (self.line(letter, from), self.line(letter, to));
        self.rows[row + to / 64] |= 1 << (to % 64);
        if from > 0 {
            self.columns[column + (from - 1) / 64] |= 1 << ((from - 1) % 64);
        }
        for i in 0..self.units.len() {
            let (before, after) = self.units[i];
            if before == letter {
                self.put(from, to, after);
            }
        }
    }

    /// The last place of a left part such that both parts of the piece can become the pair's letters.
    fn cut(&self, pair: Pair, from: usize, to: usize) -> Option<usize> {
        let (row, column) = (self.line(pair.left, from), self.line(pair.right, to));
        let (first, last) = (from / 64, to.checked_sub(1)? / 64);
        let lefts = &self.rows[row + first..=row + last];
        let rights = &self.columns[column + first..=column + last];
        lefts.iter().zip(rights).enumerate().find_map(|(i, (l, r))| {
            // Before `from` and from `to` on neither has a bit that the other has.
            let both = l & r;
            (both != 0).then(|| (first + i) * 64 + both.trailing_zeros() as usize)
        })
    }

    /// The letters that the piece from `from` to `to`, both counted, can become, in ascending order.
    pub fn letters_of(&self, from: usize, to: usize) -> impl Iterator<Item = char> + '_ {
        let inside = from <= to && to < self.text.len();
        let own = self.letters.iter().take_while(|&&c| c != '\0').enumerate();
        own.filter(move |&(i, _)| inside && self.has(from, to, i)).map(|(_, &c)| c)
    }

    /// The letters that the whole text can become, in ascending order.
    pub fn letters(&self) -> impl Iterator<Item = char> + '_ {
        self.letters_of(0, self.text.len().saturating_sub(1))
    }

    /// The texts on the way to one letter, from the first to that letter; none if there is no way.
    pub fn derivation(&self, letter: char) -> Option<Vec<String>> {
        let last = self.text.len().checked_sub(1)?;
        let letter = self.number(letter).filter(|&l| self.has(0, last, l))?;
        // Each step puts a letter for a piece; what it is made of comes before it.
        let mut steps = Vec::new();
        let mut open = vec![(0, last, letter)];
        while let Some((from, to, letter)) = open.pop() {
            if self.letters[letter] != '\0' {
                steps.push((from, to, letter));
            }
            if let Some(before) = self.unit_before(from, to, letter) {
                open.push((from, to, before));
            } else if let Some((pair, cut)) = self
                .pairs
                .iter()
                .filter(|p| p.to == letter)
                .find_map(|&p| self.cut(p, from, to).map(|cut| (p, cut)))
            {
                open.push((from, cut, pair.left));
                open.push((cut + 1, to, pair.right));
            }
        }
        // Later steps are deeper or further left: turned round, everything is made before it is used.
        let mut texts = vec![self.text.iter().collect::<String>()];
        let mut pieces: Vec<(usize, char)> = self.text.iter().copied().enumerate().collect();
        for (from, to, letter) in steps.into_iter().rev() {
            let given = from == to && self.number(self.text[from]) == Some(letter);
            if given {
                continue;
            }
            let start = pieces.partition_point(|p| p.0 < from);
            let end = pieces.partition_point(|p| p.0 <= to);
            pieces.splice(start..end, [(from, self.letters[letter])]);
            texts.push(pieces.iter().map(|p| p.1).collect());
        }
        Some(texts)
    }

    /// The letter of the piece that a rule of one letter makes into this one, unless a pair makes it or it
    /// is given.
    fn unit_before(&self, from: usize, to: usize, letter: usize) -> Option<usize> {
        let given = from == to && self.number(self.text[from]) == Some(letter);
        let paired = self.pairs.iter().any(|&p| p.to == letter && self.cut(p, from, to).is_some());
        if given || paired {
            return None;
        }
        self.units.iter().find(|u| u.1 == letter && self.has(from, to, u.0)).map(|u| u.0)
    }
}
