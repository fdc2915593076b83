//! Sums of impartial games: what each is worth, who wins them together, and by which moves.
//!
//! Games on sets that moves flip, such as virus games, are valued by linear algebra ([`endspiel_retro::Firing`]). Of others all positions that
//! can arise are listed and valued ([`endspiel_retro::grundy`]). Values add up, so the sum itself is never walked through.

use crate::entry::AnyPosition;
use crate::report::Error;
use endspiel_game::{Budget, Flipping, Meter, Notation, TwoPlayer};
use endspiel_retro::{Bits, Firing};
pub use endspiel_retro::{Grundy, Status as Outlook};
use serde::Serialize;
use std::collections::HashMap;

/// Bytes that a position takes beside its own and its code, and an edge: where it leads, and where it comes from, in lists that grow.
const POSITION: usize = 160;
const EDGE: usize = 16;

/// What a position of an impartial game is worth.
#[derive(Clone, Debug, Serialize)]
pub struct Values {
    /// The position.
    pub value: Grundy,
    /// Its moves.
    pub moves: Vec<(String, Grundy)>,
    /// How that was found.
    pub way: Way,
}

/// How values were found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// By a list of all positions that can arise.
    Enumeration {
        /// So many there are.
        positions: usize,
        /// So many of them have a number as their value.
        numbers: usize,
    },
    /// By linear algebra, on the elements that play can reach.
    Linear {
        /// So many elements there are: sets of them are the positions.
        elements: usize,
        /// The dimension of the space of positions that have a number as their value.
        finite: usize,
        /// And of those whose value is 0.
        zero: usize,
    },
}

/// What is left for all parts of a sum together.
pub struct Purse {
    meter: Meter,
    positions: u64,
    memory: usize,
}

impl Purse {
    /// A budget, in which nodes are positions.
    pub fn new(budget: &Budget) -> Self {
        let meter = Budget { nodes: None, ..budget.clone() }.start();
        Self { meter, positions: budget.nodes.unwrap_or(u64::MAX), memory: budget.memory }
    }
}

/// Values a position and its moves.
pub(crate) fn values<P: TwoPlayer + Notation>(
    position: &P,
    game: &str,
    purse: &mut Purse,
) -> Result<Values, Error> {
    let root = position.impartial().ok_or_else(|| Error::Partial(game.into()))?;
    match root.flipping().and_then(|flipping| linear(&root, &flipping, purse)) {
        Some(values) => Ok(values),
        None => enumerated(&root, purse),
    }
}

/// By linear algebra; none if the time is up, or if it is not sure of all values.
fn linear<P: TwoPlayer + Notation>(root: &P, flipping: &Flipping, purse: &mut Purse) -> Option<Values> {
    // Elements that no move can reach have no part in it.
    let mut reached = flipping.set.clone();
    let mut numbers: HashMap<usize, usize> = reached.iter().enumerate().map(|(at, &old)| (old, at)).collect();
    let mut listed = 0;
    while listed < reached.len() {
        for &next in flipping.choices[reached[listed]].iter().flatten() {
            numbers.entry(next).or_insert_with(|| {
                reached.push(next);
                reached.len() - 1
            });
        }
        listed += 1;
    }
    let size = reached.len();
    let bits = |set: &[usize]| Bits::of(size, set.iter().map(|old| numbers[old]));
    let ways: Vec<Vec<Bits>> =
        reached.iter().map(|&old| flipping.choices[old].iter().map(|flips| bits(flips)).collect()).collect();
    let solved = Firing::solve(&ways, &mut || purse.meter.spend(0))?;
    let here = bits(&flipping.set);
    let fired = flipping.set.iter().flat_map(|old| &ways[numbers[old]]);
    let mut after = fired.map(|way| solved.value(&here.plus(way)));
    let mut moves = Vec::new();
    root.moves(|m| moves.extend(after.next().map(|value| (root.write_move(m), value))));
    let (finite, zero) = (solved.space().finite().len(), solved.space().zero().len());
    Some(Values { value: solved.value(&here), moves, way: Way::Linear { elements: size, finite, zero } })
}

