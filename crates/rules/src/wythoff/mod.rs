//! Two-pile games with a constraint function: Nim, Wythoff's game and Fraenkel's family (New games related to
//! old and new sequences, 2003). [`Constraint`] says which joint removals are legal, [`theory`] knows the lost
//! positions by a recurrence.
//!
//! The piles are kept in the order given, `a` and `b`; swapping them is the one symmetry. A move costs O(1), a
//! list of moves as many values of f as there are joint removals to test (for a constant f, to make).

mod expression;
pub mod theory;

pub use expression::{Constraint, Expression};

use endspiel_game::notation::{number, shorten};
use endspiel_game::picture::{Paint, Shape};
use endspiel_game::{
    About, Convergence, Game, Notation, Payoff, Picture, Player, Position, Scene, Symmetric, TextError, Turn,
    TwoPlayer, mix,
};
use std::fmt::Write;
use std::sync::Arc;

/// The largest pile that can be played with; the [`theory`] knows no such limit.
pub const LARGEST_PILE: usize = 1000;

/// The most joint removals that may have to be looked at in a position that is read: a list of them all should be
/// made in no time.
const MOST_JOINT: u64 = 50_000;

const START: [u16; 2] = [12, 20];

/// A rule set: which joint removals are legal, where the game starts, and whether the last move loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wythoff {
    rules: Arc<Rules>,
    start: [u16; 2],
}

#[derive(Debug, PartialEq, Eq)]
struct Rules {
    constraint: Constraint,
    misere: bool,
}

impl Rules {
    /// How far apart k and l may be at most, and one more: a constant f leaves a band of that width to go
    /// through, any other f the whole rectangle.
    fn width(&self) -> u16 {
        match self.constraint {
            Constraint::Constant(t) => t.clamp(0, LARGEST_PILE as i64 + 1) as u16,
            _ => LARGEST_PILE as u16 + 1,
        }
    }

    /// Are the joint removals few enough?
    fn bounded(&self, piles: [u16; 2]) -> Result<(), TextError> {
        let [a, b] = piles.map(u64::from);
        let band = (2 * u64::from(self.width())).saturating_sub(1);
        let joint = a.min(b) * band.min(a.max(b));
        if joint <= MOST_JOINT {
            return Ok(());
        }
        let what = format!("piles of {a} and {b} have up to {joint} joint moves by this rule");
        let expected = format!("piles with at most {MOST_JOINT}, such as 200 and 250");
        Err(TextError::new(0, what, expected))
    }
}

impl Wythoff {
    /// The game with this constraint, normal or misère, from 12 and 20.
    pub fn new(constraint: Constraint, misere: bool) -> Self {
        Self { rules: Arc::new(Rules { constraint, misere }), start: START }
    }

    /// Its constraint function.
    pub fn constraint(&self) -> &Constraint {
        &self.rules.constraint
    }

    /// Does the last move lose?
    pub fn is_misere(&self) -> bool {
        self.rules.misere
    }

    /// A position with these piles, at most [`LARGEST_PILE`] each, and this player to move.
    pub fn piles(&self, piles: [u16; 2], mover: Player) -> Piles {
        debug_assert!(piles.iter().all(|&p| usize::from(p) <= LARGEST_PILE));
        Piles { rules: Arc::clone(&self.rules), stones: piles, mover }
    }
}

impl Game for Wythoff {
    type Position = Piles;

