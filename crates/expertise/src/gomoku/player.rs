//! Chooses a move against the clock: threats first, then alpha-beta on the cells near the stones.
//!
//! First what cannot wait: a five, or the cell that stops one. Then wins by fours and by threes. If the opponent would
//! win by fours, only the cells that may upset it count. Alpha-beta deepens by one ply at a time, on the most
//! promising cells and with wins by fours at its leaves. Of the moves found, the best one after which no win by threes
//! is seen is played.

use super::board::{Board, Cells};
use super::fours::{Fours, Limit};
use super::threes::Threes;
use endspiel_game::{Player, Stop};
use std::time::{Duration, Instant};

/// What a player may spend on a move.
#[derive(Clone, Debug, Default)]
pub struct Allowance {
    /// Time; without it `nodes` is what ends the search.
    pub time: Option<Duration>,
    /// Positions of the alpha-beta search.
    pub nodes: Option<u64>,
    /// Set from outside to end it at once.
    pub stop: Stop,
}

/// A move, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Where.
    pub cell: usize,
    /// What is thought of it: [`WIN`] and less for a win seen, the difference of open windows otherwise.
    pub value: i32,
    /// The plies that alpha-beta looked ahead.
    pub depth: u32,
    /// The positions it saw.
    pub nodes: u64,
}

/// The value of a won game; one less for each ply to it.
pub const WIN: i32 = 30_000;
/// Values beyond this are wins.
pub const SURE: i32 = WIN - 1000;

const TEMPO: i32 = 24;
const DEEPEST: u32 = 40;
/// Candidates at the root and at the least further down.
const WIDE: usize = 40;
const NARROW: usize = 12;
/// Nodes of a search for fours at a leaf.
const GLANCE: u64 = 24;
const NODES: u64 = 50_000;
const PLIES: u32 = 60;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    value: i16,
    best: u16,
    depth: i8,
    bound: u8,
}

const NOTHING: u16 = u16::MAX;
const EXACT: u8 = 3;
const LEAST: u8 = 1;
const MOST: u8 = 2;

/// A player with a memory of what it has searched.
#[derive(Debug)]
pub struct Engine {
    fours: Fours,
    threes: Threes,
    table: Vec<Entry>,
    /// The cells near each cell.
    near: Vec<Cells>,
    limit: Limit,
    nodes: u64,
}

impl Engine {
    /// A player on boards like this one, with so many bytes for its table.
    pub fn new(board: &Board, memory: usize) -> Self {
        let entries = (memory / size_of::<Entry>()).clamp(1 << 10, 1 << 26);
        let grid = board.grid();
        let near = (0..grid.cells()).map(|cell| {
            let (column, row) = grid.column_row(cell);
            let is_near = |other: &usize| {
                let (x, y) = grid.column_row(*other);
                let (dx, dy) = (x.abs_diff(column), y.abs_diff(row));
                dx.max(dy) <= 2 && (dx == 0 || dy == 0 || dx == dy)
            };
            (0..grid.cells()).filter(is_near).collect()
        });
        Self {
            fours: Fours::new(14),
            threes: Threes::default(),
            table: vec![Entry { best: NOTHING, ..Entry::default() }; 1 << entries.ilog2()],
            near: near.collect(),
            limit: Limit::nodes(0),
            nodes: 0,
        }
    }

