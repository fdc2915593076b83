//! A referee for the Gomocup protocol: the engine talks through pipes, the rules decide what is legal and who wins.

use endspiel_game::{Game, Player, Position, Rng};
use endspiel_protocol::gomocup;
use endspiel_rules::gomoku::{GomokuPosition, LargeGomoku};
use endspiel_rules::grid::Cell;
use std::io::{BufRead, BufReader, Cursor, PipeReader, PipeWriter, Write, pipe};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// An engine on a thread of its own, with a pipe in and a pipe out.
struct Engine {
    to: PipeWriter,
    from: BufReader<PipeReader>,
    thread: JoinHandle<()>,
}

impl Engine {
    fn new() -> Self {
        let (input, to) = pipe().expect("a pipe");
        let (from, output) = pipe().expect("a pipe");
        let thread =
            std::thread::spawn(move || gomocup::run(BufReader::new(input), output).expect("a conversation"));
        Self { to, from: BufReader::new(from), thread }
    }

    fn tell(&mut self, line: &str) {
        write!(self.to, "{line}\r\n").expect("the engine reads");
    }

    /// The next line that is no message.
    fn hear(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).expect("a line") > 0, "the engine has gone");
            if !line.starts_with("MESSAGE") {
                return line.trim().into();
            }
        }
    }

    fn ask(&mut self, line: &str) -> String {
        self.tell(line);
        self.hear()
    }

    fn end(mut self) {
        self.tell("END");
        self.thread.join().expect("no panic");
    }
}

type Rules = GomokuPosition<7>;

fn written(position: &Rules, m: Cell) -> String {
    let (x, y) = position.stones().grid().column_row(m.index());
    format!("{x},{y}")
}

/// The move of an answer, if it is a legal one.
fn read(position: &Rules, answer: &str) -> Option<Cell> {
    position.move_list().into_iter().find(|&m| written(position, m) == answer)
}

/// The time for a move, in milliseconds.
const TURN: u64 = 4;

/// How long moves took, and what the machine itself took before each of them: the way of a line there and back.
#[derive(Default)]
struct Clock {
    moves: Vec<Duration>,
    ways: Vec<Duration>,
}

impl Clock {
    /// Four moves of five are made in time, and of the others no more are late than lines are on a machine this busy.
    fn check(mut self) {
        self.moves.sort_unstable();
        self.ways.sort_unstable();
        for percent in [50, 80, 95, 99] {
            let at = |all: &[Duration]| all[all.len() * percent / 100];
            let (took, way) = (at(&self.moves), at(&self.ways));
            println!("{percent} % of {} moves within {took:?}, of lines within {way:?}", self.moves.len());
            assert!(
                took < Duration::from_millis(TURN) + 4 * way + MARGIN,
                "{percent} % within {took:?}, {way:?}"
            );
        }
    }
}
/// For threads that wait for a core.
const MARGIN: Duration = Duration::from_millis(8);

/// Plays a game and gives the final position; `None` is a player who moves at random.
fn play(
    variant: &str,
    rule: u32,
    size: usize,
    players: &mut [Option<Engine>; 2],
    clock: &mut Clock,
    rng: &mut Rng,
) -> Rules {
    let mut position = LargeGomoku::from_variant(&format!("{variant},{size}")).expect("a variant").start();
    for engine in players.iter_mut().flatten() {
        engine.tell(&format!("INFO timeout_turn {TURN}"));
        engine.tell("INFO timeout_match 0");
        engine.tell("INFO max_memory 20000000");
        engine.tell(&format!("INFO rule {rule}"));
        assert_eq!(engine.ask(&format!("START {size}")), "OK");
    }
    let mut last: Option<String> = None;
    while let Some(mover) = position.turn().player() {
        let m = match &mut players[mover.index()] {
            None => position.random_move(rng).expect("a move"),
            Some(engine) => {
                let begun = Instant::now();
                engine.ask("ABOUT");
                clock.ways.push(begun.elapsed());
                let begun = Instant::now();
                let answer = match &last {
                    None => engine.ask("BEGIN"),
                    Some(last) => engine.ask(&format!("TURN {last}")),
                };
                clock.moves.push(begun.elapsed());
                read(&position, &answer)
                    .unwrap_or_else(|| panic!("{variant} {size}: '{answer}' at {position:?}"))
            }
        };
        last = Some(written(&position, m));
        position.play(m);
    }
    position
}

