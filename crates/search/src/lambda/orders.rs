//! Threats of an order as a game of its own, so that any method for two-valued questions searches them.
//!
//! A state is a position, the player who attacks and an order. Where he is to move he plays, or goes down to the order
//! below (the *pseudo nodes* of Yoshizoe, Kishimoto and Müller, *Lambda Depth-First Proof Number Search*, 2007). After a
//! move of order 2 and more the defender chooses: he says that it was no threat, by a pass, after which the attacker has to
//! win by the order below; or he replies. A move of order 1 that is no threat is not made at all. The highest order is
//! that of all moves, in which nothing has to threaten. The attacker wins where he completes a win, and loses where he has
//! none left; so a win is a win of the game itself, and a loss of the highest order is none.

use super::at_once;
use endspiel_game::{Expertise, Payoff, Player, Position, Question, Symmetric, Turn, TwoPlayer, mix};

/// The order in which all moves count.
pub(super) const ALL: u32 = u32::MAX;
/// Replies are not looked at before the pass: so much their disproof seems to cost.
const LATER: u32 = 1 << 10;

/// What is to be done in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The attacker moves.
    Attack,
    /// The defender says whether he passes or replies.
    Doubt,
    /// The defender replies.
    Reply,
    /// The attacker has won, or has nothing left.
    Over { won: bool },
}

/// A step from one state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Step<M> {
    /// The attacker tries the order below.
    Lower,
    /// The defender passes.
    Pass,
    /// The defender will reply.
    Answer,
    /// A move.
    Play(M),
    /// The attacker has no move of this order.
    GiveUp,
}

/// A position with an attacker and the order of his threats.
#[derive(Clone, Debug)]
pub(super) struct Ordered<P> {
    position: P,
    attacker: Player,
    order: u32,
    /// The order below that of all moves.
    most: u32,
    stage: Stage,
}

impl<P: TwoPlayer> Ordered<P> {
    /// May the attacker win here by threats of this order?
    pub fn new(position: P, attacker: Player, order: u32, most: u32) -> Self {
        let question = Question { player: attacker, at_least: 1 };
        let stage = match position.turn().player() {
            None => Stage::Over { won: question.is_met_by(position.payoff()) },
            Some(mover) if mover != attacker => Stage::Reply,
            Some(_) if at_once(&position, question).is_some() => Stage::Over { won: true },
            Some(_) if order == 0 => Stage::Over { won: false },
            Some(_) => Stage::Attack,
        };
        Self { position, attacker, order, most, stage }
    }

    /// The order.
    pub fn order(&self) -> u32 {
        self.order
    }

    fn at(&self, position: P, order: u32) -> Self {
        Self::new(position, self.attacker, order, self.most)
    }

    fn lost(&self) -> Self {
        Self { stage: Stage::Over { won: false }, ..self.clone() }
    }

    fn below(&self) -> u32 {
        if self.order == ALL { self.most } else { self.order - 1 }
    }

    /// Would the attacker win at once if the defender passed after this move of his?
    fn threatens(&self, m: P::Move) -> bool {
        let after = self.position.after(m);
        match after.turn().player() {
            None => false,
            Some(mover) if mover == self.attacker => true,
            Some(_) => after
                .turned()
                .is_some_and(|p| at_once(&p, Question { player: self.attacker, at_least: 1 }).is_some()),
        }
    }

    /// The steps, with the moves that `list` names.
    fn steps(&self, list: impl FnOnce(&mut dyn FnMut(P::Move)), mut each: impl FnMut(Step<P::Move>)) {
        match self.stage {
            Stage::Over { .. } => {}
            Stage::Doubt => {
                each(Step::Pass);
                each(Step::Answer);
            }
            Stage::Reply => list(&mut |m| each(Step::Play(m))),
            Stage::Attack => {
                let mut any = self.below() >= 1;
                if any {
                    each(Step::Lower);
                }
                list(&mut |m| {
                    if self.order != 1 || self.threatens(m) {
                        any = true;
                        each(Step::Play(m));
                    }
                });
                if !any {
                    each(Step::GiveUp);
                }
            }
        }
    }

    fn key_with(&self, key: u64) -> u64 {
        // Positions hash small numbers by `mix` too.
        const ORDERS: u64 = 0x0DDE << 48;
        let stage = match self.stage {
            Stage::Attack => 0,
            Stage::Doubt => 1,
            Stage::Reply => 2,
            Stage::Over { won } => 3 + u64::from(won),
        };
        key ^ mix(ORDERS | u64::from(self.order) << 8 | stage << 1 | u64::from(self.attacker.0))
    }
}

