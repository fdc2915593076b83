//! Random-tree games (Korf and Chickering 1996; Utgoff and Cochran, A least-certainty heuristic for selective
//! search, 2000): a testbed for search methods with a tree of any width and depth, and no rules to compute.
//!
//! Every node of a complete b-ary tree has its breadth-order index, modulo 2^32: 0 at the root, b*i + m for the
//! m-th child of i. The edge into node i is worth the top bits of `mix(i ^ mix(seed))`, scaled to -R..R-1, where
//! `mix` is the finaliser of splitmix64. A node's heuristic value is the sum of the edges above it.
//! All costs are O(1); a position is 64 bytes of path and a few numbers.

use endspiel_game::notation::{number, shorten};
use endspiel_game::picture::{Paint, Shape};
use endspiel_game::{
    About, Convergence, Game, Notation, Payoff, Picture, Player, Position, Rng, Scene, Symmetric, TextError,
    Turn, TwoPlayer, mix,
};
use std::fmt::Write;

/// The deepest tree.
pub const DEEPEST: usize = 64;
/// The widest tree.
pub const WIDEST: usize = 255;
/// The largest range of edge values.
pub const LARGEST_RANGE: usize = 1 << 20;

/// What a leaf pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaves {
    /// The sum of the edges: the first player gets it, the second pays it.
    Sum,
    /// Win or loss: the first player wins with a sum of 0 or more.
    TwoValues,
    /// Win, draw or loss by the sign of the sum.
    ThreeValues,
}

/// A rule set: the shape of the tree and the seed of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RandomTree {
    /// Most children of an inner node, at most [`WIDEST`].
    pub branching: u8,
    /// Fewest children of an inner node; equal to `branching` in a uniform tree.
    pub least_branching: u8,
    /// The depth of the leaves, at most [`DEEPEST`].
    pub depth: u8,
    /// Which of the trees.
    pub seed: u64,
    /// Edges are worth -range to range - 1; at most [`LARGEST_RANGE`].
    pub range: i32,
    /// What a leaf pays.
    pub leaves: Leaves,
}

impl Default for RandomTree {
    fn default() -> Self {
        Self { branching: 2, least_branching: 2, depth: 10, seed: 1, range: 1 << 14, leaves: Leaves::Sum }
    }
}

impl RandomTree {
    /// The uniform tree with sums at the leaves and the usual range of edges.
    pub fn new(branching: u8, depth: u8, seed: u64) -> Self {
        Self { branching, least_branching: branching, depth, seed, ..Self::default() }
    }

    /// What the edge into the node with this index is worth.
    #[inline]
    pub fn edge(&self, index: u32) -> i32 {
        let hash = mix(u64::from(index) ^ mix(self.seed));
        (((hash >> 32) * (2 * self.range) as u64) >> 32) as i32 - self.range
    }

    /// How many children the inner node with this index has: drawn evenly from the least to the most by the low
    /// half of another hash.
    #[inline]
    fn children(&self, index: u32) -> u8 {
        let choices = u64::from(self.branching - self.least_branching) + 1;
        let hash = mix(u64::from(index) ^ mix(!self.seed));
        self.least_branching + (((hash & 0xFFFF_FFFF) * choices) >> 32) as u8
    }
}

impl Game for RandomTree {
    type Position = Node;

