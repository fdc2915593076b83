//! Text and pictures of give-away chess: FEN with `-` for castling, moves in UCI form; SAN is read as well.
//!
//! The counters of FEN are read and forgotten, since no rule counts moves; they are written as `0 1`.

use super::board::Board;
use crate::chessmen::{self, Kind, Move, fen_fields, name, read_placement, read_side, square_of};
use endspiel_game::notation::shorten;
use endspiel_game::{Notation, Picture, Player, Position, Scene, TextError};

/// Reads a FEN: placement, side, castling (`-`), en passant, and two counters that may be left out.
pub(super) fn read(text: &str, en_passant: bool) -> Result<Board, TextError> {
    let [(at, placement), (side_at, side), (castling_at, castling), (passed_at, passed)] = fen_fields(text)?;
    let mut board = Board::empty(en_passant);
    let put = |square, kind, colour| board.toggle(square, kind, colour);
    read_placement(placement, put).map_err(|e| e.shifted(at))?;
    if read_side(side).map_err(|e| e.shifted(side_at))? == Player::SECOND {
        board.pass_turn();
    }
    if castling != "-" {
        return Err(TextError::new(castling_at, "there is no castling in give-away chess", "-"));
    }
    if passed != "-" {
        read_passed(&mut board, passed, en_passant).map_err(|e| e.shifted(passed_at))?;
    }
    Ok(board)
}

fn read_passed(board: &mut Board, text: &str, en_passant: bool) -> Result<(), TextError> {
    if !en_passant {
        return Err(TextError::new(0, "this rule set has no en passant", "-, or the variant antichess"));
    }
    let (rank, step) = if board.side() == Player::FIRST { (5, -8) } else { (2, 8) };
    let square = square_of(text.as_bytes()).filter(|s| s / 8 == rank);
    // A double step went over the square: it and the one before it are empty, the pawn stands behind.
    let stepped = square.filter(|&s| {
        let pawn = (i32::from(s) + step) as usize;
        let origin = (i32::from(s) - step) as usize;
        let passer = Some((Kind::Pawn, board.side().other()));
        board.at(pawn) == passer && board.at(usize::from(s)).is_none() && board.at(origin).is_none()
    });
    if stepped.is_some_and(|s| board.set_passed(s)) {
        return Ok(());
    }
    let what = format!("no pawn can be captured in passing on '{}'", shorten(text));
    Err(TextError::new(0, what, "- or the square behind a pawn that can be captured so"))
}

impl Notation for Board {
    fn write_move(&self, m: Move) -> String {
        m.write()
    }

    fn write(&self) -> String {
        let side = if self.side() == Player::FIRST { "w" } else { "b" };
        let passed = self.passed_square().map_or_else(|| "-".into(), name);
        format!("{} {side} - {passed} 0 1", chessmen::write_placement(|s| self.at(s)))
    }

    /// Reads UCI form in letters of either case, or SAN.
    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let compulsory = self.must_capture();
        let hint = if compulsory { "a capture, which is compulsory:" } else { "a legal move such as" };
        chessmen::read_move(text, &self.move_list(), |s| self.at(s), hint)
    }

    /// The occupied squares, four bits a piece, the turn and the en passant square.
    fn encode(&self, out: &mut Vec<u8>) {
        chessmen::encode_placement(|s| self.at(s), out);
        out.push(self.side().0 | self.passed_square().unwrap_or(Self::NO_SQUARE) << 1);
    }
}

impl Picture for Board {
    fn text(&self) -> String {
        chessmen::board_text(|s| self.at(s))
    }

    fn scene(&self) -> Scene {
        chessmen::board_scene(|s| self.at(s))
    }
}
