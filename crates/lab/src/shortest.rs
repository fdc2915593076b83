//! How soon can White win qubic from the empty board? Proven bounds on the plies of the shortest win.
//!
//! That White wins is known since 1980; how long it takes at the least was never published. *Within d plies* is a game of
//! its own: qubic in which White has lost when d plies are gone. Df-pn answers it for one d after the other, from both
//! sides: a no raises the lower bound, a yes lowers the upper one. Two things are seen at once: a sequence of threats
//! that wins in time, and that two stones are too few where no sequence of threats wins. Where Black is to move and White
//! would win in time if he passed, only the cells that may upset that sequence are tried; elsewhere all are. For a yes
//! White's moves are those that are worth a look without a clock; for a no, all.
//!
//! The first upper bound is the longest line of a strategy that wins without a clock, gone through against all replies.
//!
//! What is proven is kept in a file; a run goes on with the next d on either side. A d that is not finished begins anew.

use endspiel_expertise::lines::Expert;
use endspiel_game::{
    Advisor, Attack, Budget, Expertise, Game, Meter, Payoff, Player, Position, Question, Symmetric, Turn,
    TwoPlayer, mix,
};
use endspiel_rules::grid::Cell;
use endspiel_rules::qubic::{Qubic, QubicPosition};
use endspiel_search::proof_number::df_pn::{Options, Solver};
use endspiel_search::proof_number::{Initial, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// White needs four stones of his own, and cannot move later.
const LEAST: u32 = 7;
const MOST: u32 = 63;
/// The first upper bound that is tried, and how far a try goes below what is proven.
const FIRST: u32 = 45;
const STRIDE: u32 = 4;
/// Time of the first try.
const SLICE: Duration = Duration::from_secs(5);

/// What is proven: a shortest win takes at least `at_least` plies and at most `at_most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// It takes at least so many.
    pub at_least: u32,
    /// It takes at most so many, if that is known.
    pub at_most: Option<u32>,
}

impl std::fmt::Display for Bounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the shortest win takes at least {} plies, ", self.at_least)?;
        match self.at_most {
            Some(most) => write!(f, "at most {most}"),
            None => write!(f, "no upper bound yet"),
        }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self { at_least: LEAST, at_most: None }
    }
}

/// A question asked: is there a win within so many plies?
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Try {
    /// So many.
    pub plies: u32,
    /// The answer; none if it was not found in time.
    pub wins: Option<bool>,
    /// Nodes it took.
    pub nodes: u64,
    /// Time it took, in seconds.
    pub seconds: f64,
    /// What is proven now.
    pub bounds: Bounds,
}

/// Why the file of bounds cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read or written.
    #[error("cannot use {path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is not one of ours.
    #[error("{path} does not hold bounds: {what}; remove it to begin anew")]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// Qubic with a clock: White has lost when no plies are left.
#[derive(Clone, Debug)]
struct Timed {
    position: QubicPosition,
    left: u32,
}

const WHITE: Player = Player::FIRST;

impl Position for Timed {
    type Move = Cell;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { self.position.turn() }
    }

    fn moves(&self, each: impl FnMut(Cell)) {
        if self.left > 0 {
            self.position.moves(each);
        }
    }

    fn play(&mut self, m: Cell) {
        self.position.play(m);
        self.left -= 1;
    }

    fn payoff(&self) -> Payoff {
        let won = self.position.turn().is_over() && self.position.payoff().of(WHITE) > 0;
        Payoff::win(if won { WHITE } else { WHITE.other() })
    }

    fn key(&self) -> u64 {
        self.position.key() ^ clock(self.left)
    }
}

fn clock(left: u32) -> u64 {
    mix(0xC10C << 48 | u64::from(left))
}

impl TwoPlayer for Timed {
    const DRAWS: bool = false;
}

impl Symmetric for Timed {
    fn symmetries(&self) -> usize {
        self.position.symmetries()
    }

    fn image(&self, s: usize) -> Self {
        Self { position: self.position.image(s), left: self.left }
    }

    fn image_move(&self, m: Cell, s: usize) -> Cell {
        self.position.image_move(m, s)
    }

    fn canonical(&self) -> (Self, usize) {
        let (position, s) = self.position.canonical();
        (Self { position, left: self.left }, s)
    }