    /// A legal move of the player to move; none if there is none.
    pub fn choose(&mut self, board: &mut Board, mover: Player, allowance: &Allowance) -> Option<Choice> {
        let begun = Instant::now();
        let sure = |cell, value| Some(Choice { cell, value, depth: 0, nodes: 0 });
        let share = |percent: u32| allowance.time.and_then(|time| begun.checked_add(time * percent / 100));
        let limit = |nodes: u64, percent| Limit::nodes(nodes).until(share(percent), &allowance.stop);
        let whole = allowance.nodes.unwrap_or(if allowance.time.is_some() { u64::MAX } else { NODES });
        let other = mover.other();
        // 1. What cannot wait.
        if let Some(cell) = board.fives(mover).lowest() {
            return sure(cell, WIN - 1);
        }
        let must = *board.fives(other);
        if let Some(cell) = must.iter().find(|&cell| board.allows(mover, cell)) {
            return sure(cell, if must.len() > 1 { 2 - WIN } else { 0 });
        }
        let legal: Cells = board.empty().iter().filter(|&cell| board.allows(mover, cell)).collect();
        let fallback = legal.lowest()?;
        if board.count() == 0 {
            let grid = board.grid();
            return sure(grid.cell(grid.width as usize / 2, grid.height as usize / 2), 0);
        }
        // 2. Wins by threats.
        if let Some(cell) = self.fours.win(board, mover, &mut limit(whole, 20)) {
            return sure(cell, SURE + 1);
        }
        if let Some(cell) = self.threes.win(board, mover, 8, &mut limit(whole.min(NODES * 10) / 4, 40)) {
            return sure(cell, SURE + 1);
        }
        // 3. What has to be prevented.
        let attack = self.fours.attack(board, other, &mut limit(whole, 45));
        let worth_a_look = attack.map_or(legal, |win| win.zone & legal);
        let mut moves = self.candidates(board, mover, worth_a_look, WIDE);
        if moves.is_empty() {
            moves.extend(worth_a_look.iter().chain([fallback]).take(WIDE));
        }
        // 4. Alpha-beta.
        self.limit = limit(whole, 85);
        self.nodes = 0;
        let value = evaluation(board, mover);
        let mut best: Vec<(i32, usize)> = moves.into_iter().map(|cell| (0, cell)).collect();
        let mut reached = 0;
        for depth in 1..=DEEPEST {
            let Some(found) = self.root(board, mover, value, &best, depth) else { break };
            (best, reached) = (found, depth);
            if best.len() == 1 || best[0].0.abs() > SURE {
                break;
            }
        }
        // 5. Not into a win by threes, if that can be seen and helped.
        let safe = best.iter().take(6).find(|&&(_, cell)| {
            board.place(cell, mover);
            let lost = self.threes.win(board, other, 4, &mut limit(whole.min(NODES * 10) / 16, 98)).is_some();
            board.remove(cell, mover);
            !lost
        });
        let &(value, cell) = safe.or(best.first())?;
        Some(Choice { cell, value, depth: reached, nodes: self.nodes })
    }

    /// The values of the moves at the root, the best first; none if the limit came first.
    fn root(
        &mut self,
        board: &mut Board,
        mover: Player,
        value: i32,
        moves: &[(i32, usize)],
        depth: u32,
    ) -> Option<Vec<(i32, usize)>> {
        let (mut alpha, mut found) = (-WIN, Vec::with_capacity(moves.len()));
        for (i, &(_, cell)) in moves.iter().enumerate() {
            let next = -(value + board.worth(cell, mover));
            board.place(cell, mover);
            let mut window = |board: &mut Board, low: i32, high: i32| {
                self.search(board, mover.other(), next, (-high, -low), depth as i32 - 1, 1).map(|v| -v)
            };
            let mut score = if i == 0 { None } else { Some(window(board, alpha, alpha + 1)) };
            if score.is_none() || score.flatten().is_some_and(|score| score > alpha) {
                score = Some(window(board, alpha, WIN));
            }
            board.remove(cell, mover);
            let score = score.flatten()?;
            // What did not get above the best so far stays in its order behind it.
            found.push((if score > alpha { score } else { score.min(alpha) - 1 }, cell));
            alpha = alpha.max(score);
        }
        found.sort_by_key(|&(score, _)| -score);
        Some(found)
    }

