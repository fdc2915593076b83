//! How large a game is: positions that can arise, and the tree a solver would face (Allis 1994, chapter 6).
//!
//! *State space*: the positions reachable from the root, counted ply by ply as far as memory allows; and
//! complete games, counted as paths through the same layers. *Game tree*: the product of the mean
//! branching factors of plies 0..L-1, L the mean length of a game, as in the thesis; and the unbiased
//! estimate of the number of complete games by random descent (Knuth 1975). Sampled figures carry the
//! standard error over ten groups of games. Where a game knows a superset of its positions ([`Superset`]), the
//! positions are also estimated by draws from it.

use endspiel_game::{Budget, Position, Rng, Superset, Symmetric, TwoPlayer};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::time::Instant;

/// Games longer than this are cut off in sampling; the share of such games is reported.
const LONGEST: usize = 2000;
const GROUPS: usize = 10;

/// A figure with its standard error; none if it is exact.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Figure {
    /// The figure; not a number, and null in JSON, if there was nothing to measure.
    pub value: f64,
    /// Its standard error.
    pub error: Option<f64>,
}

/// The positions counted ply by ply.
#[derive(Clone, Debug, Serialize)]
pub struct Reached {
    /// New positions by ply, from the root on.
    pub by_ply: Vec<u64>,
    /// All of them: the whole game if `complete`.
    pub total: u64,
    /// As many with images of each other counted once, if everything was counted.
    pub classes: Option<u64>,
    /// Was everything counted?
    pub complete: bool,
    /// Otherwise what ended the count: `memory`, `nodes`, `time` or `stopped`.
    pub ended: Option<&'static str>,
    /// Complete games (paths to an end), if everything was counted and no position repeats.
    pub games: Option<f64>,
}

/// A set of known size that holds all positions.
#[derive(Clone, Debug, Serialize)]
pub struct Bound {
    /// What is in it.
    pub what: String,
    /// How many elements it has.
    pub size: f64,
}

/// The positions estimated by draws from a superset.
#[derive(Clone, Debug, Serialize)]
pub struct Drawn {
    /// How many elements were drawn.
    pub draws: usize,
    /// How many of them passed the test.
    pub passed: usize,
    /// What passes.
    pub test: &'static str,
    /// Does only what can arise pass? Otherwise the estimate is from above.
    pub exact: bool,
    /// The size of the set times the share that passed.
    pub positions: Figure,
}

/// Bounds on the positions from the start, and their estimate.
#[derive(Clone, Debug, Serialize)]
pub struct Space {
    /// Sets that hold every position, each within the one before it.
    pub bounds: Vec<Bound>,
    /// The estimate, where there is a test.
    pub drawn: Option<Drawn>,
}

/// Draws `draws` times from the superset, for at most a quarter of the time.
pub(crate) fn space(superset: Superset, draws: usize, budget: &Budget) -> Space {
    let bounds: Vec<Bound> =
        superset.bounds.into_iter().map(|b| Bound { what: b.what, size: b.size }).collect();
    let size = bounds.last().map_or(0.0, |bound| bound.size);
    let drawn = superset.test.filter(|_| draws > 0 && !budget.stop.asked()).map(|test| {
        let (mut rng, mut passed, mut drawn) = (Rng::new(budget.seed), 0, 0);
        let begun = Instant::now();
        let late = || budget.time.is_some_and(|t| begun.elapsed() >= t / 4);
        while drawn < draws && !budget.stop.asked() && !(drawn % 64 == 63 && late()) {
            passed += usize::from((test.draw)(&mut rng));
            drawn += 1;
        }
        let share = passed as f64 / drawn.max(1) as f64;
        // Two more of each kind (Agresti and Coull 1998): a few draws that all end alike leave room for others.
        let (likely, n) = ((passed as f64 + 2.0) / (drawn as f64 + 4.0), drawn as f64 + 4.0);
        let error = size * (likely * (1.0 - likely) / n).sqrt();
        let positions = Figure { value: size * share, error: Some(error) };
        Drawn { draws: drawn, passed, test: test.what, exact: test.exact, positions }
    });
    Space { bounds, drawn }
}

