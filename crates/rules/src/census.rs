//! Games in which stones are put down in turn until somebody wins: the sets their positions are drawn from.
//!
//! A configuration with as many stones as turns allow can arise exactly if nobody has won but who moved last,
//! and some stone of theirs can have come last: without it nobody had won. (More stones never undo a win, so
//! the others can have come in any order.) Lines that must not be longer are an exception: there the test is
//! only necessary.

use crate::bits::Bits;
use crate::grid::{Direction, Grid};
use endspiel_game::superset::{Bound, Superset, Test, Weights, choose};
use endspiel_game::{Player, Rng};

/// The configurations of a board of so many cells; `wins` says whether a player has won with these stones.
pub fn in_turn<const WORDS: usize>(
    cells: usize,
    exact: bool,
    wins: impl Fn(Player, &Bits<WORDS>) -> bool + Send + Sync + 'static,
) -> Superset {
    let by_stones = Weights::new((0..=cells).map(|n| choose(cells, n) * choose(n, n / 2)));
    let bounds = vec![
        Bound::new("every cell is empty or has a stone of either", 3f64.powi(cells as i32)),
        Bound::new("stones put down in turn", by_stones.total()),
    ];
    let draw = move |rng: &mut Rng| {
        let count = by_stones.draw(rng);
        can_arise(drawn(cells, count, rng), count, &wins)
    };
    let what = "who did not move last has not won, and who did has not without some one stone";
    Superset { bounds, test: Some(Test { what, exact, draw: Box::new(draw) }) }
}

/// So many stones on random cells, the first player's half rounded up.
fn drawn<const WORDS: usize>(cells: usize, count: usize, rng: &mut Rng) -> [Bits<WORDS>; 2] {
    let mut order: Vec<u16> = (0..cells as u16).collect();
    let mut sets = [Bits::EMPTY; 2];
    for i in 0..count {
        order.swap(i, i + rng.below(cells - i));
        sets[i % 2].insert(order[i] as usize);
    }
    sets
}

fn can_arise<const WORDS: usize>(
    sets: [Bits<WORDS>; 2],
    count: usize,
    wins: &impl Fn(Player, &Bits<WORDS>) -> bool,
) -> bool {
    let last = if count % 2 == 1 { Player::FIRST } else { Player::SECOND };
    if wins(last.other(), &sets[last.other().index()]) {
        return false;
    }
    let stones = sets[last.index()];
    let without = |cell: usize| {
        let mut fewer = stones;
        fewer.remove(cell);
        !wins(last, &fewer)
    };
    !wins(last, &stones) || stones.iter().any(without)
}

/// Is there an unbroken run of stones of a length that counts?
pub fn has_run<const WORDS: usize>(grid: Grid, stones: &Bits<WORDS>, counts: impl Fn(usize) -> bool) -> bool {
    let along = |cell| Direction::ALL.iter().any(|&d| counts(grid.run(stones, cell, d).2));
    stones.iter().any(along)
}

#[cfg(test)]
mod tests {
    use crate::{amazons, awari, connect_four, gomoku, hex, lines_of_action, mnk, othello, qubic};
    use endspiel_game::{Game, Rng, Superset};

    /// The sizes of the sets, and the estimate with its standard error.
    fn estimate(superset: Option<Superset>, draws: usize) -> (Vec<f64>, f64, f64) {
        let superset = superset.expect("a superset");
        let test = superset.test.expect("a test");
        let mut rng = Rng::new(1);
        let passed = (0..draws).filter(|_| (test.draw)(&mut rng)).count();
        let share = passed as f64 / draws as f64;
        let sizes: Vec<f64> = superset.bounds.iter().map(|bound| bound.size).collect();
        let last = *sizes.last().expect("a bound");
        (sizes, last * share, last * (share * (1.0 - share) / draws as f64).sqrt())
    }

    /// Sizes as given, and an estimate within three standard errors of the truth.
    fn near(superset: Option<Superset>, draws: usize, sizes: &[f64], truth: f64) {
        let (found, mean, error) = estimate(superset, draws);
        assert_eq!(found, sizes);
        assert!((mean - truth).abs() < 3.0 * error, "{mean} ± {error}, should be {truth}");
    }

    #[test]
    fn known_counts_are_estimated() {
        near(mnk::TicTacToe.superset(), 20_000, &[19_683.0, 6046.0], 5478.0);
        let four = |variant| connect_four::ConnectFour::from_variant(variant).expect("a variant").superset();
        let sizes = estimate(four("4x4"), 1).0;
        near(four("4x4"), 20_000, &sizes, 161_029.0);
        // Counted by J. Tromp; the bound is Allis'.
        near(four(""), 20_000, &[3f64.powi(42), 70_728_639_995_483.0], 4_531_985_219_092.0);
        // Counted by J. Romein and H. Bal (2002).
        near(awari::Awari::default().superset(), 20_000, &[1_399_358_844_975.0], 889_063_398_406.0);
    }

    #[test]
    fn bounds_are_the_published_ones() {
        let log = |superset: Option<Superset>| -> Vec<String> {
            let sizes = superset.expect("a superset").bounds;
            sizes.iter().map(|bound| format!("{:.2}", bound.size.log10())).collect()
        };
        assert_eq!(log(qubic::Qubic.superset()), ["30.54", "29.62"]);
        let gomoku = gomoku::Gomoku::from_variant("").expect("a variant");
        assert_eq!(log(gomoku.superset()), ["107.35", "106.17"]);
        assert_eq!(log(othello::Othello::STANDARD.superset()), ["30.54", "29.83"]);
        assert_eq!(log(lines_of_action::LinesOfAction::STANDARD.superset()), ["24.12"]);
        assert_eq!(log(amazons::Amazons::STANDARD.superset()), ["40.81"]);
    }

    #[test]
    fn draws_pass_and_fail() {
        let hex = hex::Hex::from_variant("").expect("a variant");
        let rest = [
            (hex.superset(), 300),
            (qubic::Qubic.superset(), 300),
            (othello::Othello::STANDARD.superset(), 300),
            (amazons::Amazons::from_variant("5").expect("a variant").superset(), 300),
        ];
        for (superset, draws) in rest {
            let (sizes, mean, _) = estimate(superset, draws);
            assert!(mean > 0.0 && mean <= sizes[sizes.len() - 1], "{mean} of {sizes:?}");
        }
        assert!(hex::Hex::from_variant("5,swap").expect("a variant").superset().is_none());
    }
}
