//! Text and pictures of chess: FEN, moves in UCI form; SAN is read as well, and written in records.
//!
//! The counters of FEN are read and forgotten, since no rule counts moves; they are written as `0 1`. The en
//! passant square is kept and written only where the capture is legal.

use super::board::Board;
use crate::chessmen::{self, Kind, Men, Move, fen_fields, name, read_placement, read_side, square_of};
use endspiel_game::notation::shorten;
use endspiel_game::{Notation, Picture, Player, Position, Scene, TextError};

/// The castling letters with king's and rook's squares.
const CASTLING: [(char, u8, u8, Player); 4] = [
    ('K', 4, 7, Player::FIRST),
    ('Q', 4, 0, Player::FIRST),
    ('k', 60, 63, Player::SECOND),
    ('q', 60, 56, Player::SECOND),
];

/// Reads a FEN; the two counters may be left out.
pub(super) fn read(text: &str) -> Result<Board, TextError> {
    let [(at, placement), (side_at, side), (castling_at, castling), (passed_at, passed)] = fen_fields(text)?;
    let mut men = Men::none();
    read_placement(placement, |square, kind, colour| men.toggle(square, kind, colour))
        .map_err(|e| e.shifted(at))?;
    for (player, whose) in [(Player::FIRST, "White"), (Player::SECOND, "Black")] {
        let kings = men.pieces(Kind::King, player).count_ones();
        if kings != 1 {
            return Err(TextError::new(at, format!("{whose} has {kings} kings"), "one king each"));
        }
    }
    if read_side(side).map_err(|e| e.shifted(side_at))? == Player::SECOND {
        men.pass_turn();
    }
    let mut board = Board::of_men(men);
    if !board.is_legal() {
        let what = "the player who is not to move is in check";
        return Err(TextError::new(side_at, what, "the other side to move, or another placement"));
    }
    if castling != "-" {
        read_castling(&mut board, castling).map_err(|e| e.shifted(castling_at))?;
    }
    if passed != "-" {
        read_passed(&mut board, passed).map_err(|e| e.shifted(passed_at))?;
    }
    Ok(board)
}

fn read_castling(board: &mut Board, text: &str) -> Result<(), TextError> {
    let mut rooks = 0;
    for (at, c) in text.char_indices() {
        let right = CASTLING.into_iter().find(|right| right.0 == c);
        let Some((_, king, rook, player)) = right else {
            let what = format!("'{}' is no right to castle", shorten(&c.to_string()));
            return Err(TextError::new(at, what, "some of KQkq, or -"));
        };
        let stands = |square: u8, kind| board.at(square.into()) == Some((kind, player));
        if !stands(king, Kind::King) || !stands(rook, Kind::Rook) {
            let what = format!("'{c}' needs the king on {} and a rook on {}", name(king), name(rook));
            return Err(TextError::new(at, what, "rights that the pieces allow, or -"));
        }
        rooks |= 1 << rook;
    }
    board.allow_castling(rooks);
    Ok(())
}

/// A square that a pawn has passed is legal even where no capture follows; then it is forgotten.
fn read_passed(board: &mut Board, text: &str) -> Result<(), TextError> {
    let square = square_of(text.as_bytes());
    if square.is_some_and(|square| board.set_passed(square)) {
        return Ok(());
    }
    if square.is_some_and(|square| board.stepped_over(square)) {
        return Ok(());
    }
    let what = format!("no pawn has just passed '{}'", shorten(text));
    Err(TextError::new(0, what, "- or the square behind a pawn that has just made a double step"))
}

impl Notation for Board {
    fn write_move(&self, m: Move) -> String {
        m.write()
    }

    fn write_recorded(&self, m: Move) -> String {
        let king = self.at(m.from.into()).is_some_and(|(kind, _)| kind == Kind::King);
        let mut san = match i32::from(m.to) - i32::from(m.from) {
            2 if king => "O-O".into(),
            -2 if king => "O-O-O".into(),
            _ => chessmen::write_san(m, &self.move_list(), |s| self.at(s)),
        };
        let after = self.after(m);
        if after.in_check() {
            san.push(if after.move_list().is_empty() { '#' } else { '+' });
        }
        san
    }

    fn write(&self) -> String {
        let allowed = |&(_, _, rook, _): &(char, u8, u8, Player)| self.castling_rooks() >> rook & 1 != 0;
        let mut castling: String =
            CASTLING.iter().filter(|right| allowed(right)).map(|right| right.0).collect();
        if castling.is_empty() {
            castling.push('-');
        }
        self.fen(&castling)
    }

    /// Reads UCI form in letters of either case, or SAN.
    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let legal = self.move_list();
        let aside = match text.trim_end_matches(['+', '#', '!', '?']) {
            "O-O" | "0-0" => Some(2),
            "O-O-O" | "0-0-0" => Some(-2),
            _ => None,
        };
        let castles = |m: &&Move| {
            let king = self.at(m.from.into()).is_some_and(|(kind, _)| kind == Kind::King);
            king && Some(i32::from(m.to) - i32::from(m.from)) == aside
        };
        match legal.iter().find(castles) {
            Some(&m) => Ok(m),
            None => chessmen::read_move(text, &legal, |s| self.at(s), "a legal move such as"),
        }
    }

    /// The pieces, the turn with the en passant square, the rights to castle.
    fn encode(&self, out: &mut Vec<u8>) {
        chessmen::encode_placement(|s| self.at(s), out);
        out.push(self.side().0 | self.passed_square().unwrap_or(64) << 1);
        out.push(
            CASTLING.iter().fold(0, |code, right| code << 1 | (self.castling_rooks() >> right.2 & 1) as u8),
        );
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
