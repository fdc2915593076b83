//! Random trees: the sum of the edges above a node estimates the leaves below it (that is how the trees are
//! made). Where leaves pay only the sign of their sum, the estimate is the sum against the most
//! that may still come.

use endspiel_game::{Expertise, Player, TwoPlayer};
use endspiel_rules::random_tree::{Leaves, Node};

/// What is known of random trees.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expert;

impl Expertise<Node> for Expert {
    const EVALUATES: bool = true;

    fn evaluate(&self, node: &Node) -> i32 {
        let own = if node.mover() == Player::FIRST { node.value() } else { -node.value() };
        match node.tree().leaves {
            Leaves::Sum => own.saturating_mul(1000),
            Leaves::TwoValues | Leaves::ThreeValues => {
                let left = usize::from(node.tree().depth) - node.depth();
                let most = i64::from(own.abs()) + left as i64 * i64::from(node.tree().range);
                (1000 * i64::from(own) / most.max(1)) as i32
            }
        }
    }

    fn promise(&self, node: &Node, m: u8) -> i32 {
        let gain = endspiel_game::Position::after(node, m).value() - node.value();
        if node.mover() == Player::FIRST { gain } else { -gain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::greedy_against_random;
    use endspiel_game::{Game, Position};
    use endspiel_rules::random_tree::RandomTree;

    #[test]
    fn the_sum_so_far_is_the_estimate() {
        let tree = |text: &str| RandomTree::from_variant(text).expect("a variant");
        let node = tree("b=3,d=6,seed=1").start().after(1);
        assert_eq!(Expert.evaluate(&node), -node.value() * 1000);
        let sign = Expert.evaluate(&tree("b=3,d=6,seed=1,values=2").start().after(1));
        assert!(sign.signum() == -node.value().signum() && sign.abs() < 1000);
        assert!(greedy_against_random(&tree("b=10,d=12,seed=3"), &Expert, 20) >= 0.9);
    }
}
