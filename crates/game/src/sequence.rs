//! A win by threats told in full: how it is played, what was tried against it, and where the defender has to play.
//!
//! A [`Plan`] is a move of the attacker's and how he goes on after each reply that meets its threat. Where one
//! continuation serves against all replies, as in dependency-based search, a plan is a sequence; otherwise it is a
//! tree, told by its main line and its variations.
//!
//! ```
//! use endspiel_game::Plan;
//!
//! let mut plan = Plan::of([("a", vec!["b"]), ("c", vec!["d", "e"]), ("f", vec![])]).unwrap();
//! plan.add("g", Plan::of([("h", vec![])]).unwrap());
//! assert_eq!(plan.main_line(), [("a", vec!["b", "g"]), ("c", vec!["d", "e"]), ("f", vec![])]);
//! assert_eq!(plan.variations()[0].replies, ["g"]);
//! ```

/// A win by threats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence<M> {
    /// How it is played.
    pub plan: Plan<M>,
    /// The threats that the defender may put in between, each once.
    pub counters: Vec<Counter<M>>,
    /// In so many positions with such threats put in between it was seen that they do not help.
    pub positions: usize,
    /// Where the defender has to play, were it his turn now: his moves that win at once, and those after which no win
    /// by threats was found any more. After every other move there is one, this or another.
    pub must: Vec<M>,
    /// Those of them after which the search was given up before its end.
    pub unsure: Vec<M>,
}

/// A threat of the defender's that was tried against a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter<M> {
    /// The number of the attacker's move that it would follow, where his moves are 1, 3, 5 and so on.
    pub after: usize,
    /// Where the defender plays.
    pub threat: M,
    /// What the attacker answers.
    pub answer: M,
}

/// A move of the attacker's and what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan<M> {
    /// The move.
    pub attack: M,
    /// The replies that meet its threat, or where none does those that change how it goes on, with what the attacker does
    /// then; those with the same continuation together, the longest first. None where a line is completed or the next
    /// move completes one whatever the reply.
    pub then: Vec<(Vec<M>, Plan<M>)>,
}

/// A continuation that is not in the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation<M> {
    /// The moves that lead there, the attacker's and the defender's in turn; the last is the attacker's.
    pub after: Vec<M>,
    /// The replies that it goes against.
    pub replies: Vec<M>,
    /// The attacker's moves, each with the replies that meet it.
    pub moves: Vec<(M, Vec<M>)>,
}

impl<M: Clone + PartialEq> Plan<M> {
    /// The attacker's moves in turn, each with all the replies that meet it; none without a move.
    pub fn of<I: DoubleEndedIterator<Item = (M, Vec<M>)>>(
        moves: impl IntoIterator<IntoIter = I>,
    ) -> Option<Self> {
        let mut plan = None;
        for (attack, replies) in moves.into_iter().rev() {
            plan = Some(Self { attack, then: plan.map(|next| (replies, next)).into_iter().collect() });
        }
        plan
    }

    /// A reply more.
    pub fn add(&mut self, reply: M, next: Self) {
        if let Some((replies, _)) = self.then.iter_mut().find(|(_, known)| *known == next) {
            return replies.push(reply);
        }
        let at = self.then.partition_point(|(_, known)| known.moves() >= next.moves());
        self.then.insert(at, (vec![reply], next));
    }

    /// How many moves of the attacker's it takes at most.
    pub fn moves(&self) -> usize {
        1 + self.then.iter().map(|(_, next)| next.moves()).max().unwrap_or(0)
    }

    /// All replies that meet the first move, those of the main line first.
    pub fn replies(&self) -> Vec<M> {
        self.then.iter().flat_map(|(replies, _)| replies).cloned().collect()
    }

    /// The longest continuation: the attacker's moves, each with all the replies that meet it.
    pub fn main_line(&self) -> Vec<(M, Vec<M>)> {
        let mut line = vec![(self.attack.clone(), self.replies())];
        line.extend(self.then.first().into_iter().flat_map(|(_, next)| next.main_line()));
        line
    }

    /// The moves of the main line in turn, the first reply of each.
    pub fn line(&self) -> Vec<M> {
        let one = |(attack, replies): (M, Vec<M>)| std::iter::once(attack).chain(replies.into_iter().take(1));
        self.main_line().into_iter().flat_map(one).collect()
    }

    /// All other continuations.
    pub fn variations(&self) -> Vec<Variation<M>> {
        let mut all = Vec::new();
        self.collect(&mut Vec::new(), &mut all);
        all
    }

    fn collect(&self, before: &mut Vec<M>, all: &mut Vec<Variation<M>>) {
        before.push(self.attack.clone());
        for (i, (replies, next)) in self.then.iter().enumerate() {
            if i > 0 {
                let variation =
                    Variation { after: before.clone(), replies: replies.clone(), moves: next.main_line() };
                all.push(variation);
            }
            before.extend(replies.first().cloned());
            next.collect(before, all);
            before.pop();
        }
        before.pop();
    }
}

impl<M: Clone> Plan<M> {
    /// With other names for the moves.
    pub fn map<N>(&self, name: &impl Fn(M) -> N) -> Plan<N> {
        let then = self
            .then
            .iter()
            .map(|(replies, next)| (replies.iter().cloned().map(name).collect(), next.map(name)));
        Plan { attack: name(self.attack.clone()), then: then.collect() }
    }
}

impl<M: Clone> Sequence<M> {
    /// With other names for the moves.
    pub fn map<N>(&self, name: &impl Fn(M) -> N) -> Sequence<N> {
        let counter = |counter: &Counter<M>| Counter {
            after: counter.after,
            threat: name(counter.threat.clone()),
            answer: name(counter.answer.clone()),
        };
        Sequence {
            plan: self.plan.map(name),
            counters: self.counters.iter().map(counter).collect(),
            positions: self.positions,
            must: self.must.iter().cloned().map(name).collect(),
            unsure: self.unsure.iter().cloned().map(name).collect(),
        }
    }
}
