//! Connect-four: stones fall to the bottom of a column; four in a row win.
//!
//! A position is two bitboards in columns (see [`Board::mask`]): the stones of the player to move and all
//! stones. Their sum is an exact code of the position ([`Board::exact_code`]). Beside the rules the board
//! offers what solvers live on: winning cells, possible cells, moves that do not lose at once.
//!
//! ```
//! use endspiel_game::{Game, Notation, Payoff, Player, Position};
//! use endspiel_rules::connect_four::{Column, ConnectFour};
//!
//! let (board, _) = ConnectFour::STANDARD.start().read_line("44535566").unwrap();
//! assert_eq!(board.column_of(board.winning_moves()), Column(6));
//! assert_eq!(board.after(Column(6)).payoff(), Payoff::win(Player::FIRST));
//! ```

mod bits;
mod notation;
mod superset;
#[cfg(test)]
mod tests;

use endspiel_game::notation::{number, shorten};
use endspiel_game::{
    About, Convergence, Game, Payoff, Player, Position, Rng, Superset, Symmetric, TextError, Turn, TwoPlayer,
    mix,
};

/// The rule set: the size of the grid, and whether it counts how soon one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    width: u8,
    height: u8,
    fastest: bool,
}

/// The word for the variant that counts how soon one wins.
const FASTEST: &str = "fastest";

impl ConnectFour {
    /// The usual grid, 7 columns of 6 cells.
    pub const STANDARD: Self = Self { width: 7, height: 6, fastest: false };

    /// A grid of `width` columns of `height` cells, if (height + 1) * width is at most 64.
    pub fn new(width: usize, height: usize) -> Option<Self> {
        let fits = width >= 1 && (1..64).contains(&height) && width <= 64 / (height + 1);
        fits.then_some(Self { width: width as u8, height: height as u8, fastest: false })
    }

    /// The same grid, where a win pays one more than the stones that the winner has left (see
    /// [`Board::win_on`]): the sooner, the better.
    #[must_use]
    pub fn fastest(self) -> Self {
        Self { fastest: true, ..self }
    }

    /// The number of columns.
    pub fn width(self) -> usize {
        self.width.into()
    }

    /// The number of cells in a column.
    pub fn height(self) -> usize {
        self.height.into()
    }
}

impl Game for ConnectFour {
    type Position = Board;

    const ABOUT: About = About {
        name: "connect-four",
        title: "Connect-Four",
        summary: "Be the first to have four of your discs in a row.",
        rules: "The grid stands upright, usually 7 columns of 6 cells. In turn each player drops a disc of \
                their colour into a column that is not full; it comes to rest on the discs already there. Who \
                first has four of their discs next to each other in a straight line, upright, level or \
                diagonal, wins (longer lines win too). If the grid fills up before that, the game is a draw. \
                Black begins. In the variant `fastest` the winner gets one point, and one more for each of their \
                discs that is left: the sooner the win, the more it pays.",
        variants: "WIDTHxHEIGHT, such as 6x5, with (HEIGHT + 1) * WIDTH at most 64; `fastest`, alone or after \
                   the size and a comma",
        examples: &["4x4", "5x4", "5x5", "6x5", "6x6", "8x7", "fastest", "6x5,fastest"],
        players: ["Black", "White"],
        sudden_death: true,
        convergence: Convergence::Diverging,
        notation: "A move is the number of a column from the left: 4; a list may run together: 4453. A \
                   position is its rows from the top, x for Black and o for White, then the player to move: \
                   ......./......./......./......./...o.../...x... x",
    };

    fn from_variant(text: &str) -> Result<Self, TextError> {
        let (text, fastest) = match text.strip_suffix(FASTEST) {
            Some("") => ("", true),
            Some(size) if size.ends_with(',') && size.len() > 1 => (&size[..size.len() - 1], true),
            _ => (text, false),
        };
        if text.is_empty() {
            return Ok(Self { fastest, ..Self::STANDARD });
        }
        let Some((width, height)) = text.split_once(['x', 'X']) else {
            let what = format!("'{}' is not a size", shorten(text));
            return Err(TextError::new(0, what, "WIDTHxHEIGHT such as 6x5, fastest, or 6x5,fastest"));
        };
        let after = width.len() + 1;
        let width = number(width, "width", 1, 32)?;
        let height = number(height, "height", 1, 63).map_err(|e| e.shifted(after))?;
        let game = Self::new(width, height).ok_or_else(|| {
            let what = format!("a grid of {width}x{height} is too large");
            let expected = format!("a height of at most {} for this width", 64 / width - 1);
            TextError::new(after, what, expected)
        })?;
        Ok(Self { fastest, ..game })
    }

