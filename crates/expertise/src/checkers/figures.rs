//! The figures of an ending as tables of the field have them: longest wins and losses, and how many of each.

use super::{Endings, Material};
use endspiel_game::Player;
use endspiel_retro::Table;
use std::fmt;

/// The published figures: the names of both sides, that of the player to move first, and a line as [`Figures`] are written,
/// or the plies of the longest win alone.
pub fn published() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = |text: &'static str| text.lines().filter(|line| !line.starts_with('#'));
    let (values, longest) = (include_str!("values.txt"), include_str!("longest.txt"));
    lines(values).chain(lines(longest)).filter_map(|line| line.split_once(' '))
}

/// Published positions: the position, and what it is for the player to move, as `win 47`, `loss 34` or `draw`.
pub fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("examples.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' '))
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
    pub longest: [Option<i32>; 2],
    /// Positions won, lost and drawn by the player to move.
    pub counts: [u64; 3],
}

impl Figures {
    /// Are they as published? A number alone is the longest win.
    pub fn agree(&self, published: &str) -> bool {
        match published.parse() {
            Ok(plies) => self.longest[0] == Some(plies),
            Err(_) => self.to_string() == published,
        }
    }

    fn note(&mut self, value: i32) {
        let (slot, plies) = match value {
            0 => (2, 0),
            1.. => (0, value),
            _ => (1, -1 - value),
        };
        self.counts[slot] += 1;
        if let Some(longest) = self.longest.get_mut(slot) {
            *longest = (*longest).max(Some(plies));
        }
    }
}

/// As `33/34 14846 0 34`: the longest win and loss, positions won, lost and drawn.
impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [win, loss] = self.longest.map(|plies| plies.map_or_else(|| "-".into(), |n| n.to_string()));
        let [wins, losses, draws] = self.counts;
        write!(f, "{win}/{loss} {wins} {losses} {draws}")
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
                figures[mover.index()].note(table.get(index).unwrap_or(0));
            }
        }
        let names = [format!("{stronger}-{weaker}"), format!("{weaker}-{stronger}")];
        let movers = if material.is_symmetric() { Player::FIRST.index() } else { Player::SECOND.index() };
        names.into_iter().zip(figures).take(movers + 1).collect()
    }
}
