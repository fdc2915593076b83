//! Games as text, in the manner of portable game notation ([`pgn`]): tags in brackets, then the moves.
//!
//! ```text
//! [Game "connect-four:6x5"]
//! [First "human"]
//! [Second "auto"]
//! [Result "Black wins"]
//!
//! 1. 3 3 2. 4 2
//! ```
//!
//! `Position` is the position that the moves start from, if it is not the game's start. Chess and give-away chess are
//! written as PGN for export, with the seven tags and moves in SAN, and so read what other programs write. A record
//! without the tag `Game` is one of chess, unless `Variant` (or `GameType`, as in records of draughts) says otherwise.
//! Unknown tags are kept.

use crate::fault::Fault;
use crate::pgn::{self, Parts, Tag};
use crate::place::{Found, LONGEST_NUMBERED, Where};
use endspiel_game::Stop;
use endspiel_game::notation::shorten;
use serde::Serialize;

/// A game as it was written down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Record {
    pub game: String,
    pub position: String,
    pub moves: String,
    /// All tags, in order.
    pub tags: Vec<(String, String)>,
    /// How many games the text has; the first is read.
    pub games: usize,
}

/// What is told of a game beside its moves; what is empty is left out.
#[derive(Debug, Default)]
pub struct Told {
    /// Who played: a person or a method.
    pub players: [String; 2],
    /// The clock, such as `180+2`.
    pub clock: String,
    /// How the game ended, if not by its rules, ...
    pub ended: String,
    /// ... and who won then.
    pub winner: String,
    /// When it was played, such as `2024.02.29`.
    pub date: String,
    /// The tags of a record that the game was read from, as text: they say more of it than we know.
    pub tags: String,
}

/// Tags that the game itself tells.
const OURS: [&str; 7] = ["Game", "Position", "Variant", "GameType", "SetUp", "FEN", "PlyCount"];

/// No record is longer than this.
pub const LONGEST: usize = LONGEST_NUMBERED;
/// No tag's value is longer than this.
const LONGEST_TAG: usize = 200;

/// The game of records that name none.
const CHESS: &str = "chess";
/// What names the game of a record.
const NAMING: &str = "a line such as [Game \"hex:5\"], or the tags of PGN such as [White \"Anderssen\"]";
/// The games whose records are PGN for export, with what other programs call the variant.
const EXPORTED: [(&str, &str); 2] = [(CHESS, ""), ("give-away-chess", "Antichess")];
/// What PGN calls variants, in letters and digits alone, and what they are here.
const VARIANTS: [(&str, &str); 8] = [
    ("standard", CHESS),
    ("chess", CHESS),
    ("normal", CHESS),
    ("fromposition", CHESS),
    ("antichess", "give-away-chess:antichess"),
    ("giveaway", "give-away-chess:antichess"),
    ("suicide", "give-away-chess:antichess"),
    ("losingchess", "give-away-chess:antichess"),
];
/// The number of English draughts among the game types of PDN.
const DRAUGHTS: &str = "21";

