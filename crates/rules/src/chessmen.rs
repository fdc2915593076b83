//! What the games with chessmen share: kinds of pieces, the men on their squares, moves, names of squares, how pawns
//! go, FEN and SAN, and the picture. Squares are numbered a1 = 0, b1 = 1, ... h8 = 63.

use endspiel_game::notation::{number, shorten};
use endspiel_game::picture::{Paint, Shape, letters, squares_text};
use endspiel_game::{Player, Scene, TextError, mix};

/// The kinds of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Pawn.
    Pawn,
    /// Knight.
    Knight,
    /// Bishop.
    Bishop,
    /// Rook.
    Rook,
    /// Queen.
    Queen,
    /// King.
    King,
}

impl Kind {
    /// All kinds, pawn first.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// Its letter in lower case.
    pub fn letter(self) -> char {
        LETTERS[self as usize]
    }

    /// The kind of a letter in lower case.
    pub fn of_letter(letter: char) -> Option<Self> {
        LETTERS.iter().position(|&l| l == letter).map(|i| Self::ALL[i])
    }
}

const LETTERS: [char; 6] = ['p', 'n', 'b', 'r', 'q', 'k'];

const fn zobrist_table() -> [[[u64; 64]; 6]; 2] {
    let (mut table, mut i) = ([[[0; 64]; 6]; 2], 0);
    while i < 768 {
        table[i % 2][i / 2 % 6][i / 12] = mix(i as u64);
        i += 1;
    }
    table
}

pub(crate) static ZOBRIST: [[[u64; 64]; 6]; 2] = zobrist_table();
pub(crate) const BLACK_TO_MOVE: u64 = mix(768);

/// What a square on which a pawn can be captured in passing adds to the key.
pub(crate) const fn passed_key(square: u8) -> u64 {
    mix(769 + square as u64)
}

/// The men as bitboards, one a kind and one a colour, with the turn and what has just been passed by a double step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Men {
    pub(crate) kinds: [u64; 6],
    pub(crate) colours: [u64; 2],
    pub(crate) key: u64,
    pub(crate) mover: Player,
    /// The square on which a pawn can be captured in passing; 64 for none.
    pub(crate) passed: u8,
}

impl Men {
    pub(crate) const NO_SQUARE: u8 = 64;

    /// None, with White to move.
    pub(crate) const fn none() -> Self {
        Self { kinds: [0; 6], colours: [0; 2], key: 0, mover: Player::FIRST, passed: Self::NO_SQUARE }
    }

    /// As a game begins.
    pub(crate) fn start() -> Self {
        use Kind::{Bishop, King, Knight, Queen, Rook};
        let mut men = Self::none();
        let back = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
        for (file, kind) in back.into_iter().enumerate() {
            men.toggle(file, kind, Player::FIRST);
            men.toggle(8 + file, Kind::Pawn, Player::FIRST);
            men.toggle(48 + file, Kind::Pawn, Player::SECOND);
            men.toggle(56 + file, kind, Player::SECOND);
        }
        men
    }

    /// Puts a piece on an empty square, or takes it off.
    #[inline]
    pub(crate) fn toggle(&mut self, square: usize, kind: Kind, colour: Player) {
        self.kinds[kind as usize] ^= 1 << square;
        self.colours[colour.index()] ^= 1 << square;
        self.key ^= ZOBRIST[colour.index()][kind as usize][square];
    }

    /// Gives the turn to the other player.
    #[inline]
    pub(crate) fn pass_turn(&mut self) {
        self.mover = self.mover.other();
        self.key ^= BLACK_TO_MOVE;
    }

    /// Notes that a pawn can be captured in passing on this square.
    #[inline]
    pub(crate) fn note_passed(&mut self, square: u8) {
        self.passed = square;
        self.key ^= passed_key(square);
    }

    /// No pawn can be captured in passing any more.
    #[inline]
    pub(crate) fn forget_passed(&mut self) {
        if self.passed != Self::NO_SQUARE {
            self.key ^= passed_key(self.passed);
            self.passed = Self::NO_SQUARE;
        }
    }

    /// Can the opponent's last move have been a double step over this square?
    pub(crate) fn stepped_over(&self, square: u8) -> bool {
        let (rank, forward) = if self.mover == Player::FIRST { (5, -8) } else { (2, 8) };
        let (pawn, origin) = (i32::from(square) + forward, i32::from(square) - forward);
        square / 8 == rank
            && self.pieces(Kind::Pawn, self.mover.other()) >> pawn & 1 != 0
            && self.all() & (1 << square | 1 << origin) == 0
    }

