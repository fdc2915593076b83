//! The worked examples of Allis 1994, chapter 2: every number and the most-proving node.

use super::numbers::{FREE, INFINITE, Numbers, sum};
use super::tree::{NIL, State, Tree};
use std::collections::HashMap;

type Sketch = &'static [(&'static str, char, &'static str)];

/// `A=OR(B,C)` is ("A", '|', "BC"), AND is '&', 'T', 'F' and '?' are leaves; nodes not named are '?'.
struct Drawn {
    tree: Tree<char>,
    index: HashMap<char, u32>,
}

fn draw(sketch: Sketch) -> Drawn {
    let kind_of = |name: char| {
        sketch.iter().find(|(n, _, _)| n.starts_with(name)).map_or(('?', ""), |&(_, kind, next)| (kind, next))
    };
    let leaf = |name: char| match kind_of(name).0 {
        'T' => Numbers::solved(true, 0, FREE),
        'F' => Numbers::solved(false, 0, FREE),
        _ => Numbers::open(1, 1),
    };
    let mut tree = Tree::new(100, false);
    let root = tree.reset(100, 'A', kind_of('A').0 == '|', leaf('A'));
    let mut index = HashMap::from([('A', root)]);
    let mut order = vec!['A'];
    let mut next = 0;
    while next < order.len() {
        let name = order[next];
        next += 1;
        let parent = index[&name];
        let mut last = NIL;
        for c in kind_of(name).1.chars() {
            tree.node_mut(parent).state = State::Expanded;
            let node = tree.add(c, kind_of(c).0 == '|', State::Leaf, leaf(c)).unwrap();
            if last == NIL {
                tree.node_mut(parent).child = node;
            } else {
                tree.node_mut(last).sibling = node;
            }
            last = node;
            index.insert(c, node);
            order.push(c);
        }
    }
    for name in order.into_iter().rev() {
        if tree.node(index[&name]).state == State::Expanded {
            tree.update(index[&name]);
        }
    }
    Drawn { tree, index }
}

impl Drawn {
    fn numbers(&self, name: char) -> (u32, u32) {
        let node = self.tree.node(self.index[&name]);
        (node.pn, node.dn)
    }

    fn most_proving(&self) -> char {
        let mut node = self.index[&'A'];
        while self.tree.node(node).state == State::Expanded {
            node = self.tree.select(node);
        }
        self.tree.node(node).m
    }
}

#[test]
fn figures_2_1_and_2_2() {
    let drawn = draw(&[
        ("A", '|', "BCD"),
        ("B", '&', "EF"),
        ("C", '|', "GH"),
        ("D", '&', "IJ"),
        ("G", '&', "KL"),
        ("H", '&', "MN"),
        ("J", '&', "OP"),
        ("K", 'T', ""),
        ("O", 'F', ""),
    ]);
    let wanted = [
        ('A', 1, 3),
        ('B', 2, 1),
        ('C', 1, 2),
        ('D', INFINITE, 0),
        ('G', 1, 1),
        ('H', 2, 1),
        ('J', INFINITE, 0),
        ('K', 0, INFINITE),
        ('O', INFINITE, 0),
    ];
    for (name, pn, dn) in wanted {
        assert_eq!(drawn.numbers(name), (pn, dn), "{name}");
    }
    assert_eq!(drawn.most_proving(), 'L');
}

#[test]
fn figure_2_3() {
    let drawn = draw(&[
        ("A", '|', "BC"),
        ("B", '&', "DE"),
        ("C", '&', "FGHI"),
        ("D", '|', "JKL"),
        ("E", '|', "MN"),
        ("M", '&', "OPQ"),
        ("N", '&', "RS"),
    ]);
    let wanted = [('A', 3, 3), ('B', 3, 2), ('C', 4, 1), ('D', 1, 3), ('E', 2, 2), ('M', 3, 1), ('N', 2, 1)];
    for (name, pn, dn) in wanted {
        assert_eq!(drawn.numbers(name), (pn, dn), "{name}");
    }
    assert_eq!(drawn.most_proving(), 'R');
}

