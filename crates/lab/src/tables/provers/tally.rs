//! The tables of the thesis: who is best how often, who beats whom, nodes in all, and positions by powers of ten.

use super::{SEARCHERS, Spent};

/// What the searchers have spent on a position that one of them solved.
#[derive(Clone, Debug)]
pub(super) struct Solved(pub [Spent; 4]);

/// A row: its name, what was found, what was published, and whether that agrees where it must.
type Told = (String, String, Option<String>, Option<bool>);

/// Tables 2.9 to 2.13 as printed, easy positions first.
const BEST: [&str; 2] = ["23 61 41 44", "0 22 31.5 114.5"];
const BEATS: [[&str; 4]; 2] = [
    ["- 35 79 91.5", "134 - 89 100", "90 80 - 82", "77.5 69 87 -"],
    ["- 0 6 6", "168 - 25 24", "162 143 - 42", "162 144 126 -"],
];
const TOTAL: &str = "2437035522 1285839816 28214875 18918032";
const AVERAGE: &str = "7231559 3815548 83723 56136";
const FACTOR: &str = "128.8 68.0 1.5 1.0";
const PEAK: &str = "42767 25505";
const TENS: [&str; 4] =
    ["18 47 40 45 57 61 36 26 7", "18 47 44 59 67 53 23 23 3", "14 43 52 77 92 57 2", "14 37 57 77 101 51"];
const TENS_OF_ALL: &str = "15 43 46 65 75 57 35 1";
/// The share of the hard positions in which proof-number search must need fewer nodes than alpha-beta with a table.
const SHARE: f64 = 0.7;

impl Solved {
    /// The fewest nodes.
    fn best(&self) -> u64 {
        self.0.iter().map(|one| one.nodes).min().unwrap_or(0)
    }

    /// 1 if the first searcher needs fewer nodes than the second, a half if both need as many.
    fn beats(&self, [first, second]: [usize; 2]) -> f64 {
        let (first, second) = (self.0[first].nodes, self.0[second].nodes);
        f64::from(u8::from(first < second)) + 0.5 * f64::from(u8::from(first == second))
    }

    /// 1 if a searcher is the best, less if it shares that with others.
    fn is_best(&self, searcher: usize) -> f64 {
        let sharing = self.0.iter().filter(|one| one.nodes == self.best()).count();
        if self.0[searcher].nodes == self.best() { 1.0 / sharing as f64 } else { 0.0 }
    }

    /// Do two searchers contradict each other?
    fn is_contradiction(&self) -> bool {
        [true, false].iter().all(|&wins| self.0.iter().any(|one| one.wins == Some(wins)))
    }

    /// The mean of the logarithms of the nodes of all searchers.
    fn log(&self) -> f64 {
        self.0.iter().map(|one| (one.nodes.max(1) as f64).log10()).sum::<f64>() / 4.0
    }
}

/// The group of the greatest power of ten below so many nodes: 0 up to 10, 1 up to 100.
fn group(log: f64) -> usize {
    (log.ceil() as usize).saturating_sub(1)
}

/// How many there are of each group.
fn groups(logs: impl Iterator<Item = f64>) -> Vec<usize> {
    let mut counts = Vec::new();
    for log in logs {
        if counts.len() <= group(log) {
            counts.resize(group(log) + 1, 0);
        }
        counts[group(log)] += 1;
    }
    counts
}

fn words<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(" ")
}