    fn variant(&self) -> String {
        let usual = Self { fastest: false, ..*self } == Self::STANDARD;
        let size = format!("{}x{}", self.width, self.height);
        match (usual, self.fastest) {
            (true, false) => String::new(),
            (true, true) => FASTEST.into(),
            (false, false) => size,
            (false, true) => format!("{size},{FASTEST}"),
        }
    }

    fn start(&self) -> Board {
        let stride = u32::from(self.height) + 1;
        let bottom = (0..u32::from(self.width)).fold(0, |out, c| out | 1 << (c * stride));
        let (width, height, fastest) = (self.width, self.height, self.fastest);
        Board { own: 0, mask: 0, bottom, width, height, stones: 0, won: false, fastest }
    }

    fn read(&self, text: &str) -> Result<Board, TextError> {
        notation::read(*self, text)
    }

    fn superset(&self) -> Option<Superset> {
        Some(superset::superset(*self))
    }
}

/// A move: a stone into this column, counted from 0 at the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(pub u8);

/// A position.
///
/// All bitboards have the cell in column c, row r (both from 0, rows from the bottom) at bit
/// `c * (height + 1) + r`. The bit above each column is on no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    own: u64,
    mask: u64,
    bottom: u64,
    width: u8,
    height: u8,
    stones: u8,
    won: bool,
    fastest: bool,
}

impl Board {
    /// The stones of the player to move; after a win, of the loser.
    #[inline]
    pub fn own(&self) -> u64 {
        self.own
    }

    /// The stones of the player who moved last.
    #[inline]
    pub fn other(&self) -> u64 {
        self.own ^ self.mask
    }

    /// All stones.
    #[inline]
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// The lowest cell of every column.
    #[inline]
    pub fn bottom(&self) -> u64 {
        self.bottom
    }

    /// All cells of the grid.
    #[inline]
    pub fn cells(&self) -> u64 {
        self.bottom * ((1 << self.height) - 1)
    }

    /// All cells of one column.
    #[inline]
    pub fn column(&self, column: Column) -> u64 {
        ((1 << self.height) - 1) << (u32::from(column.0) * self.stride())
    }

    /// The number of columns.
    #[inline]
    pub fn width(&self) -> usize {
        self.width.into()
    }

    /// The number of cells in a column.
    #[inline]
    pub fn height(&self) -> usize {
        self.height.into()
    }

    /// The number of stones: the plies played so far.
    #[inline]
    pub fn stones(&self) -> u32 {
        self.stones.into()
    }

    /// Did the player who moved last win?
    #[inline]
    pub fn is_won(&self) -> bool {
        self.won
    }

    /// The number of empty cells: the plies that can still be played.
    #[inline]
    pub fn left(&self) -> u32 {
        u32::from(self.width) * u32::from(self.height) - u32::from(self.stones)
    }

    /// Does it count how soon one wins?
    #[inline]
    pub fn is_fastest(&self) -> bool {
        self.fastest
    }

    /// What a player gets who wins with the stone that is number `ply` of the game, at most the last one: one
    /// point; where it counts how soon, one more for each stone that the player has left.
    #[inline]
    pub fn win_on(&self, ply: u32) -> i32 {
        if self.fastest { (self.left() + self.stones() + 2).saturating_sub(ply) as i32 / 2 } else { 1 }
    }

    /// The position after a stone on `cell`, a possible one that is known not to win.
    #[must_use]
    #[inline]
    pub fn after_quiet(&self, cell: u64) -> Self {
        Self { own: self.other(), mask: self.mask | cell, stones: self.stones + 1, ..*self }
    }

    /// The bits from one column to the next: height + 1.
    #[inline]
    pub fn stride(&self) -> u32 {
        u32::from(self.height) + 1
    }

    /// The cells where a stone may come to rest now: the lowest empty one of each column. Looks at the
    /// stones alone: there may be such cells after a win, too.
    #[inline]
    pub fn possible(&self) -> u64 {
        (self.mask + self.bottom) & self.cells()
    }

    /// The empty cells, in reach or not, that would complete a four of the player to move.
    #[inline]
    pub fn winning_cells(&self) -> u64 {
        bits::completing(self.own, self.stride(), self.width.into()) & (self.cells() ^ self.mask)
    }