    const ABOUT: About = About {
        name: "random-tree",
        title: "Random tree",
        summary: "Walk down a tree of random numbers; the first player wants a large sum, the second a small one.",
        rules: "The tree has b children a node and leaves at depth d. The players take turns to choose a child; \
                every edge carries a number from -R to R - 1 that the seed fixes. At a leaf the first player \
                gets the sum of the edges passed and the second pays it; with `values=2` it counts only whether \
                the sum is negative (the second player wins) or not, with `values=3` a sum of 0 is a draw. \
                With `bmin` a node has bmin to b children, each number equally often.",
        variants: "b=CHILDREN,d=DEPTH,seed=NUMBER,range=R,values=2 or 3,bmin=CHILDREN, each optional, such as \
                   b=3,d=6,seed=1",
        examples: &["b=3,d=6,seed=1", "b=10,d=64,seed=7", "b=2,d=12,values=2", "b=5,bmin=1,d=8,range=4"],
        players: ["Max", "Min"],
        sudden_death: false,
        convergence: Convergence::Unchangeable,
        notation: "a move is the number of the child, 1 to b; a position is the path from the root, such as /2/1/3",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        let expected = "b=, d=, seed=, range=, values= or bmin= with a number, such as b=3,d=6,seed=1";
        let mut tree = Self::default();
        let (mut least, mut at) = (None, 0);
        for part in text.split(',').filter(|_| !text.trim().is_empty()) {
            let begin = at + part.len() - part.trim_start().len();
            at += part.len() + 1;
            let Some((name, value)) = part.trim().split_once('=') else {
                return Err(TextError::new(
                    begin,
                    format!("'{}' sets nothing", shorten(part.trim())),
                    expected,
                ));
            };
            let within = |what: &str, low: usize, high: usize| {
                number(value, what, low, high).map_err(|e| e.shifted(begin + name.len() + 1))
            };
            match name {
                "b" => tree.branching = within("branching", 1, WIDEST)? as u8,
                "bmin" => least = Some((begin, within("least branching", 1, WIDEST)? as u8)),
                "d" => tree.depth = within("depth", 0, DEEPEST)? as u8,
                "seed" => tree.seed = within("seed", 0, usize::MAX)? as u64,
                "range" => tree.range = within("range", 1, LARGEST_RANGE)? as i32,
                "values" => {
                    let three = within("number of values", 2, 3)? == 3;
                    tree.leaves = if three { Leaves::ThreeValues } else { Leaves::TwoValues };
                }
                _ => {
                    let what = format!("'{}' is no parameter of a random tree", shorten(name));
                    return Err(TextError::new(begin, what, expected));
                }
            }
        }
        tree.least_branching = tree.branching;
        if let Some((begin, least)) = least {
            if least > tree.branching {
                let expected = format!("at most the branching {}", tree.branching);
                return Err(TextError::new(begin, format!("bmin={least} is more than b"), expected));
            }
            tree.least_branching = least;
        }
        Ok(tree)
    }

    fn variant(&self) -> String {
        let usual = Self::default();
        if *self == usual {
            return String::new();
        }
        let mut out = format!("b={},d={},seed={}", self.branching, self.depth, self.seed);
        if self.range != usual.range {
            let _ = write!(out, ",range={}", self.range);
        }
        match self.leaves {
            Leaves::Sum => {}
            Leaves::TwoValues => out.push_str(",values=2"),
            Leaves::ThreeValues => out.push_str(",values=3"),
        }
        if self.least_branching != self.branching {
            let _ = write!(out, ",bmin={}", self.least_branching);
        }
        out
    }

    fn start(&self) -> Node {
        Node { tree: *self, index: 0, value: 0, depth: 0, path: [0; DEEPEST], hash: 0 }
    }

    fn read(&self, text: &str) -> Result<Node, TextError> {
        let mut node = self.start();
        let Some(rest) = text.strip_prefix('/') else {
            return Err(TextError::new(0, "a path begins at the root", "a path such as / or /2/1"));
        };
        let mut at = 1;
        for step in rest.split('/').filter(|_| !rest.is_empty()) {
            if node.turn().is_over() {
                let expected = format!("at most {} steps", self.depth);
                return Err(TextError::new(at, "the path goes on below a leaf", expected));
            }
            let child = number(step, "child", 1, node.count_moves()).map_err(|e| e.shifted(at))?;
            node.play(child as u8);
            at += step.len() + 1;
        }
        Ok(node)
    }
}

/// A node of the tree; the first player is to move at even depths.
#[derive(Clone, Debug)]
pub struct Node {
    tree: RandomTree,
    index: u32,
    value: i32,
    depth: u8,
    /// The children chosen on the way here.
    path: [u8; DEEPEST],
    hash: u64,
}

impl Node {
    /// The heuristic value: the sum of the edges from the root, in the first player's view.
    #[inline]
    pub fn value(&self) -> i32 {
        self.value
    }

    /// How many edges lie above.
    #[inline]
    pub fn depth(&self) -> usize {
        usize::from(self.depth)
    }

    /// The breadth-order index, modulo 2^32.
    #[inline]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// The tree it is in.
    pub fn tree(&self) -> &RandomTree {
        &self.tree
    }

    fn child(&self, m: u8) -> u32 {
        self.index.wrapping_mul(u32::from(self.tree.branching)).wrapping_add(u32::from(m))
    }

    fn score_of(&self, sum: i32) -> i32 {
        match self.tree.leaves {
            Leaves::Sum => sum,
            Leaves::TwoValues => {
                if sum < 0 {
                    -1
                } else {
                    1
                }
            }
            Leaves::ThreeValues => sum.signum(),
        }
    }
}

