//! What is known of a part of a slice while it is solved backward: four bytes a position. Workers of a cluster hold
//! theirs in memory, a slice that is larger than memory has them in files.

use crate::{Label, words};

/// The bit of `left` that says that a position is final.
pub const FINAL: u16 = 0x8000;

/// What is known of the positions of a part.
#[derive(Default)]
pub struct State {
    /// The best label so far.
    pub best: Vec<u16>,
    /// The moves not yet decided, and [`FINAL`].
    pub left: Vec<u16>,
}

impl State {
    pub fn new(size: usize) -> Self {
        Self { best: vec![0; size], left: vec![FINAL; size] }
    }

    /// The label of a position that is or may become final: all wins, and losses with no move left.
    pub fn ripe(&self, place: usize) -> Option<Label> {
        let (label, left) = (Label(self.best[place]), self.left[place]);
        let open = left & FINAL == 0;
        (open && (label > Label::DRAW || label.loss_rank().is_some() && left == 0)).then_some(label)
    }

    /// Makes a position final.
    pub fn close(&mut self, place: usize) {
        self.left[place] |= FINAL;
    }

    /// Takes an answer.
    pub fn raise(&mut self, word: u64) {
        let best = &mut self.best[words::place(word)];
        *best = (*best).max(words::label(word).0);
    }

    /// Takes a piece of news; the label of the position if that makes it final at this rank.
    pub fn hear(&mut self, word: u64, rank: u16) -> Option<Label> {
        let place = words::place(word);
        self.raise(word);
        self.left[place] -= 1;
        let label = self.ripe(place)?;
        (label.rank() == Some(rank)).then(|| {
            self.close(place);
            label
        })
    }

    /// The label of a position when nothing more becomes final: the rest are draws. Wasted numbers have no best label and
    /// are final.
    pub fn settled(&self, place: usize) -> Label {
        if self.left[place] & FINAL == 0 { Label::DRAW } else { Label(self.best[place]) }
    }
}
