//! Depths to zeroing of a game made up for it, in parts and by workers, beside those that value iteration in memory gives.

use crate::{
    Checking, Cluster, Error, Indexed, Metric, Pass, Stage, Store, Watch, Work, build, build_together,
    check_planned, plan,
};
use endspiel_game::{Payoff, Player, Position, Rng, Stop, TextError, Turn, TwoPlayer, mix};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// The rooms of a floor: four blocks of a file.
const ROOMS: u64 = 60_000;

/// A token in a maze of two floors, moved by both players in turn. Who finds it in a dead end loses. Some moves zero the
/// count; they can be taken back by others, and now and then another move leads to the same room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token {
    floor: u8,
    room: u64,
    mover: Player,
}

impl Token {
    /// Where it may go, with a bit that says if the move zeroes the count.
    fn ways(self) -> Vec<(u8, u64, bool)> {
        let mut rng = Rng::new(mix(self.key()));
        let mut ways = Vec::new();
        if rng.below(100) > 0 {
            for _ in 0..=rng.below(3) {
                let room = (self.room + ROOMS - 200 + rng.below(400) as u64) % ROOMS;
                let zeroing = rng.below(4) == 0;
                ways.push((self.floor, room, zeroing));
                if rng.below(8) == 0 {
                    ways.push((self.floor, room, !zeroing));
                }
            }
            if self.floor > 0 && rng.below(20) == 0 {
                ways.push((self.floor - 1, rng.below(ROOMS as usize) as u64, false));
            }
        }
        ways
    }
}

impl Position for Token {
    type Move = (u8, u64, bool);
    const CYCLIC: bool = true;
    fn turn(&self) -> Turn {
        if self.ways().is_empty() { Turn::Over } else { Turn::Player(self.mover) }
    }
    fn moves(&self, each: impl FnMut(Self::Move)) {
        self.ways().into_iter().for_each(each);
    }
    fn play(&mut self, (floor, room, _): Self::Move) {
        *self = Self { floor, room, mover: self.mover.other() };
    }
    fn payoff(&self) -> Payoff {
        Payoff::win(self.mover.other())
    }
    fn key(&self) -> u64 {
        u64::from(self.floor) * ROOMS + self.room
    }
}
impl TwoPlayer for Token {}

/// The rooms are numbered for who moves. A maze may know from where a room can be reached.
struct Maze(Option<Vec<Vec<u64>>>);

impl Maze {
    fn new(tells: bool) -> Self {
        let mut before = vec![Vec::new(); 2 * ROOMS as usize];
        for token in
            (0..2).flat_map(|floor| (0..ROOMS).filter_map(move |room| Self(None).position(floor, room)))
        {
            for (_, room, _) in token.ways().into_iter().filter(|way| way.0 == token.floor) {
                before[(u64::from(token.floor) * ROOMS + room) as usize].push(token.room);
            }
        }
        Self(tells.then_some(before))
    }
}

impl Indexed for Maze {
    type Position = Token;
    type Slice = u8;
    fn slice_name(&self, floor: u8) -> String {
        floor.to_string()
    }
    fn read_slices(&self, _: &str) -> Result<Vec<u8>, TextError> {
        Ok(vec![0, 1])
    }
    fn size(&self, _: u8) -> u64 {
        ROOMS
    }
    fn conversions(&self, floor: u8) -> Vec<u8> {
        (0..floor).collect()
    }
    fn position(&self, floor: u8, room: u64) -> Option<Token> {
        Some(Token { floor, room, mover: Player::FIRST })
    }
    fn place(&self, token: &Token) -> Option<(u8, u64)> {
        Some((token.floor, token.room))
    }
    fn mover(&self, token: &Token) -> Player {
        token.mover
    }
    fn is_zeroing(&self, _: &Token, (_, _, zeroing): (u8, u64, bool)) -> bool {
        zeroing
    }
    fn predecessors(&self, token: &Token, each: &mut dyn FnMut(Token)) -> bool {
        let Some(before) = &self.0 else { return false };
        for &room in &before[token.key() as usize] {
            each(Token { room, mover: token.mover.other(), ..*token });
        }
        true
    }
}

fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("endspiel-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

/// All that is there, by name; of a folder nothing but the name.
fn files(store: &Store) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(store.dir()).unwrap().flatten();
    entries.map(|e| (e.file_name().into(), std::fs::read(e.path()).unwrap_or_default())).collect()
}

/// Builds both floors in memory, or in parts of one block.
fn make(game: &Maze, dir: &Path, metric: Metric, in_parts: bool, work: &Work<'_>) -> Result<Store, Error> {
    let store = Store::new(dir, "maze");
    let mut plan = plan(game, &store, &[1], metric)?;
    if in_parts {
        plan.cut(1);
        assert!(plan.open().all(|step| step.parts.is_some_and(|parts| parts.count > 3)));
    }
    build(game, &store, &plan, work, &mut |_, _| ())?;
    Ok(store)
}

fn workers(workers: usize, process: usize, hosts: &[String]) -> Cluster {
    Cluster { workers, process, hosts: hosts.into(), patience: Duration::from_secs(20) }
}

fn make_together(game: &Arc<Maze>, dir: &Path, cluster: &Cluster) -> Store {
    let store = Store::new(dir, "maze");
    let plan = plan(&**game, &store, &[1], Metric::Zeroing).unwrap();
    build_together(game, &store, &plan, cluster, &Work::default(), &mut |_, _| ()).unwrap();
    store
}

