//! Where an expert works: the positions last asked about with the counts of their lines, and the table of
//! attacks.
//!
//! Experts have no state of their own, and are asked several things in turn about a position and what follows
//! it. Each thread has a desk, on which the last two positions still lie.

use super::draws::Weights;
use super::geometry::Geometry;
use super::telling::{Found, Ground, tell};
use super::threats::{Fight, Threats};
use super::threes::{Effort, Failed, Threes, Win};
use endspiel_game::{Plan, Sequence, Stop};
use endspiel_rules::bits::Bits;
use endspiel_rules::holding::{OpenLine, by_pairs};

/// What the rules say beyond "a line wins", for the player to move (0) and the opponent (1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terms {
    /// Does a line count only if it is not part of a longer one?
    pub exactly: [bool; 2],
    /// Are some empty cells forbidden?
    pub barred: [bool; 2],
}

impl Terms {
    /// Any line wins, any empty cell may be taken.
    pub const PLAIN: Self = Self { exactly: [false; 2], barred: [false; 2] };

    /// Is a stone more never a bad thing to have?
    fn is_monotone(self) -> bool {
        self == Self::PLAIN
    }
}

/// What can be said of the position on a desk.
pub(super) trait Judge {
    /// Sound bounds on what the player to move gets: 1 for a win.
    fn bounds(&mut self) -> (i32, i32);

    /// Appends moves among which there is a best one, the promising first; none at all where nothing is known.
    fn candidates(&mut self, out: &mut Vec<usize>);

    /// A win by threats of the player to move, or of the opponent if the player to move passes: the sequence, and
    /// the cells where the other has to play if it is his turn.
    fn attack(&mut self, by_opponent: bool) -> Option<(Vec<usize>, Vec<usize>)>;

    /// The same told in full.
    fn sequence(&mut self, by_opponent: bool, stop: &Stop) -> Option<Sequence<usize>>;

    /// How good a move looks: lines it makes longer, and lines of the opponent's it blocks.
    fn promise(&self, cell: usize) -> i32;

    /// What the player to move may expect, in thousandths: the open lines of both, those with more stones more.
    fn evaluate(&mut self) -> i32;

    /// How much work it seems to be to show that the attacker, who is or is not to move, wins, and that he does
    /// not: the first numbers of a leaf (after Allis 1994, section 4.4).
    fn effort(&mut self, attacker_moves: bool) -> (u32, u32);
}

/// A desk for boards of up to 64 `C` cells and 64 `W` lines of at most 2^`P` cells.
pub(super) struct Desk<const C: usize, const W: usize, const P: usize> {
    shape: (u8, u8, u8),
    geometry: Geometry<C, W>,
    cells: Bits<C>,
    terms: Terms,
    fights: [Fight<C, W, P>; 2],
    current: usize,
    threats: Threats<C>,
    /// How many nodes a search for threats may take.
    limit: Option<u64>,
    /// Are pairs of cells looked for that hold a player? That costs as much as the rest of a look.
    pairs: bool,
}

/// What the player to move has to do with the stones as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Urgent {
    /// Complete a line here.
    Win(usize),
    /// Fill this cell, or the opponent completes a line; `lost` if that does not help.
    Block { cell: usize, lost: bool },
    /// Begin a sequence of threats here that wins.
    Attack(usize),
    /// Nothing.
    Quiet,
}

impl<const C: usize, const W: usize, const P: usize> Desk<C, W, P> {
    /// An empty desk, with room for `1 << bits` remembered attacks.
    pub fn new(bits: u32, limit: Option<u64>) -> Self {
        let geometry = Geometry::new(0, 0, std::iter::empty());
        let fight = Fight::new(&geometry, [Bits::EMPTY; 2], [false; 2]);
        Self {
            shape: (0, 0, 0),
            geometry,
            cells: Bits::EMPTY,
            terms: Terms::PLAIN,
            fights: [fight; 2],
            current: 0,
            threats: Threats::new(bits),
            limit,
            pairs: false,
        }
    }

    /// The same desk for a game in which many positions are drawn: there pairs of cells are looked for.
    pub fn with_pairs(self) -> Self {
        Self { pairs: true, ..self }
    }

