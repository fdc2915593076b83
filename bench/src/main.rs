//! Endspiel beside its peers, in one run: each contest alternates between the two sides, so that a busy
//! machine slows both. Printed are the median rates and the median of the ratios of neighbouring runs.

mod contest;
mod lines;
mod proofs;
mod searches;
mod trees;

use contest::Contest;

fn main() {
    let filter = std::env::args().nth(1).unwrap_or_default();
    println!("{:<36} {:>14} {:>14} {:>7}", "contest (per second)", "endspiel", "peer", "ratio");
    let contest = Contest::new(&filter, 5);
    trees::run(&contest);
    lines::run(&contest);
    searches::run(&contest);
    proofs::run(&contest);
}
