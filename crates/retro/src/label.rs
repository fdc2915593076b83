//! The value of a position while a slice is solved: a win or a loss with a *rank*, or a draw.
//!
//! Ranks are what a metric counts: plies to mate or to a conversion, or, in scored games, by how much the
//! score falls short of the highest. Wins of low rank are best and losses of low rank are worst, so minimax is
//! a maximum over the labels of the moves. A label is *surer* the farther it is from the draw; the value of a
//! move is a monotone function of its successor's label in this order, so that iteration from draws, in
//! whatever order, ends in one and the same least fixed point: what can be forced in finitely many moves.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The value of a position, for the player to move: greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub(crate) u16);

impl Label {
    /// No move at all is known yet; worse than everything.
    pub const NONE: Self = Self(0);
    /// A draw.
    pub const DRAW: Self = Self(0x8000);
    /// The highest rank there is room for.
    pub const MAX_RANK: u16 = 0x7ff0;

    /// A win of this rank, at most [`Label::MAX_RANK`].
    pub const fn win(rank: u16) -> Self {
        Self(u16::MAX - rank)
    }

    /// A loss of this rank, at most [`Label::MAX_RANK`].
    pub const fn loss(rank: u16) -> Self {
        Self(1 + rank)
    }

    /// The rank of a win.
    pub fn win_rank(self) -> Option<u16> {
        (self > Self::DRAW).then(|| u16::MAX - self.0)
    }

    /// The rank of a loss.
    pub fn loss_rank(self) -> Option<u16> {
        (self < Self::DRAW && self != Self::NONE).then(|| self.0 - 1)
    }

    /// The rank of a win or a loss.
    pub fn rank(self) -> Option<u16> {
        self.win_rank().or(self.loss_rank())
    }

    /// What kind it is: 0 a win, 1 a draw, 2 a loss, 3 none.
    pub(crate) fn kind(self) -> usize {
        match self {
            Self::NONE => 3,
            Self::DRAW => 1,
            label if label > Self::DRAW => 0,
            _ => 2,
        }
    }

    /// What a successor with this label is worth to who moves there, when the move adds `cost` to the rank.
    #[must_use]
    pub fn seen_before(self, cost: u16) -> Self {
        let raised = |rank: u16| rank.saturating_add(cost).min(Self::MAX_RANK);
        match (self.win_rank(), self.loss_rank()) {
            (Some(rank), _) => Self::loss(raised(rank)),
            (_, Some(rank)) => Self::win(raised(rank)),
            _ => self,
        }
    }
}

/// What a database tells of a position beside who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// The final difference from here on, for scored games.
    Score,
    /// Who wins, and nothing else.
    Value,
    /// The same under a rule of so many moves, for positions in which a phase begins.
    ValueWithin(u8),
    /// Plies to the end of the game (depth to mate).
    End,
    /// The same under a rule of so many moves: a phase of so many of both without one that cannot be taken back is a draw.
    /// Tables hold it for positions in which a phase begins.
    EndWithin(u8),
    /// Plies to the end or to another slice (depth to conversion): a winner hurries there. A loser goes only
    /// when nothing else is left, and that move counts for nothing.
    Conversion,
    /// The same under a rule of so many moves, for positions in which a phase begins. A move that zeroes the count and is no
    /// conversion begins another phase, and the plies go on.
    ConversionWithin(u8),
    /// The same to the next move that cannot be taken back (depth to zeroing the count of moves): a conversion,
    /// or what [`Indexed::is_zeroing`](crate::Indexed::is_zeroing) says.
    Zeroing,
    /// The same where a phase of more than so many moves of both without such a move is a draw.
    ZeroingWithin(u8),
    /// The depth by the rule: the least limit on the plies of a phase under which the outcome can still be forced, for
    /// positions in which a phase begins.
    Rule,
    /// In games for one player: moves to be done.
    Moves,
    /// In games of dice for one player: the rolls to be done that are expected, in thousandths.
    Rolls,
    /// In games with the same moves for both: the generalised Sprague-Grundy value ([`Grundy`](crate::Grundy)), by which sums
    /// are added. Tables hold -1 for the value 0, one more than any other number, and 0 and 1 for what is infinite: drawn, and
    /// won.
    Grundy,
}

