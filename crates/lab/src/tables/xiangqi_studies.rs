//! Out of the databases of xiangqi: an ending that the books disputed, distance by distance, and two studies.

use super::{Desk, Row};
use endspiel_expertise::xiangqi::{Endings, Material, Piece, published_pawn_nine};
use endspiel_game::{Game, Notation, Player, Position};
use endspiel_retro::{Error, Indexed, Metric, Probe, Store, Table};
use endspiel_rules::xiangqi::{Board, Kind, Xiangqi};
use std::time::Instant;

/// The studies: ending, position, distance, line and tries.
const STUDIES: &str = include_str!("xiangqi_studies.txt");
/// The ending with the pawn on the last rank: placements, facing kings, checks.
const PLACED: [u64; 3] = [839_205, 219_090, 81_504];
/// The positions with the longest wins: all with a knight on a0 and the king on f0, f1 or f2, up to mirror images. The knight
/// may stand on i0 as well.
const LONGEST: [&str; 6] = [
    "5P3/3k5/4ba3/9/9/9/9/9/9/N4K3 w",
    "5P3/3k5/4ba3/9/9/9/9/9/5K3/N8 w",
    "5P3/3k5/4ba3/9/9/9/9/5K3/9/N8 w",
    "5P3/3k5/4ba3/9/9/9/9/9/9/5K2N w",
    "5P3/3k5/4ba3/9/9/9/9/9/5K3/8N w",
    "5P3/3k5/4ba3/9/9/9/9/5K3/9/8N w",
];

