//! How many positions can arise, where they cannot be counted one by one: a set that holds them all, has a
//! known size and can be drawn from, and a test that every position which can arise passes
//! (Allis 1994, section 6.2). The share that passes, times the size, is the estimate.

use crate::Rng;

/// A set that holds every position which can arise from the start.
pub struct Superset {
    /// Sets that hold every position, each within the one before it; draws come from the last one.
    pub bounds: Vec<Bound>,
    /// The test, if there is one.
    pub test: Option<Test>,
}

/// A set of known size.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// What is in it, in a few words.
    pub what: String,
    /// How many elements it has; exact below 2^53.
    pub size: f64,
}

/// What is asked of an element drawn at random.
pub struct Test {
    /// What passes, in a few words.
    pub what: &'static str,
    /// Does an element pass only if it can arise? Otherwise the estimate is from above.
    pub exact: bool,
    /// Draws an element, each with the same chance, and says whether it passes.
    pub draw: Box<dyn Fn(&mut Rng) -> bool + Send + Sync>,
}

impl Bound {
    /// A set of this size.
    pub fn new(what: impl Into<String>, size: f64) -> Self {
        Self { what: what.into(), size }
    }
}

/// The number of ways to choose `k` of `n`; exact below 2^53 / n.
pub fn choose(n: usize, k: usize) -> f64 {
    if k > n {
        return 0.0;
    }
    (1..=k.min(n - k)).fold(1.0, |ways, i| ways * (n + 1 - i) as f64 / i as f64)
}

/// Numbers from 0 on, each with a chance in proportion to its weight.
#[derive(Clone, Debug)]
pub struct Weights(Vec<f64>);

impl Weights {
    /// The number i has the i-th weight.
    pub fn new(weights: impl IntoIterator<Item = f64>) -> Self {
        let mut sum = 0.0;
        Self(
            weights
                .into_iter()
                .map(|weight| {
                    sum += weight;
                    sum
                })
                .collect(),
        )
    }

    /// The sum of the weights.
    pub fn total(&self) -> f64 {
        self.0.last().copied().unwrap_or(0.0)
    }

    /// A number drawn by weight.
    pub fn draw(&self, rng: &mut Rng) -> usize {
        let point = rng.unit() * self.total();
        self.0.partition_point(|&sum| sum <= point).min(self.0.len().saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_kept() {
        let (weights, mut rng, mut count) = (Weights::new([1.0, 0.0, 3.0]), Rng::new(1), [0; 3]);
        for _ in 0..4000 {
            count[weights.draw(&mut rng)] += 1;
        }
        assert!(count[1] == 0 && (900..1100).contains(&count[0]), "{count:?}");
    }

    #[test]
    fn choices_are_counted() {
        assert_eq!(choose(60, 12), 1_399_358_844_975.0);
        assert_eq!((choose(5, 0), choose(5, 5), choose(3, 4)), (1.0, 1.0, 0.0));
    }
}