    /// The empty cells, in reach or not, that would complete a four of the opponent.
    #[inline]
    pub fn opponent_winning_cells(&self) -> u64 {
        bits::completing(self.other(), self.stride(), self.width.into()) & (self.cells() ^ self.mask)
    }

    /// The cells, empty or not, that would complete a four of `stones`; also bits that are no cells.
    #[inline]
    pub fn completing(&self, stones: u64) -> u64 {
        bits::completing(stones, self.stride(), self.width.into())
    }

    /// Are four of these cells in a row?
    #[inline]
    pub fn has_four(&self, cells: u64) -> bool {
        bits::has_four(cells, self.stride(), self.width.into())
    }

    /// The cells where a stone of the player to move wins at once.
    #[inline]
    pub fn winning_moves(&self) -> u64 {
        self.winning_cells() & self.possible()
    }

    /// The cells where a stone of the opponent would win at once, were it the opponent's turn.
    #[inline]
    pub fn opponent_winning_moves(&self) -> u64 {
        self.opponent_winning_cells() & self.possible()
    }

    /// The possible cells after which the opponent cannot win at once. If there is none, and
    /// [`Board::winning_moves`] is empty too, the player to move loses on the opponent's next ply (or the
    /// grid is full).
    #[inline]
    pub fn non_losing(&self) -> u64 {
        self.non_losing_against(self.opponent_winning_cells())
    }

    /// The same, for those who know the winning cells of the opponent already.
    #[inline]
    pub fn non_losing_against(&self, threats: u64) -> u64 {
        let possible = self.possible();
        let forced = possible & threats;
        let two_or_more = forced & forced.wrapping_sub(1) != 0;
        let candidates = if two_or_more {
            0
        } else if forced == 0 {
            possible
        } else {
            forced
        };
        // A stone right below a threat lets the opponent carry it out.
        candidates & !(threats >> 1)
    }

    /// The column of a cell, given as a board with this one bit.
    #[inline]
    pub fn column_of(&self, cell: u64) -> Column {
        Column((cell.trailing_zeros() / self.stride()) as u8)
    }

    /// A number of (height + 1) * width bits that no other position of this size has: the sum of the
    /// stones of the player to move and all stones. In each column the sum of `k` stones lies from 2^k - 1
    /// to 2^(k+1) - 2, so that columns do not carry and heights do not mix.
    #[inline]
    pub fn exact_code(&self) -> u64 {
        self.own + self.mask
    }

    /// The exact code of the mirror image.
    #[inline]
    pub fn mirrored_code(&self) -> u64 {
        bits::mirrored(self.exact_code(), self.stride(), self.width.into())
    }

    /// The position of this exact code, if it is one of `game`.
    pub fn from_exact_code(game: ConnectFour, code: u64) -> Option<Self> {
        let start = game.start();
        let stride = start.stride();
        let (mut own, mut mask) = (0, 0);
        for c in 0..u32::from(start.width) {
            let all = u64::MAX >> (64 - stride);
            let sum = Some(code >> (c * stride) & all).filter(|&sum| sum < all)?;
            let stones = (sum + 1).ilog2();
            let column = (1 << stones) - 1;
            mask |= column << (c * stride);
            own |= (sum - column) << (c * stride);
        }
        let board = start.with_stones(own, mask).ok()?;
        (board.exact_code() == code).then_some(board)
    }

    /// This empty board with stones, if play can be thought to lead there.
    fn with_stones(mut self, own: u64, mask: u64) -> Result<Self, &'static str> {
        (self.own, self.mask, self.stones) = (own, mask, mask.count_ones() as u8);
        if mask & !self.cells() != 0 || own & !mask != 0 || mask & (mask + self.bottom) != 0 {
            return Err("a stone hangs in the air");
        }
        if own.count_ones() != u32::from(self.stones) / 2 {
            return Err("the numbers of stones do not fit");
        }
        let (stride, width) = (self.stride(), self.width.into());
        if bits::has_four(own, stride, width) {
            return Err("there is a four of the player to move, or of both");
        }
        self.won = bits::has_four(self.other(), stride, width);
        // The last stone, on top of a column, completed every four there is.
        let tops = self.other() & (mask + self.bottom) >> 1;
        let removable =
            |c: u8| !bits::has_four(self.other() & !(tops & self.column(Column(c))), stride, width);
        if self.won && !(0..self.width).any(removable) {
            return Err("the fours are not the work of one last stone");
        }
        Ok(self)
    }

    /// Is there room in this column?
    #[inline]
    fn has_room(&self, column: u32) -> bool {
        self.mask >> (column * self.stride() + u32::from(self.height) - 1) & 1 == 0
    }
}

