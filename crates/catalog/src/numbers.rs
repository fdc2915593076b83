//! Which games have databases: the index that numbers the positions of each, what its tables can tell, and how they are opened
//! to be built and asked, or for methods to rest on.

use crate::databases::{Databases, Opened, with_tables};
use crate::report::Error;
use endspiel_expertise::awari::Levels;
use endspiel_expertise::{checkers, chess, nine_mens_morris, shogi, virus, wythoff, xiangqi};
use endspiel_game::{Game, Notation, Oracle};
use endspiel_retro::{Indexed, Leaves, Metric, Store};
use endspiel_rules::awari::{Awari, End};
use endspiel_rules::checkers::Checkers;
use endspiel_rules::chess::Chess;
use endspiel_rules::nine_mens_morris::NineMensMorris;
use endspiel_rules::shogi::Shogi;
use endspiel_rules::virus::Virus;
use endspiel_rules::wythoff::Wythoff;
use endspiel_rules::xiangqi::Xiangqi;
use std::path::Path;
use std::sync::Arc;

/// The bytes of decoded blocks that a search keeps of each file.
const KEPT: u64 = 64 << 20;

/// What tells of positions, and what is told of files that were passed over.
type Told<P> = (Arc<dyn Oracle<P>>, Vec<String>);

/// What a line of the table of games knows of databases.
pub(crate) trait Tables<G: Game>: 'static {
    /// All of them, there or to be built.
    fn open(game: &G, root: &Path) -> Result<Box<dyn Databases>, Error>;
    /// Those that are there, for methods to ask, and what is told of files that they cannot use.
    fn oracle(game: &G, root: &Path) -> Result<Told<G::Position>, Error>;
}

/// There are none.
pub(crate) struct Without;

fn none<G: Game>() -> Error {
    let what = format!("there are no databases for {}; the games that have some are", G::ABOUT.name);
    Error::Unfit(format!("{what} {}", with_tables().join(", ")))
}

impl<G: Game> Tables<G> for Without {
    fn open(_: &G, _: &Path) -> Result<Box<dyn Databases>, Error> {
        Err(none::<G>())
    }

    fn oracle(_: &G, _: &Path) -> Result<Told<G::Position>, Error> {
        Err(none::<G>())
    }
}

/// An index that numbers the positions of a game.
pub(crate) trait Numbers: Indexed<Position: Notation> + 'static {
    /// The game.
    type Game: Game<Position = Self::Position>;
    /// What tables can tell that makes sense in the game; the first where nothing is asked for.
    const METRICS: &[Metric] = &[Metric::End, Metric::Value, Metric::Conversion];
    /// The metrics that tell who wins by the rules, that which tells most first.
    const TRUE: &[Metric] = &[Metric::End, Metric::Value, Metric::Conversion, Metric::Zeroing];
    /// Slices by which speed is measured; in most rule sets they are built in a second or so.
    const SAMPLE: &str;
    /// The index of a rule set.
    fn of(game: &Self::Game) -> Self;
    /// The plies since the count of moves was zero, as the text of a position gives them; the rules forget them.
    fn count(_position: &str) -> u32 {
        0
    }
    /// The position as it is written, with the count that was gone by, and what else of its text the rules forget.
    fn with_count(written: String, _text: &str, _count: u32) -> String {
        written
    }
    /// The rule set by which the tables are made.
    fn rules(game: &Self::Game) -> Self::Game {
        game.clone()
    }
}

impl Numbers for Levels {
    type Game = Awari;
    const METRICS: &[Metric] = &[Metric::Score];
    const TRUE: &[Metric] = &[Metric::Score];
    const SAMPLE: &str = "11";

    fn of(game: &Awari) -> Self {
        Self::new(*game)
    }

    /// Tables play to the last stone.
    fn rules(game: &Awari) -> Awari {
        Awari { end: End::LastStone, ..*game }
    }
}

/// What tables can tell where moves are counted and a draw may be claimed.
const COUNTED: &[Metric] = &[
    Metric::End,
    Metric::END50,
    Metric::Value,
    Metric::VALUE50,
    Metric::Conversion,
    Metric::CONVERSION50,
    Metric::Zeroing,
    Metric::ZEROING50,
    Metric::Rule,
];

impl Numbers for chess::Endings {
    type Game = Chess;
    const METRICS: &[Metric] = COUNTED;
    const SAMPLE: &str = "KQKR";