    /// Who is to move, even when the game is over.
    pub fn side(&self) -> Player {
        self.mover
    }

    /// The squares of one player's pieces of a kind, a1 the lowest bit.
    #[inline]
    pub fn pieces(&self, kind: Kind, player: Player) -> u64 {
        self.kinds[kind as usize] & self.colours[player.index()]
    }

    /// All squares of one player's pieces.
    #[inline]
    pub fn all_pieces(&self, player: Player) -> u64 {
        self.colours[player.index()]
    }

    /// All squares with a piece.
    #[inline]
    pub fn all(&self) -> u64 {
        self.colours[0] | self.colours[1]
    }

    /// The piece on a square and whose it is.
    #[inline]
    pub fn at(&self, square: usize) -> Option<(Kind, Player)> {
        let bit = 1 << square;
        let kind = Kind::ALL.into_iter().find(|&k| self.kinds[k as usize] & bit != 0)?;
        Some((kind, Player(u8::from(self.colours[1] & bit != 0))))
    }

    /// The kind of the piece on an occupied square.
    #[inline]
    pub(crate) fn kind_at(&self, square: u8) -> Kind {
        self.at(square.into()).map_or(Kind::Pawn, |(kind, _)| kind)
    }

    /// The square on which a pawn can be captured in passing.
    pub fn passed_square(&self) -> Option<u8> {
        (self.passed != Self::NO_SQUARE).then_some(self.passed)
    }

    /// Takes what stands where a move goes, or what it captures in passing, and moves.
    #[inline]
    pub(crate) fn step(&mut self, m: Move) {
        let (from, to, kind) = (usize::from(m.from), usize::from(m.to), self.kind_at(m.from));
        if let Some((taken, colour)) = self.at(to) {
            self.toggle(to, taken, colour);
        } else if kind == Kind::Pawn && m.to == self.passed {
            self.toggle(to ^ 8, Kind::Pawn, self.mover.other());
        }
        self.toggle(from, kind, self.mover);
        self.toggle(to, m.promotion.unwrap_or(kind), self.mover);
        self.forget_passed();
        self.pass_turn();
    }

    /// The same with each piece where `turned` takes its square; nothing has been passed.
    pub(crate) fn turned(&self, turned: impl Fn(u8) -> u8) -> Self {
        let mut image = Self::none();
        for square in 0..64 {
            if let Some((kind, colour)) = self.at(square.into()) {
                image.toggle(turned(square).into(), kind, colour);
            }
        }
        if self.mover == Player::SECOND {
            image.pass_turn();
        }
        image
    }

    /// FEN with these rights to castle; no rule counts moves.
    pub(crate) fn fen(&self, castling: &str) -> String {
        let side = if self.mover == Player::FIRST { "w" } else { "b" };
        let passed = self.passed_square().map_or_else(|| "-".into(), name);
        format!("{} {side} {castling} {passed} 0 1", write_placement(|s| self.at(s)))
    }
}

/// A move: squares are numbered a1 = 0, b1 = 1, ... h8 = 63. Castling is the king's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square moved from.
    pub from: u8,
    /// The square moved to.
    pub to: u8,
    /// What a pawn becomes on the last rank.
    pub promotion: Option<Kind>,
}

impl Move {
    /// The move as UCI writes it.
    pub(crate) fn write(self) -> String {
        let mut out = name(self.from) + &name(self.to);
        out.extend(self.promotion.map(Kind::letter));
        out
    }
}

/// Most pieces that a player can have.
pub(crate) const MOST_PIECES: usize = 16;
/// All squares but those of the a-file.
pub(crate) const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
/// All squares but those of the h-file.
pub(crate) const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;

/// The squares that pawns of a colour attack.
#[inline]
pub(crate) fn pawn_attacks(pawns: u64, colour: Player) -> u64 {
    let sides = pawns << 1 & NOT_A | pawns >> 1 & NOT_H;
    if colour == Player::FIRST { sides << 8 } else { sides >> 8 }
}