impl Metric {
    /// All metrics, those of a rule of so many moves with fifty.
    pub const ALL: [Self; 13] = [
        Self::Score,
        Self::Value,
        Self::VALUE50,
        Self::End,
        Self::END50,
        Self::Conversion,
        Self::CONVERSION50,
        Self::Zeroing,
        Self::ZEROING50,
        Self::Rule,
        Self::Moves,
        Self::Rolls,
        Self::Grundy,
    ];

    /// Who wins under the fifty-move rule.
    pub const VALUE50: Self = Self::ValueWithin(50);
    /// Plies to the end under the fifty-move rule.
    pub const END50: Self = Self::EndWithin(50);
    /// Plies to a conversion under the fifty-move rule.
    pub const CONVERSION50: Self = Self::ConversionWithin(50);
    /// Plies to zeroing under the fifty-move rule.
    pub const ZEROING50: Self = Self::ZeroingWithin(50);

    /// The plies of a phase under the fifty-move rule.
    pub const PHASE: u16 = 100;

    /// The most moves that a rule may allow.
    pub const MOST_MOVES: u8 = 120;

    /// The metric of this name; those of a rule of k moves end in k, such as `dtz75`.
    pub fn named(name: &str) -> Option<Self> {
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let plain = Self::ALL.into_iter().find(|metric| metric.name() == letters);
        let digits = &name[letters.len()..];
        if digits.is_empty() {
            return plain;
        }
        let moves = digits.parse().ok().filter(|k| !digits.starts_with('0') && *k <= Self::MOST_MOVES)?;
        plain?.within(moves)
    }

    /// The same under a rule of so many moves, where that makes sense.
    pub const fn within(self, moves: u8) -> Option<Self> {
        match self {
            Self::Value | Self::ValueWithin(_) => Some(Self::ValueWithin(moves)),
            Self::End | Self::EndWithin(_) => Some(Self::EndWithin(moves)),
            Self::Conversion | Self::ConversionWithin(_) => Some(Self::ConversionWithin(moves)),
            Self::Zeroing | Self::ZeroingWithin(_) => Some(Self::ZeroingWithin(moves)),
            _ => None,
        }
    }

    /// The moves of a phase under the rule by which it is told, if it is.
    pub const fn moves(self) -> Option<u8> {
        match self {
            Self::ValueWithin(moves)
            | Self::EndWithin(moves)
            | Self::ConversionWithin(moves)
            | Self::ZeroingWithin(moves) => Some(moves),
            _ => None,
        }
    }

    /// Is what it tells true by the game's own rules, and not by a limit on the moves of a phase?
    pub const fn is_by_own_rules(self) -> bool {
        self.moves().is_none() && !matches!(self, Self::Rule)
    }

    /// The same, with fifty moves if it is told by a rule.
    #[must_use]
    pub fn usual(self) -> Self {
        self.moves().and_then(|_| self.within(50)).unwrap_or(self)
    }

    /// The plies of a phase under that rule.
    pub fn phase(self) -> Option<u16> {
        self.moves().map(|moves| 2 * u16::from(moves))
    }

