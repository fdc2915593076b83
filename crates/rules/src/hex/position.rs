//! A position of Hex: the stones, and for each player the stones connected with the home side.
//!
//! A stone joins the connected ones at most once, so all the looking for a winner in a game costs no more
//! than one flood of the board. Random games fill the board at once and look for the winner at the end,
//! since a full board has exactly one.

use super::bridges;
use super::topology::{Topology, winner_of_full};
use crate::bits::Bits;
use crate::grid::Cell;
use endspiel_game::{Payoff, Player, Position, Rng, Symmetric, TextError, Turn, TwoPlayer, mix};

/// A move of Hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HexMove {
    /// A stone on a cell.
    Place(Cell),
    /// The second player takes over the first stone, mirrored so that it serves the second player's sides.
    Swap,
}

/// A state of Hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexPosition<const WORDS: usize> {
    stones: [Bits<WORDS>; 2],
    /// The stones of each player that are connected with the home side.
    joined: [Bits<WORDS>; 2],
    board: &'static Topology,
    empty: u16,
    mover: Player,
    winner: Option<Player>,
    /// Do the rules have the swap?
    swap: bool,
}

impl<const WORDS: usize> HexPosition<WORDS> {
    /// The empty board.
    pub(super) fn start(board: &'static Topology, swap: bool) -> Self {
        let empty = board.cells() as u16;
        let (stones, joined) = ([Bits::EMPTY; 2], [Bits::EMPTY; 2]);
        Self { stones, joined, board, empty, mover: Player::FIRST, winner: None, swap }
    }

    pub(super) fn new(
        board: &'static Topology,
        swap: bool,
        stones: [Bits<WORDS>; 2],
        mover: Player,
    ) -> Result<Self, TextError> {
        let empty = (board.cells() - (stones[0] | stones[1]).len()) as u16;
        let position = Self { stones, empty, mover, ..Self::start(board, swap) }.joined_anew();
        if position.winner == Some(mover) {
            let what = "who is to move has connected the sides already";
            return Err(TextError::new(0, what, "the other player to move after a win"));
        }
        Ok(position)
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &'static Topology {
        self.board
    }

    /// The cells of a player's stones.
    #[inline]
    pub fn stones(&self, player: Player) -> Bits<WORDS> {
        self.stones[player.index()]
    }

    /// The empty cells.
    #[inline]
    pub fn empty(&self) -> Bits<WORDS> {
        Bits::first(self.board.cells()).without(self.stones[0] | self.stones[1])
    }

    /// Who is or would be to move, also after the end.
    pub(super) fn next(&self) -> Player {
        self.mover
    }

    /// The winner's stones that are connected with the home side.
    pub fn winning_chain(&self) -> Option<Bits<WORDS>> {
        self.winner.map(|player| self.joined[player.index()])
    }

    /// May the player to move swap? Only the second player may, and only the very first stone.
    #[inline]
    pub fn may_swap(&self) -> bool {
        self.swap
            && self.winner.is_none()
            && self.mover == Player::SECOND
            && self.empty as usize + 1 == self.board.cells()
            && self.stones[1].is_empty()
    }

    /// May the next stone or the last one still be swapped?
    #[inline]
    pub fn swap_ahead(&self) -> bool {
        let empty_board = self.empty as usize == self.board.cells();
        self.may_swap() || self.swap && empty_board && self.mover == Player::FIRST
    }

    /// A stone that touches the home side or a stone connected with it: takes in all that hangs on it.
    fn join(&mut self, cell: usize, player: Player) {
        let stones = self.stones[player.index()];
        let joined = &mut self.joined[player.index()];
        let mut pending = Bits::EMPTY;
        pending.insert(cell);
        while let Some(cell) = pending.lowest() {
            pending.remove(cell);
            joined.insert(cell);
            pending |= (self.board.neighbours(cell) & stones).without(*joined);
        }
        if !(*joined & self.board.goal(player)).is_empty() {
            self.winner = Some(player);
        }
    }

    /// The position with its chains followed from the home sides.
    fn joined_anew(mut self) -> Self {
        (self.joined, self.winner) = ([Bits::EMPTY; 2], None);
        for player in [Player::FIRST, Player::SECOND] {
            for cell in (self.stones[player.index()] & self.board.home(player)).iter() {
                self.join(cell, player);
            }
        }
        self
    }

    fn place(&mut self, cell: usize) {
        let player = self.mover;
        self.stones[player.index()].insert(cell);
        let near = self.board.neighbours(cell) & self.joined[player.index()];
        if !near.is_empty() || self.board.home::<WORDS>(player).contains(cell) {
            self.join(cell, player);
        }
        self.empty -= 1;
        self.mover = player.other();
    }

    /// The cell mirrored in the long diagonal, which exchanges the players' sides.
    fn mirrored(&self, cell: usize) -> usize {
        let size = self.board.size();
        cell / size + cell % size * size
    }

