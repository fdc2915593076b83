//! Winning sequences of threats by dependency-based search, checked against all counter-play (Allis 1994, section 5.3).
//!
//! The search finds *potential* sequences: threats whose replies, all at once, do not stop a five or a straight four.
//! The defender may still put fours of his own in between. So each sequence is gone through: before every reply to a
//! three, all positions he can reach by fours are collected, and in each of them he must not get a five, a straight
//! four, or a cell that the rest of the sequence needs. Wins may be missed; none is claimed wrongly: the defender's
//! counter-play is searched by the free rule, which has more of it, and in renju, where a stone more may forbid a cell or
//! allow it, a sequence counts only after `renju` has played it out against every reply.
//!
//! *Related squares* are where a stone of the defender's, put before the sequence begins, could upset it: the cells of
//! its lines; and, since nothing but fours can be put in between, those that share a window of five with two stones that
//! he has or may get on the way, where the attacker has none.

use super::board::{Board, Cells};
use super::operators::{Step, Threat, beyond};
use super::renju::Followed;
use super::shapes::{LOWER, MARGIN};
use super::space::{LONGEST, Space, Want};
use endspiel_game::{Counter, Player};
use endspiel_rules::gomoku::Rule;

/// So many potential sequences are checked before giving up.
const TRIES: usize = 20;
/// Sequences of at most so many threats are looked for, then longer ones.
const LENGTHS: [usize; 3] = [3, 5, 9];
/// So many positions of the defender's fours are followed.
const POSITIONS: usize = 100;
/// All checks of a call together may take so many times the nodes of a search.
const CHECKS: u64 = 2;

/// Finds winning sequences of threats.
#[derive(Clone, Debug)]
pub struct Sequences {
    space: Space,
    counter: Space,
    reached: Vec<Stones>,
    followed: Followed,
    /// The defender's fours of a check, where they are asked for.
    tried: Option<Vec<Counter<usize>>>,
    /// Nodes of a search.
    nodes: u64,
    /// Nodes left for the checks of this call.
    left: u64,
    /// Nodes of all searches so far.
    pub spent: u64,
}

/// A winning sequence with what was tried against it.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    steps: Vec<Step>,
    /// The fours of the defender's, as often as they were met with.
    pub tried: Vec<Counter<usize>>,
    /// The positions that they lead to.
    pub positions: usize,
}

impl Checked {
    /// The attacker's moves, each with all its replies.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = (usize, Vec<usize>)> + '_ {
        let cell = |&cell: &u16| cell as usize;
        self.steps.iter().map(move |step| (step.attack() as usize, step.replies().iter().map(cell).collect()))
    }
}

/// The stones of the attacker and of the defender.
type Stones = [Cells; 2];

impl Sequences {
    /// Each search of at most so many nodes.
    pub fn new(nodes: u64) -> Self {
        Self {
            space: Space::default(),
            counter: Space::default(),
            reached: Vec::new(),
            followed: Followed::default(),
            tried: None,
            nodes,
            left: 0,
            spent: 0,
        }
    }

    /// A sequence by which the attacker, to move, wins whatever the defender does; none where none is found.
    pub fn find(&mut self, board: &Board, attacker: Player) -> Option<Vec<Threat>> {
        let steps = self.win(board, attacker)?;
        Some(steps.iter().map(Threat::new).collect())
    }

    /// The same with its related squares: on every other cell a stone of the defender's leaves it as it is. All cells
    /// are related in renju.
    pub fn find_related(&mut self, board: &Board, attacker: Player) -> Option<(Vec<Threat>, Cells)> {
        let (steps, zone) = self.steps(board, attacker)?;
        Some((steps.iter().map(Threat::new).collect(), zone))
    }

    /// The same as steps that can be tried elsewhere.
    pub(super) fn steps(&mut self, board: &Board, attacker: Player) -> Option<(Vec<Step>, Cells)> {
        let steps = self.win(board, attacker)?;
        let zone = self.related(board, attacker, &steps);
        Some((steps, zone))
    }

