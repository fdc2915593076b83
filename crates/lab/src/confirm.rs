//! Every win by threats that any engine claims, against all defences, on random positions of go-moku and qubic.
//!
//! Go-moku's engines are the search for fours, dependency-based search, the search for fours and threes, lambda search
//! up to order 2 by the rules alone (of some positions: it looks at all moves), and the expertise of games of lines. A
//! claim is confirmed by playing it out against *every* legal reply: the attacker completes a five, goes on with fours
//! where they win, then with the sequence claimed, then with what the search for threes, dependency-based search or the
//! engine that claims finds, and at last with what these find when they look much longer; he has to win everywhere.
//! Positions depend on the seed and their number alone, so threads share them out. On 11x11 the expertise of games of lines,
//! which looks longest, is asked about some; on 15x15, by all three rules, there are fewer positions and all are asked about.

use endspiel_expertise::gomoku::{Board, Fours, Limit, Sequences, Threes};
use endspiel_expertise::lines::Expert;
use endspiel_game::{
    Budget, Expertise, Game, Goal, Meter, Notation, Outcome, Player, Position, Quiet, Rng, Task, TwoPlayer,
    mix,
};
use endspiel_rules::gomoku::{GomokuPosition, LargeGomoku};
use endspiel_rules::grid::Cell;
use endspiel_rules::qubic::{Qubic, QubicPosition};
use endspiel_search::lambda;
use endspiel_search::proof_number::df_pn;
use serde::Serialize;
use std::collections::HashSet;

type Gomoku = GomokuPosition<7>;

/// Nodes of each dependency-based search.
const NODES: u64 = 300;
/// The engines of go-moku by name, in the order of [`Counts::claims`].
pub const ENGINES: [&str; 5] = ["fours", "db-search", "threes", "lambda", "lines"];
const LAMBDA: usize = 3;
const LINES: usize = 4;
/// The expertise of games of lines looks longer: on 11x11 it is asked about one position in so many.
const LINES_EVERY: usize = 50;
/// There are so many times fewer positions of 15x15.
const FEWER: usize = 20;
/// Where all engines see nothing any more: nodes of dependency-based search and of the search for threes, and how many
/// threes in a row.
const PATIENT_NODES: u64 = 10_000;
const PATIENT_THREES: u64 = 50_000;
const PATIENT_DEPTH: u32 = 8;
/// In qubic, nodes of proof-number search.
const PATIENT_PROOF: u64 = 200_000;

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// So many positions of each game.
    pub positions: usize,
    /// Lambda search is asked about one position in so many.
    pub lambda_every: usize,
    /// With so many nodes each.
    pub lambda_nodes: u64,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// The game.
    pub game: &'static str,
    /// Positions looked at.
    pub positions: usize,
    /// Wins claimed, by engine; of qubic by `lambda` and `lines` alone.
    pub claims: [usize; 5],
    /// Of these, confirmed against all defences.
    pub confirmed: [usize; 5],
    /// Positions about which lambda search was asked.
    pub asked: usize,
    /// Positions about which the expertise of games of lines was asked.
    pub lines_asked: usize,
    /// By who finds a win in these: the sum of 1 for db-search, 2 for threes and 4 for lambda. In qubic 2 is the
    /// expertise's search.
    pub agreement: [usize; 8],
    /// Claims that are not confirmed.
    pub refused: Vec<String>,
}

impl Counts {
    fn new(game: &'static str) -> Self {
        Self { game, ..Self::default() }
    }

    fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.asked += other.asked;
        self.lines_asked += other.lines_asked;
        for (all, more) in [(&mut self.claims, &other.claims), (&mut self.confirmed, &other.confirmed)] {
            all.iter_mut().zip(more).for_each(|(n, m)| *n += m);
        }
        self.agreement.iter_mut().zip(&other.agreement).for_each(|(n, m)| *n += m);
        self.refused.extend_from_slice(&other.refused);
    }

    fn claim(&mut self, engine: usize, holds: bool, position: &impl Notation) {
        self.claims[engine] += 1;
        self.confirmed[engine] += usize::from(holds);
        if !holds {
            self.refused.push(format!("{}: {}", ENGINES[engine], position.write()));
        }
    }
}

/// Positions of each game whose claims are confirmed; lambda search is asked about every one.
const USUAL: Sizes = Sizes { positions: 10_000, lambda_every: 1, lambda_nodes: 1000 };