#[test]
fn parts_and_workers_find_the_same_depths_to_zeroing() {
    let work = Work::default();
    for tells in [false, true] {
        let name = |how: &str| format!("maze-{how}-{tells}");
        let game = Arc::new(Maze::new(tells));
        let whole = make(&game, &scratch(&name("whole")), Metric::Zeroing, false, &work).unwrap();
        let expected = files(&whole);
        let table = whole.open("1", Metric::Zeroing, 0).unwrap().table().unwrap();
        let count = |test: fn(i32) -> bool| table.values().flatten().filter(|&n| test(n)).count();
        let kinds = [count(|n| n > 1), count(|n| n == 0), count(|n| n < -1), count(|n| n == -1)];
        assert!(kinds.into_iter().all(|many| many > 500), "{kinds:?}");
        let parts = make(&game, &scratch(&name("parts")), Metric::Zeroing, true, &work).unwrap();
        assert!(files(&parts) == expected, "in parts, predecessors {tells}");
        let four = make_together(&game, &scratch(&name("workers")), &workers(4, 0, &[]));
        assert!(files(&four) == expected, "by workers, predecessors {tells}");
        // Two processes, each with two workers.
        let held = [(); 2].map(|()| std::net::TcpListener::bind("127.0.0.1:0").unwrap());
        let hosts = held.map(|listener| listener.local_addr().unwrap().to_string());
        let dir = scratch(&name("processes"));
        let two = std::thread::scope(|scope| {
            let other = scope.spawn(|| make_together(&game, &dir, &workers(2, 1, &hosts)));
            let two = make_together(&game, &dir, &workers(2, 0, &hosts));
            other.join().unwrap();
            two
        });
        assert!(files(&two) == expected, "by processes, predecessors {tells}");
        for store in [whole, parts, four, two] {
            std::fs::remove_dir_all(store.dir().parent().unwrap()).unwrap();
        }
    }
}

/// Stops at the stage with this number, and counts them.
struct Until<'a>(u32, &'a Stop, AtomicU32);

impl Watch for Until<'_> {
    fn begun(&self, _: &Stage) {
        if self.2.fetch_add(1, Relaxed) == self.0 {
            self.1.now();
        }
    }
    fn pass(&self, _: &Pass) {}
}

#[test]
fn what_is_stopped_leaves_no_outcomes_behind_and_goes_on() {
    let game = Maze::new(true);
    let [whole, broken, told] = ["stop-whole", "stop-broken", "stop-told"].map(scratch);
    let expected = files(&make(&game, &whole, Metric::Zeroing, false, &Work::default()).unwrap());
    let stages = |dir: &Path, at| {
        let stop = Stop::default();
        let until = Until(at, &stop, AtomicU32::default());
        let made =
            make(&game, dir, Metric::Zeroing, true, &Work { threads: 1, stop: stop.clone(), watch: &until });
        assert_eq!(matches!(made, Err(Error::Stopped)), at < u32::MAX, "{at}");
        until.2.into_inner()
    };
    let all = stages(&broken, u32::MAX);
    assert!(files(&Store::new(&broken, "maze")) == expected);
    for part in 1..8 {
        std::fs::remove_dir_all(&broken).unwrap();
        stages(&broken, all * part / 8);
        let store = Store::new(&broken, "maze");
        assert!(files(&store).keys().all(|name| name == Path::new("lock") || expected.contains_key(name)));
        // What a killed build leaves goes too.
        std::fs::create_dir_all(store.dir().join("scratch/maze")).unwrap();
        make(&game, &broken, Metric::Zeroing, true, &Work::default()).unwrap();
        assert!(files(&store) == expected, "stopped after {part} eighths");
    }
    // Where another metric tells who wins it is not solved again.
    make(&game, &told, Metric::End, false, &Work::default()).unwrap();
    assert!(stages(&told, u32::MAX) < all * 3 / 4);
    let made = files(&Store::new(&told, "maze"));
    assert!(
        ["0.dtz.esdb", "1.dtz.esdb"].iter().all(|name| made[Path::new(name)] == expected[Path::new(name)])
    );
    for dir in [whole, broken, told] {
        std::fs::remove_dir_all(dir).unwrap();
    }
}

#[test]
fn depths_to_zeroing_are_checked_in_parts() {
    let (dir, game, work) = (scratch("maze-checked"), Maze::new(true), Work::default());
    let store = make(&game, &dir, Metric::Zeroing, true, &work).unwrap();
    let check = || check_planned(&game, &store, 1, Metric::Zeroing, &Checking::cut(ROOMS, 1), &work);
    assert_eq!(check().unwrap(), ROOMS);
    let mut table = store.open("1", Metric::Zeroing, 0).unwrap().table().unwrap();
    let crate::Cells::Narrow(cells) = &mut table.cells else { panic!("wide cells") };
    let at = cells.iter().position(|&cell| cell > 2).unwrap();
    cells[at] -= 1;
    store.save("1", &table, &work).unwrap();
    // A file that tells who wins is nothing to who checks.
    make(&game, &dir, Metric::Value, false, &work).unwrap();
    let wrong = check().unwrap_err();
    assert!(matches!(wrong, Error::Unforced { index, .. } if index == at as u64), "{wrong}");
    std::fs::remove_dir_all(dir).unwrap();
}
