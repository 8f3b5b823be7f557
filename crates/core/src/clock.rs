//! Limits of a search and the time manager: the only place where a search reads the wall clock.

use crate::control::Control;
use crate::params::SearchParams;
use std::time::{Duration, Instant};

/// What is left on the clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time is added, if the time control works that way.
    pub moves_to_go: Option<u32>,
}

/// When a search ends: at the first limit that is reached. Without limits it runs until it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Plies of iterative deepening.
    pub depth: Option<i32>,
    /// Nodes, all threads together.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// A clock to manage.
    pub clock: Option<Clock>,
    /// Stop when a win within this many plies is proven.
    pub mate: Option<i32>,
    /// Do not return before [`Control::stop`], even if deeper iterations can't change the result.
    pub infinite: bool,
    /// Think on the opponent's time until [`Control::ponderhit`].
    pub ponder: bool,
}

impl Limits {
    /// Only a depth.
    pub fn depth(depth: i32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Only a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Only a time.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }
}

/// How hard the position looked in the iterations so far. Scales the time for the move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Complexity {
    /// There is only one move to play.
    pub forced: bool,
    /// How many iterations in a row had the same best move.
    pub stable: u32,
    /// How far the score fell since the iteration before, in evaluation units over the aspiration window.
    pub fall: f64,
    /// Share of the nodes that went into the best move, 0 to 1.
    pub effort: f64,
}

/// Keeps the time per move near its target over a game: a [PID controller] whose error is the share of the target
/// that the last moves left unused (positive) or overdrew (negative).
///
/// [PID controller]: https://en.wikipedia.org/wiki/PID_controller
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Pid {
    integral: f64,
    error: f64,
    derivative: f64,
}

impl Pid {
    /// Takes in the time that a move with this target used.
    pub fn observe(&mut self, target: Duration, used: Duration) {
        if target.is_zero() {
            return;
        }
        let error = (1.0 - used.as_secs_f64() / target.as_secs_f64()).clamp(-2.0, 1.0);
        self.derivative = error - self.error;
        self.error = error;
        // Clamped, so that a long quiet phase can't wind the integral up.
        self.integral = (self.integral + error).clamp(-5.0, 5.0);
    }

    /// What the next target is multiplied by.
    pub fn factor(&self, params: &SearchParams) -> f64 {
        let gain = |percent: i32| f64::from(percent) / 100.0;
        let output = gain(params.time_kp) * self.error
            + gain(params.time_ki) * self.integral
            + gain(params.time_kd) * self.derivative;
        (1.0 + output).clamp(0.5, 2.0)
    }
}

/// The time of one search.
#[derive(Clone, Debug)]
pub(crate) struct TimeKeeper {
    start: Instant,
    began: Instant,
    pondering: bool,
    /// A plain time for the move, or the most a clock allows.
    hard: Option<Duration>,
    /// What a clock suggests, before complexity.
    target: Option<Duration>,
    forced_share: f64,
    complex_share: f64,
}

impl TimeKeeper {
    /// Starts the time. What a clock suggests is multiplied by `factor`.
    pub fn start(limits: &Limits, params: &SearchParams, factor: f64) -> Self {
        let now = Instant::now();
        let mut keeper = TimeKeeper {
            start: now,
            began: now,
            pondering: limits.ponder,
            hard: limits.time,
            target: None,
            forced_share: f64::from(params.time_forced_percent) / 100.0,
            complex_share: f64::from(params.time_complex_percent) / 100.0,
        };
        if let Some(clock) = limits.clock {
            let (target, hard) = plan(&clock, params, factor);
            keeper.target = Some(target);
            keeper.hard = Some(keeper.hard.map_or(hard, |time| time.min(hard)));
        }
        keeper
    }

    /// When the stages before the search must end: they get a quarter of the time.
    pub fn preparation(&self) -> Option<Instant> {
        self.target.or(self.hard).map(|time| self.start + time / 4)
    }

