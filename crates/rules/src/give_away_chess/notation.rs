//! Text and pictures of give-away chess: FEN with `-` for castling, moves in UCI form; SAN is read as well.
//!
//! The counters of FEN are read and forgotten, since no rule counts moves; they are written as `0 1`.

use super::board::{Board, Kind, MOST_PIECES, Move};
use endspiel_game::notation::{number, shorten};
use endspiel_game::picture::{Paint, Shape, letters, squares_text};
use endspiel_game::{Notation, Picture, Player, Position, Scene, TextError};

const LETTERS: [char; 6] = ['p', 'n', 'b', 'r', 'q', 'k'];

fn letter(kind: Kind) -> char {
    LETTERS[kind as usize]
}

fn kind_of(letter: char) -> Option<Kind> {
    LETTERS.iter().position(|&l| l == letter).map(|i| Kind::ALL[i])
}

fn name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

fn square_of(text: &[u8]) -> Option<u8> {
    match text {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some((rank - b'1') * 8 + (file - b'a')),
        _ => None,
    }
}

/// Reads a FEN: placement, side, castling (`-`), en passant, and two counters that may be left out.
pub(super) fn read(text: &str, en_passant: bool) -> Result<Board, TextError> {
    let mut fields = text.split(' ').scan(0, |at, field| {
        let here = *at;
        *at += field.len() + 1;
        Some((here, field))
    });
    let mut field = |what: &str| {
        let found = fields.by_ref().find(|(_, field)| !field.is_empty());
        found.ok_or_else(|| {
            TextError::new(
                text.len(),
                format!("the {what} is missing"),
                "a FEN such as 8/8/8/8/8/8/8/K6k w - - 0 1",
            )
        })
    };
    let (at, placement) = field("placement of the pieces")?;
    let mut board = place(placement, en_passant).map_err(|e| e.shifted(at))?;
    let (at, side) = field("side to move")?;
    match side {
        "w" => {}
        "b" => board.pass_turn(),
        _ => return Err(TextError::new(at, format!("'{}' is no side to move", shorten(side)), "w or b")),
    }
    let (at, castling) = field("castling field")?;
    if castling != "-" {
        return Err(TextError::new(at, "there is no castling in give-away chess", "-"));
    }
    let (at, passed) = field("en passant field")?;
    if passed != "-" {
        read_passed(&mut board, passed, en_passant).map_err(|e| e.shifted(at))?;
    }
    let mut names = ["half-move clock", "move number"].into_iter();
    for (at, counter) in fields.filter(|(_, field)| !field.is_empty()) {
        let Some(what) = names.next() else {
            return Err(TextError::new(at, "something is left over after the FEN", "at most six fields"));
        };
        number(counter, what, 0, 1_000_000).map_err(|e| e.shifted(at))?;
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

fn place(text: &str, en_passant: bool) -> Result<Board, TextError> {
    let mut board = Board::empty(en_passant);
    let (mut rank, mut file) = (7usize, 0usize);
    let mut counts = [0; 2];
    for (at, c) in text.char_indices() {
        let error = |what: String, expected: &str| Err(TextError::new(at, what, expected));
        match c {
            '/' if file != 8 => {
                return error(format!("rank {} has {file} squares", rank + 1), "8 squares a rank");
            }
            '/' if rank == 0 => return error("there are too many ranks".into(), "8 ranks"),
            '/' => (rank, file) = (rank - 1, 0),
            '1'..='8' => file += (c as u8 - b'0') as usize,
            _ => {
                let Some(kind) = kind_of(c.to_ascii_lowercase()) else {
                    return error(
                        format!("'{}' is no piece", shorten(&c.to_string())),
                        "one of PNBRQKpnbrqk1-8 or /",
                    );
                };
                let colour = Player(u8::from(c.is_ascii_lowercase()));
                if kind == Kind::Pawn && (rank == 0 || rank == 7) {
                    return error("a pawn on the first or the last rank".into(), "pawns on ranks 2 to 7");
                }
                counts[colour.index()] += 1;
                if counts[colour.index()] > MOST_PIECES {
                    return error("a player has more than 16 pieces".into(), "at most 16 pieces a player");
                }
                if file < 8 {
                    board.toggle(rank * 8 + file, kind, colour);
                }
                file += 1;
            }
        }
        if file > 8 {
            return error(format!("rank {} is too long", rank + 1), "8 squares a rank");
        }
    }
    if (rank, file) != (0, 8) {
        let what = format!("the placement ends in rank {} after {file} squares", rank + 1);
        return Err(TextError::new(text.len(), what, "8 ranks of 8 squares"));
    }
    Ok(board)
}

impl Notation for Board {
    fn write_move(&self, m: Move) -> String {
        let mut out = name(m.from) + &name(m.to);
        out.extend(m.promotion.map(letter));
        out
    }

    fn write(&self) -> String {
        let mut out = String::with_capacity(80);
        for rank in (0..8).rev() {
            let mut gap = 0;
            for file in 0..8 {
                if let Some((kind, colour)) = self.at(rank * 8 + file) {
                    if gap > 0 {
                        out.push(char::from(b'0' + gap));
                    }
                    gap = 0;
                    let sign = letter(kind);
                    out.push(if colour == Player::FIRST { sign.to_ascii_uppercase() } else { sign });
                } else {
                    gap += 1;
                }
            }
            if gap > 0 {
                out.push(char::from(b'0' + gap));
            }
            if rank > 0 {
                out.push('/');
            }
        }
        out.push_str(if self.side() == Player::FIRST { " w - " } else { " b - " });
        out.push_str(&self.passed_square().map_or_else(|| "-".into(), name));
        out.push_str(" 0 1");
        out
    }

    /// Reads UCI form in letters of either case, or SAN.
    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let legal = self.move_list();
        if let Some(&m) = legal.iter().find(|&&m| self.write_move(m).eq_ignore_ascii_case(text)) {
            return Ok(m);
        }
        let fitting: Vec<Move> = San::read(text)
            .map_or_else(Vec::new, |san| legal.iter().copied().filter(|&m| san.fits(self, m)).collect());
        let names =
            |moves: &[Move]| moves.iter().take(8).map(|&m| self.write_move(m)).collect::<Vec<_>>().join(" ");
        match fitting[..] {
            [m] => Ok(m),
            [] => {
                let what = format!("'{}' is not a legal move here", shorten(text));
                let expected = match legal.len() {
                    0 => "no move: the game is over".into(),
                    _ if self.must_capture() => format!("a capture, which is compulsory: {}", names(&legal)),
                    _ => format!("a legal move such as {}", names(&legal)),
                };
                Err(TextError::new(0, what, expected))
            }
            _ => Err(TextError::new(
                0,
                format!("'{}' is ambiguous", shorten(text)),
                format!("one of {}", names(&fitting)),
            )),
        }
    }

    /// The occupied squares, four bits a piece, the turn and the en passant square.
    fn encode(&self, out: &mut Vec<u8>) {
        let occupied = self.all_pieces(Player::FIRST) | self.all_pieces(Player::SECOND);
        out.extend(occupied.to_le_bytes());
        let mut pieces = (0..64).filter_map(|s| self.at(s)).map(|(kind, colour)| kind as u8 * 2 + colour.0);
        while let Some(low) = pieces.next() {
            out.push(low | pieces.next().unwrap_or(0) << 4);
        }
        out.push(self.side().0 | self.passed_square().unwrap_or(Self::NO_SQUARE) << 1);
    }
}

/// A move in short algebraic notation: what it says, and nothing about what it leaves out.
struct San {
    kind: Kind,
    file: Option<u8>,
    rank: Option<u8>,
    to: u8,
    promotion: Option<Kind>,
}

impl San {
    fn read(text: &str) -> Option<Self> {
        let mut rest = text.trim_end_matches(['+', '#', '!', '?']).as_bytes();
        let mut kind = Kind::Pawn;
        if let [first @ (b'N' | b'B' | b'R' | b'Q' | b'K'), tail @ ..] = rest {
            (kind, rest) = (kind_of(char::from(first.to_ascii_lowercase()))?, tail);
        }
        let mut promotion = None;
        if let [head @ .., last @ (b'N' | b'B' | b'R' | b'Q' | b'K')] = rest {
            promotion = kind_of(char::from(last.to_ascii_lowercase()));
            rest = head.strip_suffix(b"=").unwrap_or(head);
        }
        let (origin, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let origin = origin.strip_suffix(b"x").or(origin.strip_suffix(b"-")).unwrap_or(origin);
        let (file, rank) = match origin {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
            _ => return None,
        };
        Some(Self { kind, file, rank, to: square_of(to)?, promotion })
    }

    fn fits(&self, board: &Board, m: Move) -> bool {
        board.at(usize::from(m.from)).is_some_and(|(kind, _)| kind == self.kind)
            && m.to == self.to
            && m.promotion == self.promotion
            && self.file.is_none_or(|file| m.from % 8 == file)
            && self.rank.is_none_or(|rank| m.from / 8 == rank)
    }
}

const FIGURES: [&str; 6] = ["♟", "♞", "♝", "♜", "♛", "♚"];

impl Picture for Board {
    fn text(&self) -> String {
        squares_text(
            8,
            8,
            letters,
            |r| (r + 1).to_string(),
            |file, rank| match self.at(rank * 8 + file) {
                Some((kind, Player::FIRST)) => letter(kind).to_ascii_uppercase(),
                Some((kind, _)) => letter(kind),
                None => '.',
            },
        )
    }

    fn scene(&self) -> Scene {
        let mut scene = Scene::squares(8, 8, true, letters, |r| (r + 1).to_string());
        for square in 0..64 {
            if let Some((kind, colour)) = self.at(square) {
                let (x, y) = Scene::square(8, square % 8, square / 8);
                // White is drawn light though it moves first.
                let (disc, figure) = if colour == Player::FIRST {
                    (Paint::Second, Paint::First)
                } else {
                    (Paint::First, Paint::Second)
                };
                scene.draw(Shape::Disc(x, y, 0.42, disc));
                scene.draw(Shape::Word(x, y, 0.6, FIGURES[kind as usize].into(), figure));
            }
        }
        scene
    }
}