    fn canonical_key(&self) -> u64 {
        self.position.canonical_key() ^ clock(self.left)
    }
}

/// What is known of qubic against the clock.
#[derive(Clone, Copy, Debug)]
struct Clock {
    /// Are White's moves only those that are worth a look without a clock? Then a no proves nothing.
    narrow: bool,
}

impl Clock {
    /// White's sequence of threats, were it his turn, with the plies it takes.
    fn attack(state: &Timed) -> Option<(u32, Attack<Cell>)> {
        let begin = if state.position.mover() == WHITE { state.position } else { state.position.turned()? };
        // By threats of the first order: those are told by the bounds, and only those have a line to their end.
        if Expert.bounds(&begin).0 < 1 {
            return None;
        }
        let attack = Expert.attack(&state.position, WHITE)?;
        let end = attack.line.iter().fold(begin, |position, &m| position.after(m));
        // The last move completes a line, or leaves two to complete.
        let more = if end.turn().is_over() { 0 } else { 2 };
        Some((attack.line.len() as u32 + more, attack))
    }

    /// The cell that completes a line of Black's, with White to move.
    fn must(state: &Timed) -> Option<Cell> {
        state.position.turned()?.winning_move(None)
    }
}

impl Expertise<Timed> for Clock {
    const BOUNDS: bool = true;
    const EFFORT: bool = true;
    const KEEPS_DISTANCE: bool = false;

    fn bounds(&self, state: &Timed) -> (i32, i32) {
        if state.turn().is_over() {
            return (-1, 1);
        }
        let (low, high) = Expert.bounds(&state.position);
        if state.position.mover() != WHITE {
            // Black completes a line, or wins by threats of his own; or White can be held.
            return if low >= 0 { (1, 1) } else { (-1, 1) };
        }
        if high < 1 {
            return (-1, -1);
        }
        match Self::attack(state) {
            Some((plies, _)) if plies <= state.left => (1, 1),
            // A win by one stone completes a line, and one by two is one by threats.
            None if state.left <= 2 || state.left <= 4 && Self::must(state).is_none() => (-1, -1),
            _ => (-1, 1),
        }
    }

    fn candidates(&self, state: &Timed, mut each: impl FnMut(Cell)) {
        if state.position.mover() == WHITE {
            let wins = state.position.winning_move(None);
            return match wins.or_else(|| Self::must(state)) {
                Some(m) => each(m),
                None if self.narrow => Expert.candidates(&state.position, each),
                None => state.position.moves(each),
            };
        }
        match Self::attack(state).filter(|(plies, _)| *plies < state.left) {
            Some((_, attack)) if !attack.must.is_empty() => attack.must.into_iter().for_each(each),
            _ => state.position.moves(each),
        }
    }

    fn effort(&self, state: &Timed, question: Question) -> (u32, u32) {
        Expert.effort(&state.position, question)
    }
}

/// The file of bounds in a directory.
fn file(dir: &Path) -> PathBuf {
    dir.join("qubic-shortest.json")
}

/// What is proven so far.
pub fn known(dir: &Path) -> Result<Bounds, FileError> {
    let path = file(dir);
    let text = match std::fs::read_to_string(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Bounds::default()),
        text => text.map_err(|source| FileError::File { path: path.clone(), source })?,
    };
    let broken = |what: String| FileError::Broken { path: path.clone(), what };
    let bounds: Bounds = serde_json::from_str(&text).map_err(|e| broken(e.to_string()))?;
    let odd = bounds.at_least % 2 == 1 && bounds.at_most.is_none_or(|n| n % 2 == 1);
    let ordered = (LEAST..=MOST).contains(&bounds.at_least)
        && bounds.at_most.is_none_or(|n| (bounds.at_least..=MOST).contains(&n));
    if odd && ordered { Ok(bounds) } else { Err(broken("they are no numbers of plies".into())) }
}

fn keep(dir: &Path, bounds: Bounds) -> Result<(), FileError> {
    let path = file(dir);
    let failed = |source| FileError::File { path: path.clone(), source };
    std::fs::create_dir_all(dir).map_err(failed)?;
    let text = serde_json::to_string(&bounds).map_err(|e| failed(e.into()))?;
    // Whole or not at all.
    let fresh = path.with_extension("new");
    std::fs::write(&fresh, text).and_then(|()| std::fs::rename(&fresh, &path)).map_err(failed)
}

