//! Tables of one slice in several metrics, beside each other. They agree on who wins; and of a win or a loss mate is no nearer than
//! a conversion, and that no nearer than a move that zeroes the count, since whatever ends the longer way ends the shorter. Under
//! a rule of so many moves that move comes no sooner, or it is a draw; the fewer moves, the later. Values of impartial games tell who wins, and no depth.

use crate::{Error, Indexed, Metric, Reader, Stopped, Store, Work};

/// Where it stands among what is compared: a longer way before a shorter one, and a rule of more moves before one of fewer.
fn place(metric: Metric) -> Option<usize> {
    match metric {
        Metric::Value | Metric::Grundy => Some(0),
        Metric::End => Some(1),
        Metric::Conversion => Some(2),
        Metric::Zeroing => Some(3),
        Metric::ZeroingWithin(moves) => Some(4 + usize::from(u8::MAX - moves)),
        _ => None,
    }
}

/// The bytes of decoded blocks that are kept of each file: they are read from end to end.
const KEPT: u64 = 1 << 20;

/// Compares what the tables of a slice in these metrics say of one position in `every`; how many were compared. Metrics that
/// do not bound each other are passed over.
pub fn check_across<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    metrics: &[Metric],
    every: u64,
    work: &Work<'_>,
) -> Result<u64, Error> {
    let name = game.slice_name(slice);
    let mut there: Vec<Metric> = metrics.iter().copied().filter(|&metric| place(metric).is_some()).collect();
    there.sort_by_key(|&metric| place(metric));
    let readers: Vec<Reader> =
        there.into_iter().map(|metric| store.open(&name, metric, KEPT)).collect::<Result<_, _>>()?;
    if readers.len() < 2 {
        return Ok(0);
    }
    let mut compared = 0;
    for index in (0..game.size(slice)).step_by(every.max(1) as usize) {
        if work.stop.asked() {
            return Err(Stopped.into());
        }
        let cells: Vec<(Metric, i32)> =
            readers.iter().map(|r| Ok((r.metric(), r.get(index)?))).collect::<Result<_, Error>>()?;
        let odd = (1..cells.len()).flat_map(|at| cells[..at].iter().map(move |one| (one, at)));
        let odd = odd.map(|(one, at)| (*one, cells[at])).find(|(one, other)| !agree(*one, *other));
        match odd {
            // Numbers that are no position have the cell of another.
            Some((one, other)) if game.position(slice, index).is_some() => {
                let [first, second] = [one, other].map(|(metric, cell)| (metric.name(), cell));
                return Err(Error::Contradiction { slice: name, index, first, second });
            }
            Some(_) => {}
            None => compared += 1,
        }
    }
    Ok(compared)
}

/// Can both be right? The first stands before the second in what is compared.
fn agree((first, one): (Metric, i32), (second, other): (Metric, i32)) -> bool {
    let ruled = second.phase().is_some();
    if one.signum() != other.signum() {
        return ruled && other == 0;
    }
    match first {
        Metric::Value | Metric::Grundy => true,
        Metric::Zeroing | Metric::ZeroingWithin(_) => other.abs() >= one.abs(),
        // Where the rule delays a phase, the whole may take as long or not.
        _ => ruled || one.abs() >= other.abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_ways_are_no_shorter() {
        use Metric::{Conversion, End, Grundy, Value, Zeroing, ZeroingWithin};
        const ZEROING50: Metric = Metric::ZEROING50;
        for (one, other) in [
            ((End, 9), (Conversion, 9)),
            ((End, -9), (Zeroing, -3)),
            ((Value, 1), (End, 77)),
            ((Grundy, 5), (End, 1)),
            ((Zeroing, 5), (ZEROING50, 7)),
            ((Zeroing, 5), (ZEROING50, 0)),
            ((End, 5), (ZEROING50, 7)),
            ((ZeroingWithin(75), 5), (ZEROING50, 5)),
            ((ZeroingWithin(75), 5), (ZEROING50, 0)),
        ] {
            assert!(agree(one, other), "{one:?} {other:?}");
        }
        for (one, other) in [
            ((End, 9), (Conversion, 11)),
            ((End, 9), (Conversion, 0)),
            ((Conversion, -3), (Zeroing, -5)),
            ((Value, 1), (End, -1)),
            ((Grundy, 1), (End, 0)),
            ((Zeroing, 5), (ZEROING50, 3)),
            ((Zeroing, 0), (ZEROING50, 3)),
            ((ZeroingWithin(75), 0), (ZEROING50, 3)),
            ((ZeroingWithin(75), 5), (ZEROING50, 3)),
        ] {
            assert!(!agree(one, other), "{one:?} {other:?}");
        }
    }
}
