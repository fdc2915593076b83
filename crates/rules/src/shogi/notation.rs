//! Text of shogi: positions as SFEN, moves as USI writes them.
//!
//! The letters are K king, R rook, B bishop, G gold, S silver, N knight, L lance, P pawn, small ones Gote's, `+` before a
//! promoted one. Files are counted from Sente's right, ranks a, b, c from Gote's side.

use super::board::{Board, Kind, Move, Piece};
use super::squares::{Shape, Square, each_square, name};
use endspiel_game::notation::{number, shorten};
use endspiel_game::{Notation, Player, TextError};

/// The letters in the order of [`Kind::ALL`].
const LETTERS: [char; 8] = ['k', 'r', 'b', 'g', 's', 'n', 'l', 'p'];

/// A kind's letter as `player` has it: Gote's is small.
pub(super) fn letter(kind: Kind, player: Player) -> char {
    let small = LETTERS[kind as usize];
    if player == Player::FIRST { small.to_ascii_uppercase() } else { small }
}

fn read_letter(letter: char) -> Option<(Kind, Player)> {
    let kind = LETTERS.iter().position(|&l| l == letter.to_ascii_lowercase())?;
    Some((Kind::ALL[kind], Player(u8::from(letter.is_ascii_lowercase()))))
}

/// The position before the first move.
pub(super) fn start(shape: Shape) -> Board {
    let rows: &[&str] = match shape {
        Shape::Standard => &["lnsgkgsnl", ".r.....b.", "ppppppppp"],
        Shape::Mini => &["rbsgk", "....p"],
    };
    let mut board = Board::empty(shape);
    for (rank, row) in (0..).zip(rows) {
        for (file, c) in (0..).zip(row.chars().rev()) {
            let square: Square = rank * 9 + file;
            if let Some((kind, player)) = read_letter(c) {
                board.put(square, Piece { kind, promoted: false, player });
                board.put(shape.turned(square), Piece { kind, promoted: false, player: player.other() });
            }
        }
    }
    board
}

/// Reads an SFEN: placement, side to move, hands, and the number of the move, which means nothing here. The last two may
/// be left out.
pub(super) fn read(shape: Shape, text: &str) -> Result<Board, TextError> {
    let mut fields = text
        .split(' ')
        .scan(0, |at, field| {
            let here = *at;
            *at += field.len() + 1;
            Some((here, field))
        })
        .filter(|(_, field)| !field.is_empty());
    let mut field = |what: &str| {
        fields.next().ok_or_else(|| {
            let expected = "an SFEN such as 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
            TextError::new(text.len(), format!("the {what} is missing"), expected)
        })
    };
    let (at, placement) = field("placement of the pieces")?;
    let (side_at, side) = field("side to move")?;
    let mut board = read_placement(shape, placement).map_err(|e| e.shifted(at))?;
    if let Some((at, hands)) = fields.next() {
        read_hands(&mut board, hands).map_err(|e| e.shifted(at))?;
    }
    if let Some((at, count)) = fields.next() {
        number(count, "number of the move", 0, 1_000_000).map_err(|e| e.shifted(at))?;
    }
    if let Some((at, _)) = fields.next() {
        return Err(TextError::new(at, "something is left over after the SFEN", "at most four fields"));
    }
    match side {
        "b" => {}
        "w" => board.pass_turn(),
        _ => {
            let what = format!("'{}' is no side to move", shorten(side));
            return Err(TextError::new(side_at, what, "b for Sente or w for Gote"));
        }
    }
    if !board.is_legal() {
        let what = "the player who is not to move is in check";
        return Err(TextError::new(side_at, what, "the other side to move, or another placement"));
    }
    Ok(board)
}

/// How many of a kind there are, on the board and in both hands.
fn count(board: &Board, kind: Kind) -> u32 {
    let hands = [Player::FIRST, Player::SECOND].map(|player| u32::from(board.hand(player, kind)));
    board.many(kind) + hands[0] + hands[1]
}

fn read_placement(shape: Shape, text: &str) -> Result<Board, TextError> {
    let side = shape.side();
    let mut board = Board::empty(shape);
    // The file is how many squares of the rank have been read.
    let (mut rank, mut file, mut promoted) = (0, 0, false);
    let row = |rank: usize| char::from(b'a' + rank as u8);
    let mut kings = [0; 2];
    for (at, c) in text.char_indices() {
        let error = |what: String, expected: String| Err(TextError::new(at, what, expected));
        let letter = read_letter(c);
        if promoted && letter.is_none_or(|(kind, _)| !kind.promotes()) {
            return error("nothing that promotes stands after +".into(), "one of RBSNLPrbsnlp".into());
        }
        match c {
            '/' if file != side => {
                return error(
                    format!("rank {} has {file} squares", row(rank)),
                    format!("{side} squares a rank"),
                );
            }
            '/' if rank + 1 == side => {
                return error("there are too many ranks".into(), format!("{side} ranks"));
            }
            '/' => (rank, file) = (rank + 1, 0),
            '1'..='9' => file += (c as u8 - b'0') as usize,
            '+' => promoted = true,
            _ => {
                let Some((kind, player)) = letter else {
                    let what = format!("'{}' is no piece", shorten(&c.to_string()));
                    return error(what, "one of KRBGSNLPkrbgsnlp+1-9 or /".into());
                };
                if file < side {
                    let square = (rank * 9 + side - 1 - file) as Square;
                    let piece = Piece { kind, promoted, player };
                    if count(&board, kind) >= u32::from(shape.pieces()[kind as usize]) {
                        return error(
                            format!("there are too many '{c}'"),
                            "at most as many as at the start".into(),
                        );
                    }
                    if !board.has_room(square, piece) {
                        let what = format!("'{c}' can never stand on {} so", name(square));
                        return error(
                            what,
                            "pieces that can go on, and one pawn of a player on a file".into(),
                        );
                    }
                    board.put(square, piece);
                    kings[player.index()] += usize::from(kind == Kind::King);
                }
                promoted = false;
                file += 1;
            }
        }
        if file > side {
            return error(format!("rank {} is too long", row(rank)), format!("{side} squares a rank"));
        }
    }
    if (rank + 1, file) != (side, side) || promoted {
        let what = format!("the placement ends in rank {} after {file} squares", row(rank));
        return Err(TextError::new(text.len(), what, format!("{side} ranks of {side} squares")));
    }
    for (kings, whose) in kings.iter().zip(["Sente", "Gote"]) {
        if *kings != 1 {
            return Err(TextError::new(0, format!("{whose} has {kings} kings"), "one king each"));
        }
    }
    Ok(board)
}

