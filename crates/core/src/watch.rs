//! Counts the nodes of a thread and tells it when to stop.

use crate::clock::TimeKeeper;
use crate::control::Control;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Nodes between two looks at the clock and the other threads. Even at ten microseconds a node this takes less than the
/// five milliseconds in which a search must stop.
const POLL: u64 = 256;

/// The node count of a thread, on a cache line of its own because other threads read it.
#[derive(Default, Debug)]
#[repr(align(64))]
pub(crate) struct NodeCount(AtomicU64);

/// One thread's view of the limits.
pub(crate) struct Watch {
    pub nodes: u64,
    stopped: bool,
    /// The node at which to poll next.
    next_poll: u64,
    pub control: Arc<Control>,
    counts: Arc<[NodeCount]>,
    thread: usize,
    limit: u64,
    /// The main thread keeps the time for all.
    pub time: Option<TimeKeeper>,
    /// When the stages before the search must end.
    preparation: Option<Instant>,
}

impl Watch {
    pub fn new(
        control: Arc<Control>,
        counts: Arc<[NodeCount]>,
        thread: usize,
        limit: Option<u64>,
        time: Option<TimeKeeper>,
    ) -> Self {
        // The main thread's watch is the first of a search: no other thread has begun to count.
        let stale = if thread == 0 { &counts[..] } else { &counts[thread..=thread] };
        stale.iter().for_each(|count| count.0.store(0, Relaxed));
        Watch {
            nodes: 0,
            stopped: false,
            next_poll: 0,
            control,
            counts,
            thread,
            limit: limit.unwrap_or(u64::MAX),
            time,
            preparation: None,
        }
    }

    /// The stages before the search begin. They are stopped when their part of the time is used up.
    pub fn prepare(&mut self) {
        self.preparation = self.time.as_ref().and_then(TimeKeeper::preparation);
    }

    /// The search itself begins.
    pub fn begin(&mut self) {
        if self.preparation.take().is_some() {
            self.resume();
        }
    }

    /// Counts a node; true when the search must stop.
    #[inline(always)]
    pub fn visit(&mut self) -> bool {
        if self.nodes + 1 >= self.next_poll {
            return self.visit_and_poll();
        }
        self.nodes += 1;
        false
    }

    /// Counts several nodes at once; true when the search must stop.
    #[inline(always)]
    pub fn visited(&mut self, nodes: u64) -> bool {
        if !self.stopped {
            self.nodes += nodes;
        }
        self.nodes >= self.next_poll && self.visit_and_poll()
    }

    #[cold]
    #[inline(never)]
    fn visit_and_poll(&mut self) -> bool {
        // While a stopped search returns to the root it may still enter nodes. They are not searched and do not count.
        if !self.stopped {
            self.nodes += 1;
            self.poll();
            self.next_poll = if self.stopped { 0 } else { self.limit.min(self.nodes + POLL).max(self.nodes + 1) };
        }
        self.stopped
    }

    /// The search must stop.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Continues after a stop that was meant for others, at least until the next poll.
    pub fn resume(&mut self) {
        self.stopped = false;
        self.next_poll = 0;
    }

    /// Checks everything that may end the search.
    pub fn poll(&mut self) {
        self.counts[self.thread].0.store(self.nodes, Relaxed);
        self.control.keep_pace();
        let expired = self.time.as_mut().is_some_and(|time| time.expired(&self.control));
        if expired || (self.total() >= self.limit && !self.control.pondering()) {
            self.control.stop();
        }
        let prepared = self.preparation.is_some_and(|end| Instant::now() >= end);
        self.stopped = prepared || self.control.stopped();
    }

    /// The nodes that the limit still allows.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.nodes)
    }

    /// The nodes of all threads.
    pub fn total(&self) -> u64 {
        let others = self.counts.iter().enumerate().filter(|&(thread, _)| thread != self.thread);
        self.nodes + others.map(|(_, count)| count.0.load(Relaxed)).sum::<u64>()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::clock::Limits;
    use crate::params::SearchParams;
    use std::time::Duration;

    #[test]
    fn nodes_of_the_last_search_do_not_count() {
        let counts: Arc<[NodeCount]> = (0..3).map(|_| NodeCount::default()).collect();
        for thread in 0..3 {
            counts[thread].0.store(900, Relaxed);
        }
        let main = Watch::new(Arc::default(), counts, 0, Some(1000), None);
        assert_eq!(main.total(), 0);
    }

    #[test]
    fn what_comes_before_the_search_has_a_part_of_its_time() {
        let control = Arc::new(Control::default());
        control.arm(false);
        let time = TimeKeeper::start(&Limits::time(Duration::from_secs(2)), &SearchParams::default(), 1.0);
        let mut watch = Watch::new(control.clone(), Arc::new([NodeCount::default()]), 0, None, Some(time));
        watch.prepare();
        assert!(!watch.visit());
        std::thread::sleep(Duration::from_millis(600));
        assert!(watch.visited(POLL) && watch.stopped() && !control.stopped());
        watch.begin();
        assert!(!watch.visit() && !watch.stopped());
    }

    #[test]
    fn a_stopped_search_counts_no_more() {
        let counts: Arc<[NodeCount]> = Arc::new([NodeCount::default()]);
        let control = Arc::new(Control::default());
        control.arm(false);
        let mut watch = Watch::new(control, counts, 0, Some(3), None);
        assert_eq!([(); 5].map(|_| watch.visit()), [false, false, true, true, true]);
        assert_eq!(watch.nodes, 3);
    }
}
