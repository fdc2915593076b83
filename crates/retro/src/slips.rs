//! A played game beside perfect play: what each move gave away, in outcome or in depth.
//!
//! Every position of the game that the files hold is asked for all its moves. A move that is worth less than the best one
//! is a *slip*. Positions that no file holds are passed over, so a whole game can be given: its end is judged. Where depths are
//! counted, the choices are kept as the analyser of [`Belief`](crate::Belief) wants them.

use crate::probe::MoveOf;
use crate::sparring::{Depths, Source, Sparring};
use crate::states::{Scale, State};
use crate::{Choice, Error, Indexed, Label, Metric, Probe, Store};
use endspiel_game::Position;
use std::rc::Rc;

/// A judged move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged<M> {
    /// What the best move is worth to who is to move, without the lead, in the numbers of [`Metric::write`].
    pub best: i32,
    /// What the move made is worth.
    pub made: i32,
    /// The best moves.
    pub moves: Vec<M>,
    /// The choice, where depths are counted.
    pub choice: Option<Choice>,
}

impl<M> Judged<M> {
    /// Was anything given away?
    pub fn slipped(&self) -> bool {
        self.best != self.made
    }
}

/// A game's moves, judged as far as files allow.
#[derive(Debug)]
pub struct Review<M> {
    /// By the moves; none where no file holds the position.
    pub judged: Vec<Option<Judged<M>>>,
    /// The file that the last of those that could have been judged was passed over for.
    pub missing: Option<Error>,
}

/// Judges the moves of a game from `start`.
pub fn review<I: Indexed>(
    game: &I,
    store: &Store,
    metric: Metric,
    start: &I::Position,
    moves: &[MoveOf<I>],
    memory: u64,
) -> Result<Review<MoveOf<I>>, Error> {
    let mut files: Option<Sparring<'_, I>> = None;
    // A slice's depths are looked for once, however often other files are opened.
    let depths: Rc<Depths<I>> = Rc::default();
    let (mut at, mut judged, mut missing) = (start.clone(), Vec::new(), None);
    for &m in moves {
        let slice = game.place(&at).map(|(slice, _)| slice);
        if let Some(slice) = slice
            && !files.as_ref().is_some_and(|files| files.holds(slice))
        {
            match Probe::open(game, store, &[slice], metric, memory) {
                Ok(opened) => {
                    let on = Sparring::new(game, metric, Source::Files(opened));
                    files = Some(on.remembering(depths.clone()));
                }
                Err(error @ Error::Missing { .. }) => missing = Some(error),
                Err(other) => return Err(other),
            }
        }
        let here =
            slice.and_then(|slice| files.as_ref().filter(|files| files.holds(slice)).map(|f| (f, slice)));
        judged.push(match here {
            Some((files, slice)) => {
                let labels = files.labels(&at, slice)?;
                // Limits by the rule do not fall from move to move, so they tell no competence.
                let falls = metric.counts_plies() && metric != Metric::Rule;
                let scale = falls.then(|| files.scale(&at, slice)).transpose()?;
                judge((metric, game.stakes(slice)), &labels, m, scale)
            }
            None => None,
        });
        at.play(m);
    }
    Ok(Review { judged, missing })
}

fn judge<M: Copy + PartialEq>(
    (metric, stakes): (Metric, u16),
    labels: &[(M, Label)],
    m: M,
    scale: Option<Scale>,
) -> Option<Judged<M>> {
    let best = labels.iter().map(|&(_, label)| label).max()?;
    let made = labels.iter().find(|(there, _)| *there == m)?.1;
    let moves = labels.iter().filter(|(_, label)| *label == best).map(|&(m, _)| m).collect();
    let left = || labels.iter().map(|&(_, label)| State::after(label)).collect();
    let choice = scale.map(|scale| Choice { left: left(), chosen: State::after(made), scale });
    Some(Judged { best: metric.write(best, stakes), made: metric.write(made, stakes), moves, choice })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_outcome_and_of_depth_are_told_apart() {
        let labels = [(1, Label::win(7)), (2, Label::win(11)), (3, Label::win(7)), (4, Label::DRAW)];
        let scale = Scale { wins: 9, losses: 9 };
        let made = |m| judge((Metric::End, 1), &labels, m, Some(scale)).unwrap();
        assert!(!made(3).slipped() && made(2).slipped() && made(4).slipped());
        assert_eq!(made(2).moves, [1, 3]);
        assert_eq!((made(2).best, made(2).made), (7, 11));
        let left = vec![State::Win(3), State::Win(5), State::Win(3), State::Draw];
        assert_eq!(made(2).choice, Some(Choice { left, chosen: State::Win(5), scale }));
        assert_eq!((made(4).made, made(4).choice.unwrap().chosen), (0, State::Draw));
        let lost = [(1, Label::loss(4)), (2, Label::loss(8))];
        let made = judge((Metric::End, 1), &lost, 1, None).unwrap();
        assert_eq!((made.best, made.made, made.choice), (-9, -5, None));
        assert_eq!(judge((Metric::End, 1), &lost, 3, None), None, "no move of the position");
    }
}
