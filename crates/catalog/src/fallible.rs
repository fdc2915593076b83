//! Players who err, by databases: what they are to expect, and a seat at the board for them.

use crate::database_reports::{Matrix, PredictRequest, Prediction};
use crate::report::Error;
use endspiel_game::{Game, Notation, Rng};
use endspiel_retro::{Agent, Chain, Depths, Indexed, Metric, Probe, Source, Sparring, State, Store};
use std::rc::Rc;
use std::sync::Arc;

/// The bytes of decoded blocks that are kept of each file.
const KEPT: u64 = 1 << 20;

/// What a chain tells; none if the player is never to move there.
pub(crate) fn prediction(
    chain: &Chain,
    (game, slice, player): (String, String, &'static str),
    metric: Metric,
    asked: &PredictRequest,
) -> Option<Prediction> {
    let (deepest_win, deepest_loss) = (chain.deepest(true), chain.deepest(false));
    let matrix = || Matrix {
        states: (0..chain.scale.states()).map(|number| state_name(chain.scale.state(number))).collect(),
        rows: chain.matrix().to_vec(),
    };
    let shortened = |mut list: Vec<f64>, deepest: usize| {
        list.truncate(deepest + 1);
        list
    };
    (deepest_win > 0 || deepest_loss > 0).then(|| Prediction {
        game,
        slice,
        metric: metric.name(),
        player,
        competence: chain.competence,
        keeps: asked.keeps,
        deepest_win,
        expected_moves: shortened(chain.expected_moves(), deepest_win),
        within: asked.moves,
        won: shortened(chain.won_within(asked.moves), deepest_win),
        chance: shortened(chain.chance_to_win(), deepest_win),
        deepest_loss,
        moves_held: shortened(chain.moves_held(), deepest_loss),
        matrix: asked.matrix.then(matrix),
    })
}

/// A state in words.
fn state_name(state: State) -> String {
    match state {
        State::Win(depth) => format!("win {depth}"),
        State::Draw => "draw".into(),
        State::Loss(depth) => format!("loss {depth}"),
    }
}

/// A move of an agent.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The move.
    pub name: String,
    /// What it leaves, and what the best move does.
    pub words: String,
}

/// A player by databases.
pub trait Seat {
    /// The move of a position; none if no database holds it.
    fn choose(&mut self, position: &str) -> Result<Option<Judgement>, Error>;
    /// Sees what the opponent plays in a position.
    fn watch(&mut self, position: &str, name: &str) -> Result<(), Error>;
}

/// An agent with the files it plays by.
pub(crate) struct Seated<G, I: Indexed> {
    game: G,
    store: Store,
    index: Arc<I>,
    metric: Metric,
    agent: Agent,
    rng: Rng,
    depths: Rc<Depths<I>>,
}

impl<G: Game<Position: Notation>, I: Indexed<Position = G::Position>> Seated<G, I> {
    pub fn new(game: G, (store, index): (Store, Arc<I>), metric: Metric, agent: Agent, seed: u64) -> Self {
        Self { game, store, index, metric, agent, rng: Rng::new(seed), depths: Rc::default() }
    }

    /// The files that hold a position.
    fn open(&self, position: &G::Position) -> Result<Option<Sparring<'_, I>>, Error> {
        let Some((slice, _)) = self.index.place(position) else { return Ok(None) };
        match Probe::open(&*self.index, &self.store, &[slice], self.metric, KEPT) {
            Ok(files) => {
                let on = Sparring::new(&*self.index, self.metric, Source::Files(files));
                Ok(Some(on.remembering(self.depths.clone())))
            }
            Err(endspiel_retro::Error::Missing { .. }) => Ok(None),
            Err(other) => Err(other.into()),
        }
    }
}

impl<G: Game<Position: Notation>, I: Indexed<Position = G::Position>> Seat for Seated<G, I> {
    fn choose(&mut self, position: &str) -> Result<Option<Judgement>, Error> {
        let position = self.game.read(position)?;
        let (mut agent, mut rng) = (self.agent.clone(), self.rng.clone());
        let found = match self.open(&position)? {
            None => None,
            Some(on) => match on.options(&position)? {
                None => None,
                Some(options) => agent.choose(&on, &position, &options, &mut rng)?.map(|i| (options, i)),
            },
        };
        (self.agent, self.rng) = (agent, rng);
        Ok(found.map(|(options, i)| {
            let (m, state) = options.moves[i];
            let best = options
                .states()
                .min_by(|a, b| options.scale.badness(*a).total_cmp(&options.scale.badness(*b)));
            let best = best.filter(|best| *best != state);
            let better =
                best.map_or_else(String::new, |best| format!("; the best leaves {}", state_name(best)));
            Judgement {
                name: position.write_move(m),
                words: format!("leaves {} ({} in moves){better}", state_name(state), self.metric.name()),
            }
        }))
    }

    fn watch(&mut self, position: &str, name: &str) -> Result<(), Error> {
        let position = self.game.read(position)?;
        let m = position.read_move(name)?;
        let Some(on) = self.open(&position)? else { return Ok(()) };
        let Some(options) = on.options(&position)? else { return Ok(()) };
        let choice =
            options.moves.iter().find(|(there, _)| *there == m).map(|&(_, state)| options.choice(state));
        drop(on);
        if let Some(choice) = choice {
            self.agent.watch(&choice);
        }
        Ok(())
    }
}

/// Reads the name of a player who errs: `fallible:C`, `emulator:C` or `predator`; none if it is the name of another kind
/// of player.
pub fn read_agent(text: &str) -> Option<Result<Agent, String>> {
    let (name, number) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
    let within = |least: f64, most: f64| {
        let read = number.and_then(|number| number.parse::<f64>().ok());
        read.filter(|c| (least..=most).contains(c))
    };
    let expected = |what: &str| Err(format!("'{text}': expected {name}:C with a competence {what}"));
    Some(match name {
        "fallible" => within(f64::NEG_INFINITY, f64::INFINITY).map_or_else(
            || expected("such as 20; 0 chooses blindly, inf never errs, -inf plays worst"),
            |c| Ok(Agent::fallible(c)),
        ),
        "emulator" => {
            within(0.5, 100.0).map_or_else(|| expected("from 0.5 to 100"), |c| Ok(Agent::emulator(c)))
        }
        "predator" if number.is_none() => Ok(Agent::predator()),
        "predator" => Err(format!("'{text}': a predator has no competence of its own")),
        _ => return None,
    })
}
