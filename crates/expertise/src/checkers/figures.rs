//! The figures of an ending as tables of the field have them: longest wins and losses, and how many of each.

use super::{Endings, Material};
use endspiel_game::Player;
use endspiel_retro::Table;
use std::fmt;

/// The lines of a file without its remarks, cut behind the first word.
fn lines(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '))
}

/// The figures of others: the names of both sides, that of the player to move first, and a line as [`Figures`] are written.
pub fn published() -> impl Iterator<Item = (&'static str, &'static str)> {
    lines(include_str!("values.txt"))
}

/// The longest win and loss of either side without a jump as published.
#[derive(Clone, Copy, Debug)]
pub struct Longest {
    /// The ending, the stronger side first.
    pub ending: &'static str,
    /// The plies, as `147/146`, misprints mended.
    pub text: &'static str,
    /// What the print has instead, where it is known to be wrong.
    pub misprint: Option<&'static str>,
}

/// The published longest wins and losses, with up to seven pieces.
pub fn longest() -> impl Iterator<Item = Longest> {
    lines(include_str!("longest.txt")).map(|(ending, rest)| {
        let (text, misprint) = rest.split_once(' ').map_or((rest, None), |(text, print)| (text, Some(print)));
        Longest { ending, text, misprint }
    })
}

/// Published positions: the position, and what it is for the player to move, as `win 47`, `loss 34` or `draw`.
pub fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    lines(include_str!("examples.txt"))
}

/// The words of [`examples`] for a value that counts plies.
pub fn told(value: i32) -> String {
    match value {
        0 => "draw".into(),
        1.. => format!("win {value}"),
        _ => format!("loss {}", -1 - value),
    }
}

/// What a table says of the positions in which one side is to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The plies of the longest win and of the longest loss; of no meaning where plies are not counted.
    pub longest: Plies,
    /// The same of positions in which the player to move need not jump.
    pub quiet: Plies,
    /// Positions won, lost and drawn by the player to move.
    pub counts: [u64; 3],
}

impl Figures {
    fn note(&mut self, value: i32, must_jump: impl FnOnce() -> bool) {
        let (slot, plies) = match value {
            0 => (2, 0),
            1.. => (0, value),
            _ => (1, -1 - value),
        };
        self.counts[slot] += 1;
        if slot == 2 {
            return;
        }
        self.longest.0[slot] = self.longest.0[slot].max(Some(plies));
        if self.quiet.0[slot] < Some(plies) && !must_jump() {
            self.quiet.0[slot] = Some(plies);
        }
    }
}

/// As `33/34 14846 0 34`: the longest win and loss, positions won, lost and drawn.
impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [wins, losses, draws] = self.counts;
        write!(f, "{} {wins} {losses} {draws}", self.longest)
    }
}

/// The plies of the longest win and of the longest loss, as `33/34`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plies(pub [Option<i32>; 2]);

impl Plies {
    /// The greater of each.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self([0, 1].map(|slot| self.0[slot].max(other.0[slot])))
    }
}

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [win, loss] = self.0.map(|plies| plies.map_or_else(|| "-".into(), |n| n.to_string()));
        write!(f, "{win}/{loss}")
    }
}

impl Endings {
    /// The figures of an ending by who is to move: the names of both sides, that of the mover first.
    pub fn figures(&self, material: Material, table: &Table) -> Vec<(String, Figures)> {
        let [stronger, weaker] = material.0;
        let layout = self.layout(material);
        let mut figures = [Figures::default(); 2];
        for (mover, numbers) in layout.halves() {
            for index in numbers {
                let must_jump = || layout.board(index).is_some_and(|board| board.must_jump());
                figures[mover.index()].note(table.get(index).unwrap_or(0), must_jump);
            }
        }
        let names = [format!("{stronger}-{weaker}"), format!("{weaker}-{stronger}")];
        let movers = if material.is_symmetric() { Player::FIRST.index() } else { Player::SECOND.index() };
        names.into_iter().zip(figures).take(movers + 1).collect()
    }
}
