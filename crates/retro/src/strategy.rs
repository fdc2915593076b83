//! Strategies that choose moves by several metrics: filters one after the other, in the language of J. Tamplin and
//! G. Haworth, Chess Endgames: Data and Strategy (2003).
//!
//! A strategy is a list of *terms*. `M-` keeps the moves that lead to the best outcome and, among these, the least depth
//! to mate; `M+` the greatest. The letters are M for mate, C for conversion, Z for zeroing the count of moves; `M50` and `Z50` are
//! the same under the fifty-move rule, and other numbers of moves stand for other rules; R is the depth by the rule, and `H50` the
//! *hybrid* of `Z50`, where that wins, and `R`, where it does not. `Z0` keeps the moves that win and zero the count before
//! the phase has lasted as long as the rule of the other terms allows, which is fifty moves of both where none names one, and
//! where none does, those that zero it soonest. So `Z0 Z50- M-` never throws away a win that the rule allows, and mates soon
//! beside that.

use crate::probe::MoveOf;
use crate::{Error, Indexed, Label, Metric, Probe, Store};
use endspiel_game::{Position, TextError};
use std::collections::HashSet;
use std::fmt;

/// What is done with a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    Least,
    Most,
    InTime,
}

/// A list of filters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    terms: Vec<(Scale, Aim)>,
}

/// Metrics by which moves are judged: the first, and where nobody wins by it the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scale(Metric, Option<Metric>);

impl Scale {
    fn metrics(self) -> impl Iterator<Item = Metric> {
        std::iter::once(self.0).chain(self.1)
    }

    /// The scale of a letter and the moves behind it.
    fn read(letter: char, moves: Option<u8>) -> Option<Self> {
        let plain = match letter {
            'M' => Metric::End,
            'C' => Metric::Conversion,
            'Z' | 'H' => Metric::Zeroing,
            'R' => Metric::Rule,
            _ => return None,
        };
        match (letter, moves) {
            ('H', None) => None,
            ('H', Some(moves)) => Some(Self(plain.within(moves)?, Some(Metric::Rule))),
            (_, None) => Some(Self(plain, None)),
            (_, Some(moves)) => Some(Self(plain.within(moves)?, None)),
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self(_, Some(_)) => "H",
            Self(Metric::End | Metric::EndWithin(_), _) => "M",
            Self(Metric::Conversion | Metric::ConversionWithin(_), _) => "C",
            Self(Metric::Rule, _) => "R",
            _ => "Z",
        })?;
        self.0.moves().map_or(Ok(()), |moves| write!(f, "{moves}"))
    }
}

/// What a term is.
fn right() -> String {
    let most = Metric::MOST_MOVES;
    format!(
        "Z0, or M, C, Z or R, or M, C, Z or H with a number of moves from 1 to {most} such as Z50, with - for the least depth or \
         + for the greatest"
    )
}

impl Strategy {
    /// Reads a strategy such as `Z0 Z50- M-`.
    pub fn read(text: &str) -> Result<Self, TextError> {
        let mut terms = Vec::new();
        let mut at = 0;
        for word in text.split_inclusive(char::is_whitespace) {
            if !word.trim().is_empty() {
                terms.push(read_term(word.trim()).map_err(|e| e.shifted(at))?);
            }
            at += word.len();
        }
        if terms.is_empty() {
            return Err(TextError::new(0, "a strategy without terms", format!("terms such as {}", right())));
        }
        Ok(Self { terms })
    }

    /// The metrics that it looks at.
    pub fn metrics(&self) -> impl Iterator<Item = Metric> + '_ {
        self.terms.iter().flat_map(|&(scale, _)| scale.metrics())
    }

    /// The plies of a phase under the rule by which it plays, if it does; the shortest, where terms name several.
    pub fn phase(&self) -> Option<u16> {
        let named = self.metrics().filter_map(Metric::phase).min();
        named.or_else(|| self.terms.iter().any(|&(_, aim)| aim == Aim::InTime).then_some(Metric::PHASE))
    }
}

