//! What the table keeps of a position in a proof.

/// Both bounds of a position for its player to move, and the move that last cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub low: i32,
    pub high: i32,
    pub cut: u8,
}

impl Known {
    /// No move has cut.
    pub const NO_CUT: u8 = u8::MAX;
    pub const NOTHING: Self = Self { low: i32::MIN, high: i32::MAX, cut: Self::NO_CUT };

    /// Scores beyond 15 bits are kept as the weaker bound that fits.
    pub fn pack(self) -> u64 {
        let low = if self.low > i32::from(i16::MAX) { i16::MAX } else { self.low.max(-0x8000) as i16 };
        let high = if self.high < i32::from(i16::MIN) { i16::MIN } else { self.high.min(0x7FFF) as i16 };
        u64::from(low as u16) | u64::from(high as u16) << 16 | u64::from(self.cut) << 32
    }

    #[inline]
    pub fn unpack(data: u64) -> Self {
        let (low, high) = (i32::from(data as i16), i32::from((data >> 16) as i16));
        Self {
            low: if low == i32::from(i16::MIN) { i32::MIN } else { low },
            high: if high == i32::from(i16::MAX) { i32::MAX } else { high },
            cut: (data >> 32) as u8,
        }
    }
}
