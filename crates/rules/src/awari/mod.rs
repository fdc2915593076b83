//! Awari, the mancala game of the Computer Olympiads: sow stones around, capture twos and threes.
//!
//! Rules: L.V. Allis, Searching for Solutions in Games and Artificial Intelligence (1994), section 2.4; the
//! grand slam, on which traditions differ, is a choice of the rule set. A position holds the stones captured
//! so far, so its payoff is the difference of the whole game. It is packed into two words, see `sowing`.
//!
//! ```
//! use endspiel_game::{Game, Notation, Player};
//! use endspiel_rules::awari::Awari;
//!
//! let board = Awari::default().read("1 0 4 19 4 2|1 1 3 0 0 1").unwrap();
//! let (after, _) = board.read_line("D19x7").unwrap();
//! assert_eq!(after.pits(Player::SECOND), [3, 3, 5, 0, 0, 0]);
//! assert_eq!(after.captured(Player::FIRST), 7);
//! ```

mod notation;
pub mod sowing;
#[cfg(test)]
mod tests;

use endspiel_game::notation::{shorten, words};
use endspiel_game::superset::{Bound, Test, choose};
use endspiel_game::{
    About, Convergence, Game, Payoff, Player, Position, Rng, Superset, Symmetric, TextError, Turn, TwoPlayer,
    mix,
};

/// What becomes of a grand slam: a capture of all the opponent's stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GrandSlam {
    /// Illegal if another move leaves the opponent a stone, like every move that leaves none; if it must be,
    /// what is left belongs to who made it. The rule of the Olympiads.
    #[default]
    Avoided,
    /// Always illegal. A player who has no other move cannot move.
    Forbidden,
    /// Legal, but nothing is captured.
    NoCapture,
    /// Legal; what is left belongs to who made it.
    Allowed,
    /// Legal; what is left belongs to the opponent.
    RestToOpponent,
}

impl GrandSlam {
    const NAMES: [(&'static str, Self); 5] = [
        ("avoided", Self::Avoided),
        ("forbidden", Self::Forbidden),
        ("no-capture", Self::NoCapture),
        ("allowed", Self::Allowed),
        ("rest-to-opponent", Self::RestToOpponent),
    ];
}

/// When the game ends while both can move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum End {
    /// As soon as a player has captured more than half of all stones; the others count for nobody.
    #[default]
    Majority,
    /// Not before a player cannot move: the payoff is the difference with perfect play to the last stone, as
    /// endgame databases tell it.
    LastStone,
}

/// The rule set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Awari {
    /// What becomes of a grand slam.
    pub grand_slam: GrandSlam,
    /// When the game ends while both can move.
    pub end: End,
}

impl Game for Awari {
    type Position = Board;

