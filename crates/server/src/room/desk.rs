//! The engine of one variant, with what there is to see of it.

use polyply_core::lock::lock;
use polyply_engine::{Best, Control, Engine, EngineError, Gauge, IdleHandle, Info, Options, Reason, Variant};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// An engine and what is told of it while it works.
pub struct Desk {
    /// What it plays.
    pub variant: Variant,
    /// The engine; `None` until it is needed. Only the worker that the desk was given to takes this lock for long.
    engine: Mutex<Option<Engine>>,
    /// What can be seen from outside.
    glass: Mutex<Glass>,
}

/// What can be seen of a desk from outside, while its engine works.
#[derive(Clone)]
pub struct Glass {
    /// Stops its search.
    pub control: Option<Arc<Control>>,
    /// Looks at its caches.
    pub gauge: Option<Gauge>,
    /// Idle improvement.
    pub idle: Option<IdleHandle>,
    /// The last thing its search said.
    pub last: Option<Info>,
    /// Time of live answers.
    pub times: Times,
    /// When it was last used.
    pub used: Instant,
}

/// How long answers took.
#[derive(Clone, Copy, Default, Debug)]
pub struct Times {
    /// The last.
    pub last: Duration,
    /// The shortest.
    pub least: Duration,
    /// The longest.
    pub most: Duration,
    /// All together.
    pub sum: Duration,
    /// How many.
    pub count: u32,
}

impl Times {
    fn add(&mut self, time: Duration) {
        self.least = if self.count == 0 { time } else { self.least.min(time) };
        (self.last, self.most) = (time, self.most.max(time));
        self.sum += time;
        self.count += 1;
    }

    /// The mean.
    pub fn mean(&self) -> Duration {
        self.sum.checked_div(self.count).unwrap_or_default()
    }
}

impl Desk {
    pub(super) fn new(variant: Variant) -> Desk {
        let glass =
            Glass { control: None, gauge: None, idle: None, last: None, times: Times::default(), used: Instant::now() };
        Desk { variant, engine: Mutex::default(), glass: Mutex::new(glass) }
    }

    /// What can be seen from outside.
    pub fn glass(&self) -> Glass {
        lock(&self.glass).clone()
    }

    /// The search says something.
    pub fn heard(&self, info: &Info) {
        lock(&self.glass).last = Some(info.clone());
    }

    /// A live answer was given.
    pub fn answered(&self, best: &Best) {
        lock(&self.glass).times.add(best.time);
        metrics::histogram!("polyply_answer_seconds", "variant" => self.variant.about().name).record(best.time);
        metrics::counter!("polyply_nodes_total", "variant" => self.variant.about().name).increment(best.nodes);
    }

    /// A position was on a board: idle improvement may look at it.
    pub fn played(&self, board: &polyply_engine::Board) {
        if let Some(idle) = &lock(&self.glass).idle {
            idle.add(board, Reason::Played);
        }
    }

    pub(super) fn touch(&self) {
        lock(&self.glass).used = Instant::now();
    }

    /// Gives the engine to `use_it`; it is opened first where it is not.
    pub(super) fn with<T>(&self, opening: &Opening, use_it: impl FnOnce(&mut Engine) -> T) -> Result<T, EngineError> {
        let mut engine = lock(&self.engine);
        if engine.is_none() {
            *engine = Some(self.open(opening)?);
        }
        let engine = engine.as_mut().expect("it was just opened");
        let done = use_it(engine);
        // A setting may have changed the caches.
        lock(&self.glass).gauge = Some(engine.gauge());
        Ok(done)
    }

    fn open(&self, opening: &Opening) -> Result<Engine, EngineError> {
        let mut engine = Engine::new(&self.variant, &opening.options)?;
        let path = opening.table(&self.variant);
        if path.exists() {
            // A table that can't be read is an empty one, and the loss of it is no more than some thinking.
            match engine.load(&path) {
                Ok(entries) => tracing::info!(variant = self.variant.name(), entries, "table loaded"),
                Err(error) => tracing::warn!(variant = self.variant.name(), %error, "the saved table is not used"),
            }
        }
        engine.start_idle().set_on(opening.idle);
        let mut glass = lock(&self.glass);
        glass.control = Some(engine.control());
        glass.gauge = Some(engine.gauge());
        glass.idle = engine.idle().map(|idle| (**idle).clone());
        Ok(engine)
    }

    /// Keeps the table in a file and closes the engine.
    pub(super) fn close(&self, opening: &Opening) {
        let Some(mut engine) = lock(&self.engine).take() else { return };
        engine.stop_idle();
        let mut glass = lock(&self.glass);
        (glass.control, glass.gauge, glass.idle) = (None, None, None);
        drop(glass);
        match engine.save(&opening.table(&self.variant)) {
            Ok(entries) => tracing::info!(variant = self.variant.name(), entries, "table saved"),
            Err(error) => tracing::warn!(variant = self.variant.name(), %error, "the table is not saved"),
        }
    }

    /// Forgets an engine that broke down.
    pub(super) fn discard(&self) {
        lock(&self.engine).take();
        let mut glass = lock(&self.glass);
        (glass.control, glass.gauge, glass.idle) = (None, None, None);
    }
}

/// How engines are opened and where their tables are kept.
#[derive(Clone)]
pub struct Opening {
    /// Threads and sizes.
    pub options: Options,
    /// The folder of the tables.
    pub tables: PathBuf,
    /// Idle improvement is on from the start.
    pub idle: bool,
}

impl Opening {
    /// The file of a variant's table: its name with nothing in it that a file system might mind.
    fn table(&self, variant: &Variant) -> PathBuf {
        let plain = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '-' };
        let name: String = variant.name().chars().map(plain).collect();
        Path::new(&self.tables).join(name).with_extension("tt")
    }
}