    /// Puts a position on the desk: the stones of the player to move and of the opponent, on the board of this
    /// shape, whose lines `geometry` makes.
    #[inline]
    pub fn lay(
        &mut self,
        shape: (u8, u8, u8),
        terms: Terms,
        sets: [Bits<C>; 2],
        geometry: impl FnOnce() -> Geometry<C, W>,
    ) -> &mut Self {
        if self.shape != shape {
            self.shape = shape;
            self.geometry = geometry();
            self.cells = Bits::first(self.geometry.through.len());
            self.threats.clear();
            self.fights = [Fight::new(&self.geometry, [Bits::EMPTY; 2], terms.exactly); 2];
        }
        self.terms = terms;
        for _ in 0..2 {
            let fight = &self.fights[self.current];
            if fight.sets == sets && fight.exactly == terms.exactly {
                return self;
            }
            self.current ^= 1;
        }
        self.current ^= 1;
        self.fights[self.current] = Fight::new(&self.geometry, sets, terms.exactly);
        self
    }

    #[inline]
    fn fight(&self) -> &Fight<C, W, P> {
        &self.fights[self.current]
    }

    fn empty(&self) -> Bits<C> {
        let [own, other] = self.fight().sets;
        self.cells.without(own | other)
    }

    fn urgent(&mut self) -> Urgent {
        let Self { geometry, fights, current, threats, limit, .. } = self;
        let fight = &fights[*current];
        if let Some(cell) = fight.completing(geometry, 0).lowest() {
            return Urgent::Win(cell);
        }
        let must = fight.completing(geometry, 1);
        if let Some(cell) = must.lowest() {
            let after = || fight.with(geometry, cell, 0).turned();
            let lost = must.len() > 1 || threats.win(geometry, &after(), *limit).is_some();
            return Urgent::Block { cell, lost };
        }
        threats.win(geometry, fight, *limit).map_or(Urgent::Quiet, Urgent::Attack)
    }

    /// A win by threats of the first order of side 0, who is to move.
    fn direct(&mut self, fight: &Fight<C, W, P>) -> Option<Win<C>> {
        let Self { geometry, threats, limit, .. } = self;
        let limit = limit.map(|nodes| nodes * PATIENCE);
        let (line, zone) = threats.attack(geometry, fight, limit)?;
        Win::direct(geometry, fight, &line, zone)
    }

    /// A win of the second order, with less effort than for a look: it is asked for after many replies.
    pub fn win_by_threes(&mut self, fight: &Fight<C, W, P>, failed: &mut Failed<C>) -> Option<Win<C>> {
        Threes::new(&self.geometry, &mut self.threats, TOLD, failed).win(fight)
    }

    /// Does a plan win in this fight too?
    pub fn follows(&mut self, fight: &Fight<C, W, P>, plan: &Plan<usize>) -> bool {
        Threes::new(&self.geometry, &mut self.threats, FOLLOWED, &mut Failed::default()).follows(fight, plan)
    }

    /// The fight of these stones, those of the attacker first, on the board that lies here.
    pub fn fight_of(&self, sets: [Bits<C>; 2], exactly: [bool; 2]) -> Fight<C, W, P> {
        Fight::new(&self.geometry, sets, exactly)
    }

    /// Can each side be kept from winning? The first of `fight` is to move; who may not take every cell cannot
    /// be trusted to hold the other.
    fn draws(&self, fight: &Fight<C, W, P>, barred: [bool; 2]) -> (i32, i32) {
        let empty = self.cells.without(fight.sets[0] | fight.sets[1]);
        let own = Weights::new(&self.geometry, fight, 0, empty.len().div_ceil(2));
        let other = Weights::new(&self.geometry, fight, 1, empty.len() / 2);
        let pairs = |of: &Weights<C, W, P>| {
            let geometry = &self.geometry;
            let open =
                |line: usize| OpenLine { run: geometry.runs[line], empty: geometry.cells[line] & empty };
            self.pairs && by_pairs(of.lines.iter().map(open), empty.len())
        };
        let held = own.lines.is_empty()
            || !barred[1] && (own.are_held_after_a_move(&self.geometry, empty) || pairs(&own));
        let holds = other.lines.is_empty() || !barred[0] && (other.are_held_at_once() || pairs(&other));
        (-i32::from(!holds), i32::from(!held))
    }

    /// Bounds by what can be held alone, where nothing is urgent.
    pub fn held(&self) -> (i32, i32) {
        self.draws(self.fight(), self.terms.barred)
    }

    /// The same where only one move does not lose at once.
    pub fn held_after(&self, cell: usize) -> (i32, i32) {
        // The opponent is to move then.
        let after = self.fight().with(&self.geometry, cell, 0).turned();
        let [own, other] = self.terms.barred;
        let (low, high) = self.draws(&after, [other, own]);
        (-high, -low)
    }

