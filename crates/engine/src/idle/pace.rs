//! How much of a processor idle improvement takes.

use std::time::Duration;

/// The share of one processor that idle improvement may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    percent: u8,
}

impl Share {
    /// Nothing: idle improvement is off.
    pub const OFF: Share = Share { percent: 0 };
    /// A quarter of one processor.
    pub const USUAL: Share = Share { percent: 25 };
    /// All of one processor.
    pub const FULL: Share = Share { percent: 100 };

    /// A share of 0 to 100 percent.
    pub const fn percent(percent: u8) -> Option<Share> {
        if percent <= 100 { Some(Share { percent }) } else { None }
    }

    /// In percent.
    pub const fn as_percent(self) -> u8 {
        self.percent
    }

    /// How long to sleep after so much work. Short stretches of work are added up before they are slept off.
    ///
    /// A stretch and its sleep last a second at most, unless the share is below four percent, so that the share holds
    /// over any second.
    pub(super) fn sleep_after(self, worked: Duration) -> Duration {
        if worked < STRETCH || self.percent == 0 {
            return Duration::ZERO;
        }
        let percent = u32::from(self.percent);
        // A thread that was kept from running has not worked all that time, and does not sleep for all of it.
        worked.min(LONGEST_STRETCH) * (100 - percent) / percent
    }
}

/// Work is slept off when there is this much of it.
const STRETCH: Duration = Duration::from_millis(20);
const LONGEST_STRETCH: Duration = Duration::from_millis(40);

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn work_and_sleep_keep_the_share_within_a_second() {
        for percent in [4, 10, 25, 50, 75, 100] {
            let share = Share::percent(percent).unwrap();
            for step in [1, 3, 7, 19, 20, 33] {
                let (mut now, mut worked, mut stretch) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
                while now < milliseconds(10_000) {
                    stretch += milliseconds(step);
                    worked += milliseconds(step);
                    let sleep = share.sleep_after(stretch);
                    assert!(stretch + sleep <= milliseconds(1000), "{percent} % in steps of {step} ms");
                    now += milliseconds(step) + sleep;
                    if stretch >= STRETCH {
                        stretch = Duration::ZERO;
                    }
                }
                let taken = worked.as_secs_f64() / now.as_secs_f64() * 100.0;
                assert!((taken - f64::from(percent)).abs() < 2.0, "{taken} instead of {percent} %");
            }
        }
    }

    #[test]
    fn short_work_is_not_slept_off_at_once_and_long_gaps_not_in_full() {
        assert_eq!(Share::USUAL.sleep_after(milliseconds(19)), Duration::ZERO);
        assert_eq!(Share::USUAL.sleep_after(milliseconds(20)), milliseconds(60));
        assert_eq!(Share::USUAL.sleep_after(milliseconds(9000)), milliseconds(120));
        assert_eq!(Share::FULL.sleep_after(milliseconds(500)), Duration::ZERO);
    }

    #[test]
    fn there_is_no_share_above_the_whole() {
        assert_eq!(Share::percent(101), None);
        assert_eq!(Share::percent(100), Some(Share::FULL));
    }
}
