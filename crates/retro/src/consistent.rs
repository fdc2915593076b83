//! Every value re-derived from its successors by the rules.
//!
//! With distances that is a proof: they fall along a win, and a draw has a move to a draw and none to a win.
//! With scores and outcomes it is none: play that goes round can carry other consistent values. So these are also solved anew
//! from the slices below and compared, if all of them are to be checked; a solution costs less than following every win to where
//! it is forced. Metrics of the fifty-move rule do not follow from one another, nor do values of impartial games; there a solution
//! is all.
//!
//! Where that takes more memory than may be used, a slice is solved anew from files, part by part, and compared (`streamed`).

use crate::graph::{CHUNK, Node, Run, look, offer};
use crate::store::short_of;
use crate::streamed::{self, Parts};
use crate::work::Stage;
use crate::{Error, Header, Indexed, Job, Known, Label, Metric, Reader, Store, Table, Work, cells};
use std::sync::Arc;

/// How the values of a slice are checked.
#[derive(Clone, Copy, Debug)]
pub struct Checking {
    /// One position in so many.
    every: u64,
    /// How the slice is cut where it is solved anew from files; none if all is in memory.
    parts: Option<Parts>,
}

impl Checking {
    /// In memory, however much it takes.
    pub const fn in_memory(every: u64) -> Self {
        Self { every, parts: None }
    }

    /// Solved anew in parts of so many blocks of a file, whatever memory there is: for tests.
    pub fn cut(size: u64, blocks: u64) -> Self {
        Self { every: 1, parts: Some(Parts::of_blocks(size, blocks)) }
    }

    /// Is it done in parts?
    pub const fn is_cut(&self) -> bool {
        self.parts.is_some()
    }
}

/// Do depths fall from move to move until the slice is left, so that values that follow from one another are right? Depths to
/// zeroing do not where moves that zero the count take each other back.
pub(crate) fn falls<I: Indexed>(game: &I, slice: I::Slice, metric: Metric) -> bool {
    metric.counts_plies() && !(metric.counts_phases() && game.zeroing_goes_round(slice))
}

/// Plans to check a slice in so much memory: with its table and those that it converts into in memory, and what solving it
/// anew takes where that is needed; or else, where all of it is to be checked and the metric allows it, in parts. Says at once if
/// memory or disk will not do.
pub fn plan_check<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    metric: Metric,
    (every, memory): (u64, u64),
) -> Result<Checking, Error> {
    game.can_tell(metric)?;
    let (name, size, below) = (game.slice_name(slice), game.size(slice), game.conversions(slice));
    let table = |header: &Header| header.size * u64::from(header.width);
    let mut needed = table(store.open(&name, metric, 0)?.header());
    for &slice in &below {
        let reader = store.open_any(&game.slice_name(slice), metric, 0)?;
        // What a small one leaves out is put together in pieces first.
        needed += table(reader.header()) * if reader.header().is_small() { 2 } else { 1 };
    }
    if metric.needs_solution() || every <= 1 && !falls(game, slice, metric) {
        needed += game.solving_bytes(slice, metric);
    }
    if needed <= memory {
        return Ok(Checking::in_memory(every));
    }
    if every > 1 || !Parts::serve(metric) {
        return Err(Error::Memory { slice: name, needed, allowed: memory });
    }
    // In parts, files below are read from end to end, and small ones do not tell all.
    if below.iter().any(|&slice| store.open(&game.slice_name(slice), metric, 0).is_err()) {
        return Err(Error::Memory { slice: name, needed, allowed: memory });
    }
    let numbers = streamed::numbers_below(game, slice, metric);
    let Some(parts) = Parts::new(size, numbers, memory) else {
        let needed = needed.min(Parts::least(size, numbers));
        return Err(Error::Memory { slice: name, needed, allowed: memory });
    };
    let scratch = streamed::scratch_of(game, slice, metric);
    match short_of(scratch, store.dir()) {
        Some(free) => Err(Error::Disk { dir: store.dir().into(), needed: scratch, free, memory: None }),
        None => Ok(Checking { every, parts: Some(parts) }),
    }
}

/// Plans to check these slices; where memory will not do for some, says what would do for all.
pub fn plan_checks<I: Indexed>(
    game: &I,
    store: &Store,
    slices: &[(I::Slice, Metric)],
    (every, memory): (u64, u64),
) -> Result<Vec<Checking>, Error> {
    let (mut planned, mut most, mut refused) = (Vec::new(), 0, None);
    for &(slice, metric) in slices {
        match plan_check(game, store, slice, metric, (every, memory)) {
            Err(Error::Memory { slice, needed, allowed }) => {
                if needed > most {
                    (most, refused) = (needed, Some(Error::Memory { slice, needed, allowed }));
                }
            }
            how => planned.push(how?),
        }
    }
    refused.map_or(Ok(planned), Err)
}