    /// Appends moves among which there is a best one where nothing is urgent; `zone` has the cells that may upset
    /// what the opponent would win by. None at all where every move may be the best.
    pub fn worth_a_move(&self, zone: Option<Bits<C>>, out: &mut Vec<usize>) {
        let empty = self.empty();
        let may_help = |cell: usize| zone.is_none_or(|zone| zone.contains(cell));
        if self.terms.is_monotone() {
            if self.draws(self.fight(), [false; 2]) == (0, 0) {
                // Nobody can win any more: what holds the opponent is as good as anything. If he is held by pairs, any move is.
                let other = Weights::new(&self.geometry, self.fight(), 1, empty.len() / 2);
                return out.extend(empty.iter().max_by_key(|&cell| other.at(&self.geometry, cell)));
            }
            self.undominated(&mut |cell| out.extend(Some(cell).filter(|&cell| may_help(cell))));
        } else if zone.is_some() {
            out.extend(empty.iter().filter(|&cell| may_help(cell)));
        } else {
            return;
        }
        if out.is_empty() {
            out.extend(empty.lowest());
        }
        out.sort_by_cached_key(|&cell| std::cmp::Reverse(self.promise(cell)));
    }

    /// The cells that are worth looking at. A cell is left out if another one lies on all of its lines that still
    /// count: whoever takes that one instead is not worse off.
    fn undominated(&self, each: &mut dyn FnMut(usize)) {
        let (geometry, empty) = (&self.geometry, self.empty());
        let live = Weights::new(geometry, self.fight(), 0, empty.len().div_ceil(2)).lines
            | Weights::new(geometry, self.fight(), 1, empty.len() / 2).lines;
        for cell in empty.iter() {
            let lines = geometry.through[cell] & live;
            let mut better = empty;
            better.remove(cell);
            for line in lines.iter() {
                better = better & geometry.cells[line];
                if better.is_empty() {
                    break;
                }
            }
            let is_beaten = |by: usize| geometry.through[by] & live != lines || by < cell;
            if !lines.is_empty() && !better.iter().any(is_beaten) {
                each(cell);
            }
        }
    }
}

impl<const C: usize, const W: usize, const P: usize> Judge for Desk<C, W, P> {
    fn bounds(&mut self) -> (i32, i32) {
        match self.urgent() {
            Urgent::Win(_) | Urgent::Attack(_) => (1, 1),
            Urgent::Block { lost: true, .. } => (-1, -1),
            Urgent::Block { cell, .. } => self.held_after(cell),
            Urgent::Quiet => self.held(),
        }
    }

    fn candidates(&mut self, out: &mut Vec<usize>) {
        match self.urgent() {
            Urgent::Win(cell) | Urgent::Block { cell, .. } | Urgent::Attack(cell) => out.push(cell),
            Urgent::Quiet => {
                // What the opponent would do if he were to move has to be prevented.
                let Self { geometry, fights, current, threats, limit, .. } = self;
                let attack = threats.attack(geometry, &fights[*current].turned(), *limit);
                self.worth_a_move(attack.map(|(_, zone)| zone), out);
            }
        }
    }

    fn attack(&mut self, by_opponent: bool) -> Option<(Vec<usize>, Vec<usize>)> {
        if self.terms.barred[0] || self.terms.barred[1] {
            return None;
        }
        let fight = if by_opponent { self.fight().turned() } else { *self.fight() };
        let win = self.direct(&fight).or_else(|| {
            Threes::new(&self.geometry, &mut self.threats, THREES, &mut Failed::default()).win(&fight)
        })?;
        // Who completes a line himself has nothing to fear.
        let must = win.zone | fight.completing(&self.geometry, 1);
        let must = must.without(fight.sets[0] | fight.sets[1]).iter().collect();
        let line = if win.is_direct { win.plan.line() } else { vec![win.plan.attack] };
        Some((line, must))
    }

    fn sequence(&mut self, by_opponent: bool, stop: &Stop) -> Option<Sequence<usize>> {
        if self.terms.barred[0] || self.terms.barred[1] {
            return None;
        }
        let fight = if by_opponent { self.fight().turned() } else { *self.fight() };
        tell(&mut Field { fight, now: fight, failed: Failed::default(), desk: self }, stop)
    }

    fn promise(&self, cell: usize) -> i32 {
        let (geometry, tally, through) = (&self.geometry, &self.fight().tally, self.geometry.through[cell]);
        let mut sum = 0;
        for missing in 2..=geometry.length.min(LOOKED_AT) {
            let own = tally.with(geometry.all, 0, geometry.length - missing) & through;
            let other = tally.with(geometry.all, 1, geometry.length - missing) & through;
            sum += (OWN[missing] * own.len() as i32) + (OTHER[missing] * other.len() as i32);
        }
        sum
    }