/// A question with the table of its search.
struct Side {
    plies: u32,
    clock: Clock,
    solver: Solver<Timed, Clock>,
}

impl Side {
    fn new(plies: u32, narrow: bool, budget: &Budget) -> Self {
        let options = Options { initial: Initial::Effort, ..Options::default() };
        let half = Budget { memory: budget.memory / 2, ..budget.clone() };
        Self { plies, clock: Clock { narrow }, solver: Solver::new(options, &half) }
    }

    fn ask(&mut self, budget: &Budget) -> (Option<bool>, u64) {
        let root = Timed { position: Qubic.start(), left: self.plies };
        let question = Question { player: WHITE, at_least: 1 };
        let found = self.solver.prove(&root, question, &self.clock, &budget.start());
        let wins = match found.verdict {
            Verdict::Yes => Some(true),
            Verdict::No => Some(false),
            Verdict::Unknown => None,
        };
        (wins, found.counts.nodes)
    }
}

/// The plies of the longest line of a strategy by which White wins from the empty board: one that df-pn finds without a
/// clock, with sequences of threats at its ends; none if the budget ends before. And the nodes it took.
fn longest(budget: &Budget) -> (Option<u32>, u64) {
    let options = Options { initial: Initial::Effort, ..Options::default() };
    let (mut solver, meter) = (Solver::new(options, budget), budget.start());
    let (root, question) = (Qubic.start(), Question { player: WHITE, at_least: 1 });
    let found = solver.prove(&root, question, &Expert, &meter);
    let mut walk = Walk { solver, meter: &meter, known: HashMap::new() };
    let plies = if found.verdict == Verdict::Yes { walk.longest(&root) } else { None };
    (plies, found.counts.nodes + walk.known.len() as u64)
}

/// Goes through White's strategy.
struct Walk<'a> {
    solver: Solver<QubicPosition, Expert>,
    meter: &'a Meter,
    known: HashMap<u64, u32>,
}

impl Walk<'_> {
    /// With White to move, against every reply of Black's.
    fn longest(&mut self, position: &QubicPosition) -> Option<u32> {
        let state = Timed { position: *position, left: 64 };
        if let Some((plies, _)) = Clock::attack(&state) {
            return Some(plies);
        }
        let key = position.canonical_key();
        if let Some(&plies) = self.known.get(&key) {
            return Some(plies);
        }
        // df-pn and this walk spend of one budget.
        if self.meter.spend(1) {
            return None;
        }
        let m = self.solver.advise(position, Question { player: WHITE, at_least: 1 })?;
        let after = position.after(m);
        let mut most = 1;
        if !after.turn().is_over() {
            for reply in after.move_list() {
                let next = after.after(reply);
                if next.turn().is_over() {
                    return None;
                }
                most = most.max(2 + self.longest(&next)?);
            }
        }
        self.known.insert(key, most);
        Some(most)
    }
}

