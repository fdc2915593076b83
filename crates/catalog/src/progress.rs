//! The way on where databases tell who wins and not how soon: without it a winner might go round for ever.
//!
//! All play from a position is looked at that stays in the same table and in which the winner keeps the win, some
//! positions first and then more, and solved backward from where the table is left for good: the winner gets there
//! as soon as can be. A win that can be forced is forced in finitely many moves, so there is a way; it may be
//! longer than what is looked at.

use endspiel_game::TwoPlayer;
use std::collections::HashMap;

/// So many positions are looked at first.
const FEW: usize = 500;

/// A position on the way.
struct Node<P> {
    position: P,
    before: Vec<usize>,
    /// Moves of the loser that are not known to be of no use; all, if they were not looked at.
    open: usize,
    /// How many plies the table is still played in, once that is known.
    plies: Option<u32>,
}

/// The moves with which the player to move, who wins, leaves the table, the loser playing for time. `keeps` tells whether the
/// winner still wins in the position after a move, `stays` whether that is in the same table. At most so many positions are
/// looked at.
pub(crate) fn way_on<P: TwoPlayer>(
    root: &P,
    keeps: impl Fn(&P) -> bool,
    stays: impl Fn(&P) -> bool,
    most: usize,
) -> Option<Vec<P::Move>> {
    [FEW.min(most), most].into_iter().find_map(|most| {
        let nodes = solve(root, &keeps, &stays, most);
        nodes[0].plies?;
        Some(line(root, &nodes, &keeps))
    })
}

fn solve<P: TwoPlayer>(
    root: &P,
    keeps: impl Fn(&P) -> bool,
    stays: impl Fn(&P) -> bool,
    most: usize,
) -> Vec<Node<P>> {
    let winner = root.mover();
    let node = |position: P| Node { position, before: Vec::new(), open: usize::MAX, plies: None };
    let (mut nodes, mut places) = (vec![node(root.clone())], HashMap::from([(root.key(), 0)]));
    // In the order in which they are known: the sooner the first.
    let (mut known, mut at) = (Vec::new(), 0);
    while at < nodes.len().min(most) {
        let (position, mut open, mut leaves) = (nodes[at].position.clone(), 0, false);
        let wins = position.mover() == winner;
        for m in position.move_list() {
            let after = position.after(m);
            if wins && !keeps(&after) {
                continue;
            }
            if after.turn().is_over() || !stays(&after) {
                leaves = true;
                continue;
            }
            open += 1;
            let place = *places.entry(after.key()).or_insert_with(|| {
                nodes.push(node(after));
                nodes.len() - 1
            });
            nodes[place].before.push(at);
        }
        nodes[at].open = open;
        if wins && leaves || !wins && open == 0 {
            nodes[at].plies = Some(1);
            known.push(at);
        }
        at += 1;
    }
    let mut next = 0;
    while let Some(&here) = known.get(next) {
        next += 1;
        let plies = nodes[here].plies.map(|plies| plies + 1);
        for before in std::mem::take(&mut nodes[here].before) {
            let node = &mut nodes[before];
            node.open = node.open.saturating_sub(1);
            if node.plies.is_none() && (node.position.mover() == winner || node.open == 0) {
                node.plies = plies;
                known.push(before);
            }
        }
    }
    nodes
}

/// The winner takes the shortest way, the loser the longest.
fn line<P: TwoPlayer>(root: &P, nodes: &[Node<P>], keeps: impl Fn(&P) -> bool) -> Vec<P::Move> {
    let places: HashMap<u64, Option<u32>> =
        nodes.iter().map(|node| (node.position.key(), node.plies)).collect();
    let (winner, mut at, mut out) = (root.mover(), root.clone(), Vec::new());
    loop {
        // What is not among them has left the table.
        let plies = |m: P::Move| places.get(&at.after(m).key()).copied().unwrap_or(Some(0));
        let moves = at.move_list().into_iter();
        let m = if at.mover() == winner {
            moves.filter(|&m| keeps(&at.after(m))).min_by_key(|&m| plies(m).unwrap_or(u32::MAX))
        } else {
            moves.max_by_key(|&m| plies(m).unwrap_or(0))
        };
        let Some(m) = m else { return out };
        at.play(m);
        out.push(m);
        if at.turn().is_over() || !places.contains_key(&at.key()) {
            return out;
        }
    }
}