    fn evaluate(&mut self) -> i32 {
        let (geometry, tally) = (&self.geometry, &self.fight().tally);
        let mut sum = TEMPO;
        for (missing, value) in VALUE.iter().enumerate().take(geometry.length + 1).skip(1) {
            let count = |side| tally.with(geometry.all, side, geometry.length - missing).len() as i32;
            sum += value * (count(0) - count(1));
        }
        // Ever nearer to 900, never beyond.
        900 * sum / (sum.abs() + 60)
    }

    fn effort(&mut self, attacker_moves: bool) -> (u32, u32) {
        let Self { geometry, fights, current, threats, .. } = self;
        let fight = &fights[*current];
        if attacker_moves {
            // He has to try the cells on which he builds on two lines at once.
            let begun = fight.lacking(geometry, 0, 2) | fight.lacking(geometry, 0, 3);
            let empty = self.cells.without(fight.sets[0] | fight.sets[1]);
            let cells = empty.iter().filter(|&cell| (begun & geometry.through[cell]).len() > 1);
            return (1, (cells.count() as u32).max(1));
        }
        // A threat leaves one answer, but all threats have been tried in vain.
        if fight.lacking(geometry, 1, 1) != Bits::EMPTY {
            return (FORCED, 1);
        }
        // The defender may make threats of his own; or has to see to what the attacker would do next.
        let counter = 2 * fight.lacking(geometry, 0, 2).len() as u32;
        if threats.win(geometry, &fight.turned(), Some(GLANCE)).is_some() {
            return (counter + BEGUN, 1);
        }
        let lines = |missing| fight.lacking(geometry, 1, missing).len() as u32;
        (counter + FREE.saturating_sub(6 * lines(2) + lines(3)).max(2 * BEGUN), 1)
    }
}

/// A fight of the attacker's, side 0, as it is and with a reply.
struct Field<'a, const C: usize, const W: usize, const P: usize> {
    desk: &'a mut Desk<C, W, P>,
    fight: Fight<C, W, P>,
    now: Fight<C, W, P>,
    failed: Failed<C>,
}

impl<const C: usize, const W: usize, const P: usize> Ground for Field<'_, C, W, P> {
    type How = Plan<usize>;

    fn find(&mut self) -> Option<Found<Self::How>> {
        let win = self.desk.direct(&self.now);
        let Win { plan, counters, positions, .. } =
            win.or_else(|| self.desk.win_by_threes(&self.now, &mut self.failed))?;
        Some(Found { how: plan.clone(), plan, counters, positions })
    }

    fn stands(&mut self, plan: &Self::How) -> bool {
        self.desk.follows(&self.now, plan)
    }

    fn replies(&self) -> (Vec<usize>, Vec<usize>) {
        let completes = self.fight.completing(&self.desk.geometry, 1);
        (self.desk.empty().iter().collect(), completes.iter().collect())
    }

    fn put(&mut self, reply: usize) {
        self.now = self.fight.with(&self.desk.geometry, reply, 1);
    }

    fn take_back(&mut self, _reply: usize) {
        self.now = self.fight;
    }
}

/// The proof numbers of a position in which the defender has one move, in which he has to meet an attack by
/// threats, and in which he has not; the last is less by the lines that the attacker has begun.
const FORCED: u32 = 16;
const BEGUN: u32 = 4;
const FREE: u32 = 40;

/// An attack counts as begun if so many nodes find it: short ones are worth more, and a look is cheap.
const GLANCE: u64 = 16;

/// Who asks for an attack to look at it may wait so many times longer than a search.
const PATIENCE: u64 = 100;
/// What is searched for a win of the second order, for the same purpose.
const THREES: Effort = Effort { depth: 6, nodes: 20_000, fours: 100 };
/// The same where it is asked for after every reply.
const TOLD: Effort = Effort { nodes: 5000, ..THREES };
/// What is searched to follow a plan.
const FOLLOWED: Effort = Effort { depth: 0, nodes: 500, fours: 100 };

/// Lines that lack more stones are not looked at.
const LOOKED_AT: usize = 5;
/// What a line is worth by the stones it lacks: made longer, blocked, and as it stands.
const OWN: [i32; LOOKED_AT + 1] = [0, 0, 24, 8, 2, 1];
const OTHER: [i32; LOOKED_AT + 1] = [0, 0, 20, 7, 2, 1];
const VALUE: [i32; LOOKED_AT + 1] = [0, 40, 12, 4, 1, 0];
/// What it is worth to be to move.
const TEMPO: i32 = 6;
