//! Virus games on directed graphs (A. S. Fraenkel, Virus Versus Mankind, 2000): a vertex fires and flips some of its followers. The
//! last move wins, and play may go round for ever.
//!
//! A position is a set of vertices, and both players have the same moves: with the values of `endspiel_retro::grundy` games are
//! added. A move costs O(1), a list of moves as much as there are ways to choose the followers.

mod graph;
mod set;

use graph::choose;
pub use graph::{Firing, Graph};
pub use set::{MOST_VERTICES, Set};

use endspiel_game::notation::{number, shorten};
use endspiel_game::picture::{Paint, Shape};
use endspiel_game::{
    About, Convergence, Flipping, Game, Notation, Payoff, Picture, Player, Position, Rng, Scene, Symmetric,
    TextError, Turn, TwoPlayer, mix,
};
use std::sync::Arc;

const P: usize = 5;
const FLIPS: u32 = 2;

/// A rule set: the graph, what fires, and where the game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Virus {
    graph: Arc<Graph>,
    firing: Firing,
    start: Set,
}

impl Virus {
    /// The game on G(p) in which a vertex that fires flips so many followers.
    pub fn fraenkel(p: usize, firing: Firing) -> Result<Self, TextError> {
        Ok(Self::on(Graph::fraenkel(p, firing)?, firing))
    }

    fn on(graph: Graph, firing: Firing) -> Self {
        let start = usual_start(&graph);
        Self { graph: Arc::new(graph), firing, start }
    }

    /// Its graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The same game with the usual start.
    #[must_use]
    pub fn from_usual_start(&self) -> Self {
        Self { start: usual_start(&self.graph), ..self.clone() }
    }

    /// A position with these vertices occupied.
    pub fn occupied(&self, set: Set, mover: Player) -> Infection {
        Infection { graph: Arc::clone(&self.graph), set, mover }
    }
}

/// In G(p) all y, and the last x if that makes them even; elsewhere every vertex. With an odd number play mostly goes round.
fn usual_start(graph: &Graph) -> Set {
    let first = graph.fraenkel_size().map_or(0, |p| p - p % 2);
    (first..graph.len()).collect()
}

impl Game for Virus {
    type Position = Infection;

    const ABOUT: About = About {
        name: "virus",
        title: "Virus games",
        summary: "Fire a virus of a graph, flipping some of its followers; who makes the last move wins.",
        rules: "Some vertices of a directed graph have a virus. A move fires one that has followers: its virus goes, and \
                so many of its followers flip, from occupied to empty or from empty to occupied; all, if it has \
                fewer. With `most=S`, any number of them up to S, none too. Viruses on vertices without followers \
                never fire. Who makes the last move wins; endless play is a draw. The graph G(p) has vertices x1 to \
                xp and y1 to yp: after x comes the y of its number, after y come all y before it and all x but that \
                of its number; it starts with all y, and the last x if p is odd.",
        variants: "p=P for the graph G(p), or graph=EDGES such as a:b+b:ce+c:d, where b:ce/1 gives a vertex a number of its \
                   own; regular=S or most=S, how many followers flip; with p, even=S, the same of the even y; \
                   start=VERTICES; each optional, such as p=7,regular=3 or graph=a:b+b:ce+c:d+d:a+e:cd,start=ade",
        examples: &[
            "p=3,regular=1",
            "p=6,regular=3",
            "p=6,regular=1,even=2",
            "graph=a:b+b:ce+c:d+d:a+e:cd,start=ade",
        ],
        players: ["First", "Second"],
        sudden_death: false,
        convergence: Convergence::Unchangeable,
        notation: "moves y2:x1y1: the vertex that fires and those that flip; positions x5y1y2, the vertices with a virus, \
                   0 for none, then `second` if the second player is to move",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        let mut firing = Firing { flips: FLIPS, even: FLIPS, fewer: false };
        let (mut graph, mut start, mut even, mut p) = (None, None, None, None);
        let (mut at, mut given) = (0, Vec::new());
        for part in text.split(',').filter(|_| !text.trim().is_empty()) {
            let begin = at + part.len() - part.trim_start().len();
            at += part.len() + 1;
            let expected = "p=, graph=, regular=, most=, even= or start=, each with a value";
            let Some((key, value)) =
                part.trim().split_once('=').filter(|(_, value)| !value.trim().is_empty())
            else {
                let what = format!("'{}' has no value", shorten(part.trim()));
                return Err(TextError::new(begin, what, expected));
            };
            let place = begin + key.len() + 1 + value.len() - value.trim_start().len();
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            if given.contains(&key) {
                return Err(TextError::new(begin, format!("{key}= is given twice"), "each choice once"));
            }
            let rules = ["regular", "most"];
            if rules.contains(&&*key) && given.iter().any(|other| rules.contains(&&**other)) {
                let expected = "one of them: either says how many followers flip";
                return Err(TextError::new(begin, "regular= and most= are both given", expected));
            }
            given.push(key.clone());
            let flips = || number(value, "number of flips", 1, MOST_VERTICES).map_err(|e| e.shifted(place));
            match key.as_str() {
                "p" => {
                    let value = number(value, "p", 1, MOST_VERTICES / 2).map_err(|e| e.shifted(place))?;
                    p = Some((begin, value));
                }
                "graph" => graph = Some((place, value.to_ascii_lowercase())),
                "regular" => (firing.flips, firing.fewer) = (flips()? as u32, false),
                "most" => (firing.flips, firing.fewer) = (flips()? as u32, true),
                "even" => even = Some((begin, flips()? as u32)),
                "start" => start = Some((place, value)),
                _ => {
                    let what = format!("'{}' is no choice of this game", shorten(part.trim()));
                    return Err(TextError::new(begin, what, expected));
                }
            }
        }
        firing.even = even.map_or(firing.flips, |(_, even)| even);
        let mut game = match (graph, p, even) {
            (Some(_), Some((begin, _)), _) => {
                return Err(TextError::new(begin, "there are two graphs", "p= or graph="));
            }
            (Some(_), None, Some((begin, _))) => {
                let expected = "b:ce/3 in the graph for a vertex with a number of its own";
                return Err(TextError::new(begin, "even= is for the graph G(p)", expected));
            }
            (Some((place, text)), None, None) => {
                Self::on(Graph::read(&text, firing).map_err(|e| e.shifted(place))?, firing)
            }
            (None, p, _) => Self::fraenkel(p.map_or(P, |(_, p)| p), firing)?,
        };
        if let Some((place, start)) = start {
            game.start = game.graph.read_set(start).map_err(|e| e.shifted(place))?;
        }
        Ok(game)
    }

