//! What a player may spend on a move, and the clocks of a game.

use crate::LabError;
use crate::duration::parse_duration;
use crate::refusals;
use polyply_engine::{Clock, Side};
use polyply_protocol::drive::Budget;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How an hourglass begins.
const HOURGLASS: &str = "hourglass:";

/// The setting of a clock: `40/60+0.6` is a minute for every 40 moves and an increment of 0.6 seconds; `hourglass:10` is
/// ten seconds for each side, where the time that a move takes goes to the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClockRule {
    /// The time is added again after this many moves; without it, it is for the whole game.
    pub moves: Option<u32>,
    /// The time.
    pub time: Duration,
    /// The time that each move adds.
    pub increment: Duration,
    /// The time that a move takes goes to the opponent's clock.
    #[serde(default)]
    pub hourglass: bool,
}

/// All limits of a move; those that are not set do not apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeControl {
    /// A clock.
    pub clock: Option<ClockRule>,
    /// Time per move.
    pub time: Option<Duration>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Depth per move, in plies.
    pub depth: Option<i32>,
}

impl TimeControl {
    /// This one, or the other if nothing is set.
    pub fn or(self, other: TimeControl) -> TimeControl {
        if self == TimeControl::default() { other } else { self }
    }

    /// Sets a limit by its name: `tc`, `movetime`, `nodes` or `depth`; returns false for any other name.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, LabError> {
        match key {
            "tc" => self.clock = Some(value.parse()?),
            "movetime" => {
                let time = parse_duration(value).ok().filter(|time| !time.is_zero());
                self.time = Some(time.ok_or_else(|| LabError::Call(refusals::setting_time(key, value)))?);
            }
            "nodes" => {
                let nodes = value.parse().ok().filter(|&nodes| nodes > 0);
                self.nodes = Some(nodes.ok_or_else(|| LabError::Call(refusals::setting_nodes(value)))?);
            }
            "depth" => {
                let depth = value.parse().ok().filter(|depth| (1..=255).contains(depth));
                self.depth = Some(depth.ok_or_else(|| LabError::Call(refusals::setting_depth(value)))?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl FromStr for ClockRule {
    type Err = LabError;

    /// Reads `moves/time+increment`; only the time is required. It is in seconds, or `minutes:seconds`. An hourglass has
    /// its name before it, and no number of moves.
    fn from_str(text: &str) -> Result<ClockRule, LabError> {
        let refuse = || LabError::Call(refusals::time_control(text));
        let (hourglass, rest) = text.strip_prefix(HOURGLASS).map_or((false, text), |rest| (true, rest));
        let (moves, rest) = match rest.split_once('/') {
            Some(_) if hourglass => return Err(refuse()),
            Some((moves, rest)) => (Some(moves.parse().ok().filter(|&moves| moves > 0).ok_or_else(refuse)?), rest),
            None => (None, rest),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let seconds = |text: &str| text.parse::<f64>().ok();
        let time = match time.split_once(':') {
            Some((minutes, rest)) => {
                minutes.parse::<u32>().ok().zip(seconds(rest)).map(|(m, s)| f64::from(m) * 60.0 + s)
            }
            None => seconds(time),
        };
        let duration = |seconds: Option<f64>| seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let time = duration(time).filter(|time| !time.is_zero()).ok_or_else(refuse)?;
        Ok(ClockRule { moves, time, increment: duration(seconds(increment)).ok_or_else(refuse)?, hourglass })
    }
}

impl fmt::Display for ClockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.hourglass {
            f.write_str(HOURGLASS)?;
        }
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", self.increment.as_secs_f64()) }
    }
}

/// `tc=10+0.1`, `nodes=2000`, `movetime=100ms depth=8`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| format!("tc={clock}")),
            self.time.map(|time| format!("movetime={}ms", time.as_secs_f64() * 1000.0)),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// The clocks of one game.
pub struct Clocks {
    controls: [TimeControl; 2],
    left: [Option<Duration>; 2],
    moves: [u32; 2],
    /// How far a move may exceed its time.
    margin: Duration,
}

/// The time was exceeded.
#[derive(PartialEq, Eq, Debug)]
pub struct Overstepped;

impl Clocks {
    /// Clocks before the first move.
    pub fn new(controls: [TimeControl; 2], margin: Duration) -> Clocks {
        let left = controls.map(|control| control.clock.map(|clock| clock.time));
        Clocks { controls, left, moves: [0; 2], margin }
    }

    /// What a side may spend on its next move.
    pub fn budget(&self, side: Side) -> Budget {
        let TimeControl { time, nodes, depth, .. } = self.controls[side.index()];
        // Protocols send both clocks; a side without one appears to have as much as the other.
        let clock = |index: usize| {
            let rule = self.controls[index].clock.or(self.controls[1 - index].clock)?;
            let moves_to_go = rule.moves.map(|moves| moves - self.moves[index] % moves);
            Some(Clock { remaining: self.left[index].unwrap_or(rule.time), increment: rule.increment, moves_to_go })
        };
        let clocks = self.controls[side.index()].clock.and_then(|_| Some([clock(0)?, clock(1)?]));
        Budget { depth, nodes, time, clocks }
    }

    /// How long to wait for a move of a side, if its time is limited.
    pub fn allowance(&self, side: Side) -> Option<Duration> {
        let (turn, game) = (self.controls[side.index()].time, self.left[side.index()]);
        turn.into_iter().chain(game).min().map(|time| time + self.margin)
    }

    /// Takes the time of a move off the clock of a side.
    pub fn spend(&mut self, side: Side, time: Duration) -> Result<(), Overstepped> {
        if self.allowance(side).is_some_and(|allowance| time > allowance) {
            return Err(Overstepped);
        }
        let index = side.index();
        self.moves[index] += 1;
        if let (Some(left), Some(rule)) = (self.left[index], self.controls[index].clock) {
            let again = rule.moves.is_some_and(|moves| self.moves[index].is_multiple_of(moves));
            let added = rule.increment + if again { rule.time } else { Duration::ZERO };
            self.left[index] = Some(left.saturating_sub(time) + added);
            if let Some(other) = self.left[1 - index].as_mut().filter(|_| rule.hourglass) {
                *other += time.min(left);
            }
        }
        Ok(())
    }

    /// The time left on the clocks.
    pub fn left(&self) -> [Option<Duration>; 2] {
        self.left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_clock_is_read_and_written() {
        for text in ["40/60+0.6", "10+0.1", "5", "0.5+0.01", "hourglass:10", "hourglass:10+0.5"] {
            assert_eq!(text.parse::<ClockRule>().unwrap().to_string(), text);
        }
        assert_eq!("1:30+1".parse::<ClockRule>().unwrap().to_string(), "90+1");
        for text in ["", "0", "-1", "x", "0/10", "10+", "1:x", "nan", "1e300", "40/", "hourglass:", "hourglass:40/60"] {
            let error = text.parse::<ClockRule>().unwrap_err().to_string();
            assert!(error.contains("moves/seconds+increment"), "{text}: {error}");
        }
    }

    #[test]
    fn limits_are_set_by_name() {
        let mut control = TimeControl::default();
        for (key, value) in [("tc", "3+1"), ("movetime", "100ms"), ("nodes", "500"), ("depth", "8")] {
            assert!(control.set(key, value).unwrap());
        }
        assert_eq!(control.to_string(), "tc=3+1 movetime=100ms nodes=500 depth=8");
        assert!(!control.set("hash", "1").unwrap());
        for (key, value) in [("movetime", "100"), ("movetime", "0s"), ("nodes", "0"), ("depth", "256")] {
            assert!(control.set(key, value).unwrap_err().to_string().contains(value));
        }
    }

    #[test]
    fn a_clock_runs_down_and_is_set_again() {
        let control = TimeControl { clock: Some("2/3+1".parse().unwrap()), ..TimeControl::default() };
        let mut clocks = Clocks::new([control, TimeControl::default()], Duration::ZERO);
        assert_eq!(clocks.budget(Side::First).clocks.unwrap()[0].moves_to_go, Some(2));
        clocks.spend(Side::First, 2 * SECOND).unwrap();
        assert_eq!(clocks.left(), [Some(2 * SECOND), None]);
        assert_eq!(clocks.budget(Side::First).clocks.unwrap()[0].moves_to_go, Some(1));
        clocks.spend(Side::First, SECOND).unwrap();
        assert_eq!(clocks.left()[0], Some(5 * SECOND));
        assert_eq!(clocks.spend(Side::First, 6 * SECOND), Err(Overstepped));
        assert_eq!((clocks.budget(Side::Second), clocks.allowance(Side::Second)), (Budget::default(), None));
    }

    #[test]
    fn in_an_hourglass_the_time_of_a_move_goes_to_the_opponent() {
        let control = TimeControl { clock: Some("hourglass:3".parse().unwrap()), ..TimeControl::default() };
        let mut clocks = Clocks::new([control; 2], SECOND);
        clocks.spend(Side::First, SECOND).unwrap();
        assert_eq!(clocks.left(), [Some(2 * SECOND), Some(4 * SECOND)]);
        assert_eq!(clocks.budget(Side::Second).clocks.unwrap().map(|clock| clock.remaining), [2 * SECOND, 4 * SECOND]);
        clocks.spend(Side::Second, 4 * SECOND + SECOND / 2).unwrap();
        assert_eq!(clocks.left(), [Some(6 * SECOND), Some(Duration::ZERO)], "no more than there was changes hands");
    }

    #[test]
    fn a_move_may_be_late_by_the_margin_and_not_more() {
        let control = TimeControl { time: Some(SECOND), ..TimeControl::default() };
        let mut clocks = Clocks::new([control; 2], SECOND / 10);
        assert_eq!(clocks.spend(Side::Second, SECOND + SECOND / 10), Ok(()));
        assert_eq!(clocks.spend(Side::Second, SECOND + SECOND / 5), Err(Overstepped));
    }
}
