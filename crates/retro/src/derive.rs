//! What need not be solved: tables that follow, cell by cell, from the file of another metric of the same slice.
//!
//! Who wins is the sign of any depth, and of any value of an impartial game. Where only conversions zero the count of moves,
//! depths to zeroing and to conversion are the same. Under a rule of so many moves depths to zeroing are what they are without it where none is beyond a phase and
//! the slices below have the same outcomes with the rule and without: then no phase that is played well is cut off, unless moves that zero the count
//! take each other back. The
//! bytes are those that solving gives.

use crate::file::{self, Digest, Header, Writer};
use crate::reader::Reader;
use crate::{Cells, Error, Indexed, Metric, Store, Table, Work};

/// Numbers that are looked at in a piece.
const PIECE: u64 = 1 << 20;

/// The metrics whose files tell what this one does, the best first.
pub(crate) fn sources<I: Indexed>(game: &I, slice: I::Slice, metric: Metric) -> Vec<Metric> {
    let zeroes = game.has_zeroing(slice);
    match metric {
        Metric::Value => vec![Metric::End, Metric::Conversion, Metric::Zeroing, Metric::Grundy],
        Metric::Conversion if !zeroes => vec![Metric::Zeroing],
        Metric::Zeroing if !zeroes => vec![Metric::Conversion],
        Metric::ZeroingWithin(_) if !zeroes => vec![Metric::Zeroing, Metric::Conversion],
        Metric::ZeroingWithin(_) if !game.zeroing_goes_round(slice) => vec![Metric::Zeroing],
        _ => Vec::new(),
    }
}

/// May a table follow from the file of this metric? What a rule changes is seen when that file is there.
pub fn may_follow<I: Indexed>(game: &I, slice: I::Slice, metric: Metric, from: Metric) -> bool {
    sources(game, slice, metric).contains(&from)
}

/// The metric of a good file of the slice that tells who wins.
pub(crate) fn outcomes<I: Indexed>(game: &I, store: &Store, slice: I::Slice) -> Option<Metric> {
    let mut metrics = std::iter::once(Metric::Value).chain(sources(game, slice, Metric::Value));
    metrics.find(|&metric| good(game, store, slice, metric).is_some())
}

/// A good file of the slice.
fn good<I: Indexed>(game: &I, store: &Store, slice: I::Slice, metric: Metric) -> Option<Reader> {
    let reader = store.open(&game.slice_name(slice), metric, 0).ok()?.fitting(game, slice).ok()?;
    reader.check().is_ok().then_some(reader)
}

/// The metric out of whose file a table can be made; `below` tells of a slice below whether its table under the
/// rule will be made out of the one without.
pub(crate) fn source<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    metric: Metric,
    below: impl Fn(I::Slice) -> bool,
) -> Option<Metric> {
    let serves = |from: &Metric| {
        let Some(reader) = good(game, store, slice, *from) else { return false };
        metric.phase().is_none_or(|phase| {
            is_short(&reader, phase.into())
                && game.conversions(slice).into_iter().all(|s| below(s) || is_same(game, store, s, metric))
        })
    };
    sources(game, slice, metric).into_iter().find(serves)
}

/// Is no depth beyond a phase?
fn is_short(reader: &Reader, phase: i32) -> bool {
    let size = reader.header().size;
    (0..size).step_by(PIECE as usize).all(|first| {
        let part = reader.part(first..(first + PIECE).min(size));
        // A loss in n plies is -1 - n.
        part.is_ok_and(|part| part.values().flatten().all(|n| (-1 - phase..=phase).contains(&n)))
    })
}

/// Are the outcomes of a slice with files of both the same with the rule and without? The rule only makes draws,
/// so to count them will do.
fn is_same<I: Indexed>(game: &I, store: &Store, slice: I::Slice, ruled: Metric) -> bool {
    let draws = |metric| good(game, store, slice, metric).map(|reader| reader.header().draws);
    let with = draws(ruled);
    with.is_some() && sources(game, slice, ruled).into_iter().any(|metric| draws(metric) == with)
}

