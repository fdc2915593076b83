//! Positions in which the fifty-move rule matters, with their depths in all metrics, and the simple strategies that throw wins
//! away there (J. Tamplin and G. Haworth, Chess Endgames: Data and Strategy, 2003).
//!
//! The paper counts plies, and one more where the loser's forced move ends a phase; here such a position is lost in none. So
//! depths are compared in moves of the winner.

use super::impact::zeroing;
use super::{Desk, Row};
use endspiel_expertise::chess::{Endings, Material};
use endspiel_game::{Game, Notation, Player, Position};
use endspiel_retro::{Error, Indexed, Metric, Probe, Store, Strategist, Strategy, closure};
use endspiel_rules::chess::{Board, Chess, Move};
use std::collections::HashMap;
use std::time::Instant;

const PUBLISHED: &str = include_str!("studies.txt");

/// The depths in the order of the file.
const METRICS: [Metric; 5] =
    [Metric::Conversion, Metric::End, Metric::Rule, Metric::Zeroing, Metric::ZEROING50];

/// Plies of a phase under the rule.
const PHASE: i32 = 100;

/// How many moves of a strategy are looked at.
const AHEAD: u32 = 3;

/// The strategies that the paper recommends, and whether they cannot throw a win under the rule away. `Z0 M-` guards the phase
/// alone: what the next one takes it does not see.
const RECOMMENDED: [(&str, bool); 4] =
    [("Z0 M-", false), ("Z0 Z50- Z-", true), ("Z0 Z50- Z- H50-", true), ("Z0 H50-", true)];

/// What words of a line begin.
const KEYS: [&str; 8] = ["best", "fails", "right", "wrong", "rule", "line", "repeats", "within"];

/// A published position.
struct Study {
    name: String,
    board: Board,
    winner: Player,
    /// None where it is lost in print.
    depths: [Option<Depth>; 5],
    /// Moves by depth to mate.
    best: Vec<&'static str>,
    /// Strategies that throw the win away, a move that keeps it, and one that does not.
    fails: Option<&'static str>,
    right: Option<&'static str>,
    wrong: Option<&'static str>,
    /// A move by the depth by the rule.
    rule: Option<&'static str>,
    /// Moves of which every other is by `Z50-`, or by `Z0 H50-` and comes back.
    line: Vec<&'static str>,
    repeats: Vec<&'static str>,
    /// A rule of another number of moves, and how many of the winner it takes to zero the count under it.
    within: Option<(u8, u32)>,
}

/// Moves of the winner; none is a draw by the rule.
type Depth = Option<u32>;

fn told(depth: Option<Depth>) -> String {
    match depth {
        None => "?".into(),
        Some(None) => "draw".into(),
        Some(Some(moves)) => moves.to_string(),
    }
}

impl Study {
    fn read(line: &'static str) -> Option<Self> {
        let words: Vec<&'static str> = line.split(' ').collect();
        let [name, wins, side, placement, depths @ ..] = &words[..] else { return None };
        let board = Chess.read(&format!("{placement} {side} - - 0 1")).ok()?;
        let winner = Player(u8::from(*wins == "0-1"));
        let mut numbers = [None; 5];
        for (number, word) in numbers.iter_mut().zip(depths) {
            *number = match *word {
                "draw" => Some(None),
                word if board.side() == winner => word.parse().ok().map(|plies: u32| Some(plies.div_ceil(2))),
                word => word.parse().ok().map(|plies: u32| Some(plies / 2)),
            };
        }
        let list = |key: &str| -> Vec<&'static str> {
            let after = words.iter().skip_while(|word| **word != key).skip(1);
            after.take_while(|word| !KEYS.contains(word)).copied().collect()
        };
        let one = |key: &str| list(key).first().copied();
        Some(Self {
            name: format!("{name} {wins}"),
            board,
            winner,
            depths: numbers,
            best: list("best"),
            fails: one("fails"),
            right: one("right"),
            wrong: one("wrong"),
            rule: one("rule"),
            line: list("line"),
            repeats: list("repeats"),
            within: match list("within")[..] {
                [rule, moves] => Some((rule.parse().ok()?, moves.parse().ok()?)),
                _ => None,
            },
        })
    }

    /// What was published, in the words of [`Judge::judge`].
    fn published(&self) -> String {
        let mut out = self.depths.map(told).join(" ");
        let best = (!self.best.is_empty()).then(|| self.best.join(" "));
        let line = (!self.line.is_empty()).then(|| moves_told(&self.line));
        let repeats = (!self.repeats.is_empty()).then(|| self.repeats.join(" "));
        let words = [
            self.right,
            self.wrong,
            self.rule,
            best.as_deref(),
            line.as_deref(),
            repeats.as_deref(),
            self.fails,
        ];
        for (key, word) in
            ["right", "wrong", "rule", "best", "line", "repeats", "fails"].into_iter().zip(words)
        {
            if let Some(word) = word {
                out += &format!(", {key} {word}");
            }
        }
        if let Some((rule, moves)) = self.within {
            out += &format!(", {moves} within {rule}");
        }
        if self.fails.is_some() {
            let kept: Vec<&str> =
                RECOMMENDED.iter().filter(|(_, sure)| *sure).map(|(text, _)| *text).collect();
            out += &format!(", kept by {}", kept.join("; "));
        }
        out
    }
}

