use super::*;
use endspiel_game::conform::conform;
use endspiel_game::perft;

/// The graph of the paper's third component, as far as the text determines it.
const THIRD: &str = "graph=a:b+b:ce+c:d+d:a+e:cd";

#[test]
fn every_game_keeps_its_promises() {
    for variant in [
        "",
        "p=3,regular=1",
        "p=6,regular=3",
        "p=6,regular=1,even=2",
        "most=2",
        THIRD,
        "graph=a:b+b:ce+c:d+d:a+e:cd,start=ade",
        "graph=a:bc/1+b:a+c:d,most=2,start=abc",
    ] {
        let game = Virus::from_variant(variant).unwrap_or_else(|e| panic!("{variant}: {e}"));
        assert_eq!(game.variant(), variant);
        conform(&game, 20, 50, 1);
    }
}

#[test]
fn graphs_are_as_defined() {
    let game = Virus::from_variant("p=4").unwrap();
    let followers = |name: &str| {
        let vertex = (0..8).find(|&v| game.graph().name(v) == name).unwrap();
        game.graph().write_set(game.graph().followers(vertex))
    };
    assert_eq!(["x1", "x4", "y1", "y3"].map(followers), ["y1", "y4", "x2x3x4", "x1x2x4y1y2"]);
    assert_eq!(game.start().write(), "y1y2y3y4");
    assert_eq!(Virus::from_variant("").unwrap().start().write(), "x5y1y2y3y4y5");
    let third = Virus::from_variant(THIRD).unwrap();
    assert_eq!(third.start().write(), "abcde");
}

#[test]
fn moves_flip_so_many_followers() {
    let choices = |variant: &str| Virus::from_variant(variant).unwrap().start().count_moves();
    // y1 to y4 with 3, 4, 5 and 6 followers.
    assert_eq!(choices("p=4,regular=1"), 3 + 4 + 5 + 6);
    assert_eq!(choices("p=4,regular=2"), 3 + 6 + 10 + 15);
    assert_eq!(choices("p=4,most=2"), (1 + 3 + 3) + (1 + 4 + 6) + (1 + 5 + 10) + (1 + 6 + 15));
    assert_eq!(choices("p=4,regular=1,even=2"), 3 + 6 + 5 + 15);
    let game = Virus::from_variant(THIRD).unwrap();
    let position = game.read("ade").unwrap();
    let moves: Vec<String> = position.move_list().iter().map(|&m| position.write_move(m)).collect();
    assert_eq!(moves, ["a:b", "d:a", "e:cd"]);
    let next = position.after(position.read_move("E:CD").unwrap());
    assert_eq!(next.write(), "ac second");
    assert_eq!([1, 2, 3].map(|depth| perft(&position, depth)), [3, 6, 13]);
    // A virus without followers stays.
    let end = Virus::from_variant("graph=a:b,start=b").unwrap().start();
    assert!(end.turn().is_over() && end.payoff() == Payoff::win(Player::SECOND));
}

#[test]
fn bad_graphs_are_refused() {
    for (variant, at, what) in [
        ("p=129", 2, "p"),
        ("p", 0, "no value"),
        ("p=3,start=", 4, "no value"),
        ("p=3, start=  y9", 13, "no vertex"),
        ("p=3,p=4", 4, "twice"),
        ("regular=2,most=3", 10, "regular= and most= are both given"),
        ("most=2,regular=2", 7, "regular= and most= are both given"),
        ("most=2,most=2", 7, "most= is given twice"),
        ("p=99999999999999999999", 2, "p 99999999999999999999 is too large"),
        ("graph=a:bcb", 10, "'b' follows 'a' twice"),
        ("graph=a:b+b:c+A:c", 14, "'a' is given followers twice"),
        ("graph=ab", 6, "no followers"),
        ("graph=a:b+ab:c", 10, "one vertex"),
        ("graph=a:ba", 6, "follows itself"),
        ("graph=a:b!", 9, "no name"),
        ("graph=a:b,even=2", 10, "G(p)"),
        ("p=3,graph=a:b", 0, "two graphs"),
        ("p=3,start=y9", 10, "no vertex"),
        ("p=3,start=y1y1", 12, "twice"),
        ("p=20,regular=5", 0, "moves"),
        ("s=2", 0, "no choice"),
        ("p=17,regular=3", 0, "moves"),
    ] {
        let error = Virus::from_variant(variant).map(|g| g.full_name()).unwrap_err();
        assert!(error.at == at && error.what.contains(what), "{variant}: {error:?}");
    }
    let game = Virus::from_variant("").unwrap();
    for (text, at) in [("", 0), ("x9", 0), ("x1 third", 3), ("x1x1", 2)] {
        let error = game.read(text).map(|p| p.write()).unwrap_err();
        assert_eq!(error.at, at, "{text}: {error:?}");
    }
}

/// Random moves are those that are listed, each about as often.
#[test]
fn random_moves_are_even() {
    for variant in ["p=3,most=2", "p=4,regular=2", "graph=a:bc/1+b:a+c:d,most=2,start=abc"] {
        let position = Virus::from_variant(variant).unwrap().start();
        let (list, mut rng) = (position.move_list(), Rng::new(1));
        assert_eq!(position.count_moves(), list.len());
        let mut counts = vec![0; list.len()];
        for _ in 0..1000 * list.len() {
            let m = position.random_move(&mut rng).unwrap();
            counts[list.iter().position(|&other| other == m).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{variant}: {counts:?}");
    }
}

/// What fires flips what the moves flip, in their order.
#[test]
fn flipping_is_what_moves_do() {
    for variant in ["p=4,regular=2", "p=3,most=2", "graph=a:bc/1+b:a+c:d,most=2,start=abc"] {
        let position = Virus::from_variant(variant).unwrap().start();
        let flipping = position.flipping().unwrap();
        let fired = flipping.set.iter().flat_map(|&vertex| &flipping.choices[vertex]);
        let after: Vec<Set> =
            fired.map(|flips| position.set() ^ flips.iter().copied().collect::<Set>()).collect();
        assert_eq!(position.move_list().iter().map(|&m| position.after(m).set()).collect::<Vec<_>>(), after);
    }
}

/// More vertices than a word has bits.
#[test]
fn large_graphs() {
    let game = Virus::from_variant("p=80,regular=1").unwrap();
    let (start, mut rng) = (game.start(), Rng::new(8));
    assert_eq!((start.set().count(), start.count_moves()), (80, start.move_list().len()));
    assert_eq!(game.read(&start.write()).unwrap(), start);
    let mut keys = std::collections::BTreeSet::new();
    let mut at = start;
    for _ in 0..200 {
        assert!(keys.insert(at.key()) || at.turn().is_over());
        let Some(m) = at.random_move(&mut rng) else { break };
        assert!(at.move_list().contains(&m));
        at.play(m);
    }
    let chain: Vec<String> = (0..255).map(|i| format!("a{i}:a{}", i + 1)).collect();
    assert!(Virus::from_variant(&format!("graph={}", chain.join("+"))).is_ok());
    let error = Virus::from_variant(&format!("graph={}+b:c", chain.join("+"))).unwrap_err();
    assert!(error.what.contains("258 vertices"), "{error}");
}
