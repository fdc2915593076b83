//! Othello: discs caught between two of the other colour change sides; most discs win.
//!
//! A position is two bitboards and the set of legal squares, found once when a move is played. A player
//! without a legal square passes, as a move of its own, if the other player has one; otherwise the game is
//! over. Source of the rules: World Othello Federation; of the values of small boards: J. Feinstein 1993.
//!
//! ```
//! use endspiel_game::{Game, Notation, Position};
//! use endspiel_rules::othello::Othello;
//!
//! let (board, _) = Othello::STANDARD.start().read_line("f5d6c3").unwrap();
//! assert_eq!(board.count_moves(), 4);
//! assert_eq!(board.margin(), 2 - 5 - 57);
//! ```

pub mod bits;
mod notation;
mod superset;
#[cfg(test)]
mod tests;

use endspiel_game::notation::{shorten, words};
use endspiel_game::{
    About, Convergence, Game, Payoff, Player, Position, Rng, Superset, Symmetric, TextError, Turn, TwoPlayer,
    mix,
};

/// The rule set: the size of the board and what empty squares count at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Othello {
    size: u8,
    discs_only: bool,
}

impl Othello {
    /// The usual game on 8x8, in which empty squares count for the winner.
    pub const STANDARD: Self = Self { size: 8, discs_only: false };

    /// A board of `size` x `size`, where that is 4, 6 or 8. With `discs_only`, squares left empty count for
    /// nobody.
    pub fn new(size: usize, discs_only: bool) -> Option<Self> {
        matches!(size, 4 | 6 | 8).then_some(Self { size: size as u8, discs_only })
    }

    /// The number of columns and of rows.
    pub fn size(self) -> usize {
        self.size.into()
    }

    /// Do squares left empty count for nobody, rather than for the winner?
    pub fn discs_only(self) -> bool {
        self.discs_only
    }

    /// The four squares in the middle: columns first, then rows.
    fn centre(self) -> [u64; 4] {
        let low = self.size / 2 - 1;
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| 1 << (8 * (low + y) + low + x))
    }
}

impl Game for Othello {
    type Position = Board;

    const ABOUT: About = About {
        name: "othello",
        title: "Othello",
        summary: "Have more discs than the opponent when nobody can move.",
        rules: "Black begins from four discs in the middle, two of each colour on the diagonals. A move puts \
                a disc on an empty square so that at least one straight line of opposing discs, along a row, a \
                column or a diagonal, is caught between it and another disc of the mover; all discs caught by \
                it are turned over. Who has no such move passes, and must not pass otherwise. The game is over \
                when neither can move. The payoff is the difference of the discs, where squares left empty \
                count for the winner, as in tournaments; under `discs` they count for nobody.",
        variants: "the size 4, 6 or 8, and `discs` to count discs alone: 6 or 4,discs",
        examples: &["4", "6", "4,discs", "discs"],
        players: ["Black", "White"],
        sudden_death: false,
        convergence: Convergence::Diverging,
        notation: "A move is a square, a1 at the top left: f5; a pass is --; a list may run together: f5d6c3. A \
                   position is its squares row by row from a1 in X (Black), O (White) and -, then the player to \
                   move: -----OX--XO----- X",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        let (mut size, mut discs_only) = (None, false);
        for (at, word) in words(text) {
            let known = match word {
                "4" | "6" | "8" => size.replace(word.as_bytes()[0] - b'0').is_none(),
                _ if word.eq_ignore_ascii_case("discs") => !std::mem::replace(&mut discs_only, true),
                _ => false,
            };
            if !known {
                let what = format!("'{}' is no choice of this game, or not the only one", shorten(word));
                return Err(TextError::new(at, what, "one size of 4, 6 or 8, and `discs` or not: 6,discs"));
            }
        }
        Ok(Self { size: size.unwrap_or(8), discs_only })
    }

    fn variant(&self) -> String {
        match (self.size, self.discs_only) {
            (8, false) => String::new(),
            (8, true) => "discs".into(),
            (size, false) => size.to_string(),
            (size, true) => format!("{size},discs"),
        }
    }

    fn start(&self) -> Board {
        let [a, b, c, d] = self.centre();
        Board::new(*self, Player::FIRST, b | c, a | d)
    }

    fn read(&self, text: &str) -> Result<Board, TextError> {
        notation::read(*self, text)
    }

    fn superset(&self) -> Option<Superset> {
        Some(superset::superset(*self))
    }
}

/// A move: a disc on a square (row * 8 + column, from 0 at a1, on all sizes), or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The move of a player who cannot put a disc.
    pub const PASS: Self = Self(64);

    /// The square in this column and row, counted from 0 at a1.
    pub fn at(column: usize, row: usize) -> Self {
        Self((row % 8 * 8 + column % 8) as u8)
    }

    /// Its number: row * 8 + column, from 0 at a1; 64 for a pass.
    #[inline]
    pub fn number(self) -> usize {
        self.0.into()
    }

    /// The bit of the square; none for a pass.
    #[inline]
    pub fn bit(self) -> u64 {
        1u64.checked_shl(self.0.into()).unwrap_or(0)
    }
}

/// What the player to move may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    Put,
    Pass,
    Over,
}