/// The size of a game.
#[derive(Clone, Debug, Serialize)]
pub struct Complexity {
    /// Counted positions.
    pub reached: Reached,
    /// Games sampled.
    pub samples: usize,
    /// Mean length of a game in plies.
    pub length: Figure,
    /// Mean number of legal moves.
    pub branching: Figure,
    /// Mean number of legal moves by ply, over the games that lasted so long.
    pub branching_by_ply: Vec<f64>,
    /// log10 of the product of the mean branching factors up to the mean length.
    pub tree_log10: Figure,
    /// log10 of the mean of the products of branching factors: Knuth's estimate of the complete games.
    /// Meaningful for uniformly random play only, so none for games played by a method.
    pub games_log10: Option<f64>,
    /// Share of the sampled games that were cut off.
    pub cut_off: f64,
}

/// Picks the moves of a sampled game: given the position and the ply.
pub(crate) type Choose<'a, P> = &'a mut dyn FnMut(&P, usize, &mut Rng) -> Option<<P as Position>::Move>;

/// Measures the game from `root`: half of the time is for the count, a quarter for the games. `choose` picks the moves of the sampled games; `random` says that it
/// picks each legal move with the same chance.
pub(crate) fn measure<P: TwoPlayer + Symmetric>(
    root: &P,
    samples: usize,
    budget: &Budget,
    random: bool,
    choose: Choose<'_, P>,
) -> Complexity {
    let begun = Instant::now();
    let reached = count(root, &Budget { time: budget.time.map(|t| t / 2), ..budget.clone() });
    let mut rng = Rng::new(budget.seed);
    let mut groups: Vec<Group> = vec![Group::default(); GROUPS.min(samples.max(1))];
    let group_count = groups.len();
    let mut played = 0;
    for i in 0..samples {
        if budget.stop.asked() || budget.time.is_some_and(|t| begun.elapsed() >= t * 3 / 4) {
            break;
        }
        groups[i % group_count].add(root, &mut rng, choose);
        played += 1;
    }
    let all = groups.iter().fold(Group::default(), Group::plus);
    let over_groups = |f: &dyn Fn(&Group) -> f64| {
        let values: Vec<f64> = groups.iter().filter(|g| g.games > 0.0).map(f).collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let value = if played > 0 { f(&all) } else { f64::NAN };
        Figure { value, error: (n > 1.0).then(|| (variance / n).sqrt()) }
    };
    Complexity {
        reached,
        samples: played,
        length: over_groups(&Group::length),
        branching: over_groups(&Group::branching),
        branching_by_ply: all.plies.iter().map(|(sum, n)| sum / n).collect(),
        tree_log10: over_groups(&Group::tree_log10),
        games_log10: (random && all.cut_off == 0.0 && played > 0).then(|| all.paths_log10()),
        cut_off: if played > 0 { all.cut_off / all.games } else { f64::NAN },
    }
}

/// Sums over sampled games.
#[derive(Clone, Default)]
struct Group {
    games: f64,
    plies_played: f64,
    cut_off: f64,
    /// By ply: sum of branching factors, and how many games got there.
    plies: Vec<(f64, f64)>,
    /// log10 of each game's product of branching factors.
    products: Vec<f64>,
}

impl Group {
    fn add<P: Position>(&mut self, root: &P, rng: &mut Rng, choose: Choose<'_, P>) {
        let mut position = root.clone();
        let (mut ply, mut product) = (0, 0.0);
        // Who comes back to a position goes round for ever: the game ends there.
        let mut seen = HashSet::new();
        let mut came_back = false;
        while !position.turn().is_over() && ply < LONGEST {
            came_back = P::CYCLIC && !seen.insert(position.key());
            if came_back {
                break;
            }
            let b = position.count_moves() as f64;
            if self.plies.len() == ply {
                self.plies.push((0.0, 0.0));
            }
            self.plies[ply].0 += b;
            self.plies[ply].1 += 1.0;
            product += b.log10();
            match choose(&position, ply, rng) {
                Some(m) => position.play(m),
                None => break,
            }
            ply += 1;
        }
        self.games += 1.0;
        self.plies_played += ply as f64;
        self.cut_off += f64::from(u8::from(!position.turn().is_over() && !came_back));
        self.products.push(product);
    }

