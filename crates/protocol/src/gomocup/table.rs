//! The board as the manager tells it: the stones, and whose turn it is.

use super::command::{Refusal, error, numbers, shorten};
use endspiel_expertise::gomoku::Board;
use endspiel_game::Player;
use endspiel_rules::gomoku::Rule;
use endspiel_rules::grid::Grid;

/// The sides that a board may have.
const SIDES: std::ops::RangeInclusive<usize> = 5..=20;

/// A board and its stones in the order in which they came.
#[derive(Clone, Debug)]
pub struct Table {
    /// The board.
    pub grid: Grid,
    /// Whose turn it is. Stones need not alternate on a board that is set up.
    pub mover: Player,
    stones: Vec<(usize, Player)>,
}

impl Table {
    /// An empty board.
    pub fn new(width: usize, height: usize) -> Result<Self, Refusal> {
        if !SIDES.contains(&width) || !SIDES.contains(&height) {
            return error(format!("a board of {width}x{height} is not played here: 5 to 20 a side"));
        }
        let grid = Grid::new(width as u8, height as u8);
        Ok(Self { grid, mover: Player::FIRST, stones: Vec::new() })
    }

    /// The same board without its stones.
    pub fn clear(&mut self) {
        *self = Self { grid: self.grid, mover: Player::FIRST, stones: Vec::new() };
    }

    /// How many stones there are.
    pub fn count(&self) -> usize {
        self.stones.len()
    }

    /// The cell of a column and a row; rows are counted from the top, which makes no difference to the game.
    fn cell(&self, x: usize, y: usize) -> Result<usize, Refusal> {
        let (width, height) = (self.grid.width as usize, self.grid.height as usize);
        if x < width && y < height {
            return Ok(self.grid.cell(x, y));
        }
        error(format!("{x},{y} is off the board: 0,0 to {},{}", width - 1, height - 1))
    }

    /// Column and row of a cell as they are written.
    pub fn write(&self, cell: usize) -> String {
        let (x, y) = self.grid.column_row(cell);
        format!("{x},{y}")
    }

    /// A stone of this player's on an empty cell; it is then the other's turn.
    fn put(&mut self, x: usize, y: usize, player: Player) -> Result<usize, Refusal> {
        let cell = self.cell(x, y)?;
        if self.stones.iter().any(|&(taken, _)| taken == cell) {
            return error(format!("{x},{y} is taken"));
        }
        self.stones.push((cell, player));
        self.mover = player.other();
        Ok(cell)
    }

    /// The player to move puts a stone.
    pub fn play(&mut self, x: usize, y: usize) -> Result<usize, Refusal> {
        self.put(x, y, self.mover)
    }

    /// The player to move puts a stone on a cell that is known to be empty.
    pub fn play_cell(&mut self, cell: usize) {
        self.stones.push((cell, self.mover));
        self.mover = self.mover.other();
    }

    /// Takes a stone back; it is then the turn of its owner.
    pub fn take_back(&mut self, x: usize, y: usize) -> Result<(), Refusal> {
        let cell = self.cell(x, y)?;
        let Some(at) = self.stones.iter().position(|&(taken, _)| taken == cell) else {
            return error(format!("{x},{y} has no stone"));
        };
        self.mover = self.stones.remove(at).1;
        Ok(())
    }

    /// The board with its shapes; an error if the game is over.
    pub fn board(&self, rule: Rule) -> Result<Board, Refusal> {
        let mut board = Board::new(self.grid, rule);
        let mut over = false;
        for &(cell, player) in &self.stones {
            over |= board.fives(player).contains(cell);
            board.place(cell, player);
        }
        if over {
            return error("the game is over: there is a five");
        }
        if board.count() == self.grid.cells() {
            return error("the board is full");
        }
        Ok(board)
    }
}

/// Stones on their way from `BOARD` or `SWAP2BOARD` to `DONE`.
#[derive(Clone, Debug)]
pub struct SetUp {
    /// Is it an opening by swap2?
    pub swap: bool,
    stones: Vec<[usize; 3]>,
    wrong: Option<Refusal>,
}

impl SetUp {
    /// Nothing yet.
    pub fn new(swap: bool) -> Self {
        Self { swap, stones: Vec::new(), wrong: None }
    }

    /// A line `x,y,field`, or `x,y` in an opening by swap2. What is wrong is told at the end.
    pub fn line(&mut self, text: &str) {
        let stone = match numbers(text).as_deref() {
            Some(&[x, y]) if self.swap => Some([x, y, 0]),
            Some(&[x, y, field @ 1..=2]) if !self.swap => Some([x, y, field]),
            _ => None,
        };
        let form =
            if self.swap { "x,y" } else { "x,y,1 for an own stone and x,y,2 for one of the opponent's" };
        match stone {
            Some(stone) if self.stones.len() < 400 => self.stones.push(stone),
            _ if self.wrong.is_none() => {
                self.wrong = Some(Refusal::Error(format!("'{}' is not {form}", shorten(text))));
            }
            _ => {}
        }
    }

    /// Lays the stones on an empty table. Who has fewer stones, or the same number, is to move and is who is asked;
    /// Black has the first stone.
    pub fn finish(self, table: &mut Table) -> Result<(), Refusal> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        let mut next = table.clone();
        next.clear();
        if self.swap {
            for [x, y, _] in self.stones {
                next.play(x, y)?;
            }
        } else {
            let own = self.stones.iter().filter(|stone| stone[2] == 1).count();
            let me = if own < self.stones.len() - own { Player::SECOND } else { Player::FIRST };
            for [x, y, field] in self.stones {
                next.put(x, y, if field == 1 { me } else { me.other() })?;
            }
            next.mover = me;
        }
        *table = next;
        Ok(())
    }
}
