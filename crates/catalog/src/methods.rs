//! The one table of all methods, how each is run on a game, and how `auto` chooses.

use crate::entry::Listed;
use crate::report::{Error, Purpose};
use endspiel_expertise::gomoku;
use endspiel_game::{About, Advisor, Answer, Budget, Expertise, Goal, Question, Quiet, Task};
use endspiel_rules::gomoku::GomokuPosition;
use endspiel_rules::grid::Cell;
use endspiel_search::montecarlo::uct;
use endspiel_search::proof_number::{df_pn, mst, pds, pn, pn_squared};
use endspiel_search::{alphabeta, bestfirst, exhaustive, lambda};
use std::collections::HashSet;
use std::time::Instant;

/// What is said of a method.
#[derive(Clone, Copy, Debug)]
pub struct AboutMethod {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Where it is from.
    pub source: &'static str,
    /// Can it find exact scores? Otherwise it finds who wins.
    pub scores: bool,
    /// Does it recognise a position reached in another way? Otherwise it works on the tree of all lines.
    pub merges: bool,
}

macro_rules! methods {
    ($($variant:ident { $name:literal, $summary:literal, $source:literal, scores: $scores:literal, merges: $merges:literal })*) => {
        /// A method.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Method { $($variant),* }

        /// All methods, in the order in which they are shown.
        pub const METHODS: &[AboutMethod] = &[
            $(AboutMethod { name: $name, summary: $summary, source: $source, scores: $scores, merges: $merges }),*
        ];

        const ALL: &[Method] = &[$(Method::$variant),*];
    };
}

methods! {
    Exhaustive { "exhaustive", "all reachable positions, solved backwards: the reference",
        "Zermelo 1913; backward induction with cycles", scores: true, merges: true }
    AlphaBeta { "alpha-beta", "depth-first with bounds, a table and both cores; estimates when asked to play",
        "Knuth and Moore 1975; Marsland and Campbell 1982 (principal variation)", scores: true, merges: true }
    Mtdf { "mtdf", "alpha-beta that closes in on the score by null windows from a guess",
        "Plaat, Schaeffer, Pijls and de Bruin 1996", scores: true, merges: true }
    Pn { "pn", "proof-number search on a stored tree, best node first",
        "Allis, van der Meulen and van den Herik 1994", scores: true, merges: false }
    PnSquared { "pn2", "proof-number search that values each leaf by a second one: little memory",
        "Allis 1994, section 2.3; Breuker 1998", scores: true, merges: false }
    DfPn { "df-pn", "depth-first proof-number search with a table; safe where positions repeat",
        "Nagai 2002; Pawlewicz and Lew 2007", scores: true, merges: true }
    Pds { "pds", "proof-number and disproof-number search, df-pn's older sister",
        "Nagai 1998", scores: true, merges: true }
    Mst { "mst", "the smallest proof tree rather than the soonest found",
        "Allis 1994, section 2.5 (MST*, with Althofer)", scores: true, merges: false }
    Lambda { "lambda", "wins by threats of ever higher orders, and all moves beside them",
        "Thomsen 2000", scores: false, merges: false }
    Sss { "sss", "best-first by upper bounds: never visits what alpha-beta cuts",
        "Stockman 1979", scores: true, merges: false }
    BStar { "b-star", "separates the best root move from the rest by interval bounds",
        "Berliner 1979", scores: true, merges: false }
    Conspiracy { "conspiracy", "grows the leaves that must change to change the root's value",
        "McAllester 1988", scores: true, merges: false }
    Shortest { "shortest", "the shortest win first, as A* would",
        "Hart, Nilsson and Raphael 1968, on AND/OR trees", scores: false, merges: false }
    BestFirst { "best-first", "grows the end of the principal variation",
        "Korf and Chickering 1996 (best-first minimax)", scores: true, merges: false }
    LeastCertainty { "lcf", "grows the leaf whose least error would change the decision",
        "Utgoff and Cochran 2000", scores: true, merges: false }
    Uct { "uct", "Monte-Carlo tree search with proven bounds: estimates any game, proves small ones",
        "Kocsis and Szepesvari 2006; Winands, Bjornsson and Saito 2008 (solver)", scores: true, merges: false }
}

