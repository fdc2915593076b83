//! Changed certificates: every change of a record or of the claim must be noticed.
//!
//! Each change is written with valid checksums. With the digest left as it was, the checker must refuse. With
//! the digest made to fit (whoever changes a certificate may do so), the checker must agree with a second,
//! naive checker, and what it accepts must be right: a referee that does without ranks looks at all that can
//! happen, and the oracle at the claim.

use crate::file::{Reader, digest};
use crate::header::Header;
use crate::records::{Codes, Records};
use crate::testing::{Maze, Oracle, certify, check_bytes, encode_with, prove};
use crate::{FileError, Rejected, Statement, Strategy};
use endspiel_game::{Game, Notation, Position, Question, Rng, Symmetric, Turn, TwoPlayer};
use endspiel_rules::awari::Awari;
use endspiel_rules::connect_four::ConnectFour;
use endspiel_rules::give_away_chess::GiveAwayChess;
use endspiel_rules::hex::Hex;
use endspiel_rules::lines_of_action::LinesOfAction;
use endspiel_rules::mnk::{Mnk, TicTacToe};
use endspiel_rules::qubic::Qubic;
use endspiel_rules::wythoff::Wythoff;
use std::collections::{HashMap, HashSet};

/// A record by itself: code, move, rank.
type Plain = (Vec<u8>, u16, u32);

#[derive(Clone, PartialEq)]
struct Certificate {
    game: String,
    root: String,
    statement: Statement,
    folded: bool,
    ranked: bool,
    strategies: Vec<(Question, Vec<Plain>)>,
}

fn plain(records: &Records) -> Vec<Plain> {
    let record = |i| (records.codes.code(i).to_vec(), records.moves[i], records.rank(i));
    (0..records.len()).map(record).collect()
}

impl Certificate {
    fn new<G: Game>(game: &G, root: &G::Position, folded: bool) -> Self
    where
        G::Position: TwoPlayer + Notation + Symmetric,
    {
        let (statement, strategies) = prove(root, folded);
        assert!(check_bytes(game, &certify(game, root, statement, &strategies), 1).is_ok());
        Self {
            game: game.full_name(),
            root: root.write(),
            statement,
            folded,
            ranked: G::Position::CYCLIC,
            strategies: strategies.iter().map(|s| (s.claim, plain(&s.records))).collect(),
        }
    }

    /// What a file holds.
    fn read(bytes: &[u8]) -> Self {
        let mut reader = Reader::new(bytes, bytes.len() as u64).expect("a certificate");
        let header = reader.header.clone();
        let mut strategies = Vec::new();
        for summary in &header.strategies {
            strategies.push((summary.claim, plain(&reader.strategy(summary).expect("records"))));
        }
        let (game, root) = (header.game, header.root);
        Self { game, root, statement: header.statement, folded: header.folded, ranked: false, strategies }
    }

    /// Its bytes, with a digest that fits or with any other.
    fn bytes(&self, other_digest: Option<u128>) -> (Vec<u8>, u128) {
        let strategies: Vec<Strategy> = self
            .strategies
            .iter()
            .map(|(claim, plain)| {
                let mut records = Records { codes: Codes::default(), ..Records::default() };
                for (code, number, rank) in plain {
                    records.codes.push(code);
                    records.moves.push(*number);
                    records.ranks.extend(self.ranked.then_some(*rank));
                }
                Strategy { claim: *claim, folded: self.folded, records, rests: Vec::new() }
            })
            .collect();
        let mut header = Header {
            game: self.game.clone(),
            root: self.root.clone(),
            statement: self.statement,
            folded: self.folded,
            rests: Vec::new(),
            strategies: strategies.iter().map(|s| s.records.summary(s.claim)).collect(),
            digest: 0,
        };
        let records: Vec<_> = strategies.iter().map(|s| &s.records).collect();
        header.digest = other_digest.unwrap_or_else(|| digest(&header, &records));
        (encode_with(&header, &strategies), header.digest)
    }