impl Position for Node {
    type Move = u8;

    #[inline]
    fn turn(&self) -> Turn {
        if self.depth == self.tree.depth { Turn::Over } else { Turn::Player(Player(self.depth & 1)) }
    }

    #[inline]
    fn moves(&self, each: impl FnMut(u8)) {
        (1..=self.count_moves() as u8).for_each(each);
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.depth == self.tree.depth { 0 } else { usize::from(self.tree.children(self.index)) }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<u8> {
        let count = self.count_moves();
        (count > 0).then(|| rng.below(count) as u8 + 1)
    }

    #[inline]
    fn play(&mut self, m: u8) {
        self.index = self.child(m);
        self.value += self.tree.edge(self.index);
        self.hash = mix(self.hash ^ u64::from(m));
        self.path[usize::from(self.depth)] = m;
        self.depth += 1;
    }

    fn payoff(&self) -> Payoff {
        Payoff::zero_sum(self.score_of(self.value))
    }

    #[inline]
    fn key(&self) -> u64 {
        self.hash
    }
}

impl TwoPlayer for Node {
    fn score_range(&self) -> (i32, i32) {
        let left = i32::from(self.tree.depth - self.depth);
        let (low, high) = (self.value - left * self.tree.range, self.value + left * (self.tree.range - 1));
        (self.score_of(low), self.score_of(high))
    }
}

impl Symmetric for Node {}

impl Notation for Node {
    fn write_move(&self, m: u8) -> String {
        m.to_string()
    }

    fn write(&self) -> String {
        if self.depth == 0 {
            return "/".into();
        }
        self.path[..self.depth()].iter().fold(String::new(), |mut out, m| {
            let _ = write!(out, "/{m}");
            out
        })
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.path[..self.depth()]);
    }
}

/// How many children the text shows, and a row of the picture.
const SHOWN: usize = 16;

impl Picture for Node {
    fn text(&self) -> String {
        let mut out = format!(
            "node {}  depth {} of {}  value {}\n",
            self.write(),
            self.depth,
            self.tree.depth,
            self.value
        );
        for m in self.move_list().into_iter().take(SHOWN) {
            let edge = self.tree.edge(self.child(m));
            let _ = writeln!(out, "  {m:>3}: edge {edge:>+8}  value {:>8}", self.value + edge);
        }
        if self.count_moves() > SHOWN {
            let _ = writeln!(out, "  and {} more", self.count_moves() - SHOWN);
        }
        out
    }

