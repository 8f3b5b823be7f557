//! How long a move may take: `time_settings`, `time_left`, and our own `set_limit`.

use polyply_engine::{Clock, Limits, Side};
use std::time::Duration;

/// The time for a move if none was set.
const USUAL: Duration = Duration::from_secs(2);
/// Subtracted from the time left: seconds are rounded, and the answer takes time to arrive.
const LATENCY: Duration = Duration::from_millis(50);

/// The time control.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TimeControl {
    /// Main time, then the time and the moves of each byo-yomi period; none without a limit.
    settings: Option<(Duration, Duration, u32)>,
    /// The time left for each side, and for how many moves; 0 moves means main time.
    left: [Option<(Duration, u32)>; 2],
    /// Limits set by `set_limit`, which replace the time control.
    limits: Option<Limits>,
}

impl TimeControl {
    /// `time_settings main byo_yomi_time byo_yomi_stones`, in seconds.
    pub fn set(&mut self, main: u32, extra: u32, moves: u32) {
        let seconds = |number: u32| Duration::from_secs(number.into());
        // Byo-yomi time for no moves is how the protocol writes "no limit".
        let limited = !(extra > 0 && moves == 0);
        self.settings = limited.then_some((seconds(main), seconds(extra), moves));
        (self.left, self.limits) = ([None; 2], None);
        self.restart();
    }

    /// A new game begins: resets the clocks.
    pub fn restart(&mut self) {
        let left = self.settings.map(|(main, extra, moves)| if main.is_zero() { (extra, moves) } else { (main, 0) });
        self.left = [left; 2];
    }

    /// `time_left color time stones`. Fractions of a second go beyond the protocol and are accepted.
    pub fn tell_left(&mut self, side: Side, left: Duration, moves: u32) {
        self.left[side.index()] = Some((left, moves));
    }

    /// Sets limits that hold until `time_settings`.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = Some(limits);
    }

    /// Subtracts the time that a side used for a move.
    pub fn spend(&mut self, side: Side, used: Duration) {
        let Some((left, moves)) = &mut self.left[side.index()] else { return };
        *left = left.saturating_sub(used);
        if let Some((_, extra, all)) = self.settings
            && (*moves == 1 || (*moves == 0 && left.is_zero()))
        {
            // A new period begins.
            (*left, *moves) = (extra, all);
        } else {
            *moves = moves.saturating_sub(1);
        }
    }

    /// The limits for a side's next move.
    pub fn limits(&self, side: Side) -> Limits {
        match (self.limits, self.left[side.index()]) {
            (Some(limits), _) => limits,
            (None, None) => Limits::time(USUAL),
            (None, Some((left, moves))) => {
                let remaining = left.saturating_sub(LATENCY);
                let moves_to_go = (moves > 0).then_some(moves);
                Limits { clock: Some(Clock { remaining, increment: Duration::ZERO, moves_to_go }), ..Limits::default() }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(time: &TimeControl) -> Option<(u64, Option<u32>)> {
        time.limits(Side::First).clock.map(|clock| (clock.remaining.as_millis() as u64, clock.moves_to_go))
    }

    #[test]
    fn main_time_comes_first_and_then_periods_of_moves() {
        let mut time = TimeControl::default();
        assert_eq!(time.limits(Side::First), Limits::time(USUAL));
        time.set(60, 10, 5);
        assert_eq!(clock(&time), Some((59_950, None)));
        time.spend(Side::First, Duration::from_secs(61));
        assert_eq!(clock(&time), Some((9_950, Some(5))));
        for _ in 0..4 {
            time.spend(Side::First, Duration::from_secs(1));
        }
        assert_eq!(clock(&time), Some((5_950, Some(1))));
        time.spend(Side::First, Duration::from_secs(1));
        assert_eq!(clock(&time), Some((9_950, Some(5))));
        time.tell_left(Side::First, Duration::from_secs(3), 2);
        assert_eq!(clock(&time), Some((2_950, Some(2))));
        time.restart();
        assert_eq!(clock(&time), Some((59_950, None)));
    }

    #[test]
    fn more_time_for_no_moves_is_no_limit() {
        let mut time = TimeControl::default();
        time.set(0, 1, 0);
        assert_eq!(time.limits(Side::Second), Limits::time(USUAL));
        time.limit(Limits::nodes(5));
        assert_eq!(time.limits(Side::Second), Limits::nodes(5));
    }
}
