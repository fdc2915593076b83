//! The one small trait that makes a game, and the rule set that starts it.

use crate::{Payoff, Player, Rng, Superset, TextError, Turn};
use std::fmt::Debug;
use std::hash::Hash;

/// A state of a game: everything the rules need to go on. Copied and played on (copy-make).
///
/// Illegal moves are kept out at the edge ([`Notation::read_move`](crate::Notation::read_move)); `play`
/// trusts its caller.
pub trait Position: Clone + Send + Sync + 'static {
    /// A move: small and comparable. Its order is the order in which methods break ties.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// Can a position come back? Then [`Position::repeated`] says what that means, methods watch for it,
    /// and proofs carry ranks. Counters that only count (plies, captures) may make a game acyclic.
    const CYCLIC: bool = false;

    /// Who acts now.
    fn turn(&self) -> Turn;

    /// Calls `each` with every legal move of the player to act, always in the same order; with every
    /// outcome where chance acts; never, when the game is over.
    fn moves(&self, each: impl FnMut(Self::Move));

    /// Plays a legal move.
    fn play(&mut self, m: Self::Move);

    /// How a finished game ended. Without meaning before that.
    fn payoff(&self) -> Payoff;

    /// A hash of everything that decides how the game can go on: whose turn, counters, rights.
    fn key(&self) -> u64;

    /// What the players get if play comes back to this position for ever. It must be the same for all
    /// positions of a cycle: methods and the checker rest on that.
    fn repeated(&self) -> Payoff {
        Payoff::DRAW
    }

    /// How many legal moves there are.
    #[inline]
    fn count_moves(&self) -> usize {
        let mut n = 0;
        self.moves(|_| n += 1);
        n
    }

    /// The legal moves as a list.
    fn move_list(&self) -> Vec<Self::Move> {
        let mut list = Vec::new();
        self.moves(|m| list.push(m));
        list
    }

    /// The position after a legal move.
    #[must_use]
    #[inline]
    fn after(&self, m: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(m);
        next
    }

    /// A legal move, each with the same chance; none if there is none.
    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Self::Move> {
        let pick = rng.below(self.count_moves());
        let (mut i, mut found) = (0, None);
        self.moves(|m| {
            if i == pick {
                found = Some(m);
            }
            i += 1;
        });
        found
    }

    /// Plays random moves to the end, or `limit` of them. The payoff is then [`Position::payoff`] if the
    /// game is over, and [`Position::repeated`] by agreement if the limit cut it off.
    #[inline]
    fn playout(&mut self, rng: &mut Rng, limit: usize) -> Payoff {
        for _ in 0..limit {
            if self.turn().is_over() {
                return self.payoff();
            }
            match self.random_move(rng) {
                Some(m) => self.play(m),
                None => break,
            }
        }
        if self.turn().is_over() { self.payoff() } else { self.repeated() }
    }
}

/// An impartial game on a set: a move *fires* an element that is in it, and flips some elements, in or out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flipping {
    /// What is in the set, in ascending order.
    pub set: Vec<usize>,
    /// For each element, in or not, what it flips when it fires, itself too; one of several choices. The moves of a position
    /// are those of the elements in it, in this order.
    pub choices: Vec<Vec<Vec<usize>>>,
}

/// A game of two with perfect information in which one side's gain is the other's loss: `turn` is always
/// one of the two players or over. Most methods of the search crate ask for this.
pub trait TwoPlayer: Position {
    /// Can a game end with a payoff of 0? Where it cannot, who is sure of 0 is sure of 1.
    const DRAWS: bool = true;

    /// The least and the greatest payoff that the *first* player may still get.
    fn score_range(&self) -> (i32, i32) {
        (-1, 1)
    }

    /// Plies from here to an end at which the player to move gets `score`, where the score tells: in games that
    /// pay more for a sooner win. With best play of both it is then how long the game lasts.
    fn plies_left(&self, _score: i32) -> Option<u32> {
        None
    }