impl Method {
    pub(crate) fn about(self) -> &'static AboutMethod {
        &METHODS[self as usize]
    }

    /// Does it take what databases know? Methods that count how far the end is do not: they go by the rules alone.
    pub(crate) fn asks_databases(self) -> bool {
        !matches!(self, Self::Exhaustive | Self::Shortest)
    }
}

/// The method called `name`.
pub(crate) fn find(name: &str) -> Result<Method, Error> {
    ALL.iter().copied().find(|m| m.about().name == name).ok_or_else(|| {
        let all: Vec<&str> = METHODS.iter().map(|m| m.name).collect();
        Error::UnknownMethod(endspiel_game::notation::shorten(name), format!("auto, {}", all.join(", ")))
    })
}

/// The method called `name`, or `auto`: an error says what there is.
pub fn method(name: &str) -> Result<(), Error> {
    if name == "auto" { Ok(()) } else { find(name).map(|_| ()) }
}

/// A method at work on one game: answers, and afterwards advises from what it kept.
pub(crate) trait Runner<P: Listed, E: Expertise<P>>: Advisor<P> {
    fn solve(&mut self, task: &Task<'_, P, E>) -> Answer<P::Move>;

    /// Did a prover of the game's own find the answer, rather than the method that was chosen?
    fn is_specialist(&self) -> bool {
        false
    }
}

macro_rules! runners {
    ($($($path:ident)::+ $(<$marker:ty>)?),* $(,)?) => {
        $(impl<P: Listed, E: Expertise<P>> Runner<P, E> for $($path)::+<P, E $(, $marker)?> {
            fn solve(&mut self, task: &Task<'_, P, E>) -> Answer<P::Move> {
                Self::solve(self, task)
            }
        })*
    };
}

runners! {
    exhaustive::Solver,
    alphabeta::Solver,
    pn::Solver,
    pn_squared::Solver,
    df_pn::Solver,
    pds::Solver,
    mst::Solver,
    lambda::Solver,
    uct::Solver,
}

impl<const C: usize, E: Expertise<GomokuPosition<C>>> Runner<GomokuPosition<C>, E> for gomoku::Solver {
    fn solve(&mut self, task: &Task<'_, GomokuPosition<C>, E>) -> Answer<Cell> {
        Self::solve(self, task)
    }
}

impl<P: Listed, E: Expertise<P>, S: bestfirst::Method<P, E>> Runner<P, E> for bestfirst::Solver<P, E, S> {
    fn solve(&mut self, task: &Task<'_, P, E>) -> Answer<P::Move> {
        Self::solve(self, task)
    }
}

/// The method, ready to run within `budget`: for a proof, or for a good move in time where it can do both.
pub(crate) fn runner<P: Listed, E: Expertise<P>>(
    method: Method,
    budget: &Budget,
    purpose: Purpose,
) -> Box<dyn Runner<P, E>> {
    type Tree<P, E, S> = bestfirst::Solver<P, E, S>;
    let mode = match purpose {
        Purpose::Prove => alphabeta::Mode::Prove,
        Purpose::Play => alphabeta::Mode::Estimate { depth: None },
    };
    match method {
        Method::Exhaustive => Box::new(exhaustive::Solver::<P, E>::new(Default::default(), budget)),
        Method::AlphaBeta | Method::Mtdf => {
            let options = alphabeta::Options { mode, mtdf: method == Method::Mtdf, ..Default::default() };
            Box::new(alphabeta::Solver::<P, E>::new(options, budget))
        }
        Method::Pn => Box::new(pn::Solver::<P, E>::new(Default::default(), budget)),
        Method::PnSquared => Box::new(pn_squared::Solver::<P, E>::new(Default::default(), budget)),
        Method::DfPn => Box::new(df_pn::Solver::<P, E>::new(df_pn::Options::of::<P, E>(), budget)),
        Method::Pds => Box::new(pds::Solver::<P, E>::new(Default::default(), budget)),
        Method::Mst => Box::new(mst::Solver::<P, E>::new(Default::default(), budget)),
        Method::Lambda => Box::new(lambda::Solver::<P, E>::new(Default::default(), budget)),
        Method::Sss => Box::new(Tree::<P, E, bestfirst::sss::Search<P>>::new(Default::default(), budget)),
        Method::BStar => Box::new(Tree::<P, E, bestfirst::bstar::Search<P>>::new(Default::default(), budget)),
        Method::Conspiracy => {
            Box::new(Tree::<P, E, bestfirst::conspiracy::Search<P>>::new(Default::default(), budget))
        }
        Method::Shortest => {
            Box::new(Tree::<P, E, bestfirst::shortest::Search<P>>::new(Default::default(), budget))
        }
        Method::BestFirst => {
            Box::new(Tree::<P, E, bestfirst::minimax::Search<P>>::new(Default::default(), budget))
        }
        Method::LeastCertainty => {
            Box::new(Tree::<P, E, bestfirst::least_certainty::Search<P>>::new(Default::default(), budget))
        }
        Method::Uct => Box::new(uct::Solver::<P, E>::new(Default::default(), budget)),
    }
}

/// Asks the method that proved the claim; where it has forgotten, proves that position again.
pub(crate) struct Persistent<'a, P: Listed, E: Expertise<P>> {
    first: &'a mut dyn Runner<P, E>,
    expertise: &'a E,
    budget: &'a Budget,
    begun: Instant,
    second: Option<Box<dyn Runner<P, E>>>,
}