/// Halves and thirds have a digit, whole numbers none.
fn short(value: f64) -> String {
    if (value - value.round()).abs() < 0.01 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// Tells all rows. What must hold is compared only if `compared`: with few nodes it need not.
pub(super) fn tell(solved: &[Solved], games: String, compared: bool, each: &mut dyn FnMut(Told)) {
    let beside = |published: &str| Some(published.to_string());
    let plain = "22 games, 1599 positions, 1101 open with more than 17 stones, 337 solved";
    each(("positions".into(), games, beside(plain), None));
    let contradictions = solved.iter().filter(|one| one.is_contradiction()).count();
    let agrees = Some(contradictions == 0);
    each(("contradictions".into(), contradictions.to_string(), beside("0"), agrees));
    let unsolved = |i: usize| solved.iter().filter(|one| one.0[i].wins.is_none()).count();
    each(("unsolved".into(), words((0..4).map(unsolved)), beside("4 2 0 0"), None));
    let mut order: Vec<&Solved> = solved.iter().collect();
    order.sort_by_key(|one| one.best());
    let (easy, hard) = order.split_at(order.len().div_ceil(2));
    let border = hard.first().map_or(0, |one| one.best());
    let halves = format!("{} easy, {} hard, from {border} nodes of the best on", easy.len(), hard.len());
    each(("halves".into(), halves, beside("169 easy, 168 hard, from 3200 nodes of the best on"), None));
    for (i, (half, name)) in [(easy, "easy"), (hard, "hard")].into_iter().enumerate() {
        let sum = |searcher| short(half.iter().map(|one| one.is_best(searcher)).sum());
        each((format!("best, {name}"), words((0..4).map(sum)), beside(BEST[i]), None));
    }
    for (i, (half, name)) in [(easy, "easy"), (hard, "hard")].into_iter().enumerate() {
        for (searcher, title) in SEARCHERS.iter().enumerate() {
            let beaten = |other: usize| {
                let sum = half.iter().map(|one| one.beats([searcher, other])).sum();
                if other == searcher { "-".into() } else { short(sum) }
            };
            let found = words((0..4).map(beaten));
            each((format!("{title} beats, {name}"), found, beside(BEATS[i][searcher]), None));
        }
    }
    let share = |searcher: usize| {
        hard.iter().filter(|one| one.beats([searcher, 1]) == 1.0).count() as f64 / hard.len().max(1) as f64
    };
    let shares = [share(2), share(3)];
    let found = shares.map(|share| format!("{:.0} %", 100.0 * share)).join(" and ");
    let agrees = (compared && !hard.is_empty()).then(|| shares.iter().all(|&share| share >= SHARE));
    each((
        "pn before transposition, hard".into(),
        found,
        beside("85 % and 86 %, here at least 70 %"),
        agrees,
    ));
    let total = |i: usize| solved.iter().map(|one| one.0[i].nodes).sum::<u64>();
    let many = solved.len().max(1) as u64;
    each(("total".into(), words((0..4).map(total)), beside(TOTAL), None));
    each(("average".into(), words((0..4).map(|i| total(i) / many)), beside(AVERAGE), None));
    let factor = |i| format!("{:.1}", total(i) as f64 / total(3).max(1) as f64);
    each(("factor".into(), words((0..4).map(factor)), beside(FACTOR), None));
    let peak = |i: usize| solved.iter().map(|one| one.0[i].peak).sum::<u64>() / many;
    each(("average peak of the trees".into(), words([peak(2), peak(3)]), beside(PEAK), None));
    for (i, title) in SEARCHERS.iter().enumerate() {
        let counts = groups(solved.iter().map(|one| (one.0[i].nodes.max(1) as f64).log10()));
        each((format!("{title}, by tens"), words(counts), beside(TENS[i]), None));
    }
    each(("all, by tens".into(), words(groups(solved.iter().map(Solved::log))), beside(TENS_OF_ALL), None));
    let gain = |number: usize| {
        let of = |i: usize| {
            let group = solved.iter().filter(|one| group(one.log()) == number);
            group.map(|one| one.0[i].nodes).sum::<u64>() as f64
        };
        if of(3) > 0.0 { format!("{:.1}", of(1) / of(3)) } else { "-".into() }
    };
    let gains = (0..groups(solved.iter().map(Solved::log)).len()).map(gain);
    each(("transposition to stones pn".into(), words(gains), beside("a curve: grows"), None));
}