/// Smallest sets of frontier nodes that prove (or disprove) a node of a graph, by trying all sets; a node
/// met again on the path is false. The frontier nodes are given.
fn exact(sketch: Sketch, frontier: &str) -> ((u32, u32), Option<char>) {
    fn value(
        sketch: Sketch,
        name: char,
        truth: &dyn Fn(char) -> Option<bool>,
        path: &mut Vec<char>,
    ) -> Option<bool> {
        if path.contains(&name) {
            return Some(false);
        }
        let Some(&(_, kind, next)) = sketch.iter().find(|(n, _, _)| n.starts_with(name)) else {
            return truth(name);
        };
        path.push(name);
        let values: Vec<_> = next.chars().map(|c| value(sketch, c, truth, path)).collect();
        path.pop();
        let decisive = kind == '|';
        if values.contains(&Some(decisive)) {
            Some(decisive)
        } else if values.contains(&None) {
            None
        } else {
            Some(!decisive)
        }
    }
    let names: Vec<char> = frontier.chars().collect();
    let smallest = |wanted: bool| -> (u32, u32) {
        let solves = |set: u32| {
            let truth = |c: char| {
                let i = names.iter().position(|&n| n == c);
                i.filter(|i| set >> i & 1 == 1).map(|_| wanted)
            };
            value(sketch, 'A', &truth, &mut Vec::new()) == Some(wanted)
        };
        let best = (0..1u32 << names.len()).filter(|&s| solves(s)).min_by_key(|s| s.count_ones());
        best.map_or((INFINITE, 0), |s| (s.count_ones(), s))
    };
    let ((pn, proof), (dn, disproof)) = (smallest(true), smallest(false));
    let shared = proof & disproof;
    ((pn, dn), names.iter().enumerate().find(|(i, _)| shared >> i & 1 == 1).map(|(_, &c)| c))
}

#[test]
fn figure_2_4_counts_the_shared_node_twice() {
    let sketch: Sketch =
        &[("A", '&', "BC"), ("B", '|', "DE"), ("C", '|', "EF"), ("E", '&', "G"), ("F", '&', "G")];
    // As if it were a tree: E and G are drawn twice.
    let drawn = draw(&[
        ("A", '&', "BC"),
        ("B", '|', "DE"),
        ("C", '|', "eF"),
        ("E", '&', "G"),
        ("e", '&', "g"),
        ("F", '&', "h"),
    ]);
    assert_eq!(drawn.numbers('A'), (2, 2));
    assert_eq!(drawn.most_proving(), 'D');
    assert_eq!(exact(sketch, "DG"), ((1, 1), Some('G')));
}

#[test]
fn figures_2_5_and_2_6_unfold_a_cycle() {
    let sketch: Sketch = &[("A", '&', "BC"), ("B", '|', "D"), ("C", '|', "DE"), ("D", '&', "CF")];
    assert_eq!(exact(sketch, "EF").0, (2, 1));
    // Unfolded: below B the node D leads to C, where D is a repetition; below C, D leads back to C.
    let drawn = draw(&[
        ("A", '&', "BC"),
        ("B", '|', "D"),
        ("D", '&', "cF"),
        ("c", '|', "dE"),
        ("d", 'F', ""),
        ("C", '|', "xe"),
        ("x", '&', "yf"),
        ("y", 'F', ""),
    ]);
    assert_eq!(drawn.numbers('D'), (2, 1));
    assert_eq!(drawn.numbers('x'), (INFINITE, 0));
    // Treated as a tree the root counts E twice.
    assert_eq!(drawn.numbers('A'), (3, 1));
    assert_eq!((drawn.numbers('B').0, drawn.numbers('C').0), (2, 1));
}

#[test]
fn sums_stay_finite_until_something_is_infinite() {
    assert_eq!(sum(INFINITE - 1, 7), INFINITE - 1);
    assert_eq!(sum(INFINITE, 0), INFINITE);
    assert_eq!(sum(2, 3), 5);
}
