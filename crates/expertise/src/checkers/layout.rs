//! How the positions of an ending are numbered, without gaps.
//!
//! A *block* holds the positions with given leading ranks and player to move. In it the men of the stronger side come
//! first, then those of the weaker side on what squares they leave, then the kings of the stronger and of the weaker
//! side on what is left; each set by its colexicographic number. Sets of men whose farthest stands in a given row have
//! consecutive numbers. How many sets the weaker side has depends on the squares taken, so those are summed in a table.

use super::material::{MOST_OF_SIDE, Material};
use endspiel_game::Player;
use endspiel_rules::checkers::Board;
use std::ops::Range;

/// The sizes of sets, from none to all pieces of a side.
const SIZES: usize = MOST_OF_SIDE as usize + 1;

/// Ways to choose k of n, for n to 32.
const CHOOSE: [[u32; SIZES]; 33] = {
    let mut table = [[0; SIZES]; 33];
    let mut n = 0;
    while n <= 32 {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k < SIZES {
            table[n][k] = table[n - 1][k] + table[n - 1][k - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of a set among those of its size on the squares outside `taken`.
#[inline]
fn rank(mut set: u32, taken: u32) -> u32 {
    let (mut sum, mut k) = (0, 0);
    while set != 0 {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        k += 1;
        sum += CHOOSE[(bit.trailing_zeros() - (taken & (bit - 1)).count_ones()) as usize][k];
    }
    sum
}

/// The set of `size` squares outside `taken` with this number.
#[inline]
fn unrank(mut number: u32, size: u8, taken: u32) -> u32 {
    let (mut set, mut n) = (0, 32);
    for k in (1..=usize::from(size)).rev() {
        n -= 1;
        while CHOOSE[n][k] > number {
            n -= 1;
        }
        number -= CHOOSE[n][k];
        // The n-th square that is free.
        let (mut square, mut left) = (n as u32, taken);
        while left != 0 && left.trailing_zeros() <= square {
            square += 1;
            left &= left - 1;
        }
        set |= 1 << square;
    }
    set
}

/// The squares of the first `rows` rows.
const fn rows(rows: u8) -> u32 {
    ((1_u64 << (4 * rows)) - 1) as u32
}

/// The row of the farthest man counted from 1, his rank; 0 without men.
#[inline]
fn leading(men: u32) -> usize {
    ((35 - men.leading_zeros()) / 4) as usize
}

/// The numbers of the sets of so many men with this leading rank, on the squares outside `taken`.
#[inline]
fn men_with(rank: u8, men: u8, taken: u32) -> Range<u32> {
    if men == 0 {
        return 0..1;
    }
    let free = |rows: u32| CHOOSE[(rows & !taken).count_ones() as usize][usize::from(men)];
    free(rows(rank - 1))..free(rows(rank))
}

/// The placements of all men with given leading ranks.
#[derive(Clone, Debug)]
struct Men {
    /// The number of the stronger side's first set.
    first: u32,
    /// How many placements there are with smaller sets of the stronger side; the last is the sum.
    before: Vec<u64>,
}

/// A run of positions with the same leading ranks and the same player to move.
#[derive(Clone, Copy, Debug)]
struct Block {
    ranks: [u8; 2],
    mover: Player,
    start: u64,
}

/// The numbers of an ending.
#[derive(Clone, Debug)]
pub struct Layout {
    material: Material,
    /// By the leading ranks of both.
    men: Vec<Option<Men>>,
    /// By number.
    blocks: Vec<Block>,
    /// Where the block of given leading ranks and player to move starts.
    starts: Vec<u64>,
    /// Ways to put the kings of the stronger and of the weaker side.
    kings: [u64; 2],
    runs: Vec<Range<u64>>,
    size: u64,
}

/// The place of leading ranks in a list.
const fn pair(ranks: [usize; 2]) -> usize {
    8 * ranks[0] + ranks[1]
}

impl Layout {
    /// The numbers of this material.
    pub fn new(material: Material) -> Self {
        let [stronger, weaker] = material.0;
        let free = 32 - stronger.men() - weaker.men();
        let ways = |n: u8, k: u8| u64::from(CHOOSE[usize::from(n)][usize::from(k)]);
        let kings = [ways(free, stronger.kings), ways(free - stronger.kings, weaker.kings)];
        let ranks = |men: u8| if men == 0 { 0..=0 } else { 1..=7 };
        // Men only advance: from leading ranks of a greater sum play never comes back.
        let mut pairs: Vec<[u8; 2]> =
            ranks(stronger.men()).flat_map(|a| ranks(weaker.men()).map(move |b| [a, b])).collect();
        pairs.sort_by_key(|&[a, b]| (14 - a - b, a.min(b), a));
        let mut layout = Self {
            material,
            men: vec![None; 64],
            blocks: Vec::new(),
            starts: vec![0; 128],
            kings,
            runs: Vec::new(),
            size: 0,
        };
        let mut last = None;
        for ranks in pairs {
            let men = Men::new(material, ranks);
            let size = men.before.last().copied().unwrap_or(0) * kings[0] * kings[1];
            let at = pair(ranks.map(usize::from));
            layout.men[at] = Some(men);
            let begin = layout.size;
            // Where both have the same, Black is to move; a step leads to the ranks exchanged.
            let movers: &[Player] =
                if material.is_symmetric() { &[Player::FIRST] } else { &[Player::FIRST, Player::SECOND] };
            for &mover in movers {
                layout.blocks.push(Block { ranks, mover, start: layout.size });
                layout.starts[2 * at + mover.index()] = layout.size;
                layout.size += size;
            }
            match layout.runs.last_mut() {
                Some(run) if material.is_symmetric() && last == Some([ranks[1], ranks[0]]) => {
                    run.end = layout.size;
                }
                _ => layout.runs.push(begin..layout.size),
            }
            last = Some(ranks);
        }
        layout
    }

    /// How many numbers there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The runs in which the ending is solved.
    pub fn runs(&self) -> &[Range<u64>] {
        &self.runs
    }

    /// The leading ranks of both sides, 0 without men, and how many positions have them with a given player to move.
    pub fn ranks(&self) -> impl Iterator<Item = ([u8; 2], u64)> + '_ {
        let first = self.halves().zip(&self.blocks).filter(|((mover, _), _)| *mover == Player::FIRST);
        first.map(|((_, numbers), block)| (block.ranks, numbers.end - numbers.start))
    }

    /// The runs of numbers with the same player to move.
    pub fn halves(&self) -> impl Iterator<Item = (Player, Range<u64>)> + '_ {
        let ends = self.blocks.iter().skip(1).map(|block| block.start).chain([self.size]);
        self.blocks.iter().zip(ends).map(|(block, end)| (block.mover, block.start..end))
    }

    /// The number of a position of this material in which Black is the stronger side, or to move if they are equal.
    #[inline]
    pub fn index(&self, board: &Board) -> Option<u64> {
        let [black, white] = [Player::FIRST, Player::SECOND].map(|p| board.pieces(p));
        let (men, king) = ([black & !board.kings(), white & !board.kings()], board.kings());
        let turned = [men[0].reverse_bits(), men[1].reverse_bits()];
        let ranks = [leading(men[0]), leading(turned[1])];
        let at = pair(ranks);
        let table = self.men[at].as_ref()?;
        let stronger = (rank(men[0], 0) - table.first) as usize;
        let weaker =
            rank(turned[1], turned[0]) - men_with(ranks[1] as u8, self.material.0[1].men(), turned[0]).start;
        let all = men[0] | men[1];
        let first = rank(black & king, all);
        let second = rank(white & king, all | black);
        let placement = table.before[stronger] + u64::from(weaker);
        let within = (placement * self.kings[0] + u64::from(first)) * self.kings[1] + u64::from(second);
        Some(self.starts[2 * at + board.side().index()] + within)
    }

    /// The position with this number.
    #[inline]
    pub fn board(&self, index: u64) -> Option<Board> {
        if index >= self.size {
            return None;
        }
        let [stronger, weaker] = self.material.0;
        // Empty blocks start where the next does.
        let block = self.blocks[self.blocks.partition_point(|b| b.start <= index) - 1];
        let table = self.men[pair(block.ranks.map(usize::from))].as_ref()?;
        let within = index - block.start;
        let (placements, second) = (within / self.kings[1], within % self.kings[1]);
        let (placement, first) = (placements / self.kings[0], placements % self.kings[0]);
        let at = table.before.partition_point(|&before| before <= placement) - 1;
        let black = unrank(table.first + at as u32, stronger.men(), 0);
        let taken = black.reverse_bits();
        let number = (placement - table.before[at]) as u32;
        let low = men_with(block.ranks[1], weaker.men(), taken).start;
        let white = unrank(low + number, weaker.men(), taken).reverse_bits();
        let men = black | white;
        let black_kings = unrank(first as u32, stronger.kings, men);
        let white_kings = unrank(second as u32, weaker.kings, men | black_kings);
        let pieces = [black | black_kings, white | white_kings];
        Some(Board::new(pieces, black_kings | white_kings, block.mover))
    }
}

impl Men {
    fn new(material: Material, ranks: [u8; 2]) -> Self {
        let [stronger, weaker] = material.0.map(super::material::Side::men);
        let numbers = men_with(ranks[0], stronger, 0);
        let first = numbers.start;
        let (mut before, mut sum) = (vec![0], 0);
        for number in numbers {
            let taken = unrank(number, stronger, 0).reverse_bits();
            let sets = men_with(ranks[1], weaker, taken);
            sum += u64::from(sets.end - sets.start);
            before.push(sum);
        }
        Self { first, before }
    }
}