impl Record {
    /// Reads a record and plays it: its moves are then as the game writes them. A text that names no game is one of chess,
    /// as other programs write them, or of the `usual` game: with numbers before its moves rather the first.
    pub fn check(text: &str, usual: &str, stop: &Stop) -> Result<Self, Fault> {
        if text.len() > LONGEST {
            return Err(Fault::bad(format!("a record has at most {LONGEST} bytes")));
        }
        let Parts { tags, moves, .. } = pgn::cut(text, false)?;
        if let Some(game) = game_of(&tags)? {
            return Self::read(text, game, stop).map_err(|(_, fault)| fault);
        }
        let first = moves.split_whitespace().next();
        let first =
            first.ok_or_else(|| Fault::bad(format!("line 1: the record is empty; expected {NAMING}")))?;
        if !usual.is_empty() {
            endspiel_catalog::game(usual)?;
        }
        let numbered = first.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let numbered = numbered.len() < first.len() && numbered.starts_with('.');
        let mut games = vec![usual, CHESS];
        if numbered {
            games.reverse();
        }
        games.retain(|game| !game.is_empty());
        games.dedup();
        let mut best: Option<(usize, &str, Fault)> = None;
        for game in games {
            match Self::read(text, game.into(), stop) {
                Ok(record) => return Ok(record),
                // What is wrong is told of the game that goes further, in doubt of the usual one.
                Err((played, fault)) => {
                    let further = best
                        .as_ref()
                        .is_none_or(|(most, ..)| played > *most || played == *most && game == usual);
                    if further {
                        best = Some((played, game, fault));
                    }
                }
            }
        }
        let named_none = "line 1: the record names no game";
        Err(match best {
            Some((_, game, fault)) if game == usual && usual == CHESS => fault,
            Some((played, game, fault)) if played > 0 || game == usual => {
                let message = fault.message();
                fault.again(format!(
                    "{message}; the record names no game and is read as one of {game}: expected {NAMING}"
                ))
            }
            _ => Fault::bad(format!("{named_none}; expected {NAMING}")),
        })
    }

    /// Reads a record of a game; if that fails, how many moves were played and what is wrong.
    fn read(text: &str, game: String, stop: &Stop) -> Result<Self, (usize, Fault)> {
        let at_once = |fault: Fault| (0, fault);
        let Parts { tags, moves, games } = pgn::cut(text, exported(&game).is_some()).map_err(at_once)?;
        let start = tags.iter().find(|tag| ["Position", "FEN"].contains(&tag.name.as_str()));
        let position = start.map(|tag| tag.value.clone()).unwrap_or_default();
        let on_line = |line: usize, fault: &Fault| fault.again(format!("line {line}: {}", fault.message()));
        let named = tags.iter().find(|tag| tag.name == "Game");
        let place = Where { game, ..Where::default() };
        let known =
            place.root().map_err(|f| named.map_or_else(|| f.again(f.message()), |tag| on_line(tag.line, &f)));
        known.map_err(at_once)?;
        let place = Where { position: position.clone(), ..place };
        let root = place.root().map_err(|fault| on_line(start.map_or(1, |tag| tag.line), &fault));
        let mut found: Found = root.map_err(at_once)?;
        if let Err(unplayed) = found.play(&moves, stop) {
            let fault = match unplayed.wrong {
                Some((at, words)) => Fault::bad(format!("line {}: {words}", pgn::line_of(text, at))),
                None => unplayed.fault,
            };
            return Err((found.played.len(), fault));
        }
        Ok(Self {
            game: found.game.full_name(),
            position,
            moves: found.played.join(" "),
            tags: tags.into_iter().map(|tag| (tag.name, tag.value)).collect(),
            games,
        })
    }
}

/// What other programs call the variant, if the game's records are PGN for export.
fn exported(game: &str) -> Option<&'static str> {
    let name = game.split(':').next().unwrap_or_default();
    EXPORTED.iter().find(|(exported, _)| *exported == name).map(|(_, variant)| *variant)
}

/// The game that a record is of; none if it has no tags.
fn game_of(tags: &[Tag]) -> Result<Option<String>, Fault> {
    let find = |name: &str| tags.iter().find(|tag| tag.name == name);
    let unknown = |tag: &Tag, expected: &str| {
        let what = format!("{} \"{}\" is not known here", tag.name, shorten(&tag.value));
        Err(Fault::bad(format!("line {}: {what}; expected {expected}", tag.line)))
    };
    if let Some(tag) = find("Game") {
        return Ok(Some(tag.value.clone()));
    }
    if let Some(tag) = find("GameType") {
        let draughts = tag.value.split(',').next() == Some(DRAUGHTS);
        let expected = "21, English draughts, or a tag such as [Game \"hex:5\"]";
        return if draughts { Ok(Some("checkers".into())) } else { unknown(tag, expected) };
    }
    if let Some(tag) = find("Variant") {
        let plain: String = tag.value.chars().filter(char::is_ascii_alphanumeric).collect();
        let game = VARIANTS.iter().find(|(name, _)| plain.eq_ignore_ascii_case(name));
        let expected = "Standard, Antichess, or a tag such as [Game \"hex:5\"]";
        return game.map_or_else(|| unknown(tag, expected), |(_, game)| Ok(Some((*game).into())));
    }
    Ok((!tags.is_empty()).then(|| CHESS.into()))
}

