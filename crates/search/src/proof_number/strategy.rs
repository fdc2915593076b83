//! Moves for certificates: what a solver kept, and a new search where it forgot.
//!
//! In a game without cycles the move kept for a position is enough. In a game with cycles moves kept at
//! different times may lead round in a circle. There a whole strategy is collected from the first position
//! asked about, closed under all replies of the opponent, and remembered; a circle in it is let pass only
//! where endless play is what the winner wants. If what is kept leads round, each position is searched anew
//! with an empty table and with the line that led to it as its past. That cannot fail but for the budget: what
//! wins without coming back to its past has replies to everything that win so too.

use super::answer::Watch;
use super::history::{Keyed, Keys, Path};
use super::leaf::{Initial, Leaf};
use super::numbers::{Finding, Verdict};
use super::table::{Table, Value, key_of};
use endspiel_game::{Budget, Expertise, Player, Question, Symmetric, TwoPlayer};

/// How many positions checks and strategies may remember within a budget of so many bytes: a quarter of it, at
/// some 64 bytes each; a few thousand in any case.
pub(crate) fn positions_within(memory: usize) -> usize {
    (memory / 4 / 64).max(1 << 12)
}

/// The strategies collected so far: for a position of the winner's the key of the position to go to.
#[derive(Default)]
pub(crate) struct Strategy {
    go_to: Keyed<u64>,
}

/// What advice needs of a solver.
pub(crate) trait Prover<P: TwoPlayer> {
    /// What it knows beyond the rules.
    type Expertise: Expertise<P>;

    /// Its table, the strategies collected, its expertise; none if it was never asked anything.
    fn parts(&mut self) -> Option<(&mut Table, &mut Strategy, &Self::Expertise)>;

    /// Answers a question about the position at the end of a path, at this depth.
    fn ask(
        &mut self,
        past: (Path, u32),
        root: &P,
        question: Question,
        expertise: &Self::Expertise,
        watch: &Watch<'_>,
    ) -> Finding;

    /// What a new search may spend.
    fn budget(&self) -> &Budget;

    /// The move that decided the last question, if it was the root's mover who won it.
    fn winning(&self) -> Option<P::Move>;
}

/// All tables speak of the first player's questions: the same question asked by the first player, and the
/// answer to it that the asker hopes for.
pub(crate) fn of_first<P: TwoPlayer>(question: Question) -> (Question, bool) {
    let same = question.player == Player::FIRST;
    ((if same { question } else { question.opposite() }).without_draws::<P>(), same)
}

/// A move that keeps the answer to `question` a yes.
pub(crate) fn advise<P, S>(solver: &mut S, position: &P, question: Question) -> Option<P::Move>
where
    P: TwoPlayer + Symmetric,
    S: Prover<P>,
{
    if position.turn().player() != Some(question.player) {
        return None;
    }
    let (question, yes) = of_first::<P>(question);
    if !P::CYCLIC {
        if let Some(m) = only_move(solver, position, question, yes) {
            return Some(m);
        }
        return kept_move(solver, position, question, yes, false)
            .or_else(|| new_move(solver, position, question, yes, &[]));
    }
    let key = key_of(position, question);
    let known =
        |solver: &mut S| solver.parts().and_then(|(_, strategy, _)| strategy.go_to.get(&key).copied());
    let mut found = known(solver);
    // First trust what is kept; then only what holds on every path; then start afresh.
    for trust in [Trust::All, Trust::Solved, Trust::Fresh] {
        if found.is_some() {
            break;
        }
        if let Some(strategy) = collect(solver, position, question, yes, trust) {
            solver.parts()?.1.go_to.extend(strategy);
            found = known(solver);
        }
    }
    let target = found?;
    position.move_list().into_iter().find(|&m| key_of(&position.after(m), question) == target)
}

/// The expert's one candidate where the expert's bounds say that it wins.
fn only_move<P, S>(solver: &mut S, position: &P, question: Question, yes: bool) -> Option<P::Move>
where
    P: TwoPlayer + Symmetric,
    S: Prover<P>,
{
    let (.., expertise) = solver.parts()?;
    let leaf = Leaf { question, initial: Initial::Standard, expertise };
    let wanted = if yes { Verdict::Yes } else { Verdict::No };
    if leaf.known(position)?.verdict() != wanted {
        return None;
    }
    let (mut only, mut count) = (None, 0);
    expertise.candidates(position, |m| {
        only = Some(m);
        count += 1;
    });
    only.filter(|_| count == 1)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    All,
    Solved,
    Fresh,
}

