//! The dataflows: questions and their answers, news that go round, votes, and blocks on their way to the file.

use super::Common;
use crate::state::State;
use crate::words::{self, Pair};
use crate::{Label, Table};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange as Routed;
use timely::dataflow::operators::vec::Broadcast;
use timely::dataflow::operators::{
    Concat, ConnectLoop, Enter, Exchange, Inspect, LoopVariable, Operator, Probe,
};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::order::Product;
use timely::worker::Worker;

/// Where a worker puts what is to be sent.
pub type Input<T> = InputHandle<u64, CapacityContainerBuilder<Vec<T>>>;

/// The moves turned round, for games that cannot tell predecessors: for each own position the seats of its predecessors.
#[derive(Default)]
pub struct Turned {
    loose: Vec<(u32, u64)>,
    first: Vec<u32>,
    from: Vec<u64>,
}

impl Turned {
    /// Sorts the moves that came by where they lead; there are so many own positions.
    pub fn sort(&mut self, size: usize) {
        self.loose.sort_unstable();
        self.first = vec![0; size + 1];
        for &(place, _) in &self.loose {
            self.first[place as usize + 1] += 1;
        }
        for i in 0..size {
            self.first[i + 1] += self.first[i];
        }
        self.from = std::mem::take(&mut self.loose).into_iter().map(|(_, from)| from).collect();
    }

    /// The seats of the predecessors that were sent here.
    fn predecessors(&self, place: usize) -> &[u64] {
        &self.from[self.first[place] as usize..self.first[place + 1] as usize]
    }
}

/// Who owns which numbers of the slice that is solved.
#[derive(Clone)]
pub struct Field {
    pub common: Arc<Common>,
    pub task: usize,
    /// The numbers of each worker.
    pub share: u64,
    /// The first number of this one.
    pub start: u64,
    pub state: Rc<RefCell<State>>,
    pub turned: Rc<RefCell<Turned>>,
    /// Does the game tell predecessors?
    pub tells: bool,
}

impl Field {
    /// The seat of a number, with some bits.
    pub fn seat(&self, number: u64, more: u16) -> u64 {
        words::pack((number / self.share) as usize, more, (number % self.share) as u32)
    }

    /// Tells the predecessors of an own position that it is final. `list` is room to work in.
    pub fn spread(&self, place: usize, label: Label, list: &mut Vec<u64>, mut give: impl FnMut(u64)) -> u64 {
        let offer = self.common.tasks[self.task].metric.before(label).0;
        if self.tells {
            self.common.tasks[self.task].cut.before(self.start + place as u64, list);
            for &number in &*list {
                give(self.seat(number, offer));
            }
            list.len() as u64
        } else {
            let turned = self.turned.borrow();
            let before = turned.predecessors(place);
            for &seat in before {
                give(words::with(seat, offer));
            }
            before.len() as u64
        }
    }
}

/// Questions for positions of other slices, and moves on their way to where they lead.
pub struct Opening {
    pub questions: Input<Pair>,
    pub moves: Input<Pair>,
    pub probe: ProbeHandle<u64>,
}

impl Opening {
    /// `below` are the own parts of the conversions.
    pub fn new(worker: &mut Worker, field: &Field, below: Vec<Rc<Table>>) -> Self {
        let (mut questions, mut moves): (Input<Pair>, Input<Pair>) = (Input::new(), Input::new());
        let probe = ProbeHandle::new();
        let task = &field.common.tasks[field.task];
        let (metric, stakes) = (task.metric, task.cut.stakes());
        let (answered, turned) = (Rc::clone(&field.state), Rc::clone(&field.turned));
        worker.dataflow::<u64, _, _>(|scope| {
            let route = Routed::new(|question: &Pair| words::worker(question.0));
            questions
                .to_stream(scope)
                .unary(route, "answer", move |_, _| {
                    move |input, output| {
                        input.for_each_time(|time, batches| {
                            let mut session = output.session(&time);
                            for (to, from) in batches.flat_map(|batch| batch.drain(..)) {
                                let table = &below[usize::from(words::more(to))];
                                let there = table.get(words::place(to) as u64);
                                let gain = i32::from(words::more(from) as i16);
                                let worth = there.map_or(Label::DRAW, |n| metric.converted(gain, n, stakes));
                                session.give(words::with(from, worth.0));
                            }
                        });
                    }
                })
                .container::<Vec<u64>>()
                .exchange(|word| words::worker(*word))
                .inspect_batch(move |_, batch| {
                    let mut state = answered.borrow_mut();
                    for &word in batch {
                        state.raise(word);
                    }
                })
                .probe_with(&probe);
            moves
                .to_stream(scope)
                .exchange(|(to, _)| words::worker(*to))
                .inspect_batch(move |_, batch| {
                    let list = batch.iter().map(|&(to, from)| (words::place(to) as u32, from));
                    turned.borrow_mut().loose.extend(list);
                })
                .probe_with(&probe);
        });
        Self { questions, moves, probe }
    }
}

