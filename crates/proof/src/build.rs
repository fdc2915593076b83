//! Builds strategies: walks from the root, asks an advisor at each new position of the prover's, and follows
//! every reply of the opponent's.
//!
//! The advisor (a solver, a database) may be wrong; then building fails, or the checker refuses the result.
//! In games with cycles the strategy then gets ranks (see `ranks.rs`); where the advice goes round in circles
//! that are not good enough, other moves among the positions met are tried. What the chosen moves do not
//! reach is left out.
//!
//! Cost: one expansion a record; memory twice a record's and some twenty bytes more, and in games with cycles four
//! for each reply.

use crate::ground::Ground;
use crate::hole::{Fault, Hole};
use crate::ranks::{Choice, Graph, repair};
use crate::records::{Codes, Records};
use crate::step::Step;
use endspiel_game::{
    Advisor, Bounds, Budget, Notation, Observer, Progress, Question, Source, Symmetric, TwoPlayer,
};
use std::time::{Duration, Instant};

/// What to play for one claim, in every position of the prover's that can arise.
#[derive(Clone, Debug)]
pub struct Strategy {
    pub(crate) claim: Question,
    pub(crate) folded: bool,
    pub(crate) records: Records,
    /// The databases that it rests on.
    pub(crate) rests: Vec<Source>,
}

impl Strategy {
    /// What it is to prove.
    pub fn claim(&self) -> Question {
        self.claim
    }

    /// The databases that it rests on beside the rules.
    pub fn rests_on(&self) -> &[Source] {
        &self.rests
    }

    /// For how many positions it has a move.
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.records.memory()
    }
}

/// Why a strategy could not be built. Positions are in the game's notation.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The advisor knows no move.
    #[error("no advice at '{position}'")]
    NoAdvice {
        /// Where.
        position: String,
    },
    /// The advised move is not legal.
    #[error("the move advised at '{position}' is not legal")]
    Illegal {
        /// Where.
        position: String,
    },
    /// The advice does not lead to what is claimed.
    #[error(transparent)]
    Hole(Box<Hole>),
    /// The advice goes round in circles.
    #[error("no way to get on from '{position}': play goes round for ever, and that is not good enough")]
    NoProgress {
        /// Where.
        position: String,
    },
    /// The position has more moves, a longer code or more company than the format can hold.
    #[error("'{position}' is too large for a certificate: {what}")]
    TooLarge {
        /// Where.
        position: String,
        /// What is too large.
        what: &'static str,
    },
    /// The budget's memory does not suffice.
    #[error("the {} KiB of memory for the strategy are used up after {records} positions; it takes more", allowed >> 10)]
    Memory {
        /// What was allowed.
        allowed: usize,
        /// How many positions were met.
        records: usize,
    },
    /// The budget's nodes (here positions of the prover's) or time are used up, or a stop was asked for.
    #[error("stopped after {records} positions")]
    Stopped {
        /// How many positions were met.
        records: usize,
    },
}

/// Builds a strategy for `claim` at `root` from the moves of an advisor. With `folded`, positions that are
/// images of each other share a record, and the advisor is asked about one image of each only.
pub fn build<P: TwoPlayer + Notation + Symmetric>(
    root: &P,
    claim: Question,
    folded: bool,
    advisor: &mut dyn Advisor<P>,
    budget: &Budget,
    observer: &dyn Observer<P::Move>,
) -> Result<Strategy, BuildError> {
    build_on(root, claim, folded, advisor, None, budget, observer)
}