fn read_term(word: &str) -> Result<(Scale, Aim), TextError> {
    if word == "Z0" {
        return Ok((Scale(Metric::Zeroing, None), Aim::InTime));
    }
    let wrong = |place: usize, what: String| TextError::new(place, what, right());
    let letter = word.chars().next().filter(|letter| "MCZHR".contains(*letter)).ok_or_else(|| {
        let sign: String = word.chars().take(1).collect();
        wrong(0, format!("'{sign}' begins no term"))
    })?;
    let digits: String = word[1..].chars().take_while(char::is_ascii_digit).collect();
    let moves = match digits.as_str() {
        "" => None,
        digits => {
            let moves = digits.parse().ok().filter(|k| (1..=Metric::MOST_MOVES).contains(k));
            let moves = moves.filter(|_| !digits.starts_with('0'));
            Some(moves.ok_or_else(|| wrong(1, format!("{digits} after {letter} is no limit")))?)
        }
    };
    let read = Scale::read(letter, moves);
    let scale = read.ok_or_else(|| match moves {
        None => wrong(1, format!("{letter} without a number of moves")),
        Some(moves) => wrong(1, format!("{moves} after {letter}, which knows no limit")),
    })?;
    let behind = 1 + digits.len();
    let mut rest = word[behind..].chars();
    let aim = match rest.next() {
        Some('-') => Aim::Least,
        Some('+') => Aim::Most,
        Some(other) => return Err(wrong(behind, format!("'{other}' after {scale}"))),
        None => return Err(wrong(behind, format!("'{word}' does not say which depth"))),
    };
    match rest.next() {
        Some(other) => Err(wrong(behind + 1, format!("'{other}' after the end of a term"))),
        None => Ok((scale, aim)),
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (scale, aim)) in self.terms.iter().enumerate() {
            let sign = match aim {
                Aim::Least => "-",
                Aim::Most => "+",
                Aim::InTime => "0",
            };
            write!(f, "{}{scale}{sign}", if i > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

/// Takes from another metric the labels of moves that win for nobody.
fn fill<M: PartialEq>(labels: &mut [(M, Label)], others: &[(M, Label)]) {
    for (m, label) in labels.iter_mut().filter(|(_, label)| *label == Label::DRAW) {
        *label = others.iter().find(|(other, _)| other == m).map_or(*label, |&(_, other)| other);
    }
}

/// The outcome of a label: 1, 0 or -1.
fn outcome(label: Label) -> i8 {
    i8::from(label > Label::DRAW) - i8::from(label < Label::DRAW)
}

/// Keeps what a term leaves of the labels of moves, `left` plies before the phase is too long.
fn keep(labels: &[Label], aim: Aim, left: u16) -> Vec<bool> {
    let Some(best) = labels.iter().copied().map(outcome).max() else { return Vec::new() };
    let depth = |label: &Label| label.win_rank().or(label.loss_rank()).unwrap_or(0);
    let depths = || labels.iter().filter(|label| outcome(**label) == best).map(depth);
    let (least, most) = (depths().min().unwrap_or(0), depths().max().unwrap_or(0));
    labels
        .iter()
        .map(|label| {
            outcome(*label) == best
                && match aim {
                    Aim::Most => depth(label) == most,
                    Aim::InTime if best < 1 => true,
                    Aim::InTime if least <= left => depth(label) <= left,
                    Aim::Least | Aim::InTime => depth(label) == least,
                }
        })
        .collect()
}

/// How a move of a line stood out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Critical {
    /// It was the only legal one.
    OnlyLegal,
    /// It was the only one that kept the outcome.
    OnlyKeeping,
    /// It was the only best one by the metric.
    OnlyBest,
}

/// A move of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played<M> {
    /// The move.
    pub m: M,
    /// What it leads to for who makes it, by the metric shown, in the numbers of [`Metric::write`].
    pub value: i32,
    /// What stood out.
    pub critical: Option<Critical>,
}

/// A line, and whether a player may claim a draw after it because the phase has lasted as long as the rule allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// The moves.
    pub moves: Vec<Played<M>>,
    /// It ends by the rule.
    pub claimed: bool,
}

/// The open files of all metrics that some strategies need.
pub struct Strategist<'a, I: Indexed> {
    game: &'a I,
    probes: Vec<(Metric, Probe<'a, I>)>,
}

