//! Ranks for a strategy in a game with cycles.
//!
//! The rank must fall from each record to the next, but for records that may *repeat*: there it must not
//! rise. Such ranks exist exactly when no cycle of the strategy's graph goes through a record that may not
//! repeat, so the strongly connected components decide (Tarjan 1972), and the greatest number of falls on a
//! way out is the least rank. Where ranks fail, other moves are tried as in solving a co-Buechi game: stage
//! `n` holds the records from which, by some move, play stays among them where it may repeat, or goes to a
//! lower stage.
//!
//! Cost: linear for ranks; for other moves stages times edges at worst.

/// The records that a strategy leads to from each record.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    spans: Vec<(u32, u32)>,
    edges: Vec<u32>,
    may_repeat: Vec<bool>,
}

impl Graph {
    /// Bytes held.
    pub fn memory(&self) -> usize {
        self.spans.capacity() * 8 + self.edges.capacity() * 4 + self.may_repeat.capacity()
    }

    /// Sets where record `i` leads. False if there are too many edges.
    pub fn set(&mut self, i: u32, may_repeat: bool, next: &[u32]) -> bool {
        let i = i as usize;
        if self.spans.len() <= i {
            self.spans.resize(i + 1, (0, 0));
            self.may_repeat.resize(i + 1, false);
        }
        let start = self.edges.len();
        self.edges.extend_from_slice(next);
        self.spans[i] = (start as u32, self.edges.len() as u32);
        self.may_repeat[i] = may_repeat;
        u32::try_from(self.edges.len()).is_ok()
    }

    fn next(&self, i: usize) -> &[u32] {
        let (start, end) = self.spans[i];
        &self.edges[start as usize..end as usize]
    }

    /// The least rank of each record; none for those from which play can run into a cycle that is not
    /// good enough.
    pub fn ranks(&self) -> Vec<Option<u32>> {
        const NEW: u32 = 0;
        const DONE: u32 = u32::MAX;
        let n = self.spans.len();
        let mut ranks: Vec<Option<u32>> = vec![None; n];
        // Tarjan's number of each record, from 1, in the order met; DONE once its component is complete.
        let mut low = vec![NEW; n];
        let mut order = vec![NEW; n];
        let mut counter = 0;
        let mut open = Vec::new();
        let mut path: Vec<(u32, u32)> = Vec::new();
        for start in 0..n {
            if order[start] != NEW {
                continue;
            }
            path.push((start as u32, 0));
            while let Some((v, at)) = path.last_mut() {
                let v = *v as usize;
                if order[v] == NEW {
                    counter += 1;
                    (order[v], low[v]) = (counter, counter);
                    open.push(v as u32);
                }
                if let Some(&w) = self.next(v).get(*at as usize) {
                    *at += 1;
                    let w = w as usize;
                    if order[w] == NEW {
                        path.push((w as u32, 0));
                    } else if order[w] != DONE {
                        low[v] = low[v].min(order[w]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent as usize] = low[parent as usize].min(low[v]);
                }
                if low[v] == order[v] {
                    let begin = open.iter().rposition(|&w| w as usize == v).unwrap_or(0);
                    let rank = self.component_rank(&open[begin..], &order, &ranks);
                    for w in open.drain(begin..) {
                        order[w as usize] = DONE;
                        ranks[w as usize] = rank;
                    }
                }
            }
        }
        ranks
    }

    /// The rank that all records of a component get. Records with `order` below DONE are still open, and
    /// an edge to one of them stays in the component.
    fn component_rank(&self, component: &[u32], order: &[u32], ranks: &[Option<u32>]) -> Option<u32> {
        let mut rank = 0;
        for &v in component {
            let fall = u32::from(!self.may_repeat[v as usize]);
            for &w in self.next(v as usize) {
                if order[w as usize] == u32::MAX {
                    rank = rank.max(ranks[w as usize]? + fall);
                } else if fall == 1 {
                    return None;
                }
            }
        }
        Some(rank)
    }
}

/// One way to go on from a record.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub record: u32,
    /// The move's number.
    pub number: u16,
    pub may_repeat: bool,
    pub next: Vec<u32>,
}

