//! Wins by threats of either player, as far as the game's expertise finds them: how they are played, what was tried
//! against them, and where the other has to play.

use crate::entry::{Listed, Seat};
use endspiel_game::picture::{Paint, Shape};
use endspiel_game::{Counter, Expertise, Game, Notation, Player, Position, Scene, Stop, Variation};
use serde::Serialize;

/// A win by threats.
#[derive(Clone, Debug, Serialize)]
pub struct ThreatReport {
    /// Who wins by them, such as Black.
    pub attacker: &'static str,
    /// The other.
    pub defender: &'static str,
    /// Is it the attacker's turn? Otherwise it is what happens if the other passes.
    pub to_move: bool,
    /// The main line: the attacker's moves and a reply to each, in turn.
    pub line: Vec<String>,
    /// The same with all the replies.
    pub sequence: Vec<ThreatStep>,
    /// How it goes on after replies for which the main line is not the answer.
    pub variations: Vec<ThreatVariation>,
    /// What the defender may put in between, which was tried and does not help.
    pub counter: CounterPlay,
    /// Where the defender has to play, were it his turn: where he wins at once, and where no win by threats was found any
    /// more; any other move leaves one.
    pub must: Vec<String>,
    /// Those of them after which the search was given up before its end.
    pub unsure: Vec<String>,
}

/// A move of the attacker's.
#[derive(Clone, Debug, Serialize)]
pub struct ThreatStep {
    /// The move.
    #[serde(rename = "move")]
    pub attack: String,
    /// All replies that meet its threat; none if it wins or threatens to win in two ways.
    pub replies: Vec<String>,
}

/// What follows other replies than those of the main line.
#[derive(Clone, Debug, Serialize)]
pub struct ThreatVariation {
    /// The moves that lead there, the last is the attacker's. A reply stands for all that have no variation of their own.
    pub after: Vec<String>,
    /// The replies that it goes against.
    pub replies: Vec<String>,
    /// How the attacker goes on.
    pub sequence: Vec<ThreatStep>,
}

/// The defender's threats that were tried against a sequence.
#[derive(Clone, Debug, Serialize)]
pub struct CounterPlay {
    /// Each of them once.
    pub threats: Vec<CounterThreat>,
    /// In so many positions that they lead to the sequence was seen to go on.
    pub positions: usize,
}

/// A threat of the defender's and its answer.
#[derive(Clone, Debug, Serialize)]
pub struct CounterThreat {
    /// The number of the attacker's move that it would follow: 1, 3, 5 and so on.
    pub after: usize,
    /// The threat.
    #[serde(rename = "move")]
    pub threat: String,
    /// The answer.
    pub answer: String,
}

fn steps(moves: Vec<(String, Vec<String>)>) -> Vec<ThreatStep> {
    moves.into_iter().map(|(attack, replies)| ThreatStep { attack, replies }).collect()
}

impl From<Variation<String>> for ThreatVariation {
    fn from(Variation { after, replies, moves }: Variation<String>) -> Self {
        Self { after, replies, sequence: steps(moves) }
    }
}

impl<G, E> Seat<G, E>
where
    G: Game<Position: Listed>,
    E: Expertise<G::Position> + Default,
{
    /// The wins by threats of the player to move, and of the opponent if that player passes.
    pub(crate) fn attacks(&self, stop: &Stop) -> Vec<ThreatReport> {
        let Some(mover) = self.position.turn().player() else { return Vec::new() };
        let find = |attacker| self.attack_of(attacker, mover, stop);
        [mover, mover.other()].into_iter().take_while(|_| !stop.asked()).filter_map(find).collect()
    }

    fn attack_of(&self, attacker: Player, mover: Player, stop: &Stop) -> Option<ThreatReport> {
        let found = self.expertise.sequence(&self.position, attacker, stop)?;
        let told = found.map(&|m| self.position.write_move(m));
        let threat = |Counter { after, threat, answer }| CounterThreat { after, threat, answer };
        let players = G::ABOUT.players;
        Some(ThreatReport {
            attacker: players[attacker.index()],
            defender: players[attacker.other().index()],
            to_move: attacker == mover,
            line: told.plan.line(),
            sequence: steps(told.plan.main_line()),
            variations: told.plan.variations().into_iter().map(ThreatVariation::from).collect(),
            counter: CounterPlay {
                threats: told.counters.into_iter().map(threat).collect(),
                positions: told.positions,
            },
            must: told.must,
            unsure: told.unsure,
        })
    }

    /// The board with the attacker's moves numbered 1, 3, 5 and so on, the replies with the numbers between, and a mark
    /// where the other has to play.
    pub(crate) fn draw_attack(&self, attack: &ThreatReport) -> Scene {
        let mut scene = endspiel_game::Picture::scene(&self.position);
        for place in scene.places.clone() {
            let (x, y) = (place.x, place.y);
            let moved = attack.sequence.iter().position(|step| step.attack == place.name);
            let replied = attack.sequence.iter().position(|step| step.replies.contains(&place.name));
            match (moved, replied) {
                (Some(i), _) => {
                    scene.draw(Shape::Disc(x, y, 0.36, Paint::Shade));
                    scene.draw(Shape::Word(x, y, 0.45, (2 * i + 1).to_string(), Paint::Mark));
                }
                (None, Some(i)) => {
                    scene.draw(Shape::Disc(x, y, 0.26, Paint::Board));
                    scene.draw(Shape::Word(x, y, 0.34, (2 * i + 2).to_string(), Paint::Ink));
                }
                _ => {}
            }
            if attack.must.contains(&place.name) {
                let numbered = moved.or(replied).is_some();
                let (down, size) = if numbered { (0.36, 0.06) } else { (0.0, 0.12) };
                scene.draw(Shape::Disc(x, y + down, size, Paint::Mark));
            }
        }
        scene
    }
}
