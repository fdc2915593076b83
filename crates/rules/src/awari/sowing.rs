//! Sowing and capturing with six pits to a machine word.
//!
//! A row is a word with a byte for each pit, the first pit in the lowest byte; no pit ever holds more than 48
//! stones, so a sum of bytes never carries. What a pit of n stones adds to both rows is looked up; the chain
//! of captured pits is found with a few operations on all bytes at once.

/// One in every pit of a row.
const ONES: u64 = 0x0101_0101_0101;
/// The highest bit of every pit, which no number of stones sets.
const HIGH: u64 = 0x80 * ONES;
/// The most stones there are.
pub const STONES: usize = 48;

/// What sowing a pit adds to the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sowing {
    /// To the row of the player who moves.
    pub own: u64,
    /// To the opponent's row.
    pub opponent: u64,
    /// The bytes of the opponent's pits up to the one where the last stone falls; none if it falls at home.
    pub up_to_last: u64,
}

impl Sowing {
    /// Sowing so many stones, at most [`STONES`], from a pit from 0 to 5.
    #[inline(always)]
    pub fn of(pit: u8, stones: u8) -> Self {
        SOWINGS[usize::from(pit)][usize::from(stones)]
    }

    /// What is caught in the opponent's row, given as it is after the sowing.
    #[inline(always)]
    pub fn caught(self, opponent: u64) -> u64 {
        // The high bits of the pits, up to the last, that do not hold 2 or 3; the chain lies above them all.
        let others = filled((opponent ^ (2 * ONES)) & (0xfe * ONES)) & self.up_to_last;
        let below = u64::MAX.checked_shr(others.leading_zeros()).unwrap_or(0);
        opponent & self.up_to_last & !below
    }
}

static SOWINGS: [[Sowing; STONES + 1]; 6] = sowings();

const fn sowings() -> [[Sowing; STONES + 1]; 6] {
    let mut out = [[Sowing { own: 0, opponent: 0, up_to_last: 0 }; STONES + 1]; 6];
    let mut pit = 0;
    while pit < 6 {
        let (mut at, mut sown) = (pit, 0);
        let (mut own, mut opponent) = (0, 0);
        while sown < STONES {
            at = (at + 1) % 12;
            if at == pit {
                at = (at + 1) % 12;
            }
            sown += 1;
            let up_to_last = if at < 6 {
                own += 1 << (8 * at);
                0
            } else {
                opponent += 1 << (8 * (at - 6));
                (1 << (8 * (at - 5))) - 1
            };
            out[pit][sown] = Sowing { own, opponent, up_to_last };
        }
        pit += 1;
    }
    out
}

/// The rows after a move.
pub struct Sown {
    /// The row of the player who moved.
    pub own: u64,
    /// The opponent's row, without the captured stones.
    pub opponent: u64,
    /// The captured stones, where they lay.
    pub caught: u64,
}

/// Sows `pit`, which is not empty, and captures what the last stone catches: its pit and those before it, as
/// long as they are the opponent's and hold 2 or 3.
#[inline(always)]
pub fn sow(own: u64, opponent: u64, pit: u8) -> Sown {
    let shift = 8 * u32::from(pit);
    let sowing = Sowing::of(pit, stones_in(own, pit));
    let own = (own & !(0xff << shift)) + sowing.own;
    let opponent = opponent + sowing.opponent;
    let caught = sowing.caught(opponent);
    Sown { own, opponent: opponent ^ caught, caught }
}

/// The stones in a pit.
#[inline(always)]
pub fn stones_in(row: u64, pit: u8) -> u8 {
    (row >> (8 * u32::from(pit))) as u8
}

/// The stones in a row, or in a part of it.
#[inline(always)]
pub fn stones(row: u64) -> u8 {
    (row.wrapping_mul(ONES) >> 40) as u8
}

/// The high bits of the pits with stones.
#[inline(always)]
pub fn filled(row: u64) -> u64 {
    (row + 0x7f * ONES) & HIGH
}

/// How many high bits are set.
#[inline(always)]
pub fn count(high: u64) -> usize {
    usize::from(stones(high >> 7))
}

/// Is there a pit with three stones or more? Such a pit cannot be captured by the opponent's next move: a
/// chain takes pits that had one or two stones, or fewer, before the sowing.
#[inline(always)]
pub fn is_safe(row: u64) -> bool {
    (row + 0x7d * ONES) & HIGH != 0
}