    fn plus(mut self, other: &Self) -> Self {
        self.games += other.games;
        self.plies_played += other.plies_played;
        self.cut_off += other.cut_off;
        if self.plies.len() < other.plies.len() {
            self.plies.resize(other.plies.len(), (0.0, 0.0));
        }
        for (mine, theirs) in self.plies.iter_mut().zip(&other.plies) {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
        self.products.extend(&other.products);
        self
    }

    fn length(&self) -> f64 {
        self.plies_played / self.games.max(1.0)
    }

    fn branching(&self) -> f64 {
        self.plies.iter().map(|p| p.0).sum::<f64>() / self.plies.iter().map(|p| p.1).sum::<f64>().max(1.0)
    }

    fn tree_log10(&self) -> f64 {
        let length = self.length();
        let whole = self.plies.iter().take(length as usize).map(|(sum, n)| (sum / n).log10()).sum::<f64>();
        let rest = self.plies.get(length as usize).map_or(0.0, |(sum, n)| (sum / n).log10() * length.fract());
        whole + rest
    }

    fn paths_log10(&self) -> f64 {
        let top = self.products.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = self.products.iter().map(|p| 10f64.powf(p - top)).sum();
        top + (sum / self.products.len() as f64).log10()
    }
}

/// The bytes of a hash table with room for so many entries of so many bytes, or what it takes while it grows if one more
/// position's moves might make it.
fn held(capacity: usize, used: usize, entry: usize) -> usize {
    /// More than there are in any position of our games but the widest.
    const MOVES: usize = 2500;
    let places = (capacity + capacity / 7).next_power_of_two();
    let grows = if used + MOVES > capacity && used > MOVES { 3 } else { 1 };
    places * (entry + 1) * grows
}

/// Counts the reachable positions ply by ply, as far as the memory, node and time budgets go. Positions
/// are told apart by their 64-bit keys.
fn count<P: TwoPlayer + Symmetric>(root: &P, budget: &Budget) -> Reached {
    let (meter, begun) = (budget.start(), Instant::now());
    let entry = size_of::<(u64, (P, f64))>();
    let mut seen: HashSet<u64> = HashSet::from([root.key()]);
    let mut classes: HashSet<u64> = HashSet::from([root.canonical_key()]);
    let mut layer: HashMap<u64, (P, f64)> = HashMap::from([(root.key(), (root.clone(), 1.0))]);
    let (mut by_ply, mut games) = (vec![1], 0.0);
    let mut ended = None;
    'plies: while !layer.is_empty() {
        let mut next: HashMap<u64, (P, f64)> = HashMap::new();
        let mut new = 0;
        for (position, paths) in layer.values() {
            if position.turn().is_over() {
                games += paths;
                continue;
            }
            position.moves(|m| {
                let child = position.after(m);
                let key = child.key();
                let first = seen.insert(key);
                if first {
                    new += 1;
                    classes.insert(child.canonical_key());
                }
                if first || !P::CYCLIC {
                    next.entry(key).or_insert_with(|| (child, 0.0)).1 += paths;
                }
            });
            let mut bytes = held(layer.capacity(), 0, entry) + held(next.capacity(), next.len(), entry);
            bytes += held(seen.capacity(), seen.len(), 8) + held(classes.capacity(), classes.len(), 8);
            ended = if bytes > budget.memory {
                Some("memory")
            } else if !meter.spend(1) {
                None
            } else if budget.stop.asked() {
                Some("stopped")
            } else if budget.time.is_some_and(|t| begun.elapsed() >= t) {
                Some("time")
            } else {
                Some("nodes")
            };
            if ended.is_some() {
                break 'plies;
            }
        }
        if new > 0 {
            by_ply.push(new);
        }
        layer = next;
    }
    let total = by_ply.iter().sum();
    let complete = ended.is_none();
    let classes = complete.then_some(classes.len() as u64);
    Reached { by_ply, total, classes, complete, ended, games: (complete && !P::CYCLIC).then_some(games) }
}
