//! Virus games for the database engine: all sets of vertices of a graph are one slice.
//!
//! A position's number has a bit for each vertex with a virus. Both players have the same moves, so it is the number with either
//! of them to move. A move flips a set of vertices that depends on which one fires and not on the others, so where moves lead and
//! where they come from are exclusive ors with a list of sets that is made once: nothing else is kept in memory.

use endspiel_game::{Game, Player, TextError, TwoPlayer};
use endspiel_retro::{Arcs, Indexed, Job, Metric, NUMBERING_BYTES, SOLVING_BYTES, Stopped, Table};
use endspiel_retro::{backward, number_slice};
use endspiel_rules::virus::{Infection, Set, Virus};
use std::collections::BTreeMap;

/// The most vertices of a graph with tables: a table of them has 64 million positions.
pub const MOST_VERTICES: usize = 26;

/// All positions on a graph.
#[derive(Clone, Debug)]
pub struct Infections {
    game: Virus,
    /// The sets that moves flip, each once, with the vertices by whose firing they are flipped; none of a graph that is too large.
    flips: Vec<(u32, u32)>,
}

impl Infections {
    /// Those of a game.
    pub fn new(game: &Virus) -> Self {
        let mut flips: BTreeMap<u32, u32> = BTreeMap::new();
        let graph = game.graph();
        for vertex in (0..graph.len()).filter(|_| graph.len() <= MOST_VERTICES) {
            graph.each_choice(vertex, &mut |chosen| {
                let flipped = chosen.words()[0] as u32 | 1 << vertex;
                *flips.entry(flipped).or_default() |= 1 << vertex;
            });
        }
        Self { game: game.clone(), flips: flips.into_iter().collect() }
    }

    fn is_too_large(&self) -> bool {
        self.game.graph().len() > MOST_VERTICES
    }

    fn at(&self, number: usize) -> Infection {
        self.game.occupied(Set::from(number as u64), Player::FIRST)
    }
}

impl Arcs for Infections {
    fn positions(&self) -> usize {
        1 << self.game.graph().len()
    }

    fn many(&self, number: usize) -> Option<u32> {
        Some(self.flips.iter().filter(|&&(_, fires)| number as u32 & fires != 0).count() as u32)
    }

    /// What fires is among what is flipped: before the move it had a virus, after it it has none.
    #[inline]
    fn before(&self, number: usize, mut each: impl FnMut(usize)) {
        for &(flipped, fires) in &self.flips {
            if !(number as u32) & fires != 0 {
                each((number as u32 ^ flipped) as usize);
            }
        }
    }
}

impl Indexed for Infections {
    type Position = Infection;
    type Slice = ();

    fn slice_name(&self, (): ()) -> String {
        "all".into()
    }

    fn read_slices(&self, text: &str) -> Result<Vec<()>, TextError> {
        if self.is_too_large() {
            let what = format!("the graph has {} vertices", self.game.graph().len());
            let expected = format!(
                "a graph with at most {MOST_VERTICES} for a table; `endspiel sum` values positions of larger ones"
            );
            return Err(TextError::new(0, what, expected));
        }
        crate::only_slice(text)
    }

    fn size(&self, (): ()) -> u64 {
        1 << self.game.graph().len().min(MOST_VERTICES)
    }

    fn conversions(&self, (): ()) -> Vec<()> {
        Vec::new()
    }

    fn position(&self, (): (), index: u64) -> Option<Infection> {
        Some(self.at(index as usize))
    }

    fn place(&self, position: &Infection) -> Option<((), u64)> {
        (!self.is_too_large()).then(|| ((), position.set().words()[0]))
    }

    fn outside(&self, _: &Infection) -> String {
        let many = self.game.graph().len();
        format!("the graph has {many} vertices, and tables are of graphs with at most {MOST_VERTICES}")
    }

    fn mover(&self, position: &Infection) -> Player {
        position.to_move()
    }

    fn is_impartial(&self) -> bool {
        self.game.start().impartial().is_some()
    }

    fn predecessors(&self, position: &Infection, each: &mut dyn FnMut(Infection)) -> bool {
        self.before(position.set().words()[0] as usize, |number| each(self.at(number)));
        true
    }

    fn solving_bytes(&self, slice: (), metric: Metric) -> u64 {
        self.size(slice) * if metric == Metric::Grundy { NUMBERING_BYTES } else { SOLVING_BYTES }
    }

    fn solve(&self, job: &Job<'_, Self>) -> Result<Table, Stopped> {
        if job.metric == Metric::Grundy { number_slice(job, self) } else { backward(self, job) }
    }
}
