//! Proof and disproof numbers and what a search reports of its root.
//!
//! Infinity absorbs. A sum of finite numbers stays finite, however large: only a real proof makes a node
//! infinite, so an overflow never passes for one.

use endspiel_game::Counts;

/// Cannot be had: no set of leaves proves (disproves) the node.
pub(crate) const INFINITE: u32 = u32::MAX;
/// The largest number of an unsolved node.
pub(crate) const LARGEST: u32 = INFINITE - 1;
/// A height that is not known to be finite: a proof that rests on repetition or on expertise.
pub(crate) const ENDLESS: u32 = u32::MAX;
/// The depth of the repetition that a result rests on, if it rests on none.
pub(crate) const FREE: u32 = u32::MAX;

/// The depth of the repetition that a result rests on, if it rests on a claim taken on trust.
pub(crate) const TRUST: u32 = 0;

/// The sum of two numbers: infinite only if one of them is.
#[inline]
pub(crate) fn sum(a: u32, b: u32) -> u32 {
    if a == INFINITE || b == INFINITE { INFINITE } else { a.saturating_add(b).min(LARGEST) }
}

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Proof number.
    pub pn: u32,
    /// Disproof number.
    pub dn: u32,
    /// Solved: the game lasts at most so many plies more if the winner follows the proof.
    pub height: u32,
    /// Solved: the least depth of a position on the path to the root that the proof takes for repeated.
    /// The result holds wherever the node is met if this is the node itself, or below it, or [`FREE`].
    pub rests_on: u32,
}

impl Numbers {
    /// The numbers of an unsolved leaf.
    #[inline]
    pub fn open(pn: u32, dn: u32) -> Self {
        Self { pn: pn.clamp(1, LARGEST), dn: dn.clamp(1, LARGEST), height: ENDLESS, rests_on: FREE }
    }

    /// The numbers of a solved node.
    #[inline]
    pub fn solved(yes: bool, height: u32, rests_on: u32) -> Self {
        let (pn, dn) = if yes { (0, INFINITE) } else { (INFINITE, 0) };
        Self { pn, dn, height, rests_on }
    }

    /// The answer, if it is known.
    #[inline]
    pub fn verdict(&self) -> Verdict {
        match (self.pn, self.dn) {
            (0, _) => Verdict::Yes,
            (_, 0) => Verdict::No,
            _ => Verdict::Unknown,
        }
    }

    /// Is the answer known?
    #[inline]
    pub fn is_solved(&self) -> bool {
        self.pn == 0 || self.dn == 0
    }
}

/// The answer to a two-valued question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Proven.
    Yes,
    /// Disproven.
    No,
    /// Not decided within the budget.
    Unknown,
}

/// What a proof-number search found out about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The answer.
    pub verdict: Verdict,
    /// The root's proof number at the end.
    pub pn: u32,
    /// The root's disproof number at the end.
    pub dn: u32,
    /// Solved by play that ends: the winner needs at most so many plies.
    pub height: Option<u32>,
    /// Developed nodes: nodes whose children were generated.
    pub developments: u64,
    /// What it cost.
    pub counts: Counts,
}

impl Finding {
    pub(crate) fn new(root: Numbers, developments: u64, counts: Counts) -> Self {
        let height = (root.is_solved() && root.height != ENDLESS).then_some(root.height);
        Self { verdict: root.verdict(), pn: root.pn, dn: root.dn, height, developments, counts }
    }

    /// The same finding about the opposite question, unless `same`.
    pub(crate) fn unless(self, same: bool) -> Self {
        let verdict = match self.verdict {
            _ if same => return self,
            Verdict::Yes => Verdict::No,
            Verdict::No => Verdict::Yes,
            Verdict::Unknown => Verdict::Unknown,
        };
        Self { verdict, pn: self.dn, dn: self.pn, ..self }
    }
}