    const ABOUT: About = About {
        name: "awari",
        title: "Awari",
        summary: "Capture more than half of the stones.",
        rules: "South has the pits A to F, North a to f, each from left to right as the player sees them; they \
                form a ring A B C D E F a b c d e f. All twelve begin with four stones; South moves first. A \
                move takes all stones of one of the mover's pits and sows them one by one into the pits that \
                follow, leaving out the pit they came from. If the last stone falls into a pit of the opponent \
                and makes it 2 or 3, these are captured, and so are the 2 or 3 in each pit before it, in an \
                unbroken row of the opponent's pits. Whenever possible a player must leave the opponent a stone \
                to move with; so a grand slam, a capture of all the opponent's stones, is illegal if there is a \
                move that leaves some (other rules by `grand-slam=`). The game is over when a player has \
                captured more than half of all stones (25 of 48; with fewer stones set up, more than half of \
                those captured and on the board; never with `end=last-stone`), or when the player to move has no \
                stone: the opponent then gets all that are left. If play comes back to a position for ever, \
                the stones left are shared evenly. The payoff is the difference of the stones.",
        variants: "grand-slam=avoided, forbidden, no-capture, allowed or rest-to-opponent, and end=majority or \
                   last-stone, such as grand-slam=no-capture,end=last-stone",
        examples: &["end=last-stone", "grand-slam=no-capture", "grand-slam=forbidden", "grand-slam=allowed"],
        players: ["South", "North"],
        sudden_death: false,
        convergence: Convergence::Converging,
        notation: "A move is a pit, or a pit with the stones sown and captured: D or D19x7. A position is the \
                   pits A to F and a to f, the stones captured by South and North, and the player to move: \
                   4 4 4 4 4 4|4 4 4 4 4 4 0-0 S",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        let mut game = Self::default();
        let slams = || GrandSlam::NAMES.map(|(name, _)| name).join(", ");
        for (at, word) in words(text) {
            let (option, choice) = word.split_once('=').unwrap_or((word, ""));
            let fault = |expected: String| {
                let what = format!("'{}' is no choice of this game", shorten(word));
                TextError::new(at, what, expected)
            };
            match option {
                "grand-slam" => {
                    game.grand_slam = GrandSlam::NAMES
                        .iter()
                        .find_map(|&(name, slam)| (name == choice).then_some(slam))
                        .ok_or_else(|| fault(format!("grand-slam= one of {}", slams())))?;
                }
                "end" => {
                    game.end = match choice {
                        "majority" => End::Majority,
                        "last-stone" => End::LastStone,
                        _ => return Err(fault("end=majority or end=last-stone".into())),
                    };
                }
                _ => return Err(fault(format!("{} or nothing", Self::ABOUT.variants))),
            }
        }
        Ok(game)
    }

    fn variant(&self) -> String {
        let mut choices = Vec::new();
        for (name, slam) in GrandSlam::NAMES {
            if slam == self.grand_slam && slam != GrandSlam::default() {
                choices.push(format!("grand-slam={name}"));
            }
        }
        if self.end == End::LastStone {
            choices.push("end=last-stone".into());
        }
        choices.join(",")
    }

    fn start(&self) -> Board {
        Board::new(*self, Player::FIRST, [[4; 6]; 2], [0; 2])
    }

    fn read(&self, text: &str) -> Result<Board, TextError> {
        notation::read(*self, text)
    }

    /// Boards by the stones in the pits, the player to move below: what was captured does not change how play
    /// can go on.
    fn superset(&self) -> Option<Superset> {
        let boards = (0..=ALL_STONES).map(|n| choose(n + 11, 11)).sum();
        Some(Superset {
            bounds: vec![Bound::new("at most 48 stones in twelve pits", boards)],
            test: Some(Test {
                what: "not 47 stones, and a pit of who moved last is empty, or it is the start",
                exact: false,
                draw: Box::new(|rng| {
                    let pits = drawn_board(rng);
                    pits == [4; 12] || pits.iter().sum::<usize>() != ALL_STONES - 1 && pits[6..].contains(&0)
                }),
            }),
        })
    }
}

/// All stones of the game.
const ALL_STONES: usize = 48;

/// Twelve pits with at most 48 stones, each way to fill them with the same chance: twelve bars among sixty
/// places, the stones before the first bar counting for the first pit, those after the last for none.
fn drawn_board(rng: &mut Rng) -> [usize; 12] {
    let (mut places, mut bars, mut pits) = (ALL_STONES + 12, 12, [0; 12]);
    while bars > 0 {
        if rng.below(places) < bars {
            bars -= 1;
        } else {
            pits[12 - bars] += 1;
        }
        places -= 1;
    }
    pits
}

/// A move: one of the six pits of the player to move, counted from 0 at their left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pit(u8);

impl Pit {
    /// The pit of this number from 0 to 5.
    pub fn new(index: usize) -> Option<Self> {
        (index < 6).then_some(Self(index as u8))
    }

    /// Its number from 0 to 5.
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// A position, with the stones captured so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    own: u64,
    opponent: u64,
    own_captured: u8,
    opponent_captured: u8,
    /// All stones, captured or not.
    total: u8,
    mover: Player,
    over: bool,
    game: Awari,
}

