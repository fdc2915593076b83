//! Who proves awari's positions with the fewest nodes: alpha-beta, alpha-beta with a table, or proof-number search, which begins with
//! ones or with the stones that are still to be captured (L. V. Allis, Searching for Solutions in Games and Artificial
//! Intelligence, 1994, section 2.4).
//!
//! The question is whether the player to move wins. Databases end the search, and so do positions without a move; there were 17 stones in the
//! databases of the thesis, and here there are 13, or more where they have been built. The thesis took its positions from games of its
//! program; here alpha-beta plays itself. Every searcher first may spend a number of nodes; where one of them answers, the others
//! get many more. In every iteration of alpha-beta the nodes at its full depth count, and of proof-number search all that are made.

mod asked;
mod games;
mod tally;

use super::{Desk, Row};
use asked::{Asked, Endings, Stones};
use endspiel_expertise::awari::Levels;
use endspiel_game::{Budget, Game, Goal, Outcome, Question, Quiet, Stop, Task, TwoPlayer};
use endspiel_retro::{Error, Indexed, Metric, Store};
use endspiel_rules::awari::{Awari, Board};
use endspiel_search::alphabeta::{self, Mode};
use endspiel_search::proof_number::{Initial, Verdict, pn};
use games::GAMES;
use std::sync::Arc;
use std::time::Instant;
use tally::{Solved, tell};

/// Stones in the databases that are built.
const STONES: u8 = 13;
/// Nodes with which a position is tried, where nothing else is said, and how many times as many where one searcher has an answer.
const NODES: u64 = 50_000;
const FURTHER: u64 = 40;
/// Bytes of the table: a quarter of a million entries. Without one there is room for four.
const TABLE: usize = 4 << 20;
/// Bytes of the trees of proof-number search.
const TREE: usize = 128 << 20;

/// The searchers, in the order of the thesis.
const SEARCHERS: [&str; 4] = ["alpha-beta", "transposition", "basic pn", "stones pn"];

/// What a searcher has found, and for how many nodes.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    nodes: u64,
    /// The most nodes of its tree.
    peak: u64,
    /// Does who is to move win?
    wins: Option<bool>,
}

/// Lets one of the searchers answer with so many nodes at most; who does not has spent them all. The answer is not known at once.
fn search(searcher: usize, board: Board, endings: &Arc<Endings>, most: u64) -> Spent {
    let stop = Stop::default();
    let root = Asked::new(board, endings, if searcher < 2 { most } else { u64::MAX }, stop.clone());
    if searcher < 2 {
        let memory = if searcher == 1 { TABLE } else { 0 };
        let budget = Budget { memory, stop, ..Budget::default() };
        let mode = Mode::Estimate { depth: None };
        let options = alphabeta::Options { mode, shortest: false, ..Default::default() };
        let goal = Goal::Outcome;
        let task = Task { root: &root, goal, expertise: &Stones, budget: &budget, observer: &Quiet };
        let answer = alphabeta::Solver::new(options, &budget).solve(&task);
        let wins = answer.bounds.outcome().map(|outcome| outcome == Outcome::Win);
        let nodes = if wins.is_some() { root.ask.cost().min(most) } else { most };
        return Spent { nodes, peak: 0, wins };
    }
    let initial = if searcher == 2 { Initial::Standard } else { Initial::Effort };
    let budget = Budget::nodes(most).with_memory(TREE);
    let options = pn::Options { initial, ..pn::Options::default() };
    let question = Question { player: root.mover(), at_least: 1 };
    let found = pn::Solver::new(options, &budget).prove(&root, question, &Stones, &budget.start());
    let wins = match found.verdict {
        Verdict::Yes => Some(true),
        Verdict::No => Some(false),
        Verdict::Unknown => None,
    };
    let nodes = if wins.is_some() { found.counts.nodes.min(most) } else { most };
    Spent { nodes, peak: found.counts.peak, wins }
}

/// What all searchers have found, if one of them has an answer.
fn compare(board: Board, endings: &Arc<Endings>, most: u64) -> Option<Solved> {
    let mut spent = [0, 1, 2, 3].map(|searcher| search(searcher, board, endings, most));
    if spent.iter().all(|one| one.wins.is_none()) {
        return None;
    }
    for (searcher, one) in spent.iter_mut().enumerate().filter(|(_, one)| one.wins.is_none()) {
        *one = search(searcher, board, endings, most * FURTHER);
    }
    Some(Solved(spent))
}

/// The tables that the searchers ask: as many as are there, and [`STONES`] at least.
fn endings(desk: &Desk<'_>) -> Result<Endings, Error> {
    let levels = Levels::new(Awari::default());
    let store = Store::new(desk.dir, &levels.game().full_name());
    let mut tables = Vec::new();
    for stones in 0..=48 {
        if stones > STONES {
            let room = tables.iter().map(endspiel_retro::Table::bytes).sum::<u64>() + levels.size(stones);
            if !store.path(&levels.slice_name(stones), Metric::Score).exists()
                || room > desk.budget.memory as u64
            {
                break;
            }
        }
        tables.push(desk.table(&levels, &store, stones, Metric::Score)?);
    }
    Ok(Endings { levels, tables })
}

/// Can who is to move still win, as far as the stones captured tell? Otherwise there is nothing to search.
fn may_win(board: &Board) -> bool {
    board.score_range_of(board.mover()).1 > 0
}