/// KNPKGM with the pawn on the last rank, then the studies of H. Fang, T. Hsu and S. Hsu (2000), the larger one last.
pub fn xiangqi_studies(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, store) = (Endings::new(), Store::new(desk.dir, "xiangqi"));
    let Some(&slice) = game.read_slices("KNPKGM").ok().as_deref().and_then(<[_]>::first) else {
        return Ok(true);
    };
    let begun = Instant::now();
    let table = desk.table(&game, &store, slice, Metric::End)?;
    let row = |name: &str, published: String, found: String, positions: u64| Row {
        name: name.into(),
        metric: Metric::End.name(),
        agrees: Some(published == found),
        published: Some(published),
        misprint: None,
        found,
        positions,
        seconds: begun.elapsed().as_secs_f64(),
    };
    for (name, published, found, positions) in pawn_nine(&game, slice, &table) {
        if !desk.tell(row(name, published, found, positions)) {
            return Ok(false);
        }
    }
    drop(table);
    for line in STUDIES.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(" = ").collect();
        let [ending, position, distance, line] = words[..] else { continue };
        let (Ok(slices), Ok(board)) = (game.read_slices(ending), Xiangqi.read(position)) else { continue };
        desk.build(&game, &store, &slices, Metric::End)?;
        let all = endspiel_retro::closure(&game, &slices);
        let probe = Probe::open(&game, &store, &all, Metric::End, desk.budget.memory as u64)?;
        let (main, tries) = line.split_once(" ? ").unwrap_or((line, ""));
        let tries: Vec<&str> = tries.split(" ? ").filter(|text| !text.is_empty()).collect();
        let plies = main.split(' ').count();
        let mut found = vec![told(probe.value(&board)?)];
        found.push(match followed(&probe, board.clone(), main)? {
            Ok(()) => format!("{plies} plies of the line are best"),
            Err(word) => format!("{word} is not best"),
        });
        for &text in &tries {
            found.push(refuted(&probe, board.clone(), text)?);
        }
        let mut published =
            vec![format!("a win in {distance}"), format!("{plies} plies of the line are best")];
        published.extend(tries.iter().map(|text| draws(text)));
        let size: u64 = slices.iter().map(|&slice| game.size(slice)).sum();
        if !desk.tell(row(&format!("study {ending}"), published.join(", "), found.join(", "), size)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What is compared of the disputed ending: name, what is published, what is found, positions.
fn pawn_nine(game: &Endings, slice: Material, table: &Table) -> Vec<(&'static str, String, String, u64)> {
    let on_nine = |pieces: &[Piece]| pieces.iter().any(|&(point, kind, _)| kind == Kind::Pawn && point >= 81);
    let census = game.census(slice, on_nine);
    let placed =
        |[all, facing, checks]: [u64; 3]| format!("{all} placements, {facing} facing, {checks} in check");
    let found = placed([census.placements, census.facing, census.checks]);
    let mut out = vec![("KNP(9)KGM", placed(PLACED), found, census.placements)];
    let stands = |board: &Board| (81..90).any(|point| board.at(point) == Some((Kind::Pawn, Player::FIRST)));
    let listed = |row: &[(Option<u32>, u64)]| {
        let pair = |(distance, many): &(Option<u32>, u64)| {
            format!("{}:{many}", distance.map_or_else(|| "-".into(), |plies| plies.to_string()))
        };
        row.iter().map(pair).collect::<Vec<_>>().join(" ")
    };
    let counts = game.distances(slice, table, stands);
    let names = ["KNP(9)KGM, Red to move", "KNP(9)KGM, Black to move"];
    for ((name, published), found) in names.into_iter().zip(published_pawn_nine()).zip(&counts) {
        let many = found.iter().map(|(_, many)| many).sum();
        out.push((name, listed(&published), listed(found), many));
    }
    // The longest wins of Red: these six and no other, in the numbers of the slice.
    let index = |text: &str| Some(game.place(&Xiangqi.read(text).ok()?)?.1);
    let mut longest: Vec<u64> = LONGEST.into_iter().filter_map(index).collect();
    longest.sort_unstable();
    let farthest = (0..game.size(slice) / 2)
        .filter(|&i| table.get(i) == Some(97) && game.position(slice, i).is_some_and(|board| stands(&board)));
    let farthest: Vec<u64> = farthest.collect();
    let six = |same: bool| if same { "the six positions" } else { "other positions" }.to_string();
    out.push(("KNP(9)KGM, wins in 97", six(true), six(longest == farthest), 6));
    // Red alone has attackers.
    let half = game.size(slice) / 2;
    let loses = (0..).zip(table.values()).any(|(i, value)| match value {
        Some(value) if i < half => value < 0,
        value => value.is_some_and(|value| value > 0),
    });
    let never = |loses: bool| if loses { "Red loses" } else { "Red never loses" }.to_string();
    out.push(("KNPKGM", never(false), never(loses), game.size(slice)));
    out
}

/// In words, for Red to move.
fn told(value: Option<i32>) -> String {
    match value {
        Some(plies @ 1..) => format!("a win in {plies}"),
        Some(0) => "a draw".into(),
        Some(_) => "a loss".into(),
        None => "unknown".into(),
    }
}

/// Is every move of the line a best one, so that the distance falls ply by ply? Else the first that is not.
fn followed(probe: &Probe<'_, Endings>, mut board: Board, line: &str) -> Result<Result<(), String>, Error> {
    for word in line.split(' ') {
        let Ok(m) = board.read_move(word) else { return Ok(Err(word.into())) };
        let (before, next) = (probe.value(&board)?, board.after(m));
        // A win in n leads to a loss in n - 1, marked -n, and that to a win in n - 2.
        let expected = before.map(|plies| if plies > 0 { -plies } else { -plies - 2 });
        if probe.value(&next)? != expected {
            return Ok(Err(word.into()));
        }
        board = next;
    }
    Ok(Ok(()))
}

/// A try: Red's last move lets a draw slip, and the reply behind it, if one is printed, keeps it.
fn draws(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    match words.len() % 2 {
        0 => format!("{} {} draws", words[words.len() - 2], words[words.len() - 1]),
        _ => format!("{} draws", words[words.len() - 1]),
    }
}

/// The words of [`draws`] if the tables say so.
fn refuted(probe: &Probe<'_, Endings>, mut board: Board, line: &str) -> Result<String, Error> {
    let count = line.split(' ').count();
    let tried = count - 1 - usize::from(count.is_multiple_of(2));
    for (ply, word) in line.split(' ').enumerate() {
        let Ok(m) = board.read_move(word) else { return Ok(format!("{word} is not legal")) };
        board = board.after(m);
        let value = probe.value(&board)?;
        if ply >= tried && value != Some(0) {
            return Ok(format!("{word} does not draw"));
        }
    }
    Ok(draws(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_studies_are_legal() {
        for line in STUDIES.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split(" = ").collect();
            let game = Endings::new();
            let start = Xiangqi.read(words[1]).unwrap();
            assert_eq!(game.slice_name(game.place(&start).unwrap().0), words[0]);
            for line in words[3].split(" ? ") {
                let mut board = start.clone();
                for word in line.split(' ') {
                    let m = board.read_move(word).unwrap_or_else(|e| panic!("{line}: {e}"));
                    board = board.after(m);
                }
            }
        }
        assert_eq!(draws("a0b2 d8d9"), "a0b2 d8d9 draws");
        assert_eq!(draws("d9e9 i7g5 b1c3"), "b1c3 draws");
    }
}