/// The tags of a record, with what another record said of the game: its words stand for ours, and what we have none for
/// comes behind. The result is ours, and so is an end that we know.
fn head(tags: &[(&str, String)], kept: &[(String, String)]) -> String {
    let said = |name: &str, ours: &str| {
        let known = name == "Result" || name == "Termination" && !ours.is_empty();
        kept.iter().find(|(kept, _)| kept == name && !known)
    };
    let ours = tags.iter().map(|(name, value)| (*name, said(name, value).map_or(value, |(_, value)| value)));
    let more = kept.iter().filter(|(name, _)| tags.iter().all(|(tag, _)| tag != name));
    let all = ours.chain(more.map(|(name, value)| (name.as_str(), value)));
    all.filter(|(_, value)| !value.is_empty()).map(|(name, value)| pgn::write_tag(name, value)).collect()
}

/// Writes a record of the game that led to a position.
pub fn write(place: &Where, told: &Told, stop: &Stop) -> Result<String, Fault> {
    let Told { players: [first, second], clock, ended, winner, date, tags: kept } = told;
    if [first, second, clock, ended, winner, date].iter().any(|value| value.len() > LONGEST_TAG) {
        return Err(Fault::bad(format!("a tag of a record has at most {LONGEST_TAG} bytes")));
    }
    if kept.len() > LONGEST {
        return Err(Fault::bad(format!("the tags of a record have at most {LONGEST} bytes")));
    }
    let kept: Vec<(String, String)> = pgn::cut(kept, false)?
        .tags
        .into_iter()
        .filter(|tag| !OURS.contains(&tag.name.as_str()))
        .map(|tag| (tag.name, tag.value))
        .collect();
    let found = place.find(stop)?;
    let result = if winner.is_empty() { found.result() } else { Some(format!("{winner} wins")) };
    let start = if place.position.is_empty() { String::new() } else { found.root.write() };
    let game = found.game.full_name();
    let or = |text: &str, usual: &str| if text.is_empty() { usual.to_string() } else { text.to_string() };
    // A game may have ended by resignation or on time, which only its record knows.
    let agreed = kept.iter().find(|(name, _)| name == "Result").map(|(_, value)| value.clone());
    let Some(variant) = exported(&game) else {
        let result = result.or(agreed);
        let tags = [
            ("Game", game.as_str()),
            ("Position", &start),
            ("First", first),
            ("Second", second),
            ("Date", date),
            ("TimeControl", clock),
            ("Termination", ended),
            ("Result", result.as_deref().unwrap_or_default()),
        ];
        let head = head(&tags.map(|(name, value)| (name, value.to_string())), &kept);
        return Ok(format!("{head}\n{}", pgn::write_moves(&found.played, false, None)));
    };
    let names = found.game.about().players;
    let score = match result.as_deref() {
        None => "*",
        Some(words) if words.starts_with(names[0]) => "1-0",
        Some(words) if words.starts_with(names[1]) => "0-1",
        Some(_) => "1/2-1/2",
    };
    let score =
        agreed.as_deref().filter(|agreed| score == "*" && pgn::RESULTS.contains(agreed)).unwrap_or(score);
    // The seven tags that PGN asks for, in its order, then the others.
    let tags = [
        ("Event", "Endspiel".to_string()),
        ("Site", "?".into()),
        ("Date", or(date, "????.??.??")),
        ("Round", "-".into()),
        ("White", or(first, "?")),
        ("Black", or(second, "?")),
        ("Result", score.into()),
        ("Variant", variant.into()),
        ("SetUp", if start.is_empty() { String::new() } else { "1".into() }),
        ("FEN", start),
        ("TimeControl", clock.clone()),
        ("Termination", ended.clone()),
        ("Game", game),
    ];
    let head = head(&tags, &kept);
    let second_begins = found.root.turn().player().is_some_and(|player| player.index() == 1);
    let moves = found.root.recorded(&found.played.join(" "))?;
    Ok(format!("{head}\n{}", pgn::write_moves(&moves, second_begins, Some(score))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<Record, Fault> {
        Record::check(text, "", &Stop::default())
    }

    fn place(record: &Record) -> Where {
        let Record { game, position, moves, .. } = record.clone();
        Where { game, position, moves, ..Where::default() }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let moves = "4 4 4 4 4 4 3 3 3 3";
        let place = Where { game: "connect-four".into(), moves: moves.into(), ..Where::default() };
        let go = Stop::default();
        let told = Told { players: ["a \"person\"".into(), String::new()], ..Told::default() };
        let text = write(&place, &told, &go).expect("a record");
        assert!(
            text.contains(r#"[First "a \"person\""]"#) && !text.contains("Second") && text.contains("2. 4 4")
        );
        let record = check(&text).expect("the record is read");
        assert_eq!((record.game.as_str(), record.moves.as_str()), ("connect-four", moves));
        assert_eq!(record.tags[1], ("First".into(), "a \"person\"".into()));
        let place =
            Where { game: "tic-tac-toe".into(), position: "x.o/.x./... o".into(), ..Where::default() };
        let record = check(&write(&place, &Told::default(), &go).expect("a record")).expect("read");
        assert_eq!(record.position, "x.o/.x./... o");
    }

    #[test]
    fn what_a_record_says_of_its_game_is_written_again() {
        let text = "[Event \"London\"]\n[Site \"?\"]\n[Date \"1851.06.21\"]\n[White \"Anderssen, A. \\\"Adolf\\\"\"]\n\
                    [Black \"Kieseritzky\"]\n[Result \"1-0\"]\n[ECO \"C33\"]\n[FEN \"\"]\n\n1. e4 e5 2. f4 exf4 1-0\n";
        let record = check(text).expect("read");
        let tags = record.tags.iter().map(|(name, value)| pgn::write_tag(name, value)).collect();
        let told = Told {
            players: ["human".into(), "auto".into()],
            date: "2026.01.01".into(),
            tags,
            ..Told::default()
        };
        let again = write(&place(&record), &told, &Stop::default()).expect("written");
        for line in text.lines().filter(|line| line.starts_with('[') && !line.contains("FEN")) {
            assert!(again.contains(line), "{line} is missing:\n{again}");
        }
        assert!(again.ends_with("1. e4 e5 2. f4 exf4 1-0\n") && !again.contains("human"), "{again}");
        let wrong = Told { tags: "[White Anderssen]".into(), ..Told::default() };
        assert!(write(&place(&record), &wrong, &Stop::default()).is_err());
    }

    #[test]
    fn games_of_every_kind_are_read_back_from_any_start() {
        let go = Stop::default();
        for entry in endspiel_catalog::GAMES {
            let name = entry.about().name;
            let (mut start, mut line) = (Where { game: name.into(), ..Where::default() }, Vec::new());
            for ply in 0..12 {
                let moves = start.find(&go).expect("a position").position.moves();
                let Some(chosen) = moves.get((5 * ply * ply + 1) % moves.len().max(1)) else { break };
                line.push(chosen.clone());
                start.moves = line.join(" ");
            }
            // The whole game, and its end from positions in it, whoever is to move.
            let found = start.find(&go).expect("a position");
            let mut games = vec![(start.clone(), &line[..])];
            for half in [line.len() / 2, line.len() / 2 + 1] {
                let half_way = Where { moves: line[..half].join(" "), ..start.clone() };
                let root = half_way.find(&go).expect("a position").position.write();
                games.push((
                    Where { position: root, moves: line[half..].join(" "), ..start.clone() },
                    &line[half..],
                ));
            }
            for (from, played) in games {
                let told = Told { players: ["human".into(), "auto".into()], ..Told::default() };
                let text = write(&from, &told, &go).expect("a record");
                let record = check(&text).unwrap_or_else(|f| panic!("{name}: {}\n{text}", f.message()));
                assert_eq!(record.moves, played.join(" "), "{name}: {text}");
                assert_eq!(
                    place(&record).find(&go).expect("a position").position.write(),
                    found.position.write()
                );
            }
        }
    }

    /// The Immortal Game with what PGN allows beside the moves.
    const IMMORTAL: &str = r#"[Event "London"]
[Site "London ENG"]
[Date "1851.06.21"]
[Round "?"]
[White "Adolf Anderssen"]
[Black "Lionel \"Adalbert\" Kieseritzky"]
[Result "1-0"]
[ECO "C33"]

{The Immortal Game; (for {reasons} 1. e4 e5 2. f4 exf4 $1 3. Bc4 Qh4+ 4. Kf1 b5?! 5. Bxb5 Nf6 6. Nf3 Qh6
7. d3 (7. Nc3 g5 (7... c6 8. Bc4) 8. d4) 7... Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1! cxb5 12. h4 Qg6 13. h5 Qg5
14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 ; the famous one
18... Bxg1 19. e5 Qxa1+ 20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0
"#;

    #[test]
    fn chess_is_read_and_written_as_pgn() {
        let record = check(IMMORTAL).unwrap_or_else(|f| panic!("{}", f.message()));
        assert_eq!((record.game.as_str(), record.moves.split(' ').count(), record.games), ("chess", 45, 1));
        assert_eq!(record.tags[5].1, "Lionel \"Adalbert\" Kieseritzky");
        let found = place(&record).find(&Stop::default()).expect("a position");
        assert_eq!(found.result().as_deref(), Some("White wins"));
        let told =
            Told { players: ["human".into(), "auto".into()], date: "2024.02.29".into(), ..Told::default() };
        let text = write(&place(&record), &told, &Stop::default()).expect("a record");
        let head: Vec<&str> = text.lines().take(7).collect();
        let seven = [
            "[Event \"Endspiel\"]",
            "[Site \"?\"]",
            "[Date \"2024.02.29\"]",
            "[Round \"-\"]",
            "[White \"human\"]",
            "[Black \"auto\"]",
            "[Result \"1-0\"]",
        ];
        assert_eq!(head, seven);
        assert!(
            text.contains("1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5") && text.ends_with("23. Be7# 1-0\n"),
            "{text}"
        );
        assert_eq!(check(&text).map(|r| r.moves).ok(), Some(record.moves));
    }

    #[test]
    fn other_starts_variants_and_draughts_are_read() {
        let game = |text: &str| check(text).map_or_else(|f| panic!("{}", f.message()), |r| (r.game, r.moves));
        let set_up = "[White \"?\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4p3/K7 b - - 0 40\"]\n\n40... e1=Q+ 41. Kb2 *";
        assert_eq!(game(set_up), ("chess".into(), "e2e1q a1b2".into()));
        let antichess = "[Variant \"Antichess\"]\n\n1. e3 b5 2. Bxb5 *";
        assert_eq!(game(antichess), ("give-away-chess:antichess".into(), "e2e3 b7b5 f1b5".into()));
        let draughts = "[Event \"?\"]\n[GameType \"21\"]\n\n1. 11-15 {Old Faithful} 23-19 2. 8-11 22-17 1-0";
        assert_eq!(game(draughts), ("checkers".into(), "11-15 23-19 8-11 22-17".into()));
        let bare = Record::check("1. e4 e5 2. Nf3", "chess", &Stop::default()).map(|r| r.moves).ok();
        assert_eq!(bare.as_deref(), Some("e2e4 e7e5 g1f3"));
        let lost = Told { winner: "Black".into(), ended: "time of White".into(), ..Told::default() };
        let text = write(&Where { game: "chess".into(), ..Where::default() }, &lost, &Stop::default());
        assert!(text.is_ok_and(|text| text.contains("[Result \"0-1\"]") && text.ends_with("\n\n0-1\n")));
    }

    #[test]
    fn a_text_that_names_no_game_is_chess_or_the_usual_game() {
        let read = |text: &str, usual: &str| {
            let read = Record::check(text, usual, &Stop::default());
            read.map(|record| (record.game, record.moves)).map_err(|fault| fault.message().to_string())
        };
        let chess = Ok(("chess".into(), "d2d4 d7d5".into()));
        for usual in ["", "hex", "tic-tac-toe", "chess"] {
            assert_eq!(read("1. d4 d5 *", usual), chess, "{usual}");
        }
        // Without numbers it is the usual game, where it fits.
        assert_eq!(read("d4 d5", "hex"), Ok(("hex".into(), "d4 d5".into())));
        assert_eq!(read("d4 d5", "tic-tac-toe"), chess);
        assert_eq!(read("1. 4 4 2. 3", "connect-four"), Ok(("connect-four".into(), "4 4 3".into())));
        // What fits neither is told of the one that goes further.
        let says = |text: &str, usual: &str| read(text, usual).expect_err("it is refused");
        let told = says("1. e4 e5\n2. Ke3", "tic-tac-toe");
        assert!(
            told.starts_with("line 2: 'Ke3' is not a legal move here")
                && told.contains("read as one of chess"),
            "{told}"
        );
        let told = says("b2 a1 b2", "tic-tac-toe");
        assert!(
            told.starts_with("line 1: b2 is taken") && told.contains("read as one of tic-tac-toe"),
            "{told}"
        );
    }

    #[test]
    fn how_a_record_ended_is_written_again_unless_we_know_better() {
        let place = Where { game: "tic-tac-toe".into(), moves: "b2".into(), ..Where::default() };
        let tags = "[Termination \"time of o\"]\n[Result \"x wins\"]";
        let told = Told { tags: tags.into(), ..Told::default() };
        let text = write(&place, &told, &Stop::default()).expect("a record");
        assert!(tags.lines().all(|tag| text.contains(tag)), "{text}");
        let told = Told { ended: "time of x".into(), winner: "o".into(), ..told };
        let text = write(&place, &told, &Stop::default()).expect("a record");
        assert!(
            text.contains("[Termination \"time of x\"]") && text.contains("[Result \"o wins\"]"),
            "{text}"
        );
        assert!(!text.contains("time of o"), "{text}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, says) in [
            ("b2 a1 c3", "line 1: the record names no game; expected a line such as [Game"),
            ("", "line 1: the record is empty; expected a line such as [Game"),
            ("{nothing} \n *", "line 1: the record is empty; expected"),
            ("[Game \"tic-tac-toe\"]\n[Broken\n", "line 2: expected a tag"),
            ("[Game \"tic-tac-toe\"]\nb2\nb2", "line 3: b2 is taken; expected"),
            (
                "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5\n2. Ke3 *",
                "line 5: 'Ke3' is not a legal move here; expected",
            ),
            ("[White \"A\"]\n[FEN \"8/8 w - -\"]\n\n*", "line 2: "),
            (
                "\n[Variant \"Atomic\"]\n\n1. e4",
                "line 2: Variant \"Atomic\" is not known here; expected Standard",
            ),
            ("[GameType \"20\"]\n\n1. 32-28", "line 1: GameType \"20\" is not known here"),
            ("\n\n[Game \"chess-boxing\"]\n", "line 3: no game is called"),
        ] {
            let fault = check(text).expect_err(text);
            assert!(fault.message().starts_with(says), "{text}: {}", fault.message());
        }
    }
}