/// Tries all positions, and tells the tables of the thesis beside what was found.
pub fn provers(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let begun = Instant::now();
    let endings = Arc::new(endings(desk)?);
    let boards = games::positions(desk.budget.seed, &desk.work.stop);
    let all = boards.len();
    let is_open = |board: &Board| usize::from(board.on_board()) >= endings.tables.len() && may_win(board);
    let open: Vec<Board> = boards.into_iter().filter(is_open).collect();
    let most = desk.budget.nodes.unwrap_or(NODES).max(1);
    let mut solved = Vec::new();
    for &board in &open {
        if desk.budget.stop.asked() || desk.budget.time.is_some_and(|time| desk.begun.elapsed() > time) {
            return Ok(false);
        }
        solved.extend(compare(board, &endings, most));
    }
    let games = format!(
        "{GAMES} games, {all} positions, {} open with more than {} stones, {} solved",
        open.len(),
        endings.tables.len() - 1,
        solved.len()
    );
    let mut more = true;
    tell(&solved, games, most >= NODES, &mut |(name, found, published, agrees)| {
        let row = Row {
            name,
            metric: "nodes",
            published,
            misprint: None,
            found,
            agrees,
            positions: solved.len() as u64,
            seconds: begun.elapsed().as_secs_f64(),
        };
        more = more && desk.tell(row);
    });
    Ok(more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::{Position, Rng};
    use endspiel_retro::{Job, Known, Table, Work};

    /// Tables of up to so many stones.
    fn solved(stones: u8) -> Vec<Table> {
        let levels = Levels::new(Awari::default());
        let (mut known, work) = (Known::default(), Work { threads: 1, ..Work::default() });
        for slice in 0..=stones {
            let job = Job { slice, metric: Metric::Score, known: &known, work: &work };
            known.insert(slice, Arc::new(levels.solve(&job).expect("nobody stops it")));
        }
        (0..=stones).filter_map(|slice| known.table(&slice).map(|table| (**table).clone())).collect()
    }

    /// Searchers that know eight stones find of positions with nine to eleven what the tables of those say.
    #[test]
    fn searchers_prove_what_larger_tables_hold() {
        let levels = || Levels::new(Awari::default());
        let truth = Endings { levels: levels(), tables: solved(11) };
        let small = Arc::new(Endings { levels: levels(), tables: truth.tables[..=8].to_vec() });
        let (mut rng, mut answers) = (Rng::new(7), [[0; 2]; 4]);
        for _ in 0..400 {
            let mut board = Awari::default().start();
            while board.on_board() > 11 && !board.turn().is_over() {
                board.random_move(&mut rng).into_iter().for_each(|m| board.play(m));
            }
            if board.turn().is_over() || board.on_board() < 9 || !may_win(&board) {
                continue;
            }
            let wins = truth.score(&board).expect("it is in the tables") > 0;
            for (searcher, counts) in answers.iter_mut().enumerate() {
                let spent = search(searcher, board, &small, 5000);
                assert!(spent.nodes <= 5000);
                if let Some(found) = spent.wins {
                    assert_eq!(found, wins, "{} at {board:?}", SEARCHERS[searcher]);
                    counts[usize::from(wins)] += 1;
                }
            }
        }
        assert!(answers.iter().flatten().all(|&count| count >= 20), "{answers:?}");
    }

    /// One position with every searcher's nodes, to count by hand.
    #[test]
    fn rows_count_what_was_spent() {
        let one = |nodes: [u64; 4], wins: [Option<bool>; 4]| {
            Solved([0, 1, 2, 3].map(|i| Spent { nodes: nodes[i], peak: 4 * i as u64, wins: wins[i] }))
        };
        let yes = [Some(true); 4];
        let rows = |solved: &[Solved]| {
            let mut rows = Vec::new();
            tell(solved, String::new(), true, &mut |row| rows.push(row));
            rows
        };
        let solved = [one([10, 10, 30, 11], yes), one([9000, 1000, 100, 200], yes)];
        let found = rows(&solved);
        let of = |name: &str| found.iter().find(|row| row.0 == name).map(|row| row.1.as_str());
        assert_eq!(of("best, easy"), Some("0.5 0.5 0 0"));
        assert_eq!(of("best, hard"), Some("0 0 1 0"));
        assert_eq!(of("alpha-beta beats, easy"), Some("- 0.5 1 1"));
        assert_eq!(of("stones pn beats, hard"), Some("1 1 0 -"));
        assert_eq!(of("total"), Some("9010 1010 130 211"));
        assert_eq!(of("average peak of the trees"), Some("8 12"));
        assert_eq!(of("alpha-beta, by tens"), Some("1 0 0 1"));
        assert_eq!(of("stones pn, by tens"), Some("0 1 1"));
        assert!(found.iter().all(|row| row.3 != Some(false)));
        // Who contradicts another, or is slower than alpha-beta with a table on the hard half, is told.
        let wrong = rows(&[one([1; 4], [Some(true), None, Some(false), None])]);
        assert_eq!(wrong.iter().filter(|row| row.3 == Some(false)).count(), 1);
        let slow = rows(&[one([1; 4], yes), one([9, 9, 9, 900], yes)]);
        assert_eq!(slow.iter().filter(|row| row.3 == Some(false)).count(), 1);
    }
}