    fn variant(&self) -> String {
        let mut parts = Vec::new();
        if self.graph.fraenkel_size() != Some(P) {
            parts.push(self.graph.write());
        }
        match (self.firing.fewer, self.firing.flips) {
            (false, FLIPS) => {}
            (fewer, flips) => parts.push(format!("{}={flips}", if fewer { "most" } else { "regular" })),
        }
        if self.firing.even != self.firing.flips {
            parts.push(format!("even={}", self.firing.even));
        }
        if self.start != usual_start(&self.graph) {
            parts.push(format!("start={}", self.graph.write_set(self.start)));
        }
        parts.join(",")
    }

    fn start(&self) -> Infection {
        self.occupied(self.start, Player::FIRST)
    }

    fn read(&self, text: &str) -> Result<Infection, TextError> {
        let text = text.trim_end();
        let begin = text.len() - text.trim_start().len();
        let (set, player) = text[begin..].split_once(char::is_whitespace).unwrap_or((&text[begin..], ""));
        if set.is_empty() {
            let expected = "the vertices with a virus, such as x5y1y2, or 0";
            return Err(TextError::new(0, "the position is empty", expected));
        }
        let mover = match player.trim().to_ascii_lowercase().as_str() {
            "" | "first" => Player::FIRST,
            "second" => Player::SECOND,
            word => {
                let what = format!("'{}' is not a player", shorten(word));
                let expected = "vertices such as x5y1y2, then `second` if the second player is to move";
                return Err(TextError::new(begin + set.len() + 1, what, expected));
            }
        };
        Ok(self.occupied(self.graph.read_set(set).map_err(|e| e.shifted(begin))?, mover))
    }
}

/// A vertex fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fire {
    /// The vertex.
    pub vertex: u8,
    /// The followers that flip.
    pub flips: Set,
}

/// The vertices with a virus, and the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Infection {
    graph: Arc<Graph>,
    set: Set,
    mover: Player,
}

impl Infection {
    /// The vertices with a virus.
    pub fn set(&self) -> Set {
        self.set
    }

    /// Who is to move, or would be if a virus could fire.
    pub fn to_move(&self) -> Player {
        self.mover
    }

    /// Those that can fire.
    fn ready(&self) -> impl Iterator<Item = usize> {
        self.set.members().filter(|&vertex| !self.graph.followers(vertex).is_empty())
    }
}

impl Position for Infection {
    type Move = Fire;

    const CYCLIC: bool = true;

    fn turn(&self) -> Turn {
        if self.ready().next().is_none() { Turn::Over } else { Turn::Player(self.mover) }
    }

    fn moves(&self, mut each: impl FnMut(Fire)) {
        for vertex in self.ready() {
            self.graph.each_choice(vertex, &mut |flips| each(Fire { vertex: vertex as u8, flips }));
        }
    }

    #[inline]
    fn play(&mut self, m: Fire) {
        self.set = self.set ^ Set::one(m.vertex.into()) ^ m.flips;
        self.mover = self.mover.other();
    }

    fn payoff(&self) -> Payoff {
        Payoff::win(self.mover.other())
    }

