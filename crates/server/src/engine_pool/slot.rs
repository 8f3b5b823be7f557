//! The engine of one variant, and its status.

use polyply_core::family::About;
use polyply_core::lock::lock;
use polyply_engine::registry::games;
use polyply_engine::{
    Best, CacheMonitor, Control, Engine, EngineError, IdleHandle, IdleThread, Info, Options, Reason, Share, Variant,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A place for the engine of one variant.
pub struct EngineSlot {
    /// What it plays.
    pub variant: Variant,
    /// The engine; `None` until it is needed. Only the worker that has this slot holds the lock for long.
    engine: Mutex<Option<Engine>>,
    status: Mutex<EngineStatus>,
    /// What the engine takes, or will take when it opens.
    bytes: AtomicUsize,
    /// The number of stores when the table was last loaded or saved. Held while it is saved, so that no two saves meet.
    saved: Mutex<Option<u64>>,
}

/// What an engine takes besides its caches: what its threads have learned, idle improvement, the solvers.
pub const ENGINE_BYTES: usize = 24 << 20;

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
    pub(super) fn new(variant: Variant, settings: &EngineSettings) -> EngineSlot {
        let status = EngineStatus {
            control: None,
            gauge: None,
            idle: None,
            last: None,
            times: AnswerTimes::default(),
            used: Instant::now(),
        };
        let bytes = AtomicUsize::new(settings.engine_bytes(&variant));
        EngineSlot { variant, engine: Mutex::default(), status: Mutex::new(status), bytes, saved: Mutex::default() }
    }

    /// The memory that the engine takes, or will take when it opens.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// What is done with the engine now gives its caches this size.
    pub(super) fn expect_bytes(&self, bytes: usize) {
        self.bytes.fetch_max(bytes, Relaxed);
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
            idle.add(board, Reason::Current);
        }
    }

    pub(super) fn touch(&self) {
        lock(&self.status).used = Instant::now();
    }

    /// Opens the engine if needed and passes it to `use_it`.
    pub(super) fn with<T>(
        &self,
        settings: &EngineSettings,
        idle: &IdleThread,
        use_it: impl FnOnce(&mut Engine) -> T,
    ) -> Result<T, EngineError> {
        let mut engine = lock(&self.engine);
        if engine.is_none() {
            *engine = Some(self.open(settings, idle)?);
        }
        let engine = engine.as_mut().expect("it was just opened");
        let done = use_it(engine);
        // A setting may have changed the caches.
        let monitor = engine.cache_monitor();
        let caches = monitor.caches();
        self.bytes.store(caches.search.bytes + caches.eval.bytes + ENGINE_BYTES, Relaxed);
        lock(&self.status).gauge = Some(monitor);
        Ok(done)
    }

    fn open(&self, settings: &EngineSettings, idle: &IdleThread) -> Result<Engine, EngineError> {
        let mut engine = Engine::new(&self.variant, &settings.options)?;
        let path = settings.table(&self.variant);
        if path.exists() {
            // Without its table the engine only has to search again.
            match engine.load(&path) {
                Ok(entries) => tracing::info!(variant = self.variant.name(), entries, "table loaded"),
                Err(error) => tracing::warn!(variant = self.variant.name(), %error, "the saved table is not used"),
            }
        }
        *lock(&self.saved) = Some(engine.caches().search.counters.stores);
        engine.start_idle(idle);
        let mut status = lock(&self.status);
        status.control = Some(engine.control());
        status.gauge = Some(engine.cache_monitor());
        status.idle = engine.idle().map(|idle| (**idle).clone());
        Ok(engine)
    }

    /// Saves the table and closes the engine.
    pub(super) fn close(&self, settings: &EngineSettings) {
        // The lock is kept: whoever opens the engine again finds the saved table.
        let mut engine = lock(&self.engine);
        *lock(&self.saved) = None;
        self.save(settings);
        engine.take();
        self.forget(settings);
    }

    /// Saves the table if it has changed. Searches may run meanwhile.
    pub(super) fn save(&self, settings: &EngineSettings) {
        let Some(monitor) = self.status().gauge else { return };
        let mut saved = lock(&self.saved);
        let stores = monitor.caches().search.counters.stores;
        if *saved == Some(stores) {
            return;
        }
        match monitor.save(&settings.table(&self.variant)) {
            Ok(entries) => {
                *saved = Some(stores);
                tracing::info!(variant = self.variant.name(), entries, "table saved");
            }
            Err(error) => tracing::warn!(variant = self.variant.name(), %error, "the table is not saved"),
        }
    }

    fn forget(&self, settings: &EngineSettings) {
        let mut status = lock(&self.status);
        (status.control, status.gauge, status.idle) = (None, None, None);
        drop(status);
        self.bytes.store(settings.engine_bytes(&self.variant), Relaxed);
    }

    /// Drops an engine that panicked.
    pub(super) fn discard(&self, settings: &EngineSettings) {
        lock(&self.engine).take();
        self.forget(settings);
    }
}

/// How engines are opened, and where their tables are saved.
#[derive(Clone)]
pub struct EngineSettings {
    /// Threads and sizes.
    pub options: Options,
    /// The folder of the tables.
    pub tables: PathBuf,
    /// The share of one processor that idle improvement may take.
    pub idle: Share,
    /// Bytes for all engines together. One engine is always open, however large.
    pub memory: usize,
    /// How often the tables are saved.
    pub save_every: Duration,
}

impl EngineSettings {
    /// What an engine takes when it opens.
    pub fn engine_bytes(&self, variant: &Variant) -> usize {
        self.bytes_for(variant.about())
    }

    /// What the engine of the game with the largest tables takes when it opens.
    pub fn largest_engine_bytes(&self) -> usize {
        games().map(|about| self.bytes_for(about)).max().unwrap_or_default()
    }

    fn bytes_for(&self, about: &About) -> usize {
        let options = self.options.for_game(about);
        options.hash_bytes() + options.eval_cache_bytes() + ENGINE_BYTES
    }

    /// The file of a variant's table: its name, in characters that every file system takes.
    fn table(&self, variant: &Variant) -> PathBuf {
        let plain = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '-' };
        let name: String = variant.name().chars().map(plain).collect();
        Path::new(&self.tables).join(name).with_extension("tt")
    }
}