impl<'a, I: Indexed> Strategist<'a, I> {
    /// Opens these slices and all that they convert into in every metric; blocks are kept up to `memory` bytes a file.
    pub fn open(
        game: &'a I,
        store: &Store,
        slices: &[I::Slice],
        metrics: impl IntoIterator<Item = Metric>,
        memory: u64,
    ) -> Result<Self, Error> {
        let mut probes: Vec<(Metric, Probe<'a, I>)> = Vec::new();
        for metric in metrics {
            if probes.iter().all(|(there, _)| *there != metric) {
                probes.push((metric, Probe::open(game, store, slices, metric, memory)?));
            }
        }
        Ok(Self { game, probes })
    }

    fn labels(&self, metric: Metric, position: &I::Position) -> Result<Vec<(MoveOf<I>, Label)>, Error> {
        let probe = self.probes.iter().find(|(there, _)| *there == metric);
        probe.map_or_else(|| Ok(Vec::new()), |(_, probe)| probe.labels(position))
    }

    /// The moves that a strategy leaves when the phase has lasted `clock` plies.
    pub fn choose(
        &self,
        strategy: &Strategy,
        position: &I::Position,
        clock: u16,
    ) -> Result<Vec<MoveOf<I>>, Error> {
        let mut moves = position.move_list();
        let left = strategy.phase().unwrap_or(Metric::PHASE).saturating_sub(clock);
        for &(scale, aim) in &strategy.terms {
            let mut all = self.labels(scale.0, position)?;
            if let Some(metric) = scale.1 {
                fill(&mut all, &self.labels(metric, position)?);
            }
            all.retain(|(m, _)| moves.contains(m));
            let labels: Vec<Label> = all.iter().map(|&(_, label)| label).collect();
            let kept = keep(&labels, aim, left);
            moves = all.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|((m, _), _)| m).collect();
        }
        Ok(moves)
    }

    /// A line of at most `plies` in which who is to move plays by the first strategy and the opponent by the second; where
    /// there is none, by what is best in the metric shown. It ends with the game, when a position comes back, or when a
    /// strategy that plays by a rule lets a phase last as long as that allows, `clock` plies of which were played before.
    pub fn line(
        &self,
        position: &I::Position,
        players: [Option<&Strategy>; 2],
        shown: Metric,
        clock: u16,
        plies: usize,
    ) -> Result<Line<MoveOf<I>>, Error> {
        let (mut at, mut clock, mut moves) = (position.clone(), clock, Vec::new());
        let mut seen = HashSet::from([at.key()]);
        let phase = players.into_iter().flatten().filter_map(Strategy::phase).min();
        while moves.len() < plies && !at.turn().is_over() {
            if phase.is_some_and(|phase| clock >= phase) {
                return Ok(Line { moves, claimed: true });
            }
            let labels = self.labels(shown, &at)?;
            let Some(best) = labels.iter().map(|&(_, label)| label).max() else { break };
            let wanted = match players[moves.len() % 2] {
                Some(strategy) => self.choose(strategy, &at, clock)?,
                None => labels.iter().filter(|(_, label)| *label == best).map(|&(m, _)| m).collect(),
            };
            let slice = self.game.place(&at).map(|(slice, _)| slice);
            let Some(m) = among(self.game, &at, &seen, wanted) else { break };
            let label = labels.iter().find(|(there, _)| *there == m).map_or(Label::DRAW, |&(_, label)| label);
            let stakes = slice.map_or(1, |slice| self.game.stakes(slice));
            let critical = critical(label, labels.iter().map(|&(_, label)| label));
            moves.push(Played { m, value: shown.write(label, stakes), critical });
            let zeroing = self.game.is_zeroing(&at, m);
            at.play(m);
            let stays = self.game.place(&at).map(|(slice, _)| slice) == slice;
            clock = if stays && !zeroing { clock.saturating_add(1) } else { 0 };
            if !seen.insert(at.key()) {
                break;
            }
        }
        Ok(Line { moves, claimed: false })
    }
}

/// Of moves that are equally good the first that leads to what is new and leaves the slice, as far as there is one.
fn among<I: Indexed>(
    game: &I,
    position: &I::Position,
    seen: &HashSet<u64>,
    moves: impl IntoIterator<Item = MoveOf<I>>,
) -> Option<MoveOf<I>> {
    let slice = game.place(position).map(|(slice, _)| slice);
    moves.into_iter().min_by_key(|&m| {
        let next = position.after(m);
        (seen.contains(&next.key()), game.place(&next).map(|(s, _)| s) == slice)
    })
}