/// The usual run. The budget's nodes are those of lambda search for a position, the rest is for the whole; `each` is told
/// of the counts so far and of the share of a game's positions that is done.
pub fn confirm(budget: &Budget, mut each: impl FnMut((&Counts, f64))) -> [Counts; 3] {
    let sizes = Sizes { lambda_nodes: budget.nodes.unwrap_or(USUAL.lambda_nodes), ..USUAL };
    run(sizes, &Budget { nodes: None, ..budget.clone() }, |counts, share| each((counts, share)))
}

/// What came out, in words.
pub fn found(all: &[Counts]) -> String {
    let sum = |of: fn(&Counts) -> &[usize; 5]| all.iter().flat_map(of).sum::<usize>();
    let positions: usize = all.iter().map(|counts| counts.positions).sum();
    format!(
        "{} wins claimed on {positions} positions, {} confirmed",
        sum(|c| &c.claims),
        sum(|c| &c.confirmed)
    )
}

/// Looks at go-moku on 11x11 and on 15x15 and at qubic, on the budget's threads and within its time, and tells `each` of the
/// counts so far and of the share of a game's positions that is done.
pub fn run(sizes: Sizes, budget: &Budget, mut each: impl FnMut(&Counts, f64)) -> [Counts; 3] {
    let meter = budget.start();
    let mut small = Counts::new("gomoku 11x11");
    rounds(sizes, budget, &meter, &mut small, &mut each, small_round);
    let mut large = Counts::new("gomoku 15x15");
    let fewer = Sizes { positions: sizes.positions.div_ceil(FEWER), ..sizes };
    rounds(fewer, budget, &meter, &mut large, &mut each, large_round);
    let mut qubic = Counts::new("qubic");
    rounds(sizes, budget, &meter, &mut qubic, &mut each, qubic_round);
    [small, large, qubic]
}

/// Goes through the positions of a game, some hundred at a time on each thread.
fn rounds(
    sizes: Sizes,
    budget: &Budget,
    meter: &Meter,
    all: &mut Counts,
    each: &mut impl FnMut(&Counts, f64),
    round: impl Fn(usize, Sizes, &mut Rng, &mut Counts) + Sync,
) {
    const STRIDE: usize = 100;
    let (threads, game) = (budget.threads.max(1), all.game);
    let mut begin = 0;
    while begin < sizes.positions && !meter.spend(0) {
        let work = |thread: usize| {
            let mut counts = Counts::new(game);
            let end = sizes.positions.min(begin + STRIDE * threads);
            for number in (begin..end).skip(thread).step_by(threads) {
                let mut rng = Rng::new(budget.seed ^ mix(number as u64));
                round(number, sizes, &mut rng, &mut counts);
                counts.positions += 1;
            }
            counts
        };
        let work = &work;
        let parts: Vec<Counts> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || work(thread))).collect();
            let own = work(0);
            let others = others.into_iter().map(|thread| match thread.join() {
                Ok(counts) => counts,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            std::iter::once(own).chain(others).collect()
        });
        for part in &parts {
            all.add(part);
        }
        begin += STRIDE * threads;
        each(all, all.positions as f64 / sizes.positions as f64);
    }
}

/// Go-moku's engines.
struct Engines {
    fours: Fours,
    sequences: Sequences,
    patient: Sequences,
    threes: Threes,
    lambda: lambda::Solver<Gomoku, endspiel_game::Rules>,
    /// Whose claim is it? That one may go on with it where the others, which look less far, find nothing.
    claims: usize,
    nodes: u64,
}

impl Engines {
    fn new(nodes: u64) -> Self {
        let options = lambda::Options { most: 2, all: false };
        Self {
            fours: Fours::new(12),
            sequences: Sequences::new(NODES),
            patient: Sequences::new(PATIENT_NODES),
            threes: Threes::default(),
            lambda: lambda::Solver::new(options, &Budget::default()),
            claims: 0,
            nodes,
        }
    }

    /// The moves of a sequence found by dependency-based search.
    fn plan(&mut self, board: &Board, attacker: Player) -> Vec<usize> {
        let threats = self.sequences.find(board, attacker).unwrap_or_default();
        threats.into_iter().map(|threat| threat.attack).collect()
    }