/// Closes in from both sides in turn until the bounds meet or the budget ends; tells `each` of every try.
pub fn run(dir: &Path, budget: &Budget, mut each: impl FnMut(&Try) -> bool) -> Result<Bounds, FileError> {
    let mut bounds = known(dir)?;
    let meter = budget.start();
    let left = || budget.time.map(|time| time.saturating_sub(meter.elapsed()));
    // 1. A strategy without a clock has a longest line; half of the time is for that.
    if bounds.at_most.is_none() {
        let begun = Instant::now();
        let part = Budget { time: left().map(|left| left / 2), ..budget.clone() };
        let (plies, nodes) = longest(&part);
        meter.spend(nodes);
        if plies.is_some() {
            bounds.at_most = plies;
            keep(dir, bounds)?;
        }
        let (wins, plies) = (plies.map(|_| true), plies.unwrap_or(MOST));
        let seconds = begun.elapsed().as_secs_f64();
        if !each(&Try { plies, wins, nodes, seconds, bounds }) {
            return Ok(bounds);
        }
    }
    // 2. Both sides in turn.
    let next_above = |bounds: Bounds, stride: u32| match bounds.at_most {
        None => FIRST,
        Some(most) => most.saturating_sub(stride).max(bounds.at_least),
    };
    let mut sides =
        [Side::new(bounds.at_least, false, budget), Side::new(next_above(bounds, STRIDE), true, budget)];
    let mut slices = [SLICE; 2];
    while bounds.at_most != Some(bounds.at_least) && !meter.spend(0) {
        for which in [1, 0] {
            if meter.is_out() || bounds.at_most == Some(bounds.at_least) {
                break;
            }
            let (begun, before) = (Instant::now(), bounds);
            let slice = left().map_or(slices[which], |left| left.min(slices[which]));
            let part = Budget { nodes: Some(meter.left()), time: Some(slice), ..budget.clone() };
            let (wins, nodes) = sides[which].ask(&part);
            meter.spend(nodes);
            let Side { plies, clock: Clock { narrow }, .. } = sides[which];
            match wins {
                Some(true) => bounds.at_most = Some(bounds.at_most.map_or(plies, |most| most.min(plies))),
                Some(false) if !narrow => bounds.at_least = bounds.at_least.max(plies + 2),
                Some(false) => {}
                None => slices[which] *= 2,
            }
            if bounds != before {
                keep(dir, bounds)?;
            }
            // Where a large step is too hard a smaller one may do, and where few moves do not win all may.
            let above = next_above(bounds, if bounds == before { 2 } else { STRIDE });
            if sides[0].plies < bounds.at_least {
                sides[0] = Side::new(bounds.at_least, false, budget);
            }
            if (bounds != before || which == 1) && sides[1].plies != above {
                sides[1] = Side::new(above, true, budget);
            } else if which == 1 && wins == Some(false) {
                sides[1] = Side::new(plies, false, budget);
            }
            let seconds = begun.elapsed().as_secs_f64();
            if !each(&Try { plies, wins: wins.filter(|&wins| wins || !narrow), nodes, seconds, bounds }) {
                return Ok(bounds);
            }
        }
    }
    Ok(bounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By trying everything.
    fn truth(state: &Timed) -> bool {
        if state.turn().is_over() {
            return state.payoff().of(WHITE) > 0;
        }
        let mut after = state.position.move_list().into_iter().map(|m| truth(&state.after(m)));
        if state.position.mover() == WHITE { after.any(|wins| wins) } else { after.all(|wins| wins) }
    }

    #[test]
    fn small_numbers_of_plies_are_decided_as_by_trying_everything() {
        let (mut rng, mut wins) = (endspiel_game::Rng::new(3), [0; 2]);
        for round in 0..60 {
            let mut position = Qubic.start();
            for _ in 0..24 + 2 * (round % 6) {
                if let Some(m) = position.random_move(&mut rng) {
                    position.play(m);
                }
            }
            if position.turn().is_over() {
                continue;
            }
            for left in [1, 2, 3] {
                let state = Timed { position, left };
                let budget = Budget::default().with_memory(1 << 20);
                let options = Options { initial: Initial::Effort, ..Options::default() };
                let question = Question { player: WHITE, at_least: 1 };
                let found = Solver::new(options, &budget).prove(
                    &state,
                    question,
                    &Clock { narrow: false },
                    &budget.start(),
                );
                let expected = truth(&state);
                let verdict = if expected { Verdict::Yes } else { Verdict::No };
                assert_eq!(found.verdict, verdict, "{state:?}");
                wins[usize::from(expected)] += 1;
            }
        }
        assert!(wins.iter().all(|&n| n > 4), "{wins:?}");
    }

    #[test]
    fn bounds_are_kept_and_broken_files_refused() {
        let dir = std::env::temp_dir().join(format!("endspiel-shortest-{}", std::process::id()));
        assert_eq!(known(&dir).expect("no file"), Bounds::default());
        let bounds = Bounds { at_least: 9, at_most: Some(45) };
        keep(&dir, bounds).expect("a file");
        assert_eq!(known(&dir).expect("the file"), bounds);
        for text in ["", "{}", r#"{"at_least":8,"at_most":45}"#, r#"{"at_least":45,"at_most":9}"#] {
            std::fs::write(file(&dir), text).expect("a file");
            assert!(known(&dir).is_err(), "{text}");
        }
        std::fs::remove_dir_all(&dir).expect("the directory is there");
    }
}
