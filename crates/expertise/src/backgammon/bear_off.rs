//! The one-sided bear-off table: for each way to have up to fifteen men on the six home points, how many rolls it takes
//! to bear them all off with play that makes the expected number least, and the chance to be done by each roll.
//!
//! There are C(21, 6) = 54,264 such homes, no man at all among them. Every die that can be played brings a man nearer or
//! off, so homes are solved in order of their pips: one pass, no cycles. A number is used to move a man so many points
//! on, to bear one off from that point, or from the highest point if all men are lower; both dice must be used if
//! that is possible, and a double is played four times.

/// Points of the home board.
pub const POINTS: usize = 6;
/// Men of a side.
pub const MEN: usize = 15;
/// The rolls that are counted one by one; more are never needed by fifteen men in the home board but with a chance
/// below one in 10^9.
const ROLLS: usize = 32;
/// All homes.
pub(super) const HOMES: usize = 54_264;

/// Men on each point, the ace point first.
pub type Home = [u8; POINTS];

/// The table.
#[derive(Clone, Debug)]
pub struct BearOff {
    expected: Vec<f64>,
    /// By home: the chance to need exactly so many rolls.
    chances: Vec<[f64; ROLLS]>,
}

/// The two dice, and in how many of 36 cases they come.
pub(super) fn rolls() -> impl Iterator<Item = (Vec<u8>, f64)> {
    (1..=6_u8).flat_map(|a| {
        (1..=a).map(move |b| if a == b { (vec![a; 4], 1.0 / 36.0) } else { (vec![a, b], 2.0 / 36.0) })
    })
}

fn pips(home: Home) -> usize {
    home.iter().enumerate().map(|(i, &men)| (i + 1) * usize::from(men)).sum()
}

/// The homes that a die leads to.
fn after_die(home: Home, die: u8, each: &mut dyn FnMut(Home)) {
    let die = usize::from(die);
    let highest = home.iter().rposition(|&men| men > 0).map_or(0, |i| i + 1);
    for point in (1..=POINTS).filter(|&point| home[point - 1] > 0) {
        if point >= die || point == highest {
            let mut next = home;
            next[point - 1] -= 1;
            if point > die {
                next[point - die - 1] += 1;
            }
            each(next);
        }
    }
}

/// The homes after a roll, the dice played in both orders.
pub(super) fn after_roll(home: Home, dice: &[u8]) -> Vec<Home> {
    let mut out = Vec::new();
    let turned: Vec<u8> = dice.iter().rev().copied().collect();
    let orders = if dice == turned { 1 } else { 2 };
    for order in [dice, &turned].into_iter().take(orders) {
        let (mut level, mut next) = (vec![home], Vec::new());
        for &die in order {
            for &home in &level {
                if pips(home) == 0 {
                    next.push(home);
                }
                after_die(home, die, &mut |after| next.push(after));
            }
            next.sort_unstable();
            next.dedup();
            std::mem::swap(&mut level, &mut next);
            next.clear();
        }
        out.append(&mut level);
    }
    out
}

/// The number of a home: those with lower counts on higher points first.
pub(super) fn number(home: Home) -> usize {
    // A home and the men not on the board are MEN stars among POINTS bars.
    let (mut number, mut left) = (0, MEN);
    for (i, &men) in home.iter().enumerate().rev() {
        for fewer in 0..usize::from(men) {
            number += CHOOSE[left - fewer + i][i];
        }
        left -= usize::from(men);
    }
    number
}

/// The home with this number.
pub(super) fn home(mut number: usize) -> Home {
    let (mut home, mut left) = ([0; POINTS], MEN);
    for (i, men) in home.iter_mut().enumerate().rev() {
        let mut here = 0;
        while here < left && number >= CHOOSE[left - here + i][i] {
            number -= CHOOSE[left - here + i][i];
            here += 1;
        }
        *men = here as u8;
        left -= here;
    }
    home
}

/// Binomial coefficients.
const CHOOSE: [[usize; POINTS]; MEN + POINTS] = {
    let mut out = [[0; POINTS]; MEN + POINTS];
    let mut n = 0;
    while n < MEN + POINTS {
        out[n][0] = 1;
        let mut k = 1;
        while k < POINTS && k <= n {
            out[n][k] = out[n - 1][k - 1] + if k < n { out[n - 1][k] } else { 0 };
            k += 1;
        }
        n += 1;
    }
    out
};

fn all_homes() -> Vec<Home> {
    fn fill(home: &mut Home, point: usize, left: u8, out: &mut Vec<Home>) {
        if point == POINTS {
            out.push(*home);
            return;
        }
        for men in 0..=left {
            home[point] = men;
            fill(home, point + 1, left - men, out);
        }
        home[point] = 0;
    }
    let mut out = Vec::new();
    fill(&mut [0; POINTS], 0, MEN as u8, &mut out);
    out
}

impl Default for BearOff {
    fn default() -> Self {
        Self::new()
    }
}