    /// The first move of a win that the engine claims for the player to move.
    fn claim(&mut self, engine: usize, position: &Gomoku, board: &mut Board) -> Option<usize> {
        let attacker = position.mover();
        match engine {
            LAMBDA => {
                let (expertise, budget) = (&endspiel_game::Rules, Budget::nodes(self.nodes));
                let task = Task {
                    root: position,
                    goal: Goal::Outcome,
                    expertise,
                    budget: &budget,
                    observer: &Quiet,
                };
                let answer = self.lambda.solve(&task);
                let wins = answer.bounds.outcome() == Some(Outcome::Win);
                answer.line.first().filter(|_| wins).map(|cell| cell.index())
            }
            LINES => Expert.attack(position, attacker)?.line.first().map(|cell| cell.index()),
            0 => self.fours.win(board, attacker, &mut Limit::nodes(2000)),
            1 => self.plan(board, attacker).first().copied(),
            _ => self.threes.win(board, attacker, 3, &mut Limit::nodes(800)),
        }
    }

    /// The first moves of wins that are found by looking long: a claim says that there is a win, and not that it is
    /// seen again after every reply as soon as it was seen before.
    fn patiently(&mut self, nth: usize, position: &Gomoku, board: &mut Board) -> Option<usize> {
        let attacker = position.mover();
        match nth {
            0 => self.patient.first_move(board, attacker),
            1 => self.claim(LINES, position, board),
            _ => self.threes.win(board, attacker, PATIENT_DEPTH, &mut Limit::nodes(PATIENT_THREES)),
        }
    }

    /// Does the attacker, to move, win against every reply? He completes a five, goes on with fours if they win, then
    /// with the plan, then with whatever any engine finds.
    fn wins(
        &mut self,
        position: &Gomoku,
        board: &mut Board,
        plan: &[usize],
        seen: &mut HashSet<u64>,
    ) -> bool {
        let attacker = position.mover();
        if position.winning_move(None).is_some() || seen.contains(&position.key()) {
            return true;
        }
        let by_fours = self.claim(0, position, board);
        let next = plan.first().copied().filter(|&cell| board.is_empty(cell));
        // A four of the defender's has to be met first.
        let must = *board.fives(attacker.other());
        let won = match (by_fours, must.lowest()) {
            (Some(cell), _) => self.holds(position, board, cell, &[], seen),
            (None, Some(cell)) => must.len() == 1 && self.holds(position, board, cell, plan, seen),
            (None, None) => {
                next.is_some_and(|cell| self.holds(position, board, cell, &plan[1..], seen))
                    || (1..LAMBDA).chain(Some(self.claims).filter(|&engine| engine >= LAMBDA)).any(|engine| {
                        let claim = self.claim(engine, position, board);
                        claim.is_some_and(|cell| self.holds(position, board, cell, &[], seen))
                    })
                    || (0..3).any(|nth| {
                        let found = self.patiently(nth, position, board);
                        found.is_some_and(|cell| self.holds(position, board, cell, &[], seen))
                    })
            }
        };
        if won {
            seen.insert(position.key());
        }
        won
    }

    /// The same, beginning with this move.
    fn holds(
        &mut self,
        position: &Gomoku,
        board: &mut Board,
        cell: usize,
        plan: &[usize],
        seen: &mut HashSet<u64>,
    ) -> bool {
        let attacker = position.mover();
        // In renju some cells are forbidden to Black.
        if !board.is_empty(cell) || !board.allows(attacker, cell) {
            return false;
        }
        let after = position.after(Cell(cell as u16));
        if after.turn().is_over() {
            return after.payoff().of(attacker) > 0;
        }
        if after.winning_move(None).is_some() {
            return false;
        }
        board.place(cell, attacker);
        let holds = after.move_list().into_iter().all(|reply| {
            board.place(reply.index(), attacker.other());
            let holds = self.wins(&after.after(reply), board, plan, seen);
            board.remove(reply.index(), attacker.other());
            holds
        });
        board.remove(cell, attacker);
        holds
    }
}

/// A position with so many stones within the middle of a board, in which the game is not over.
fn scattered(variant: &str, stones: usize, room: usize, rng: &mut Rng) -> Option<Gomoku> {
    let game = LargeGomoku::from_variant(variant).ok()?;
    loop {
        let mut position = game.start();
        let grid = position.stones().grid();
        let corner = (grid.width as usize - room) / 2;
        while position.stones().taken().len() < stones && !position.turn().is_over() {
            let cell = grid.cell(corner + rng.below(room), corner + rng.below(room));
            if !position.stones().taken().contains(cell) {
                position.play(Cell(cell as u16));
            }
        }
        if !position.turn().is_over() {
            return Some(position);
        }
    }
}

