//! Is a win in time that takes all the plies that a phase has left?
//!
//! Tables of `dtz50` and the like count nothing for the move by which a loser must end a phase. On the board it needs a ply: if
//! none is left, the loser claims the draw instead. So a win in n plies is in time with n left if the winner can come to a
//! move of its own that ends the phase, or to mate, and too late if the loser can see to it that the move is left to it.
//! A winner who needs fewer plies than are left has one to spare, so best moves of both are all that must be followed. Each
//! takes a ply, so they come to an end, and no position is looked at twice.

use crate::{Error, Indexed, Label, Probe};
use endspiel_game::Position;
use rustc_hash::FxHashMap;

impl<I: Indexed> Probe<'_, I> {
    /// Is the win or the loss of a position in time when as many plies of the phase are left as its value says? None if that
    /// takes a look at more than `most` positions, or if nobody wins.
    pub fn is_in_time(&self, position: &I::Position, most: usize) -> Result<Option<bool>, Error> {
        let value = self.value(position)?.unwrap_or(0);
        let mut look = Look { probe: self, seen: FxHashMap::default(), left: most };
        self.metric.read(value, 1).rank().map_or(Ok(None), |plies| look.look(position, plies))
    }
}

struct Look<'a, I: Indexed> {
    probe: &'a Probe<'a, I>,
    /// By the number, as a phase does not leave its slice.
    seen: FxHashMap<u64, bool>,
    /// So many positions may still be looked at.
    left: usize,
}

impl<I: Indexed> Look<'_, I> {
    /// Of a position that is won or lost in just so many plies.
    fn look(&mut self, position: &I::Position, plies: u16) -> Result<Option<bool>, Error> {
        let game = self.probe.game;
        if position.turn().is_over() {
            return Ok(Some(true));
        }
        let Some((slice, number)) = game.place(position) else { return Ok(None) };
        if let Some(&known) = self.seen.get(&number) {
            return Ok(Some(known));
        }
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let labels = self.probe.labels(position)?;
        let Some(&(_, best)) = labels.first().filter(|(_, best)| best.rank() == Some(plies)) else {
            return Ok(None);
        };
        let wins = best > Label::DRAW;
        // One move is enough for the winner; the loser tries all, and has won time where it must end the phase itself.
        let mut found = Some(!wins && plies > 0);
        for &(m, _) in labels.iter().take_while(|(_, label)| plies > 0 && *label == best) {
            let next = position.after(m);
            let ends = game.is_zeroing(position, m) || game.place(&next).map(|(to, _)| to) != Some(slice);
            let one = if ends { Some(true) } else { self.look(&next, plies - 1)? };
            if one == Some(wins) {
                found = one;
                break;
            }
            found = found.and(one);
        }
        if let Some(found) = found {
            self.seen.insert(number, found);
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Job, Known, Metric, Store, Table, Work, backward};
    use endspiel_game::{Payoff, Player, Rng, TextError, Turn, TwoPlayer, mix};

    const PLACES: u64 = 40;
    const FLOORS: u64 = 3;
    const SIZE: u64 = 2 * PLACES * FLOORS;

    /// A token on the floors of a tower. The first player leads it along a floor, and wins by leaving the last one; the second
    /// may send it back a little. Both may find stairs, which cannot be taken back, and the second may find nothing else.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Token {
        at: u64,
        mover: Player,
    }

    impl Token {
        fn ways(self) -> Vec<u64> {
            let mut rng = Rng::new(mix(2 * self.at + u64::from(self.mover.0)));
            let (floor, place) = (self.at / PLACES, self.at % PLACES);
            let below = |rng: &mut Rng| (floor - 1) * PLACES + rng.below(PLACES as usize) as u64;
            let is_first = self.mover == Player::FIRST;
            let mut ways = vec![self.at - if is_first { place.min(1) } else { 0 }];
            match rng.below(6) {
                0 if floor > 0 && !is_first => ways = vec![below(&mut rng), below(&mut rng)],
                1 if floor > 0 => ways.push(below(&mut rng)),
                2 | 3 if is_first && place >= 3 => ways.push(self.at - 3),
                4 if !is_first => ways.push((self.at + 5).min(floor * PLACES + PLACES - 1)),
                _ => {}
            }
            ways
        }
    }

    impl Position for Token {
        type Move = u64;
        const CYCLIC: bool = true;
        fn turn(&self) -> Turn {
            if self.at == 0 && self.mover == Player::SECOND { Turn::Over } else { Turn::Player(self.mover) }
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
            SIZE
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
            to / PLACES < token.at / PLACES
        }
    }

    /// Who wins with so many plies of the phase left, by play to its end; what comes then is in the table.
    fn outcomes(table: &[i32], plies: u16) -> Vec<i32> {
        let tokens = || (0..SIZE).filter_map(|index| Tower.position((), index));
        let none_left = tokens().map(|token| if token.turn().is_over() { -1 } else { 0 }).collect();
        (0..plies).fold(none_left, |values: Vec<i32>, _| {
            let value = |token: Token| {
                let there = |&to: &u64| {
                    let next = token.after(to).key() as usize;
                    if Tower.is_zeroing(&token, to) { -table[next].signum() } else { -values[next] }
                };
                if token.turn().is_over() { -1 } else { token.ways().iter().map(there).max().unwrap_or(0) }
            };
            tokens().map(value).collect()
        })
    }

    #[test]
    fn a_win_is_in_time_if_play_to_the_end_of_the_phase_says_so() {
        let dir = std::env::temp_dir().join(format!("endspiel-in-time-{}", std::process::id()));
        let (known, work, store) = (Known::default(), Work::default(), Store::new(&dir, "tower"));
        let mut counts = [[0; 2]; 2];
        for metric in (2..=16).map(Metric::ZeroingWithin) {
            let table: Table =
                backward(&Tower, &Job { slice: (), metric, known: &known, work: &work }).unwrap();
            store.save("tower", &table, &work).unwrap();
            let values: Vec<i32> = table.values().flatten().collect();
            let probe = Probe::open(&Tower, &store, &[()], metric, 1 << 20).unwrap();
            let left: Vec<_> =
                (0..=metric.phase().unwrap() + 1).map(|plies| outcomes(&values, plies)).collect();
            for (index, &value) in values.iter().enumerate().filter(|(_, value)| **value != 0) {
                let token = Tower.position((), index as u64).unwrap();
                let plies = if value > 0 { value } else { -1 - value } as usize;
                let expected = left[plies][index] != 0;
                assert_eq!(probe.is_in_time(&token, 1000).unwrap(), Some(expected), "{metric:?} {token:?}");
                // A ply more is enough, and a ply less is too little.
                assert_eq!(left[plies + 1][index], value.signum(), "{metric:?} {token:?}");
                assert!(plies == 0 || left[plies - 1][index] == 0, "{metric:?} {token:?}");
                counts[usize::from(value > 0)][usize::from(expected)] += 1;
            }
            let longest = (0..values.len()).max_by_key(|&index| values[index]).unwrap();
            let longest = Tower.position((), longest as u64).unwrap();
            assert_eq!(probe.is_in_time(&longest, 1).unwrap(), None);
        }
        assert!(counts.as_flattened().iter().all(|&many| many > 50), "{counts:?}");
        std::fs::remove_dir_all(dir).unwrap();
    }
}