/// A line in brief: where it begins, and its length.
fn moves_told(line: &[&str]) -> String {
    format!("{} .. of {} plies", line.first().copied().unwrap_or_default(), line.len())
}

/// All positions.
fn studies_of(text: &'static str) -> impl Iterator<Item = Study> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(Study::read)
}

/// The tables of a position's slice.
struct Judge<'a> {
    game: &'a Endings,
    slice: Material,
    /// In the order of [`METRICS`]; none where there is no room for the table.
    probes: Vec<Option<Probe<'a, Endings>>>,
    strategist: Strategist<'a, Endings>,
    /// Under a rule of another number of moves, where a position asks for it.
    within: Option<Probe<'a, Endings>>,
}

impl<'a> Judge<'a> {
    /// Builds what is not there, and under a rule of so many moves if there is one.
    fn new(
        desk: &Desk<'_>,
        game: &'a Endings,
        store: &Store,
        slice: Material,
        rule: Option<u8>,
    ) -> Result<Self, Error> {
        let room = desk.budget.memory as u64 / 64;
        let mut probes = Vec::new();
        for metric in METRICS.map(|metric| if metric == Metric::Zeroing { zeroing(slice) } else { metric }) {
            probes.push(match desk.build(game, store, &[slice], metric) {
                Ok(()) => Some(Probe::open(game, store, &[slice], metric, room)?),
                Err(Error::Memory { .. }) if metric == Metric::Rule => None,
                Err(error) => return Err(error),
            });
        }
        let metrics = [Metric::Conversion, Metric::End, zeroing(slice), Metric::ZEROING50];
        let there = probes[2].as_ref().map(|_| Metric::Rule);
        let strategist = Strategist::open(game, store, &[slice], metrics.into_iter().chain(there), room)?;
        let within = match rule.map(Metric::ZeroingWithin) {
            Some(metric) => {
                desk.build(game, store, &[slice], metric)?;
                Some(Probe::open(game, store, &[slice], metric, room)?)
            }
            None => None,
        };
        Ok(Self { game, slice, probes, strategist, within })
    }

    /// The depth of a position in moves of the winner, if it is known.
    fn depth(&self, board: &Board, winner: Player, at: usize) -> Result<Option<Depth>, Error> {
        Self::moves(self.probes[at].as_ref(), board, winner)
    }

    /// The same by a table that may be there.
    fn moves(
        probe: Option<&Probe<'_, Endings>>,
        board: &Board,
        winner: Player,
    ) -> Result<Option<Depth>, Error> {
        Ok(match probe.map_or(Ok(None), |probe| probe.value(board))? {
            None => None,
            Some(0) => Some(None),
            // Another winner is no depth of this position.
            Some(value) if (value > 0) != (board.side() == winner) => None,
            Some(value) => Some(Some((plies(value) as u32).div_ceil(2))),
        })
    }

    /// The plies of the phase after a move.
    fn clock(&self, board: &Board, m: Move, clock: i32) -> i32 {
        if self.game.is_zeroing(board, m) { 0 } else { clock + 1 }
    }

