//! What workers send each other, and how long they take:
//! `cargo run --release -p endspiel-expertise --example cluster_cost`.

use endspiel_expertise::awari::Levels;
use endspiel_expertise::{checkers, chess, nine_mens_morris};
use endspiel_retro::{Cluster, Error, Indexed, Metric, Store, Work, build, build_together, plan};
use endspiel_rules::awari::Awari;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn measure<I: Indexed + 'static>(game: I, name: &str, slices: &str, metric: Metric) -> Result<(), Error> {
    let (game, work) = (Arc::new(game), Work { threads: 1, ..Work::default() });
    let root = std::env::temp_dir().join(format!("endspiel-cluster-cost-{}", std::process::id()));
    let wanted = game.read_slices(slices).unwrap_or_default();
    for workers in [0, 1, 2, 4] {
        let dir = root.join(format!("{name}-{workers}"));
        let store = Store::new(&dir, name);
        let plan = plan(&*game, &store, &wanted, metric)?;
        let begun = Instant::now();
        if workers == 0 {
            build(&*game, &store, &plan, &work, &mut |_, _| ())?;
            println!("{name} {slices}: one thread {:.2} s", begun.elapsed().as_secs_f64());
        } else {
            let cluster =
                Cluster { workers, process: 0, hosts: Vec::new(), patience: Duration::from_secs(60) };
            let sent = build_together(&game, &store, &plan, &cluster, &work, &mut |_, _| ())?;
            let each = |n: u64| n as f64 / sent.positions as f64;
            println!(
                "{name} {slices}: {workers} workers {:.2} s; {} positions; a position asks {:.2}, sends {:.2} moves \
                 and {:.2} news: {:.1} bytes",
                begun.elapsed().as_secs_f64(),
                sent.positions,
                each(sent.asked),
                each(sent.moves),
                each(sent.told),
                each(sent.bytes())
            );
        }
    }
    // A temporary folder; the system clears it if this fails.
    let _ = std::fs::remove_dir_all(root);
    Ok(())
}

fn main() -> Result<(), Error> {
    measure(Levels::new(Awari::default()), "awari", "0-12", Metric::Score)?;
    measure(checkers::Endings::new(), "checkers", "2-3", Metric::End)?;
    measure(nine_mens_morris::Subspaces::new(), "nine-mens-morris", "4-3", Metric::End)?;
    measure(chess::Endings::new(), "chess", "KPK", Metric::End)
}
