//! What the proof of a win leaves out.

/// Which wins by threats end a line of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// By fours, and by sequences of fours and threes.
    All,
    /// By fours alone.
    Fours,
    /// Fives alone: the rules know no more.
    Fives,
}

/// What is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Only so many moves of the attacker's, the most promising; none for all.
    pub top: Option<usize>,
    /// Are only the related squares of the attacker's threats looked at
    /// ([`Sequences::find_related`](super::Sequences::find_related)), fewer with every reply that is refuted?
    pub related: bool,
    /// Must every quiet move of the attacker's leave an implicit threat, from nine stones on?
    pub implicit: bool,
    /// Which wins by threats are looked for.
    pub evaluation: Evaluation,
}

impl Default for Selection {
    fn default() -> Self {
        Self { top: Some(10), related: true, implicit: true, evaluation: Evaluation::All }
    }
}
