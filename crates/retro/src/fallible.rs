//! Players who err, and how long they take: the predictor of G. Haworth and R. Andrist, Model Endgame Analysis (2003).
//!
//! A player of some competence chooses by how it likes the states that its moves leave (`states.rs`). Against an opponent who
//! never errs, the state before each of its moves is a Markov chain. Its matrix holds the averages over all positions of
//! a state; expected numbers of moves, and the chance to win after all, are solutions of linear systems (`absorb.rs`). In the paper a win is
//! never given away: such a player *keeps* outcomes, and chooses among the moves that do.
//! Cost: all moves of all positions of the player once, whatever the number of competences.

use crate::absorb::Absorbing;
use crate::probe::worth;
use crate::states::{Scale, State, greatest, widened};
use crate::work::Stage;
use crate::{Indexed, Known, Metric, Stopped, Work, closure};
use endspiel_game::{Player, Position};

/// Positions of a piece of work.
const CHUNK: usize = 1 << 13;
/// Threads take no more pieces than this, since each has sums of its own.
const PIECES: usize = 256;

/// Whose chains are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Errant<'a> {
    /// The player, who is to move.
    pub player: Player,
    /// The competences.
    pub competences: &'a [f64],
    /// Is no outcome ever given away?
    pub keeps: bool,
}

/// How the state changes from move to move of a player with one competence.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The competence.
    pub competence: f64,
    /// The greatest depths, by which states are numbered.
    pub scale: Scale,
    /// From each state to each.
    rows: Vec<Vec<f64>>,
    /// Which states occur.
    occurs: Vec<bool>,
}

/// The chains of a player on the positions of a slice, each position counted with its weight. The tables of the slice and of
/// what it converts into must be known.
pub fn chains<I: Indexed>(
    game: &I,
    slice: I::Slice,
    (known, metric): (&Known<I::Slice>, Metric),
    who: &Errant<'_>,
    work: &Work<'_>,
) -> Result<Vec<Chain>, Stopped> {
    let size = game.size(slice) as usize;
    let scale = scale_of(game, slice, (known, metric), who.player);
    let tastes: Vec<Taste> = who.competences.iter().map(|&c| Taste::new(scale, c)).collect();
    let stage = Stage { doing: "moves", pass: 1, changed: None };
    let chunk = CHUNK.max(size.div_ceil(PIECES));
    let sums = work.share(stage, size.div_ceil(chunk), size as u64, |piece| {
        let mut sums = vec![Sums::new(scale); tastes.len()];
        let mut left = Vec::new();
        for index in piece * chunk..((piece + 1) * chunk).min(size) {
            let Some(number) = known.get(&slice, index as u64) else { continue };
            let state = State::before(metric.read(number, 1));
            let Some(position) = game.position(slice, index as u64) else { continue };
            if game.mover(&position) != who.player || state == State::Loss(0) {
                continue;
            }
            left.clear();
            position.moves(|m| {
                let value = |next: &I::Position| {
                    let (to, number) = game.place(next)?;
                    known.get(&to, number)
                };
                let label = worth(game, metric, &position, slice, m, |next| Ok(value(next).unwrap_or(0)));
                left.extend(label.ok().map(State::after));
            });
            let best = left.iter().map(|state| state.sign()).max();
            if who.keeps {
                left.retain(|state| Some(state.sign()) == best);
            }
            let weight = game.weight(&position);
            for (sums, taste) in sums.iter_mut().zip(&tastes) {
                sums.add(state, &left, taste, weight);
            }
        }
        sums
    })?;
    Ok(tastes
        .iter()
        .enumerate()
        .map(|(i, taste)| {
            let mut all = Sums::new(scale);
            for part in &sums {
                all.join(&part[i]);
            }
            all.chain(taste.competence)
        })
        .collect())
}

/// The greatest depths of a player of the slice's own positions.
fn scale_of<I: Indexed>(
    game: &I,
    slice: I::Slice,
    (known, metric): (&Known<I::Slice>, Metric),
    player: Player,
) -> Scale {
    let of = |slice: I::Slice| {
        known.table(&slice).map(|table| greatest(game, slice, table, metric)).unwrap_or_default()
    };
    let mut depths = of(slice);
    if metric.goes_on() {
        let below = closure(game, &[slice]).into_iter().filter(|&below| below != slice);
        depths = widened(depths, below.map(of));
    }
    let [wins, losses] = if player == Player::FIRST { depths } else { [depths[1], depths[0]] };
    Scale { wins, losses }
}

/// How states are liked, by number.
struct Taste {
    competence: f64,
    scale: Scale,
    /// Beside a win at once.
    likings: Vec<f64>,
    /// Where all is lost, beside the deepest loss, so that great competences do not vanish.
    lost: Vec<f64>,
}

impl Taste {
    fn new(scale: Scale, competence: f64) -> Self {
        let liking = |number: usize, than: f64| {
            let worse = scale.badness(scale.state(number)) - than;
            if worse == 0.0 { 1.0 } else { (-competence * worse).exp() }
        };
        let deepest = scale.badness(State::Loss(scale.losses));
        let all = |than: f64| (0..scale.states()).map(|number| liking(number, than)).collect();
        Self { competence, scale, likings: all(0.0), lost: all(deepest) }
    }
}

/// Sums of weighted chances, by the state before and after a move.
#[derive(Clone, Debug)]
struct Sums {
    scale: Scale,
    rows: Vec<(f64, Vec<f64>)>,
}