    /// Changes one thing. Codes stay in order, so that no change is found by their order alone.
    fn mutate<G: Game>(&mut self, game: &G, variants: &[&str], rng: &mut Rng) -> &'static str
    where
        G::Position: TwoPlayer + Notation + Symmetric,
    {
        let which = rng.below(self.strategies.len());
        let (claim, records) = &mut self.strategies[which];
        let i = rng.below(records.len());
        let (kind, sort) = match rng.below(if records.is_empty() { 4 } else { 12 }) {
            0 => {
                // The claims of the strategies follow the statement, or not.
                let by = [-2, -1, 1, 2][rng.below(4)];
                let (player, old) =
                    (self.statement.player(), self.statement.low().or(self.statement.high()).unwrap_or(0));
                self.statement = match rng.below(4) {
                    0 => Statement::at_least(player, old + by),
                    1 => Statement::at_most(player, old + by),
                    2 => Statement::exactly(player.other(), -old),
                    _ => Statement::exactly(player, old + by),
                };
                if rng.below(4) > 0 {
                    let claims = self.statement.claims();
                    self.strategies.truncate(claims.len());
                    for (strategy, claim) in self.strategies.iter_mut().zip(claims) {
                        strategy.0 = claim;
                    }
                }
                ("statement", false)
            }
            1 => {
                let root = game.read(&self.root).expect("a root");
                let moves = root.move_list();
                if let Some(&m) = moves.get(rng.below(moves.len())) {
                    self.root = root.after(m).write();
                }
                ("root", false)
            }
            2 => {
                let variant = variants[rng.below(variants.len())];
                self.game = G::from_variant(variant).expect("a variant").full_name();
                ("variant", false)
            }
            3 => match rng.below(3) {
                0 => {
                    self.folded = !self.folded;
                    ("symmetry", false)
                }
                1 => {
                    claim.at_least += if rng.below(2) == 0 { 1 } else { -1 };
                    ("claim", false)
                }
                _ => {
                    self.strategies.reverse();
                    ("order of strategies", false)
                }
            },
            4..=6 => {
                records[i].1 = if rng.below(8) == 0 { rng.bits() as u16 } else { rng.below(9) as u16 };
                ("move", false)
            }
            7 => {
                records.remove(i);
                ("record left out", false)
            }
            8 => {
                let copy = records[i].clone();
                records.insert(i, copy);
                ("record twice", false)
            }
            9 => {
                let bytes = &mut records[i].0;
                let at = rng.below(bytes.len());
                bytes[at] ^= 1 << rng.below(8);
                ("code", true)
            }
            10 => {
                let mut fresh = records[i].clone();
                let at = rng.below(fresh.0.len());
                fresh.0[at] = rng.bits() as u8;
                records.push(fresh);
                ("record added", true)
            }
            _ if self.ranked => {
                records[i].2 = if rng.below(4) == 0 { rng.bits() as u32 } else { rng.below(6) as u32 };
                ("rank", false)
            }
            _ => {
                let j = rng.below(records.len());
                (records[i].1, records[j].1) = (records[j].1, records[i].1);
                ("moves exchanged", false)
            }
        };
        if sort {
            self.strategies[which].1.sort();
        }
        kind
    }
}

/// The naive checker: the same demands, the plainest code.
struct Naive<'a> {
    claim: Question,
    folded: bool,
    map: HashMap<String, &'a Plain>,
    used: HashSet<String>,
    /// With ranks, as the format demands, or without, looking for bad cycles in `graph`.
    ranks: bool,
    graph: HashMap<String, (bool, Vec<String>)>,
}

fn naive<G: Game>(game: &G, certificate: &Certificate, ranks: bool) -> bool
where
    G::Position: TwoPlayer + Notation + Symmetric,
{
    let Ok(root) = game.read(&certificate.root) else { return false };
    let claims: Vec<_> = certificate.strategies.iter().map(|s| s.0).collect();
    certificate.game == game.full_name()
        && certificate.statement.player() == root.mover()
        && certificate.statement.claims() == claims
        && certificate.strategies.iter().all(|(claim, records)| {
            let map: HashMap<String, &Plain> = records.iter().map(|r| (format!("{:?}", r.0), r)).collect();
            let (used, graph) = (HashSet::new(), HashMap::new());
            let mut naive = Naive { claim: *claim, folded: certificate.folded, map, used, ranks, graph };
            naive.map.len() == records.len()
                && naive.step(&root, None)
                && naive.used.len() == records.len()
                && (ranks || naive.no_bad_cycle())
        })
}