    fn of(_: &Chess) -> Self {
        Self::new()
    }

    /// The half-move clock of a FEN, its fifth field; what is beyond all measure is as much as there is room for.
    fn count(fen: &str) -> u32 {
        let field = fen.split_ascii_whitespace().nth(4).filter(|field| is_number(field));
        field.map_or(0, |field| field.parse().unwrap_or(u32::MAX))
    }

    /// With the half-move clock, and the move number of the text if it has one.
    fn with_count(written: String, text: &str, count: u32) -> String {
        let fields: Vec<&str> = written.split(' ').collect();
        let [men @ .., _, number] = &fields[..] else { return written };
        let number = text.split_ascii_whitespace().nth(5).filter(|field| is_number(field)).unwrap_or(number);
        format!("{} {count} {number}", men.join(" "))
    }
}

/// Has a field of a text digits alone?
fn is_number(field: &str) -> bool {
    field.bytes().all(|sign| sign.is_ascii_digit())
}

impl Numbers for xiangqi::Endings {
    type Game = Xiangqi;
    const METRICS: &[Metric] = &[Metric::End, Metric::Value, Metric::Conversion, Metric::Zeroing];
    const SAMPLE: &str = "KNKG";

    fn of(_: &Xiangqi) -> Self {
        Self::new()
    }
}

impl Numbers for shogi::Endings {
    type Game = Shogi;
    const SAMPLE: &str = "G";

    fn of(game: &Shogi) -> Self {
        Self::new(game.shape)
    }
}

impl Numbers for checkers::Endings {
    type Game = Checkers;
    const METRICS: &[Metric] = COUNTED;
    const SAMPLE: &str = "2K-2K";

    fn of(_: &Checkers) -> Self {
        Self::new()
    }
}

impl Numbers for nine_mens_morris::Subspaces {
    type Game = NineMensMorris;
    const SAMPLE: &str = "3-3";

    fn of(_: &NineMensMorris) -> Self {
        Self::new()
    }
}

/// What tables of impartial games can tell.
const IMPARTIAL: &[Metric] = &[Metric::Grundy, Metric::End, Metric::Value];
/// The same, the distance to the end first.
const IMPARTIAL_OUTCOMES: &[Metric] = &[Metric::End, Metric::Value, Metric::Grundy];

impl Numbers for virus::Infections {
    type Game = Virus;
    const METRICS: &[Metric] = IMPARTIAL;
    const TRUE: &[Metric] = IMPARTIAL_OUTCOMES;
    const SAMPLE: &str = "all";

    fn of(game: &Virus) -> Self {
        Self::new(game)
    }

    /// Wherever play starts.
    fn rules(game: &Virus) -> Virus {
        game.from_usual_start()
    }
}

impl Numbers for wythoff::Pairs {
    type Game = Wythoff;
    const METRICS: &[Metric] = IMPARTIAL;
    const TRUE: &[Metric] = IMPARTIAL_OUTCOMES;
    const SAMPLE: &str = "all";

    fn of(game: &Wythoff) -> Self {
        Self::new(game)
    }

    /// Wherever play starts.
    fn rules(game: &Wythoff) -> Wythoff {
        Wythoff::new(game.constraint().clone(), game.is_misere())
    }
}

impl<I: Numbers> Tables<I::Game> for I {
    fn open(game: &I::Game, root: &Path) -> Result<Box<dyn Databases>, Error> {
        let game = I::rules(game);
        let index = I::of(&game);
        let mut metrics = I::METRICS.to_vec();
        // Rule sets of a game may differ in what can be told.
        metrics.retain(|&metric| index.can_tell(metric).is_ok());
        Ok(Box::new(Opened {
            store: Store::new(root, &game.full_name()),
            index: Arc::new(index),
            game,
            metrics,
            sample: I::SAMPLE,
            count: I::count,
            with_count: I::with_count,
        }))
    }

    fn oracle(game: &I::Game, root: &Path) -> Result<Told<I::Position>, Error> {
        let store = Store::new(root, &I::rules(game).full_name());
        let index = I::of(game);
        let is_told = |metric: &Metric| I::METRICS.contains(metric) && index.can_tell(*metric).is_ok();
        let metrics: Vec<_> = I::TRUE.iter().copied().filter(is_told).collect();
        let leaves = Leaves::open(index, &store, &metrics, KEPT)?;
        let passed_over = leaves.passed_over().to_vec();
        Ok((Arc::new(leaves), passed_over))
    }
}