#[test]
fn two_hundred_games_without_a_fault() {
    let (mut rng, mut won, mut lost, mut clock) = (Rng::new(5), 0, 0, Clock::default());
    let mut engines = [Some(Engine::new()), Some(Engine::new())];
    for round in 0..200 {
        let (variant, rule) = [("free", 0), ("standard", 1), ("renju", 4)][round % 3];
        // Every rule on every size, and on small boards.
        let size = [15, 16, 17, 18, 19, 20, 15, 5, 7, 10][round / 3 % 10];
        // Every tenth game is between the two; in the others one side moves at random.
        let random = if round % 10 == 0 { None } else { Some(round % 2) };
        let mut players = [engines[0].take(), engines[1].take()];
        let resting = random.and_then(|side| players[side].take());
        let end = play(variant, rule, size, &mut players, &mut clock, &mut rng);
        if let Some(side) = random {
            let score = end.payoff().of(Player(1 - side as u8));
            won += usize::from(score > 0);
            lost += usize::from(score < 0);
            players[side] = resting;
        }
        engines = players;
    }
    engines.into_iter().flatten().for_each(Engine::end);
    assert!(won > 150 && lost == 0, "{won} won, {lost} lost against chance");
    clock.check();
}

/// All that the engine says to these lines.
fn conversation(lines: &str) -> Vec<String> {
    let mut said = Vec::new();
    gomocup::run(Cursor::new(lines.to_string()), &mut said).expect("a conversation");
    let said = String::from_utf8(said).expect("text");
    said.lines().filter(|line| !line.starts_with("MESSAGE")).map(String::from).collect()
}

#[test]
fn every_command_is_answered() {
    let said = conversation(
        "ABOUT\nSTART 15\nINFO timeout_turn 10\nBEGIN\nTAKEBACK 7,7\nPLAY 8,8\nRESTART\nRECTSTART 20,12\n\
         BOARD\n10,6,1\n10,7,2\n11,6,1\n11,7,2\n12,6,1\n12,7,2\n13,6,1\n13,7,2\nDONE\n",
    );
    assert!(said[0].starts_with("name=\"Endspiel\", version="));
    assert_eq!(said[1..8], ["OK", "7,7", "OK", "8,8", "OK", "OK", said[7].as_str()]);
    assert!(["9,6", "14,6"].contains(&said[7].as_str()), "the five: {}", said[7]);
    assert_eq!(conversation("START 15\nEND\nABOUT\n"), ["OK"], "nothing after END");
}

#[test]
fn what_cannot_be_done_is_an_error() {
    for (lines, start) in [
        ("TURN 1,1", "ERROR there is no board"),
        ("START 4", "ERROR a board of 4x4"),
        ("START 21", "ERROR a board of 21x21"),
        ("START 99999999999999999999", "ERROR START needs"),
        ("RECTSTART 15", "ERROR '15' is not two numbers"),
        ("DONE", "ERROR DONE without BOARD"),
        ("HELLO", "UNKNOWN 'HELLO'"),
        ("START 15\nTURN 15,0", "ERROR 15,0 is off the board"),
        ("START 15\nPLAY 1,1\nTURN 1,1", "ERROR 1,1 is taken"),
        ("START 15\nTAKEBACK 1,1", "ERROR 1,1 has no stone"),
        ("START 15\nINFO rule 2\nBEGIN", "ERROR rule 2"),
        ("START 15\nINFO rule 5\nBEGIN", "ERROR rule 5"),
        ("START 15\nBOARD\n1,1,1\n1,1,2\nDONE", "ERROR 1,1 is taken"),
        ("START 15\nBOARD\n1,1\nDONE", "ERROR '1,1' is not x,y,1"),
        ("START 15\nBOARD\nTURN 1,1\nDONE", "ERROR 'TURN 1,1' is not"),
        ("START 15\nBOARD\n0,0,2\n1,0,2\n2,0,2\n3,0,2\n4,0,2\nDONE", "ERROR the game is over"),
        ("START 15\nSWAP2BOARD\n1,1\nDONE", "ERROR 1 stones"),
    ] {
        let said = conversation(lines);
        assert!(said.last().is_some_and(|line| line.starts_with(start)), "{lines}: {said:?}");
    }
}