    /// Its name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Value => "wdl",
            Self::ValueWithin(moves) => with_number("wdl", moves),
            Self::End => "dtm",
            Self::EndWithin(moves) => with_number("dtm", moves),
            Self::Conversion => "dtc",
            Self::ConversionWithin(moves) => with_number("dtc", moves),
            Self::Zeroing => "dtz",
            Self::ZeroingWithin(moves) => with_number("dtz", moves),
            Self::Rule => "dtr",
            Self::Moves => "moves",
            Self::Rolls => "rolls",
            Self::Grundy => "grundy",
        }
    }

    /// What its numbers count.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Score => "points",
            Self::Value | Self::ValueWithin(_) => "outcomes",
            Self::Moves => "moves",
            Self::Rolls => "thousandths of a roll",
            Self::Grundy => "numbers",
            _ => "plies",
        }
    }

    /// Does it count plies?
    pub const fn counts_plies(self) -> bool {
        !matches!(
            self,
            Self::Score | Self::Value | Self::ValueWithin(_) | Self::Moves | Self::Rolls | Self::Grundy
        )
    }

    /// Does nothing but another solution tell whether values are right, since they do not follow from those of the moves?
    pub const fn needs_solution(self) -> bool {
        self.counts_from_a_zero() || matches!(self, Self::Grundy)
    }

    /// Do the moves of a position tell its value, so that small files can leave it out?
    pub const fn is_told_by_moves(self) -> bool {
        matches!(self, Self::Value | Self::End | Self::Conversion) || self.counts_phases()
    }

    /// Does it count to the end of a phase?
    pub const fn counts_phases(self) -> bool {
        matches!(self, Self::Zeroing | Self::ZeroingWithin(_))
    }

    /// Do its plies go on where a move leaves the slice?
    pub(crate) const fn goes_on(self) -> bool {
        matches!(self, Self::End | Self::EndWithin(_))
    }

    /// Does it tell moves that cannot be taken back from others?
    pub const fn knows_phases(self) -> bool {
        self.counts_phases() || self.counts_from_a_zero()
    }

    /// Do tables hold it for positions in which a phase begins, so that values do not follow from one another?
    pub const fn counts_from_a_zero(self) -> bool {
        matches!(self, Self::ValueWithin(_) | Self::EndWithin(_) | Self::ConversionWithin(_) | Self::Rule)
    }

    /// What a move within the slice adds to the rank.
    pub(crate) const fn cost(self) -> u16 {
        (self.counts_plies() && !matches!(self, Self::Rule)) as u16
    }

    /// What a move to a position of the slice with this label is worth to who makes it.
    pub(crate) fn before(self, label: Label) -> Label {
        if self == Self::Grundy {
            // Numbers say nothing of how good a move is but who wins.
            return match label.kind() {
                0 => Label::loss(0),
                2 => Label::win(0),
                _ => label,
            };
        }
        let offer = label.seen_before(self.cost());
        match (self, self.phase()) {
            (Self::ZeroingWithin(_), Some(phase)) if offer.rank().is_some_and(|rank| rank > phase) => {
                Label::DRAW
            }
            _ => offer,
        }
    }

    /// What a move that cannot be taken back, to a position of the slice with this label, is worth to who makes
    /// it.
    pub(crate) fn before_zeroing(self, label: Label) -> Label {
        match (label.win_rank(), label.loss_rank()) {
            _ if !self.counts_phases() => self.before(label),
            (Some(_), _) => Label::loss(0),
            (_, Some(_)) => Label::win(1),
            _ => Label::DRAW,
        }
    }

    /// The label of a score in a slice where no score is beyond `stakes`.
    pub(crate) fn scored(score: i32, stakes: u16) -> Label {
        let rank = stakes.saturating_sub(score.unsigned_abs().min(u16::MAX.into()) as u16);
        match score {
            0 => Label::DRAW,
            1.. => Label::win(rank),
            _ => Label::loss(rank),
        }
    }

    /// The label of a finished game, `score` to the player who would move.
    pub(crate) fn ended(self, score: i32, stakes: u16) -> Label {
        if self == Self::Score { Self::scored(score, stakes) } else { Self::scored(score.signum(), 1) }
    }

    /// What a move to another slice is worth: `gain` to the mover at once, `there` to the opponent afterwards.
    /// Only scores know gains: see [`Indexed::can_tell`](crate::Indexed::can_tell).
    pub(crate) fn converted(self, gain: i32, there: i32, stakes: u16) -> Label {
        debug_assert!(gain == 0 || self == Self::Score, "{} cannot tell a gain of {gain}", self.name());
        match self {
            Self::Score | Self::Moves | Self::Rolls => Self::scored(gain - there, stakes),
            Self::Value | Self::ValueWithin(_) | Self::Grundy => Self::scored(-there.signum(), 1),
            Self::End | Self::EndWithin(_) | Self::Rule => self.read(there, stakes).seen_before(self.cost()),
            Self::Conversion | Self::ConversionWithin(_) | Self::Zeroing | Self::ZeroingWithin(_) => {
                match there {
                    0 => Label::DRAW,
                    1.. => Label::loss(0),
                    _ => Label::win(1),
                }
            }
        }
    }

    /// A label as the signed number that tables hold: the score; 1 or -1 for who wins; or the plies of a win, or
    /// one more than the plies of a loss with a minus; 0 is a draw.
    pub fn write(self, label: Label, stakes: u16) -> i32 {
        let stakes = if self.unit() == "outcomes" { 1 } else { i32::from(stakes) };
        let (win, loss) = (label.win_rank().map(i32::from), label.loss_rank().map(i32::from));
        match (self.counts_plies() || self == Self::Grundy, win, loss) {
            (false, Some(rank), _) => stakes - rank,
            (false, _, Some(rank)) => rank - stakes,
            // Who mates by the move needs a limit of one ply at least.
            (true, Some(rank), _) => rank.max(1),
            (true, _, Some(rank)) => -1 - rank,
            _ => 0,
        }
    }

    /// The label of the number that a table holds.
    pub fn read(self, number: i32, stakes: u16) -> Label {
        match (self, number) {
            (Self::Score | Self::Moves | Self::Rolls, _) => Self::scored(number, stakes),
            (Self::Value | Self::ValueWithin(_), _) => Self::scored(number.signum(), 1),
            (_, 0) => Label::DRAW,
            (_, 1..) => Label::win(number.min(Label::MAX_RANK.into()) as u16),
            _ => Label::loss((-1 - number).min(Label::MAX_RANK.into()) as u16),
        }
    }
}