    /// All children, in rows of at most sixteen. Those of one row hang on the root; the rails of more rows on a
    /// trunk that goes down between their columns.
    fn scene(&self) -> Scene {
        let moves = self.move_list();
        let columns = moves.len().clamp(1, SHOWN);
        let rows = moves.len().div_ceil(SHOWN).max(1);
        let width = (2 * columns).max(4) as f32;
        let (step, foot) = (2.4, 4.0);
        let mut scene = Scene::new(width, foot + 1.5 + step * (rows - 1) as f32);
        scene.ground();
        let top = (width / 2.0, 1.0);
        let rail = |row: usize| foot - 0.8 + step * row as f32;
        if rows > 1 {
            scene.draw(Shape::Line(top, (top.0, rail(rows - 1)), Paint::Ink));
        }
        for (i, &m) in moves.iter().enumerate() {
            let (row, column) = (i / SHOWN, i % SHOWN);
            let x = (2 * column + 1) as f32 * width / (2 * columns) as f32;
            let y = foot + step * row as f32;
            let edge = self.tree.edge(self.child(m));
            let paint = if self.mover() == Player::FIRST { Paint::Second } else { Paint::First };
            if rows > 1 {
                scene.draw(Shape::Line((top.0, rail(row)), (x, rail(row)), Paint::Ink));
                scene.draw(Shape::Line((x, rail(row)), (x, y), Paint::Ink));
            } else {
                scene.draw(Shape::Line(top, (x, y), Paint::Ink));
            }
            scene.draw(Shape::Disc(x, y, 0.4, paint));
            scene.draw(Shape::Word(x, y + 0.67, 0.4, m.to_string(), Paint::Ink));
            scene.draw(Shape::Word(x, y + 1.14, 0.4, format!("{edge:+}"), Paint::Ink));
            // The disc of a node is where its judgement is written.
            scene.place_noted(m.to_string(), (x, y), (x, y)).piece(format!("edge {edge:+}"), x, y);
        }
        let paint = if self.mover() == Player::FIRST { Paint::First } else { Paint::Second };
        scene.draw(Shape::Disc(top.0, top.1, 0.4, paint));
        scene.draw(Shape::Word(top.0, 0.3, 0.4, self.value.to_string(), Paint::Ink));
        scene
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::conform::conform;
    use endspiel_game::perft;

    #[test]
    fn every_child_has_a_place_of_its_own() {
        let node = RandomTree::from_variant("b=200,d=3").unwrap().start();
        let scene = node.scene();
        let names: Vec<String> = node.move_list().into_iter().map(|m| node.write_move(m)).collect();
        assert_eq!(names.len(), 200);
        let expected: Vec<Vec<usize>> = (0..200).map(|place| vec![place]).collect();
        assert_eq!(scene.paths(&names), expected);
        let within = |x: f32, y: f32| 0.4 < x && x < scene.width - 0.4 && y < scene.height - 1.4;
        assert!(scene.places.iter().all(|p| within(p.x, p.y)));
    }

    #[test]
    fn every_tree_keeps_its_promises() {
        for variant in [
            "",
            "b=3,d=6,seed=1",
            "b=20,d=64,seed=9",
            "b=2,d=9,seed=3,values=2",
            "b=5,d=8,seed=1,range=4,values=3,bmin=1",
        ] {
            let game = RandomTree::from_variant(variant).unwrap();
            assert_eq!(game.variant(), variant);
            conform(&game, 30, 70, 1);
        }
    }

    /// The generator is part of the game's definition: these numbers must never change.
    #[test]
    fn the_generator_is_fixed() {
        let tree = RandomTree::new(3, 6, 1);
        let edges: Vec<i32> = (1..=6).map(|i| tree.edge(i)).collect();
        assert_eq!(edges, [13566, 7788, 875, 12154, 6306, -10161]);
        assert_eq!(tree.start().read_line("2 1 3").unwrap().0.index(), ((2 * 3) + 1) * 3 + 3);
    }

    #[test]
    fn edges_are_even_over_the_range() {
        let tree = RandomTree { range: 4, ..RandomTree::new(2, 10, 5) };
        let mut counts = [0; 8];
        (0..80_000).for_each(|i| counts[(tree.edge(i) + 4) as usize] += 1);
        assert!(counts.iter().all(|c| (9_500..10_500).contains(c)), "{counts:?}");
        let bushy = RandomTree { least_branching: 1, ..RandomTree::new(4, 10, 5) };
        let mut counts = [0; 4];
        (0..40_000).for_each(|i| counts[usize::from(bushy.children(i)) - 1] += 1);
        assert!(counts.iter().all(|c| (9_500..10_500).contains(c)), "{counts:?}");
    }

    #[test]
    fn trees_are_complete() {
        let tree = RandomTree::new(3, 6, 1).start();
        assert_eq!((0..=7).map(|d| perft(&tree, d)).collect::<Vec<_>>(), [1, 3, 9, 27, 81, 243, 729, 0]);
    }

    fn minimax(node: &Node) -> i32 {
        if node.turn().is_over() {
            return node.payoff().of(Player::FIRST);
        }
        let values = node.move_list().into_iter().map(|m| minimax(&node.after(m)));
        if node.mover() == Player::FIRST { values.max() } else { values.min() }.unwrap()
    }

    #[test]
    fn sums_and_signs_agree() {
        for seed in 0..20 {
            let sum = RandomTree::new(3, 6, seed);
            let two = RandomTree { leaves: Leaves::TwoValues, ..sum };
            let three = RandomTree { leaves: Leaves::ThreeValues, ..sum };
            let value = minimax(&sum.start());
            assert_eq!(minimax(&two.start()), if value < 0 { -1 } else { 1 });
            assert_eq!(minimax(&three.start()), value.signum());
        }
    }

    #[test]
    fn errors_say_where() {
        let at = |text: &str| RandomTree::from_variant(text).unwrap_err().at;
        assert_eq!(
            (at("b=3,d=99"), at("b=3,e=4"), at("b"), at("b=3,bmin=4"), at("values=4")),
            (6, 4, 0, 4, 7)
        );
        let tree = RandomTree::new(3, 2, 1);
        let at = |text: &str| tree.read(text).unwrap_err().at;
        assert_eq!((at(""), at("1/2"), at("/1/4"), at("/1/2/3"), at("/1/")), (0, 0, 3, 5, 3));
    }
}