#[test]
fn openings_by_swap2_are_answered() {
    let said = conversation("START 15\nINFO timeout_turn 5\nSWAP2BOARD\nDONE\n");
    assert_eq!(said[1].split(' ').count(), 3, "{said:?}");
    let said = conversation("START 15\nINFO timeout_turn 1000\nSWAP2BOARD\n7,7\n0,0\n8,8\n0,14\n9,9\nDONE\n");
    assert_eq!(said[1], "SWAP", "Black has an open three");
    let said = conversation("START 15\nINFO timeout_turn 5\nSWAP2BOARD\n0,0\n7,7\n14,14\nDONE\n");
    assert!(said[1].contains(','), "{said:?}");
}

#[test]
fn garbage_never_stops_the_engine() {
    let mut rng = Rng::new(9);
    let words = [
        "START",
        "15",
        "5",
        "TURN",
        "1,1",
        "7,7",
        "BOARD",
        "DONE",
        "INFO",
        "rule",
        "4",
        "timeout_turn",
        "-1",
        ",",
        "1,2,3",
        "RESTART",
        "BEGIN",
        "SWAP2BOARD",
        "TAKEBACK",
        "PLAY",
        "\u{1F600}",
        "\0",
        "max_memory",
        "STOP",
        "3,3,1",
        "time_left",
        "RECTSTART",
        "6,9",
        "ABOUT",
    ];
    for _ in 0..60 {
        let mut lines = String::from("INFO timeout_turn 1\nINFO max_memory 1\nSTART 7\n");
        for _ in 0..60 {
            for _ in 0..=rng.below(3) {
                lines.push_str(words[rng.below(words.len())]);
                lines.push([' ', ',', '\t'][rng.below(3)]);
            }
            lines.push('\n');
        }
        lines.push_str("INFO timeout_turn 1\nABOUT\nEND\n");
        let said = conversation(&lines);
        assert!(said.last().is_some(), "{lines}");
    }
    let mut bytes: Vec<u8> = (0..20_000).map(|_| rng.bits() as u8).collect();
    bytes.extend_from_slice(b"\nSTART 15\n");
    let mut said = Vec::new();
    gomocup::run(Cursor::new(bytes), &mut said).expect("a conversation");
    assert!(said.ends_with(b"OK\n"));
}

#[test]
fn lines_are_heard_while_thinking() {
    let mut engine = Engine::new();
    assert_eq!(engine.ask("START 15"), "OK");
    engine.tell("INFO timeout_turn 600000");
    engine.tell("TURN 7,7");
    let begun = Instant::now();
    assert!(engine.ask("ABOUT").starts_with("name="), "at once");
    // A new game ends the thought; its move comes first.
    engine.tell("RESTART");
    assert!(engine.hear().contains(','));
    assert_eq!(engine.hear(), "OK");
    engine.tell("TURN 3,3");
    engine.tell("STOP");
    assert!(engine.hear().contains(','));
    engine.tell("TURN 12,3");
    engine.end();
    assert!(begun.elapsed() < Duration::from_secs(60));
}