impl Naive<'_> {
    /// Follows a step; `last` is the rank it comes from, and whether it may stay there.
    fn step<P: TwoPlayer + Notation + Symmetric>(&mut self, begin: &P, last: Option<(u32, bool)>) -> bool {
        let (mut arrivals, mut safe) = (Vec::new(), true);
        if !self.gather(begin, &mut Vec::new(), &mut arrivals, &mut safe) {
            return false;
        }
        arrivals.into_iter().all(|p| {
            let p = if self.folded { p.canonical().0 } else { p };
            let mut code = Vec::new();
            p.encode(&mut code);
            let code = format!("{code:?}");
            let Some(&(_, number, rank)) = self.map.get(&code).copied() else { return false };
            if P::CYCLIC && self.ranks && last.is_some_and(|(r, s)| rank > r || rank == r && !(s && safe)) {
                return false;
            }
            if !self.used.insert(code) {
                return true;
            }
            let Some(&m) = p.move_list().get(usize::from(number)) else { return false };
            self.note(&p, &[p.after(m)]);
            self.step(&p.after(m), Some((rank, self.claim.is_met_by(p.repeated()))))
        })
    }

    /// Gathers where the prover is to move next.
    fn gather<P: TwoPlayer + Notation + Symmetric>(
        &mut self,
        p: &P,
        path: &mut Vec<String>,
        arrivals: &mut Vec<P>,
        safe: &mut bool,
    ) -> bool {
        match p.turn() {
            Turn::Over => return self.claim.is_met_by(p.payoff()),
            _ if !P::CYCLIC && p.score_range_of(self.claim.player).0 >= self.claim.at_least => {}
            _ if !P::CYCLIC && p.secured(self.claim.player, self.claim.at_least) => {}
            Turn::Player(q) if q == self.claim.player => {
                let ends = |m| p.after(m).turn().is_over() && self.claim.is_met_by(p.after(m).payoff());
                if !p.winning_move(None).is_some_and(ends) {
                    arrivals.push(p.clone());
                }
            }
            _ if path.contains(&p.write()) => return self.claim.is_met_by(p.repeated()),
            _ => {
                *safe &= self.claim.is_met_by(p.repeated());
                path.push(p.write());
                let next: Vec<P> = p.move_list().into_iter().map(|m| p.after(m)).collect();
                self.note(p, &next);
                if !next.iter().all(|q| self.gather(q, path, arrivals, safe)) {
                    return false;
                }
                path.pop();
            }
        }
        true
    }

    fn note<P: TwoPlayer + Notation + Symmetric>(&mut self, p: &P, next: &[P]) {
        if P::CYCLIC && !self.ranks {
            let name = |q: &P| if self.folded { q.canonical().0.write() } else { q.write() };
            let next = next.iter().map(name).collect();
            self.graph.insert(name(p), (self.claim.is_met_by(p.repeated()), next));
        }
    }

    /// Does no position that must not come back for ever lie on a cycle?
    fn no_bad_cycle(&self) -> bool {
        self.graph.iter().filter(|(_, (safe, _))| !safe).all(|(start, (_, next))| {
            let mut seen: HashSet<&String> = HashSet::new();
            let mut stack: Vec<&String> = next.iter().collect();
            while let Some(at) = stack.pop() {
                if at == start {
                    return false;
                }
                if seen.insert(at) {
                    stack.extend(self.graph.get(at).into_iter().flat_map(|(_, next)| next));
                }
            }
            true
        })
    }
}

#[derive(Debug, Default)]
struct Tally {
    changed: usize,
    accepted: HashMap<&'static str, usize>,
    /// With a digest that fits, and of these, for what the strategy leaves open or never needs.
    refused: usize,
    holes: usize,
}

/// Makes `count` changes of a right certificate, each of the original.
fn trial<G: Game>(
    game: &G,
    root: &G::Position,
    folded: bool,
    variants: &[&str],
    count: usize,
    tally: &mut Tally,
) where
    G::Position: TwoPlayer + Notation + Symmetric,
{
    let original = Certificate::new(game, root, folded);
    assert!(naive(game, &original, true) && naive(game, &original, false), "{}", original.root);
    let (_, right) = original.bytes(None);
    let mut rng = Rng::new(root.key() ^ count as u64);
    let mut done = 0;
    while done < count {
        let mut mutant = original.clone();
        let kind = mutant.mutate(game, variants, &mut rng);
        if mutant == original {
            continue;
        }
        done += 1;
        tally.changed += 1;
        // The checker is asked for the game that the certificate names.
        let variant = mutant.game.split_once(':').map_or("", |(_, v)| v);
        let game = G::from_variant(variant).expect("a variant");
        let stale = check_bytes(&game, &mutant.bytes(Some(right)).0, 1);
        assert!(stale.is_err(), "{kind} of {} goes unnoticed", mutant.game);
        let fresh = check_bytes(&game, &mutant.bytes(None).0, 1 + done % 2);
        assert_eq!(fresh.is_ok(), naive(&game, &mutant, true), "{kind} of {}: {fresh:?}", mutant.game);
        match fresh {
            Ok(_) => {
                assert!(naive(&game, &mutant, false), "{kind} of {} is accepted, but wrong", mutant.game);
                let root = game.read(&mutant.root).expect("a root");
                let mut claims = mutant.statement.claims().into_iter();
                assert!(claims.all(|claim| Oracle::new(&root, claim).holds()), "{kind} of {}", mutant.game);
                *tally.accepted.entry(kind).or_default() += 1;
            }
            Err(Rejected::File(FileError::Digest { .. })) => panic!("the digest was made to fit"),
            Err(error) => {
                tally.refused += 1;
                tally.holes += usize::from(matches!(error, Rejected::Hole(_) | Rejected::Unused { .. }));
            }
        }
    }
}