    /// Does a sequence that was found elsewhere win here, whatever the defender does?
    pub(super) fn holds(&mut self, board: &Board, attacker: Player, steps: &[Step]) -> bool {
        let defender = attacker.other();
        // A four of the defender's comes before any threat.
        if !board.fives(defender).is_empty() {
            return false;
        }
        self.left = CHECKS * self.nodes;
        !self.is_refuted(board, attacker, steps)
            && (board.rule() != Rule::Renju || self.followed.wins(board, attacker, steps))
    }

    /// A winning sequence whose check is told: it is made once more, and what it looks at is written down.
    pub(crate) fn checked(&mut self, board: &Board, attacker: Player) -> Option<Checked> {
        let steps = self.win(board, attacker)?;
        self.left = CHECKS * self.nodes;
        self.tried = Some(Vec::new());
        let refuted = self.is_refuted(board, attacker, &steps);
        let tried = self.tried.take().unwrap_or_default();
        let positions = self.reached.len().saturating_sub(1);
        (!refuted).then_some(Checked { steps, tried, positions })
    }

    /// Does it win here too?
    pub(crate) fn stands(&mut self, board: &Board, attacker: Player, checked: &Checked) -> bool {
        self.holds(board, attacker, &checked.steps)
    }

    /// The first move of such a sequence.
    pub fn first_move(&mut self, board: &Board, attacker: Player) -> Option<usize> {
        self.win(board, attacker)?.first().map(|step| step.attack() as usize)
    }

    fn win(&mut self, board: &Board, attacker: Player) -> Option<Vec<Step>> {
        let defender = attacker.other();
        let threats = [board.fives(attacker), board.fours(attacker), board.threes(attacker)];
        if threats.iter().all(|cells| cells.is_empty()) {
            return None;
        }
        // Against a four of the defender's nothing but a five helps; against a three of his, fours.
        let category = match () {
            () if !board.fives(attacker).is_empty() => 0,
            () if !board.fives(defender).is_empty() => return None,
            () if !board.straights(defender).is_empty() => 1,
            () => 2,
        };
        let exactly = exactly(board.rule(), attacker);
        self.left = CHECKS * self.nodes;
        self.space.take(board, attacker);
        let mut known = 0;
        for longest in LENGTHS {
            let want = Want { category, exactly, longest, goals: Cells::EMPTY, first: false };
            if known == 0 {
                self.space.search(board.geometry(), &want, self.nodes);
            } else {
                self.space.deepen(board.geometry(), &want, self.nodes);
            }
            self.spent += (self.space.size() - known) as u64;
            let mut solutions: Vec<usize> = self.space.solutions().filter(|&node| node >= known).collect();
            solutions.sort_by_key(|&node| self.space.length(node));
            for node in solutions.into_iter().take(TRIES) {
                let steps = self.space.path(node);
                if !self.is_refuted(board, attacker, &steps)
                    && (board.rule() != Rule::Renju || self.followed.wins(board, attacker, &steps))
                {
                    return Some(steps);
                }
            }
            if self.space.complete || self.space.out || self.left == 0 {
                break;
            }
            known = self.space.size();
        }
        None
    }

    /// The related squares of the sequence whose check has just ended.
    fn related(&mut self, board: &Board, attacker: Player, steps: &[Step]) -> Cells {
        if board.rule() == Rule::Renju {
            return board.empty();
        }
        let geometry = board.geometry();
        let cells = |step: &Step| [step.stones(), step.empty()].concat();
        let mut zone: Cells = steps.iter().flat_map(cells).map(|cell| cell as usize).collect();
        let put = self.reached.iter().fold(Cells::EMPTY, |put, [_, other]| put | *other);
        self.counter.lay(geometry, &[put, *board.stones(attacker)]);
        for (&stones, line) in self.counter.lines().iter().zip(&geometry.lines) {
            let (inside, put, own) = (line.inside & LOWER, stones & LOWER, stones >> 32);
            if put.count_ones() < 2 {
                continue;
            }
            for start in MARGIN..MARGIN + (inside.count_ones() as usize).saturating_sub(4) {
                let window = 31u64 << start;
                if own & window == 0 && (put & window).count_ones() >= 2 {
                    (start..start + 5).for_each(|bit| zone.insert(line.cell(bit)));
                }
            }
        }
        zone & board.empty()
    }

