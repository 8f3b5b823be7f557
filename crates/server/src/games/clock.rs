//! The clocks of a game. Points in time are milliseconds since 1970, so that a game can be stored.

use polyply_engine::Side;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A day, the longest time that a clock can have.
const MAX_MS: u64 = 24 * 60 * 60 * 1000;

/// How much time players have.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockRule {
    /// Time at the start.
    #[schema(maximum = 86_400_000)]
    pub initial_ms: u64,
    /// Time that each move adds.
    #[schema(maximum = 86_400_000)]
    #[serde(default)]
    pub increment_ms: u64,
    /// The time that a move takes goes to the opponent's clock, as in an hourglass.
    #[serde(default)]
    pub hourglass: bool,
}

impl ClockRule {
    /// The clock is within its bounds.
    pub fn is_possible(self) -> bool {
        (1..=MAX_MS).contains(&self.initial_ms) && self.increment_ms <= MAX_MS
    }
}

/// The clocks of both sides, of which one may run.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    /// How much time the players have.
    pub rule: ClockRule,
    left_ms: [u64; 2],
    /// Which clock runs, and since when.
    runs: Option<(u8, u64)>,
}

impl Clocks {
    /// Full clocks that do not run yet.
    pub fn new(rule: ClockRule) -> Clocks {
        Clocks { rule, left_ms: [rule.initial_ms; 2], runs: None }
    }

    /// The time that a side has left.
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

    /// When the running clock reaches zero.
    pub fn deadline(&self) -> Option<u64> {
        self.runs.map(|(side, since)| since + self.left_ms[usize::from(side)])
    }

    /// The side whose time is over.
    pub fn flagged(&self, now: u64) -> Option<Side> {
        self.running().filter(|&side| self.left(side, now) == 0)
    }

    /// After a move: stops the running clock and adds the increment.
    pub fn press(&mut self, now: u64) {
        if let Some(side) = self.running() {
            let left = self.left(side, now);
            if self.rule.hourglass {
                self.left_ms[side.other().index()] += self.left_ms[side.index()] - left;
            }
            self.left_ms[side.index()] = left + self.rule.increment_ms;
        }
        self.runs = None;
    }

    /// Stops the running clock.
    pub fn stop(&mut self, now: u64) {
        if let Some(side) = self.running() {
            self.left_ms[side.index()] = self.left(side, now);
        }
        self.runs = None;
    }

    /// Starts a side's clock.
    pub fn start(&mut self, side: Side, now: u64) {
        self.runs = Some((side.index() as u8, now));
    }

    /// Leaves out a time when the server was down.
    pub fn skip(&mut self, pause: i64) {
        if let Some((_, since)) = &mut self.runs {
            *since = since.saturating_add_signed(pause);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_down_and_gets_its_increment() {
        let mut clocks = Clocks::new(ClockRule { initial_ms: 1000, increment_ms: 100, hourglass: false });
        clocks.start(Side::First, 5000);
        assert_eq!((clocks.left(Side::First, 5400), clocks.left(Side::Second, 5400)), (600, 1000));
        clocks.press(5400);
        assert_eq!(clocks.left(Side::First, 9000), 700);
        clocks.start(Side::Second, 5400);
        assert_eq!((clocks.deadline(), clocks.flagged(6399)), (Some(6400), None));
        assert_eq!(clocks.flagged(6400), Some(Side::Second));
    }

    #[test]
    fn in_an_hourglass_the_time_of_a_move_goes_to_the_opponent() {
        let mut clocks = Clocks::new(ClockRule { initial_ms: 1000, increment_ms: 0, hourglass: true });
        clocks.start(Side::First, 0);
        clocks.press(400);
        assert_eq!((clocks.left(Side::First, 400), clocks.left(Side::Second, 400)), (600, 1400));
    }

    #[test]
    fn time_while_the_server_was_down_does_not_count() {
        let mut clocks = Clocks::new(ClockRule { initial_ms: 1000, increment_ms: 0, hourglass: false });
        clocks.start(Side::First, 0);
        clocks.skip(5000);
        assert_eq!(clocks.left(Side::First, 5300), 700);
        // The system's clock was set back by four seconds.
        clocks.skip(-4000);
        assert_eq!(clocks.left(Side::First, 1300), 700);
    }
}