/// The stones on a board that knows its threats.
fn laid(position: &Gomoku) -> Board {
    let mut board = Board::new(position.stones().grid(), position.rule());
    for player in [Player::FIRST, Player::SECOND] {
        position.stones().of(player).iter().for_each(|cell| board.place(cell, player));
    }
    board
}

fn small_round(number: usize, sizes: Sizes, rng: &mut Rng, counts: &mut Counts) {
    let (variant, stones) = (["free,11", "standard,11"][rng.below(2)], 9 + rng.below(5));
    if let Some(position) = scattered(variant, stones, 7, rng) {
        look(&position, number, number.is_multiple_of(LINES_EVERY), sizes, counts);
    }
}

fn large_round(number: usize, sizes: Sizes, rng: &mut Rng, counts: &mut Counts) {
    let variant = ["free,15", "standard,15", "renju,15"][number % 3];
    if let Some(position) = scattered(variant, 9 + rng.below(5), 7, rng) {
        look(&position, number, true, sizes, counts);
    }
}

/// Asks go-moku's engines about a position and plays out what they claim.
fn look(position: &Gomoku, number: usize, ask_lines: bool, sizes: Sizes, counts: &mut Counts) {
    let attacker = position.mover();
    let mut board = laid(position);
    // What engines remember holds for one rule.
    let mut engines = Engines::new(sizes.lambda_nodes);
    let mut seen = HashSet::new();
    let sequence = engines.plan(&board, attacker);
    let asked = number.is_multiple_of(sizes.lambda_every.max(1));
    let found = [
        engines.claim(0, position, &mut board),
        sequence.first().copied(),
        engines.claim(2, position, &mut board),
        if asked { engines.claim(LAMBDA, position, &mut board) } else { None },
    ];
    for (engine, claim) in found.into_iter().enumerate() {
        let Some(cell) = claim else { continue };
        let plan = if engine == 1 { &sequence[1..] } else { &[] };
        engines.claims = engine;
        let holds = engines.holds(position, &mut board, cell, plan, &mut seen);
        counts.claim(engine, holds, position);
    }
    if asked {
        counts.asked += 1;
        let who =
            (1..=LAMBDA).map(|engine| usize::from(found[engine].is_some()) << (engine - 1)).sum::<usize>();
        counts.agreement[who] += 1;
    }
    counts.lines_asked += usize::from(ask_lines);
    if ask_lines && let Some(attack) = Expert.attack(position, attacker) {
        engines.claims = LINES;
        let holds = engines.holds(position, &mut board, attack.line[0].index(), &[], &mut seen);
        counts.claim(LINES, holds, position);
    }
}

