//! The figures of a slice: how often each value occurs, who wins how often with whom to move, the longest wins and losses, and
//! mutual zugzwangs.

use crate::database_reports::{Extreme, Frequency, Parity, Side, StatsReport, Zugzwangs};
use crate::databases::{Opened, summary};
use crate::report::{Error, outcome_name};
use endspiel_game::{Game, Notation, Outcome, Player, Stop};
use endspiel_retro::{Grundy, Indexed, Metric, Tally, Work, whole};
use std::collections::BTreeMap;

impl<G: Game<Position: Notation>, I: Indexed<Position = G::Position> + 'static> Opened<G, I> {
    /// All figures of a slice in a metric.
    pub(crate) fn figures(&self, slice: I::Slice, metric: Metric, stop: &Stop) -> Result<StatsReport, Error> {
        let reader = self.store.open_any(&self.index.slice_name(slice), metric, 0)?;
        let work = Work { stop: stop.clone(), ..Work::default() };
        let table = whole(&*self.index, &self.store, slice, metric, &work)?;
        let mut counts = BTreeMap::new();
        for value in table.values().flatten() {
            heed(stop)?;
            *counts.entry(value).or_default() += 1_u64;
        }
        let sides = self.sides(slice, &table, stop)?;
        let count = counts.values().sum::<u64>().max(1) as f64;
        let moment = |power: i32| -> f64 {
            counts.iter().map(|(&v, &n)| f64::from(v).powi(power) * n as f64).sum::<f64>() / count
        };
        let mean = moment(1);
        let deviation = (moment(2) - mean * mean).max(0.0).sqrt();
        let extreme = |(&cell, &positions): (&i32, &u64)| Extreme {
            number: Self::told(metric, cell, 0).1,
            positions,
            such_as: (0..table.len() as u64)
                .filter(|&i| table.get(i) == Some(cell))
                .filter_map(|i| self.index.position(slice, i))
                .take(3)
                .map(|position| position.write())
                .collect(),
        };
        let (plies, numbers) = (metric.counts_plies(), metric == Metric::Grundy);
        let greatest = if numbers {
            counts.iter().rev().find(|(cell, _)| Grundy::number_of(**cell).is_some())
        } else {
            counts.last_key_value().filter(|(cell, _)| !plies || **cell > 0)
        };
        let loss = counts.first_key_value().filter(|(cell, _)| plies && **cell < 0);
        Ok(StatsReport {
            game: self.game.full_name(),
            summary: summary(reader.header(), reader.digest()),
            mean: (!plies && !numbers).then_some(mean),
            deviation: (!plies && !numbers).then_some(deviation),
            greatest: greatest.map(extreme),
            longest_loss: loss.map(extreme),
            parity: Parity::of(metric, &counts),
            sides,
            histogram: Self::histogram(metric, counts),
            zugzwangs: self.zugzwangs(slice, &table, stop)?,
        })
    }

    /// How often each value occurs, the worst first, from how often each cell does.
    fn histogram(metric: Metric, counts: BTreeMap<i32, u64>) -> Vec<Frequency> {
        let told = counts.into_iter().map(|(cell, positions)| (Self::told(metric, cell, 0), positions));
        let mut told: Vec<_> = told.collect();
        // The sooner a loss, the worse; the sooner a win, the better.
        told.sort_by_key(|&((outcome, number), _)| match outcome {
            Outcome::Win if metric.counts_plies() => (outcome, -number),
            _ => (outcome, number),
        });
        let frequency = |((outcome, number), positions): ((Outcome, i32), u64)| Frequency {
            outcome: outcome_name(outcome),
            number,
            positions,
        };
        told.into_iter().map(frequency).collect()
    }

    /// The figures by who is to move.
    fn sides(&self, slice: I::Slice, table: &endspiel_retro::Table, stop: &Stop) -> Result<Vec<Side>, Error> {
        let mut sides = [Tally::default(); 2];
        for (index, cell) in (0..).zip(table.values()) {
            heed(stop)?;
            let position = cell.and_then(|_| self.index.position(slice, index));
            if let (Some(cell), Some(position)) = (cell, position) {
                sides[self.index.mover(&position).index()].note(table.metric, cell);
            }
        }
        let there = G::ABOUT.players.iter().zip(sides).filter(|(_, side)| side.positions() > 0);
        Ok(there.map(|(player, side)| Side::of(player, &side)).collect())
    }

    /// The mutual zugzwangs of a slice; none where the game does not know what a move in hand is.
    fn zugzwangs(
        &self,
        slice: I::Slice,
        table: &endspiel_retro::Table,
        stop: &Stop,
    ) -> Result<Option<Zugzwangs>, Error> {
        const SHOWN: usize = 3;
        if table.metric == Metric::Score {
            return Ok(None);
        }
        let (mut found, mut known) = (Zugzwangs::default(), false);
        let mut halves = Vec::new();
        for index in 0..table.len() as u64 {
            heed(stop)?;
            let Some(position) = self.index.position(slice, index) else { continue };
            if self.index.mover(&position) != Player::FIRST {
                continue;
            }
            let Some(other) = self.index.after_pass(&position) else { continue };
            known = true;
            let Some((_, passed)) = self.index.place(&other) else { continue };
            // Where the colours are exchanged with the player to move, both are found as the first player's.
            let twice =
                self.index.position(slice, passed).is_some_and(|p| self.index.mover(&p) == Player::FIRST);
            if twice && passed < index {
                continue;
            }
            let there = table.get(passed);
            let (mine, theirs) = (table.get(index).unwrap_or(0).signum(), there.unwrap_or(0).signum());
            if mine < -theirs {
                found.all += 1;
                let both = mine < 0 && theirs < 0;
                found.both_lose += u64::from(both);
                let list = if both { &mut found.such_as } else { &mut halves };
                if list.len() < SHOWN {
                    list.push(position.write());
                }
            }
        }
        found.such_as.extend(halves);
        found.such_as.truncate(SHOWN);
        Ok(known.then_some(found))
    }
}

/// Goes on unless a stop is asked.
fn heed(stop: &Stop) -> Result<(), Error> {
    if stop.asked() { Err(endspiel_retro::Error::from(endspiel_retro::Stopped).into()) } else { Ok(()) }
}