/// Checks the values of a slice as it is planned. How many were checked.
pub fn check_planned<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    metric: Metric,
    how: &Checking,
    work: &Work<'_>,
) -> Result<u64, Error> {
    let Some(parts) = how.parts else { return check_values(game, store, slice, metric, how.every, work) };
    let name = game.slice_name(slice);
    let reader = store.open(&name, metric, 0)?.fitting(game, slice)?;
    // What comes and goes is where that of a build is.
    let _guard = store.lock()?;
    let (counts, wrong) = streamed::compare(game, store, slice, metric, parts, &reader, work)?;
    if let Some((index, stored, forced)) = wrong {
        return Err(Error::Unforced { slice: name, index, stored, forced });
    }
    check_counts(&reader, counts)
}

/// Compares wins, draws and losses with those of the header; how many positions there are.
pub(crate) fn check_counts(reader: &Reader, counts: [u64; 3]) -> Result<u64, Error> {
    let header = reader.header();
    if counts != [header.wins, header.draws, header.losses] {
        let what = "its header counts other wins, draws and losses than there are";
        return Err(Error::damaged(reader.path(), what));
    }
    Ok(counts.iter().sum())
}

/// Checks the values of a slice against the rules and the slices it converts into: one position in `every`,
/// all of them with 1, which proves the slice if those are right. How many were checked. It is done in memory, however much it
/// takes.
pub fn check_values<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    metric: Metric,
    every: u64,
    work: &Work<'_>,
) -> Result<u64, Error> {
    let mut known = Known::default();
    for below in game.conversions(slice) {
        known.insert(below, Arc::new(cells(game, store, below, metric, work)?));
    }
    let reader = store.open(&game.slice_name(slice), metric, 0)?.fitting(game, slice)?;
    let table = reader.table()?;
    let job = Job { slice, metric, known: &known, work };
    let (size, stakes) = (game.size(slice), game.stakes(slice));
    if metric.needs_solution() {
        let counts = solve_anew(game, &job, &table, |slice, index, stored, derived| Error::Inconsistent {
            slice,
            index,
            stored,
            derived,
        })?;
        return check_counts(&reader, counts);
    }
    let run = Run { start: 0, size: size as usize, solved: &[] };
    let stage = Stage { doing: "checks", pass: 1, changed: None };
    let counts = work.share(stage, (size as usize).div_ceil(CHUNK), size, |piece| {
        let mut inside = Vec::new();
        let mut counts = [0_u64; 3];
        let start = (piece * CHUNK) as u64;
        for index in (start..(start + CHUNK as u64).min(size)).filter(|i| i % every.max(1) == 0) {
            let Some(position) = game.position(slice, index) else { continue };
            inside.clear();
            let best = match look(game, &job, run, &position, &mut inside) {
                Node::Over(label) => label,
                Node::Open(sure, _) => inside
                    .iter()
                    .map(|&to| offer(metric, to, |to| metric.read(table.get(to as u64).unwrap_or(0), stakes)))
                    .fold(sure, Label::max),
                Node::Wasted => continue,
            };
            let derived = metric.write(best, stakes);
            let stored = table.get(index).unwrap_or(i32::MIN);
            if derived != stored {
                let slice = game.slice_name(slice);
                return Err(Error::Inconsistent { slice, index, stored, derived });
            }
            counts[(1 - stored.signum()) as usize] += 1;
        }
        Ok(counts)
    })?;
    let mut all = [0; 3];
    for counts in counts {
        all.iter_mut().zip(counts?).for_each(|(all, more)| *all += more);
    }
    if every <= 1 {
        check_counts(&reader, all)?;
        check_forced(game, &job, &table)?;
    }
    Ok(all.iter().sum())
}

/// Compares every value with another solution where values that follow from one another may be wrong all the same.
pub(crate) fn check_forced<I: Indexed>(game: &I, job: &Job<'_, I>, table: &Table) -> Result<(), Error> {
    if falls(game, job.slice, job.metric) {
        return Ok(());
    }
    solve_anew(game, job, table, |slice, index, stored, forced| Error::Unforced {
        slice,
        index,
        stored,
        forced,
    })?;
    Ok(())
}

