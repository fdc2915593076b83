//! Outcomes and distances under the fifty-move rule: a hundred plies in a row that could be taken back are a draw, through
//! all later phases, unless the last of them mates. Other rules may allow more or fewer.
//!
//! What a position is worth depends on how many plies of its phase are left: with none left it is a draw, with one more
//! it is the best of its moves, each worth what the next position is with one less, or with all of them after a move
//! that cannot be taken back. So a slice takes at most as many passes, each from the values of the pass before alone;
//! they end early where a pass changes nothing. The table holds what positions are worth at the beginning of a phase.
//! Moves that end the phase within the slice (pawn moves) need such values themselves: the passes are repeated until
//! these stay. All moves are kept in memory: 4 bytes a move and 12 a position.

use crate::graph::{CHUNK, Chunk, Node, Run, ZEROING, moves};
use crate::iterate::table;
use crate::work::Stage;
use crate::{Indexed, Job, Label, Metric, Stopped, Table};

/// Solves a slice for [`Metric::ValueWithin`], [`Metric::EndWithin`] or [`Metric::ConversionWithin`].
pub(crate) fn fifty<I: Indexed>(game: &I, job: &Job<'_, I>) -> Result<Table, Stopped> {
    let plies = job.metric.phase().unwrap_or(Metric::PHASE);
    let size = game.size(job.slice) as usize;
    let chunks = moves(game, job, Run { start: 0, size, solved: &[] }, true)?;
    let none_left: Vec<Label> = chunks
        .iter()
        .flat_map(|chunk| &chunk.nodes)
        .map(|node| match *node {
            Node::Over(label) => label,
            Node::Open(..) => Label::DRAW,
            Node::Wasted => Label::NONE,
        })
        .collect();
    let mut fresh = none_left.clone();
    let mut round = 0;
    loop {
        let mut values = none_left.clone();
        let mut changed = None;
        for _ in 0..plies {
            round += 1;
            let stage = Stage { doing: "values", pass: round, changed };
            let parts = job.work.share(stage, chunks.len(), size as u64, |piece| {
                pass(job.metric, &chunks[piece], piece * CHUNK, &values, &fresh)
            })?;
            let many = parts.iter().map(|(_, many)| many).sum();
            values = parts.into_iter().flat_map(|(labels, _)| labels).collect();
            changed = Some(many);
            if many == 0 {
                break;
            }
        }
        if values == fresh {
            return Ok(table(game, job, &fresh));
        }
        fresh = values;
    }
}