#[test]
fn no_change_goes_unnoticed() {
    let mut tally = Tally::default();
    trial(&TicTacToe, &TicTacToe.start(), true, &[""], 1400, &mut tally);
    let game = Mnk::from_variant("4,3,3").expect("a variant");
    let (root, _) = game.start().read_line("a1 b2 d3").expect("a line");
    trial(&game, &root, false, &["4,3,3", "4,3,4", "3,4,3", "4,4,3"], 1400, &mut tally);
    let game = ConnectFour::from_variant("3x4").expect("a variant");
    trial(&game, &game.start(), true, &["3x4", "4x3", "3x5", "4x4"], 1400, &mut tally);
    let game = Wythoff::from_variant("").expect("a variant");
    let root = game.read("12,19").expect("a position");
    trial(&game, &root, true, &["", "nim", "g1", "misere"], 1400, &mut tally);
    let game = GiveAwayChess::from_variant("").expect("a variant");
    let root = game.read("8/8/8/3n4/8/8/8/K7 w - - 0 1").expect("a position");
    trial(&game, &root, true, &["", "antichess"], 1400, &mut tally);
    let game = LinesOfAction::from_variant("4").expect("a variant");
    let root = game.read("x.o./..../o..x/.... o").expect("a position");
    trial(&game, &root, false, &["4", "4,mover-wins"], 600, &mut tally);
    let game = Awari::from_variant("end=last-stone").expect("a variant");
    let root = game.read("2 0 0 1 0 0|1 0 1 0 0 0 21-22 S").expect("a position");
    trial(&game, &root, true, &["end=last-stone", "", "grand-slam=allowed,end=last-stone"], 1400, &mut tally);
    // Here answers alone secure the win, and no record is needed from there on.
    let game = Hex::from_variant("4").expect("a variant");
    let (root, _) = game.start().read_line("a2 c2 d1 b3").expect("a line");
    trial(&game, &root, true, &["4", "3", "5", "4,swap"], 600, &mut tally);
    for seed in 0..40 {
        let game = Maze::new(seed);
        let names: Vec<String> = (seed..seed + 5).map(|s| s.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        trial(&game, &game.start(), seed % 2 == 0, &names, 100, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.refused >= 10_000 && tally.holes >= 6_000, "{tally:?}");
}

/// A certificate of qubic as the solver writes it, seven moves into the proof of the whole game: `endspiel solve qubic --moves
/// "0 1 12 2 48 4 63" --certificate`. That of the empty board has the same kind of records, two million of them. None may
/// be missing, stand for another position or give another move, whether the digest is made to fit or not.
#[test]
fn every_record_of_qubic_is_needed() {
    let original = Certificate::read(include_bytes!("testdata/qubic.certificate"));
    let (bytes, right) = original.bytes(None);
    assert!(check_bytes(&Qubic, &bytes, 1).is_ok_and(|verified| verified.records == 638));
    let refused = |mutant: &Certificate| {
        let stale = check_bytes(&Qubic, &mutant.bytes(Some(right)).0, 1);
        stale.is_err() && check_bytes(&Qubic, &mutant.bytes(None).0, 1).is_err()
    };
    let (mut rng, mut other) = (Rng::new(8), 0);
    for i in 0..original.strategies[0].1.len() {
        let mut mutant = original.clone();
        mutant.strategies[0].1.remove(i);
        assert!(refused(&mutant), "record {i} is left out");
        let mut mutant = original.clone();
        let code = &mut mutant.strategies[0].1[i].0;
        let at = rng.below(code.len());
        code[at] ^= 1 << rng.below(8);
        mutant.strategies[0].1.sort();
        assert!(refused(&mutant), "record {i} is about another position");
        let mut mutant = original.clone();
        mutant.strategies[0].1[i].1 ^= 1 + rng.below(31) as u16;
        // Another move may win as well, with the records that are there; the plainest checker has to say so too.
        if !refused(&mutant) {
            assert!(naive(&Qubic, &mutant, true) && naive(&Qubic, &mutant, false), "record {i}");
            assert!(check_bytes(&Qubic, &mutant.bytes(Some(right)).0, 1).is_err(), "record {i}");
            other += 1;
        }
    }
    assert!(other < 10, "{other} moves may as well be others");
}
