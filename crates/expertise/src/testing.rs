//! Matches for the tests: an evaluation must play better than chance, and a search with it better than a
//! search without.

use endspiel_game::{
    Budget, Expertise, Game, Goal, Player, Position, Quiet, Rng, Rules, Symmetric, Task, TwoPlayer,
};
use endspiel_search::alphabeta::{self, Mode};
use endspiel_search::montecarlo::uct;

/// Games longer than this are draws.
const LONGEST: usize = 300;

/// The share of the points that `hero` makes against `other`, each side half of the games; the first two plies
/// are random.
fn points<G: Game>(
    game: &G,
    games: usize,
    mut hero: impl FnMut(&G::Position, &mut Rng) -> Option<<G::Position as Position>::Move>,
    mut other: impl FnMut(&G::Position, &mut Rng) -> Option<<G::Position as Position>::Move>,
) -> f64
where
    G::Position: TwoPlayer,
{
    let mut rng = Rng::new(11);
    let mut sum = 0.0;
    for n in 0..games {
        let side = Player((n % 2) as u8);
        let mut position = game.start();
        for ply in 0..LONGEST {
            let Some(mover) = position.turn().player() else { break };
            let chosen = if ply < 2 {
                position.random_move(&mut rng)
            } else if mover == side {
                hero(&position, &mut rng)
            } else {
                other(&position, &mut rng)
            };
            let Some(m) = chosen else { break };
            position.play(m);
        }
        let score = if position.turn().is_over() { position.payoff().of(side).signum() } else { 0 };
        sum += f64::from(score + 1) / 2.0;
    }
    sum / games as f64
}

/// The points of one ply of search with the evaluation against random moves.
pub fn greedy_against_random<G: Game, E: Expertise<G::Position>>(game: &G, expert: &E, games: usize) -> f64
where
    G::Position: TwoPlayer,
{
    let greedy = |position: &G::Position, _: &mut Rng| {
        let mover = position.mover();
        position.move_list().into_iter().max_by_key(|&m| {
            let after = position.after(m);
            match after.turn().player() {
                None => after.payoff().of(mover).saturating_mul(1_000_000),
                Some(next) if next == mover => expert.evaluate(&after),
                Some(_) => -expert.evaluate(&after),
            }
        })
    };
    points(game, games, greedy, Position::random_move)
}

/// The points of alpha-beta with the evaluation against UCT without any, with so many nodes and random games a move.
pub fn search_against_uct<G: Game, E: Expertise<G::Position>>(
    game: &G,
    expert: &E,
    games: usize,
    (nodes, playouts): (u64, u64),
) -> f64
where
    G::Position: TwoPlayer + Symmetric,
{
    let budget = |nodes| Budget::nodes(nodes).with_memory(1 << 20);
    let (few, many) = (budget(playouts), budget(nodes));
    let alphabeta = |root: &G::Position, rng: &mut Rng| {
        let task = Task { root, goal: Goal::Outcome, expertise: expert, budget: &many, observer: &Quiet };
        let options = alphabeta::Options { mode: Mode::Estimate { depth: None }, ..Default::default() };
        let line = alphabeta::Solver::new(options, &many).solve(&task).line;
        line.first().copied().or_else(|| root.random_move(rng))
    };
    let playouts = |root: &G::Position, rng: &mut Rng| {
        let task = Task { root, goal: Goal::Outcome, expertise: &Rules, budget: &few, observer: &Quiet };
        let line = uct::Solver::new(uct::Options::default(), &few).solve(&task).line;
        line.first().copied().or_else(|| root.random_move(rng))
    };
    points(game, games, alphabeta, playouts)
}