    /// Time since the search began, pondering included.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Target and time used of a move on a clock, for the controller.
    pub fn account(&self) -> Option<(Duration, Duration)> {
        self.target.map(|target| (target, self.start.elapsed()))
    }

    /// The time is up. While pondering it never is; it starts with the ponderhit.
    pub fn expired(&mut self, control: &Control) -> bool {
        if self.pondering {
            if control.pondering() {
                return false;
            }
            self.pondering = false;
            self.start = Instant::now();
        }
        self.hard.is_some_and(|hard| self.start.elapsed() >= hard)
    }

    /// It is not worth starting another iteration.
    pub fn enough(&mut self, control: &Control, complexity: Complexity) -> bool {
        if self.expired(control) {
            return true;
        }
        match self.target {
            Some(target) if !self.pondering => self.start.elapsed() >= target.mul_f64(self.share(complexity)),
            _ => false,
        }
    }

    /// The share of the target time that this position gets.
    fn share(&self, complexity: Complexity) -> f64 {
        if complexity.forced {
            return self.forced_share;
        }
        let unstable = 1.4 - 0.1 * f64::from(complexity.stable.min(8));
        let falling = 1.0 + 0.25 * complexity.fall.clamp(0.0, 4.0);
        // The more nodes the best move took, the less doubt is left.
        let doubt = 1.5 - complexity.effort.clamp(0.0, 1.0);
        (unstable * falling * doubt).clamp(self.forced_share, self.complex_share)
    }
}

/// Target time and hard limit of a move.
fn plan(clock: &Clock, params: &SearchParams, factor: f64) -> (Duration, Duration) {
    let overhead = Duration::from_millis(params.move_overhead as u64);
    let left = clock.remaining.saturating_sub(overhead);
    // Never more than half of what is left, whatever else the plan says.
    let half = left / 2;
    let moves = clock.moves_to_go.map_or(params.time_horizon as u32, |moves| moves.clamp(1, 200));
    // The increment has to pay for the overhead of every move first. An engine that spends all of it plays with its
    // clock near zero, where one delay loses the game.
    let increment = clock.increment.saturating_sub(overhead).mul_f64(0.75);
    let target = (left / moves + increment).mul_f64(factor).min(half);
    (target, (target * 4).min(half))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64) -> Clock {
        let ms = Duration::from_millis;
        Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go: None }
    }

    const QUIET: Complexity = Complexity { forced: false, stable: 8, fall: 0.0, effort: 0.8 };

    #[test]
    fn never_more_than_half_of_the_rest() {
        let params = SearchParams::default();
        for remaining in [0, 1, 5, 20, 100, 1_000, 60_000] {
            for increment in [0, 10, 2_000, 10_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(40)] {
                    for factor in [0.5, 1.0, 2.0] {
                        let clock = Clock { moves_to_go, ..clock(remaining, increment) };
                        let (target, hard) = plan(&clock, &params, factor);
                        assert!(hard <= clock.remaining / 2 && target <= hard, "{clock:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn forced_moves_are_quick_and_complex_ones_slow() {
        let params = SearchParams::default();
        let limits = Limits { clock: Some(clock(60_000, 0)), ..Limits::default() };
        let keeper = TimeKeeper::start(&limits, &params, 1.0);
        let forced = keeper.share(Complexity { forced: true, ..QUIET });
        let complex = keeper.share(Complexity { stable: 0, fall: 3.0, effort: 0.2, ..QUIET });
        assert!(forced < keeper.share(QUIET) && keeper.share(QUIET) < 1.0 && 1.5 < complex);
    }

    #[test]
    fn the_controller_gives_back_saved_time_and_saves_overdrawn_time() {
        let params = SearchParams::default();
        let second = Duration::from_secs(1);
        let (mut saver, mut spender) = (Pid::default(), Pid::default());
        for _ in 0..5 {
            saver.observe(second, second / 2);
            spender.observe(second, second * 2);
        }
        assert!(saver.factor(&params) > 1.1 && spender.factor(&params) < 0.9);
        assert_eq!(Pid::default().factor(&params), 1.0);
    }
}
