//! The tree of Monte-Carlo search: one arena, children side by side, 32 bytes a node for moves of up to four
//! bytes. A node keeps its *mean* and its *width* 1/sqrt(visits) ready, so that choosing among children is one
//! multiplication and one addition each; the division and the root are paid once a visited node, on the way up.
//! These two lie apart from the rest of the node: eight children to a line of the cache.
//!
//! Each node also keeps proven bounds (score-bounded tree search, Cazenave and Saffidine 2010; with outcomes it
//! is the Monte-Carlo tree search solver of Winands, Björnsson and Saito 2008). A *closed* child has a width of
//! minus infinity and is not visited again: its bounds meet, or it cannot better what its parent is sure of.
//! All values are the first player's, in [`Units`](crate::units::Units).

use std::ops::Range;

/// What the choice among children looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lure {
    pub mean: f32,
    width: f32,
}

/// A position reached in one way: the tree keeps no positions and no transpositions.
#[derive(Clone, Debug)]
pub(super) struct Node<M> {
    pub visits: u32,
    /// The index of the first child; 0 when there are none yet.
    pub first: u32,
    pub count: u32,
    pub low: i32,
    pub high: i32,
    /// The move that leads here.
    pub m: M,
}

impl<M> Node<M> {
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.low == self.high
    }

    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.first != 0
    }

    fn children(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Sums for a mean and its standard error, kept in full precision where they are shown: at the root.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    pub count: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    pub fn add(&mut self, x: f64) {
        self.count += 1.0;
        self.sum += x;
        self.squares += x * x;
    }

    pub fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    pub fn mean(self) -> f64 {
        if self.count > 0.0 { self.sum / self.count } else { 0.0 }
    }

    pub fn deviation(self) -> f64 {
        if self.count < 2.0 {
            return 0.0;
        }
        ((self.squares - self.sum * self.mean()) / (self.count - 1.0)).max(0.0).sqrt()
    }

    /// The same with one more sample at the distance `far` from the mean: a few samples that are all alike are no
    /// certainty.
    pub fn careful_error(self, far: f64) -> f64 {
        let variance = (self.squares - self.sum * self.mean()).max(0.0) + far * far;
        (variance / (self.count + 1.0) / self.count.max(1.0)).sqrt()
    }

    /// The standard error of the mean, as if the samples were independent.
    pub fn error(self) -> Option<f64> {
        (self.count >= 2.0).then(|| self.deviation() / self.count.sqrt())
    }
}

/// The arena. Node 0 is the root.
pub(super) struct Tree<M> {
    pub nodes: Vec<Node<M>>,
    /// By node.
    pub lures: Vec<Lure>,
    capacity: usize,
    expansions: usize,
    /// What each root move has brought.
    pub moves: Vec<Moments>,
    pub all: Moments,
    /// What `all` was when its count was the last power of two, and the one before.
    marks: [Moments; 2],
    /// sqrt(ln(visits + 1)) for the small counts that most nodes have.
    roots: Vec<f32>,
}

const ROOTS: usize = 4096;
/// So many children are compared at once.
const BLOCK: usize = 16;

fn root_of_log(visits: u32) -> f32 {
    (visits as f32 + 1.0).ln().sqrt()
}

impl<M: Copy> Tree<M> {
    /// The bytes of a node.
    pub const NODE: usize = size_of::<Node<M>>() + size_of::<Lure>();

    /// A tree that takes at most `bytes`. The pages are reserved at once and used as they are needed.
    pub fn new(bytes: usize) -> Self {
        let roots: Vec<f32> = (0..ROOTS as u32).map(root_of_log).collect();
        let bytes = bytes.saturating_sub(ROOTS * 4);
        let mut capacity = (bytes / Self::NODE).clamp(2, u32::MAX as usize);
        let (mut nodes, mut lures) = (Vec::new(), Vec::new());
        while capacity > 2
            && (nodes.try_reserve_exact(capacity).is_err() || lures.try_reserve_exact(capacity).is_err())
        {
            capacity /= 2;
        }
        Self {
            nodes,
            lures,
            capacity,
            expansions: 0,
            moves: Vec::new(),
            all: Moments::default(),
            marks: [Moments::default(); 2],
            roots,
        }
    }