/// Finds moves and ranks for records without a rank, as far as `choices` allow; choices of one record lie
/// together. Gives the moves found.
pub(crate) fn repair(ranks: &mut [Option<u32>], choices: &[Choice]) -> Vec<(u32, u16)> {
    let mut groups: Vec<&[Choice]> = choices.chunk_by(|a, b| a.record == b.record).collect();
    let mut found = Vec::new();
    let mut highest = ranks.iter().flatten().max().copied().unwrap_or(0);
    let mut stage = 0;
    while !groups.is_empty() {
        let mut stays = vec![false; ranks.len()];
        for group in &groups {
            stays[group[0].record as usize] = true;
        }
        let good = |choice: &&Choice, stays: &[bool], ranks: &[Option<u32>]| {
            choice.next.iter().all(|&w| match ranks[w as usize] {
                Some(rank) => rank < stage || rank == stage && choice.may_repeat,
                None => choice.may_repeat && stays[w as usize],
            })
        };
        // Records leave the stage until the rest can stay in it.
        let mut changed = true;
        while changed {
            changed = false;
            for group in &groups {
                let record = group[0].record as usize;
                if stays[record] && !group.iter().any(|c| good(&c, &stays, ranks)) {
                    stays[record] = false;
                    changed = true;
                }
            }
        }
        let before = found.len();
        let settled: Vec<&Choice> = groups
            .iter()
            .filter(|g| stays[g[0].record as usize])
            .filter_map(|g| g.iter().find(|c| good(c, &stays, ranks)))
            .collect();
        for choice in settled {
            found.push((choice.record, choice.number));
            ranks[choice.record as usize] = Some(stage);
        }
        groups.retain(|g| ranks[g[0].record as usize].is_none());
        if found.len() > before {
            highest = highest.max(stage);
        } else if stage > highest {
            break;
        }
        stage += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(records: &[(bool, &[u32])]) -> Graph {
        let mut graph = Graph::default();
        for (i, (may_repeat, next)) in records.iter().enumerate() {
            assert!(graph.set(i as u32, *may_repeat, next));
        }
        graph
    }

    #[test]
    fn ranks_count_the_falls_and_refuse_bad_cycles() {
        // 0 -> 1 -> 2 -> end, all strict.
        assert_eq!(graph(&[(false, &[1]), (false, &[2]), (false, &[])]).ranks(), [Some(2), Some(1), Some(0)]);
        // A cycle that may repeat, with a strict way into it.
        assert_eq!(graph(&[(false, &[1]), (true, &[2]), (true, &[1])]).ranks(), [Some(1), Some(0), Some(0)]);
        // The same cycle with one strict record: nothing that leads there has a rank; 3 has.
        let bad = graph(&[(false, &[1]), (true, &[2]), (false, &[1]), (false, &[])]);
        assert_eq!(bad.ranks(), [None, None, None, Some(0)]);
        assert_eq!(graph(&[(false, &[0])]).ranks(), [None]);
        assert_eq!(graph(&[(true, &[0])]).ranks(), [Some(0)]);
        // Met in another order, through an open component.
        let far = graph(&[(true, &[2]), (false, &[]), (true, &[0, 3]), (false, &[1])]);
        assert_eq!(far.ranks(), [Some(1), Some(0), Some(1), Some(1)]);
    }

    #[test]
    fn other_moves_break_bad_cycles() {
        let choice = |record, number, may_repeat, next: &[u32]| Choice {
            record,
            number,
            may_repeat,
            next: next.into(),
        };
        // 0 and 1 go round; 1 can also go to 2, which has rank 4.
        let mut ranks = vec![None, None, Some(4), None];
        let choices = [
            choice(0, 7, false, &[1]),
            choice(1, 7, false, &[0]),
            choice(1, 8, false, &[2]),
            choice(3, 7, false, &[3]),
            choice(3, 8, true, &[3, 0]),
        ];
        assert_eq!(repair(&mut ranks, &choices), [(1, 8), (0, 7), (3, 8)]);
        assert_eq!(ranks, [Some(6), Some(5), Some(4), Some(6)]);
        let mut ranks = vec![None];
        assert_eq!(repair(&mut ranks, &[choice(0, 0, false, &[0])]), []);
        assert_eq!(ranks, [None]);
    }
}
