//! The clocks of a game. Time is what the system says, in milliseconds since 1970, so that it can be kept in a file.

use polyply_engine::Side;
use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};
use utoipa::ToSchema;

/// Milliseconds since 1970.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A day: no clock is longer.
const MOST_MS: u64 = 24 * 60 * 60 * 1000;

/// How much time players have.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockRule {
    /// At the beginning.
    #[schema(maximum = 86_400_000)]
    pub initial_ms: u64,
    /// More after each move.
    #[schema(maximum = 86_400_000)]
    #[serde(default)]
    pub increment_ms: u64,
}

impl ClockRule {
    /// A clock that makes sense.
    pub fn is_possible(self) -> bool {
        (1..=MOST_MS).contains(&self.initial_ms) && self.increment_ms <= MOST_MS
    }
}

/// Two clocks, of which one may run.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    /// How much time there is.
    pub rule: ClockRule,
    left_ms: [u64; 2],
    /// Which runs, and since when.
    runs: Option<(u8, u64)>,
}

impl Clocks {
    /// Both full, none running.
    pub fn new(rule: ClockRule) -> Clocks {
        Clocks { rule, left_ms: [rule.initial_ms; 2], runs: None }
    }

    /// What is left at a time.
    pub fn left(&self, side: Side, now: u64) -> u64 {
        let left = self.left_ms[side.index()];
        match self.runs {
            Some((running, since)) if usize::from(running) == side.index() => {
                left.saturating_sub(now.saturating_sub(since))
            }
            _ => left,
        }
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Side> {
        self.runs.map(|(side, _)| if side == 0 { Side::First } else { Side::Second })
    }

    /// When the clock that runs will be at zero.
    pub fn deadline(&self) -> Option<u64> {
        self.runs.map(|(side, since)| since + self.left_ms[usize::from(side)])
    }

    /// The clock that runs is at zero.
    pub fn flagged(&self, now: u64) -> Option<Side> {
        self.running().filter(|&side| self.left(side, now) == 0)
    }

    /// A move was made: its clock stops, with more time on it.
    pub fn press(&mut self, now: u64) {
        if let Some(side) = self.running() {
            self.left_ms[side.index()] = self.left(side, now) + self.rule.increment_ms;
        }
        self.runs = None;
    }

    /// Stops both as they are.
    pub fn stop(&mut self, now: u64) {
        if let Some(side) = self.running() {
            self.left_ms[side.index()] = self.left(side, now);
        }
        self.runs = None;
    }

    /// Lets a side's clock run.
    pub fn start(&mut self, side: Side, now: u64) {
        self.runs = Some((side.index() as u8, now));
    }

    /// Nothing happened for so long: the server was not there.
    pub fn skip(&mut self, pause: u64) {
        if let Some((_, since)) = &mut self.runs {
            *since += pause;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_down_and_gets_its_increment() {
        let mut clocks = Clocks::new(ClockRule { initial_ms: 1000, increment_ms: 100 });
        clocks.start(Side::First, 5000);
        assert_eq!((clocks.left(Side::First, 5400), clocks.left(Side::Second, 5400)), (600, 1000));
        clocks.press(5400);
        assert_eq!(clocks.left(Side::First, 9000), 700);
        clocks.start(Side::Second, 5400);
        assert_eq!((clocks.deadline(), clocks.flagged(6399)), (Some(6400), None));
        assert_eq!(clocks.flagged(6400), Some(Side::Second));
    }

    #[test]
    fn the_time_that_the_server_was_away_is_nobodys() {
        let mut clocks = Clocks::new(ClockRule { initial_ms: 1000, increment_ms: 0 });
        clocks.start(Side::First, 0);
        clocks.skip(5000);
        assert_eq!(clocks.left(Side::First, 5300), 700);
    }
}