/// The same, on databases: a position that they settle needs no move.
pub fn build_on<P: TwoPlayer + Notation + Symmetric>(
    root: &P,
    claim: Question,
    folded: bool,
    advisor: &mut dyn Advisor<P>,
    ground: Option<&Ground<'_, P>>,
    budget: &Budget,
    observer: &dyn Observer<P::Move>,
) -> Result<Strategy, BuildError> {
    if let Some(ground) = ground {
        ground.forget();
    }
    let mut builder = Builder {
        root,
        claim,
        folded,
        codes: Codes::default(),
        moves: Vec::new(),
        graph: Graph::default(),
        step: Step::new(claim, ground),
        next: Vec::new(),
    };
    builder.collect(advisor, budget, observer)?;
    let Builder { codes, .. } = &builder;
    let mut reached = vec![true; codes.len()];
    let mut ranks = Vec::new();
    if P::CYCLIC {
        let mut found = builder.graph.ranks();
        if found.iter().any(Option::is_none) {
            builder.improve(&mut found)?;
            // Other moves lead elsewhere.
            if let Some(ground) = ground {
                ground.forget();
            }
            reached = builder.reached(&found)?;
        }
        ranks = found.into_iter().map(Option::unwrap_or_default).collect();
    }
    let records = Records { codes: builder.codes, moves: builder.moves, ranks };
    let rests = ground.map(Ground::needed).unwrap_or_default();
    Ok(Strategy { claim, folded, records: records.sorted(|i| reached[i]), rests })
}

struct Builder<'a, P: TwoPlayer> {
    root: &'a P,
    claim: Question,
    folded: bool,
    codes: Codes,
    moves: Vec<u16>,
    /// Filled in games with cycles only.
    graph: Graph,
    step: Step<'a, P>,
    /// The records that the last step leads to.
    next: Vec<u32>,
}