    /// Starts again from a root with these moves and bounds; there is always room for these.
    pub fn reset(&mut self, moves: &[M], root: (i32, i32), children: (i32, i32), urgency: f32) {
        self.nodes.clear();
        self.lures.clear();
        self.expansions = 0;
        self.all = Moments::default();
        self.marks = [Moments::default(); 2];
        self.moves = vec![Moments::default(); moves.len()];
        let Some(&m) = moves.first() else { return };
        let (low, high) = root;
        // The root's own move has no meaning.
        self.nodes.push(Node { visits: 0, first: 0, count: 0, low, high, m });
        self.lures.push(Lure { mean: 0.0, width: 1.0 });
        self.capacity = self.capacity.max(moves.len() + 1);
        self.expand(0, moves, children, urgency);
    }

    /// The simulations until a quarter to a half of them were done.
    pub fn before(&self) -> Moments {
        self.marks[1]
    }

    pub fn children(&self, node: usize) -> &[Node<M>] {
        &self.nodes[self.nodes[node].children()]
    }

    /// How many children a node had on average.
    #[inline]
    pub fn average_width(&self) -> usize {
        self.nodes.len() / self.expansions.max(1)
    }

    /// Gives `node` one child a move, unless the arena has no room for them: all or none. A child not yet
    /// visited counts with its parent's mean and the width `urgency`.
    pub fn expand(&mut self, node: usize, moves: &[M], bounds: (i32, i32), urgency: f32) -> bool {
        if moves.is_empty() || self.nodes.len() + moves.len() > self.capacity {
            return false;
        }
        let first = self.nodes.len() as u32;
        let (low, high) = bounds;
        self.nodes.extend(moves.iter().map(|&m| Node { visits: 0, first: 0, count: 0, low, high, m }));
        self.lures.resize(self.nodes.len(), Lure { mean: self.lures[node].mean, width: urgency });
        self.nodes[node].first = first;
        self.nodes[node].count = moves.len() as u32;
        self.expansions += 1;
        true
    }

    /// The open child with the greatest upper confidence bound; the first of equals.
    #[inline]
    pub fn select(&self, node: usize, maximise: bool, exploration: f32) -> Option<usize> {
        let parent = &self.nodes[node];
        let root = match self.roots.get(parent.visits as usize) {
            Some(&root) => root,
            None => root_of_log(parent.visits),
        };
        let k = (exploration * root).max(f32::MIN_POSITIVE);
        let sign = if maximise { 1.0 } else { -1.0 };
        let lures = &self.lures[parent.children()];
        let (mut best, mut pick) = (f32::NEG_INFINITY, None);
        let bound = |lure: &Lure| sign * lure.mean + k * lure.width;
        // Many children are compared by the block, without a branch each.
        let mut blocks = lures.chunks_exact(BLOCK);
        for (i, block) in blocks.by_ref().enumerate() {
            let mut bounds = [f32::NEG_INFINITY; BLOCK];
            for (to, lure) in bounds.iter_mut().zip(block) {
                *to = bound(lure);
            }
            let most = bounds.iter().fold(f32::NEG_INFINITY, |most, &b| if b > most { b } else { most });
            if most > best {
                best = most;
                pick = bounds.iter().position(|&b| b == most).map(|j| i * BLOCK + j);
            }
        }
        let rest = lures.len() - blocks.remainder().len();
        for (i, lure) in blocks.remainder().iter().enumerate() {
            if bound(lure) > best {
                (best, pick) = (bound(lure), Some(rest + i));
            }
        }
        pick.map(|i| parent.first as usize + i)
    }

    /// Takes in sound bounds of a node. True if they say something new. What contradicts the bounds that are there is left: a
    /// win that databases tell of may lead through positions of the path, where the tree holds it for a repetition.
    pub fn bound(&mut self, node: usize, low: i32, high: i32) -> bool {
        let n = &mut self.nodes[node];
        let (low, high) = (n.low.max(low), n.high.min(high));
        if low > high {
            return false;
        }
        let news = (low, high) != (n.low, n.high);
        (n.low, n.high) = (low, high);
        if low == high {
            self.close(node);
        }
        news
    }

    fn close(&mut self, node: usize) {
        self.lures[node].width = f32::NEG_INFINITY;
        if self.nodes[node].is_settled() {
            self.lures[node].mean = self.nodes[node].low as f32;
        }
    }