    /// A legal move by which the player to move wins at once, if the game looks for one and finds it. Certificates
    /// need no record there. `likely` is a move worth trying first, legal or not: it won in a similar position.
    #[inline]
    fn winning_move(&self, _likely: Option<Self::Move>) -> Option<Self::Move> {
        None
    }

    /// Is `player` sure to get `at_least` so much by answers alone, which the rules can tell without a search: such as cells in
    /// pairs, of which he takes one when the other is taken? Certificates need no record from there on. Who is told to be sure must
    /// be; who is sure need not be told so.
    #[inline]
    fn secured(&self, _player: Player, _at_least: i32) -> bool {
        false
    }

    /// How who is [`secured`](Self::secured) gets what he is sure of, in words, with the names of that player and of the other.
    fn how_secured(player: &str, other: &str) -> String {
        format!("{player} has an answer to whatever {other} plays")
    }

    /// The same position with the other player to move, where the game can tell what he would do; none when it
    /// is over. Threats are told by it: what would the player do if he might move again?
    fn turned(&self) -> Option<Self> {
        None
    }

    /// The same position with the first player to move, if the game is impartial: both have the same moves, and who cannot move
    /// loses. Such games have values that add up.
    fn impartial(&self) -> Option<Self> {
        None
    }

    /// The same for games that are impartial and played on a set: values are found by linear algebra then.
    fn flipping(&self) -> Option<Flipping> {
        None
    }

    /// The player to move; the first player when the game is over.
    #[inline]
    fn mover(&self) -> Player {
        self.turn().player().unwrap_or(Player::FIRST)
    }

    /// The least and the greatest payoff that `player` may still get.
    #[inline]
    fn score_range_of(&self, player: Player) -> (i32, i32) {
        let (low, high) = self.score_range();
        if player == Player::FIRST { (low, high) } else { (-high, -low) }
    }
}

/// A rule set: the game's name with its choices made, such as `connect-four:6x5`.
pub trait Game: Clone + Send + Sync + 'static {
    /// Its states.
    type Position: Position;

    /// What the catalog says of it.
    const ABOUT: About;

    /// Reads the part after the colon of `name:variant`; an empty text is the standard game.
    fn from_variant(text: &str) -> Result<Self, TextError>;

    /// Writes the part after the colon; empty for the standard game.
    fn variant(&self) -> String;

    /// The starting position.
    fn start(&self) -> Self::Position;

    /// Reads a position in the game's notation; whatever [`Notation::write`](crate::Notation::write)
    /// gives is read back as the same position, and nothing unreasonable is let in.
    fn read(&self, text: &str) -> Result<Self::Position, TextError>;

    /// A set of known size that holds every position which can arise from the start, if the game knows one:
    /// how its positions are estimated where they cannot be counted.
    fn superset(&self) -> Option<Superset> {
        None
    }

    /// `name` or `name:variant`.
    fn full_name(&self) -> String {
        let variant = self.variant();
        if variant.is_empty() { Self::ABOUT.name.into() } else { format!("{}:{variant}", Self::ABOUT.name) }
    }
}

/// How the number of positions changes as pieces come and go (Allis 1994, chapter 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convergence {
    /// Fewer positions the longer it lasts: endgame databases pay.
    Converging,
    /// More and more positions.
    Diverging,
    /// Neither.
    Unchangeable,
}

/// What the catalog, the manual and the choice of a method know of a game.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name on the command line: lower case, words joined by hyphens.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// One line: how one wins.
    pub summary: &'static str,
    /// The rules in a few sentences, with the choices this implementation makes.
    pub rules: &'static str,
    /// How variants are written, for `--help` and errors: `WIDTHxHEIGHT, such as 6x5`.
    pub variants: &'static str,
    /// A few variants worth trying, as written after the colon.
    pub examples: &'static [&'static str],
    /// Names of the two players, such as Black and White.
    pub players: [&'static str; 2],
    /// May it end at once by a pattern (four in a row), rather than at a fixed end?
    pub sudden_death: bool,
    /// How it converges.
    pub convergence: Convergence,
    /// What a move and a position look like, in a line each.
    pub notation: &'static str,
}