/// The move of the winner that the table remembers.
pub(crate) fn kept_move<P, S>(
    solver: &mut S,
    position: &P,
    question: Question,
    yes: bool,
    on_path: bool,
) -> Option<P::Move>
where
    P: TwoPlayer + Symmetric,
    S: Prover<P>,
{
    let (table, _, _) = solver.parts()?;
    let entry = table.probe(key_of(position, question))?;
    match entry.value {
        Value::Solved { yes: there, .. } if there == yes => {}
        Value::OnPath { yes: there, .. } if there == yes && on_path => {}
        _ => return None,
    }
    let mut likely = position.move_list();
    likely.retain(|&m| key_of(&position.after(m), question) as u16 == entry.hint);
    // Moves to images of one position are as good as each other.
    likely.sort_by_key(|&m| key_of(&position.after(m), question));
    likely.dedup_by_key(|m| key_of(&position.after(*m), question));
    if likely.len() == 1 { likely.pop() } else { None }
}

/// The move of the winner that a new search finds.
fn new_move<P, S>(
    solver: &mut S,
    position: &P,
    question: Question,
    yes: bool,
    past: &[u64],
) -> Option<P::Move>
where
    P: TwoPlayer + Symmetric,
    S: Prover<P>,
{
    let (mut path, mut depth) = Path::none();
    for &key in past {
        path.push(key, depth);
        depth += 1;
    }
    let (expertise, meter) = (solver.parts()?.2.clone(), solver.budget().start());
    let found = solver.ask((path, depth), position, question, &expertise, &Watch::quiet(&meter));
    let wanted = if yes { Verdict::Yes } else { Verdict::No };
    solver.winning().filter(|_| found.verdict == wanted)
}

/// A strategy for the winner from `root` on, closed under all replies: depth-first, so that every circle
/// shows as a step back to a position still open.
fn collect<P, S>(solver: &mut S, root: &P, question: Question, yes: bool, trust: Trust) -> Option<Keyed<u64>>
where
    P: TwoPlayer + Symmetric,
    S: Prover<P>,
{
    // The room that checks had in the search, or a little for small budgets.
    let room = positions_within(solver.budget().memory);
    let mut strategy = Keyed::default();
    let (mut open, mut done) = (Keys::default(), Keys::default());
    let mut stack: Vec<(u64, Vec<P>)> = Vec::new();
    let mut at = Some(root.clone());
    loop {
        if let Some(position) = at.take() {
            if position.turn().is_over() {
                if question.is_met_by(position.payoff()) != yes {
                    return None;
                }
            } else if let Some(told) = solver.parts()?.2.told(&position, question) {
                // Known before: no moves are needed from here on.
                if told != yes {
                    return None;
                }
            } else {
                let key = key_of(&position, question);
                if open.contains(&key) {
                    if question.is_met_by(position.repeated()) != yes {
                        return None;
                    }
                } else if !done.contains(&key) {
                    let next = if solver.parts()?.1.go_to.contains_key(&key) {
                        Vec::new()
                    } else if (position.mover() == question.player) != yes {
                        position.move_list().into_iter().map(|m| position.after(m)).collect()
                    } else {
                        let past: Vec<u64> = stack.iter().map(|(key, _)| *key).collect();
                        let child = position.after(choose(solver, &position, question, yes, trust, &past)?);
                        strategy.insert(key, key_of(&child, question));
                        vec![child]
                    };
                    open.insert(key);
                    stack.push((key, next));
                }
            }
        }
        let Some((key, next)) = stack.last_mut() else { return Some(strategy) };
        at = next.pop();
        if at.is_none() {
            open.remove(key);
            done.insert(*key);
            stack.pop();
            if strategy.len() + done.len() + solver.parts()?.1.go_to.len() > room {
                return None;
            }
        }
    }
}

/// The winner's move, trusting so much of what is kept.
fn choose<P, S>(
    solver: &mut S,
    position: &P,
    question: Question,
    yes: bool,
    trust: Trust,
    past: &[u64],
) -> Option<P::Move>
where
    P: TwoPlayer + Symmetric,
    S: Prover<P>,
{
    if trust == Trust::Fresh {
        solver.parts()?.0.clear();
        return new_move(solver, position, question, yes, past);
    }
    kept_move(solver, position, question, yes, trust == Trust::All)
        .or_else(|| new_move(solver, position, question, yes, &[]))
}
