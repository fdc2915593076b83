//! Playing chess: material, where the men stand and how far they reach; captures are played out.
//!
//! Every term is worth something in the middle game and something in the ending, and the men left say how much of each
//! counts. The weights are round numbers chosen by hand: a knight 3.2 pawns, a pair of bishops a
//! third of one, a passed pawn the more the farther it is.

use super::knights::{Glimpse, glimpse};
use cozy_chess::{BitBoard, Square, get_bishop_moves, get_rook_moves};
use endspiel_game::{Expertise, Player, TwoPlayer};
use endspiel_rules::chess::{Board, Kind, Move};

use crate::{chances, unsettled};

/// What is known of chess: endings that are decided at a glance, and about who stands better.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expert;

/// Pawn, knight, bishop, rook, queen, king, in hundredths of a pawn.
const WORTH: [i32; 6] = [100, 320, 330, 500, 950, 0];
/// How much a man makes it a middle game; all of them at the start together 24.
const WEIGHT: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL: i32 = 24;
/// What a lead without pawns must be to win.
const LEAD: i32 = 400;
const MOVE: i32 = 12;

impl Expertise<Board> for Expert {
    const EVALUATES: bool = true;
    const UNSETTLED: bool = true;
    const BOUNDS: bool = true;

    fn evaluate(&self, board: &Board) -> i32 {
        let mover = board.side();
        let (own, other) = (Side::of(board, mover), Side::of(board, mover.other()));
        let phase = (own.weight + other.weight).min(FULL);
        let middle = own.middle - other.middle;
        let end = own.end - other.end;
        let mut score = (middle * phase + end * (FULL - phase)) / FULL + MOVE;
        let strong = if score > 0 { own } else { other };
        let weak = if score > 0 { other } else { own };
        if strong.pawns == 0 && strong.worth - weak.worth < LEAD {
            score /= 8;
        } else if weak.worth == 0 {
            // A lone king is driven to the edge, the other king to it.
            let far = (strong.king.0 - weak.king.0).abs() + (strong.king.1 - weak.king.1).abs();
            let drive = 10 * (6 - centrality(weak.king)) + 4 * (14 - far);
            score += score.signum() * drive;
        }
        chances(score)
    }

    #[inline]
    fn bounds(&self, position: &Board) -> (i32, i32) {
        let men = position.all_pieces(Player::FIRST) | position.all_pieces(Player::SECOND);
        match (men.count_ones() == 5).then(|| glimpse(position)).flatten() {
            Some(Glimpse::Draw) => (0, 0),
            Some(Glimpse::Mates | Glimpse::MatesNext) => (1, 1),
            Some(Glimpse::Mated) => (-1, -1),
            None => position.score_range_of(position.mover()),
        }
    }

    /// Captures of much by little first, then promotions.
    #[inline]
    fn promise(&self, board: &Board, m: Move) -> i32 {
        let worth = |kind: Kind| WORTH[kind as usize];
        let taken = board.at(m.to.into()).map_or(0, |(kind, _)| 10 * worth(kind));
        let gained = m.promotion.map_or(0, |kind| 8 * worth(kind));
        match board.at(m.from.into()) {
            Some((kind, _)) if taken + gained > 0 => taken + gained - worth(kind),
            _ => 0,
        }
    }

    /// Captures and promotions to a queen; every way out of check, which nobody may ignore.
    #[inline]
    fn unsettled(&self, board: &Board, each: impl FnMut(Move)) -> bool {
        let prey = board.all_pieces(board.side().other());
        let is_loud = |m: Move| match m.promotion {
            Some(kind) => kind == Kind::Queen,
            None => prey >> m.to & 1 != 0,
        };
        unsettled(board, board.in_check(), is_loud, each)
    }
}

/// File and rank of a square as its owner sees it.
type Place = (i32, i32);

/// The distances from the nearest edges, summed: 0 in a corner, 6 in the centre.
fn centrality((file, rank): Place) -> i32 {
    file.min(7 - file) + rank.min(7 - rank)
}

/// What one side has.
#[derive(Clone, Copy, Default)]
struct Side {
    middle: i32,
    end: i32,
    /// The men but the pawns.
    weight: i32,
    worth: i32,
    pawns: u32,
    king: Place,
}

const FILE: u64 = 0x0101_0101_0101_0101;

/// The squares of a file and of its neighbours.
fn beside(file: i32) -> u64 {
    let of = |file: i32| if (0..8).contains(&file) { FILE << file } else { 0 };
    of(file - 1) | of(file + 1)
}

