//! Virus games in tests: values of A. Fraenkel, Virus Versus Mankind (2000), by enumeration, by the rule of his sequences, and by
//! linear algebra.

use crate::{Bits, Firing, Grundy, Linear, free_of_sums, grundy};
use endspiel_game::Rng;
use std::collections::BTreeSet;

/// How many followers a vertex flips.
type Spread<'a> = &'a dyn Fn(usize) -> usize;

/// The followers of all positions of a virus game: who fires an occupied vertex k flips it and exactly
/// min(s(k), followers) of its followers; vertices without followers never fire.
pub fn virus(graph: &[Vec<usize>], spread: impl Fn(usize) -> usize) -> Vec<Vec<u32>> {
    (0..1_u32 << graph.len())
        .map(|u| {
            let mut next = Vec::new();
            for (k, out) in graph.iter().enumerate().filter(|(k, out)| u >> k & 1 == 1 && !out.is_empty()) {
                let many = spread(k).min(out.len());
                for chosen in 0..1_u32 << out.len() {
                    if chosen.count_ones() as usize == many {
                        let flips = (0..out.len()).filter(|i| chosen >> i & 1 == 1).map(|i| 1_u32 << out[i]);
                        next.push(flips.fold(u ^ 1 << k, |u, flip| u ^ flip));
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            next
        })
        .collect()
}

/// The graph G(p): x_i leads to y_i; y_k to all y before it and all other x.
pub fn graph(p: usize) -> Vec<Vec<usize>> {
    let x = |i: usize| vec![p + i];
    let y = |k: usize| (0..k).map(|i| p + i).chain((0..p).filter(|&j| j != k)).collect();
    (0..p).map(x).chain((0..p).map(y)).collect()
}

fn sets(p: usize, xs: &[usize], ys: &[usize]) -> usize {
    xs.iter().map(|x| 1 << (x - 1)).sum::<usize>() + ys.iter().map(|y| 1 << (p + y - 1)).sum::<usize>()
}

/// The terms of the sequences of examples 6, 7, 9 and 10, and how many positions are finite and zero.
#[test]
fn viruses_have_the_published_values() {
    let p = 6;
    let cases: [(Spread<'_>, bool, [u32; 6], usize, usize); 4] = [
        (&|_| 3, true, [1, 2, 4, 8, 15, 16], 2048, 64),
        (&|_| 4, false, [1, 2, 4, 8, 16, 31], 4096, 128),
        (&|v| if v >= p && (v - p) % 2 == 1 { 3 } else { 2 }, false, [1, 2, 4, 8, 7, 16], 4096, 128),
        (&|v| if v >= p && (v - p) % 2 == 1 { 2 } else { 1 }, false, [1, 2, 3, 4, 5, 8], 4096, 256),
    ];
    for (spread, with_x, terms, finite, zero) in cases {
        let values = grundy(&virus(&graph(p), spread));
        agree(&values, &ways(&graph(p), usize::MAX, spread));
        for (k, &term) in terms.iter().enumerate() {
            let xs: &[usize] = if with_x { &[k + 1] } else { &[] };
            assert_eq!(values[sets(p, xs, &[k + 1])], Grundy::Number(term), "term {}", k + 1);
        }
        let count = |test: fn(&Grundy) -> bool| values.iter().filter(|v| test(v)).count();
        assert_eq!(count(|v| matches!(v, Grundy::Number(_))), finite);
        assert_eq!(count(|v| *v == Grundy::Number(0)), zero);
        // The value is additive where one of two positions is finite.
        let mut rng = Rng::new(6);
        for _ in 0..2000 {
            let (u, v) = (rng.below(values.len()), rng.below(values.len()));
            if let (Grundy::Number(a), Grundy::Number(b)) = (&values[u], &values[v]) {
                assert_eq!(values[u ^ v], Grundy::Number(a ^ b));
            }
        }
    }
}

/// Examples 6, 7 and 9 with seven of each: the first seven terms, and x7 with all y.
#[test]
fn seven_viruses() {
    let p = 7;
    let all = sets(p, &[7], &[1, 2, 3, 4, 5, 6, 7]);
    let mixed = |v: usize| if v >= p && (v - p) % 2 == 1 { 3 } else { 2 };
    let cases: [(Spread<'_>, bool, [u32; 7], Option<u32>); 3] = [
        (&|_| 3, true, [1, 2, 4, 8, 15, 16, 32], Some(48)),
        (&|_| 4, false, [1, 2, 4, 8, 16, 31, 32], Some(32)),
        (&mixed, false, [1, 2, 4, 8, 7, 16, 11], None),
    ];
    for (spread, with_x, terms, whole) in cases {
        let values = grundy(&virus(&graph(p), spread));
        agree(&values, &ways(&graph(p), usize::MAX, spread));
        for (k, &term) in terms.iter().enumerate() {
            let xs: &[usize] = if with_x { &[k + 1] } else { &[] };
            assert_eq!(values[sets(p, xs, &[k + 1])], Grundy::Number(term), "term {}", k + 1);
        }
        assert!(whole.is_none_or(|number| values[all] == Grundy::Number(number)));
    }
}

/// The sequences as far as they are printed, and a little farther, by the rule that no term is a sum of so many earlier ones.
/// The ninth of example 9 is printed as 13, which is the sum of the sixth and the eighth, and so the value of a position that one
/// move reaches: it is 14.
#[test]
fn sequences_are_as_printed() {
    assert_eq!(free_of_sums(9, |_| 3), [1, 2, 4, 8, 15, 16, 32, 51, 64]);
    assert_eq!(free_of_sums(9, |_| 4), [1, 2, 4, 8, 16, 31, 32, 64, 103]);
    let ninth = free_of_sums(11, |k| if k % 2 == 0 { 3 } else { 2 });
    assert_eq!(ninth, [1, 2, 4, 8, 7, 16, 11, 29, 14, 32, 35]);
    assert_eq!(ninth[5] ^ ninth[7], 13);
    assert_eq!(
        free_of_sums(21, |k| if k % 2 == 0 { 2 } else { 1 }),
        [1, 2, 3, 4, 5, 8, 6, 15, 7, 16, 9, 26, 10, 32, 11, 44, 12, 49, 13, 63, 14]
    );
}

/// The statements about G(p) need enough x: with five of each and four flips next to nothing is worth a number.
#[test]
fn five_are_too_few_for_four_flips() {
    let values = grundy(&virus(&graph(5), |_| 4));
    assert_eq!(values.iter().filter(|value| matches!(value, Grundy::Number(_))).count(), 4);
}

/// A set of vertices by its name.
fn named(name: &str) -> usize {
    name.bytes().map(|v| 1 << (v - b'a')).sum()
}

/// Example 3's third component: b leads to c and e, c to d, e to c and d; where a and d lead the figure alone shows. Sixteen
/// of all graphs without loops have the printed sets of positions worth 0 and 1 in 2-regular play, and in all of
/// them firing a, d or e wins.
#[test]
fn a_small_component() {
    let all = |names: &[&str]| names.iter().map(|name| named(name)).collect::<BTreeSet<_>>();
    let zero = all(&["", "e", "ac", "bd", "ace", "bde", "abcd", "abcde"]);
    let one = all(&["cd", "cde", "ad", "bc", "ade", "bce", "ab", "abe"]);
    let members = |set: usize| (0..5).filter(move |v| set >> v & 1 == 1).collect::<Vec<usize>>();
    let mut found = BTreeSet::new();
    for (a, d) in (0..32).flat_map(|a| (0..32).map(move |d| (a, d))) {
        if a & named("a") != 0 || d & named("d") != 0 {
            continue;
        }
        let graph = vec![members(a), vec![2, 4], vec![3], members(d), vec![2, 3]];
        let moves = virus(&graph, |_| 2);
        let values = grundy(&moves);
        let with = |value: u32| -> BTreeSet<usize> {
            (0..32).filter(|&u| values[u] == Grundy::Number(value)).collect()
        };
        if with(0) != zero || with(1) != one {
            continue;
        }
        found.insert((a, d));
        assert!(matches!(values[named("a")], Grundy::Infinite(_)));
        let start = named("ade");
        let fired: BTreeSet<usize> = moves[start]
            .iter()
            .filter(|&&to| values[to as usize] == Grundy::Number(0))
            .flat_map(|&to| (0..5).filter(move |v| start >> v & 1 == 1 && to >> v & 1 == 0))
            .collect();
        assert!([0, 3, 4].iter().all(|v| fired.contains(v)), "{fired:?}");
        let space = Linear::of(&values).unwrap();
        assert_eq!((space.zero().len(), space.finite().len(), space.distance()), (3, 4, Some(1)));
    }
    let leads = |names: [&str; 4]| names.map(named);
    let expected = leads(["b", "d", "be", "de"])
        .into_iter()
        .flat_map(|a| leads(["a", "c", "ae", "ce"]).map(|d| (a, d)))
        .collect::<BTreeSet<_>>();
    assert_eq!(found, expected);
}

/// A set as a number.
fn numbered(set: &Bits) -> usize {
    set.members().map(|v| 1 << v).sum()
}

/// A basis tells the values of all positions, and positions with few viruses span the space, on random graphs and G(p).
#[test]
fn a_basis_tells_all_values() {
    let mut rng = Rng::new(31);
    let mut cases: Vec<(Vec<Vec<usize>>, usize)> =
        (2..=4).flat_map(|p| (1..=4).map(move |s| (graph(p), s))).collect();
    for case in 0..120 {
        let size = 3 + rng.below(6);
        let out = |v: usize, rng: &mut Rng| {
            let chance = 2 + rng.below(3);
            (0..size).filter(|&to| to != v && rng.below(chance) == 0).collect()
        };
        cases.push(((0..size).map(|v| out(v, &mut rng)).collect(), 1 + case % 4));
    }
    let mut infinite = 0;
    for (graph, flips) in cases {
        let values = grundy(&virus(&graph, |_| flips));
        let space = Linear::of(&values).expect("values add up");
        let count = |test: &dyn Fn(&Grundy) -> bool| values.iter().filter(|value| test(value)).count();
        let (finite, zero) = (space.finite().len(), space.zero().len());
        assert_eq!(count(&|value| matches!(value, Grundy::Number(_))), 1 << finite);
        assert_eq!(count(&|value| *value == Grundy::Number(0)), 1 << zero);
        let greatest = values.iter().filter_map(|value| match value {
            Grundy::Number(number) => Some(number + 1),
            Grundy::Infinite(_) => None,
        });
        assert_eq!(greatest.max(), Some(1 << (finite - zero)), "all numbers of t bits occur");
        for (u, value) in values.iter().enumerate() {
            assert_eq!(space.value(&Bits::from(u as u64), |rest| values[numbered(&rest)].clone()), *value);
            let number = space.number(&Bits::from(u as u64)).map(Grundy::Number);
            assert!(number.as_ref().map_or(matches!(value, Grundy::Infinite(_)), |number| number == value));
            infinite += usize::from(number.is_none());
        }
        let lightest = (1..values.len()).filter(|&u| values[u] == Grundy::Number(0)).map(usize::count_ones);
        assert_eq!(space.distance(), lightest.min());
        let few = (0..values.len()).filter(|u| u.count_ones() as usize <= 2 * (flips + 1));
        let few = few.filter_map(|u| match values[u] {
            Grundy::Number(number) => Some((Bits::from(u as u64), number)),
            Grundy::Infinite(_) => None,
        });
        assert_eq!(Linear::spanned(few).map(|few| few.finite().len()), Some(finite));
    }
    assert!(infinite > 1000, "{infinite}");
    assert!(Linear::spanned([(1, 1), (2, 2), (3, 1)].map(|(u, number)| (Bits::from(u), number))).is_none());
}

/// What firing each vertex adds, in a graph of any size.
fn ways(graph: &[Vec<usize>], least: usize, spread: impl Fn(usize) -> usize) -> Vec<Vec<Bits>> {
    fn choose(out: &[usize], many: usize, chosen: &mut Vec<usize>, each: &mut impl FnMut(&[usize])) {
        if many == 0 {
            return each(chosen);
        }
        for at in 0..out.len() {
            chosen.push(out[at]);
            choose(&out[at + 1..], many - 1, chosen, each);
            chosen.pop();
        }
    }
    let of = |(vertex, out): (usize, &Vec<usize>)| {
        let (mut ways, most) = (Vec::new(), spread(vertex).min(out.len()));
        for many in least.min(most)..=most {
            if !out.is_empty() {
                choose(out, many, &mut vec![vertex], &mut |flips| {
                    ways.push(Bits::of(graph.len(), flips.iter().copied()));
                });
            }
        }
        ways
    };
    graph.iter().enumerate().map(of).collect()
}

/// Does linear algebra find these values of all positions?
fn agree(values: &[Grundy], ways: &[Vec<Bits>]) {
    let solved = Firing::solve(ways, &mut || false).expect("it is sure of small graphs");
    for (u, value) in values.iter().enumerate() {
        assert_eq!(solved.value(&Bits::from(u as u64)), *value, "{ways:?} {u}");
    }
}

/// Linear algebra and enumeration agree on small random graphs, with exactly so many flips or any number up to it, and on G(p).
#[test]
fn linear_algebra_finds_the_values_of_enumeration() {
    let mut rng = Rng::new(2000);
    let mut cases: Vec<(Vec<Vec<usize>>, usize, usize)> = Vec::new();
    for p in 2..=8_usize {
        // All positions of larger ones with more flips take too long to list.
        let most = if p < 6 { 4 } else { 9 - p };
        cases.extend((1..=most).map(|flips| (graph(p), flips, flips)));
    }
    for case in 0..400 {
        let size = 2 + rng.below(8);
        let chance = 2 + rng.below(4);
        let out =
            |v: usize, rng: &mut Rng| (0..size).filter(|&to| to != v && rng.below(chance) == 0).collect();
        let flips = 1 + case % 4;
        let least = if case % 3 == 0 { 0 } else { flips };
        cases.push(((0..size).map(|v| out(v, &mut rng)).collect(), least, flips));
    }
    let mut infinite = 0;
    for (graph, least, flips) in cases {
        let ways = ways(&graph, least, |_| flips);
        let followers: Vec<Vec<u32>> = (0..1_u32 << graph.len())
            .map(|u| {
                let fired = (0..graph.len()).filter(|v| u >> v & 1 == 1).flat_map(|v| &ways[v]);
                fired.map(|way| u ^ numbered(way) as u32).collect()
            })
            .collect();
        let values = grundy(&followers);
        agree(&values, &ways);
        infinite += values.iter().filter(|value| matches!(value, Grundy::Infinite(_))).count();
    }
    assert!(infinite > 1000, "{infinite}");
}

/// What linear algebra finds where enumeration cannot go: all printed terms of examples 6, 7, 9 and 10 as values of positions, 14 for the
/// 13 of example 9.
#[test]
fn printed_terms_are_values_on_large_graphs() {
    let cases: [(usize, Spread<'_>, bool); 4] = [
        (9, &|_| 3, true),
        (9, &|_| 4, false),
        (11, &|y| if y % 2 == 1 { 3 } else { 2 }, false),
        (21, &|y| if y % 2 == 1 { 2 } else { 1 }, false),
    ];
    for (p, of_y, with_x) in cases {
        let spread = |v: usize| of_y(v.saturating_sub(p));
        let solved = Firing::solve(&ways(&graph(p), usize::MAX, spread), &mut || false).expect("it is sure");
        let terms = (0..p).map(|k| {
            let with = with_x.then_some(k);
            match solved.value(&Bits::of(2 * p, [p + k].into_iter().chain(with))) {
                Grundy::Number(number) => number,
                Grundy::Infinite(_) => u32::MAX,
            }
        });
        assert_eq!(terms.collect::<Vec<_>>(), free_of_sums(p, |k| of_y(k - 1)));
    }
}
/// On graphs of up to 250 vertices values are what those of the moves make of them: a position worth a number reaches all lower
/// numbers and not its own, and other moves are answered by it.
#[test]
fn values_on_large_graphs_are_consistent() {
    let mut rng = Rng::new(7);
    for (size, degree, flips) in [(40, 2, 2), (100, 2, 1), (120, 3, 2), (250, 2, 1)] {
        let near = |v: usize, rng: &mut Rng| {
            if rng.below(20) == 0 { rng.below(size) } else { v.saturating_sub(1 + rng.below(6)) }
        };
        let out = |v: usize, rng: &mut Rng| {
            let out: BTreeSet<usize> = (0..degree).map(|_| near(v, rng)).filter(|&to| to != v).collect();
            out.into_iter().collect()
        };
        let graph: Vec<Vec<usize>> = (0..size).map(|v| out(v, &mut rng)).collect();
        let ways = ways(&graph, flips, |_| flips);
        let solved = Firing::solve(&ways, &mut || false).expect("it is sure");
        let next =
            |u: &Bits| -> Vec<Bits> { u.members().flat_map(|v| &ways[v]).map(|way| u.plus(way)).collect() };
        let mut numbers = 0;
        let finite = solved.space().finite();
        for case in 0..60 {
            let few = (0..6).map(|_| rng.below(size)).collect::<BTreeSet<_>>();
            let mut u = Bits::of(size, few);
            if case % 2 == 0 && !finite.is_empty() {
                u = finite[rng.below(finite.len())].plus(&finite[rng.below(finite.len())]);
            }
            let there = next(&u);
            let reached = there.iter().filter_map(|v| solved.space().number(v)).collect::<BTreeSet<_>>();
            let Grundy::Number(number) = solved.value(&u) else {
                assert_eq!(solved.value(&u), Grundy::Infinite(reached));
                continue;
            };
            numbers += 1;
            assert!((0..number).all(|lower| reached.contains(&lower)) && !reached.contains(&number));
            for v in there.iter().filter(|v| solved.space().number(v).is_none_or(|other| other > number)) {
                assert!(next(v).iter().any(|w| solved.space().number(w) == Some(number)));
            }
        }
        assert!(numbers > 0, "{size}");
    }
}