impl Sums {
    fn new(scale: Scale) -> Self {
        Self { scale, rows: vec![(0.0, Vec::new()); scale.states()] }
    }

    fn add(&mut self, state: State, left: &[State], taste: &Taste, weight: f64) {
        let lost = left.iter().all(|state| state.sign() < 0);
        let likings = if lost { &taste.lost } else { &taste.likings };
        let all: f64 = left.iter().map(|&to| likings[taste.scale.number(to)]).sum();
        if all <= 0.0 {
            return;
        }
        let (sum, row) = &mut self.rows[self.scale.number(state)];
        *sum += weight;
        row.resize(self.scale.states(), 0.0);
        for &to in left {
            // A perfect winner is one move nearer when it is this player's turn again.
            let then = if let State::Loss(depth) = to { State::Loss(depth.saturating_sub(1)) } else { to };
            row[self.scale.number(then)] += weight * likings[taste.scale.number(to)] / all;
        }
    }

    fn join(&mut self, other: &Self) {
        for ((sum, row), (more, chances)) in self.rows.iter_mut().zip(&other.rows) {
            *sum += more;
            row.resize(row.len().max(chances.len()), 0.0);
            row.iter_mut().zip(chances).for_each(|(a, b)| *a += b);
        }
    }

    fn chain(self, competence: f64) -> Chain {
        let (mut rows, mut occurs) = (Vec::new(), Vec::new());
        let size = self.scale.states();
        for (number, (sum, mut row)) in self.rows.into_iter().enumerate() {
            row.resize(size, 0.0);
            row.iter_mut().filter(|_| sum > 0.0).for_each(|chance| *chance /= sum);
            // What is over stays so.
            if [0, size - 1].contains(&number) {
                row = vec![0.0; size];
                row[number] = 1.0;
            }
            occurs.push(sum > 0.0);
            rows.push(row);
        }
        Chain { competence, scale: self.scale, rows, occurs }
    }
}

impl Chain {
    /// The chances from each state (a row) to each, by their numbers in the scale; all 0 where a state does not occur.
    pub fn matrix(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// The greatest depth at which this player has to move and wins, or else loses.
    pub fn deepest(&self, wins: bool) -> usize {
        let deep = |depth: &usize| {
            let state = if wins { State::Win(*depth) } else { State::Loss(*depth) };
            self.occurs[self.scale.number(state)]
        };
        (1..=if wins { self.scale.wins } else { self.scale.losses }).rev().find(deep).unwrap_or(0)
    }

    /// The moves on the average until a win is won or given away, by depth; 0 at depth 0.
    pub fn expected_moves(&self) -> Vec<f64> {
        self.moves_in((1..=self.scale.wins).map(State::Win))
    }

    /// The moves on the average that are made in a lost position until it is over, by depth of the loss.
    pub fn moves_held(&self) -> Vec<f64> {
        self.moves_in((1..=self.scale.losses).map(State::Loss))
    }

    /// The chance to win in the end, by depth: 1 for who keeps outcomes.
    pub fn chance_to_win(&self) -> Vec<f64> {
        let (numbers, chain) = self.absorbing((1..=self.scale.wins).map(State::Win));
        let to = |wanted: &dyn Fn(usize) -> bool| -> Vec<f64> {
            let out = |&i: &usize| {
                let chances = self.rows[i].iter().enumerate().filter(|(j, _)| wanted(*j));
                chances.map(|(_, chance)| chance).sum()
            };
            chain.gains(&numbers.iter().map(out).collect::<Vec<f64>>())
        };
        let (won, lost) = (to(&|j| j == 0), to(&|j| j > self.scale.wins));
        // Together they are 1, but for rounding: the share of one is never more.
        let shares =
            won.iter().zip(&lost).map(|(&won, &lost)| if won > 0.0 { won / (won + lost) } else { 0.0 });
        std::iter::once(1.0).chain(shares).collect()
    }

    /// The moves on the average until these states are left, by state; 0 in front.
    fn moves_in(&self, states: impl Iterator<Item = State>) -> Vec<f64> {
        let (numbers, chain) = self.absorbing(states);
        std::iter::once(0.0).chain(chain.gains(&vec![1.0; numbers.len()])).collect()
    }

    /// These states by number, and the chain on them.
    fn absorbing(&self, states: impl Iterator<Item = State>) -> (Vec<usize>, Absorbing) {
        let numbers: Vec<usize> = states.map(|state| self.scale.number(state)).collect();
        let rows = numbers.iter().map(|&i| numbers.iter().map(|&j| self.rows[i][j]).collect());
        let exit = |&i: &usize| {
            let out = self.rows[i].iter().enumerate().filter(|(j, _)| !numbers.contains(j));
            out.map(|(_, chance)| chance).sum()
        };
        let chain = Absorbing::new(rows.collect(), numbers.iter().map(exit).collect());
        (numbers, chain)
    }

    /// The chance to have won after so many moves, by depth.
    pub fn won_within(&self, moves: usize) -> Vec<f64> {
        let mut won: Vec<f64> = (0..self.rows.len()).map(|state| f64::from(u8::from(state == 0))).collect();
        for _ in 0..moves {
            won = self.rows.iter().map(|row| row.iter().zip(&won).map(|(a, b)| a * b).sum()).collect();
        }
        won.truncate(self.scale.wins + 1);
        // Sums of chances may be a little more than 1.
        for chance in &mut won {
            *chance = chance.min(1.0);
        }
        won
    }
}