impl Board {
    /// A position with these stones in the pits of South and of North and captured by them. The numbers sum
    /// to 48 at most.
    fn new(game: Awari, mover: Player, pits: [[u8; 6]; 2], captured: [u8; 2]) -> Self {
        let row = |pits: [u8; 6]| pits.iter().rev().fold(0, |row, &stones| row << 8 | u64::from(stones));
        let (own, opponent) = (mover.index(), mover.other().index());
        let total = pits.iter().flatten().sum::<u8>() + captured[0] + captured[1];
        let mut board = Self {
            own: row(pits[own]),
            opponent: row(pits[opponent]),
            own_captured: captured[own],
            opponent_captured: captured[opponent],
            total,
            mover,
            over: false,
            game,
        };
        board.over = board.is_majority(board.own_captured) || board.is_finished();
        board
    }

    /// A position with South to move and nothing captured, from two rows of [`sowing`] with at most 48 stones.
    pub fn of_rows(game: Awari, own: u64, opponent: u64) -> Self {
        let total = sowing::stones(own) + sowing::stones(opponent);
        let mut board = Self {
            own,
            opponent,
            own_captured: 0,
            opponent_captured: 0,
            total,
            mover: Player::FIRST,
            over: false,
            game,
        };
        board.over = board.is_finished();
        board
    }

    /// The rows of the player to move, or who would be if the game were not over, and of the opponent.
    pub fn rows(&self) -> (u64, u64) {
        (self.own, self.opponent)
    }

    /// What the player to move, or who would be if the game were not over, has captured more than the
    /// opponent.
    pub fn lead_of_mover(&self) -> (Player, i32) {
        (self.mover, self.lead())
    }

    /// The stones in the pits of `player`, from the left as the player sees them.
    pub fn pits(&self, player: Player) -> [u8; 6] {
        let row = if player == self.mover { self.own } else { self.opponent };
        [0, 1, 2, 3, 4, 5].map(|pit| sowing::stones_in(row, pit))
    }

    /// The stones captured by `player`.
    pub fn captured(&self, player: Player) -> u8 {
        if player == self.mover { self.own_captured } else { self.opponent_captured }
    }

    /// The stones on the board.
    #[inline]
    pub fn on_board(&self) -> u8 {
        sowing::stones(self.own) + sowing::stones(self.opponent)
    }

    /// The rule set.
    pub fn game(&self) -> Awari {
        self.game
    }

    /// The stones that a move captures.
    pub fn capture(&self, m: Pit) -> u8 {
        let sown = sowing::sow(self.own, self.opponent, m.0);
        if self.game.grand_slam == GrandSlam::NoCapture && sown.opponent == 0 {
            0
        } else {
            sowing::stones(sown.caught)
        }
    }

    /// Is this number of captured stones the end?
    #[inline]
    fn is_majority(&self, captured: u8) -> bool {
        2 * captured > self.total && self.game.end == End::Majority
    }

    /// Is the game over, now that the player to move has the board? The opponent moved last.
    #[inline]
    fn is_finished(&self) -> bool {
        self.own == 0
            || self.is_majority(self.opponent_captured)
            || self.game.grand_slam == GrandSlam::Forbidden && self.allowed() == 0
    }

    /// The high bits of the pits that the rules allow to sow, as long as the game is not over.
    #[inline]
    fn allowed(&self) -> u64 {
        // Where a pit of the opponent survives any move, every move leaves the opponent a stone.
        if sowing::is_safe(self.opponent) { sowing::filled(self.own) } else { self.allowed_by_trial() }
    }