impl Position for Board {
    type Move = Column;

    #[inline]
    fn turn(&self) -> Turn {
        if self.won || self.mask == self.cells() { Turn::Over } else { Turn::Player(Player(self.stones & 1)) }
    }

    #[inline]
    fn moves(&self, mut each: impl FnMut(Column)) {
        if self.won {
            return;
        }
        for c in 0..self.width {
            if self.has_room(c.into()) {
                each(Column(c));
            }
        }
    }

    #[inline]
    fn play(&mut self, m: Column) {
        self.own ^= self.mask;
        self.mask |= self.mask + (1 << (u32::from(m.0) * self.stride()));
        self.stones += 1;
        self.won = bits::has_four(self.other(), self.stride(), self.width.into());
    }

    #[inline]
    fn payoff(&self) -> Payoff {
        if !self.won {
            return Payoff::DRAW;
        }
        let score = self.win_on(self.stones());
        Payoff::zero_sum(if self.stones & 1 == 1 { score } else { -score })
    }

    #[inline]
    fn key(&self) -> u64 {
        mix(self.exact_code())
    }

    #[inline]
    fn count_moves(&self) -> usize {
        // Without a branch: whether a random game is won is hard to foretell.
        let open = !(self.mask >> (self.height - 1)) & self.bottom;
        bits::count_bottom(open, self.bottom, self.stride(), self.width.into())
            & usize::from(self.won).wrapping_sub(1)
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Column> {
        if self.turn().is_over() {
            return None;
        }
        loop {
            let c = rng.below(self.width.into());
            if self.has_room(c as u32) {
                return Some(Column(c as u8));
            }
        }
    }

    #[inline]
    fn playout(&mut self, rng: &mut Rng, limit: usize) -> Payoff {
        for _ in 0..limit {
            match self.random_move(rng) {
                Some(m) => self.play(m),
                None => break,
            }
        }
        self.payoff()
    }
}

impl TwoPlayer for Board {
    fn score_range(&self) -> (i32, i32) {
        if self.turn().is_over() {
            let score = self.payoff().of(Player::FIRST);
            (score, score)
        } else if self.fastest {
            // Nobody wins before the fourth own stone or the next one.
            let most = |player: u32| {
                let next = self.stones() + 1 + u32::from(self.stones() % 2 != player);
                let ply = next.max(7 + player);
                if ply > self.stones() + self.left() { 0 } else { self.win_on(ply) }
            };
            (-most(1), most(0))
        } else {
            (-1, 1)
        }
    }

    fn plies_left(&self, score: i32) -> Option<u32> {
        if !self.fastest || score == 0 {
            return None;
        }
        // Two plies pay the same: one of each player.
        let last = (self.left() + 2).checked_sub(2 * score.unsigned_abs())?;
        let own = last % 2 == 1;
        if own == (score > 0) { Some(last) } else { last.checked_sub(1) }
    }

    #[inline]
    fn winning_move(&self, _likely: Option<Column>) -> Option<Column> {
        let wins = self.winning_moves();
        (wins != 0 && !self.turn().is_over()).then(|| self.column_of(wins))
    }
}

/// The identity and the reflection that exchanges left and right.
impl Symmetric for Board {
    #[inline]
    fn symmetries(&self) -> usize {
        2
    }

    #[inline]
    fn image(&self, s: usize) -> Self {
        let flip = |bits| if s == 0 { bits } else { bits::mirrored(bits, self.stride(), self.width.into()) };
        Self { own: flip(self.own), mask: flip(self.mask), ..*self }
    }

    #[inline]
    fn image_move(&self, m: Column, s: usize) -> Column {
        if s == 0 { m } else { Column(self.width - 1 - m.0) }
    }

    #[inline]
    fn canonical(&self) -> (Self, usize) {
        let s = usize::from(self.mirrored_code() < self.exact_code());
        (self.image(s), s)
    }

    #[inline]
    fn canonical_key(&self) -> u64 {
        mix(self.exact_code().min(self.mirrored_code()))
    }
}