impl Side {
    fn of(board: &Board, player: Player) -> Self {
        let mut side = Self::default();
        let all = board.all();
        let own_pawns = board.pieces(Kind::Pawn, player);
        let enemy_pawns = board.pieces(Kind::Pawn, player.other());
        side.pawns = own_pawns.count_ones();
        if board.pieces(Kind::Bishop, player).count_ones() > 1 {
            side.both(35);
        }
        for kind in Kind::ALL {
            let mut left = board.pieces(kind, player);
            while left != 0 {
                let square = left.trailing_zeros() as usize;
                left &= left - 1;
                let rank = if player == Player::FIRST { square / 8 } else { 7 - square / 8 };
                let place = ((square % 8) as i32, rank as i32);
                side.both(WORTH[kind as usize]);
                side.weight += WEIGHT[kind as usize];
                side.worth += WORTH[kind as usize];
                let reach = |moves: u64| (moves & !board.all_pieces(player)).count_ones() as i32;
                let (at, blockers) = (Square::index(square), BitBoard(all));
                let file = FILE << place.0;
                match kind {
                    Kind::Pawn => {
                        let ahead = ahead(square, player);
                        side.pawn(place, [file & !(1 << square), beside(place.0)].map(|s| s & own_pawns), {
                            ahead & (file | beside(place.0)) & enemy_pawns == 0
                        });
                    }
                    Kind::Knight => side.both(6 * centrality(place) - 18),
                    Kind::Bishop => side.both(5 * reach(get_bishop_moves(at, blockers).0) - 20),
                    Kind::Rook => {
                        let open = i32::from(file & own_pawns == 0)
                            + i32::from(file & (own_pawns | enemy_pawns) == 0);
                        side.both(2 * reach(get_rook_moves(at, blockers).0) - 8 + 10 * open);
                        side.both(15 * i32::from(rank == 6));
                    }
                    Kind::Queen => {
                        let moves = get_bishop_moves(at, blockers).0 | get_rook_moves(at, blockers).0;
                        side.end += 2 * reach(moves);
                    }
                    Kind::King => {
                        // Which player sees it does not matter for the distance of the kings.
                        side.king = (place.0, (square / 8) as i32);
                        let shelter = ahead(square, player) & (file | beside(place.0)) & own_pawns;
                        side.middle += 10 * shelter.count_ones().min(3) as i32
                            - 20 * place.1
                            - 8 * place.0.min(7 - place.0);
                        side.end += 8 * centrality(place) - 24;
                    }
                }
            }
        }
        side
    }

    fn both(&mut self, worth: i32) {
        self.middle += worth;
        self.end += worth;
    }

    /// A pawn with the own pawns on its file and beside it.
    fn pawn(&mut self, (file, rank): Place, [same, near]: [u64; 2], passed: bool) {
        let steps = rank - 1;
        let central = [0, 0, 4, 9][file.min(7 - file) as usize];
        self.middle += 2 * steps + central * steps.min(3);
        self.end += 4 * steps;
        self.both(-10 * i32::from(same != 0) - 10 * i32::from(near == 0));
        if passed {
            self.middle += 3 * steps * steps;
            self.end += 6 * steps * steps + 5;
        }
    }
}

/// All squares of the ranks before a square.
fn ahead(square: usize, player: Player) -> u64 {
    let rank = square / 8;
    if player == Player::FIRST {
        if rank == 7 { 0 } else { u64::MAX << (8 * (rank + 1)) }
    } else {
        (1 << (8 * rank)) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::{Budget, Game, Goal, Notation, Position, Quiet, Task};
    use endspiel_rules::chess::Chess;
    use endspiel_search::alphabeta::{Mode, Options, Solver};

    fn best(fen: &str, depth: u32) -> String {
        let (root, budget) = (Chess.read(fen).expect("a position"), Budget::default().with_memory(1 << 22));
        let task =
            Task { root: &root, goal: Goal::Outcome, expertise: &Expert, budget: &budget, observer: &Quiet };
        let options = Options { mode: Mode::Estimate { depth: Some(depth) }, ..Options::default() };
        let line = Solver::new(options, &budget).solve(&task).line;
        root.write_line(&line).swap_remove(0)
    }

    #[test]
    fn the_start_is_even_but_for_the_move() {
        let start = Chess.start();
        assert_eq!(Expert.evaluate(&start), chances(MOVE));
        let mut black = start.clone();
        black.play(start.move_list()[0]);
        assert!(Expert.evaluate(&black).abs() < 100);
    }

    #[test]
    fn colours_are_judged_alike() {
        for (white, black) in [
            (
                "r3k2r/pp3ppp/2n5/3pP3/3P4/2N5/PP3PPP/R3K2R w - - 0 1",
                "r3k2r/pp3ppp/2n5/3p4/3Pp3/2N5/PP3PPP/R3K2R b - - 0 1",
            ),
            ("8/8/8/4k3/8/8/3Q4/4K3 w - - 0 1", "4k3/3q4/8/8/4K3/8/8/8 b - - 0 1"),
        ] {
            let [white, black] = [white, black].map(|fen| Chess.read(fen).expect("a position"));
            assert_eq!(Expert.evaluate(&white), Expert.evaluate(&black));
        }
    }

    /// At the horizon a queen takes a guarded pawn: one ply sees a pawn won, the exchange a queen lost.
    #[test]
    fn exchanges_are_played_out() {
        assert_ne!(best("4k3/2p5/3p4/8/8/8/3Q4/3RK3 w - - 0 1", 1), "d2d6");
        assert_eq!(best("4k3/8/3p4/8/8/8/3Q4/3RK3 w - - 0 1", 1), "d2d6", "nobody guards it");
        assert_eq!(best("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1), "a1a8", "mate");
    }

    #[test]
    fn lone_kings_are_driven_to_the_edge() {
        let [middle, edge] = ["8/8/8/3k4/8/8/8/R3K3 w - - 0 1", "3k4/8/8/8/8/8/8/R3K3 w - - 0 1"]
            .map(|fen| Expert.evaluate(&Chess.read(fen).expect("a position")));
        assert!(edge > middle && middle > 600);
        let few = Chess.read("8/8/3b4/3k4/8/8/8/R3K3 w - - 0 1").expect("a position");
        assert!(Expert.evaluate(&few) < 100, "a rook does not win against a bishop");
    }
}
