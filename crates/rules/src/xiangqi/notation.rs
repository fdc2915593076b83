//! Text and pictures of xiangqi: FEN, moves by points as ICCS writes them; WXF is read as well.
//!
//! The letters of FEN are K king, A guard, B minister, N knight, R rook, C cannon, P pawn; G, E, M and H are read too.
//! In WXF files are counted by each side from its own right; `+` is forward, `-` back, `=` or `.` sideways, followed by
//! the steps along the file or else by the file that is reached. Of two alike on one file `+` is the front one.

use super::board::{Board, Kind, Move};
use super::points::{FILES, POINTS, Point, RANKS};
use endspiel_game::notation::{number, shorten};
use endspiel_game::picture::{Paint, Shape, letters, squares_text};
use endspiel_game::{Notation, Picture, Player, Position, Scene, TextError};

/// The letters in the order of [`Kind::ALL`].
const LETTERS: [char; 7] = ['k', 'a', 'b', 'r', 'n', 'c', 'p'];

fn letter(kind: Kind) -> char {
    LETTERS[kind as usize]
}

fn kind_of(letter: char) -> Option<Kind> {
    let usual = match letter.to_ascii_lowercase() {
        'g' => 'a',
        'e' | 'm' => 'b',
        'h' => 'n',
        other => other,
    };
    LETTERS.iter().position(|&l| l == usual).map(|i| Kind::ALL[i])
}

/// The name of a point.
fn name(point: Point) -> String {
    format!("{}{}", char::from(b'a' + point % 9), point / 9)
}

/// Reads a FEN: the placement and the side to move; four more fields may follow, and mean nothing here.
pub(super) fn read(text: &str) -> Result<Board, TextError> {
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
            let expected = "a FEN such as 4k4/9/9/9/9/9/9/9/R8/3K5 w";
            TextError::new(text.len(), format!("the {what} is missing"), expected)
        })
    };
    let (at, placement) = field("placement of the pieces")?;
    let (side_at, side) = field("side to move")?;
    for (what, (at, rest)) in
        ["third field", "fourth field", "half-move clock", "move number"].iter().zip(&mut fields)
    {
        if rest != "-" {
            number(rest, what, 0, 1_000_000).map_err(|e| e.shifted(at))?;
        }
    }
    if let Some((at, _)) = fields.next() {
        return Err(TextError::new(at, "something is left over after the FEN", "at most six fields"));
    }
    let mut board = read_placement(placement).map_err(|e| e.shifted(at))?;
    match side {
        "w" | "r" => {}
        "b" => board.pass_turn(),
        _ => {
            let what = format!("'{}' is no side to move", shorten(side));
            return Err(TextError::new(side_at, what, "w (or r) for Red, or b"));
        }
    }
    if !board.is_legal() {
        let what = "the player who is not to move is in check, or the kings face each other";
        return Err(TextError::new(side_at, what, "the other side to move, or another placement"));
    }
    Ok(board)
}

fn read_placement(text: &str) -> Result<Board, TextError> {
    let mut board = Board::empty();
    let (mut rank, mut file) = (RANKS - 1, 0);
    let mut counts = [[0; 7]; 2];
    for (at, c) in text.char_indices() {
        let error = |what: String, expected: &str| Err(TextError::new(at, what, expected));
        match c {
            '/' if file != FILES => {
                return error(format!("rank {rank} has {file} points"), "9 points a rank");
            }
            '/' if rank == 0 => return error("there are too many ranks".into(), "10 ranks"),
            '/' => (rank, file) = (rank - 1, 0),
            '1'..='9' => file += (c as u8 - b'0') as usize,
            _ => {
                let Some(kind) = kind_of(c) else {
                    let what = format!("'{}' is no piece", shorten(&c.to_string()));
                    return error(what, "one of KABNRCPkabnrcp1-9 or /");
                };
                let player = Player(u8::from(c.is_ascii_lowercase()));
                if file < FILES {
                    let point = (rank * FILES + file) as Point;
                    if kind.points(player) >> point & 1 == 0 {
                        let what = format!("'{c}' can never stand on {}", name(point));
                        return error(what, "pieces on points that they can reach");
                    }
                    let count = &mut counts[player.index()][kind as usize];
                    *count += 1;
                    if *count > kind.most() {
                        return error(format!("there are too many '{c}'"), "at most as many as at the start");
                    }
                    board.put(point, kind, player);
                }
                file += 1;
            }
        }
        if file > FILES {
            return error(format!("rank {rank} is too long"), "9 points a rank");
        }
    }
    if (rank, file) != (0, FILES) {
        let what = format!("the placement ends in rank {rank} after {file} points");
        return Err(TextError::new(text.len(), what, "10 ranks of 9 points"));
    }
    for (counts, whose) in counts.iter().zip(["Red", "Black"]) {
        if counts[Kind::King as usize] != 1 {
            return Err(TextError::new(0, format!("{whose} has no king"), "one king each"));
        }
    }
    Ok(board)
}