    const ABOUT: About = About {
        name: "wythoff",
        title: "Wythoff's game and its family",
        summary: "Take from one pile or, within a limit, from both; who empties the table wins.",
        rules: "There are two piles of stones. A move takes any positive number of stones from one pile, or \
                k > 0 from one and l > 0 from the other if k and l differ by less than f(x1, y1, x0): x1 and y1 \
                are the smaller and the larger pile after the move, x0 the smaller one before it. Who empties \
                both piles wins; with `misere`, loses. Wythoff's game is f = 1 (equal numbers), Nim is f = 0 \
                (never from both), generalised Wythoff is f = t; G1 is f = x1 + 1, G2 f = x0 - x1, G3 \
                f = y1 - x1 + 1. Where f has no value, nothing may be taken from both piles. Piles hold at \
                most 1000 stones, and fewer where f allows more than 50,000 joint moves.",
        variants: "CONSTRAINT,start=A,B,misere, each optional; CONSTRAINT is wythoff, nim, g1, g2, g3, t=NUMBER or \
                   f=EXPRESSION in x1, y1, x0 with + - * / ^ and parentheses, such as f=x0-x1+2,start=12,12",
        examples: &["nim", "g1", "g2,start=15,15", "t=3", "misere", "f=x0-x1+2,start=12,12"],
        players: ["First", "Second"],
        sudden_death: false,
        convergence: Convergence::Converging,
        notation: "moves a3, b5, a2b3: so many stones from pile a, from pile b, from both; \
                   positions 12,20 with the first player to move, `12,20 second` with the second",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        let mut game = Self::new(Constraint::Constant(1), false);
        let (mut constraint, mut misere) = (None, false);
        let mut at = 0;
        let mut parts = text.split(',').peekable();
        if text.trim().is_empty() {
            return Ok(game);
        }
        while let Some(part) = parts.next() {
            let begin = at + part.len() - part.trim_start().len();
            at += part.len() + 1;
            let part = part.trim();
            if let Some(first) = part.strip_prefix("start=") {
                let Some(second) = parts.next() else {
                    return Err(TextError::new(
                        begin,
                        "start= gives one pile",
                        "two piles, such as start=12,20",
                    ));
                };
                game.start = [
                    pile(first).map_err(|e| e.shifted(begin + 6))?,
                    pile(second).map_err(|e| e.shifted(at))?,
                ];
                at += second.len() + 1;
            } else if part.eq_ignore_ascii_case("misere") {
                misere = true;
            } else if constraint.is_none() {
                constraint = Some(Constraint::read(part).map_err(|e| e.shifted(begin))?);
            } else {
                let what = format!("'{}' after the constraint", shorten(part));
                return Err(TextError::new(begin, what, "start=A,B or misere"));
            }
        }
        let constraint = constraint.unwrap_or(Constraint::Constant(1));
        game.rules = Arc::new(Rules { constraint, misere });
        game.rules.bounded(game.start)?;
        Ok(game)
    }

    fn variant(&self) -> String {
        let mut parts = Vec::new();
        if self.rules.constraint != Constraint::Constant(1) {
            parts.push(self.rules.constraint.to_string());
        }
        if self.start != START {
            parts.push(format!("start={},{}", self.start[0], self.start[1]));
        }
        if self.rules.misere {
            parts.push("misere".into());
        }
        parts.join(",")
    }

    fn start(&self) -> Piles {
        self.piles(self.start, Player::FIRST)
    }

    fn read(&self, text: &str) -> Result<Piles, TextError> {
        let expected = "two piles such as 12,20, then `second` if the second player is to move";
        let Some((first, rest)) = text.split_once(',') else {
            return Err(TextError::new(text.len(), "the second pile is missing", expected));
        };
        let after = rest.len() - rest.trim_start().len();
        let end = rest[after..].find(char::is_whitespace).map_or(rest.len(), |i| after + i);
        let piles = [pile(first)?, pile(&rest[..end]).map_err(|e| e.shifted(first.len() + 1))?];
        let mover = match rest[end..].trim().to_ascii_lowercase().as_str() {
            "" | "first" => Player::FIRST,
            "second" => Player::SECOND,
            word => {
                let what = format!("'{}' is not a player", shorten(word));
                return Err(TextError::new(first.len() + 1 + end, what, expected));
            }
        };
        self.rules.bounded(piles)?;
        Ok(self.piles(piles, mover))
    }
}

fn pile(text: &str) -> Result<u16, TextError> {
    number(text, "pile", 0, LARGEST_PILE).map(|n| n as u16)
}

/// So many stones from each pile; not both 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Take {
    /// From pile a.
    pub a: u16,
    /// From pile b.
    pub b: u16,
}

/// Two piles and the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piles {
    rules: Arc<Rules>,
    stones: [u16; 2],
    mover: Player,
}

impl Piles {
    /// The stones left in piles a and b.
    pub fn stones(&self) -> [u16; 2] {
        self.stones
    }

    /// Who is to move, or would be if there were stones.
    pub fn to_move(&self) -> Player {
        self.mover
    }

    /// The piles, the smaller one first, as the [`theory`] writes them.
    pub fn sorted(&self) -> theory::Pair {
        let [a, b] = self.stones.map(i64::from);
        (a.min(b), a.max(b))
    }

    /// May k > 0 be taken from a and l > 0 from b? The piles are large enough.
    #[inline]
    fn may_take_both(&self, k: u16, l: u16) -> bool {
        let [a, b] = self.stones;
        let (a1, b1) = (i64::from(a - k), i64::from(b - l));
        i64::from(k.abs_diff(l)) < self.rules.constraint.at(a1.min(b1), a1.max(b1), i64::from(a.min(b)))
    }
}