    /// Counts one result for the nodes of `path`, each with whether its player maximises, from the last to the
    /// root. `news` says whether the bounds of the last one have just changed.
    #[inline]
    pub fn back_up(&mut self, path: &[(u32, bool)], mut value: i32, mut news: bool) {
        for (i, &(node, maximise)) in path.iter().enumerate().rev() {
            if news && i + 1 < path.len() {
                news = self.refresh(node as usize, maximise);
            }
            let lure = &mut self.lures[node as usize];
            let node = &mut self.nodes[node as usize];
            value = value.clamp(node.low, node.high);
            node.visits += 1;
            if lure.width != f32::NEG_INFINITY {
                lure.width = 1.0 / (node.visits as f32).sqrt();
                lure.mean += (value as f32 - lure.mean) * lure.width * lure.width;
            }
        }
        self.all.add(value.into());
        if self.all.count >= 2.0 * self.marks[0].count {
            self.marks = [self.all, self.marks[0]];
        }
        if let Some(&(child, _)) = path.get(1) {
            let i = child as usize - self.nodes[0].first as usize;
            self.moves[i].add(value.into());
        }
    }

    /// Takes the bounds of the children into those of the node and closes the children that cannot better
    /// them. True if that says something new.
    fn refresh(&mut self, node: usize, maximise: bool) -> bool {
        let children = self.children(node);
        let (mut low, mut high) = (children[0].low, children[0].high);
        for child in &children[1..] {
            if maximise {
                (low, high) = (low.max(child.low), high.max(child.high));
            } else {
                (low, high) = (low.min(child.low), high.min(child.high));
            }
        }
        let news = self.bound(node, low, high);
        let Node { low, high, .. } = self.nodes[node];
        for child in self.nodes[node].children() {
            let n = &self.nodes[child];
            if if maximise { n.high <= low } else { n.low >= high } {
                self.close(child);
            }
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_half_a_cache_line() {
        assert_eq!(Tree::<u8>::NODE, 32);
        assert_eq!(Tree::<u32>::NODE, 32);
    }

    #[test]
    fn bounds_rise_through_the_tree_and_close_what_cannot_help() {
        let mut tree = Tree::new(1 << 16);
        tree.reset(&[0u8, 1, 2], (-1, 1), (-1, 1), f32::INFINITY);
        assert_eq!(tree.select(0, true, 1.0), Some(1));
        // A draw is proven: the root cannot get less, and a child that gives no more is closed.
        assert!(tree.bound(1, 0, 0));
        tree.back_up(&[(0, true), (1, false)], 0, true);
        assert_eq!((tree.nodes[0].low, tree.nodes[0].high), (0, 1));
        assert!(tree.bound(2, -1, 0));
        tree.back_up(&[(0, true), (2, false)], -1, true);
        assert_eq!(tree.select(0, true, 1.0), Some(3));
        assert_eq!(tree.all.mean(), 0.0, "a loss in a playout counts as the draw that is sure");
        // The last open child loses: the root is a draw.
        tree.bound(3, -1, -1);
        tree.back_up(&[(0, true), (3, false)], -1, true);
        assert!(tree.nodes[0].is_settled());
        assert_eq!(tree.select(0, true, 1.0), None);
    }

    #[test]
    fn a_full_arena_refuses_and_stays_as_it_is() {
        let mut tree = Tree::new(ROOTS * 4 + 4 * 32);
        tree.reset(&[0u8, 1], (-1, 1), (-1, 1), 1.0);
        assert!(!tree.expand(1, &[0, 1], (-1, 1), 1.0));
        assert_eq!(tree.nodes.len(), 3);
    }

    #[test]
    fn moments_are_those_of_the_sample() {
        let mut moments = Moments::default();
        for x in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            moments.add(x);
        }
        assert_eq!(moments.mean(), 5.0);
        assert!((moments.deviation() - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn what_contradicts_is_left() {
        let mut tree = Tree::new(1 << 16);
        tree.reset(&[1u8, 2], (-6, 6), (-6, 6), 1.0);
        assert!(tree.bound(1, 1, 6));
        assert!(!tree.bound(1, -1, -1), "databases know better");
        assert_eq!((tree.nodes[1].low, tree.nodes[1].high), (1, 6));
        tree.back_up(&[(0, true), (1, false)], -1, true);
    }
}
