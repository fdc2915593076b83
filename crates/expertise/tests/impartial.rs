//! Values of impartial games in the database engine: what tables hold is what linear algebra and the theory of piles say, who wins
//! is what tables of outcomes say, and no changed value passes for a right one.

use endspiel_expertise::awari::Levels;
use endspiel_expertise::virus::Infections;
use endspiel_expertise::wythoff::{LARGEST_PILE, Pairs};
use endspiel_expertise::{chess, virus};
use endspiel_game::{Game, Notation, Player, Position, Rng, TwoPlayer};
use endspiel_retro::{
    Bits, Cells, Checking, Error, Firing, Grundy, Indexed, Job, Known, Metric, Probe, Scheme, Store, Table,
    Work, build, check_across, check_planned, grundy_of, iterate, plan, plan_check,
};
use endspiel_rules::awari::Awari;
use endspiel_rules::virus::{Set, Virus};
use endspiel_rules::wythoff::{Wythoff, theory};
use std::path::PathBuf;

fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("endspiel-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

fn solved<I: Indexed<Slice = ()>>(game: &I, metric: Metric) -> Table {
    let (known, work) = (Known::default(), Work::default());
    game.solve(&Job { slice: (), metric, known: &known, work: &work }).expect("nobody stops it")
}

/// G(4) to G(6) by several rules, and random graphs.
fn viruses() -> Vec<Virus> {
    let mut variants: Vec<String> = Vec::new();
    for p in 4..=6 {
        variants.extend((1..=4).map(|flips| format!("p={p},regular={flips}")));
        variants.extend([format!("p={p},most=2"), format!("p={p},regular=2,even=3")]);
    }
    let mut rng = Rng::new(2000);
    for _ in 0..60 {
        let size = 2 + rng.below(7);
        let name = |vertex: usize| char::from(b'a' + vertex as u8);
        let (chance, flips) = (2 + rng.below(3), 1 + rng.below(3));
        let edges = |v: usize, rng: &mut Rng| {
            let next: String = (0..size).filter(|&to| to != v && rng.below(chance) == 0).map(name).collect();
            format!("{}:{next}", name(v))
        };
        let graph: Vec<String> = (0..size).map(|v| edges(v, &mut rng)).collect();
        let rule = if rng.below(2) == 0 { "regular" } else { "most" };
        variants.push(format!("graph={},{rule}={flips}", graph.join("+")));
    }
    variants.iter().map(|variant| Virus::from_variant(variant).expect(variant)).collect()
}

/// All values on a graph by linear algebra.
fn by_algebra(game: &Virus) -> Vec<Grundy> {
    let flipping = game.start().flipping().expect("moves flip sets");
    let size = flipping.choices.len();
    let ways: Vec<Vec<Bits>> = flipping
        .choices
        .iter()
        .map(|ways| ways.iter().map(|way| Bits::of(size, way.iter().copied())).collect())
        .collect();
    let solved = Firing::solve(&ways, &mut || false).expect("it is sure of small graphs");
    (0..1_u64 << size).map(|set| solved.value(&Bits::from(set))).collect()
}

/// Tables hold what linear algebra says of every position, and the outcomes that they tell are those of `wdl`, which another
/// solver finds too.
#[test]
fn viruses_are_worth_what_algebra_says() {
    let (known, work) = (Known::default(), Work::default());
    for game in viruses() {
        let (index, name) = (Infections::new(&game), game.full_name());
        let (table, values) = (solved(&index, Metric::Grundy), by_algebra(&game));
        assert_eq!(table.len(), values.len());
        let outcomes = solved(&index, Metric::Value);
        for (number, value) in (0..).zip(&values) {
            let cell = table.get(number).expect("a position");
            assert_eq!(Grundy::number_of(cell), value.number(), "{name} {number}");
            assert_eq!(Some(cell.signum()), outcomes.get(number), "{name} {number}");
            let wins = matches!(value, Grundy::Infinite(reached) if reached.contains(&0));
            assert_eq!(cell == 1, wins, "{name} {number}");
        }
        if values.len() <= 1 << 8 {
            assert!(grundy_of(&index, ()).into_iter().flatten().eq(values), "{name}");
        }
        for metric in [Metric::Value, Metric::End] {
            let job = Job { slice: (), metric, known: &known, work: &work };
            let (other, _) = iterate(&index, &job, Scheme::InPlace).expect("nobody stops it");
            assert_eq!(solved(&index, metric), other, "{name} {metric:?}");
        }
    }
}

/// So many positions of G(6) are worth a number, and so many 0, as enumeration found for the paper's examples.
#[test]
fn as_many_are_worth_a_number_as_published() {
    for (rule, finite, zero) in [
        ("regular=3", 2048, 64),
        ("regular=4", 4096, 128),
        ("regular=2,even=3", 4096, 128),
        ("regular=1,even=2", 4096, 256),
    ] {
        let game = Virus::from_variant(&format!("p=6,{rule}")).expect("a rule");
        let table = solved(&Infections::new(&game), Metric::Grundy);
        let numbers: Vec<u32> = table.values().flatten().filter_map(Grundy::number_of).collect();
        assert_eq!(numbers.len(), finite, "{rule}");
        assert_eq!(numbers.iter().filter(|&&number| number == 0).count(), zero, "{rule}");
    }
}

/// The list of flipped sets gives the moves of the rules, both ways.
#[test]
fn moves_of_viruses_are_those_of_the_rules() {
    let mut rng = Rng::new(5);
    for game in viruses() {
        let index = Infections::new(&game);
        for _ in 0..20 {
            let number = rng.below(1 << game.graph().len()) as u64;
            let position = index.position((), number).expect("a position");
            assert_eq!(index.place(&position), Some(((), number)));
            let mut before = Vec::new();
            assert!(index.predecessors(&position, &mut |p| before.push(p.set())));
            let leads = |from: &endspiel_rules::virus::Infection| {
                from.move_list().into_iter().any(|m| from.after(m).set() == position.set())
            };
            let mut expected: Vec<Set> = (0..1_u64 << game.graph().len().min(10))
                .map(|set| game.occupied(Set::from(set), Player::FIRST))
                .filter(leads)
                .map(|from| from.set())
                .collect();
            before.sort_unstable();
            expected.sort_unstable();
            if game.graph().len() <= 10 {
                assert_eq!(before, expected, "{} {}", game.full_name(), position.write());
            }
        }
    }
}

/// Piles are worth what the theory says, and both solvers find the same outcomes and distances.
#[test]
fn piles_are_worth_what_theory_says() {
    let (known, work) = (Known::default(), Work::default());
    for variant in ["", "nim", "t=3", "g2", "misere"] {
        let game = Wythoff::from_variant(variant).expect(variant);
        let index = Pairs::new(&game);
        for number in 0..index.size(()) {
            let piles = index.position((), number).expect("a position");
            assert_eq!(index.place(&piles), Some(((), number)));
        }
        let outcomes = solved(&index, Metric::Value);
        for metric in [Metric::Value, Metric::End] {
            let job = Job { slice: (), metric, known: &known, work: &work };
            let (other, _) = iterate(&index, &job, Scheme::InPlace).expect("nobody stops it");
            assert_eq!(solved(&index, metric), other, "{variant} {metric:?}");
        }
        if variant == "misere" {
            assert!(matches!(index.can_tell(Metric::Grundy), Err(Error::Partial { .. })));
            continue;
        }
        let table = solved(&index, Metric::Grundy);
        let limit = 60_usize;
        let values = theory::grundy(game.constraint(), limit);
        for (a, b) in (0..limit).flat_map(|a| (0..limit).map(move |b| (a, b))) {
            let ((), number) =
                index.place(&game.piles([a as u16, b as u16], Player::SECOND)).expect("a place");
            let cell = table.get(number).expect("a position");
            assert_eq!(Grundy::number_of(cell), Some(values[a * limit + b]), "{variant} {a},{b}");
            assert_eq!(Some(cell.signum()), outcomes.get(number), "{variant} {a},{b}");
        }
    }
    let cold: Vec<_> = theory::cold(Wythoff::from_variant("").unwrap().constraint(), 30);
    let game = Wythoff::from_variant("").unwrap();
    let (index, table) = (Pairs::new(&game), solved(&Pairs::new(&game), Metric::Grundy));
    for (a, b) in cold.into_iter().filter(|&(_, b)| b <= LARGEST_PILE.into()) {
        let ((), number) = index.place(&game.piles([b as u16, a as u16], Player::FIRST)).expect("a place");
        assert_eq!(table.get(number), Some(-1));
    }
}

/// A file holds what was solved, a probe tells what infinite positions reach, `wdl` comes out of it, and `verify` finds one changed
/// value, with as much memory as it says.
#[test]
fn files_are_read_back_and_checked() {
    let dir = scratch("grundy");
    let game = Virus::from_variant("p=5,regular=3").unwrap();
    let (index, store, work) = (Infections::new(&game), Store::new(&dir, &game.full_name()), Work::default());
    let make = |metric| {
        let plan = plan(&index, &store, &[()], metric).unwrap();
        build(&index, &store, &plan, &work, &mut |_, _| ()).unwrap();
        plan
    };
    make(Metric::Grundy);
    assert_eq!(make(Metric::Value).steps[0].from, Some(Metric::Grundy));
    assert_eq!(store.open("all", Metric::Value, 0).unwrap().table().unwrap(), solved(&index, Metric::Value));
    make(Metric::End);
    let table = store.open("all", Metric::Grundy, 0).unwrap().table().unwrap();
    assert_eq!(table, solved(&index, Metric::Grundy));
    let probe = Probe::open(&index, &store, &[()], Metric::Grundy, 1 << 20).unwrap();
    for (set, value) in (0..).zip(by_algebra(&game)) {
        let position = game.occupied(Set::from(set), Player::SECOND);
        let moves = probe.moves(&position).unwrap();
        assert_eq!(probe.grundy(&position).unwrap(), Some(value));
        for (m, worth) in moves {
            let there = probe.value(&position.after(m)).unwrap().unwrap();
            assert_eq!(worth, -there.signum());
        }
    }
    let all = [Metric::Grundy, Metric::Value, Metric::End];
    assert_eq!(check_across(&index, &store, (), &all, 1, &work).unwrap(), 1024);
    let needed = index.solving_bytes((), Metric::Grundy) + 1024;
    assert!(plan_check(&index, &store, (), Metric::Grundy, (1, needed)).is_ok());
    assert!(matches!(
        plan_check(&index, &store, (), Metric::Grundy, (7, needed - 1)),
        Err(Error::Memory { .. })
    ));
    let check = |every| {
        let how = Checking::in_memory(every);
        check_planned(&index, &store, (), Metric::Grundy, &how, &work)
    };
    assert_eq!(check(1).unwrap(), 1024);
    let Cells::Narrow(cells) = &table.cells else { panic!("small numbers") };
    for at in [0, 99, 1023] {
        let mut changed = cells.clone();
        changed[at] = if changed[at] > 1 { changed[at] + 1 } else { 2 };
        store.save("all", &Table { metric: Metric::Grundy, cells: Cells::Narrow(changed) }, &work).unwrap();
        let wrong = check(7).unwrap_err();
        assert!(matches!(wrong, Error::Inconsistent { index, .. } if index == at as u64), "{wrong}");
    }
    std::fs::remove_dir_all(dir).unwrap();
}

/// Where the players have different moves, or captures count, there are no such values; nor tables of large graphs.
#[test]
fn other_games_are_refused() {
    let error = chess::Endings::new().can_tell(Metric::Grundy).unwrap_err().to_string();
    assert!(error.contains("both players have the same moves"), "{error}");
    let error = Levels::new(Awari::default()).can_tell(Metric::Grundy).unwrap_err().to_string();
    assert!(error.contains("ask for score"), "{error}");
    let large = Virus::from_variant("p=14,regular=1").unwrap();
    let index = Infections::new(&large);
    let error = index.read_slices("all").unwrap_err().to_string();
    assert!(error.contains("28 vertices") && error.contains(&virus::MOST_VERTICES.to_string()), "{error}");
    assert_eq!(index.place(&large.start()), None);
    let small = Infections::new(&Virus::from_variant("p=3").unwrap());
    assert_eq!(small.read_slices(" x").unwrap_err().at, 1);
    assert!(small.read_slices("").is_ok() && small.read_slices("ALL").is_ok());
    // The name of a folder has room for 255 bytes.
    let long = format!("virus:graph={}", "a:b+".repeat(100));
    assert!(Store::new(&std::env::temp_dir(), &long).dir().file_name().unwrap().len() < 200);
    assert_ne!(Store::new("x".as_ref(), &long).dir(), Store::new("x".as_ref(), &format!("{long}b:c")).dir());
}
