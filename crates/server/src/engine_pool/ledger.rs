//! How much of the engine each class of work has had, measured by its share.
//!
//! The class that has had least for its share comes next; of classes that are even, the more urgent one (stride scheduling:
//! C. Waldspurger, 1995). So a live move goes before everything else as long as live moves take no more than their share, and
//! however many there are, analyses and matches go on.

use super::Priority;
use std::time::Duration;

/// The share of each class while all of them have work, the most urgent first.
const SHARES: [f64; 3] = [0.7, 0.2, 0.1];

/// The account of all classes.
#[derive(Default)]
pub struct Ledger {
    /// Seconds that each class has had, divided by its share.
    used: [f64; 3],
}

impl Ledger {
    /// Counts the time of some work.
    pub fn charge(&mut self, class: Priority, time: Duration) {
        self.used[class as usize] += time.as_secs_f64() / SHARES[class as usize];
    }

    /// A class gets work after it had none. It can't have saved up its share, and it owes nothing from long ago.
    pub fn join(&mut self, class: Priority, is_active: impl Fn(Priority) -> bool) {
        let active = Priority::ALL.into_iter().filter(|&other| is_active(other)).map(|other| self.used[other as usize]);
        match active.min_by(f64::total_cmp) {
            None => self.used = [0.0; 3],
            Some(least) => self.used[class as usize] = self.used[class as usize].max(least),
        }
    }

    /// One class comes before the other.
    pub fn is_before(&self, one: Priority, other: Priority) -> bool {
        let [this, that] = [one, other].map(|class| self.used[class as usize]);
        this < that || (this == that && one < other)
    }

    /// The classes, the next one first.
    pub fn order(&self) -> [Priority; 3] {
        let mut order = Priority::ALL;
        // The sort is stable: of two that are even, the more urgent one stays before the other.
        order.sort_by(|&one, &other| self.used[one as usize].total_cmp(&self.used[other as usize]));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Priority::{Analysis, Live, Match};

    const TURN: Duration = Duration::from_millis(100);

    #[test]
    fn a_live_move_goes_before_matches_that_have_run_for_long() {
        let mut ledger = Ledger::default();
        ledger.join(Match, |_| false);
        (0..1000).for_each(|_| ledger.charge(Match, TURN));
        ledger.join(Live, |class| class == Match);
        assert!(ledger.is_before(Live, Match));
        // Analyses, which have no work, may come before both.
        assert_eq!(ledger.order().into_iter().find(|&class| class != Analysis), Some(Live));
    }

    #[test]
    fn classes_that_always_have_work_get_their_shares() {
        let mut ledger = Ledger::default();
        let mut turns = [0; 3];
        for _ in 0..1000 {
            let next = ledger.order()[0];
            turns[next as usize] += 1;
            ledger.charge(next, TURN);
        }
        for (turns, share) in turns.into_iter().zip([700, 200, 100]) {
            assert!(i32::abs(turns - share) <= 2, "{turns} turns of {share}");
        }
    }

    #[test]
    fn a_class_that_worked_alone_owes_nothing_afterwards() {
        let mut ledger = Ledger::default();
        (0..1000).for_each(|_| ledger.charge(Match, TURN));
        // Nothing is left to do; then live moves come, and matches once more.
        ledger.join(Live, |_| false);
        ledger.charge(Live, TURN);
        ledger.join(Match, |class| class == Live);
        assert!(ledger.is_before(Live, Match), "they are even, and live moves are more urgent");
        ledger.charge(Live, TURN);
        assert!(ledger.is_before(Match, Live));
        ledger.join(Analysis, |class| class != Analysis);
        assert!(ledger.is_before(Match, Live));
    }
}
