//! The thread of idle improvement, and the engines that it works for.

use super::Share;
use super::inbox::{Inbox, Message};
use super::power::is_on_battery;
use polyply_core::control::Control;
use polyply_core::idle::Step;
use polyply_core::lock::{lock, unpoisoned};
use polyply_games::{QueuedPosition, erased::ErasedImprover};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, fence};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How many positions of a queue are shown.
const SHOWN: usize = 50;
/// How often the battery is looked at.
const POWER_CHECK: Duration = Duration::from_secs(10);

/// An engine that the thread works for.
pub(super) struct Member {
    number: u64,
    /// `None` after the engine has left.
    improver: Mutex<Option<Box<dyn ErasedImprover>>>,
    pub inbox: Mutex<Inbox>,
    pub queue: Mutex<Vec<QueuedPosition>>,
    pub steps: AtomicU64,
    pub improved: AtomicUsize,
    pub on: AtomicBool,
    /// Everything likely is as deep as it deserves.
    pub done: AtomicBool,
    /// When it was last used, on a counter.
    used: AtomicU64,
}

impl Member {
    fn has_messages(&self) -> bool {
        !lock(&self.inbox).is_empty()
    }

    fn has_work(&self) -> bool {
        self.on.load(Relaxed) && !self.done.load(Relaxed)
    }
}

/// What the thread and the engines share.
struct Shared {
    members: Mutex<Vec<Arc<Member>>>,
    /// Signals a change that the thread may be waiting for; goes with `members`.
    wake: Condvar,
    /// The number of searches that are running.
    holds: AtomicUsize,
    /// In percent.
    share: AtomicU8,
    over: AtomicBool,
    /// A message came, or a switch was changed.
    news: AtomicBool,
    /// The number of the member that is worked for; 0 while the thread sleeps.
    working: AtomicU64,
    /// The control of the step that is running.
    control: Mutex<Option<Arc<Control>>>,
    /// When the present stretch of work began.
    since: Mutex<Instant>,
    /// Counts members and uses.
    numbers: AtomicU64,
    on_battery: AtomicBool,
}

impl Shared {
    fn share(&self) -> Share {
        Share::percent(self.share.load(Relaxed)).unwrap_or(Share::OFF)
    }

    /// Whether no step may run.
    fn must_rest(&self) -> bool {
        // This fence is between arming the searcher and reading the flags; the one in `interrupt` is between setting a
        // flag and stopping. So either this sees the flag, or the stop comes after the arming and is not lost.
        fence(SeqCst);
        self.holds.load(Relaxed) > 0
            || self.share() == Share::OFF
            || self.on_battery.load(Relaxed)
            || self.over.load(Relaxed)
    }

    /// Whether a step must end.
    fn must_stop(&self) -> bool {
        self.must_rest() || self.news.load(Relaxed)
    }

    /// Ends the running step, after `must_stop` has become true.
    fn interrupt(&self) {
        fence(SeqCst);
        if let Some(control) = lock(&self.control).as_ref() {
            control.stop();
        }
        self.wake();
    }

    /// Wakes the thread if it sleeps.
    fn wake(&self) {
        // Taking the lock ensures that a thread between its check and its wait does not miss the signal.
        drop(lock(&self.members));
        self.wake.notify_all();
    }

    /// Sleeps if the present stretch of work is long enough. A search calls this every few hundred nodes.
    fn keep_pace(&self) {
        let mut since = lock(&self.since);
        let sleep = self.share().sleep_after(since.elapsed());
        if !sleep.is_zero() {
            let end = Instant::now() + sleep;
            let mut members = lock(&self.members);
            while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
                && !self.must_stop()
            {
                members = unpoisoned(self.wake.wait_timeout(members, left)).0;
            }
            drop(members);
            *since = Instant::now();
        }
    }

