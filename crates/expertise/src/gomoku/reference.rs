//! The threats as operators over attributes, for the general search: what go-moku's own one is tested against.

use super::board::{Board, Cells};
use super::operators::Step;
use super::space::{Space, Want};
use endspiel_game::{Budget, Operator, Rng, Structured};
use endspiel_rules::gomoku::Rule;
use endspiel_rules::grid::{Direction, Grid};
use endspiel_search::dependency::{Kind, Options, search};
use std::collections::{BTreeSet, HashSet};

/// What is on a cell, as a number: three times the cell, and 0 to 2.
pub(super) type Attribute = u16;

const ATTACKER: u16 = 0;
const DEFENDER: u16 = 1;
const EMPTY: u16 = 2;

/// The attribute of a cell with a stone of the attacker's.
#[inline]
fn attacker(cell: usize) -> Attribute {
    3 * cell as u16 + ATTACKER
}

#[inline]
fn defender(cell: usize) -> Attribute {
    3 * cell as u16 + DEFENDER
}

#[inline]
fn empty(cell: usize) -> Attribute {
    3 * cell as u16 + EMPTY
}

/// A kind of threat on a line with one choice of its stones: bits are places of the line, from its first cell on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// How many cells the line has.
    pub length: u8,
    /// Where the attacker has stones.
    pub stones: u8,
    /// Where he puts one.
    pub attack: u8,
    /// Where the defender may reply.
    pub replies: u8,
    /// The number of moves in which it wins.
    pub category: u8,
}

impl Pattern {
    /// The places that have to be empty.
    fn empty(self) -> u8 {
        ((1u16 << self.length) - 1) as u8 & !self.stones
    }

    /// All patterns: 5 fives, 4 straight fours, 20 fours, 6 broken threes, 3 threes on seven and 6 on six.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for attack in 0..5 {
            let others = 0b11111 & !(1 << attack);
            all.push(Self { length: 5, stones: others, attack, replies: 0, category: 0 });
            for reply in (0..5).filter(|&reply| reply != attack) {
                let stones = others & !(1 << reply);
                all.push(Self { length: 5, stones, attack, replies: 1 << reply, category: 1 });
            }
        }
        for attack in 1..5 {
            let others = 0b011110 & !(1 << attack);
            all.push(Self { length: 6, stones: others, attack, replies: 0, category: 1 });
            for open in (1..5).filter(|&open| open != attack) {
                let (stones, replies) = (others & !(1 << open), 0b100001 | 1 << open);
                all.push(Self { length: 6, stones, attack, replies, category: 2 });
            }
        }
        for attack in 2..5 {
            let stones = 0b0011100 & !(1 << attack);
            all.push(Self { length: 7, stones, attack, replies: 0b0100010, category: 2 });
        }
        all
    }
}

/// The replies to a three on a line of six whose open inner cell is the last one, and the first one.
const THREE_ABOVE: u8 = 0b110001;
const THREE_BELOW: u8 = 0b100011;

/// A position as a problem of attributes: threats of one player up to a category.
#[derive(Clone, Debug)]
pub(super) struct ThreatSpace<'a> {
    pub grid: Grid,
    pub patterns: &'a [Pattern],
    /// The stones of the attacker and of the defender.
    pub stones: [Cells; 2],
    /// Taking one of these cells is as good as a five.
    pub goals: Cells,
    /// Threats of higher categories are not made.
    pub category: u8,
}

impl ThreatSpace<'_> {
    /// The attribute of a won game.
    fn goal(&self) -> Attribute {
        3 * self.grid.cells() as u16
    }

    /// The operator of a pattern on the line that begins at a cell.
    pub(super) fn operator(&self, pattern: Pattern, first: usize, step: usize) -> Operator<Attribute> {
        let at = |place: u8| first + place as usize * step;
        let places = |bits: u8| (0..pattern.length).filter(move |place| bits >> place & 1 == 1).map(at);
        let attack = at(pattern.attack);
        let pre = places(pattern.stones).map(attacker).chain(places(pattern.empty()).map(empty)).collect();
        let del = places(pattern.replies | 1 << pattern.attack).map(empty).collect();
        let mut add = vec![attacker(attack)];
        add.extend(places(pattern.replies).map(defender));
        if pattern.replies == 0 {
            add.push(self.goal());
        }
        Operator { pre, del, add }
    }
}