impl Position for Piles {
    type Move = Take;

    fn turn(&self) -> Turn {
        if self.stones == [0, 0] { Turn::Over } else { Turn::Player(self.mover) }
    }

    fn moves(&self, mut each: impl FnMut(Take)) {
        let [a, b] = self.stones;
        (1..=a).for_each(|k| each(Take { a: k, b: 0 }));
        (1..=b).for_each(|l| each(Take { a: 0, b: l }));
        let width = self.rules.width();
        for k in 1..=a {
            for l in (k + 1).saturating_sub(width).max(1)..=(k + width).saturating_sub(1).min(b) {
                if self.may_take_both(k, l) {
                    each(Take { a: k, b: l });
                }
            }
        }
    }

    #[inline]
    fn play(&mut self, m: Take) {
        self.stones[0] -= m.a;
        self.stones[1] -= m.b;
        self.mover = self.mover.other();
    }

    fn payoff(&self) -> Payoff {
        Payoff::win(if self.rules.misere { self.mover } else { self.mover.other() })
    }

    #[inline]
    fn key(&self) -> u64 {
        let [a, b] = self.stones.map(u64::from);
        mix(a << 17 | b << 1 | u64::from(self.mover.0))
    }
}

impl TwoPlayer for Piles {
    const DRAWS: bool = false;

    fn impartial(&self) -> Option<Self> {
        (!self.rules.misere).then(|| Self { mover: Player::FIRST, ..self.clone() })
    }
}

impl Symmetric for Piles {
    fn symmetries(&self) -> usize {
        2
    }

    fn image(&self, s: usize) -> Self {
        let mut image = self.clone();
        if s == 1 {
            image.stones.swap(0, 1);
        }
        image
    }

    fn image_move(&self, m: Take, s: usize) -> Take {
        if s == 1 { Take { a: m.b, b: m.a } } else { m }
    }

    fn canonical(&self) -> (Self, usize) {
        let s = usize::from(self.stones[0] > self.stones[1]);
        (self.image(s), s)
    }
}

impl Notation for Piles {
    fn write_move(&self, m: Take) -> String {
        match m {
            Take { a, b: 0 } => format!("a{a}"),
            Take { a: 0, b } => format!("b{b}"),
            Take { a, b } => format!("a{a}b{b}"),
        }
    }

    fn write(&self) -> String {
        let mover = if self.mover == Player::FIRST { "" } else { " second" };
        format!("{},{}{mover}", self.stones[0], self.stones[1])
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.stones[0].to_le_bytes());
        out.extend((self.stones[1] | u16::from(self.mover.0) << 15).to_le_bytes());
    }
}

impl Picture for Piles {
    fn text(&self) -> String {
        let mut out = String::new();
        for (name, count) in ["a", "b"].into_iter().zip(self.stones) {
            // Rows of 50, in groups of ten.
            let stones = usize::from(count);
            let _ = write!(out, "{name} {stones:>4} ");
            for i in 0..stones {
                let gap = match i {
                    0 => "",
                    _ if i % 50 == 0 => "\n       ",
                    _ if i % 10 == 0 => " ",
                    _ => "",
                };
                let _ = write!(out, "{gap}o");
            }
            out.push('\n');
        }
        out
    }

    fn scene(&self) -> Scene {
        const ROW: usize = 10;
        let lines = self.stones.map(|count| usize::from(count).div_ceil(ROW).max(1));
        let mut scene = Scene::new(ROW as f32 + 2.5, (lines[0] + lines[1]) as f32 + 1.0);
        scene.ground();
        let mut top = 0.0;
        for (i, name) in ["a", "b"].into_iter().enumerate() {
            scene.draw(Shape::Word(1.0, top + 0.5, 0.6, format!("{name} {}", self.stones[i]), Paint::Ink));
            for stone in 0..usize::from(self.stones[i]) {
                let (x, y) = ((stone % ROW) as f32 + 2.5, top + (stone / ROW) as f32 + 0.5);
                scene.draw(Shape::Disc(x, y, 0.4, Paint::First)).piece("stone", x, y);
                // A stone stands for taking it and all that follow.
                scene.place(format!("{name}{}", usize::from(self.stones[i]) - stone), x, y);
            }
            top += lines[i] as f32 + 1.0;
        }
        scene
    }
}

#[cfg(test)]
mod tests;