    /// The value for the player to move of the position, between the bounds or beyond them; `value` is its
    /// evaluation. None if the limit is reached.
    fn search(
        &mut self,
        board: &mut Board,
        mover: Player,
        value: i32,
        (mut alpha, beta): (i32, i32),
        depth: i32,
        ply: u32,
    ) -> Option<i32> {
        self.limit.spend()?;
        self.nodes += 1;
        let (other, far) = (mover.other(), ply as i32);
        // 1. Fives, and straight fours where the opponent has none.
        if !board.fives(mover).is_empty() {
            return Some(WIN - far - 1);
        }
        let must = *board.fives(other);
        if must.len() > 1 {
            return Some(far + 2 - WIN);
        }
        if must.is_empty() && board.straights(mover).iter().any(|cell| board.allows(mover, cell)) {
            return Some(WIN - far - 3);
        }
        if board.count() == board.grid().cells() {
            return Some(0);
        }
        // 2. At a leaf, fours; what has to be met is looked at a little further.
        let threatened = !must.is_empty() || !board.straights(other).is_empty();
        if (depth <= 0 && !threatened) || depth <= -4 || ply >= PLIES {
            if !board.fours(mover).is_empty() {
                let wins = self.fours.win(board, mover, &mut self.limit.part(GLANCE)).is_some();
                if wins {
                    return Some(WIN - far - 5);
                }
            }
            return Some(value + TEMPO);
        }
        // 3. What is remembered.
        let key = board.key() ^ u64::from(mover.0) << 63 ^ 1;
        let place = key as usize & (self.table.len() - 1);
        let known = self.table[place];
        let mut first = NOTHING;
        if known.key == key {
            first = known.best;
            let remembered = from_table(known.value, far);
            let enough = known.bound == EXACT
                || known.bound == LEAST && remembered >= beta
                || known.bound == MOST && remembered <= alpha;
            if i32::from(known.depth) >= depth && enough {
                return Some(remembered);
            }
        }
        // 4. The cells that stop a five or a straight four, or the promising ones.
        let legal = if must.is_empty() {
            if threatened {
                *board.fours(mover) | *board.fours(other)
            } else {
                Cells::first(board.grid().cells())
            }
        } else {
            must
        };
        let wide = WIDE.saturating_sub(8 * ply as usize).max(NARROW);
        let mut moves = self.candidates(board, mover, legal, wide);
        if let Some(at) = moves.iter().position(|&cell| cell == first as usize) {
            moves[..=at].rotate_right(1);
        }
        let below = if must.is_empty() { depth - 1 } else { depth.max(-2) };
        let (before, mut best, mut best_cell) = (alpha, far + 4 - WIN, NOTHING);
        let mut tried = false;
        for cell in moves {
            if !board.allows(mover, cell) {
                continue;
            }
            let next = -(value + board.worth(cell, mover));
            board.place(cell, mover);
            let mut window = |board: &mut Board, low: i32, high: i32| {
                self.search(board, other, next, (-high, -low), below, ply + 1).map(|v| -v)
            };
            let mut score = if tried { window(board, alpha, alpha + 1) } else { window(board, alpha, beta) };
            if tried && score.is_some_and(|score| score > alpha && score < beta) {
                score = window(board, alpha, beta);
            }
            board.remove(cell, mover);
            let score = score?;
            tried = true;
            if score > best || best_cell == NOTHING {
                (best, best_cell) = (score, cell as u16);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        // Nothing near and nothing forced: the board is nearly full or nothing allowed is near.
        if !tried && must.is_empty() && !threatened {
            return Some(value);
        }
        let bound = if best >= beta {
            LEAST
        } else if best > before {
            EXACT
        } else {
            MOST
        };
        let depth = depth.clamp(-8, 100) as i8;
        self.table[place] = Entry { key, value: to_table(best, far), best: best_cell, depth, bound };
        Some(best)
    }

    /// The most promising of these cells that lie near a stone, the best first.
    fn candidates(&self, board: &Board, mover: Player, among: Cells, most: usize) -> Vec<usize> {
        let stones = *board.stones(Player::FIRST) | *board.stones(Player::SECOND);
        let mut near = Cells::EMPTY;
        stones.iter().for_each(|stone| near |= self.near[stone]);
        let cells = (near & among).without(stones);
        let mut order: Vec<(i32, usize)> = cells
            .iter()
            .map(|cell| {
                let (fours, threes) = board.makes(mover, cell);
                let bonus = 40 * (fours + threes).saturating_sub(1) as i32;
                (-board.worth(cell, mover) - bonus, cell)
            })
            .collect();
        order.sort_unstable();
        order.truncate(most);
        order.into_iter().map(|(_, cell)| cell).collect()
    }
}

/// The difference of the players' open windows.
fn evaluation(board: &Board, mover: Player) -> i32 {
    let mut empty = Board::new(board.grid(), board.rule());
    let mut value = 0;
    for player in [mover, mover.other()] {
        for cell in board.stones(player).iter() {
            let worth = empty.worth(cell, player);
            value += if player == mover { worth } else { -worth };
            empty.place(cell, player);
        }
    }
    value
}

/// Wins in a table are counted from the position, not from the root.
fn to_table(value: i32, ply: i32) -> i16 {
    let value = if value > SURE {
        value + ply
    } else if value < -SURE {
        value - ply
    } else {
        value
    };
    value.clamp(-32_000, 32_000) as i16
}

fn from_table(value: i16, ply: i32) -> i32 {
    let value = i32::from(value);
    if value > SURE {
        value - ply
    } else if value < -SURE {
        value + ply
    } else {
        value
    }
}