/// How a move with this label stands out among those of its position, whose labels these are.
fn critical(played: Label, labels: impl Iterator<Item = Label> + Clone) -> Option<Critical> {
    let best = labels.clone().max()?;
    let keeping = labels.clone().filter(|label| outcome(*label) == outcome(best)).count();
    if labels.clone().count() == 1 {
        Some(Critical::OnlyLegal)
    } else if outcome(best) > -1 && keeping == 1 {
        (played == best).then_some(Critical::OnlyKeeping)
    } else if labels.filter(|label| *label == best).count() == 1 {
        (played == best).then_some(Critical::OnlyBest)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_read_and_written() {
        for text in ["Z0 Z50- M-", "M-", "C+ Z-", "Z0", "M50- Z0 C-", "Z0 Z50- Z- H50-"] {
            assert_eq!(Strategy::read(text).unwrap().to_string(), text);
        }
        assert_eq!(Strategy::read("  Z0\tM- ").unwrap().to_string(), "Z0 M-");
        for (text, at, what) in [
            ("", 0, "without terms"),
            ("Z0 Q-", 3, "'Q' begins no term"),
            ("Z0 Z50", 6, "does not say which depth"),
            ("M- C*", 4, "'*' after C"),
            ("M-+", 2, "after the end"),
            ("Z50+ H-", 6, "H without a number of moves"),
            ("R50-", 1, "knows no limit"),
            ("Z121-", 1, "121 after Z is no limit"),
            ("Z0-", 1, "0 after Z is no limit"),
            ("Z050-", 1, "050 after Z is no limit"),
            ("é", 0, "'é' begins no term"),
        ] {
            let error = Strategy::read(text).unwrap_err();
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.what.contains(what), "{text}: {error}");
        }
    }

    #[test]
    fn terms_keep_the_outcome_and_then_the_depth() {
        let labels = [Label::win(9), Label::win(5), Label::win(21), Label::DRAW, Label::loss(2)];
        assert_eq!(keep(&labels, Aim::Least, 100), [false, true, false, false, false]);
        assert_eq!(keep(&labels, Aim::Most, 100), [false, false, true, false, false]);
        assert_eq!(keep(&labels, Aim::InTime, 100), [true, true, true, false, false]);
        assert_eq!(keep(&labels, Aim::InTime, 9), [true, true, false, false, false]);
        assert_eq!(
            keep(&labels, Aim::InTime, 3),
            [false, true, false, false, false],
            "too late: the soonest"
        );
        assert_eq!(keep(&labels[3..], Aim::InTime, 3), [true, false]);
        let lost = [Label::loss(2), Label::loss(8)];
        assert_eq!(keep(&lost, Aim::Least, 100), [true, false]);
        assert_eq!(keep(&lost, Aim::Most, 100), [false, true]);
        assert!(keep(&[], Aim::Most, 100).is_empty());
    }

    #[test]
    fn a_hybrid_tells_depths_by_the_rule_where_the_rule_draws() {
        let mut by_zeroing =
            [('a', Label::win(41)), ('b', Label::DRAW), ('c', Label::DRAW), ('d', Label::DRAW)];
        let by_rule =
            [('d', Label::loss(120)), ('c', Label::DRAW), ('b', Label::win(103)), ('a', Label::win(61))];
        fill(&mut by_zeroing, &by_rule);
        let hybrid = [Label::win(41), Label::win(103), Label::DRAW, Label::loss(120)];
        assert_eq!(by_zeroing.map(|(_, label)| label), hybrid);
        assert_eq!(Strategy::read("H50-").unwrap().metrics().count(), 2);
        assert_eq!(Strategy::read("H50+").unwrap().phase(), Some(100));
    }

    #[test]
    fn rules_may_allow_other_numbers_of_moves() {
        for (text, phase) in [
            ("Z0 Z75- M-", Some(150)),
            ("Z0 M-", Some(100)),
            ("M- C+", None),
            ("H51-", Some(102)),
            ("R-", None),
        ] {
            let strategy = Strategy::read(text).unwrap();
            assert_eq!(strategy.phase(), phase, "{text}");
            assert_eq!(strategy.to_string(), text);
        }
    }

    #[test]
    fn critical_moves_are_marked() {
        let mark = |labels: &[Label]| critical(labels[0], labels.iter().copied());
        assert_eq!(critical(Label::DRAW, [].into_iter()), None);
        assert_eq!(mark(&[Label::loss(4)]), Some(Critical::OnlyLegal));
        assert_eq!(mark(&[Label::win(4), Label::DRAW]), Some(Critical::OnlyKeeping));
        assert_eq!(mark(&[Label::win(3), Label::win(5), Label::DRAW]), Some(Critical::OnlyBest));
        assert_eq!(mark(&[Label::win(3), Label::win(3)]), None);
        assert_eq!(mark(&[Label::loss(5), Label::loss(3)]), Some(Critical::OnlyBest));
        // Who plays another move than the one that stands out made none that does.
        assert_eq!(mark(&[Label::DRAW, Label::win(4)]), None);
        assert_eq!(mark(&[Label::win(5), Label::win(3), Label::DRAW]), None);
        assert_eq!(mark(&[Label::loss(3), Label::loss(5)]), None);
    }
}
