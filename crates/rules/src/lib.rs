//! The rules of the games: one folder a game, with its notation and its picture.

pub mod connect_four;
#[cfg(test)]
mod counts;
