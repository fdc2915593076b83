//! Two knights against a bishop or a knight: which positions are drawn, mate or mated at a glance, and which need a search
//! (E. Heinz, Static Recognition of Potential Wins in KNNKB and KNNKN, 2003).
//!
//! The *strong* side has the knights, the *weak* side one minor piece. Who wins at all does it in a corner or at an edge, so
//! a few sets of squares settle most positions. The rules of the paper err in a few hundred positions; here they carry the
//! guards that make every answer agree with the complete tables. Cost: a few dozen operations on sets.

use cozy_chess::{BitBoard, Square, get_bishop_moves, get_king_moves, get_knight_moves};
use endspiel_game::Player;
use endspiel_rules::chess::{Board, Kind};

/// What is seen at a glance of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glimpse {
    /// Nobody can win.
    Draw,
    /// The player to move is mated.
    Mated,
    /// The player to move mates at once.
    Mates,
    /// The player to move mates with the move after the next; only the rules as printed say so.
    MatesNext,
}

const EDGE: u64 = 0xff81_8181_8181_81ff;
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// b2, g2, b7 and g7: the squares before the corners.
const BEFORE: u64 = 0x0042_0000_0000_4200;
/// c3, f3, c6 and f6.
const INNER: u64 = 0x0000_2400_0024_0000;
/// Where a king beside a piece before the corner is attacked by a bishop there: c1, f1, a3, h3, a6, h6, c8 and f8.
const ASIDE: u64 = 0x2400_8100_0081_0024;

fn king(square: u64) -> u64 {
    attacks(square, |s| get_king_moves(s).0)
}

fn knights(set: u64) -> u64 {
    attacks(set, |s| get_knight_moves(s).0)
}

/// The squares that pieces on a set of squares attack.
fn attacks(set: u64, of: impl Fn(Square) -> u64) -> u64 {
    BitBoard(set).iter().fold(0, |all, square| all | of(square))
}

/// What is seen of a position with two knights against one minor piece; none if it is another ending, or if only a
/// search can tell.
pub fn glimpse(board: &Board) -> Option<Glimpse> {
    seen::<true>(board)
}

/// What the rules of the paper see, without the guards: to count where they err.
pub fn glimpse_as_printed(board: &Board) -> Option<Glimpse> {
    seen::<false>(board)
}

fn seen<const GUARDED: bool>(board: &Board) -> Option<Glimpse> {
    let count = |player| board.all_pieces(player).count_ones();
    let has_knights = |player| count(player) == 3 && board.pieces(Kind::Knight, player).count_ones() == 2;
    let strong = [Player::FIRST, Player::SECOND].into_iter().find(|&player| has_knights(player))?;
    let weak = strong.other();
    let bishop = board.pieces(Kind::Bishop, weak);
    let minor = bishop | board.pieces(Kind::Knight, weak);
    if count(weak) != 2 || minor == 0 {
        return None;
    }
    let pair = board.pieces(Kind::Knight, strong);
    let (own, other) = (board.pieces(Kind::King, strong), board.pieces(Kind::King, weak));
    let strong_moves = board.side() == strong;
    let guarded = knights(pair);
    let all = own | other | pair | minor;
    let reach = |from: u64| {
        if bishop == 0 { knights(from) } else { attacks(from, |s| get_bishop_moves(s, BitBoard(all)).0) }
    };
    // 1. The strong king is shut in in a corner: the minor piece may mate it.
    if own & CORNERS != 0 && king(own) & !pair & !king(other) == 0 {
        let mating = if bishop == 0 { knights(own) } else { BEFORE & king(own) };
        let mating = if GUARDED { mating & !other & !guarded } else { mating };
        return match strong_moves {
            true if minor & mating != 0 => Some(Glimpse::Mated),
            false if other & guarded != 0 => (!GUARDED).then_some(Glimpse::Draw),
            false if reach(minor) & mating != 0 => Some(Glimpse::Mates),
            _ => Some(Glimpse::Draw),
        };
    }
    // A knight may also mate a king at the edge that its own knights hem in.
    let hemmed = GUARDED && bishop == 0 && own & EDGE != 0 && pair & !king(own) == 0;
    let draw = if hemmed { None } else { Some(Glimpse::Draw) };
    // 2. The weak king stands where nobody mates it.
    let unsafe_squares = if bishop == 0 { EDGE | BEFORE } else { EDGE };
    if other & unsafe_squares == 0 {
        return draw;
    }
    // 3. The knights mate without their king: the weak king in the corner, its piece before it, a knight behind that.
    let before = minor & BEFORE & king(other);
    if other & CORNERS != 0 && before != 0 && pair & INNER & king(before) != 0 {
        let second = pair & !(INNER & king(before));
        let attacked = own & king(minor) & ASIDE != 0;
        if knights(second) & other != 0 {
            return Some(Glimpse::Mated);
        }
        if bishop != 0 && (!strong_moves || attacked) {
            return Some(Glimpse::Draw);
        }
        let checked = bishop == 0 && own & knights(minor) != 0;
        let to = knights(second) & knights(other) & !pair & if GUARDED { !own } else { !0 };
        return match strong_moves && to != 0 {
            true if !checked => Some(Glimpse::Mates),
            true if !GUARDED => Some(Glimpse::MatesNext),
            _ => None,
        };
    }
    // 4. The kings are far apart, or the weak king has a way off the edge.
    let (a, b) = (own.trailing_zeros(), other.trailing_zeros());
    if (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8)) > 4 {
        return draw;
    }
    let escapes = king(other) & !minor & !king(own) & !guarded;
    if !strong_moves && escapes & !unsafe_squares != 0 {
        return draw;
    }
    None
}