    /// Waits for a member with messages or with work, the one that was used last first; `None` at the end.
    fn next_member(&self) -> Option<Arc<Member>> {
        let mut members = lock(&self.members);
        let mut looked: Option<Instant> = None;
        loop {
            if self.over.load(Relaxed) {
                return None;
            }
            let latest = |is_one: &dyn Fn(&Arc<Member>) -> bool| {
                let found = members.iter().filter(|member| is_one(member));
                found.max_by_key(|member| member.used.load(Relaxed)).cloned()
            };
            let member = latest(&|member| member.has_messages());
            let work = latest(&|member| member.has_work());
            let member = member.or_else(|| work.clone().filter(|_| !self.must_rest()));
            if let Some(member) = member {
                self.working.store(member.number, Relaxed);
                return Some(member);
            }
            self.working.store(0, Relaxed);
            if work.is_some() && self.on_battery.load(Relaxed) {
                // Nobody tells when the charger is plugged in.
                members = unpoisoned(self.wake.wait_timeout(members, POWER_CHECK)).0;
                if looked.is_none_or(|looked| looked.elapsed() >= POWER_CHECK) {
                    looked = Some(Instant::now());
                    self.on_battery.store(is_on_battery(), Relaxed);
                }
            } else {
                members = unpoisoned(self.wake.wait(members));
            }
            *lock(&self.since) = Instant::now();
        }
    }
}

/// The thread of idle improvement, one for all engines of a process. It ends with its last handle.
#[derive(Clone)]
pub struct IdleThread {
    running: Arc<Running>,
}

struct Running {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shared.over.store(true, Relaxed);
        self.shared.interrupt();
        if let Some(thread) = self.thread.take() {
            // A panic was reported by the thread itself.
            let _ = thread.join();
        }
    }
}

impl IdleThread {
    /// Starts the thread, which may take this share of one processor.
    pub fn start(share: Share) -> IdleThread {
        let shared = Arc::new(Shared {
            members: Mutex::default(),
            wake: Condvar::new(),
            holds: AtomicUsize::new(0),
            share: AtomicU8::new(share.as_percent()),
            over: AtomicBool::new(false),
            news: AtomicBool::new(false),
            working: AtomicU64::new(0),
            control: Mutex::default(),
            since: Mutex::new(Instant::now()),
            numbers: AtomicU64::new(1),
            on_battery: AtomicBool::new(false),
        });
        let thread = std::thread::Builder::new().name("idle".into()).spawn({
            let shared = shared.clone();
            move || run(&shared)
        });
        IdleThread { running: Arc::new(Running { shared, thread: thread.ok() }) }
    }

    /// The share of one processor that it may take.
    pub fn share(&self) -> Share {
        self.shared().share()
    }

    /// Changes the share.
    pub fn set_share(&self, share: Share) {
        self.shared().share.store(share.as_percent(), Relaxed);
        self.notice();
    }

    /// Whether it does nothing because the machine runs on its battery.
    pub fn is_on_battery(&self) -> bool {
        self.shared().on_battery.load(Relaxed)
    }

    /// Pauses the thread within milliseconds, until the guard is dropped: a search begins, in whichever engine.
    pub fn hold(&self) -> Hold {
        self.shared().holds.fetch_add(1, Relaxed);
        self.shared().interrupt();
        Hold { shared: self.shared().clone() }
    }

    fn shared(&self) -> &Arc<Shared> {
        &self.running.shared
    }

    /// Takes in an engine.
    pub(super) fn join(&self, improver: Box<dyn ErasedImprover>) -> Arc<Member> {
        let shared = self.shared();
        let control = improver.control();
        control.set_pace(Box::new({
            let shared = shared.clone();
            move || shared.keep_pace()
        }));
        let number = shared.numbers.fetch_add(1, Relaxed);
        let member = Arc::new(Member {
            number,
            improver: Mutex::new(Some(improver)),
            inbox: Mutex::default(),
            queue: Mutex::default(),
            steps: AtomicU64::new(0),
            improved: AtomicUsize::new(0),
            on: AtomicBool::new(true),
            done: AtomicBool::new(true),
            used: AtomicU64::new(number),
        });
        lock(&shared.members).push(member.clone());
        member
    }

