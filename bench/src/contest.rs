//! One measurement: two sides, alternating rounds, medians.

use std::time::Instant;

/// Which contests run, and in how many rounds.
pub struct Contest {
    filter: String,
    rounds: usize,
}

impl Contest {
    /// Contests whose names contain `filter`.
    pub fn new(filter: &str, rounds: usize) -> Self {
        Self { filter: filter.into(), rounds }
    }

    /// Runs one contest. Each side does its work once and says how much it has done.
    pub fn run(&self, name: &str, mut ours: impl FnMut() -> u64, mut theirs: impl FnMut() -> u64) {
        if !name.contains(&self.filter) {
            return;
        }
        let (mut our_rates, mut their_rates, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.rounds {
            let (a, b) = (rate(&mut ours), rate(&mut theirs));
            our_rates.push(a);
            their_rates.push(b);
            ratios.push(a / b);
        }
        let (a, b, ratio) = (median(our_rates), median(their_rates), median(ratios));
        println!("{name:<36} {a:>14.1} {b:>14.1} {ratio:>7.2}");
    }

    /// Measures our side alone, where the peers have no such game.
    pub fn alone(&self, name: &str, mut ours: impl FnMut() -> u64) {
        if name.contains(&self.filter) {
            let rates = (0..self.rounds).map(|_| rate(&mut ours)).collect();
            println!("{name:<36} {:>14.1}", median(rates));
        }
    }
}

fn rate(work: &mut impl FnMut() -> u64) -> f64 {
    let begun = Instant::now();
    let done = work();
    done as f64 / begun.elapsed().as_secs_f64()
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}
