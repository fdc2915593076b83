//! Printed lines of perfect play in checkers, replayed: every move must be legal, the last one must end the game, and where
//! tables hold a position they must say as many plies as the line still has.

use super::{Desk, Row};
use endspiel_expertise::checkers::Endings;
use endspiel_game::{Game, Notation, Player, Position};
use endspiel_retro::{Error, Indexed, Metric, Probe, Store};
use endspiel_rules::checkers::{Board, Checkers};
use std::time::Instant;

/// The lines: a position and the moves.
pub const LINES: &str = include_str!("lines.txt");

/// Tables with more pieces are asked if they are there, and not built.
const MOST_PIECES: u32 = 5;

/// The positions of a line, the first one included; the text of the move that is not legal otherwise.
fn replay(line: &str) -> Result<Vec<Board>, String> {
    let mut words = line.split(' ');
    let start = words.next().unwrap_or_default();
    let mut positions = vec![Checkers.read(start).map_err(|_| start.to_string())?];
    for word in words {
        let last = &positions[positions.len() - 1];
        let m = last.read_move(word).map_err(|_| word.to_string())?;
        positions.push(last.after(m));
    }
    Ok(positions)
}

/// The four lines of E. Trice and G. Dodgen (2003).
pub fn lines(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, store) = (Endings::new(), Store::new(desk.dir, "checkers"));
    for line in LINES.lines().filter(|line| !line.starts_with('#')) {
        let begun = Instant::now();
        let plies = line.split(' ').count() - 1;
        let name = line.split(' ').next().unwrap_or_default().to_string();
        let (found, agrees, positions) = match replay(line) {
            Err(word) => (format!("{word} is not legal"), Some(false), 0),
            Ok(positions) => judge(desk, &game, &store, &positions)?,
        };
        let row = Row {
            name,
            metric: Metric::End.name(),
            published: Some(format!("{plies} plies")),
            misprint: None,
            found,
            agrees,
            positions,
            seconds: begun.elapsed().as_secs_f64(),
        };
        if !desk.tell(row) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What tables say of the positions of a line, whether that is what the line says, and how many they judge. Without time to
/// build those of five pieces, the ones that are there are asked.
fn judge(
    desk: &Desk<'_>,
    game: &Endings,
    store: &Store,
    positions: &[Board],
) -> Result<(String, Option<bool>, u64), Error> {
    let plies = positions.len() - 1;
    let pieces = |board: &Board| {
        [Player::FIRST, Player::SECOND].map(|player| board.pieces(player).count_ones()).iter().sum::<u32>()
    };
    let mut few: Vec<_> = positions.iter().filter(|b| pieces(b) <= MOST_PIECES).collect();
    few.retain(|board| !board.turn().is_over());
    let mut slices: Vec<_> = few.iter().filter_map(|board| Some(game.place(board)?.0)).collect();
    slices.sort_unstable();
    slices.dedup();
    match desk.build(game, store, &slices, Metric::End) {
        Ok(()) | Err(Error::Stopped) => {}
        Err(error) => return Err(error),
    }
    let all = positions.iter().filter_map(|board| Some(game.place(board)?.0));
    let mut there: Vec<_> =
        all.filter(|&slice| store.path(&game.slice_name(slice), Metric::End).exists()).collect();
    there.sort_unstable();
    there.dedup();
    let probe = Probe::open(game, store, &there, Metric::End, desk.budget.memory as u64)?;
    let (mut judged, mut wrong) = (0, None);
    for (ply, board) in positions.iter().enumerate().filter(|(_, board)| !board.turn().is_over()) {
        if game.place(board).is_none_or(|(slice, _)| !there.contains(&slice)) {
            continue;
        }
        let left = (plies - ply) as i32;
        // Who moves last wins.
        let expected = if left % 2 == 1 { left } else { -1 - left };
        judged += 1;
        if probe.value(board)? != Some(expected) {
            wrong = wrong.or(Some(ply));
        }
    }
    let over = positions[plies].turn().is_over();
    let found = match (over, wrong) {
        (false, _) => format!("{plies} plies, and the game is not over"),
        (true, Some(ply)) => format!("{plies} plies, another distance in the table after {ply}"),
        (true, None) if judged == 0 => format!("{plies} plies, no tables"),
        (true, None) => format!("{plies} plies, the tables agree in the {judged} positions that they hold"),
    };
    let agrees = over && wrong.is_none();
    Ok((found, (judged > 0 || !agrees).then_some(agrees), judged))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_legal_to_their_end() {
        let lines: Vec<_> =
            LINES.lines().filter(|line| !line.starts_with('#')).map(|line| replay(line).unwrap()).collect();
        assert_eq!(lines.iter().map(|line| line.len() - 1).collect::<Vec<_>>(), [253, 207, 207, 81]);
        assert!(lines.iter().all(|line| line[line.len() - 1].turn().is_over()));
        // Figure 6: the first capture or crowning comes after 149 plies.
        let pieces =
            |board: &Board| [Player::FIRST, Player::SECOND].map(|player| board.pieces(player).count_ones());
        let kinds = |board: &Board| (pieces(board), board.kings().count_ones());
        let first = lines[1].windows(2).position(|pair| kinds(&pair[0]) != kinds(&pair[1]));
        assert_eq!(first, Some(149));
        assert_eq!(replay("B:WK31:BK18,25 18-1").unwrap_err(), "18-1");
    }
}