/// A move of a piece as WXF writes it.
fn wxf(board: &Board, m: Move) -> Option<String> {
    let (kind, player) = board.at(m.from)?;
    let own = |point: Point| if player == Player::FIRST { point } else { 89 - point };
    let (from, to) = (own(m.from), own(m.to));
    let file = |point: Point| 9 - point % 9;
    let alike = (0..POINTS as Point)
        .filter(|&p| board.at(p) == Some((kind, player)) && p % 9 == m.from % 9 && p != m.from)
        .map(own);
    let tandem = !matches!(kind, Kind::Guard | Kind::Minister | Kind::King);
    let which = match alike.max().filter(|_| tandem) {
        Some(other) if from > other => "+".into(),
        Some(_) => "-".into(),
        None => file(from).to_string(),
    };
    let sign = match to / 9 {
        rank if rank > from / 9 => '+',
        rank if rank < from / 9 => '-',
        _ => '=',
    };
    let far = if from % 9 == to % 9 { (to / 9).abs_diff(from / 9) } else { file(to) };
    Some(format!("{}{which}{sign}{far}", letter(kind)))
}

/// A text in the letters and signs of [`wxf`].
fn usual_wxf(text: &str) -> String {
    let mut out: String = text.chars().map(|c| if c == '.' { '=' } else { c.to_ascii_lowercase() }).collect();
    if let Some(rest) = out.strip_prefix(['+', '-'])
        && rest.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        // Which of the two may stand before the letter.
        out = format!("{}{}{}", &rest[..1], &out[..1], &rest[1..]);
    }
    match out.chars().next().filter(char::is_ascii_alphabetic).and_then(kind_of) {
        Some(kind) => format!("{}{}", letter(kind), &out[1..]),
        None => out,
    }
}

impl Notation for Board {
    fn write_move(&self, m: Move) -> String {
        name(m.from) + &name(m.to)
    }

    fn write(&self) -> String {
        let mut out = String::with_capacity(80);
        for rank in (0..RANKS).rev() {
            let mut gap = 0;
            for file in 0..=FILES {
                let piece = if file < FILES { self.at((rank * FILES + file) as Point) } else { None };
                if (piece.is_some() || file == FILES) && gap > 0 {
                    out.push(char::from(b'0' + gap));
                    gap = 0;
                }
                match piece {
                    Some((kind, Player::FIRST)) => out.push(letter(kind).to_ascii_uppercase()),
                    Some((kind, _)) => out.push(letter(kind)),
                    None => gap += 1,
                }
            }
            if rank > 0 {
                out.push('/');
            }
        }
        out + if self.side() == Player::FIRST { " w" } else { " b" }
    }