/// The squares that pawns of a colour can step to.
#[inline]
pub(crate) fn pawn_steps(pawns: u64, colour: Player, all: u64) -> u64 {
    if colour == Player::FIRST {
        let one = pawns << 8 & !all;
        one | (one & 0xFF_0000) << 8 & !all
    } else {
        let one = pawns >> 8 & !all;
        one | (one & 0xFF00_0000_0000) >> 8 & !all
    }
}

/// The name of a square.
pub(crate) fn name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

/// The square of a name.
pub(crate) fn square_of(text: &[u8]) -> Option<u8> {
    match text {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some((rank - b'1') * 8 + (file - b'a')),
        _ => None,
    }
}

/// The fields of a FEN with where they begin: placement, side to move, castling, en passant. The two counters may
/// be left out; they are read and forgotten.
pub(crate) fn fen_fields(text: &str) -> Result<[(usize, &str); 4], TextError> {
    let mut fields = text
        .split(' ')
        .scan(0, |at, field| {
            let here = *at;
            *at += field.len() + 1;
            Some((here, field))
        })
        .filter(|(_, field)| !field.is_empty());
    let mut out = [(0, ""); 4];
    let names = ["placement of the pieces", "side to move", "castling field", "en passant field"];
    for (slot, what) in out.iter_mut().zip(names) {
        *slot = fields.next().ok_or_else(|| {
            let expected = "a FEN such as 8/8/8/8/8/8/8/K6k w - - 0 1";
            TextError::new(text.len(), format!("the {what} is missing"), expected)
        })?;
    }
    let mut names = ["half-move clock", "move number"].into_iter();
    for (at, counter) in fields {
        let Some(what) = names.next() else {
            return Err(TextError::new(at, "something is left over after the FEN", "at most six fields"));
        };
        number(counter, what, 0, 1_000_000).map_err(|e| e.shifted(at))?;
    }
    Ok(out)
}

/// Reads the side to move.
pub(crate) fn read_side(text: &str) -> Result<Player, TextError> {
    match text {
        "w" => Ok(Player::FIRST),
        "b" => Ok(Player::SECOND),
        _ => Err(TextError::new(0, format!("'{}' is no side to move", shorten(text)), "w or b")),
    }
}