impl BearOff {
    /// Solves all homes.
    pub fn new() -> Self {
        Self::up_to(usize::MAX)
    }

    /// Solves these homes, and all that have no more pips; others have no values.
    pub(super) fn of(homes: &[Home]) -> Self {
        Self::up_to(homes.iter().map(|&home| pips(home)).max().unwrap_or(0))
    }

    fn up_to(most: usize) -> Self {
        let mut homes = all_homes();
        homes.sort_by_key(|&home| pips(home));
        let mut expected: Vec<f64> = vec![0.0; homes.len()];
        let mut chances = vec![[0.0; ROLLS]; homes.len()];
        chances[number([0; POINTS])][0] = 1.0;
        for &home in homes.iter().filter(|&&home| (1..=most).contains(&pips(home))) {
            let (mut mean, mut law) = (1.0, [0.0_f64; ROLLS]);
            for (dice, chance) in rolls() {
                let best = after_roll(home, &dice).into_iter().map(number);
                let best = best.min_by(|&a, &b| f64::total_cmp(&expected[a], &expected[b])).unwrap_or(0);
                mean += chance * expected[best];
                for (rolls, &there) in chances[best][..ROLLS - 1].iter().enumerate() {
                    law[rolls + 1] += chance * there;
                }
            }
            let at = number(home);
            expected[at] = mean;
            chances[at] = law;
        }
        Self { expected, chances }
    }

    /// How many homes there are.
    pub fn homes(&self) -> usize {
        self.expected.len()
    }

    /// The expected number of rolls; none for more men than there are.
    pub fn expected_rolls(&self, home: &Home) -> Option<f64> {
        let men: usize = home.iter().map(|&n| usize::from(n)).sum();
        (men <= MEN).then(|| self.expected[number(*home)])
    }

    /// The chance to be done within so many rolls.
    pub fn done_within(&self, home: &Home, rolls: usize) -> Option<f64> {
        let men: usize = home.iter().map(|&n| usize::from(n)).sum();
        let law = || self.chances[number(*home)].iter().take(rolls.saturating_add(1));
        (men <= MEN).then(|| law().sum())
    }

    /// The chance of the first, to roll, to be done before the second, both playing for the least expected number.
    pub fn race(&self, first: &Home, second: &Home) -> Option<f64> {
        let mine = |rolls: usize| Some(self.done_within(first, rolls)? - self.done_within(first, rolls - 1)?);
        (1..ROLLS).map(|rolls| Some(mine(rolls)? * (1.0 - self.done_within(second, rolls - 1)?))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 54,264 homes; chances that can be counted on the fingers: a man on the six point goes off with 27 of 36 rolls.
    #[test]
    fn small_homes_are_as_known() {
        let table = BearOff::new();
        assert_eq!(table.homes(), 54_264);
        let mut numbers: Vec<usize> = all_homes().into_iter().map(number).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..54_264));
        let within = |home: Home, rolls| (table.done_within(&home, rolls).unwrap() * 36.0).round() as i32;
        // One roll, in 36ths: a man on each point, and two men on points a and b.
        let one = |a: usize| {
            let mut home = [0; POINTS];
            home[a - 1] = 1;
            within(home, 1)
        };
        assert_eq!([1, 2, 3, 4, 5, 6].map(one), [36, 36, 36, 34, 31, 27]);
        let two = |a: usize, b: usize| {
            let mut home = [0; POINTS];
            home[a - 1] += 1;
            home[b - 1] += 1;
            within(home, 1)
        };
        assert_eq!(
            [two(1, 1), two(1, 6), two(2, 2), two(2, 6), two(3, 3), two(5, 5), two(6, 6)],
            [36, 15, 26, 13, 17, 6, 4]
        );
        let near = |home: Home, value: f64| {
            let found = table.expected_rolls(&home).unwrap();
            assert!((found - value).abs() < 1e-9, "{home:?} {found} {value}");
        };
        near([0; POINTS], 0.0);
        near([0, 0, 0, 0, 0, 1], 1.25);
        near([2, 0, 0, 0, 0, 0], 1.0);
        // Three men on the ace point: one roll with a double, two otherwise.
        near([3, 0, 0, 0, 0, 0], 1.0 + 5.0 / 6.0);
        // Fifteen men there: every roll takes two, a double four.
        assert!((table.done_within(&[15, 0, 0, 0, 0, 0], 8).unwrap() - 1.0).abs() < 1e-9);
        let last = table.done_within(&[0, 0, 0, 0, 0, 15], ROLLS - 1).unwrap();
        assert!((last - 1.0).abs() < 1e-4, "{last}");
        // Who is to roll with one man on the ace point has won; with a man on the six point against it, three in four.
        let (ace, six) = ([1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]);
        assert!((table.race(&ace, &six).unwrap() - 1.0).abs() < 1e-9);
        assert!((table.race(&six, &ace).unwrap() - 0.75).abs() < 1e-9);
        assert_eq!(table.expected_rolls(&[16, 0, 0, 0, 0, 0]), None);
    }
}