impl Structured for ThreatSpace<'_> {
    type Attribute = Attribute;

    fn start(&self) -> Vec<Attribute> {
        let on = |cell: usize| match () {
            () if self.stones[0].contains(cell) => attacker(cell),
            () if self.stones[1].contains(cell) => defender(cell),
            () => empty(cell),
        };
        (0..self.grid.cells()).map(on).collect()
    }

    /// Every threat has two stones of the attacker's at least, and no threat gives back an empty cell: so those that
    /// need a stone of the attacker's are all that search by supports ever asks for.
    fn operators(
        &self,
        attribute: Attribute,
        has: &dyn Fn(Attribute) -> bool,
        each: &mut dyn FnMut(Operator<Attribute>),
    ) {
        if attribute % 3 != ATTACKER || attribute == self.goal() {
            return;
        }
        let cell = attribute as usize / 3;
        for direction in Direction::ALL {
            let (step, back, forth) = self.grid.reach(cell, direction);
            let (back, forth) = (back.min(6), forth.min(6));
            let start = cell - back * step;
            // Bit i is cell `start` + i steps; what may have a stone and what may be empty can overlap.
            let (mut stones, mut free) = (0u16, 0u16);
            for i in 0..=back + forth {
                stones |= u16::from(has(attacker(start + i * step))) << i;
                free |= u16::from(has(empty(start + i * step))) << i;
            }
            if stones.count_ones() < 2 {
                continue;
            }
            for i in 0..=back {
                let (own, open, at) = (stones >> i, free >> i, back - i);
                let first = start + i * step;
                for &pattern in self.patterns {
                    let fits = pattern.category <= self.category
                        && pattern.stones.checked_shr(at as u32).is_some_and(|bits| bits & 1 == 1)
                        && u16::from(pattern.stones) & !own == 0
                        && u16::from(pattern.empty()) & !open == 0;
                    if !fits {
                        continue;
                    }
                    // Where a three on seven cells applies, that on six of them leaves the defender more replies.
                    let seventh = match pattern.replies {
                        THREE_ABOVE => first.checked_sub(step).filter(|_| i > 0),
                        THREE_BELOW => Some(first + 6 * step).filter(|_| i + 6 <= back + forth),
                        _ => None,
                    };
                    let is_surely_empty =
                        |&cell: &usize| has(empty(cell)) && !has(attacker(cell)) && !has(defender(cell));
                    if seventh.as_ref().is_some_and(is_surely_empty) {
                        continue;
                    }
                    each(self.operator(pattern, first, step));
                }
            }
        }
    }

    fn is_goal(&self, attribute: Attribute) -> bool {
        attribute == self.goal() || attribute % 3 == ATTACKER && self.goals.contains(attribute as usize / 3)
    }
}

#[test]
fn published_numbers_of_lines_and_operators() {
    let grid = Grid::new(15, 15);
    let lines = [5, 6, 7].map(|length| grid.lines(length));
    assert_eq!(lines.each_ref().map(Vec::len), [572, 500, 432]);
    assert_eq!(3 * grid.cells(), 675, "attributes");
    let patterns = Pattern::all();
    let count = |length: u8, category: u8, replies: &[u32]| {
        let alike = |p: &&Pattern| {
            (p.length, p.category) == (length, category) && replies.contains(&p.replies.count_ones())
        };
        patterns.iter().filter(alike).count() * lines[length as usize - 5].len()
    };
    // Fives, straight fours, fours, threes on six (broken or not), threes on seven.
    let applications =
        [count(5, 0, &[0]), count(6, 1, &[0]), count(5, 1, &[1]), count(6, 2, &[3]), count(7, 2, &[2])];
    assert_eq!(applications, [2860, 2000, 11440, 6000, 1296]);
    assert_eq!(applications.iter().sum::<usize>(), 23_596);
    // An operator is a kind of threat on a line: two on five cells, three on six, one on seven. On six cells threes are broken or not.
    let whole = |p: &Pattern| p.length == 6 && [THREE_ABOVE, THREE_BELOW].contains(&p.replies);
    let kinds: BTreeSet<_> = patterns.iter().map(|p| (p.length, p.category, whole(p))).collect();
    assert_eq!(kinds.iter().map(|kind| lines[kind.0 as usize - 5].len()).sum::<usize>(), 3076);
    let threes = |replies: u8| patterns.iter().filter(|p| p.length == 6 && p.replies == replies).count();
    assert_eq!([THREE_ABOVE, THREE_BELOW].map(threes), [3, 3], "and six broken threes");
}

/// Where the attacker plays, where the defender may reply, and the line.
type Plain = (u16, Vec<u16>, Vec<u16>);

fn plain(operator: &Operator<Attribute>) -> Plain {
    let of = |kind: u16| operator.add.iter().filter(move |a| *a % 3 == kind).map(|a| a / 3);
    let is_cell = |cell: &u16| of(ATTACKER).next() == Some(*cell);
    let mut line: Vec<u16> = operator.pre.iter().map(|a| a / 3).collect();
    line.sort_unstable();
    let mut replies: Vec<u16> = of(DEFENDER).collect();
    replies.sort_unstable();
    let attack = line.iter().copied().find(is_cell).expect("the attack is on the line");
    (attack, replies, line)
}