    /// Lets an engine go. After that the thread has nothing of it.
    pub(super) fn leave(&self, member: &Arc<Member>) {
        lock(&self.shared().members).retain(|other| !Arc::ptr_eq(other, member));
        self.notice();
        // Waits for the end of the step.
        lock(&member.improver).take();
    }

    /// Something has changed: the running step ends, and the thread looks what to do.
    pub(super) fn notice(&self) {
        self.shared().news.store(true, Relaxed);
        self.shared().interrupt();
    }

    /// The engine that was used comes first from now on.
    pub(super) fn notice_use_of(&self, member: &Member) {
        member.used.store(self.shared().numbers.fetch_add(1, Relaxed), Relaxed);
        self.notice();
    }

    pub(super) fn is_resting_for(&self, member: &Member) -> bool {
        self.shared().working.load(Relaxed) != member.number && !member.has_messages()
    }
}

/// Pauses idle improvement until it is dropped.
pub struct Hold {
    shared: Arc<Shared>,
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.shared.holds.fetch_sub(1, Relaxed);
        self.shared.wake();
    }
}

/// The life of the thread.
fn run(shared: &Shared) {
    lower_priority();
    let mut looked: Option<Instant> = None;
    while let Some(member) = shared.next_member() {
        shared.news.store(false, Relaxed);
        if looked.is_none_or(|looked| looked.elapsed() >= POWER_CHECK) {
            looked = Some(Instant::now());
            shared.on_battery.store(is_on_battery(), Relaxed);
        }
        if let Some(improver) = lock(&member.improver).as_mut() {
            work_for(shared, &member, &mut **improver);
        }
    }
}

/// Reads the messages of an engine and does a step for it.
fn work_for(shared: &Shared, member: &Member, improver: &mut dyn ErasedImprover) {
    let messages = lock(&member.inbox).take();
    if !messages.is_empty() {
        member.done.store(false, Relaxed);
    }
    messages.into_iter().for_each(|message| obey(improver, message));
    *lock(&member.queue) = improver.queue(SHOWN);
    if !member.has_work() {
        return;
    }
    *lock(&shared.control) = Some(improver.control());
    let step = improver.step(&|| shared.must_stop());
    *lock(&shared.control) = None;
    match step {
        Step::Rest => member.done.store(true, Relaxed),
        Step::Deepened(_) => {
            member.steps.fetch_add(1, Relaxed);
            member.improved.store(improver.improved(), Relaxed);
        }
        _ => {}
    }
}

fn obey(improver: &mut dyn ErasedImprover, message: Message) {
    match message {
        Message::Add(board, reason) => {
            let added = improver.add(board.position(), board.spec().clone(), reason);
            debug_assert!(added.is_ok(), "the board is of the game that the engine plays");
        }
        Message::Clear => improver.clear(),
        Message::BeginAnew => improver.begin_anew(),
        Message::Param(name, value) => {
            let set = improver.set_param(name, value);
            debug_assert_eq!(set, Ok(()), "the live searcher has taken it");
            // Another parameter may mean other keys.
            improver.begin_anew();
        }
        Message::Table(table) => {
            improver.set_table(table);
            improver.begin_anew();
        }
    }
}

/// Gives the thread the lowest priority that the system has: the scheduling class for idle work on Linux. A failure does
/// no harm.
fn lower_priority() {
    use thread_priority::ThreadPriority::Min;
    #[cfg(target_os = "linux")]
    let _ = {
        use thread_priority::{NormalThreadSchedulePolicy, ThreadSchedulePolicy, unix};
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        unix::set_thread_priority_and_policy(unix::thread_native_id(), Min, idle)
    };
    #[cfg(not(target_os = "linux"))]
    let _ = thread_priority::set_current_thread_priority(Min);
}
