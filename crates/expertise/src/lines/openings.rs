//! How Qubic begins: the first two moves of White's that are known to be good, so that proof numbers try them first.
//!
//! White begins in a corner. There are twelve different answers; to each White takes a second cube of the
//! many-line kind on a common edge, so that seven positions with three stones remain (Patashnik 1980; Allis 1994,
//! section 4.3). This is advice on the order alone: every move of White's stays a candidate.

use endspiel_game::{Player, Symmetric};
use endspiel_rules::qubic::QubicPosition;
use std::sync::LazyLock;

/// The seven positions after White's second move: White's stones and Black's.
const CHOSEN: [([usize; 2], usize); 7] =
    [([0, 3], 12), ([0, 3], 20), ([0, 3], 21), ([0, 3], 24), ([0, 3], 60), ([0, 3], 61), ([0, 12], 1)];

/// The proof number of a position that was chosen, and of one that was not.
const TRIED: u32 = 100;
const LEFT: u32 = 1 << 24;

static KEYS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let position = |(white, black): &([usize; 2], usize)| {
        let stones = [1 << white[0] | 1 << white[1], 1 << black];
        QubicPosition::new(stones, Player::SECOND).ok()
    };
    CHOSEN.iter().filter_map(position).map(|position| position.canonical_key()).collect()
});

/// The first numbers of a position with one stone of White's, or two and one of Black's; White attacks.
pub(super) fn qubic(position: &QubicPosition, attacker: Player) -> Option<(u32, u32)> {
    let [white, black] = [Player::FIRST, Player::SECOND].map(|player| position.stones(player));
    if attacker != Player::FIRST {
        return None;
    }
    let chosen = match (white.count_ones(), black.count_ones()) {
        (1, 0) => endspiel_rules::qubic::lines::THROUGH_COUNT[white.trailing_zeros() as usize] == 7,
        (2, 1) => KEYS.contains(&position.canonical_key()),
        _ => return None,
    };
    Some((if chosen { TRIED } else { LEFT }, 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use endspiel_game::{Game, Position};
    use endspiel_rules::qubic::{Qubic, lines::LINES};
    use std::collections::HashSet;

    /// The different positions after one move more.
    fn after(position: &QubicPosition) -> HashSet<u64> {
        position.move_list().into_iter().map(|m| position.after(m).canonical_key()).collect()
    }

    #[test]
    fn the_published_counts_of_the_opening_come_out() {
        assert_eq!(after(&Qubic.start()).len(), 2);
        let corner = Qubic.read("<0>").expect("a position");
        let replies: Vec<_> = corner.move_list().into_iter().map(|m| corner.after(m)).collect();
        assert_eq!(after(&corner).len(), 12);
        // A chosen move for every answer, and 195 positions with four stones.
        let is_chosen = |position: &QubicPosition| qubic(position, Player::FIRST) == Some((TRIED, 1));
        assert!(
            replies.iter().all(|reply| reply.move_list().into_iter().any(|m| is_chosen(&reply.after(m))))
        );
        let four_stones = |texts: &[&str]| {
            let positions = texts.iter().map(|text| Qubic.read(text).expect("a position"));
            positions.flat_map(|position| after(&position)).collect::<HashSet<u64>>().len()
        };
        let common = ["<0,3,12>", "<0,3,21>", "<0,3,60>"];
        let mut counts = Vec::new();
        // The source names the last two in either order, so that one of the three sets of each pair counts twice.
        let others = [
            ["<0,12,1>", "<0,3,28>"],
            ["<0,12,1>", "<0,3,61>"],
            ["<0,3,28>", "<0,3,1>"],
            ["<0,3,28>", "<0,12,1>"],
        ];
        for pair in [["<0,3,5>", "<0,3,29>"], ["<0,3,20>", "<0,3,24>"]] {
            for other in others {
                counts.push(four_stones(&[&common[..], &pair, &other].concat()));
            }
        }
        counts.sort_unstable();
        assert_eq!(counts, [195, 195, 217, 217, 226, 226, 241, 241]);
        // The same with second stones on a diagonal of a plane.
        let common = ["<0,15,51>", "<0,15,21>", "<0,60,3>", "<0,51,6>", "<0,51,5>"];
        let others = [
            ["<0,15,1>", "<0,60,1>"],
            ["<0,15,1>", "<0,60,7>"],
            ["<0,60,7>", "<0,15,1>"],
            ["<0,60,7>", "<0,60,1>"],
            ["<0,60,1>", "<0,60,7>"],
            ["<0,60,1>", "<0,51,7>"],
            ["<0,60,1>", "<0,15,1>"],
        ];
        let mut counts = others.map(|other| four_stones(&[&common[..], &other].concat()));
        counts.sort_unstable();
        assert_eq!(counts, [219, 229, 229, 229, 229, 240, 240]);
    }

    /// A threat takes the third cube of a line and leaves the fourth to the reply; a goal is three cubes of a line.
    #[test]
    fn the_published_numbers_of_threats_and_goals() {
        let mut threats = HashSet::new();
        for line in LINES {
            let cubes: Vec<u32> = (0..64).filter(|cube| line >> cube & 1 == 1).collect();
            for (attack, reply) in cubes.iter().flat_map(|a| cubes.iter().map(move |b| (a, b))) {
                if attack != reply {
                    threats.insert((line, *attack, *reply));
                }
            }
        }
        let goals: HashSet<(u64, u32)> = threats.iter().map(|&(line, _, open)| (line, open)).collect();
        // The two stones of a line come in two orders.
        assert_eq!((2 * threats.len(), threats.len(), goals.len()), (1824, 912, 304));
    }

    #[test]
    fn two_positions_are_exceptional() {
        // A line with both white stones and no black one meets a line with both black stones and no white one in
        // an empty cube.
        let line_of = |own: u64, other: u64| {
            LINES.into_iter().find(|line| line & own == own && line & other == 0).unwrap_or(0)
        };
        let mut found = HashSet::new();
        for (white, black) in CHOSEN {
            let stones = [1 << white[0] | 1 << white[1], 1 << black];
            let three = QubicPosition::new(stones, Player::SECOND).expect("three stones");
            for four in three.move_list().into_iter().map(|m| three.after(m)) {
                let [white, black] = [Player::FIRST, Player::SECOND].map(|player| four.stones(player));
                if line_of(white, black) & line_of(black, white) != 0 {
                    found.insert(four.canonical_key());
                }
            }
        }
        let named = ["<0,3,21,41>", "<0,3,21,61>"].map(|text| Qubic.read(text).expect("a position"));
        assert_eq!(found, named.iter().map(Symmetric::canonical_key).collect());
    }
}
