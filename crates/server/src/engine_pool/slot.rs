//! The engine of one variant, and its status.

use polyply_core::lock::lock;
use polyply_engine::{Best, CacheMonitor, Control, Engine, EngineError, IdleHandle, Info, Options, Reason, Variant};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A place for the engine of one variant.
pub struct EngineSlot {
    /// What it plays.
    pub variant: Variant,
    /// The engine; `None` until it is needed. Only the worker that has this slot holds the lock for long.
    engine: Mutex<Option<Engine>>,
    status: Mutex<EngineStatus>,
}

/// What others can see and do while the engine works.
#[derive(Clone)]
pub struct EngineStatus {
    /// Stops the search.
    pub control: Option<Arc<Control>>,
    /// Reads the counters of the caches.
    pub gauge: Option<CacheMonitor>,
    /// Idle improvement.
    pub idle: Option<IdleHandle>,
    /// The last report of the search.
    pub last: Option<Info>,
    /// How long live moves took.
    pub times: AnswerTimes,
    /// When the engine was last used.
    pub used: Instant,
}

/// How long live moves took.
#[derive(Clone, Copy, Default, Debug)]
pub struct AnswerTimes {
    /// The last.
    pub last: Duration,
    /// The shortest.
    pub least: Duration,
    /// The longest.
    pub most: Duration,
    /// The total.
    pub sum: Duration,
    /// How many.
    pub count: u32,
}

impl AnswerTimes {
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

impl EngineSlot {
    pub(super) fn new(variant: Variant) -> EngineSlot {
        let status = EngineStatus {
            control: None,
            gauge: None,
            idle: None,
            last: None,
            times: AnswerTimes::default(),
            used: Instant::now(),
        };
        EngineSlot { variant, engine: Mutex::default(), status: Mutex::new(status) }
    }

    /// The present status.
    pub fn status(&self) -> EngineStatus {
        lock(&self.status).clone()
    }

    /// Notes the last report of the search.
    pub fn set_last(&self, info: &Info) {
        lock(&self.status).last = Some(info.clone());
    }

    /// Counts a live move.
    pub fn add_answer(&self, best: &Best) {
        lock(&self.status).times.add(best.time);
        metrics::histogram!("polyply_answer_seconds", "variant" => self.variant.about().name).record(best.time);
        metrics::counter!("polyply_nodes_total", "variant" => self.variant.about().name).increment(best.nodes);
    }

    /// Hands a position of a game to idle improvement.
    pub fn improve_later(&self, board: &polyply_engine::Board) {
        if let Some(idle) = &lock(&self.status).idle {
            idle.add(board, Reason::Played);
        }
    }

    pub(super) fn touch(&self) {
        lock(&self.status).used = Instant::now();
    }

    /// Opens the engine if needed and passes it to `use_it`.
    pub(super) fn with<T>(
        &self,
        settings: &EngineSettings,
        use_it: impl FnOnce(&mut Engine) -> T,
    ) -> Result<T, EngineError> {
        let mut engine = lock(&self.engine);
        if engine.is_none() {
            *engine = Some(self.open(settings)?);
        }
        let engine = engine.as_mut().expect("it was just opened");
        let done = use_it(engine);
        // A setting may have changed the caches.
        lock(&self.status).gauge = Some(engine.cache_monitor());
        Ok(done)
    }

    fn open(&self, settings: &EngineSettings) -> Result<Engine, EngineError> {
        let mut engine = Engine::new(&self.variant, &settings.options)?;
        let path = settings.table(&self.variant);
        if path.exists() {
            // Without its table the engine only has to search again.
            match engine.load(&path) {
                Ok(entries) => tracing::info!(variant = self.variant.name(), entries, "table loaded"),
                Err(error) => tracing::warn!(variant = self.variant.name(), %error, "the saved table is not used"),
            }
        }
        engine.start_idle().set_on(settings.idle);
        let mut status = lock(&self.status);
        status.control = Some(engine.control());
        status.gauge = Some(engine.cache_monitor());
        status.idle = engine.idle().map(|idle| (**idle).clone());
        Ok(engine)
    }

    /// Saves the table and closes the engine.
    pub(super) fn close(&self, settings: &EngineSettings) {
        let Some(mut engine) = lock(&self.engine).take() else { return };
        engine.stop_idle();
        let mut status = lock(&self.status);
        (status.control, status.gauge, status.idle) = (None, None, None);
        drop(status);
        match engine.save(&settings.table(&self.variant)) {
            Ok(entries) => tracing::info!(variant = self.variant.name(), entries, "table saved"),
            Err(error) => tracing::warn!(variant = self.variant.name(), %error, "the table is not saved"),
        }
    }

    /// Drops an engine that panicked.
    pub(super) fn discard(&self) {
        lock(&self.engine).take();
        let mut status = lock(&self.status);
        (status.control, status.gauge, status.idle) = (None, None, None);
    }
}

/// How engines are opened, and where their tables are saved.
#[derive(Clone)]
pub struct EngineSettings {
    /// Threads and sizes.
    pub options: Options,
    /// The folder of the tables.
    pub tables: PathBuf,
    /// Idle improvement is on from the start.
    pub idle: bool,
}

impl EngineSettings {
    /// The file of a variant's table: its name, in characters that every file system takes.
    fn table(&self, variant: &Variant) -> PathBuf {
        let plain = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '-' };
        let name: String = variant.name().chars().map(plain).collect();
        Path::new(&self.tables).join(name).with_extension("tt")
    }
}
