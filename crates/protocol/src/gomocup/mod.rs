//! The Gomocup protocol (also Piskvork's; P. Laštovička and M. Petříček): five in a row on boards of up to 20x20.
//!
//! All mandatory commands and RECTSTART, RESTART, TAKEBACK, PLAY and SWAP2BOARD; free-style (rule 0), standard (1) and
//! renju (4). Thinking is a thread of its own. Meanwhile lines go on being read: END leaves at once, ABOUT is answered
//! at once, INFO is heard, STOP and whatever else comes ends the thinking; its move is told and then the line obeyed.

mod command;
mod settings;
mod table;

use crate::listen::{Line, listen};
use command::{Command, Refusal, error};
use endspiel_expertise::gomoku::{Allowance, Board, Choice, Engine, SURE};
use endspiel_game::{Player, Stop};
use endspiel_rules::gomoku::Rule;
use settings::Settings;
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;
use table::{SetUp, Table};

/// Positions searched where the manager wants a move as fast as possible.
const FAST: u64 = 200;
/// From this value on who is to move keeps his colour in an opening by swap2.
const CONTENT: i32 = 0;

/// Talks with a manager until it says `END` or the input ends.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    let (events, heard) = channel();
    let to_here = events.clone();
    std::thread::spawn(move || {
        listen(input, |line| {
            let ends = matches!(Command::read(&line.text), Ok(Command::End));
            to_here.send(Event::Line(line)).is_ok() && !ends
        });
        // Nobody listens any more if it fails.
        let _ = to_here.send(Event::Silence);
    });
    Talk::new(output, events, heard).run()
}

/// What happens.
enum Event {
    /// The manager says something.
    Line(Line),
    /// The manager will say nothing more.
    Silence,
    /// A thought is finished.
    Thought(Box<Engine>, Option<Choice>),
    /// A thought went wrong: the engine is lost, the game is not.
    Failed,
}

/// Thinks, and tells what came of it whatever happens.
fn thought(think: impl FnOnce() -> (Box<Engine>, Option<Choice>)) -> Event {
    match catch_unwind(AssertUnwindSafe(think)) {
        Ok((engine, choice)) => Event::Thought(engine, choice),
        Err(_) => Event::Failed,
    }
}

/// A thought on its way.
struct Thinking {
    stop: Stop,
    begun: Instant,
    /// Is it about keeping the colour in an opening by swap2?
    swap: bool,
    /// What the engine was made for.
    of: (u8, u8, usize),
}

/// An engine made for a board and so much memory.
struct Made {
    engine: Box<Engine>,
    of: (u8, u8, usize),
}

struct Talk<W: Write> {
    output: W,
    events: Sender<Event>,
    heard: Receiver<Event>,
    /// Lines that have to wait for the end of a thought.
    waiting: VecDeque<Line>,
    settings: Settings,
    table: Option<Table>,
    set_up: Option<SetUp>,
    engine: Option<Made>,
    thinking: Option<Thinking>,
    silent: bool,
}

impl<W: Write> Talk<W> {
    fn new(output: W, events: Sender<Event>, heard: Receiver<Event>) -> Self {
        Self {
            output,
            events,
            heard,
            waiting: VecDeque::new(),
            settings: Settings::default(),
            table: None,
            set_up: None,
            engine: None,
            thinking: None,
            silent: false,
        }
    }