/// Such a name with a number behind it, which lives as long as the program.
fn with_number(letters: &str, number: u8) -> &'static str {
    static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let all = ["wdl", "dtm", "dtc", "dtz"].into_iter();
        all.flat_map(|letters| (0..=u8::MAX).map(move |number| format!("{letters}{number}"))).collect()
    });
    NAMES.get(&format!("{letters}{number}")).map_or("", String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_ordered_from_a_quick_loss_to_a_quick_win() {
        let rising = [
            Label::NONE,
            Label::loss(0),
            Label::loss(6),
            Label::DRAW,
            Label::win(7),
            Label::win(1),
            Label::win(0),
        ];
        assert!(rising.is_sorted());
        assert_eq!(Label::loss(6).seen_before(1), Label::win(7));
        assert_eq!(Label::win(7).seen_before(1), Label::loss(8));
        assert_eq!(Label::DRAW.seen_before(1), Label::DRAW);
    }

    #[test]
    fn numbers_are_read_back() {
        for metric in Metric::ALL {
            let far = if metric.unit() == "outcomes" { 1 } else { 20 };
            for number in -far..=far {
                assert_eq!(metric.write(metric.read(number, 20), 20), number, "{metric:?}");
            }
        }
        assert_eq!(Metric::Score.write(Metric::Score.converted(3, -4, 9), 9), 7);
        // A move that mates wins by whatever limit.
        assert_eq!(Metric::Rule.write(Metric::Rule.converted(0, -1, 1), 1), 1);
    }

    #[test]
    fn phases_end_after_a_hundred_plies() {
        assert_eq!(Metric::Zeroing.before(Label::win(100)), Label::loss(101));
        assert_eq!(Metric::ZEROING50.before(Label::win(99)), Label::loss(100));
        assert_eq!(Metric::ZEROING50.before(Label::loss(100)), Label::DRAW);
        assert_eq!(Metric::ZEROING50.before_zeroing(Label::loss(100)), Label::win(1));
        assert_eq!(Metric::Conversion.before_zeroing(Label::loss(100)), Label::win(101));
        assert_eq!(Metric::ZeroingWithin(51).before(Label::loss(100)), Label::win(101));
        assert_eq!(Metric::ZeroingWithin(51).before(Label::loss(102)), Label::DRAW);
    }

    #[test]
    fn names_are_read_back() {
        let ruled = (1..=Metric::MOST_MOVES).flat_map(|k| Metric::ALL.map(|metric| metric.within(k)));
        for metric in ruled.flatten().chain(Metric::ALL) {
            assert_eq!(Metric::named(metric.name()), Some(metric));
        }
        assert_eq!(Metric::named("dtz50"), Some(Metric::ZEROING50));
        for wrong in
            ["", "50", "dtz0", "dtz050", "dtz121", "dtz99999999999", "dtr50", "score50", "dtx", "dtz50x"]
        {
            assert_eq!(Metric::named(wrong), None, "{wrong}");
        }
    }
}