impl<'a, P: Listed, E: Expertise<P>> Persistent<'a, P, E> {
    pub(crate) fn new(first: &'a mut dyn Runner<P, E>, expertise: &'a E, budget: &'a Budget) -> Self {
        Self { first, expertise, budget, begun: Instant::now(), second: None }
    }
}

impl<P: Listed, E: Expertise<P>> Advisor<P> for Persistent<'_, P, E> {
    fn advise(&mut self, position: &P, question: Question) -> Option<P::Move> {
        if let Some(m) = self.first.advise(position, question) {
            return Some(m);
        }
        let time = self.budget.time.map(|t| t.saturating_sub(self.begun.elapsed()));
        let budget = Budget { nodes: None, time, ..self.budget.clone() };
        let second = self.second.get_or_insert_with(|| second::<P, E>(&budget));
        if let Some(m) = second.advise(position, question) {
            return Some(m);
        }
        let task = Task {
            root: position,
            goal: Goal::Score,
            expertise: self.expertise,
            budget: &budget,
            observer: &Quiet,
        };
        second.solve(&task);
        second.advise(position, question)
    }
}

/// A search for a move that keeps what is proven takes so many nodes.
const KEEPING: u64 = 100_000;

/// A move that keeps what is proven for the player to move, where an answer has no line: expertise decides some positions without one.
pub(crate) fn keeping_move<P: Listed, E: Expertise<P>>(
    runner: &mut dyn Runner<P, E>,
    task: &Task<'_, P, E>,
    low: i32,
) -> Option<P::Move> {
    let (root, mover) = (task.root, task.root.mover());
    if root.turn().is_over() || low <= root.score_range_of(mover).0 {
        return None;
    }
    let question = Question { player: mover, at_least: low };
    let keeps = |&m: &P::Move| {
        let child = root.after(m);
        let (least, most) = match child.turn().player() {
            None => return question.is_met_by(child.payoff()),
            Some(_) => task.expertise.bounds(&child),
        };
        low <= if child.mover() == mover { least } else { -most }
    };
    let advised = runner.advise(root, question);
    advised.or_else(|| root.move_list().into_iter().find(keeps)).or_else(|| {
        let nodes = Some(KEEPING.min(task.budget.nodes.unwrap_or(u64::MAX)));
        let budget = Budget { nodes, ..task.budget.clone() };
        let mut prover = second::<P, E>(&budget);
        prover.solve(&Task { goal: Goal::Outcome, budget: &budget, observer: &Quiet, ..*task });
        prover.advise(root, question)
    })
}