/// Reads the placement of a FEN: calls `put` with every piece.
pub(crate) fn read_placement(text: &str, mut put: impl FnMut(usize, Kind, Player)) -> Result<(), TextError> {
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
                let Some(kind) = Kind::of_letter(c.to_ascii_lowercase()) else {
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
                    put(rank * 8 + file, kind, colour);
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
    Ok(())
}

/// The placement as FEN writes it.
pub(crate) fn write_placement(at: impl Fn(usize) -> Option<(Kind, Player)>) -> String {
    let mut out = String::with_capacity(80);
    for rank in (0..8).rev() {
        let mut gap = 0;
        for file in 0..8 {
            if let Some((kind, colour)) = at(rank * 8 + file) {
                if gap > 0 {
                    out.push(char::from(b'0' + gap));
                }
                gap = 0;
                let sign = kind.letter();
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
    out
}

/// Reads a move in UCI form in letters of either case, or in SAN. `hint` says what legal moves have in common,
/// such as that they capture.
pub(crate) fn read_move(
    text: &str,
    legal: &[Move],
    at: impl Fn(usize) -> Option<(Kind, Player)>,
    hint: &str,
) -> Result<Move, TextError> {
    if let Some(&m) = legal.iter().find(|&&m| m.write().eq_ignore_ascii_case(text)) {
        return Ok(m);
    }
    let kind = |m: Move| at(m.from.into()).map(|(kind, _)| kind);
    let fitting: Vec<Move> = San::read(text)
        .map_or_else(Vec::new, |san| legal.iter().copied().filter(|&m| san.fits(kind(m), m)).collect());
    let names = |moves: &[Move]| moves.iter().take(8).map(|&m| m.write()).collect::<Vec<_>>().join(" ");
    match fitting[..] {
        [m] => Ok(m),
        [] => {
            let what = format!("'{}' is not a legal move here", shorten(text));
            let expected = match legal.len() {
                0 => "no move: the game is over".into(),
                _ => format!("{hint} {}", names(legal)),
            };
            Err(TextError::new(0, what, expected))
        }
        _ => {
            let what = format!("'{}' is ambiguous", shorten(text));
            Err(TextError::new(0, what, format!("one of {}", names(&fitting))))
        }
    }
}

/// A legal move in SAN, without signs for check; `legal` are all moves there.
pub(crate) fn write_san(m: Move, legal: &[Move], at: impl Fn(usize) -> Option<(Kind, Player)>) -> String {
    let kind = |m: Move| at(m.from.into()).map_or(Kind::Pawn, |(kind, _)| kind);
    let moved = kind(m);
    let mut out = String::new();
    if moved == Kind::Pawn {
        if m.from % 8 != m.to % 8 {
            out.push(char::from(b'a' + m.from % 8));
        }
    } else {
        out.push(moved.letter().to_ascii_uppercase());
        // As much of the square it comes from as tells it from others of its kind: file, else rank, else both.
        let rivals = || legal.iter().filter(|&&o| o.from != m.from && o.to == m.to && kind(o) == moved);
        let from = name(m.from);
        if rivals().next().is_some() {
            let same_file = rivals().any(|o| o.from % 8 == m.from % 8);
            let same_rank = rivals().any(|o| o.from / 8 == m.from / 8);
            out += match (same_file, same_rank) {
                (false, _) => &from[..1],
                (true, false) => &from[1..],
                (true, true) => &from,
            };
        }
    }
    let captures = at(m.to.into()).is_some() || moved == Kind::Pawn && m.from % 8 != m.to % 8;
    if captures {
        out.push('x');
    }
    out += &name(m.to);
    if let Some(kind) = m.promotion {
        out.push('=');
        out.push(kind.letter().to_ascii_uppercase());
    }
    out
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
            (kind, rest) = (Kind::of_letter(char::from(first.to_ascii_lowercase()))?, tail);
        }
        let mut promotion = None;
        if let [head @ .., last @ (b'N' | b'B' | b'R' | b'Q' | b'K')] = rest {
            promotion = Kind::of_letter(char::from(last.to_ascii_lowercase()));
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

    fn fits(&self, kind: Option<Kind>, m: Move) -> bool {
        kind == Some(self.kind)
            && m.to == self.to
            && m.promotion == self.promotion
            && self.file.is_none_or(|file| m.from % 8 == file)
            && self.rank.is_none_or(|rank| m.from / 8 == rank)
    }
}

/// An exact code of a placement: the occupied squares, then four bits a piece.
pub(crate) fn encode_placement(at: impl Fn(usize) -> Option<(Kind, Player)>, out: &mut Vec<u8>) {
    let occupied = (0..64).filter(|&s| at(s).is_some()).fold(0_u64, |set, s| set | 1 << s);
    out.extend(occupied.to_le_bytes());
    let mut pieces = (0..64).filter_map(&at).map(|(kind, colour)| kind as u8 * 2 + colour.0);
    while let Some(low) = pieces.next() {
        out.push(low | pieces.next().unwrap_or(0) << 4);
    }
}

/// The board in letters.
pub(crate) fn board_text(at: impl Fn(usize) -> Option<(Kind, Player)>) -> String {
    squares_text(
        8,
        8,
        letters,
        |r| (r + 1).to_string(),
        |file, rank| match at(rank * 8 + file) {
            Some((kind, Player::FIRST)) => kind.letter().to_ascii_uppercase(),
            Some((kind, _)) => kind.letter(),
            None => '.',
        },
    )
}

/// The signs, with a selector that keeps phones from drawing the pawn as a coloured emoji.
const FIGURES: [&str; 6] = ["♟\u{fe0e}", "♞", "♝", "♜", "♛", "♚"];
const NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// The board as shapes.
pub(crate) fn board_scene(at: impl Fn(usize) -> Option<(Kind, Player)>) -> Scene {
    let mut scene = Scene::squares(8, 8, true, letters, |r| (r + 1).to_string());
    for square in 0..64 {
        if let Some((kind, colour)) = at(square) {
            let (x, y) = Scene::square(8, square % 8, square / 8);
            // White is drawn light though it moves first.
            let (disc, figure, side) = if colour == Player::FIRST {
                (Paint::Second, Paint::First, "white")
            } else {
                (Paint::First, Paint::Second, "black")
            };
            scene.draw(Shape::Disc(x, y, 0.42, disc));
            scene.draw(Shape::Word(x, y, 0.6, FIGURES[kind as usize].into(), figure));
            scene.piece(format!("{side} {}", NAMES[kind as usize]), x, y);
        }
    }
    scene
}