/// Reads hands: letters, each after its count if that is more than one.
fn read_hands(board: &mut Board, text: &str) -> Result<(), TextError> {
    if text == "-" {
        return Ok(());
    }
    let mut digits = 0..0;
    for (at, c) in text.char_indices() {
        if c.is_ascii_digit() {
            digits = if digits.is_empty() { at..at + 1 } else { digits.start..at + 1 };
            continue;
        }
        let Some((kind, player)) = read_letter(c).filter(|&(kind, _)| kind != Kind::King) else {
            let what = format!("'{}' is in no hand", shorten(&c.to_string()));
            return Err(TextError::new(
                at,
                what,
                "one of RBGSNLPrbgsnlp with its count before it, or - for nothing",
            ));
        };
        let most = usize::from(board.shape().pieces()[kind as usize]);
        let many = if digits.is_empty() {
            1
        } else {
            number(&text[digits.clone()], "count", 1, 18).map_err(|e| e.shifted(digits.start))?
        };
        if count(board, kind) as usize + many > most {
            return Err(TextError::new(
                at,
                format!("there are too many '{c}'"),
                "at most as many as at the start",
            ));
        }
        board.set_hand(player, kind, board.hand(player, kind) + many as u8);
        digits = 0..0;
    }
    if digits.is_empty() {
        Ok(())
    } else {
        Err(TextError::new(text.len(), "a count without a piece", "a letter after its count"))
    }
}

/// A hand in letters, with counts before them; nothing if it is empty.
pub(super) fn write_hand(board: &Board, player: Player) -> String {
    let mut out = String::new();
    for kind in Kind::IN_HAND {
        match board.hand(player, kind) {
            0 => continue,
            1 => {}
            many => out += &many.to_string(),
        }
        out.push(letter(kind, player));
    }
    out
}

impl Notation for Board {
    fn write_move(&self, m: Move) -> String {
        match m {
            Move::Go { from, to, promotes } => name(from) + &name(to) + if promotes { "+" } else { "" },
            Move::Drop { kind, to } => format!("{}*{}", letter(kind, Player::FIRST), name(to)),
        }
    }

    fn write(&self) -> String {
        let side = self.shape().side();
        let mut out = String::with_capacity(100);
        for rank in 0..side {
            let mut gap = 0;
            for file in (0..=side).rev() {
                let piece = if file > 0 { self.at((rank * 9 + file - 1) as Square) } else { None };
                if (piece.is_some() || file == 0) && gap > 0 {
                    out.push(char::from(b'0' + gap));
                    gap = 0;
                }
                match piece {
                    Some(piece) => {
                        out.extend(piece.promoted.then_some('+'));
                        out.push(letter(piece.kind, piece.player));
                    }
                    None => gap += 1,
                }
            }
            if rank + 1 < side {
                out.push('/');
            }
        }
        let hands = write_hand(self, Player::FIRST) + &write_hand(self, Player::SECOND);
        let mover = if self.side() == Player::FIRST { "b" } else { "w" };
        format!("{out} {mover} {} 1", if hands.is_empty() { "-" } else { &hands })
    }

    /// The occupied squares, a byte a piece, then the hands and the turn: five bits for pawns, three for other kinds.
    fn encode(&self, out: &mut Vec<u8>) {
        let occupied = self.pieces(Player::FIRST) | self.pieces(Player::SECOND);
        out.extend(&occupied.to_le_bytes()[..11]);
        let pieces = each_square(occupied).filter_map(|square| self.at(square));
        out.extend(pieces.map(|p| p.kind as u8 * 4 + u8::from(p.promoted) * 2 + p.player.0));
        let mut hands = u64::from(self.side().0);
        for player in [Player::FIRST, Player::SECOND] {
            for kind in Kind::IN_HAND {
                hands = hands << if kind == Kind::Pawn { 5 } else { 3 } | u64::from(self.hand(player, kind));
            }
        }
        out.extend(&hands.to_le_bytes()[..6]);
    }
}
