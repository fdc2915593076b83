//! The subspaces for the database engine.
//!
//! A number is the orbit of the men of the side that has more, the mover's if both have as many, then the number of the
//! other side's men among the points that are left, the least of all images that keep the first set. What is not the
//! least is wasted: two numbers in a hundred. The mover is White; a position with Black to move has the number of that
//! with the colours exchanged. In a subspace of unlike sides the positions in which the mover has more come first.

use super::orbits::{CHOOSE, Orbits, rank, squeezed, unrank};
use super::rounds;
use endspiel_game::{Player, TextError};
use endspiel_retro::{Indexed, Job, Metric, Stopped, Table, backward};
use endspiel_rules::nine_mens_morris::points::{ALL, Points, each, image};
use endspiel_rules::nine_mens_morris::{Board, FLYING, MEN};
use std::fmt;
use std::sync::OnceLock;

/// The men of the side that has more, and of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subspace {
    more: u8,
    fewer: u8,
}

const LEAST: u8 = FLYING as u8;

impl Subspace {
    /// The subspace of so many men of both sides; none if one has fewer than 3 or more than 9.
    pub fn of(one: u8, other: u8) -> Option<Self> {
        let (more, fewer) = (one.max(other), one.min(other));
        (fewer >= LEAST && more <= MEN).then_some(Self { more, fewer })
    }

    /// The men of the side that has more, and of the other.
    pub fn men(self) -> [u8; 2] {
        [self.more, self.fewer]
    }

    /// All 28, in an order in which they can be solved.
    pub fn all() -> impl Iterator<Item = Self> {
        (LEAST..=MEN).flat_map(|more| (LEAST..=more).map(move |fewer| Self { more, fewer }))
    }
}

impl fmt::Display for Subspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.more, self.fewer)
    }
}

/// All subspaces.
#[derive(Debug, Default)]
pub struct Subspaces {
    /// By the number of men; made when first asked for.
    orbits: [OnceLock<Orbits>; 10],
}

impl Subspaces {
    /// The subspaces.
    pub fn new() -> Self {
        Self::default()
    }

    #[inline]
    pub(super) fn orbits(&self, men: u8) -> &Orbits {
        self.orbits[usize::from(men)].get_or_init(|| Orbits::new(men.into()))
    }

    /// The numbers of the positions in which one side, chosen, has more men.
    fn half(&self, Subspace { more, fewer }: Subspace) -> u64 {
        let rest = CHOOSE[24 - usize::from(more)][usize::from(fewer)];
        self.orbits(more).many() * u64::from(rest)
    }

    /// The number of two sets, the first with at least as many men as the second.
    #[inline]
    fn number(&self, base: Points, other: Points) -> u64 {
        let (more, fewer) = (base.count_ones(), other.count_ones());
        let orbits = self.orbits(more as u8);
        let (orbit, s) = orbits.orbit(base);
        let (first, keep) = orbits.first(orbit);
        let other = image(other, s);
        let ranked = |set: Points| rank(squeezed(set, first));
        let mut least = ranked(other);
        if keep != 1 {
            for s in each(Points::from(keep) & !1) {
                least = least.min(ranked(image(other, s)));
            }
        }
        orbit as u64 * u64::from(CHOOSE[24 - more as usize][fewer as usize]) + u64::from(least)
    }

    /// The two sets with this number; none if one of their images has a smaller one.
    fn sets(&self, Subspace { more, fewer }: Subspace, number: u64) -> Option<(Points, Points)> {
        let rest = u64::from(CHOOSE[24 - usize::from(more)][usize::from(fewer)]);
        let (first, keep) = self.orbits(more).first((number / rest) as usize);
        let within = (number % rest) as u32;
        let together = unrank(within, fewer.into());
        let spread = each(ALL & !first).enumerate().filter(|(i, _)| together >> i & 1 != 0);
        let other = spread.fold(0, |set, (_, point)| set | 1 << point);
        let least = |s: usize| rank(squeezed(image(other, s), first)) >= within;
        each(Points::from(keep) & !1).all(least).then_some((first, other))
    }
}

impl Indexed for Subspaces {
    type Position = Board;
    type Slice = Subspace;

    fn slice_name(&self, slice: Subspace) -> String {
        slice.to_string()
    }

    fn read_slices(&self, text: &str) -> Result<Vec<Subspace>, TextError> {
        let mut out = Vec::new();
        for (at, word) in endspiel_game::notation::words(text) {
            if word.eq_ignore_ascii_case("all") {
                out.extend(Subspace::all());
                continue;
            }
            let sides = word.split_once('-').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
            let found = sides.and_then(|(one, other)| Subspace::of(one, other));
            out.push(found.ok_or_else(|| {
                let what = format!("'{}' is no subspace", endspiel_game::notation::shorten(word));
                TextError::new(at, what, "the men of both sides from 3 to 9, such as 4-3, or all")
            })?);
        }
        Ok(out)
    }

    fn size(&self, slice: Subspace) -> u64 {
        self.half(slice) * if slice.more == slice.fewer { 1 } else { 2 }
    }

    /// Who closes a mill takes a man.
    fn conversions(&self, Subspace { more, fewer }: Subspace) -> Vec<Subspace> {
        let mut out: Vec<Subspace> =
            [Subspace::of(more, fewer - 1), Subspace::of(more - 1, fewer)].into_iter().flatten().collect();
        out.dedup();
        out
    }

    fn position(&self, slice: Subspace, index: u64) -> Option<Board> {
        let half = self.half(slice);
        let (base, other) = self.sets(slice, index % half)?;
        let men = if index < half { [base, other] } else { [other, base] };
        Board::new(men, [0, 0], Player::FIRST)
    }

    fn place(&self, board: &Board) -> Option<(Subspace, u64)> {
        let side = board.side();
        let (own, other) = (board.men(side), board.men(side.other()));
        if board.hand(Player::FIRST) + board.hand(Player::SECOND) > 0 {
            return None;
        }
        let slice = Subspace::of(own.count_ones() as u8, other.count_ones() as u8)?;
        if own.count_ones() >= other.count_ones() {
            Some((slice, self.number(own, other)))
        } else {
            Some((slice, self.half(slice) + self.number(other, own)))
        }
    }

    fn mover(&self, board: &Board) -> Player {
        board.side()
    }

    fn outside(&self, board: &Board) -> String {
        match board.hand(Player::FIRST) + board.hand(Player::SECOND) {
            0 => "a side has fewer than three men".into(),
            1 => "databases begin when all men are placed, and one is still in hand".into(),
            many => format!("databases begin when all men are placed, and {many} are still in hand"),
        }
    }

    fn after_pass(&self, board: &Board) -> Option<Board> {
        let men = [Player::FIRST, Player::SECOND].map(|p| board.men(p));
        Board::new(men, [0, 0], board.side().other())
    }

    fn predecessors(&self, board: &Board, each: &mut dyn FnMut(Board)) -> bool {
        board.before_moves(each);
        true
    }

    /// Metrics under the fifty-move rule keep all moves.
    fn solving_bytes(&self, slice: Subspace, metric: Metric) -> u64 {
        let eighths = if rounds::serves(metric) { rounds::EIGHTHS } else { 8 * 96 };
        self.size(slice) * eighths / 8 + (64 << 20)
    }

    fn solve(&self, job: &Job<'_, Self>) -> Result<Table, Stopped> {
        let all_known = self.conversions(job.slice).iter().all(|below| job.known.table(below).is_some());
        if rounds::serves(job.metric) && all_known { rounds::solve(self, job) } else { backward(self, job) }
    }
}