fn plain_step(step: &Step) -> Plain {
    let mut line = [step.stones(), step.empty()].concat();
    line.sort_unstable();
    let mut replies = step.replies().to_vec();
    replies.sort_unstable();
    (step.attack(), replies, line)
}

/// From the empty board with a few stones: what applies is what the definitions say.
#[test]
fn operators_are_all_that_apply() {
    let (grid, patterns) = (Grid::new(9, 9), Pattern::all());
    let at = |name: &str| grid.read_name(name).expect("a cell");
    let stones =
        [["d5", "e5", "g5", "e7"].map(at).into_iter().collect(), ["h5"].map(at).into_iter().collect()];
    let space = ThreatSpace { grid, patterns: &patterns, stones, goals: Cells::EMPTY, category: 2 };
    let start: HashSet<Attribute> = space.start().into_iter().collect();
    let mut truth = HashSet::new();
    for &pattern in &patterns {
        for (first, step) in grid.lines(pattern.length as usize) {
            let f = space.operator(pattern, first, step);
            if f.pre.iter().all(|a| start.contains(a)) {
                truth.insert(plain(&f));
            }
        }
    }
    let board = Board::new(grid, Rule::Free);
    let mut own = Space::default();
    own.lay(board.geometry(), &stones);
    let want = Want { category: 2, exactly: false, longest: 1, goals: Cells::EMPTY, first: false };
    own.search(board.geometry(), &want, 1000);
    let found: HashSet<Plain> = own.key_classes().flat_map(|node| own.steps(node)).map(plain_step).collect();
    assert!(found.is_subset(&truth));
    // What is left out are threes on six cells of which a three on seven makes the same stones.
    for threat in truth.difference(&found) {
        let better = |other: &Plain| {
            other.0 == threat.0 && other.2.len() == 7 && threat.2.iter().all(|cell| other.2.contains(cell))
        };
        assert!(threat.2.len() == 6 && found.iter().any(better), "{threat:?}");
    }
    assert!(found.len() >= 10, "{}", found.len());
}

/// The same key classes as the general search finds, on random boards.
#[test]
fn classes_are_those_of_the_general_search() {
    let (grid, patterns, mut rng) = (Grid::new(11, 11), Pattern::all(), Rng::new(17));
    let board = Board::new(grid, Rule::Free);
    let mut deeper = Space::default();
    let (mut own, mut classes, mut goals, mut joins) = (Space::default(), 0, 0, 0);
    for round in 0..150 {
        let mut stones = [Cells::EMPTY; 2];
        for i in 0..8 + round % 6 {
            let cell = grid.cell(2 + rng.below(7), 2 + rng.below(7));
            if !stones[0].contains(cell) && !stones[1].contains(cell) {
                stones[i % 2].insert(cell);
            }
        }
        let target: Cells = (0..2).map(|_| rng.below(grid.cells())).collect();
        let (category, longest) = (1 + round as u8 % 2, 2 + round % 3);
        let space = ThreatSpace { grid, patterns: &patterns, stones, goals: target, category };
        let options = Options { longest: Some(longest), ends: true, parts: Some(2), ..Options::default() };
        let graph = search(&space, options, &Budget::nodes(20_000));
        if graph.out {
            continue;
        }
        let want = Want { category, exactly: false, longest, goals: target, first: false };
        own.lay(board.geometry(), &stones);
        own.search(board.geometry(), &want, 200_000);
        assert!(!own.out);
        let theirs: BTreeSet<BTreeSet<Plain>> = graph
            .nodes
            .iter()
            .filter(|node| matches!(node.kind, Kind::Dependency(_)))
            .map(|node| node.operators.iter().map(|&f| plain(&graph.operators[f])).collect())
            .collect();
        let ours: BTreeSet<BTreeSet<Plain>> =
            own.key_classes().map(|node| own.steps(node).map(plain_step).collect()).collect();
        assert_eq!(ours, theirs, "{stones:?}");
        assert_eq!(own.solutions().count(), graph.solutions().count());
        for node in own.key_classes().collect::<Vec<_>>() {
            assert_eq!(own.path(node).len(), own.length(node));
        }
        // Step by step they are the same.
        let shorter = longest - 1;
        deeper.lay(board.geometry(), &stones);
        deeper.search(board.geometry(), &Want { longest: shorter, ..want }, 200_000);
        if !deeper.complete {
            deeper.deepen(board.geometry(), &want, 200_000);
        }
        let found = deeper.key_classes().map(|node| deeper.steps(node).map(plain_step).collect());
        assert_eq!(found.collect::<BTreeSet<BTreeSet<Plain>>>(), ours, "{stones:?}");
        assert_eq!(deeper.solutions().count(), own.solutions().count());
        classes += ours.len();
        goals += own.solutions().count();
        joins += graph.combinations();
    }
    assert!(classes > 1500 && goals > 100 && joins > 500, "{classes} {goals} {joins}");
}