    /// Different positions on up to 63 vertices have different keys: graphs may come from anybody.
    #[inline]
    fn key(&self) -> u64 {
        let [first, further @ ..] = self.set.words();
        let key = mix(first << 1 | u64::from(self.mover.0));
        if further == [0; 3] && first >> 63 == 0 {
            return key;
        }
        further.into_iter().fold(key ^ first >> 63, |key, word| mix(key ^ mix(word)))
    }

    fn count_moves(&self) -> usize {
        self.ready().map(|vertex| self.graph.choices(vertex)).sum::<u64>() as usize
    }

    fn random_move(&self, rng: &mut Rng) -> Option<Fire> {
        let mut pick = rng.below(self.count_moves()) as u64;
        let vertex = self.ready().find(|&vertex| {
            let is_here = pick < self.graph.choices(vertex);
            pick -= if is_here { 0 } else { self.graph.choices(vertex) };
            is_here
        })?;
        let followers = self.graph.followers(vertex);
        let (least, most) = self.graph.flips(vertex);
        let mut many = (least..=most).find(|&many| {
            let ways = choose(followers.count(), many);
            let is_here = pick < ways;
            pick -= if is_here { 0 } else { ways };
            is_here
        })?;
        let (mut flips, mut left) = (Set::EMPTY, followers.count());
        for follower in followers.members() {
            if rng.below(left as usize) < many as usize {
                flips = flips | Set::one(follower);
                many -= 1;
            }
            left -= 1;
        }
        Some(Fire { vertex: vertex as u8, flips })
    }
}

impl TwoPlayer for Infection {
    const DRAWS: bool = true;

    fn impartial(&self) -> Option<Self> {
        Some(Self { mover: Player::FIRST, ..self.clone() })
    }

    fn flipping(&self) -> Option<Flipping> {
        let of = |vertex: usize| {
            let mut choices = Vec::new();
            self.graph.each_choice(vertex, &mut |flips| {
                choices.push((Set::one(vertex) | flips).members().collect());
            });
            choices
        };
        Some(Flipping { set: self.set.members().collect(), choices: (0..self.graph.len()).map(of).collect() })
    }
}

impl Symmetric for Infection {}

impl Notation for Infection {
    fn write_move(&self, m: Fire) -> String {
        format!("{}:{}", self.graph.name(m.vertex.into()), self.graph.write_set(m.flips))
    }

    fn write(&self) -> String {
        let mover = if self.mover == Player::FIRST { "" } else { " second" };
        format!("{}{mover}", self.graph.write_set(self.set))
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let words = self.graph.len().div_ceil(64);
        out.extend(self.set.words()[..words].iter().flat_map(|word| word.to_le_bytes()));
        out.push(self.mover.0);
    }
}

impl Picture for Infection {
    fn text(&self) -> String {
        let mut out = String::new();
        for vertex in 0..self.graph.len() {
            let mark = if self.set.has(vertex) { 'o' } else { '.' };
            let followers = match self.graph.followers(vertex) {
                Set::EMPTY => String::new(),
                set => format!(": {}", self.graph.write_set(set)),
            };
            out.push_str(&format!("{mark} {}{followers}\n", self.graph.name(vertex)));
        }
        out
    }

    /// The vertices in a circle, the first on top.
    fn scene(&self) -> Scene {
        let many = self.graph.len();
        let radius = (many as f32 * 0.25).max(1.6);
        let side = 2.0 * radius + 2.0;
        let mut scene = Scene::new(side, side);
        scene.ground();
        let place = |vertex: usize| {
            let angle = std::f32::consts::TAU * vertex as f32 / many as f32;
            (side / 2.0 + radius * angle.sin(), side / 2.0 - radius * angle.cos())
        };
        for from in 0..many {
            for to in self.graph.followers(from).members() {
                let (a, b) = (place(from), place(to));
                let length = (b.0 - a.0).hypot(b.1 - a.1);
                let (dx, dy) = ((b.0 - a.0) / length, (b.1 - a.1) / length);
                let tip = (b.0 - 0.42 * dx, b.1 - 0.42 * dy);
                scene.draw(Shape::Line((a.0 + 0.42 * dx, a.1 + 0.42 * dy), tip, Paint::Ink));
                let back = (tip.0 - 0.22 * dx, tip.1 - 0.22 * dy);
                let wings = [(back.0 - 0.1 * dy, back.1 + 0.1 * dx), (back.0 + 0.1 * dy, back.1 - 0.1 * dx)];
                scene.draw(Shape::Polygon(vec![tip, wings[0], wings[1]], Paint::Ink));
            }
        }
        for vertex in 0..many {
            let ((x, y), is_occupied) = (place(vertex), self.set.has(vertex));
            let (disc, word) =
                if is_occupied { (Paint::First, Paint::Second) } else { (Paint::Second, Paint::Ink) };
            scene.draw(Shape::Disc(x, y, 0.4, disc));
            if is_occupied {
                scene.piece("virus", x, y);
            }
            scene.draw(Shape::Word(x, y, 0.36, self.graph.name(vertex).into(), word));
            scene.place(self.graph.name(vertex), x, y);
        }
        scene
    }
}

#[cfg(test)]
mod tests;