    /// Can the defender upset a potential sequence, as far as can be excluded?
    fn is_refuted(&mut self, board: &Board, attacker: Player, steps: &[Step]) -> bool {
        let (geometry, grid, exactly) = (board.geometry(), board.grid(), exactly(board.rule(), attacker));
        let stones = [*board.stones(attacker), *board.stones(attacker.other())];
        self.reached.clear();
        self.reached.push(stones);
        for (i, step) in steps.iter().enumerate() {
            // 1. The attack, in every position that the defender may have reached.
            let line = exactly.then(|| Threat::new(step).line);
            for [own, other] in &mut self.reached {
                let cell = |cell: &u16| *cell as usize;
                let stands = step.stones().iter().map(cell).all(|cell| own.contains(cell))
                    && step.empty().iter().map(cell).all(|cell| !own.contains(cell) && !other.contains(cell))
                    && line.iter().all(|line| beyond(grid, line).all(|cell| !own.contains(cell)));
                if !stands {
                    return true;
                }
                own.insert(step.attack() as usize);
            }
            // 2. What the defender may do in between.
            match step.category {
                0 => return false,
                1 => {
                    for &[own, other] in &self.reached {
                        self.counter.take_more(board, attacker.other(), &[other, own]);
                        if self.counter.has_five(geometry) {
                            return true;
                        }
                    }
                    if step.replies().is_empty() {
                        return false;
                    }
                }
                _ => {
                    let rest = steps[i..].iter().flat_map(Step::filled).map(|&cell| cell as usize);
                    if self.counters(board, attacker, i, rest.collect()) {
                        return true;
                    }
                }
            }
            // 3. All replies.
            for [own, other] in &mut self.reached {
                for reply in step.replies().iter().map(|&reply| reply as usize) {
                    if !own.contains(reply) {
                        other.insert(reply);
                    }
                }
            }
        }
        true
    }

    /// Follows the fours of the defender's from each position after a step, and adds where they lead. Does he get what he
    /// wants?
    fn counters(&mut self, board: &Board, attacker: Player, step: usize, goals: Cells) -> bool {
        let (geometry, defender) = (board.geometry(), attacker.other());
        let want = Want { category: 1, exactly: false, longest: LONGEST, goals, first: true };
        let mut next = 0;
        while let Some(&[own, other]) = self.reached.get(next) {
            next += 1;
            self.counter.take_more(board, defender, &[other, own]);
            self.counter.search(geometry, &want, self.nodes);
            let size = self.counter.size() as u64;
            self.spent += size;
            self.left = self.left.saturating_sub(1 + size);
            let wins = !self.counter.complete || self.counter.solutions().next().is_some();
            if wins || self.reached.len() > POSITIONS || self.left == 0 {
                return true;
            }
            if let Some(tried) = &mut self.tried {
                for four in self.counter.key_classes().flat_map(|node| self.counter.steps(node)) {
                    if let &[threat, answer] = four.filled() {
                        let (threat, answer) = (threat as usize, answer as usize);
                        tried.push(Counter { after: 2 * step + 1, threat, answer });
                    }
                }
            }
            for node in self.counter.key_classes() {
                let mut position = [own, other];
                for step in self.counter.steps(node) {
                    position[1].insert(step.attack() as usize);
                    step.replies().iter().for_each(|&reply| position[0].insert(reply as usize));
                }
                if !self.reached.contains(&position) {
                    self.reached.push(position);
                }
            }
        }
        false
    }
}

/// Does only a line of exactly five win for a player?
fn exactly(rule: Rule, player: Player) -> bool {
    match rule {
        Rule::Free => false,
        Rule::Standard => true,
        Rule::Renju => player == Player::FIRST,
    }
}
