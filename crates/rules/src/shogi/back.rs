//! Moves of shogi taken back: a piece goes back to where it came from, promoted there or not, and may leave behind what it
//! took; or it goes back to the hand it was dropped from.

use super::board::{Board, Kind, Piece};
use super::squares::{Square, each_square};
use endspiel_game::{Player, Position};

impl Board {
    /// Calls `each` with every legal position from which one legal move leads here; some may come twice.
    pub fn before_moves(&self, each: &mut dyn FnMut(Self)) {
        let last = self.side().other();
        for at in each_square(self.pieces(last)) {
            let Some(piece) = self.at(at) else { continue };
            self.before_drop(at, piece, each);
            let all = self.all();
            // From where a player's piece goes to a square, the other's would go back.
            let back = |promoted| Piece { promoted, player: self.side(), ..piece }.reach(at, all) & !all;
            for from in each_square(back(piece.promoted)) {
                self.before_going((from, piece), at, each);
            }
            if piece.promoted {
                let zone = self.shape().zone(last);
                let origins = if zone >> at & 1 != 0 { back(false) } else { back(false) & zone };
                for from in each_square(origins) {
                    self.before_going((from, Piece { promoted: false, ..piece }), at, each);
                }
            }
        }
    }

    /// The position before the piece here was dropped.
    fn before_drop(&self, at: Square, piece: Piece, each: &mut dyn FnMut(Self)) {
        if piece.promoted || piece.kind == Kind::King {
            return;
        }
        let attacks = piece.reach(at, 0) >> self.king(self.side()) & 1 != 0;
        if piece.kind == Kind::Pawn && attacks && self.turn().is_over() {
            return;
        }
        let mut before = self.clone();
        before.clear(at);
        before.set_hand(piece.player, piece.kind, self.hand(piece.player, piece.kind) + 1);
        before.pass_turn();
        if before.is_legal() {
            each(before);
        }
    }

    /// The positions before this piece went from there to `at`: there was nothing, or something that is now in its
    /// player's hand.
    fn before_going(&self, (from, piece): (Square, Piece), at: Square, each: &mut dyn FnMut(Self)) {
        let mut bare = self.clone();
        bare.clear(at);
        if !bare.has_room(from, piece) {
            return;
        }
        bare.put(from, piece);
        bare.pass_turn();
        let own = piece.player;
        let mut tell = |before: Self| {
            if before.is_legal() {
                each(before);
            }
        };
        for kind in Kind::IN_HAND.into_iter().filter(|&kind| self.hand(own, kind) > 0) {
            for promoted in [false, true] {
                let taken = Piece { kind, promoted, player: Player(own.0 ^ 1) };
                if bare.has_room(at, taken) {
                    let mut before = bare.clone();
                    before.put(at, taken);
                    before.set_hand(own, kind, self.hand(own, kind) - 1);
                    tell(before);
                }
            }
        }
        tell(bare);
    }
}