/// The values of a chunk with one ply more, and how many changed.
fn pass(metric: Metric, chunk: &Chunk, start: usize, values: &[Label], fresh: &[Label]) -> (Vec<Label>, u64) {
    let mut changed = 0;
    let labels = chunk.nodes.iter().enumerate().map(|(i, node)| {
        let label = match *node {
            Node::Open(sure, _) => {
                let offers = chunk.moves(i).iter().map(|&to| {
                    let there = if to & ZEROING == 0 { values } else { fresh };
                    metric.before(there[(to & !ZEROING) as usize])
                });
                offers.fold(sure, Label::max)
            }
            Node::Over(label) => label,
            Node::Wasted => Label::NONE,
        };
        changed += u64::from(label != values[start + i]);
        label
    });
    (labels.collect(), changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Known, Work, backward};
    use endspiel_game::{Payoff, Player, Position, Rng, TextError, Turn, TwoPlayer, mix};

    const PLACES: u64 = 180;
    const FLOORS: u64 = 3;

    /// A token on the floors of a tower. The first player leads it along a floor, by one place or three, and down where
    /// there are stairs; it wins by leaving the last one. The second may send it back a little from some places. Stairs
    /// cannot be taken back.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Token {
        at: u64,
        mover: Player,
    }

    fn floor(at: u64) -> u64 {
        at / PLACES
    }

    impl Token {
        fn ways(self) -> Vec<u64> {
            let mut rng = Rng::new(mix(2 * self.at + u64::from(self.mover.0)));
            let (floor, place) = (floor(self.at), self.at % PLACES);
            if self.mover == Player::SECOND {
                let back = (place + 2 + rng.below(9) as u64).min(PLACES - 1) + floor * PLACES;
                return if rng.below(8) == 0 { vec![self.at, back] } else { vec![self.at] };
            }
            let mut ways = vec![self.at - place.min(1)];
            if place >= 3 {
                ways.push(self.at - 3);
            }
            if floor > 0 && rng.below(12) == 0 {
                ways.push((floor - 1) * PLACES + rng.below(PLACES as usize) as u64);
            }
            ways
        }
    }

    impl Position for Token {
        type Move = u64;
        const CYCLIC: bool = true;
        fn turn(&self) -> Turn {
            let over = self.at == 0 && self.mover == Player::SECOND;
            if over { Turn::Over } else { Turn::Player(self.mover) }
        }
        fn moves(&self, each: impl FnMut(u64)) {
            if !self.turn().is_over() {
                self.ways().into_iter().for_each(each);
            }
        }
        fn play(&mut self, to: u64) {
            *self = Self { at: to, mover: self.mover.other() };
        }
        fn payoff(&self) -> Payoff {
            Payoff::win(Player::FIRST)
        }
        fn key(&self) -> u64 {
            2 * self.at + u64::from(self.mover.0)
        }
    }
    impl TwoPlayer for Token {}

    struct Tower;

    impl Indexed for Tower {
        type Position = Token;
        type Slice = ();
        fn slice_name(&self, (): ()) -> String {
            "tower".into()
        }
        fn read_slices(&self, _: &str) -> Result<Vec<()>, TextError> {
            Ok(vec![()])
        }
        fn size(&self, (): ()) -> u64 {
            2 * PLACES * FLOORS
        }
        fn conversions(&self, (): ()) -> Vec<()> {
            Vec::new()
        }
        fn position(&self, (): (), index: u64) -> Option<Token> {
            Some(Token { at: index / 2, mover: Player((index % 2) as u8) })
        }
        fn place(&self, token: &Token) -> Option<((), u64)> {
            Some(((), token.key()))
        }
        fn mover(&self, token: &Token) -> Player {
            token.mover
        }
        fn is_zeroing(&self, token: &Token, to: u64) -> bool {
            floor(to) < floor(token.at)
        }
    }

    /// The same by brute force: positions with the plies since the phase began, value iteration over all of them.
    fn with_counter(metric: Metric, limit: usize) -> Vec<i32> {
        let states = |index: usize, count: usize| index * (limit + 1) + count;
        let size = Tower.size(()) as usize;
        let ways: Vec<Vec<u64>> =
            (0..size as u64).map(|i| Tower.position((), i).map_or_else(Vec::new, Token::ways)).collect();
        let mut values = vec![Label::DRAW; size * (limit + 1)];
        loop {
            let mut changed = false;
            for index in 0..size {
                let Some(token) = Tower.position((), index as u64) else { continue };
                for count in 0..=limit {
                    let label = if token.turn().is_over() {
                        Label::loss(0)
                    } else if count == limit {
                        Label::DRAW
                    } else {
                        let worth = |to: u64| {
                            let next = if Tower.is_zeroing(&token, to) { 0 } else { count + 1 };
                            metric.before(values[states(token.after(to).key() as usize, next)])
                        };
                        ways[index].iter().copied().map(worth).max().unwrap_or(Label::NONE)
                    };
                    let value = &mut values[states(index, count)];
                    changed |= *value != label;
                    *value = label;
                }
            }
            if !changed {
                return (0..size).map(|i| metric.write(values[states(i, 0)], 1)).collect();
            }
        }
    }

    /// The depth by the rule is the least limit under which a counter of moves gives the same outcome as no limit.
    #[test]
    fn the_rule_is_the_least_limit() {
        let (known, work) = (Known::default(), Work::default());
        let job = Job { slice: (), metric: Metric::Rule, known: &known, work: &work };
        let found: Vec<_> = backward(&Tower, &job).unwrap().values().flatten().collect();
        let mut expected = vec![0; found.len()];
        for limit in 0..=300 {
            for (expected, value) in expected.iter_mut().zip(with_counter(Metric::VALUE50, limit)) {
                if *expected == 0 && value != 0 {
                    *expected = if value > 0 { limit as i32 } else { -1 - limit as i32 };
                }
            }
        }
        assert_eq!(found, expected);
        let most = found.iter().map(|n| n.abs()).max().unwrap_or(0);
        assert!((100..300).contains(&most), "{most}");
    }

    #[test]
    fn it_is_what_a_counter_of_moves_gives() {
        let (known, work) = (Known::default(), Work::default());
        let job = |metric| Job { slice: (), metric, known: &known, work: &work };
        let found: Vec<_> = backward(&Tower, &job(Metric::END50)).unwrap().values().flatten().collect();
        assert_eq!(found, with_counter(Metric::END50, 100));
        for metric in [Metric::VALUE50, Metric::CONVERSION50] {
            let found: Vec<_> = backward(&Tower, &job(metric)).unwrap().values().flatten().collect();
            assert_eq!(found, with_counter(metric, 100), "{metric:?}");
        }
        let free: Vec<_> = backward(&Tower, &job(Metric::End)).unwrap().values().flatten().collect();
        let count =
            |test: fn(i32, i32) -> bool| found.iter().zip(&free).filter(|(a, b)| test(**a, **b)).count();
        let drawn = count(|with, without| with == 0 && without != 0);
        let longer = count(|with, without| with.abs() > without.abs());
        let same = count(|with, without| with == without && with != 0);
        assert!(drawn > 20 && longer > 10 && same > 20, "{drawn} drawn, {longer} longer, {same} the same");
    }
}