/// By all positions that can arise.
fn enumerated<P: TwoPlayer + Notation>(root: &P, purse: &mut Purse) -> Result<Values, Error> {
    let code = |position: &P| {
        let mut code = Vec::new();
        position.encode(&mut code);
        code.into_boxed_slice()
    };
    let mut edges = 0;
    let mut numbers = HashMap::from([(code(root), 0_u32)]);
    let (mut open, mut followers) = (vec![root.clone()], Vec::new());
    // Positions wait in `open` by their numbers until their moves are listed.
    let mut listed = 0;
    while listed < open.len() {
        let here = open[listed].clone();
        let mut next = Vec::new();
        here.moves(|m| {
            let Some(there) = here.after(m).impartial() else { return };
            let number = *numbers.entry(code(&there)).or_insert_with(|| {
                open.push(there);
                open.len() as u32 - 1
            });
            next.push(number);
        });
        next.sort_unstable();
        next.dedup();
        edges += next.len();
        followers.push(next);
        listed += 1;
        let bytes = open.len() * (POSITION + 2 * size_of::<P>()) + edges * EDGE;
        if bytes > purse.memory {
            return Err(Error::Spent(format!("more than {} positions do not fit in the memory", open.len())));
        }
        purse.positions = purse.positions.saturating_sub(1);
        if listed < open.len() && (purse.positions == 0 || purse.meter.spend(0)) {
            return Err(Error::Spent(format!("{listed} positions were looked at, and there are more")));
        }
    }
    let stopped = || Error::Spent(format!("valuing {} positions was not done", followers.len()));
    let stop = &mut || purse.meter.spend(0);
    let found = endspiel_retro::grundy_within(&followers, stop).ok_or_else(stopped)?;
    let mut moves = Vec::new();
    root.moves(|m| {
        let Some(there) = root.after(m).impartial() else { return };
        if let Some(&number) = numbers.get(&code(&there)) {
            moves.push((root.write_move(m), found[number as usize].clone()));
        }
    });
    let numbers = found.iter().filter(|value| matches!(value, Grundy::Number(_))).count();
    let way = Way::Enumeration { positions: found.len(), numbers };
    Ok(Values { value: found[0].clone(), moves, way })
}

/// A part of a sum.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// The rule set.
    pub game: String,
    /// The position.
    pub position: String,
    /// Its value.
    pub value: Grundy,
    /// How it was found.
    pub way: Way,
}

/// A move of a sum.
#[derive(Clone, Debug, Serialize)]
pub struct Move {
    /// In which part, the first being 0.
    pub part: usize,
    /// The move.
    pub r#move: String,
    /// What the sum is worth then.
    pub value: Grundy,
}

/// What is said of a sum.
#[derive(Clone, Debug, Serialize)]
pub struct SumReport {
    /// Its parts.
    pub parts: Vec<Part>,
    /// What they are worth together.
    pub value: Grundy,
    /// What that means for the player to move.
    pub outcome: &'static str,
    /// The moves that reach it; all lose where it is a loss, and none is named then.
    pub moves: Vec<Move>,
    /// Of so many.
    pub of: usize,
}

/// Values a sum: in each turn a player moves in one of the parts, and who cannot move in any loses.
///
/// ```
/// use endspiel_catalog::{game, sum::sum};
/// let piles = ["3,5", "2,4"].map(|piles| game("wythoff:nim").unwrap().read(piles).unwrap());
/// let report = sum(&piles, &Default::default()).unwrap();
/// assert_eq!((report.value.to_string().as_str(), report.outcome), ("0", "loss"));
/// ```
pub fn sum(parts: &[Box<dyn AnyPosition>], budget: &Budget) -> Result<SumReport, Error> {
    let mut purse = Purse::new(budget);
    let valued = parts.iter().map(|part| part.values(&mut purse)).collect::<Result<Vec<_>, _>>()?;
    let others = |but: Option<usize>| {
        let rest = (0..valued.len()).filter(|&i| Some(i) != but);
        rest.fold(Grundy::Number(0), |sum, i| sum + valued[i].value.clone())
    };
    let value = others(None);
    let (outcome, wanted) = match value.status() {
        Outlook::Next => ("win", Some(Outlook::Previous)),
        Outlook::Draw => ("draw", Some(Outlook::Draw)),
        Outlook::Previous => ("loss", None),
    };
    let mut moves = Vec::new();
    for (part, values) in valued.iter().enumerate() {
        let rest = others(Some(part));
        for (name, there) in &values.moves {
            let value = there.clone() + rest.clone();
            if Some(value.status()) == wanted {
                moves.push(Move { part, r#move: name.clone(), value });
            }
        }
    }
    let of = valued.iter().map(|values| values.moves.len()).sum();
    let parts = parts.iter().zip(valued).map(|(part, values)| Part {
        game: part.game(),
        position: part.write(),
        value: values.value,
        way: values.way,
    });
    Ok(SumReport { parts: parts.collect(), value, outcome, moves, of })
}