    /// Fills the board at random: the player to move gets half of the empty cells, rounded up.
    fn fill(&mut self, rng: &mut Rng) {
        let empty = self.empty();
        let half = (self.empty as usize).div_ceil(2);
        // Each empty cell with chance 1/2; then random ones are put in or out until it is half of them.
        // All halves have the same chance, since nothing here tells one cell from another.
        let mut own = Bits(std::array::from_fn(|i| if empty.0[i] == 0 { 0 } else { rng.bits() })) & empty;
        let mut count = own.len();
        while count != half {
            let (candidates, among) =
                if count < half { (empty.without(own), self.empty as usize - count) } else { (own, count) };
            let Some(cell) = candidates.nth(rng.below(among)) else { break };
            if count < half {
                own.insert(cell);
                count += 1;
            } else {
                own.remove(cell);
                count -= 1;
            }
        }
        self.stones[self.mover.index()] |= own;
        self.stones[self.mover.other().index()] |= empty.without(own);
        if self.empty % 2 == 1 {
            self.mover = self.mover.other();
        }
        self.empty = 0;
        self.winner = Some(winner_of_full(self.board.size(), &self.stones[0]));
    }
}

/// The hash: two sets that differ in one word differ in it.
#[inline]
fn hash<const WORDS: usize>(stones: &[Bits<WORDS>; 2], mover: Player) -> u64 {
    let words = stones[0].0.iter().chain(&stones[1].0);
    let salted = words.enumerate().map(|(i, &word)| mix(word ^ mix(2 * i as u64 + mover.0 as u64)));
    salted.fold(0, u64::wrapping_add)
}

impl<const WORDS: usize> Position for HexPosition<WORDS> {
    type Move = HexMove;

    #[inline]
    fn turn(&self) -> Turn {
        if self.winner.is_some() { Turn::Over } else { Turn::Player(self.mover) }
    }

    #[inline]
    fn moves(&self, mut each: impl FnMut(HexMove)) {
        if self.winner.is_none() {
            self.empty().iter().for_each(|cell| each(HexMove::Place(Cell(cell as u16))));
            if self.may_swap() {
                each(HexMove::Swap);
            }
        }
    }

    #[inline]
    fn play(&mut self, m: HexMove) {
        match m {
            HexMove::Place(cell) => self.place(cell.index()),
            HexMove::Swap => {
                let stone = self.stones[0].lowest().map(|cell| self.mirrored(cell));
                (self.stones, self.joined) = ([Bits::EMPTY; 2], [Bits::EMPTY; 2]);
                self.empty = self.board.cells() as u16;
                if let Some(cell) = stone {
                    self.place(cell);
                }
            }
        }
    }

    #[inline]
    fn payoff(&self) -> Payoff {
        self.winner.map_or(Payoff::DRAW, Payoff::win)
    }

    #[inline]
    fn key(&self) -> u64 {
        hash(&self.stones, self.mover)
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.winner.is_some() { 0 } else { self.empty as usize + usize::from(self.may_swap()) }
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<HexMove> {
        if self.winner.is_some() {
            return None;
        }
        let pick = rng.below(self.count_moves());
        Some(self.empty().nth(pick).map_or(HexMove::Swap, |cell| HexMove::Place(Cell(cell as u16))))
    }

    /// Goes on to a full board: the winner is who connects first, and stones after that change nothing.
    fn playout(&mut self, rng: &mut Rng, limit: usize) -> Payoff {
        let mut left = limit;
        // Where a swap may come, or the limit before the end, it goes move by move.
        let early = |position: &Self| position.swap && position.empty as usize + 1 >= position.board.cells();
        while self.winner.is_none() && left > 0 && (early(self) || left < self.empty as usize) {
            if let Some(m) = self.random_move(rng) {
                self.play(m);
            }
            left -= 1;
        }
        if self.winner.is_none() && left > 0 {
            self.fill(rng);
        }
        self.payoff()
    }
}

impl<const WORDS: usize> TwoPlayer for HexPosition<WORDS> {
    fn turned(&self) -> Option<Self> {
        // A swap has its place in the order of moves.
        (self.winner.is_none() && !self.swap_ahead()).then(|| Self { mover: self.mover.other(), ..*self })
    }

    const DRAWS: bool = false;

    #[inline]
    fn score_range(&self) -> (i32, i32) {
        match self.winner {
            Some(player) => {
                let score = Payoff::win(player).of(Player::FIRST);
                (score, score)
            }
            None => (-1, 1),
        }
    }

    fn secured(&self, player: Player, at_least: i32) -> bool {
        let moves = self.mover == player;
        at_least <= 1
            && !self.swap_ahead()
            && bridges::connected(self.board, player, self.stones(player), self.empty(), moves)
    }

    fn how_secured(player: &str, other: &str) -> String {
        format!(
            "bridges connect {player}'s sides whatever {other} plays: who breaks into one is answered at its other cell"
        )
    }
}

/// Half a turn of the board.
impl<const WORDS: usize> Symmetric for HexPosition<WORDS> {
    #[inline]
    fn symmetries(&self) -> usize {
        2
    }

    fn image(&self, s: usize) -> Self {
        if s == 0 {
            return *self;
        }
        let stones = self.stones.map(|set| set.reversed(self.board.cells()));
        Self { stones, ..*self }.joined_anew()
    }

    #[inline]
    fn image_move(&self, m: HexMove, s: usize) -> HexMove {
        match m {
            HexMove::Place(cell) if s == 1 => HexMove::Place(Cell(self.board.cells() as u16 - 1 - cell.0)),
            _ => m,
        }
    }

    #[inline]
    fn canonical_key(&self) -> u64 {
        let turned = self.stones.map(|set| set.reversed(self.board.cells()));
        self.key().min(hash(&turned, self.mover))
    }
}