/// The method that proves what others have forgotten.
fn second<P: Listed, E: Expertise<P>>(budget: &Budget) -> Box<dyn Runner<P, E>> {
    runner(Method::DfPn, budget, Purpose::Prove)
}

/// Chooses a method by the game's properties, and says why.
pub(crate) fn choose<P: Listed, E: Expertise<P>>(
    about: &About,
    root: &P,
    expertise: &E,
    purpose: Purpose,
) -> (Method, String) {
    match small(root) {
        Some(1) => return (Method::Exhaustive, "no other position can arise".into()),
        Some(n) => return (Method::Exhaustive, format!("only {n} positions can arise")),
        None => {}
    }
    let (method, why) = match purpose {
        Purpose::Play if expertise.judges(root) => {
            (Method::AlphaBeta, "there is an evaluation to look ahead with")
        }
        Purpose::Play => (Method::Uct, "there is no evaluation, so random games judge"),
        Purpose::Prove => choose_prover::<P, E>(about, root),
    };
    (method, why.into())
}

/// Chooses a method to prove the value of a position of which many others can arise, and says why.
pub(crate) fn choose_prover<P: Listed, E: Expertise<P>>(about: &About, root: &P) -> (Method, &'static str) {
    let (low, high) = root.score_range();
    if P::CYCLIC {
        (Method::DfPn, "positions repeat, and df-pn keeps histories apart")
    } else if high - low > 2 {
        (Method::AlphaBeta, "scores are closed in on by bounds")
    } else if E::EFFORT {
        (Method::DfPn, "what is known of the game guides proof numbers")
    } else if E::BOUNDS {
        (Method::AlphaBeta, "static bounds cut its tree")
    } else if about.sudden_death {
        (Method::DfPn, "the game may end at once, so proof numbers find the short way")
    } else {
        (Method::DfPn, "two-valued questions, uneven trees")
    }
}

/// How many positions can arise from `root`, if they are few.
fn small<P: Listed>(root: &P) -> Option<usize> {
    const FEW: usize = 20_000;
    const FEW_MOVES: usize = 1_000_000;
    let mut seen = HashSet::from([root.key()]);
    let mut moves = 0;
    let mut open = vec![root.clone()];
    while let Some(position) = open.pop() {
        position.moves(|m| {
            moves += 1;
            let child = position.after(m);
            if seen.len() <= FEW && seen.insert(child.key()) {
                open.push(child);
            }
        });
        if seen.len() > FEW || moves > FEW_MOVES {
            return None;
        }
    }
    Some(seen.len())
}

/// Which method works on which game, as a Markdown table: `endspiel methods --matrix`.
pub fn matrix() -> String {
    let mut out = String::from("| game |");
    for method in METHODS {
        out += &format!(" {} |", method.name);
    }
    out += "\n|---|";
    out += &"---|".repeat(METHODS.len());
    out.push('\n');
    for entry in crate::GAMES {
        let name = entry.about().name;
        let Ok(game) = crate::game(name) else { continue };
        out += &format!("| {name} |");
        for method in METHODS {
            let cell = match (method.scores || !game.is_scored(), method.merges) {
                (true, true) => "value",
                (true, false) => "value (tree)",
                (false, _) => "who wins (tree)",
            };
            out += &format!(" {cell} |");
        }
        out.push('\n');
    }
    out
}