    fn run(&mut self) -> io::Result<()> {
        loop {
            let line = if self.thinking.is_none() { self.waiting.pop_front() } else { None };
            if let Some(line) = line {
                if self.obey(&line)? {
                    return Ok(());
                }
                continue;
            }
            if self.silent && self.thinking.is_none() {
                return Ok(());
            }
            match self.heard.recv() {
                Ok(Event::Line(line)) if self.thinking.is_none() => self.waiting.push_back(line),
                Ok(Event::Line(line)) => {
                    if self.interrupt(line)? {
                        return Ok(());
                    }
                }
                Ok(Event::Silence) => self.silent = true,
                Ok(Event::Thought(engine, choice)) => self.conclude(Some(engine), choice)?,
                Ok(Event::Failed) => {
                    let choice = self.any_move();
                    self.conclude(None, choice)?;
                }
                Err(_) => return Ok(()),
            }
        }
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    /// A line while thinking. Is it the end?
    fn interrupt(&mut self, line: Line) -> io::Result<bool> {
        let command = Command::read(&line.text);
        if let Some(thinking) = &self.thinking
            && !matches!(command, Ok(Command::Info(..) | Command::About))
        {
            thinking.stop.now();
        }
        match command {
            Ok(Command::End) => return Ok(true),
            Ok(Command::About) => self.say(&about())?,
            Ok(Command::Info(key, value)) => {
                if let Some(told) = self.settings.hear(&key, &value) {
                    self.say(&format!("MESSAGE {told}"))?;
                }
            }
            Ok(Command::Stop) => {}
            _ => self.waiting.push_back(line),
        }
        Ok(false)
    }

    /// Obeys a line. Is it the end?
    fn obey(&mut self, line: &Line) -> io::Result<bool> {
        let command = Command::read(&line.text);
        if let Some(set_up) = &mut self.set_up
            && matches!(command, Err(_) | Ok(Command::Begin | Command::Turn(..) | Command::Play(..)))
        {
            set_up.line(&line.text);
            return Ok(false);
        }
        if command == Ok(Command::End) {
            return Ok(true);
        }
        let answer = command.and_then(|command| self.answer(command, line.at));
        match answer {
            Ok(Some(text)) => self.say(&text)?,
            Ok(None) => {}
            Err(refusal) => self.say(&refusal.to_string())?,
        }
        Ok(false)
    }

    fn table(&mut self) -> Result<&mut Table, Refusal> {
        self.table.as_mut().ok_or(Refusal::Error("there is no board yet: START 15".into()))
    }

    /// The answer to a command, where there is one at once.
    fn answer(&mut self, command: Command, at: Instant) -> Result<Option<String>, Refusal> {
        let ok = Ok(Some("OK".into()));
        match command {
            Command::Start(width, height) => {
                self.set_up = None;
                self.table = None;
                self.table = Some(Table::new(width, height)?);
                self.settings.begin();
                self.prepare();
                ok
            }
            Command::Restart => {
                self.set_up = None;
                self.table()?.clear();
                self.settings.begin();
                ok
            }
            Command::Begin => {
                if self.table()?.count() > 0 {
                    return error("there are stones on the board: BEGIN is for an empty one");
                }
                self.think(at, false)
            }
            Command::Turn(x, y) => {
                // What is refused puts no stone.
                self.settings.rule()?;
                self.table()?.play(x, y)?;
                self.think(at, false)
            }
            Command::Play(x, y) => {
                let table = self.table()?;
                let cell = table.play(x, y)?;
                Ok(Some(table.write(cell)))
            }
            Command::Takeback(x, y) => {
                self.table()?.take_back(x, y)?;
                ok
            }
            Command::Board | Command::Swap2Board => {
                self.table()?;
                self.set_up = Some(SetUp::new(command == Command::Swap2Board));
                Ok(None)
            }
            Command::Done => {
                let Some(set_up) = self.set_up.take() else { return error("DONE without BOARD") };
                let swap = set_up.swap;
                let table = self.table()?;
                set_up.finish(table)?;
                match (swap, table.count()) {
                    (false, _) => self.think(at, false),
                    (true, 0) => Ok(Some(opening(table))),
                    (true, 3 | 5) => self.think(at, true),
                    (true, n) => error(format!("{n} stones are no opening by swap2: 0, 3 or 5")),
                }
            }
            Command::Info(key, value) => {
                let told = self.settings.hear(&key, &value);
                self.prepare();
                Ok(told.map(|told| format!("MESSAGE {told}")))
            }
            Command::About => Ok(Some(about())),
            Command::Stop | Command::End => Ok(None),
        }
    }

    /// Begins to think about the next move.
    fn think(&mut self, at: Instant, swap: bool) -> Result<Option<String>, Refusal> {
        let rule = self.settings.rule()?;
        let table = self.table()?;
        let (mut board, mover) = (table.board(rule)?, table.mover);
        let time = self.settings.time(board.count());
        let stop = Stop::default();
        let allowance = Allowance {
            time: Some(time.saturating_sub(at.elapsed())),
            nodes: time.is_zero().then_some(FAST),
            stop: stop.clone(),
        };
        let allowance = if time.is_zero() { Allowance { time: None, ..allowance } } else { allowance };
        self.prepare();
        let Some(Made { mut engine, of }) = self.engine.take() else { return error("there is no board yet") };
        let events = self.events.clone();
        std::thread::spawn(move || {
            let told = thought(move || {
                let choice = engine.choose(&mut board, mover, &allowance);
                (engine, choice)
            });
            // Nobody waits for it any more if it fails.
            let _ = events.send(told);
        });
        self.thinking = Some(Thinking { stop, begun: at, swap, of });
        Ok(None)
    }

    /// Makes the engine before the clock runs: a large table takes longer than some moves may.
    fn prepare(&mut self) {
        let Some(grid) = self.table.as_ref().map(|table| table.grid) else { return };
        let of = (grid.width, grid.height, self.settings.memory());
        if self.engine.as_ref().is_some_and(|made| made.of == of) {
            return;
        }
        // What was made for less is not kept beside it.
        self.engine = None;
        let mut board = Board::new(grid, Rule::Free);
        // The first stone of all makes tables for all boards.
        board.place(0, Player::FIRST);
        self.engine = Some(Made { engine: Box::new(Engine::new(&board, of.2)), of });
    }

    /// A move that the rule allows, the nearest to the middle of the board.
    fn any_move(&self) -> Option<Choice> {
        let (table, rule) = (self.table.as_ref()?, self.settings.rule().ok()?);
        let (board, grid) = (table.board(rule).ok()?, table.grid);
        let off = |&cell: &usize| {
            let (column, row) = grid.column_row(cell);
            column.abs_diff(grid.width as usize / 2).max(row.abs_diff(grid.height as usize / 2))
        };
        let cell = board.empty().iter().filter(|&cell| board.allows(table.mover, cell)).min_by_key(off)?;
        Some(Choice { cell, value: 0, depth: 0, nodes: 0 })
    }

    /// Tells the move that was found; without an engine the next thought gets a new one.
    fn conclude(&mut self, engine: Option<Box<Engine>>, choice: Option<Choice>) -> io::Result<()> {
        let Some(Thinking { begun, swap, of, .. }) = self.thinking.take() else { return Ok(()) };
        self.settings.use_up(begun.elapsed());
        self.engine = engine.map(|engine| Made { engine, of });
        let Some(table) = &mut self.table else { return Ok(()) };
        let Some(Choice { cell, value, depth, nodes }) = choice else {
            return self.say("ERROR no move is left that the rule allows");
        };
        if swap && value < CONTENT {
            return self.say("SWAP");
        }
        let text = table.write(cell);
        table.play_cell(cell);
        if depth > 0 {
            let seen = match value {
                SURE.. => "a win".into(),
                value if value <= -SURE => "a loss".into(),
                value => format!("value {value}"),
            };
            self.say(&format!("MESSAGE {seen} at depth {depth}, {nodes} positions"))?;
        }
        self.say(&text)
    }
}

/// Three stones for the opponent to choose from: near the middle, and not in a line.
fn opening(table: &mut Table) -> String {
    let (x, y) = (table.grid.width as usize / 2, table.grid.height as usize / 2);
    let cells = [(x - 2, y), (x + 2, y - 1), (x - 1, y + 2)].map(|(x, y)| table.grid.cell(x, y));
    let names = cells.map(|cell| {
        table.play_cell(cell);
        table.write(cell)
    });
    debug_assert_eq!(table.mover, Player::SECOND);
    names.join(" ")
}

fn about() -> String {
    format!("name=\"Endspiel\", version=\"{}\", author=\"the Endspiel project\"", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn obeyed(talk: &mut Talk<Vec<u8>>, text: &str) {
        talk.obey(&Line { text: text.into(), at: Instant::now() }).expect("it can be told");
    }

    /// No move has to wait for tables.
    #[test]
    fn the_engine_is_there_before_the_first_move() {
        let (events, heard) = channel();
        let mut talk = Talk::new(Vec::new(), events, heard);
        let made = |talk: &Talk<Vec<u8>>| talk.engine.as_ref().map(|made| made.of);
        obeyed(&mut talk, "INFO max_memory 83886080");
        assert_eq!(made(&talk), None, "there is no board yet");
        obeyed(&mut talk, "START 15");
        assert_eq!(made(&talk), Some((15, 15, 32 << 20)));
        obeyed(&mut talk, "INFO max_memory 20000000");
        assert_eq!(made(&talk).map(|of| of.2), Some(talk.settings.memory()));
        obeyed(&mut talk, "START 20");
        assert_eq!(made(&talk), Some((20, 20, talk.settings.memory())));
    }

    /// Sums of rules that are not played are named at once, and no move is made by them.
    #[test]
    fn rules_that_are_not_played_are_told() {
        for rule in ["2", "5", "8", "9"] {
            let (events, heard) = channel();
            let mut talk = Talk::new(Vec::new(), events, heard);
            for text in
                ["START 15", &format!("INFO rule {rule}"), "BEGIN", "TURN 7,7", "INFO rule 0", "PLAY 7,7"]
            {
                obeyed(&mut talk, text);
            }
            let told = String::from_utf8(talk.output).expect("text");
            let message = format!("rule {rule} is not played here: 0 free-style, 1 standard, 4 renju");
            // The stone of the move that was refused is not there.
            assert_eq!(told, format!("OK\nMESSAGE {message}\nERROR {message}\nERROR {message}\n7,7\n"));
        }
    }

    /// A thought that goes wrong costs its move, not the game.
    #[test]
    fn a_failed_thought_is_followed_by_a_legal_move() {
        let (events, heard) = channel();
        let mut talk = Talk::new(Vec::new(), events, heard);
        for text in ["START 15", "PLAY 7,7"] {
            obeyed(&mut talk, text);
        }
        let end = Line { text: "END".into(), at: Instant::now() };
        for event in [thought(|| panic!("a thought that goes wrong")), Event::Line(end)] {
            talk.events.send(event).expect("somebody listens");
        }
        let of = (15, 15, 0);
        talk.thinking = Some(Thinking { stop: Stop::default(), begun: Instant::now(), swap: false, of });
        talk.run().expect("the talk ends");
        let told = String::from_utf8(talk.output).expect("text");
        assert_eq!(told.lines().count(), 3, "{told}");
        let last = told.lines().last().expect("a move");
        assert!(last.contains(',') && last != "7,7", "{told}");
    }
}