/// A position. In bitboards the square in column c, row r (from 0 at a1) is bit 8 r + c.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    own: u64,
    opponent: u64,
    legal: u64,
    game: Othello,
    mover: Player,
    state: State,
}

impl Board {
    fn new(game: Othello, mover: Player, own: u64, opponent: u64) -> Self {
        let mut board = Self { own, opponent, legal: 0, game, mover, state: State::Over };
        board.look();
        board
    }

    /// Finds the legal squares and whether the player to move must pass.
    #[inline]
    fn look(&mut self) {
        let empty = self.empty();
        self.legal = bits::legal(self.own, self.opponent, empty);
        self.state = if self.legal != 0 {
            State::Put
        } else if bits::legal(self.opponent, self.own, empty) != 0 {
            State::Pass
        } else {
            State::Over
        };
    }

    /// The discs of the player to move; when the game is over, of the player whose turn it would be.
    #[inline]
    pub fn own(&self) -> u64 {
        self.own
    }

    /// The discs of the other player.
    #[inline]
    pub fn opponent(&self) -> u64 {
        self.opponent
    }

    /// The empty squares of the board.
    #[inline]
    pub fn empty(&self) -> u64 {
        const SQUARES: [u64; 9] = {
            let mut out = [0; 9];
            (out[4], out[6], out[8]) = (bits::squares(4), bits::squares(6), bits::squares(8));
            out
        };
        SQUARES[usize::from(self.game.size)] & !(self.own | self.opponent)
    }

    /// The squares where the player to move may put a disc.
    #[inline]
    pub fn legal(&self) -> u64 {
        self.legal
    }

    /// The discs that a disc of the player to move on `square` would turn.
    #[inline]
    pub fn turned(&self, square: Square) -> u64 {
        bits::turned(self.own, self.opponent, square.0)
    }

    /// The rule set.
    #[inline]
    pub fn game(&self) -> Othello {
        self.game
    }

    /// What the player to move would get if the game ended here.
    pub fn margin(&self) -> i32 {
        let [own, opponent, empty] =
            [self.own, self.opponent, self.empty()].map(|squares| squares.count_ones() as i32);
        let margin = own - opponent;
        if self.game.discs_only { margin } else { margin + empty * margin.signum() }
    }

    fn black_and_white(&self) -> (u64, u64) {
        if self.mover == Player::FIRST { (self.own, self.opponent) } else { (self.opponent, self.own) }
    }
}

impl Position for Board {
    type Move = Square;

    #[inline]
    fn turn(&self) -> Turn {
        if self.state == State::Over { Turn::Over } else { Turn::Player(self.mover) }
    }

    #[inline]
    fn moves(&self, mut each: impl FnMut(Square)) {
        let mut left = self.legal;
        while left != 0 {
            each(Square(left.trailing_zeros() as u8));
            left &= left - 1;
        }
        if self.state == State::Pass {
            each(Square::PASS);
        }
    }

    #[inline]
    fn play(&mut self, m: Square) {
        if m != Square::PASS {
            let turned = self.turned(m);
            self.own |= turned | m.bit();
            self.opponent ^= turned;
        }
        std::mem::swap(&mut self.own, &mut self.opponent);
        self.mover = self.mover.other();
        self.look();
    }

    #[inline]
    fn payoff(&self) -> Payoff {
        Payoff::zero_sum(if self.mover == Player::FIRST { self.margin() } else { -self.margin() })
    }

    #[inline]
    fn key(&self) -> u64 {
        mix(mix(self.own ^ mix(u64::from(self.mover.0))).wrapping_add(self.opponent))
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.legal.count_ones() as usize + usize::from(self.state == State::Pass)
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Square> {
        match self.state {
            State::Put => {
                let mut left = self.legal;
                for _ in 0..rng.below(self.legal.count_ones() as usize) {
                    left &= left - 1;
                }
                Some(Square(left.trailing_zeros() as u8))
            }
            State::Pass => Some(Square::PASS),
            State::Over => None,
        }
    }
}

impl TwoPlayer for Board {
    fn score_range(&self) -> (i32, i32) {
        if self.state == State::Over {
            let score = self.payoff().of(Player::FIRST);
            (score, score)
        } else {
            let all = i32::from(self.game.size).pow(2);
            (-all, all)
        }
    }
}

/// The eight symmetries of the square. The start is its own image under four of them.
impl Symmetric for Board {
    fn symmetries(&self) -> usize {
        8
    }

    fn image(&self, s: usize) -> Self {
        let [own, opponent, legal] =
            [self.own, self.opponent, self.legal].map(|squares| bits::image(squares, s, self.game.size));
        Self { own, opponent, legal, ..*self }
    }

    fn image_move(&self, m: Square, s: usize) -> Square {
        if m == Square::PASS { m } else { Square(bits::image_square(m.0, s, self.game.size)) }
    }

    fn canonical(&self) -> (Self, usize) {
        let (mut least, mut best) = ((self.own, self.opponent), 0);
        for s in 1..8 {
            let image =
                (bits::image(self.own, s, self.game.size), bits::image(self.opponent, s, self.game.size));
            if image < least {
                (least, best) = (image, s);
            }
        }
        (self.image(best), best)
    }
}
