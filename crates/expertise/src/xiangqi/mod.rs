//! Xiangqi: the numbers of its endings for databases, and an evaluation (`play`).
//!
//! In these endings one side alone has *attackers* (rooks, knights, cannons, pawns), at most two, and both together
//! have at most four *defenders* (guards and ministers). Then perpetual check and chase never decide, and plain
//! retrograde analysis is exact: H. Fang, T. Hsu and S. Hsu, Construction of Chinese Chess Endgame Databases by
//! Retrograde Analysis (2000). `material` names the slices, `groups` numbers the placements of some pieces, `layout`
//! those of all, `endings` is what the database engine sees, `figures` counts as the paper does.

mod endings;
mod figures;
mod groups;
mod layout;
mod material;
mod play;
#[cfg(test)]
mod tests;

pub use endings::Endings;
pub use figures::{Census, PUBLISHED, Row, misprint, published, published_pawn_nine};
pub use layout::Piece;
pub use material::Material;
pub use play::Expert;