    #[cold]
    fn allowed_by_trial(&self) -> u64 {
        let (mut feeding, mut slams) = (0, 0);
        let filled = sowing::filled(self.own);
        for pit in 0..6 {
            let bit = 0x80 << (8 * pit) & filled;
            if bit != 0 {
                let sown = sowing::sow(self.own, self.opponent, pit);
                *if sown.opponent != 0 {
                    &mut feeding
                } else if sown.caught != 0 {
                    &mut slams
                } else {
                    continue;
                } |= bit;
            }
        }
        let (must, may) = match self.game.grand_slam {
            GrandSlam::Avoided => (feeding, filled),
            GrandSlam::Forbidden => (feeding, filled & !slams),
            GrandSlam::NoCapture | GrandSlam::Allowed | GrandSlam::RestToOpponent => {
                (feeding | slams, filled)
            }
        };
        if must != 0 { must } else { may }
    }

    /// The high bits of the legal pits.
    #[inline]
    fn legal(&self) -> u64 {
        if self.over { 0 } else { self.allowed() }
    }

    /// What the player to move has more than the opponent.
    #[inline]
    fn lead(&self) -> i32 {
        i32::from(self.own_captured) - i32::from(self.opponent_captured)
    }

    /// A result of the player to move as a payoff.
    #[inline]
    fn result(&self, score: i32) -> Payoff {
        Payoff::zero_sum(if self.mover == Player::FIRST { score } else { -score })
    }
}

impl Position for Board {
    type Move = Pit;

    const CYCLIC: bool = true;

    #[inline]
    fn turn(&self) -> Turn {
        if self.over { Turn::Over } else { Turn::Player(self.mover) }
    }

    #[inline]
    fn moves(&self, mut each: impl FnMut(Pit)) {
        let mut left = self.legal();
        while left != 0 {
            each(Pit((left.trailing_zeros() / 8) as u8));
            left &= left - 1;
        }
    }

    #[inline]
    fn play(&mut self, m: Pit) {
        let mut sown = sowing::sow(self.own, self.opponent, m.0);
        if sown.opponent == 0 && sown.caught != 0 {
            match self.game.grand_slam {
                GrandSlam::NoCapture => (sown.opponent, sown.caught) = (sown.caught, 0),
                GrandSlam::RestToOpponent => {
                    self.opponent_captured += sowing::stones(sown.own);
                    sown.own = 0;
                }
                GrandSlam::Avoided | GrandSlam::Forbidden | GrandSlam::Allowed => {}
            }
        }
        let captured = self.own_captured + sowing::stones(sown.caught);
        (self.own, self.opponent) = (sown.opponent, sown.own);
        (self.own_captured, self.opponent_captured) = (self.opponent_captured, captured);
        self.mover = self.mover.other();
        self.over = self.is_finished();
    }

    /// Stones on the board belong to the opponent of a player who cannot move, and to nobody otherwise.
    #[inline]
    fn payoff(&self) -> Payoff {
        let rest = if self.allowed() == 0 { i32::from(self.on_board()) } else { 0 };
        self.result(self.lead() - rest)
    }

    #[inline]
    fn key(&self) -> u64 {
        let own = self.own | u64::from(self.own_captured) << 48 | u64::from(self.mover.0) << 56;
        let opponent = self.opponent | u64::from(self.opponent_captured) << 48;
        mix(mix(own).wrapping_add(opponent))
    }

    /// The stones left are shared evenly.
    #[inline]
    fn repeated(&self) -> Payoff {
        self.result(self.lead())
    }

    #[inline]
    fn count_moves(&self) -> usize {
        sowing::count(self.legal())
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Pit> {
        let mut left = self.legal();
        for _ in 0..rng.below(sowing::count(left)) {
            left &= left - 1;
        }
        (left != 0).then(|| Pit((left.trailing_zeros() / 8) as u8))
    }
}

impl TwoPlayer for Board {
    fn score_range(&self) -> (i32, i32) {
        if self.over {
            let score = self.payoff().of(Player::FIRST);
            (score, score)
        } else {
            let (lead, rest) = (self.repeated().of(Player::FIRST), i32::from(self.on_board()));
            (lead - rest, lead + rest)
        }
    }
}

/// Turning the board round exchanges the players: no symmetry while each keeps their seat.
impl Symmetric for Board {}