impl<P: TwoPlayer + Symmetric> Position for Ordered<P> {
    type Move = Step<P::Move>;

    const CYCLIC: bool = P::CYCLIC;

    fn turn(&self) -> Turn {
        match self.stage {
            Stage::Attack => Turn::Player(self.attacker),
            Stage::Doubt | Stage::Reply => Turn::Player(self.attacker.other()),
            Stage::Over { .. } => Turn::Over,
        }
    }

    fn moves(&self, each: impl FnMut(Self::Move)) {
        self.steps(|each| self.position.moves(each), each);
    }

    fn play(&mut self, step: Self::Move) {
        *self = match step {
            Step::GiveUp => self.lost(),
            Step::Lower => self.at(self.position.clone(), self.below()),
            Step::Pass => {
                self.position.turned().map_or_else(|| self.lost(), |passed| self.at(passed, self.below()))
            }
            Step::Answer => Self { stage: Stage::Reply, ..self.clone() },
            Step::Play(m) => {
                let next = self.at(self.position.after(m), self.order);
                let doubt = self.stage == Stage::Attack
                    && next.stage == Stage::Reply
                    && self.order != ALL
                    && self.order > 1;
                if doubt { Self { stage: Stage::Doubt, ..next } } else { next }
            }
        };
    }

    fn payoff(&self) -> Payoff {
        let won = self.stage == Stage::Over { won: true };
        Payoff::win(if won { self.attacker } else { self.attacker.other() })
    }

    /// Threats that lead round do not win; of all moves, endless play counts what it does in the game.
    fn repeated(&self) -> Payoff {
        let won = self.order == ALL && self.position.repeated().of(self.attacker) >= 1;
        Payoff::win(if won { self.attacker } else { self.attacker.other() })
    }

    fn key(&self) -> u64 {
        self.key_with(self.position.key())
    }
}

impl<P: TwoPlayer + Symmetric> TwoPlayer for Ordered<P> {
    const DRAWS: bool = false;
}

impl<P: TwoPlayer + Symmetric> Symmetric for Ordered<P> {
    fn symmetries(&self) -> usize {
        self.position.symmetries()
    }

    fn image(&self, s: usize) -> Self {
        Self { position: self.position.image(s), ..self.clone() }
    }

    fn image_move(&self, step: Self::Move, s: usize) -> Self::Move {
        match step {
            Step::Play(m) => Step::Play(self.position.image_move(m, s)),
            other => other,
        }
    }

    fn canonical(&self) -> (Self, usize) {
        let (position, s) = self.position.canonical();
        (Self { position, ..self.clone() }, s)
    }

    fn canonical_key(&self) -> u64 {
        self.key_with(self.position.canonical_key())
    }
}

/// What an expert of the game knows of its orders.
#[derive(Clone, Debug)]
pub(super) struct Knowing<E>(pub E);

impl<P: TwoPlayer + Symmetric, E: Expertise<P>> Expertise<Ordered<P>> for Knowing<E> {
    fn bounds(&self, state: &Ordered<P>) -> (i32, i32) {
        if state.position.turn().is_over() {
            return (-1, 1);
        }
        // What is sure in the game is sure by threats, or without.
        let (low, high) = self.0.bounds(&state.position);
        let attacks = state.position.mover() == state.attacker;
        let (low, high) = if attacks { (low, high) } else { (-high, -low) };
        let (low, high) = (if low >= 1 { 1 } else { -1 }, if high < 1 { -1 } else { 1 });
        if state.stage == Stage::Attack { (low, high) } else { (-high, -low) }
    }

    fn candidates(&self, state: &Ordered<P>, each: impl FnMut(Step<P::Move>)) {
        state.steps(|each| self.0.candidates(&state.position, each), each);
    }

    /// Passes are tried before replies, and few threats before all moves.
    fn effort(&self, state: &Ordered<P>, question: Question) -> (u32, u32) {
        let (proof, disproof) = match (state.stage, state.order) {
            (Stage::Reply, ALL) => (state.position.count_moves().max(1) as u32, 1),
            (Stage::Reply, 2..) => (1, LATER),
            _ => (1, 1),
        };
        if question.player == state.attacker { (proof, disproof) } else { (disproof, proof) }
    }

    const EFFORT: bool = true;
    const BOUNDS: bool = E::BOUNDS;
}