impl<P: TwoPlayer + Notation + Symmetric> Builder<'_, P> {
    /// Walks through all that can arise if the prover follows the advice.
    fn collect(
        &mut self,
        advisor: &mut dyn Advisor<P>,
        budget: &Budget,
        observer: &dyn Observer<P::Move>,
    ) -> Result<(), BuildError> {
        let meter = budget.start();
        let stride = meter.stride();
        let (mut met, mut told) = (0, Instant::now());
        let mut stack = Vec::new();
        self.expand(self.root, None)?;
        self.enter(&mut stack)?;
        while let Some((position, record)) = stack.pop() {
            if self.memory(stack.capacity()) > budget.memory {
                return Err(BuildError::Memory { allowed: budget.memory, records: self.codes.len() });
            }
            met += 1;
            if met == stride {
                let records = self.codes.len();
                if meter.spend(met) {
                    return Err(BuildError::Stopped { records });
                }
                met = 0;
                if told.elapsed() > Duration::from_millis(200) {
                    told = Instant::now();
                    let bounds = Bounds::open(self.root);
                    let nodes = records as u64;
                    let doing = "writing the strategy down";
                    observer.progress(&Progress {
                        doing,
                        nodes,
                        depth: None,
                        share: None,
                        bounds,
                        estimate: None,
                        line: &[],
                    });
                }
            }
            let place = || position.write();
            let advice = advisor.advise(&position, self.claim);
            let advice = advice.ok_or_else(|| BuildError::NoAdvice { position: place() })?;
            let (mut count, mut number) = (0usize, None);
            position.moves(|m| {
                if m == advice {
                    number = Some(count);
                }
                count += 1;
            });
            let number = number.ok_or_else(|| BuildError::Illegal { position: place() })?;
            self.moves[record as usize] = u16::try_from(number)
                .map_err(|_| BuildError::TooLarge { position: place(), what: "it has too many moves" })?;
            self.expand(&position, Some(advice))?;
            self.enter(&mut stack)?;
            if P::CYCLIC {
                let may_repeat = self.may_repeat(&position);
                if !self.graph.set(record, may_repeat, &self.next) {
                    return Err(BuildError::TooLarge {
                        position: place(),
                        what: "there are too many replies",
                    });
                }
            }
        }
        Ok(())
    }

    /// What is held with so much room on the stack, or what sorting will take if that is more.
    fn memory(&self, stack: usize) -> usize {
        let sorting = self.codes.len() * Records::sorting(self.codes.layout(), P::CYCLIC);
        let held = self.codes.memory() + self.moves.capacity() * 2 + stack * size_of::<(P, u32)>();
        held.max(sorting) + self.graph.memory()
    }

    /// Would coming back for ever be good enough in all positions of the step from `position`?
    fn may_repeat(&self, position: &P) -> bool {
        self.step.may_repeat && self.claim.is_met_by(position.repeated())
    }

    fn expand(&mut self, from: &P, played: Option<P::Move>) -> Result<(), BuildError> {
        let begin = played.map_or_else(|| from.clone(), |m| from.after(m));
        self.step.expand(begin).map_err(|flaw| {
            let (fault, end) = flaw.fault(self.claim);
            BuildError::Hole(Box::new(Hole::new(self.claim, from, played, fault, Some(end))))
        })
    }

    /// Takes the positions at which the step arrives into the records, and the new ones onto the stack.
    fn enter(&mut self, stack: &mut Vec<(P, u32)>) -> Result<(), BuildError> {
        self.next.clear();
        let mut code = Vec::new();
        for mut position in self.step.arrivals.drain(..) {
            if self.folded {
                position = position.canonical().0;
            }
            code.clear();
            position.encode(&mut code);
            let Some((record, new)) = self.codes.insert(&code) else {
                let what = "its code is too long, or there are too many positions";
                return Err(BuildError::TooLarge { position: position.write(), what });
            };
            self.next.push(record);
            if new {
                self.moves.push(0);
                stack.push((position, record));
            }
        }
        Ok(())
    }

    /// Looks the arrivals of the step up. False if one is not in the records.
    fn look_up(&mut self) -> bool {
        self.next.clear();
        let mut code = Vec::new();
        for position in &mut self.step.arrivals {
            if self.folded {
                *position = position.canonical().0;
            }
            code.clear();
            position.encode(&mut code);
            match self.codes.find(Codes::hash(&code), &code) {
                Some(record) => self.next.push(record),
                None => return false,
            }
        }
        true
    }

    /// Follows the chosen moves once more and calls `each` with every position and its record.
    fn replay(
        &mut self,
        mut each: impl FnMut(&mut Self, &P, u32) -> Result<(), BuildError>,
    ) -> Result<Vec<bool>, BuildError> {
        let mut seen = vec![false; self.codes.len()];
        let mut stack = Vec::new();
        let mut step = (self.root.clone(), None);
        loop {
            self.expand(&step.0, step.1)?;
            if !self.look_up() {
                let fault = Fault::NoRecord;
                return Err(BuildError::Hole(Box::new(Hole::new(self.claim, &step.0, step.1, fault, None))));
            }
            for (position, &record) in self.step.arrivals.drain(..).zip(&self.next) {
                if !seen[record as usize] {
                    seen[record as usize] = true;
                    stack.push((position, record));
                }
            }
            let Some((position, record)) = stack.pop() else { return Ok(seen) };
            each(self, &position, record)?;
            let chosen = position.move_list().get(usize::from(self.moves[record as usize])).copied();
            step = (position, chosen);
        }
    }

    /// Finds other moves for the records without a rank, among the positions met.
    fn improve(&mut self, ranks: &mut [Option<u32>]) -> Result<(), BuildError> {
        let mut choices = Vec::new();
        self.replay(|builder, position, record| {
            if ranks[record as usize].is_none() {
                for (number, m) in position.move_list().into_iter().enumerate() {
                    let Ok(number) = u16::try_from(number) else { break };
                    // A move that loses at once, or leads where no advice was asked, is no choice.
                    if builder.step.expand(position.after(m)).is_ok() && builder.look_up() {
                        let may_repeat = builder.may_repeat(position);
                        choices.push(Choice { record, number, may_repeat, next: builder.next.clone() });
                    }
                }
            }
            Ok(())
        })?;
        for (record, number) in repair(ranks, &choices) {
            self.moves[record as usize] = number;
        }
        Ok(())
    }

    /// Which records the chosen moves reach. They must have ranks.
    fn reached(&mut self, ranks: &[Option<u32>]) -> Result<Vec<bool>, BuildError> {
        self.replay(|_, position, record| match ranks[record as usize] {
            Some(_) => Ok(()),
            None => Err(BuildError::NoProgress { position: position.write() }),
        })
    }
}