    /// Reads points, with a hyphen between them or not, or WXF, in letters of either case.
    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let legal = self.move_list();
        let points = text.replacen('-', "", 1).to_ascii_lowercase();
        if let Some(&m) = legal.iter().find(|&&m| self.write_move(m) == points) {
            return Ok(m);
        }
        let wanted = usual_wxf(text);
        let fitting: Vec<Move> =
            legal.iter().copied().filter(|&m| wxf(self, m).is_some_and(|name| name == wanted)).collect();
        let names =
            |moves: &[Move]| moves.iter().take(8).map(|&m| self.write_move(m)).collect::<Vec<_>>().join(" ");
        match fitting[..] {
            [m] => Ok(m),
            [] => {
                let what = format!("'{}' is not a legal move here", shorten(text));
                let expected = match legal.len() {
                    0 => "no move: the game is over".into(),
                    _ => format!("a legal move such as {}", names(&legal)),
                };
                Err(TextError::new(0, what, expected))
            }
            _ => {
                let what = format!("'{}' is ambiguous", shorten(text));
                Err(TextError::new(0, what, format!("one of {}", names(&fitting))))
            }
        }
    }

    /// The occupied points, then four bits a piece, then the turn.
    fn encode(&self, out: &mut Vec<u8>) {
        let occupied = self.pieces(Player::FIRST) | self.pieces(Player::SECOND);
        out.extend(&occupied.to_le_bytes()[..12]);
        let points = (0..POINTS as Point).filter_map(|point| self.at(point));
        let mut pieces = points.map(|(kind, player)| kind as u8 * 2 + player.0);
        while let Some(low) = pieces.next() {
            out.push(low | pieces.next().unwrap_or(0) << 4);
        }
        out.push(self.side().0);
    }
}

/// What the pieces are called where the picture is heard.
const NAMES: [&str; 7] = ["king", "guard", "minister", "rook", "knight", "cannon", "pawn"];

impl Picture for Board {
    fn text(&self) -> String {
        squares_text(
            FILES,
            RANKS,
            letters,
            |r| r.to_string(),
            |file, rank| match self.at((rank * FILES + file) as Point) {
                Some((kind, Player::FIRST)) => letter(kind).to_ascii_uppercase(),
                Some((kind, _)) => letter(kind),
                None => '.',
            },
        )
    }

    /// Pieces stand on the points of the lines; the river has none across but at the edges. They bear the letters of the
    /// notation: many machines have no font with the Chinese signs.
    fn scene(&self) -> Scene {
        let mut scene = Scene::new(FILES as f32 + 1.5, RANKS as f32 + 1.5);
        scene.ground();
        let at = |file: usize, rank: usize| Scene::square(RANKS, file, rank);
        for rank in 0..RANKS {
            scene.draw(Shape::Line(at(0, rank), at(8, rank), Paint::Ink));
            scene.draw(Shape::Word(0.5, at(0, rank).1, 0.4, rank.to_string(), Paint::Ink));
        }
        for file in 0..FILES {
            if file % 8 == 0 {
                scene.draw(Shape::Line(at(file, 0), at(file, 9), Paint::Ink));
            } else {
                scene.draw(Shape::Line(at(file, 0), at(file, 4), Paint::Ink));
                scene.draw(Shape::Line(at(file, 5), at(file, 9), Paint::Ink));
            }
            scene.draw(Shape::Word(at(file, 0).0, RANKS as f32 + 1.0, 0.4, letters(file), Paint::Ink));
        }
        for rank in [0, 7] {
            scene.draw(Shape::Line(at(3, rank), at(5, rank + 2), Paint::Ink));
            scene.draw(Shape::Line(at(5, rank), at(3, rank + 2), Paint::Ink));
        }
        for point in 0..POINTS {
            let (x, y) = at(point % FILES, point / FILES);
            scene.place(name(point as Point), x, y);
            if let Some((kind, player)) = self.at(point as Point) {
                // Red is drawn light.
                let (disc, figure, side) = if player == Player::FIRST {
                    (Paint::Second, Paint::Mark, "red")
                } else {
                    (Paint::First, Paint::Second, "black")
                };
                scene.draw(Shape::Disc(x, y, 0.42, disc));
                let word = letter(kind).to_ascii_uppercase().to_string();
                scene.draw(Shape::Word(x, y, 0.54, word, figure));
                scene.piece(format!("{side} {}", NAMES[kind as usize]), x, y);
            }
        }
        scene
    }
}
