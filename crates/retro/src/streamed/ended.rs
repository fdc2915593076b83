//! What is done with a slice that is solved in parts: its table is written, or compared with one that is there.

use super::{Desk, PIECES, Task, Wrong};
use crate::file::{BLOCK, Digest, Header, Writer};
use crate::{Error, Label, Reader, Table};
use std::path::Path;

impl Desk<'_> {
    /// Writes the table: once through all parts to learn what cells it needs, once to write them.
    pub(super) fn save(&mut self, path: &Path) -> Result<(Header, Digest), Error> {
        let Task { game, ref name, metric, cut, work, .. } = *self.task;
        let (widths, stakes) = (cut.widths(), cut.stakes());
        let (mut holds, mut counts) = ([true; 3], [0_u64; 4]);
        for part in 0..self.due.len() {
            let state = self.take_out(part)?;
            for label in (0..state.best.len()).map(|place| state.settled(place)) {
                for (holds, width) in holds.iter_mut().zip(widths) {
                    *holds = *holds && width.holds(metric, label, stakes);
                }
                counts[label.kind()] += 1;
            }
        }
        let width = widths[holds.iter().position(|&holds| holds).unwrap_or(2)];
        let cells = |labels: &[Label]| Table { metric, cells: width.cells(metric, labels, stakes) };
        let header = Header::counted(game, name, &cells(&[]), counts);
        let mut out = Writer::create(path, &header)?;
        for part in 0..self.due.len() {
            let state = self.take_out(part)?;
            for first in (0..state.best.len()).step_by(PIECES * BLOCK) {
                let end = (first + PIECES * BLOCK).min(state.best.len());
                let labels: Vec<Label> = (first..end).map(|place| state.settled(place)).collect();
                out.table(&cells(&labels), work, part as u32 + 1)?;
            }
        }
        Ok((header, out.finish()?))
    }

    /// Compares the values with those of a file.
    pub(super) fn compare(&mut self, with: &Reader) -> Result<([u64; 3], Wrong), Error> {
        let Task { metric, cut, .. } = *self.task;
        let mut counts = [0; 3];
        for part in 0..self.due.len() {
            self.go_on()?;
            let (state, numbers) = (self.take_out(part)?, self.numbers(part));
            for first in numbers.clone().step_by(PIECES * BLOCK) {
                let there = with.part(first..(first + (PIECES * BLOCK) as u64).min(numbers.end))?;
                for (number, stored) in (first..).zip(there.values()) {
                    let label = state.settled((number - numbers.start) as usize);
                    if label == Label::NONE {
                        continue;
                    }
                    let (stored, found) = (stored.unwrap_or(i32::MIN), metric.write(label, cut.stakes()));
                    if stored != found {
                        return Ok((counts, Some((number, stored, found))));
                    }
                    counts[label.kind()] += 1;
                }
            }
        }
        Ok((counts, None))
    }
}
