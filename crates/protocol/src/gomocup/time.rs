//! The time for a move.

use super::settings::InfoSettings;
use polyply_engine::{Clock, Limits};
use std::time::{Duration, Instant};

/// The time for a move that must be made as fast as possible.
const AT_ONCE: Duration = Duration::from_millis(15);
/// The time it takes to send a line through the pipes in both directions and to wake up a process.
const LATENCY: Duration = Duration::from_millis(30);
/// The time for a move without any limit.
const USUAL: Duration = Duration::from_secs(5);
/// How a manager writes an unlimited time.
const UNLIMITED: i64 = i32::MAX as i64;

/// How long a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeBudget {
    /// The limits of the search, from now on.
    pub limits: Limits,
    /// When to answer at the latest, if the time is limited.
    pub deadline: Option<Instant>,
}

impl TimeBudget {
    /// The budget for a move that was requested at `began`.
    pub fn new(settings: &InfoSettings, began: Instant, now: Instant) -> TimeBudget {
        let gone = now.saturating_duration_since(began);
        let left = time_left(settings);
        let (depth, nodes) = (settings.max_depth, settings.max_nodes);
        let nothing_else = left.is_none() && depth.is_none() && nodes.is_none();
        let turn = settings.timeout_turn.map(within).or(nothing_else.then_some(USUAL));
        let game = left.map(|left| within(left) / 2);
        let most = [turn, game].into_iter().flatten().min();
        let clock = left.map(|left| Clock {
            remaining: left.saturating_sub(LATENCY + gone),
            increment: settings.increment,
            moves_to_go: None,
        });
        let time = most.map(|most| most.saturating_sub(gone));
        // A clock that has almost run out is useless for planning.
        let clock = clock.filter(|clock| clock.remaining > 2 * AT_ONCE);
        let limits = Limits { depth, nodes, time, clock, ..Limits::default() };
        TimeBudget { limits, deadline: time.and_then(|time| now.checked_add(time)) }
    }
}

/// The time left for the game, if it is limited.
fn time_left(settings: &InfoSettings) -> Option<Duration> {
    if settings.timeout_match == Some(Duration::ZERO) {
        return None;
    }
    match settings.time_left {
        Some(UNLIMITED..) => None,
        Some(left) => Some(Duration::from_millis(left.max(0) as u64)),
        None => settings.timeout_match,
    }
}

/// The usable part of a time limit.
fn within(limit: Duration) -> Duration {
    if limit.is_zero() {
        return AT_ONCE;
    }
    // A longer turn keeps a larger reserve for a busy machine.
    let margin = LATENCY + (limit / 50).min(2 * LATENCY);
    limit.saturating_sub(margin).max(AT_ONCE.min(limit / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(infos: &[(&str, &str)], gone: u64) -> Limits {
        let mut settings = InfoSettings::default();
        infos.iter().for_each(|(key, value)| settings.set(key, value).unwrap());
        let began = Instant::now();
        TimeBudget::new(&settings, began, began + Duration::from_millis(gone)).limits
    }

    fn time(infos: &[(&str, &str)], gone: u64) -> Option<u128> {
        budget(infos, gone).time.map(|time| time.as_millis())
    }

    #[test]
    fn a_turn_ends_before_its_limit() {
        assert_eq!(time(&[("timeout_turn", "1000")], 0), Some(950));
        assert_eq!(time(&[("timeout_turn", "30000")], 0), Some(29_910));
        assert_eq!(time(&[("timeout_turn", "1000")], 200), Some(750));
        assert_eq!(time(&[("timeout_turn", "60")], 0), Some(28));
        assert_eq!(time(&[("timeout_turn", "5")], 0), Some(2));
    }

    #[test]
    fn no_time_for_a_turn_means_as_fast_as_possible() {
        assert_eq!(time(&[("timeout_turn", "0")], 0), Some(15));
        assert_eq!(time(&[("timeout_turn", "0"), ("time_left", "100000")], 0), Some(15));
    }

    #[test]
    fn the_time_of_the_game_is_never_used_up() {
        for left in ["-100", "0", "1", "20", "50", "100", "500"] {
            let limits = budget(&[("timeout_turn", "30000"), ("time_left", left)], 0);
            let left: u128 = left.parse::<i64>().unwrap().max(30) as u128;
            assert!(limits.time.unwrap().as_millis() <= left / 2, "{left}: {limits:?}");
        }
        let limits = budget(&[("timeout_turn", "30000"), ("timeout_match", "180000"), ("time_left", "60000")], 0);
        assert_eq!(limits.clock.unwrap().remaining, Duration::from_millis(59_970));
    }

    #[test]
    fn a_game_without_a_limit_leaves_the_turn_alone() {
        assert_eq!(budget(&[("timeout_turn", "1000"), ("timeout_match", "0"), ("time_left", "0")], 0).clock, None);
        let unlimited = budget(&[("timeout_turn", "1000"), ("timeout_match", "5"), ("time_left", "2147483647")], 0);
        assert_eq!((unlimited.clock, unlimited.time), (None, Some(Duration::from_millis(950))));
    }

    #[test]
    fn without_any_limit_there_is_a_usual_one() {
        assert_eq!(time(&[], 0), Some(5000));
        assert_eq!(time(&[("max_node", "1000")], 0), None);
        assert_eq!(budget(&[("max_depth", "6")], 0), Limits::depth(6));
        assert_eq!(time(&[("max_node", "1000"), ("timeout_turn", "1000")], 0), Some(950));
    }
}
