//! Text and pictures of give-away chess: FEN with `-` for castling, moves in UCI form; SAN is read as well, and written in records.
//!
//! The counters of FEN are read and forgotten, since no rule counts moves; they are written as `0 1`.

use super::board::Board;
use crate::chessmen::{self, Men, Move, fen_fields, read_placement, read_side, square_of};
use endspiel_game::notation::shorten;
use endspiel_game::{Notation, Picture, Player, Position, Scene, TextError};

/// Reads a FEN: placement, side, castling (`-`), en passant, and two counters that may be left out.
pub(super) fn read(text: &str, en_passant: bool) -> Result<Board, TextError> {
    let [(at, placement), (side_at, side), (castling_at, castling), (passed_at, passed)] = fen_fields(text)?;
    let mut men = Men::none();
    let put = |square, kind, colour| men.toggle(square, kind, colour);
    read_placement(placement, put).map_err(|e| e.shifted(at))?;
    if read_side(side).map_err(|e| e.shifted(side_at))? == Player::SECOND {
        men.pass_turn();
    }
    let mut board = Board::of_men(men, en_passant);
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
    let stepped = square_of(text.as_bytes()).filter(|&square| board.stepped_over(square));
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

    fn write_recorded(&self, m: Move) -> String {
        chessmen::write_san(m, &self.move_list(), |s| self.at(s))
    }

    fn write(&self) -> String {
        self.fen("-")
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
        out.push(self.side().0 | self.passed_square().unwrap_or(Men::NO_SQUARE) << 1);
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
