//! What the manager has said in `INFO` lines: time, memory and the rule.

use super::command::{Refusal, error};
use endspiel_game::notation::shorten;
use endspiel_rules::gomoku::Rule;
use std::time::Duration;

/// Time for a move where nothing was said.
const USUAL_TURN: Duration = Duration::from_secs(5);
/// Memory for the table where nothing was said, and the most that is taken.
const USUAL_MEMORY: usize = 32 << 20;
const MOST_MEMORY: usize = 256 << 20;
/// What the program takes besides the table.
const PROGRAM: usize = 16 << 20;

/// The settings of a game.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    turn: Option<Duration>,
    whole: Option<Duration>,
    /// What the manager has said is left, less what was used since.
    left: Option<Duration>,
    /// What was used in this game.
    used: Duration,
    memory: Option<usize>,
    /// The rule as it was said.
    rule: Option<String>,
}

impl Settings {
    /// Takes in an `INFO` line. What is not known, or makes no sense, is left aside: such lines have no answer. Of a rule that
    /// is not played here the manager is told; the next move is refused.
    pub fn hear(&mut self, key: &str, value: &str) -> Option<String> {
        let number = value.parse::<i64>().ok();
        // Time that is left may be negative.
        let time = number.map(|ms| Duration::from_millis(ms.max(0) as u64));
        match key {
            "timeout_turn" => self.turn = time.or(self.turn),
            "timeout_match" => self.whole = time.filter(|time| !time.is_zero()),
            "time_left" => self.left = time.filter(|time| *time < Duration::from_secs(2_147_483)),
            "max_memory" => self.memory = number.filter(|&n| n > 0).map(|n| n as usize),
            "rule" => {
                self.rule = Some(shorten(value));
                return self.rule().err().map(|refusal| refusal.reason().to_string());
            }
            _ => {}
        }
        None
    }

    /// A new game has its whole time.
    pub fn begin(&mut self) {
        (self.left, self.used) = (None, Duration::ZERO);
    }

    /// The rule of the game. The protocol's number is a sum: 1 exactly five wins, 2 the game goes on after a five, 4 renju,
    /// 8 caro; of the sums only these are played here.
    pub fn rule(&self) -> Result<Rule, Refusal> {
        let Some(said) = &self.rule else { return Ok(Rule::Free) };
        match said.parse() {
            Ok(0) => Ok(Rule::Free),
            Ok(1) => Ok(Rule::Standard),
            Ok(4) => Ok(Rule::Renju),
            _ => error(format!("rule {said} is not played here: 0 free-style, 1 standard, 4 renju")),
        }
    }

    /// Bytes for the table.
    pub fn memory(&self) -> usize {
        match self.memory {
            None => USUAL_MEMORY,
            Some(all) => (all.saturating_sub(PROGRAM) / 2).clamp(64 << 10, MOST_MEMORY),
        }
    }

    /// Time for the next move of a game in which so many stones are on the board; zero means as fast as possible. A
    /// part of it is kept back, since others have to read the answer in time.
    pub fn time(&self, stones: usize) -> Duration {
        let mut time = self.turn.unwrap_or(USUAL_TURN);
        if let Some(left) = self.left.or(self.whole.map(|whole| whole.saturating_sub(self.used))) {
            let moves_to_come = 30u32.saturating_sub(stones as u32 / 4).max(8);
            time = time.min(left / moves_to_come);
        }
        let kept_back = (time / 8).max((time / 2).min(Duration::from_millis(60)));
        time.saturating_sub(kept_back)
    }

    /// So much time was used; the manager's next word on it counts more.
    pub fn use_up(&mut self, time: Duration) {
        self.left = self.left.map(|left| left.saturating_sub(time));
        self.used += time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_kept_back() {
        let ms = Duration::from_millis;
        let mut settings = Settings::default();
        settings.hear("timeout_turn", "1000");
        assert_eq!(settings.time(0), ms(875));
        settings.hear("timeout_turn", "10");
        assert_eq!(settings.time(0), ms(5));
        settings.hear("timeout_turn", "0");
        assert_eq!(settings.time(0), ms(0));
        settings.hear("timeout_turn", "30000");
        settings.hear("time_left", "8000");
        assert_eq!(settings.time(200), ms(875));
        settings.hear("time_left", "-5");
        assert_eq!(settings.time(200), ms(0));
        settings.hear("time_left", "2147483647");
        assert_eq!(settings.time(0), ms(26_250));
        settings.hear("timeout_turn", "much");
        assert_eq!(settings.time(0), ms(26_250));
        // The time of the whole match counts whenever it is said, from the beginning of the game.
        settings.begin();
        settings.use_up(ms(2000));
        settings.hear("timeout_match", "10000");
        assert_eq!(settings.time(200), ms(875));
        settings.begin();
        assert_eq!(settings.time(200), Duration::from_micros(1_093_750));
    }

    #[test]
    fn rules_and_memory_are_understood() {
        let mut settings = Settings::default();
        for (value, rule) in [("0", Rule::Free), ("1", Rule::Standard), ("4", Rule::Renju)] {
            settings.hear("rule", value);
            assert_eq!(settings.rule(), Ok(rule));
        }
        // Sums of other parts, and what is no number, are not played.
        for value in ["2", "3", "5", "8", "9", "-1", "renju"] {
            let told = settings.hear("rule", value).expect("a word about it");
            assert!(told.starts_with(&format!("rule {value} is not played here")), "{told}");
            assert!(settings.rule().is_err());
        }
        assert_eq!(settings.hear("rule", "4"), None);
        settings.hear("max_memory", "83886080");
        assert_eq!(settings.memory(), 32 << 20);
        settings.hear("max_memory", "1");
        assert_eq!(settings.memory(), 64 << 10);
    }
}