    /// Does a move keep a win under the rule? The phase has lasted `clock` plies after it.
    fn keeps(&self, next: &Board, winner: Player, clock: i32) -> Result<bool, Error> {
        if next.turn().is_over() {
            return Ok(next.payoff().of(winner) > 0);
        }
        let value = self.probes[4].as_ref().map_or(Ok(None), |probe| probe.value(next))?.unwrap_or(0);
        Ok(value < 0 && plies(value) + clock <= PHASE)
    }

    /// May a strategy throw the win under the rule away within so many of its moves?
    fn throws(&self, strategy: &Strategy, board: &Board, clock: i32, moves: u32) -> Result<bool, Error> {
        for m in self.strategist.choose(strategy, board, clock as u16)? {
            let (next, clock) = (board.after(m), self.clock(board, m, clock));
            if !self.keeps(&next, board.side(), clock)? {
                return Ok(true);
            }
            for reply in next.move_list().into_iter().filter(|_| moves > 1) {
                if self.throws(strategy, &next.after(reply), self.clock(&next, reply, clock), moves - 1)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Does a strategy, told in its own language, keep this move?
    fn chooses(&self, strategy: &str, board: &Board, word: &str) -> Result<bool, Error> {
        let (Ok(strategy), Ok(m)) = (Strategy::read(strategy), board.read_move(word)) else {
            return Ok(false);
        };
        Ok(self.strategist.choose(&strategy, board, 0)?.contains(&m))
    }

    /// What is found, in the words of [`Study::published`], and whether it agrees.
    fn judge(&self, study: &Study) -> Result<(String, bool), Error> {
        let board = &study.board;
        let mut depths = [None; 5];
        for (at, depth) in depths.iter_mut().enumerate() {
            *depth = self.depth(board, study.winner, at)?;
        }
        let pairs = || depths.iter().zip(&study.depths);
        // What neither the print nor a table tells is not compared; only depths by the rule may lack a table.
        let mut agrees = pairs()
            .all(|(found, printed)| found.is_none() || printed.is_none() || found == printed)
            && depths.iter().enumerate().all(|(at, depth)| at == 2 || depth.is_some());
        // What the print tells and only that table could confirm.
        let has_rule = self.probes[2].is_some();
        let mut skipped: Vec<String> = Vec::new();
        if !has_rule && study.depths[2].is_some() {
            skipped.push("depth by the rule".into());
        }
        let mut out = depths.map(told).join(" ");
        let mut tell = |key: &str, word: &str, holds: bool| {
            out += &format!(", {}{key} {word}", if holds { "" } else { "not " });
            agrees &= holds;
        };
        if let Some(word) = study.right {
            tell("right", word, self.chooses("Z50-", board, word)?);
        }
        if let Some(word) = study.wrong {
            let next = board.read_move(word).ok().map(|m| (board.after(m), self.clock(board, m, 0)));
            let keeps = next.map_or(Ok(true), |(next, clock)| self.keeps(&next, board.side(), clock))?;
            tell("wrong", word, !keeps);
        }
        if let Some(word) = study.rule {
            if has_rule {
                tell("rule", word, self.chooses("Z0 H50-", board, word)?);
            } else {
                skipped.push(format!("rule {word}"));
            }
        }
        if !study.best.is_empty() {
            tell("best", &study.best.join(" "), self.is_best(board, &study.best)?);
        }
        if !study.line.is_empty() {
            let last = self.followed("Z50-", board, &study.line)?;
            tell("line", &moves_told(&study.line), last.is_some());
        }
        if !study.repeats.is_empty() {
            let words = study.repeats.join(" ");
            if has_rule {
                let last = self.followed("Z0 H50-", board, &study.repeats)?;
                tell("repeats", &words, last.is_some_and(|last| last.key() == board.key()));
            } else {
                skipped.push(format!("repeats {words}"));
            }
        }
        if let Some((rule, moves)) = study.within {
            let found = Self::moves(self.within.as_ref(), board, study.winner)?;
            agrees &= found == Some(Some(moves));
            out += &format!(", {} within {rule}", told(found));
        }
        if let Some(printed) = study.fails {
            let (fails, (kept, holds)) = (self.failing(board)?, self.kept(board)?);
            agrees &= fails == printed && holds;
            out += &format!(", fails {fails}, kept by {kept}");
            skipped.extend(RECOMMENDED.iter().filter(|(text, _)| !self.has_tables(text)).map(|s| s.0.into()));
        }
        if !skipped.is_empty() {
            out += &format!("; not compared: {}", skipped.join(", "));
        }
        Ok((out, agrees))
    }

    /// Where a line ends in which every other move, the first among them, is one that a strategy keeps; none if it is not such a line.
    fn followed(&self, strategy: &str, board: &Board, words: &[&str]) -> Result<Option<Board>, Error> {
        let Ok(strategy) = Strategy::read(strategy) else { return Ok(None) };
        let (mut at, mut clock) = (board.clone(), 0);
        for (i, word) in words.iter().enumerate() {
            let Ok(m) = at.read_move(word) else { return Ok(None) };
            if i % 2 == 0 && !self.strategist.choose(&strategy, &at, clock as u16)?.contains(&m) {
                return Ok(None);
            }
            clock = self.clock(&at, m, clock);
            at.play(m);
        }
        Ok(Some(at))
    }

    /// Are the tables there that a strategy goes by? Those of the depth by the rule may lack.
    fn has_tables(&self, strategy: &str) -> bool {
        let by_the_rule = |s: Strategy| s.metrics().any(|metric| metric == Metric::Rule);
        self.probes[2].is_some() || !Strategy::read(strategy).is_ok_and(by_the_rule)
    }

    /// The recommended strategies that keep the win, as far as there are tables for them, and whether those do that must.
    fn kept(&self, board: &Board) -> Result<(String, bool), Error> {
        let (mut kept, mut holds) = (Vec::new(), true);
        for (text, sure) in RECOMMENDED {
            let Ok(strategy) = Strategy::read(text) else { continue };
            if !self.has_tables(text) {
                continue;
            }
            let keeps = !self.throws(&strategy, board, 0, AHEAD)?;
            holds &= keeps || !sure;
            kept.extend(keeps.then_some(text));
        }
        Ok((kept.join("; "), holds))
    }

    /// Are these moves, one after the other, of the least and of the greatest depth to mate?
    fn is_best(&self, board: &Board, words: &[&str]) -> Result<bool, Error> {
        let Some(probe) = &self.probes[1] else { return Ok(false) };
        let mut board = board.clone();
        for word in words {
            let Ok(m) = board.read_move(word) else { return Ok(false) };
            let moves = probe.moves(&board)?;
            let best = moves.first().map(|&(_, value)| value);
            if moves.iter().find(|(there, _)| *there == m).map(|&(_, value)| value) != best {
                return Ok(false);
            }
            board.play(m);
        }
        Ok(true)
    }

    /// The letters of the simple strategies that may throw the win away.
    fn failing(&self, board: &Board) -> Result<String, Error> {
        let zeroing = if self.slice.has_pawns() { "Z-" } else { "C-" };
        let mut out = String::new();
        for (letters, text) in [("C", "C-"), ("M", "M-"), ("Z", zeroing), ("Z50", "Z50-")] {
            let Ok(strategy) = Strategy::read(text) else { continue };
            if self.throws(&strategy, board, 0, AHEAD)? {
                out += letters;
            }
        }
        Ok(out)
    }
}

/// The plies of a table's number.
fn plies(value: i32) -> i32 {
    if value < 0 { -1 - value } else { value }
}

/// All positions, those without pawns first.
pub fn studies(desk: &mut Desk<'_>) -> Result<bool, Error> {
    let (game, store) = (Endings::new(), Store::new(desk.dir, "chess"));
    let cost = |slice: Material| closure(&game, &[slice]).into_iter().map(|s| game.size(s)).sum::<u64>();
    let mut all: Vec<_> = studies_of(PUBLISHED)
        .map(|study| {
            (game.place(&study.board).map(|(slice, _)| (slice.has_pawns(), cost(slice), slice)), study)
        })
        .collect();
    let name = |slice: Option<Material>| slice.map_or_else(String::new, |slice| game.slice_name(slice));
    all.retain(|(place, _)| desk.wants(&name(place.as_ref().map(|place| place.2))));
    if desk.misses() {
        return Ok(false);
    }
    // Those with six men are told last.
    all.sort_by_key(|(slice, _)| (slice.is_none(), *slice));
    let rule =
        |(place, study): &(Option<(_, _, Material)>, Study)| Some((place.as_ref()?.2, study.within?.0));
    let rules: HashMap<Material, u8> = all.iter().filter_map(rule).collect();
    let mut last: Option<Judge<'_>> = None;
    for (place, study) in all {
        let begun = Instant::now();
        let slice = place.map(|(.., slice)| slice);
        if let Some(slice) = slice.filter(|slice| last.as_ref().is_none_or(|judge| judge.slice != *slice)) {
            // The tables of the last ending make room first.
            drop(last.take());
            last = Some(Judge::new(desk, &game, &store, slice, rules.get(&slice).copied())?);
        }
        let found = match (&last, slice) {
            (Some(judge), Some(_)) => Some(judge.judge(&study)?),
            _ => None,
        };
        let row = Row {
            name: study.name.clone(),
            metric: "moves",
            published: Some(study.published()),
            misprint: None,
            agrees: found.as_ref().map(|found| found.1),
            found: found.map_or_else(|| "six men: out of reach".into(), |found| found.0),
            positions: slice.map_or(0, |slice| game.size(slice)),
            seconds: begun.elapsed().as_secs_f64(),
        };
        if !desk.tell(row) {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::super::Outcome;
    use super::*;
    use endspiel_game::Budget;
    use endspiel_retro::Work;

    #[test]
    fn every_position_is_read() {
        let all: Vec<Study> = studies_of(PUBLISHED).collect();
        assert_eq!(all.len(), PUBLISHED.lines().filter(|line| !line.starts_with('#')).count());
        let game = Endings::new();
        let few: Vec<&Study> = all.iter().filter(|study| game.place(&study.board).is_some()).collect();
        assert_eq!((all.len(), few.len()), (52, 33));
        for study in all {
            // The first move of a line, what is right and what is wrong are legal.
            let words =
                study.best.first().into_iter().chain(&study.right).chain(&study.wrong).chain(&study.rule);
            for word in words {
                assert!(study.board.read_move(word).is_ok(), "{} {word}", study.name);
            }
            // So is every move of a line, and one that repeats comes back.
            for line in [&study.line, &study.repeats] {
                let mut at = study.board.clone();
                for (i, word) in line.iter().enumerate() {
                    let m = at.read_move(word);
                    at.play(m.unwrap_or_else(|error| panic!("{} {i} {word}: {error}", study.name)));
                }
                assert!(line.is_empty() || line == &study.line || at.key() == study.board.key());
            }
            assert!(study.line.is_empty() || Some(study.line[0]) == study.right);
        }
    }

    #[test]
    fn plies_are_told_as_moves_of_the_winner() {
        let read = |line| Study::read(line).unwrap().published();
        let line = "BN-P 1-0 b 8/8/3K4/8/8/3B4/kp6/3N4 9 200 139 9 draw best b1=N";
        assert_eq!(read(line), "4 100 69 4 draw, best b1=N");
        let line = "NN-P2 1-0 w 8/8/1N6/p7/8/4N3/8/K1k5 176 177 100? 2 86 fails Z right Na4 wrong Nbc4";
        assert_eq!(
            read(line),
            "88 89 ? 1 43, right Na4, wrong Nbc4, fails Z, kept by Z0 Z50- Z-; Z0 Z50- Z- H50-; Z0 H50-"
        );
        let line = "P 1-0 w 8/8/8/8/8/k7/7P/K7 1 ? ? 1 1 right h4 line h4 Kb3 h5 repeats Kb1 Kb3";
        assert_eq!(read(line), "1 ? ? 1 1, right h4, line h4 .. of 3 plies, repeats Kb1 Kb3");
    }

    /// A pawn runs: lines by `Z50-` are told from others, and what `M-` misses late in a phase `Z0 M-` sees.
    #[test]
    fn lines_of_a_pawn() {
        let dir = std::env::temp_dir().join(format!("endspiel-lines-{}", std::process::id()));
        let (game, store, budget) = (Endings::new(), Store::new(&dir, "chess"), Budget::default());
        let work = Work::default();
        let desk = Desk {
            dir: &dir,
            keep: None,
            only: None,
            met: std::cell::RefCell::default(),
            budget: &budget,
            work: &work,
            begun: Instant::now(),
            outcome: Outcome::default(),
            each: &mut |_| true,
        };
        let text = "P 1-0 w 8/8/8/8/8/k7/7P/K7 9 ? ? 1 1 within 8 1 fails - line h4 Kb3 h5 Kc4 h6 repeats Kb1 Kb3 Ka1 Ka3";
        let study = Study::read(text).unwrap();
        let mut judge =
            Judge::new(&desk, &game, &store, game.place(&study.board).unwrap().0, Some(8)).unwrap();
        let (found, _) = judge.judge(&study).unwrap();
        assert!(
            found.contains(", line h4 .. of 5 plies, not repeats Kb1 Kb3 Ka1 Ka3, 1 within 8"),
            "{found}"
        );
        assert!(found.ends_with("fails , kept by Z0 M-; Z0 Z50- Z-; Z0 Z50- Z- H50-; Z0 H50-"), "{found}");
        // Without the depths by the rule it is said what was left out, which cannot differ then.
        let ruled = "P 1-0 w 8/8/8/8/8/k7/7P/K7 9 ? 1 1 1 rule Kb1 fails - repeats Kb1 Kb3 Ka1 Ka3";
        let ruled = Study::read(ruled).unwrap();
        let (found, agrees) = judge.judge(&ruled).unwrap();
        assert!(found.contains("not rule Kb1") && !found.contains("not compared") && !agrees, "{found}");
        let rule = judge.probes[2].take();
        let (found, _) = judge.judge(&ruled).unwrap();
        let left_out =
            "; not compared: depth by the rule, rule Kb1, repeats Kb1 Kb3 Ka1 Ka3, Z0 Z50- Z- H50-, Z0 H50-";
        assert!(found.ends_with(&format!("kept by Z0 M-; Z0 Z50- Z-{left_out}")), "{found}");
        judge.probes[2] = rule;
        let late = Chess.read("8/8/8/8/8/k7/7P/1K6 w - - 0 1").unwrap();
        assert!(judge.followed("Z50-", &late, &["Kc2"]).unwrap().is_none());
        assert!(judge.followed("Z50-", &late, &["h4", "Ka2", "Kc2"]).unwrap().is_none());
        // The last ply of a phase is for the pawn.
        let [mate, guarded] = ["M-", "Z0 M-"].map(|text| Strategy::read(text).unwrap());
        let throws =
            |strategy: &Strategy, board: &Board, clock| judge.throws(strategy, board, clock, 1).unwrap();
        let won = |board: &Board| judge.depth(board, Player::FIRST, 4).unwrap() == Some(Some(1));
        let slow = (0..game.size(judge.slice)).filter_map(|index| game.position(judge.slice, index));
        let mut slow = slow.filter(|board| board.side() == Player::FIRST && won(board));
        let one = slow.find(|board| throws(&mate, board, 99)).unwrap();
        assert!(!throws(&mate, &one, 0) && !throws(&guarded, &one, 99), "a pawn move that wins is there");
        std::fs::remove_dir_all(dir).unwrap();
    }

    /// The longest conversion with a queen against a rook takes 31 moves, and none below takes longer: the rule must allow
    /// as many. It can be carried out if 39 plies of the phase have been played, and not after 40.
    #[test]
    fn the_longest_win_with_a_queen_against_a_rook() {
        let dir = std::env::temp_dir().join(format!("endspiel-studies-{}", std::process::id()));
        let (game, store, budget) = (Endings::new(), Store::new(&dir, "chess"), Budget::default());
        let work = Work::default();
        let desk = Desk {
            dir: &dir,
            keep: None,
            only: None,
            met: std::cell::RefCell::default(),
            budget: &budget,
            work: &work,
            begun: Instant::now(),
            outcome: Outcome::default(),
            each: &mut |_| true,
        };
        let study = Study::read("Q-R 1-0 w 8/8/8/8/Q7/5k2/8/K3r3 61 ? 61 61 61 fails CMZ").unwrap();
        let judge = Judge::new(&desk, &game, &store, game.place(&study.board).unwrap().0, None).unwrap();
        let (found, agrees) = judge.judge(&study).unwrap();
        let depths: Vec<&str> = found.split([' ', ',']).collect();
        assert_eq!([depths[0], depths[2], depths[3], depths[4]], ["31"; 4], "{found}");
        assert!(!agrees, "no strategy fails here: {found}");
        let best = Strategy::read("Z50-").unwrap();
        assert!(!judge.throws(&best, &study.board, 39, 2).unwrap());
        assert!(judge.throws(&best, &study.board, 40, 2).unwrap());
        std::fs::remove_dir_all(dir).unwrap();
    }
}
