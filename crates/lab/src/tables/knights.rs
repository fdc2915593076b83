//! Two knights against a bishop or a knight: what is seen at a glance beside the complete tables, position by position
//! (E. Heinz, Static Recognition of Potential Wins in KNNKB and KNNKN, 2003).

use super::{Desk, Row};
use endspiel_expertise::chess::{Endings, Glimpse, Material, glimpse, glimpse_as_printed};
use endspiel_game::{Notation, Player, Position};
use endspiel_retro::{Error, Indexed, Metric, Stage, Store, Table};
use endspiel_rules::chess::{Board, Kind, turned};
use std::hint::black_box;
use std::time::{Duration, Instant};

const PUBLISHED: &str = include_str!("knights.txt");

/// Numbers that a thread takes at a time.
const PIECE: u64 = 1 << 16;

/// The published lines: the ending, what is counted, and the figures.
fn lines() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    PUBLISHED.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (ending, rest) = line.split_once('|')?;
        let (what, figures) = rest.split_once('|')?;
        Some((ending, what, figures))
    })
}

/// What is counted with one side to move.
#[derive(Clone, Copy, Default)]
struct Side {
    positions: u64,
    /// Wins and losses of the player to move by the winner's moves.
    won: [u64; 8],
    lost: [u64; 8],
    /// Drawn, mated, mates, and what is left to a search.
    seen: [u64; 4],
    wrong: u64,
    /// Where the rules as printed err: mated, mates and other wins or losses that they call draws, what they call mated, mates
    /// or mates a move later and is not, and all of the last.
    printed: [u64; 7],
    /// The knights' wins without their king, by the distance of the kings from 5 on, and all others that far.
    apart: [u64; 3],
    others: u64,
}

impl Side {
    fn add(&mut self, other: &Self) {
        let sum = |to: &mut [u64], from: &[u64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        sum(&mut self.won, &other.won);
        sum(&mut self.lost, &other.lost);
        sum(&mut self.seen, &other.seen);
        sum(&mut self.printed, &other.printed);
        sum(&mut self.apart, &other.apart);
        self.positions += other.positions;
        self.wrong += other.wrong;
        self.others += other.others;
    }

    fn count(&mut self, board: &Board, value: i32) {
        self.positions += 1;
        let slot = |moves: i32| (moves as usize).min(7);
        match value {
            0 => {}
            1.. => self.won[slot((value + 1) / 2)] += 1,
            _ => self.lost[slot((-1 - value) / 2)] += 1,
        }
        let seen = glimpse(board);
        let holds = match seen {
            Some(Glimpse::Draw) => value == 0,
            Some(Glimpse::Mated) => value == -1,
            Some(Glimpse::Mates) => value == 1,
            Some(Glimpse::MatesNext) => value == 3,
            None => true,
        };
        self.seen[seen.map_or(3, |seen| seen as usize)] += 1;
        self.wrong += u64::from(!holds);
        if let Some(seen) = glimpse_as_printed(board) {
            self.count_printed(seen, value);
        }
        let white = board.side() == Player::FIRST;
        if value != 0 && (value > 0) == white {
            match (distance(board), theme(board)) {
                (..=4, _) => {}
                (far, true) if white => self.apart[(far as usize - 5).min(2)] += 1,
                (_, true) => {}
                (_, false) => self.others += 1,
            }
        }
    }
}

impl Side {
    fn count_printed(&mut self, seen: Glimpse, value: i32) {
        let wrong = match (seen, value) {
            (Glimpse::Draw, 0) | (Glimpse::Mated, -1) | (Glimpse::Mates, 1) | (Glimpse::MatesNext, 3) => None,
            (Glimpse::Draw, -1) => Some(0),
            (Glimpse::Draw, 1) => Some(1),
            (Glimpse::Draw, _) => Some(2),
            (Glimpse::Mated, _) => Some(3),
            (Glimpse::Mates, _) => Some(4),
            (Glimpse::MatesNext, _) => Some(5),
        };
        if let Some(wrong) = wrong {
            self.printed[wrong] += 1;
        }
        self.printed[6] += u64::from(seen == Glimpse::MatesNext);
    }

    /// In words.
    fn printed(&self) -> String {
        let [mated, mates, others, not_mated, no_mate, not_next, next] = self.printed;
        format!(
            "{mated} mated, {mates} mates, {others} others called draws; wrong: {not_mated} mated, {no_mate} mates, \
             {not_next} of {next} a move later"
        )
    }
}

/// How far apart the kings are.
fn distance(board: &Board) -> u32 {
    let [a, b] = [Player::FIRST, Player::SECOND].map(|p| board.pieces(Kind::King, p).trailing_zeros());
    (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8))
}