/// A move of the player's to move that is said to win: by an attack, or where none is seen any more by proof numbers.
fn attack_of(position: &QubicPosition) -> Option<Cell> {
    if let Some(attack) = Expert.attack(position, position.mover()) {
        return attack.line.first().copied();
    }
    let budget = Budget { memory: 16 << 20, ..Budget::nodes(PATIENT_PROOF) };
    let task =
        Task { root: position, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
    let answer = df_pn::Solver::new(df_pn::Options::of::<QubicPosition, Expert>(), &budget).solve(&task);
    answer.line.first().copied().filter(|_| answer.bounds.low > 0)
}

/// Does the player to move win by the moves that are found, against every reply?
fn is_confirmed(position: &QubicPosition, seen: &mut HashSet<u64>) -> bool {
    if position.winning_move(None).is_some() || seen.contains(&position.key()) {
        return true;
    }
    let Some(attack) = attack_of(position) else { return false };
    let after = position.after(attack);
    let holds = after.move_list().into_iter().all(|reply| {
        let next = after.after(reply);
        !next.turn().is_over() && is_confirmed(&next, seen)
    });
    if holds {
        seen.insert(position.key());
    }
    holds
}

fn qubic_round(number: usize, sizes: Sizes, rng: &mut Rng, counts: &mut Counts) {
    let mut position = Qubic.start();
    for _ in 0..8 + rng.below(9) {
        if let Some(m) = position.random_move(rng) {
            position.play(m);
        }
    }
    if position.turn().is_over() {
        return;
    }
    counts.lines_asked += 1;
    let known = Expert.attack(&position, position.mover()).is_some();
    if known {
        let holds = is_confirmed(&position, &mut HashSet::new());
        counts.claim(LINES, holds, &position);
    }
    // Threats of the first order are all found by the expertise, so its search also confirms those of lambda search.
    if number.is_multiple_of(sizes.lambda_every.max(1)) {
        let mut lambda = lambda::Solver::new(lambda::Options { most: 1, all: false }, &Budget::default());
        let wins = lambda.wins(&position, position.mover(), 1, 9, &endspiel_game::Rules);
        counts.asked += 1;
        counts.agreement[2 * usize::from(known) + 4 * usize::from(wins)] += 1;
        if wins {
            counts.claim(LAMBDA, known, &position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After some replies to these no attack is seen any more; proof numbers go on.
    #[test]
    fn a_win_that_is_lost_from_sight_is_confirmed() {
        for text in [
            "..../w.../b..w/b...|.w../.b../..w./....|...b/w.../..w./..b.|..../..../bw../..b. w",
            ".w../..w./..../....|..../..../...w/...b|...b/b.../w.../...w|..../.b../wb../.... b",
        ] {
            let position = Qubic.read(text).expect("a position");
            assert!(is_confirmed(&position, &mut HashSet::new()), "{text}");
        }
    }

    #[test]
    fn every_claim_is_confirmed_by_all_defences() {
        let sizes = Sizes { positions: 120, lambda_every: 10, lambda_nodes: 1000 };
        let (mut told, budget) = (0, Budget { threads: 2, ..Budget::default() });
        let [small, large, qubic] = run(sizes, &budget, |_, _| told += 1);
        for (counts, positions) in [(&small, 120), (&large, 6), (&qubic, 120)] {
            assert!(counts.refused.is_empty(), "{:?}", counts.refused);
            assert!(counts.positions == positions && counts.claims == counts.confirmed && told >= 3);
        }
        assert!(small.claims[..LAMBDA].iter().all(|&n| n > 4) && small.asked == 12, "{small:?}");
        assert_eq!((small.lines_asked, large.lines_asked), (3, 6));
        assert!(qubic.claims[LINES] > 10 && qubic.asked > 8 && qubic.lines_asked > 110, "{qubic:?}");
        // Threads change nothing.
        let few = Sizes { positions: 60, ..sizes };
        let alone = run(few, &Budget::default(), |_, _| ());
        assert_eq!(alone, run(few, &budget, |_, _| ()));
    }

    /// On 15x15, by all three rules, every engine is asked and every claim confirmed.
    #[test]
    fn claims_on_large_boards_and_in_renju_are_confirmed() {
        let (mut counts, sizes) = (Counts::new("gomoku 15x15"), Sizes { lambda_every: 6, ..USUAL });
        for number in 0..45 {
            large_round(number, sizes, &mut Rng::new(mix(1000 + number as u64)), &mut counts);
        }
        assert!(counts.refused.is_empty() && counts.claims == counts.confirmed, "{:?}", counts.refused);
        assert!(counts.lines_asked == 45 && counts.claims[LINES] > 5, "{counts:?}");
    }

    /// Long wins of the expertise: where the quicker engines find nothing it goes on itself.
    #[test]
    fn long_claims_are_followed_by_who_makes_them() {
        for text in [
            ".........../.........../...w......./.........../..bw......./.........../..b.....w../...w....b../\
             ..w...bb.../.........../........... b",
            ".........../.........../.........../.....b.b.../.......w.../.....w...../........w../...b...wb../\
             .......b.../.........../........... w",
        ] {
            let mut claims = 0;
            for rule in ["free,11", "standard,11"] {
                let position = LargeGomoku::from_variant(rule).and_then(|game| game.read(text));
                let position = position.expect("a position");
                let (mut board, mut engines) = (laid(&position), Engines::new(1000));
                engines.claims = LINES;
                if let Some(cell) = engines.claim(LINES, &position, &mut board) {
                    claims += 1;
                    assert!(engines.holds(&position, &mut board, cell, &[], &mut HashSet::new()), "{text}");
                }
            }
            assert!(claims > 0, "{text}");
        }
    }
}