/// Compares every value with that of another solution, and counts wins, draws and losses; `wrong` makes an error of slice, number,
/// what is stored and what is found.
fn solve_anew<I: Indexed>(
    game: &I,
    job: &Job<'_, I>,
    table: &Table,
    wrong: impl Fn(String, u64, i32, i32) -> Error,
) -> Result<[u64; 3], Error> {
    let derived = game.solve(job)?;
    let mut counts = [0; 3];
    for (index, value) in (0..).zip(derived.values()).filter_map(|(i, value)| Some((i, value?))) {
        let stored = table.get(index).unwrap_or(i32::MIN);
        if stored != value {
            return Err(wrong(game.slice_name(job.slice), index, stored, value));
        }
        counts[(1 - stored.signum()) as usize] += 1;
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{SMALL_BLOCK, Writer, write};
    use crate::{Cells, Omits, Probe, Table, check_small};
    use endspiel_game::{Payoff, Player, Position, TextError, Turn, TwoPlayer};

    /// The first player goes to and fro, and each step zeroes the count; the second one waits. Nobody wins.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Walk {
        at: u64,
        mover: Player,
    }

    impl Position for Walk {
        type Move = u64;
        const CYCLIC: bool = true;
        fn turn(&self) -> Turn {
            Turn::Player(self.mover)
        }
        fn moves(&self, mut each: impl FnMut(u64)) {
            each(if self.mover == Player::FIRST { 1 - self.at } else { self.at });
        }
        fn play(&mut self, at: u64) {
            *self = Self { at, mover: self.mover.other() };
        }
        fn payoff(&self) -> Payoff {
            Payoff::zero_sum(0)
        }
        fn key(&self) -> u64 {
            2 * self.at + u64::from(self.mover.0)
        }
    }
    impl TwoPlayer for Walk {}

    struct Walks;

    impl Indexed for Walks {
        type Position = Walk;
        type Slice = ();
        fn slice_name(&self, (): ()) -> String {
            "all".into()
        }
        fn read_slices(&self, _: &str) -> Result<Vec<()>, TextError> {
            Ok(vec![()])
        }
        fn size(&self, (): ()) -> u64 {
            4
        }
        fn conversions(&self, (): ()) -> Vec<()> {
            Vec::new()
        }
        fn position(&self, (): (), index: u64) -> Option<Walk> {
            Some(Walk { at: index / 2, mover: Player(index as u8 % 2) })
        }
        fn place(&self, walk: &Walk) -> Option<((), u64)> {
            Some(((), walk.key()))
        }
        fn mover(&self, walk: &Walk) -> Player {
            walk.mover
        }
        fn is_zeroing(&self, walk: &Walk, _: u64) -> bool {
            walk.mover == Player::FIRST
        }
    }

    /// Where steps that zero the count take each other back, depths to zeroing can follow from one another and be wrong.
    #[test]
    fn depths_to_zeroing_that_go_round_are_refused() {
        let dir = std::env::temp_dir().join(format!("endspiel-walks-{}", std::process::id()));
        let (store, work) = (Store::new(&dir, "walks"), Work::default());
        let check = |cells: Vec<i8>| {
            let table = Table { metric: Metric::Zeroing, cells: Cells::Narrow(cells) };
            store.save("all", &table, &work).unwrap();
            check_values(&Walks, &store, (), Metric::Zeroing, 1, &work)
        };
        let wrong = check(vec![1, -3, 1, -3]).unwrap_err();
        assert!(matches!(wrong, Error::Unforced { stored: 1, forced: 0, .. }), "{wrong}");
        assert_eq!(check(vec![0; 4]).unwrap(), 4);
        std::fs::remove_dir_all(dir).unwrap();
    }

    /// Small files may be wrong in as many ways: by values that follow from one another, by their headers, and by what stands for no
    /// value.
    #[test]
    fn small_files_that_are_wrong_are_refused() {
        let dir = std::env::temp_dir().join(format!("endspiel-small-walks-{}", std::process::id()));
        let (store, work) = (Store::new(&dir, "walks"), Work::default());
        std::fs::create_dir_all(store.dir()).unwrap();
        let path = store.small_path("all", Metric::Zeroing);
        let check = || check_small(&Walks, &store, ((), Metric::Zeroing), (1, 1 << 20), &work);
        let save = |cells: [i8; 4], change: &dyn Fn(&mut Header)| {
            let table = Table { metric: Metric::Zeroing, cells: Cells::Narrow(cells.into()) };
            let mut header = Header { block: SMALL_BLOCK as u32, ..Header::of("walks", "all", &table) };
            change(&mut header);
            write(&path, &header, &table, &work).unwrap();
            check().map_err(|error| error.to_string())
        };
        assert_eq!(save([0; 4], &|_| ()), Ok(4));
        assert!(save([1, -3, 1, -3], &|_| ()).unwrap_err().contains("is what can be forced"));
        let counted = save([0; 4], &|header| (header.wins, header.draws) = (4, 0)).unwrap_err();
        assert!(counted.contains("counts other wins"), "{counted}");
        assert!(save([0; 4], &|header| header.unit = "points".into()).unwrap_err().contains("unit"));
        // Where a position that is left out leads to others, nothing would end.
        let endless = save([0; 4], &|header| header.omits = Some(Omits::First)).unwrap_err();
        assert!(endless.contains("may not be left out"), "{endless}");
        assert!(matches!(Probe::open(&Walks, &store, &[()], Metric::Zeroing, 0), Err(Error::Damaged { .. })));
        // The least number stands for no value.
        let table = Table { metric: Metric::Zeroing, cells: Cells::Narrow(vec![0; 4]) };
        let header = Header { block: SMALL_BLOCK as u32, ..Header::of("walks", "all", &table) };
        let mut file = Writer::create(&path, &header).unwrap();
        file.block(&zstd::bulk::compress(&[0, 0, 0x80, 0], 1).unwrap()).unwrap();
        file.finish().unwrap();
        assert!(matches!(check(), Err(Error::Damaged { .. })));
        std::fs::remove_dir_all(dir).unwrap();
    }
}