/// May the knights mate without their king? Black's is in a corner, his piece on the diagonal before it, a knight behind that.
fn theme(board: &Board) -> bool {
    let king = board.pieces(Kind::King, Player::SECOND);
    let minor = board.all_pieces(Player::SECOND) & !king;
    let knights = board.pieces(Kind::Knight, Player::FIRST);
    let corners = [(0, 9, 18), (7, 14, 21), (56, 49, 42), (63, 54, 45)];
    corners.iter().any(|&(k, m, n)| king == 1 << k && minor == 1 << m && knights & 1 << n != 0)
}

/// Counts a slice by who is to move.
fn count(desk: &Desk<'_>, game: &Endings, slice: Material, table: &Table) -> Result<[Side; 2], Error> {
    let size = game.size(slice);
    let stage = Stage { doing: "comparing", pass: 1, changed: None };
    let parts = desk.work.share(stage, size.div_ceil(PIECE) as usize, size, |piece| {
        let mut sides = [Side::default(); 2];
        let start = piece as u64 * PIECE;
        for index in start..(start + PIECE).min(size) {
            let Some(value) = table.get(index) else { continue };
            if let Some(board) = game.position(slice, index) {
                sides[board.side().index()].count(&board, value);
            }
        }
        sides
    })?;
    let mut sum = [Side::default(); 2];
    for part in &parts {
        sum.iter_mut().zip(part).for_each(|(sum, part)| sum.add(part));
    }
    Ok(sum)
}

/// Figures without the zeros behind them.
fn figures(counts: &[u64]) -> String {
    let many = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    counts[..many].iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Is a line perfect play from a position to the end? A word is a move, `a/b` where both do, `a|b` where one does, or `*`, a best move.
fn is_perfect(game: &Endings, (slice, table): (Material, &Table), board: &Board, words: &[&str]) -> bool {
    let value =
        |board: &Board| game.place(board).filter(|there| there.0 == slice).and_then(|(_, i)| table.get(i));
    let Some((word, rest)) = words.split_first() else { return board.turn().is_over() };
    let Some(now) = value(board) else { return false };
    // A win in n plies leads to a loss in n - 1, marked -n; a loss in n, marked -1 - n, to a win in n - 1.
    let next_value = if now > 0 { -now } else { -2 - now };
    let good = |m| {
        let next = board.after(m);
        value(&next) == Some(next_value) && is_perfect(game, (slice, table), &next, rest)
    };
    match *word {
        "*" => board.move_list().into_iter().any(good),
        word => word.split('/').all(|both| both.split('|').any(|word| board.read_move(word).is_ok_and(good))),
    }
}

/// All images of a position without pawns.
fn images(board: &Board) -> impl Iterator<Item = Board> + '_ {
    (0..8).filter_map(|s| {
        let men = (0..64).filter_map(|at| board.at(at).map(|(kind, of)| (turned(at as u8, s), kind, of)));
        Board::of_pieces(&men.collect::<Vec<_>>(), board.side(), None)
    })
}

/// From how many positions a line is perfect play, and the first of them.
fn perfect(game: &Endings, slice: Material, table: &Table, moves: i32, line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let (mut many, mut first) = (0, None);
    for (index, _) in (0..).zip(table.values()).filter(|(_, value)| *value == Some(2 * moves - 1)) {
        let Some(board) = game.position(slice, index) else { continue };
        let mut starts = images(&board).filter(|image| is_perfect(game, (slice, table), image, &words));
        if let Some(start) = starts.next() {
            many += 1;
            first = first.or(Some(start.write()));
        }
    }
    first.map_or_else(|| "nowhere".into(), |first| format!("from {many} positions, {first}"))
}

/// What a call costs in nanoseconds, on the average of positions from the whole slice.
fn cost(game: &Endings, slice: Material) -> f64 {
    let size = game.size(slice);
    let boards: Vec<Board> = (0..size)
        .step_by(1 + size as usize / 10_000)
        .filter_map(|index| game.position(slice, index))
        .collect();
    let (begun, mut calls) = (Instant::now(), 0);
    while begun.elapsed() < Duration::from_millis(300) && !boards.is_empty() {
        for board in &boards {
            black_box(glimpse(black_box(board)));
        }
        calls += boards.len();
    }
    begun.elapsed().as_nanos() as f64 / calls.max(1) as f64
}