/// Makes the file of a slice out of that of another metric: its blocks as they are, or the signs of its cells. Numbers that are
/// no position have the cell before them in both.
pub(crate) fn derive<I: Indexed>(
    game: &I,
    store: &Store,
    slice: I::Slice,
    (from, metric): (Metric, Metric),
    work: &Work<'_>,
) -> Result<(Header, Digest), Error> {
    let there = store.open(&game.slice_name(slice), from, 0)?;
    let (name, unit) = (metric.name().into(), metric.unit().into());
    let same = Header { metric: name, unit, ..there.header().clone() };
    let path = store.path(&same.slice, metric);
    let (header, digest) = if metric.counts_plies() {
        let mut out = Writer::create(&path, &same)?;
        there.blocks().try_for_each(|block| out.block(&block?))?;
        (same, out.finish()?)
    } else {
        let header = Header { width: 1, moves: false, ..same };
        let signs = there.table()?.values().map(|value| value.unwrap_or(0).signum() as i8).collect();
        let table = Table { metric, cells: Cells::Narrow(signs) };
        let digest = file::write(&path, &header, &table, work)?;
        (header, digest)
    };
    store.write_manifest()?;
    Ok((header, digest))
}

#[cfg(test)]
mod tests {
    use crate::{Indexed, Metric, Store, Work, build, plan};
    use endspiel_game::{Payoff, Player, Position, TextError, Turn, TwoPlayer};

    /// Where the token may go from each place, and whether that zeroes the count. The first player moves it from even places; who
    /// finds it on place 5 has lost. From 0 it may be led to 1 and back with a zero each time, or on to 3, 2 and 5.
    const WAYS: [&[(u8, bool)]; 6] =
        [&[(1, true), (3, false)], &[(0, false)], &[(5, false)], &[(2, false)], &[], &[]];

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Token(u8);

    impl Position for Token {
        type Move = (u8, bool);
        const CYCLIC: bool = true;
        fn turn(&self) -> Turn {
            if WAYS[usize::from(self.0)].is_empty() { Turn::Over } else { Turn::Player(Player(self.0 % 2)) }
        }
        fn moves(&self, each: impl FnMut((u8, bool))) {
            WAYS[usize::from(self.0)].iter().copied().for_each(each);
        }
        fn play(&mut self, (to, _): (u8, bool)) {
            self.0 = to;
        }
        fn payoff(&self) -> Payoff {
            Payoff::win(Player::FIRST)
        }
        fn key(&self) -> u64 {
            self.0.into()
        }
    }
    impl TwoPlayer for Token {}

    struct Places;

    impl Indexed for Places {
        type Position = Token;
        type Slice = ();
        fn slice_name(&self, (): ()) -> String {
            "all".into()
        }
        fn read_slices(&self, _: &str) -> Result<Vec<()>, TextError> {
            Ok(vec![()])
        }
        fn size(&self, (): ()) -> u64 {
            WAYS.len() as u64
        }
        fn conversions(&self, (): ()) -> Vec<()> {
            Vec::new()
        }
        fn position(&self, (): (), index: u64) -> Option<Token> {
            Some(Token(index as u8)).filter(|token| token.0 != 4)
        }
        fn place(&self, token: &Token) -> Option<((), u64)> {
            Some(((), token.key()))
        }
        fn mover(&self, token: &Token) -> Player {
            Player(token.0 % 2)
        }
        fn is_zeroing(&self, _: &Token, (_, zeroes): (u8, bool)) -> bool {
            zeroes
        }
    }

    /// Where zeroing moves take each other back, all phases may be short and a rule draws all the same.
    #[test]
    fn what_goes_round_is_solved_by_the_rule() {
        let dir = std::env::temp_dir().join(format!("endspiel-derived-{}", std::process::id()));
        let (store, work) = (Store::new(&dir, "places"), Work::default());
        let made = |metric| {
            let steps = plan(&Places, &store, &[()], metric).unwrap();
            build(&Places, &store, &steps, &work, &mut |_, _| ()).unwrap();
            let table = store.open("all", metric, 0).unwrap().table().unwrap();
            [0, 1, 2, 3].map(|place| table.get(place).unwrap())
        };
        assert_eq!(made(Metric::Zeroing), [1, -3, 1, -3]);
        assert_eq!(made(Metric::ZeroingWithin(1)), [0, 0, 1, -3]);
        assert_eq!(made(Metric::ZeroingWithin(2)), [1, -3, 1, -3]);
        std::fs::remove_dir_all(dir).unwrap();
    }
}
