use super::*;
use endspiel_game::{Game, Notation, Player, Position, Rng};
use endspiel_retro::{Indexed, Job, Known, Metric, Scheme, Work, closure, iterate};
use endspiel_rules::checkers::{Board, Checkers};
use std::collections::HashMap;
use std::sync::Arc;

fn read(text: &str) -> Board {
    Checkers.read(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn solve(endings: &Endings, slices: &str, metric: Metric) -> Known<Material> {
    let (mut known, work) = (Known::default(), Work::default());
    for slice in closure(endings, &endings.read_slices(slices).unwrap()) {
        let table = endings.solve(&Job { slice, metric, known: &known, work: &work }).unwrap();
        known.insert(slice, Arc::new(table));
    }
    known
}

fn value(endings: &Endings, known: &Known<Material>, board: &Board) -> i32 {
    let (slice, index) = endings.place(board).unwrap();
    known.get(&slice, index).unwrap()
}

#[test]
fn names_are_read_and_written() {
    let names = |text: &str| {
        Material::read(text).map(|list| list.iter().map(Material::to_string).collect::<Vec<_>>())
    };
    assert_eq!(names("k-2K1c, 1C-C").unwrap(), ["2K1C-1K", "1C-1C"]);
    assert_eq!(names("2").unwrap(), ["1C-1C", "1K-1C", "1K-1K"]);
    assert_eq!(names("2-4").unwrap().len(), 3 + 6 + 8 + 6);
    for wrong in ["", "1", "11", "4-2", "2K", "6K-1K", "K-", "CK-K", "KK-K", "0K-1K", "2X-1K", "300K-1K"] {
        assert!(names(wrong).unwrap_or_default().is_empty(), "{wrong}");
    }
}

/// Every number is a position, and every position has its number. The board turned round has it too.
#[test]
fn the_numbers_are_dense() {
    let endings = Endings::new();
    let mut rng = Rng::new(3);
    for material in (2..=7).flat_map(Material::all) {
        let size = endings.size(material);
        let all = size < 40_000;
        for i in 0..size.min(if all { size } else { 500 }) {
            let index = if all { i } else { rng.bits() % size };
            let board = endings.position(material, index).unwrap();
            assert_eq!(endings.place(&board), Some((material, index)), "{material} {}", board.write());
            assert_eq!(endings.place(&board.swapped()), Some((material, index)), "{}", board.write());
        }
        assert_eq!(endings.position(material, size), None);
    }
}

/// All materials of two sides with so many pieces.
fn splits(many: [u8; 2]) -> impl Iterator<Item = Material> {
    let sides = |all: u8| (0..=all).map(move |kings| Side { all, kings });
    let pairs = sides(many[0]).flat_map(move |a| sides(many[1]).map(move |b| (a, b)));
    pairs.filter(|(a, b)| a >= b).map(|(a, b)| Material([a, b]))
}

/// There are as many numbers as Schaeffer and others published, for every split of up to five pieces a side.
#[test]
fn there_are_as_many_numbers_as_published() {
    let rows = include_str!("../../../rules/src/checkers/placements.txt").lines();
    let mut compared = 0;
    for (split, published) in rows.filter_map(|line| line.strip_prefix("split ")?.split_once(' ')) {
        let many: Vec<u8> = split.split('-').map(|n| n.parse().unwrap()).collect();
        if many[0] <= 5 {
            let found: u64 = splits([many[0], many[1]]).map(|material| Layout::new(material).size()).sum();
            assert_eq!(found.to_string(), published, "{split}");
            compared += 1;
        }
    }
    assert_eq!(compared, 20);
}

/// Five against five: the subsets, their slices by leading ranks, and the largest of these.
#[test]
fn slices_of_five_against_five_are_those_published() {
    let published = |kind: &'static str| {
        let lines = include_str!("five.txt").lines().filter_map(move |line| line.strip_prefix(kind));
        lines.map(|line| line.split(' ').collect::<Vec<_>>())
    };
    let (mut total, mut slices, mut largest) = (0, 0, Vec::new());
    let mut subsets = published("subset ");
    for material in splits([5, 5]).collect::<Vec<_>>().into_iter().rev() {
        let layout = Layout::new(material);
        let [a, b] = material.0;
        let name = format!("{}{}{}{}", a.kings, b.kings, a.men(), b.men());
        let many = layout.runs().iter().filter(|run| !run.is_empty()).count();
        let row = subsets.next().unwrap();
        assert_eq!([name.clone(), layout.size().to_string(), many.to_string()], row[..]);
        (total, slices) = (total + layout.size(), slices + many);
        // Exchanged ranks of equal sides, and both colours of others, are one task.
        let tasks = layout.ranks().filter(|([own, other], _)| !material.is_symmetric() || own >= other);
        largest.extend(tasks.map(|([own, other], size)| {
            let twice = !material.is_symmetric() || own != other;
            (size * if twice { 2 } else { 1 }, [name.clone(), format!("{own}{other}"), size.to_string()])
        }));
        for index in [0, layout.size() / 3, layout.size() - 1] {
            assert_eq!(layout.board(index).and_then(|board| layout.index(&board)), Some(index), "{material}");
        }
    }
    assert!(subsets.next().is_none());
    assert_eq!(published("total ").next().unwrap(), [total.to_string(), slices.to_string()]);
    largest.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    let names = largest.into_iter().map(|(_, row)| row.join(" ")).take(9);
    assert!(names.eq(published("largest ").map(|row| row.join(" "))));
}

/// How many positions have a jump, and how many have or fear one. Published are more than 60 % with a jump, in slices of up to
/// ten pieces, and about 75 % with a jump or a threat of one, of databases with up to eight.
#[test]
fn most_positions_have_jumps() {
    let endings = Endings::new();
    let mut rng = Rng::new(60);
    for (side, jumping, fearing) in [(4, 0.555, 0.741), (5, 0.689, 0.867)] {
        let layouts: Vec<_> = splits([side, side]).map(Layout::new).collect();
        let all: u64 = layouts.iter().map(Layout::size).sum();
        let (mut jumps, mut threats, many) = (0, 0, 10_000);
        for _ in 0..many {
            let mut number = rng.bits() % all;
            let layout = layouts.iter().find(|layout| {
                let here = number < layout.size();
                number -= if here { 0 } else { layout.size() };
                here
            });
            let board = layout.unwrap().board(number).unwrap();
            let feared = endings.after_pass(&board).unwrap().must_jump();
            jumps += u32::from(board.must_jump());
            threats += u32::from(board.must_jump() || feared);
        }
        let shares = [jumps, threats].map(|count| f64::from(count) / f64::from(many));
        let near = (shares[0] - jumping).abs() < 0.02 && (shares[1] - fearing).abs() < 0.02;
        assert!(near, "{side}: {shares:?}");
    }
}

/// Where every move of random positions leads: to an earlier or the same run, or to a slice that is announced.
#[test]
fn moves_keep_to_the_order_of_the_runs() {
    let endings = Endings::new();
    let mut rng = Rng::new(4);
    for material in (2..=5).flat_map(Material::all) {
        let (runs, conversions) = (endings.runs(material), endings.conversions(material));
        assert!(runs.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!((runs[0].start, runs[runs.len() - 1].end), (0, endings.size(material)));
        for _ in 0..300 {
            let index = rng.below(endings.size(material) as usize) as u64;
            let board = endings.position(material, index).unwrap();
            let run = runs.iter().find(|run| run.contains(&index)).unwrap();
            for m in board.move_list() {
                match endings.place(&board.after(m)) {
                    Some((slice, to)) if slice == material => assert!(to < run.end, "{}", board.write()),
                    Some((slice, _)) => assert!(conversions.contains(&slice), "{}", board.write()),
                    None => assert!(board.after(m).turn().is_over()),
                }
            }
        }
    }
}

/// Compares the published positions that tables hold; how many there are.
fn compare_examples(endings: &Endings, known: &Known<Material>) -> usize {
    let held = examples().filter_map(|(text, published)| {
        let (slice, index) = endings.place(&read(text)).unwrap();
        Some((text, published, known.get(&slice, index)?))
    });
    held.inspect(|(text, published, value)| assert_eq!(told(*value), *published, "{text}")).count()
}

/// The longest win and loss of either side where it need not jump are those in print.
fn compare_longest(slice: Material, figures: &[(String, Figures)]) {
    let quiet = figures.iter().fold(Plies::default(), |both, (_, figures)| both.max(figures.quiet));
    let rows: Vec<&str> =
        longest().filter(|row| row.ending == slice.to_string()).map(|row| row.text).collect();
    assert_eq!(rows, [quiet.to_string()], "{slice}");
}

/// Two pieces against two, with the examples of the longest wins.
#[test]
fn published_figures_of_two_against_two() {
    let endings = Endings::new();
    let even = "2K-2K 2K-1K1C 2K-2C 1K1C-1K1C 1K1C-2C 2C-2C";
    // The longest losses of one against three are jumps, which the print leaves out.
    let known = solve(&endings, &format!("{even} 3K-1K 3K-1C 3C-1K 3C-1C"), Metric::End);
    for slice in ["3K-1K", "3K-1C", "3C-1K", "3C-1C"].map(|name| endings.read_slices(name).unwrap()[0]) {
        let figures = endings.figures(slice, known.table(&slice).unwrap());
        compare_longest(slice, &figures);
        assert!(figures[1].1.longest.0[1] > figures[1].1.quiet.0[1], "{slice}");
    }
    let mut compared = 0;
    for slice in splits([2, 2]) {
        let figures = endings.figures(slice, known.table(&slice).unwrap());
        compare_longest(slice, &figures);
        for (name, figures) in figures {
            let row = published().find(|row| row.0 == name).unwrap().1;
            assert_eq!(figures.to_string(), row, "{name}");
            compared += 1;
        }
    }
    assert_eq!((compared, compare_examples(&endings, &known)), (9, 9 + 4));
}

#[test]
fn published_figures_of_two_and_three_pieces() {
    let endings = Endings::new();
    let known = solve(&endings, "2-3", Metric::End);
    let found: Vec<(String, Figures)> = (2..=3)
        .flat_map(Material::all)
        .flat_map(|slice| {
            let figures = endings.figures(slice, known.table(&slice).unwrap());
            compare_longest(slice, &figures);
            figures
        })
        .collect();
    assert_eq!(found.len(), 16);
    for (name, figures) in found {
        let rows: Vec<&str> = published().filter(|row| row.0 == name).map(|row| row.1).collect();
        assert_eq!(rows, [figures.to_string()], "{name}");
    }
    assert_eq!((published().count(), longest().count()), (49, 9 + 14 + 22 + 25 + 20));
    // The shortest win is no conversion (figure 4): who hurries to the next crowning leaves it.
    let board = read("B:WK31:BK18,25");
    let after = |name: &str| board.after(board.read_move(name).unwrap());
    assert_eq!(value(&endings, &known, &after("18-23")), -3);
    let soon = solve(&endings, "2-3", Metric::Conversion);
    assert_eq!(value(&endings, &soon, &board), 1);
    assert_eq!(value(&endings, &soon, &after("18-23")), -3);
    for crowning in ["25-29", "25-30"] {
        let (slice, index) = endings.place(&after(crowning)).unwrap();
        assert_eq!((slice.to_string().as_str(), known.get(&slice, index) < Some(-3)), ("2K-1K", true));
    }
    assert_eq!(compare_examples(&endings, &known), 9);
    // The one that is printed for a man against a king.
    assert_eq!(value(&endings, &known, &read("B:WK26:B14")), 5);
    assert_eq!(value(&endings, &known, &read("W:W29,30:B7")), 61);
    // Who wins is the same in every metric, and by value iteration.
    let values = solve(&endings, "2-3", Metric::Value);
    let work = Work::default();
    for slice in (2..=3).flat_map(Material::all) {
        let (plies, outcomes) = (known.table(&slice).unwrap(), values.table(&slice).unwrap());
        assert!(plies.values().zip(outcomes.values()).all(|(a, b)| a.map(i32::signum) == b), "{slice}");
        for (metric, known) in [(Metric::End, &known), (Metric::Conversion, &soon)] {
            let job = Job { slice, metric, known, work: &work };
            let other = iterate(&endings, &job, Scheme::InPlace).unwrap().0;
            assert_eq!(other, **known.table(&slice).unwrap(), "{slice} {metric:?}");
        }
    }
}

/// Who is to move makes no difference to the numbers, but for who is Black.
#[test]
fn the_stronger_side_is_black() {
    let endings = Endings::new();
    for material in (2..=4).flat_map(Material::all) {
        for index in (0..endings.size(material)).step_by(997) {
            let board = endings.position(material, index).unwrap();
            let count = |player| board.pieces(player).count_ones();
            assert!(count(Player::FIRST) >= count(Player::SECOND));
        }
    }
}

/// What the player to move gets by the rules alone if a phase has so many plies, with `left` of them to go: 1, 0 or -1.
fn counted(board: &Board, left: u16, phase: u16, seen: &mut HashMap<(Board, u16), i32>) -> i32 {
    if board.turn().is_over() {
        return board.payoff().of(board.side()).signum();
    }
    if left == 0 {
        return 0;
    }
    if let Some(&value) = seen.get(&(*board, left)) {
        return value;
    }
    let mut best = -1;
    for m in board.move_list() {
        let next = board.after(m);
        let is_new_phase = board.must_jump() || board.kings() >> m.from & 1 == 0;
        best = best.max(-counted(&next, if is_new_phase { phase } else { left - 1 }, phase, seen));
    }
    seen.insert((*board, left), best);
    best
}

/// Without a capture or a move of a man for so many moves it is a draw: who wins is what play with a counter gives, and depths to
/// zeroing agree with the depth by the rule.
#[test]
fn rules_of_many_lengths() {
    let (endings, mut cut_off) = (Endings::new(), [0; 2]);
    for name in ["2K-1K", "1K1C-1K", "1C-1C", "2C-1C"] {
        let slice = endings.read_slices(name).unwrap()[0];
        let values = |metric: Metric| -> Vec<Option<i32>> {
            solve(&endings, name, metric).table(&slice).unwrap().values().collect()
        };
        let rule = values(Metric::Rule);
        let depth = |value: i32| if value < 0 { -1 - value } else { value };
        for moves in [1, 3, 8, 40] {
            let (outcomes, depths) =
                (values(Metric::ValueWithin(moves)), values(Metric::ZeroingWithin(moves)));
            let (mut seen, mut drawn) = (HashMap::new(), 0);
            for index in 0..endings.size(slice) {
                let Some(board) = endings.position(slice, index) else { continue };
                let at = |values: &[Option<i32>]| values[index as usize].unwrap();
                let plies = 2 * u16::from(moves);
                // With forty moves nothing is cut off, and the states are many.
                if moves < 40 {
                    let told = counted(&board, plies, plies, &mut seen);
                    assert_eq!(at(&outcomes), told, "{moves} {}", board.write());
                }
                let needed = at(&rule);
                let within = needed != 0 && depth(needed) <= i32::from(plies);
                assert_eq!(
                    at(&depths).signum(),
                    if within { needed.signum() } else { 0 },
                    "{}",
                    board.write()
                );
                drawn += u32::from(needed != 0 && !within);
            }
            assert!(drawn == 0 || moves < 40, "{name} {moves}: {drawn}");
            cut_off[usize::from(name.contains('K'))] += drawn;
        }
        assert!(values(Metric::ValueWithin(40)) == values(Metric::Value));
        assert!(values(Metric::EndWithin(40)) == values(Metric::End));
    }
    assert!(cut_off.iter().all(|&drawn| drawn > 0), "{cut_off:?}");
}