/// The figures of an ending in the order of the file.
fn found(
    desk: &Desk<'_>,
    game: &Endings,
    store: &Store,
    ending: &str,
) -> Result<Vec<(&'static str, &'static str, String)>, Error> {
    let Some(&slice) = game.read_slices(ending).ok().as_deref().and_then(<[_]>::first) else {
        return Ok(Vec::new());
    };
    let table = desk.table(game, store, slice, Metric::End)?;
    let mut out = Vec::new();
    let mut counted = None;
    for (_, what, published) in lines().filter(|line| line.0 == ending) {
        if let Some(moves) = what.strip_prefix("line of ") {
            out.push((what, published, perfect(game, slice, &table, moves.parse().unwrap_or(0), published)));
            continue;
        }
        let sides = match counted {
            Some(sides) => sides,
            None => *counted.insert(count(desk, game, slice, &table)?),
        };
        let [white, black] = &sides;
        let side = |side: &Side, depths: &[u64], last: u64| {
            format!("{}; {}; {last}", side.positions, figures(depths))
        };
        let seen = |side: &Side| {
            let [_, mated, mates, left] = side.seen;
            format!("{mated} mated, {mates} mates, {left} left, {} wrong", side.wrong)
        };
        let all = |depths: &[u64]| depths.iter().sum::<u64>();
        let text = match what {
            "White to move" => side(white, &white.won[1..], all(&white.lost)),
            "Black to move" => side(black, &black.lost, all(&black.won)),
            "White's glimpse" => seen(white),
            "Black's glimpse" => seen(black),
            "White's as printed" => white.printed(),
            "Black's as printed" => black.printed(),
            "kings far apart" => {
                let [five, six, seven] = white.apart;
                format!("{five} {six} {seven}, {} others", white.others + black.others)
            }
            "won" => (all(&white.won) + all(&black.lost)).to_string(),
            _ => {
                // Where both sides have the same men, White is to move in all positions.
                let black = if slice.is_symmetric() {
                    &Side { won: white.won, lost: white.lost, ..*black }
                } else {
                    black
                };
                format!("{} {}, {} {}", white.won[1], black.lost[0], white.lost[0], black.won[1])
            }
        };
        out.push((what, published, text));
    }
    Ok(out)
}

/// The endings below first, then both endings, and what a call costs.
pub fn knights(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, store) = (Endings::new(), Store::new(desk.dir, "chess"));
    for ending in ["KNNK", "KBKN", "KNKN", "KNNKB", "KNNKN"] {
        let begun = Instant::now();
        let slice = game.read_slices(ending).ok().and_then(|slices| slices.first().copied());
        let positions = slice.map_or(0, |slice| game.size(slice));
        let row = |name: String, published: &str, found: String, agrees: Option<bool>| Row {
            name,
            metric: Metric::End.name(),
            published: Some(published.into()),
            misprint: None,
            found,
            agrees,
            positions,
            seconds: begun.elapsed().as_secs_f64(),
        };
        for (what, published, found) in found(desk, &game, &store, ending)? {
            let agrees = if what.starts_with("line") {
                found != "nowhere"
            } else {
                super::agree(published, &found, &["?"])
            };
            if !desk.tell(row(format!("{ending} {what}"), published, found, Some(agrees))) {
                return Ok(false);
            }
        }
        if let Some(slice) = slice.filter(|slice| slice.men() == 5) {
            let found = format!("{:.0} ns", cost(&game, slice));
            if !desk.tell(row(format!("{ending} cost of a call"), "a few ns", found, None)) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::Game;
    use endspiel_rules::chess::Chess;

    #[test]
    fn every_line_is_read() {
        let all = PUBLISHED.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!((lines().count(), all), (22, 22));
    }

    #[test]
    fn the_theme_and_the_distance_of_kings() {
        let read = |text: &str| Chess.read(text).unwrap();
        let far = read("k7/1b6/2N5/8/8/8/8/1N3K2 w - -");
        assert!(theme(&far) && distance(&far) == 7);
        let near = read("8/8/8/8/8/2N5/1bK5/k3N3 w - -");
        assert!(theme(&near) && distance(&near) == 2);
        assert!(!theme(&read("k7/8/2N5/8/3b4/8/8/1N3K2 w - -")));
        assert_eq!(images(&near).count(), 8);
    }
}