/// News that go round until nothing more becomes final at a rank; time is the rank and the turn within it.
pub struct Rounds {
    pub news: Input<u64>,
    pub probe: ProbeHandle<Product<u64, u32>>,
}

impl Rounds {
    /// `sent` counts what goes out again.
    pub fn new(worker: &mut Worker, field: &Field, sent: Rc<RefCell<u64>>) -> Self {
        let mut news: Input<u64> = Input::new();
        let probe = ProbeHandle::new();
        let field = field.clone();
        worker.dataflow::<u64, _, _>(|scope| {
            let seeds = news.to_stream(scope);
            scope.iterative::<u32, _, _>(|inner| {
                let (handle, cycle) = inner.loop_variable(1);
                let route = Routed::new(|word: &u64| words::worker(*word));
                let told = seeds.enter(inner).concat(cycle).unary(route, "hear", move |_, _| {
                    let mut list = Vec::new();
                    move |input, output| {
                        input.for_each_time(|time, batches| {
                            let rank = time.time().outer as u16;
                            let mut session = output.session(&time);
                            for word in batches.flat_map(|batch| batch.drain(..)) {
                                let final_now = field.state.borrow_mut().hear(word, rank);
                                if let Some(label) = final_now {
                                    let place = words::place(word);
                                    let many =
                                        field.spread(place, label, &mut list, |news| session.give(news));
                                    *sent.borrow_mut() += many;
                                }
                            }
                        });
                    }
                });
                told.container::<Vec<u64>>().probe_with(&probe).connect_loop(handle);
            });
        });
        Self { news, probe }
    }
}

/// A vote.
pub type Vote = [u64; 5];

/// The votes that have come, by their time.
type Votes = Rc<RefCell<BTreeMap<u64, Vec<Vote>>>>;

/// Where all workers tell all others a few numbers.
pub struct Council {
    pub votes: Input<Vote>,
    pub probe: ProbeHandle<u64>,
    pub heard: Votes,
}

impl Council {
    pub fn new(worker: &mut Worker) -> Self {
        let mut votes: Input<Vote> = Input::new();
        let (probe, heard) = (ProbeHandle::new(), Votes::default());
        let list = Rc::clone(&heard);
        worker.dataflow::<u64, _, _>(|scope| {
            votes
                .to_stream(scope)
                .broadcast()
                .inspect_batch(move |time, batch| {
                    list.borrow_mut().entry(*time).or_default().extend(batch.iter().copied());
                })
                .probe_with(&probe);
        });
        Self { votes, probe, heard }
    }
}

/// A block of the file: its number and its bytes.
pub type Block = (u64, Vec<u8>);

/// Blocks on their way to worker 0.
pub struct Gathering {
    pub blocks: Input<Block>,
    pub probe: ProbeHandle<u64>,
    pub come: Rc<RefCell<Vec<Block>>>,
}

impl Gathering {
    pub fn new(worker: &mut Worker) -> Self {
        let mut blocks: Input<Block> = Input::new();
        let (probe, come) = (ProbeHandle::new(), Rc::new(RefCell::new(Vec::new())));
        let list = Rc::clone(&come);
        worker.dataflow::<u64, _, _>(|scope| {
            blocks
                .to_stream(scope)
                .exchange(|_| 0)
                .inspect_batch(move |_, batch| list.borrow_mut().extend(batch.iter().cloned()))
                .probe_with(&probe);
        });
        Self { blocks, probe, come }
    }
}
