//! Matches between engines, played by the lab: started, stopped and watched from here.
//!
//! The folder of matches has a file with the request and the lab's journal for each match. So a match can be resumed
//! after a restart, and a match that was played from the command line into that folder is shown too.

pub mod api;
mod view;

use crate::engine_pool::{ENGINE_BYTES, EnginePool, Reservation};
use crate::error::ApiError;
use crate::ids::random_id;
use crate::priority;
use crate::refusals;
use crate::time::{now, unix_milliseconds};
use polyply_core::lock::lock;
use polyply_engine::{Options, Variant};
use polyply_lab::arena::{Contest, Entrant, Format, Kind, MatchSettings, Moment, Resume, Watcher};
use polyply_lab::record::{self, Record};
use polyply_lab::report::Report;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use tokio::sync::watch;
use utoipa::ToSchema;
use view::{MAX_POINTS, ScoreView};
pub use view::{MatchView, PlayedGame};

/// How many matches run at a time.
const MAX_RUNNING: usize = 2;
/// By how much their threads are less urgent than those that answer requests: people who play go first.
const PRIORITY_STEPS: i32 = 10;
/// How many matches are listed.
const MAX_LISTED: usize = 50;
/// The most games of a match that is started here.
const MAX_GAMES: u64 = 100_000;
/// The most engines of a match that is started here, and its longest name.
const MAX_ENGINES: usize = 16;
const LONGEST_NAME: usize = 100;
/// How many games of a match are listed.
const MAX_GAMES_LISTED: usize = 100;
/// Longer journals are not read.
const LONGEST_JOURNAL: u64 = 64 << 20;

/// A match to play.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug)]
pub struct MatchRequest {
    #[schema(example = "connect4")]
    variant: String,
    /// The engines: `builtin` with options, as in `builtin:lmr=0,nodes=2000`. Two or more.
    engines: Vec<String>,
    /// Games for each pair of engines.
    #[serde(default = "hundred")]
    #[schema(minimum = 1, maximum = 100_000)]
    games: u64,
    /// The first engine plays all others, instead of a round robin.
    #[serde(default)]
    gauntlet: bool,
    /// Nodes per move.
    nodes: Option<u64>,
    /// Time per move, as in `100ms`.
    movetime: Option<String>,
    /// A clock, as in `10+0.1`.
    tc: Option<String>,
    /// Depth of each search, in plies.
    depth: Option<i32>,
    /// Stop as soon as a sequential test decides: `elo0,elo1`.
    sprt: Option<String>,
    /// Start from the usual position instead of random openings.
    #[serde(default)]
    from_start: bool,
    /// The seed of the random openings.
    #[serde(default = "one")]
    seed: u64,
    /// Games played at the same time.
    #[serde(default = "one")]
    concurrency: u64,
    /// A name to show.
    name: Option<String>,
}

fn hundred() -> u64 {
    100
}

fn one() -> u64 {
    1
}

/// What is stored of a match that was started here.
#[derive(Serialize, Deserialize, Clone, Debug)]
struct StoredMatch {
    created: u64,
    #[serde(alias = "wish")]
    request: MatchRequest,
    /// It was ended for good before all its games were played.
    #[serde(default)]
    ended: bool,
}

/// The most games played at the same time.
fn most_at_a_time() -> u64 {
    std::thread::available_parallelism().map_or(1, usize::from).min(8) as u64
}

struct Running {
    stop: Arc<AtomicBool>,
    /// It was ended for good.
    ended: Arc<AtomicBool>,
    news: watch::Receiver<Arc<MatchView>>,
    thread: Option<JoinHandle<()>>,
}

/// All matches.
#[derive(Clone)]
pub struct Matches {
    folder: PathBuf,
    running: Arc<Mutex<HashMap<String, Running>>>,
    pool: Arc<EnginePool>,
}

/// Follows the moves of a match.
struct BoardWatcher<'a> {
    view: &'a Mutex<MatchView>,
    tell: &'a watch::Sender<Arc<MatchView>>,
}

impl Watcher for BoardWatcher<'_> {
    fn moved(&self, moment: &Moment<'_>) {
        let mut view = lock(self.view);
        view.see(moment);
        self.tell.send_replace(Arc::new(view.clone()));
    }
}

impl Matches {
    /// The matches of a folder. Their engines have tables of at most the size that those of the pool have, and share its
    /// memory.
    pub fn new(folder: PathBuf, pool: Arc<EnginePool>) -> Matches {
        Matches { folder, running: Arc::default(), pool }
    }

    /// Starts a match and returns its id.
    pub fn start(&self, request: MatchRequest) -> Result<String, ApiError> {
        let id = random_id(10);
        let settings = self.settings(&id, &request)?;
        let stored = StoredMatch { created: now(), request, ended: false };
        self.check_capacity()?;
        let memory = self.reserve(&settings)?;
        self.store(&id, &stored)?;
        self.run(&id, &stored, settings, memory)?;
        Ok(id)
    }

    /// Resumes a match that was stopped.
    pub fn resume(&self, id: &str) -> Result<(), ApiError> {
        if lock(&self.running).get(id).is_some_and(Running::is_alive) {
            return Err(ApiError::conflict(refusals::match_running()));
        }
        let stored = self.stored(id).ok_or_else(|| ApiError::not_found(refusals::match_elsewhere(id)))?;
        if stored.ended {
            return Err(ApiError::conflict(refusals::match_ended()));
        }
        let settings = self.settings(id, &stored.request)?;
        self.check_capacity()?;
        let memory = self.reserve(&settings)?;
        self.run(id, &stored, settings, memory)
    }

    /// Stops a match. Games that are being played are lost.
    pub fn stop(&self, id: &str) -> Result<(), ApiError> {
        self.find(id)?;
        let running = lock(&self.running);
        let alive = running.get(id).filter(|running| running.is_alive());
        alive.ok_or_else(|| ApiError::conflict(refusals::match_not_running()))?.stop.store(true, SeqCst);
        Ok(())
    }

    /// Ends a match for good, whether it is running or was stopped.
    pub fn end(&self, id: &str) -> Result<(), ApiError> {
        self.find(id)?;
        let mut stored = self.stored(id).ok_or_else(|| ApiError::not_found(refusals::match_elsewhere(id)))?;
        stored.ended = true;
        self.store(id, &stored)?;
        if let Some(running) = lock(&self.running).get(id) {
            running.ended.store(true, SeqCst);
            running.stop.store(true, SeqCst);
        }
        Ok(())
    }

    /// Stops all matches and waits for them.
    pub fn close(&self) {
        let threads: Vec<_> = {
            let mut running = lock(&self.running);
            running.values().for_each(|running| running.stop.store(true, SeqCst));
            running.values_mut().filter_map(|running| running.thread.take()).collect()
        };
        for thread in threads {
            // A thread that panicked has logged that itself.
            let _ = thread.join();
        }
    }

    fn check_capacity(&self) -> Result<(), ApiError> {
        let alive = lock(&self.running).values().filter(|running| running.is_alive()).count();
        if alive < MAX_RUNNING {
            return Ok(());
        }
        Err(ApiError::unavailable(refusals::matches_running(MAX_RUNNING)))
    }

    /// Sets memory aside for all engines that a match may have open at the same time.
    fn reserve(&self, settings: &MatchSettings) -> Result<Reservation, ApiError> {
        self.pool.reserve(settings.plan()?.memory(ENGINE_BYTES))
    }

    fn stored_path(&self, id: &str) -> PathBuf {
        self.folder.join(id).with_extension("match.json")
    }

    fn store(&self, id: &str, stored: &StoredMatch) -> Result<(), ApiError> {
        let text = serde_json::to_vec_pretty(stored).map_err(ApiError::internal)?;
        std::fs::write(self.stored_path(id), text).map_err(ApiError::internal)
    }

    fn stored(&self, id: &str) -> Option<StoredMatch> {
        serde_json::from_slice(&std::fs::read(self.stored_path(id)).ok()?).ok()
    }

    /// The settings for the lab. Refuses what clients must not ask for: other programs, files, too many resources.
    fn settings(&self, id: &str, request: &MatchRequest) -> Result<MatchSettings, ApiError> {
        if !(1..=MAX_GAMES).contains(&request.games) {
            return Err(ApiError::invalid(refusals::match_games(MAX_GAMES)));
        }
        let most = most_at_a_time();
        if !(1..=most).contains(&request.concurrency) {
            return Err(ApiError::invalid(refusals::match_concurrency(most)));
        }
        if request.engines.len() > MAX_ENGINES {
            return Err(ApiError::invalid(refusals::match_engines(MAX_ENGINES)));
        }
        if request.name.as_ref().is_some_and(|name| name.len() > LONGEST_NAME) {
            return Err(ApiError::invalid(refusals::name_long(LONGEST_NAME)));
        }
        for text in &request.engines {
            self.check_engine(text)?;
        }
        let variant = Variant::named(&request.variant)?;
        let settings = MatchSettings {
            variant: variant.name().split(',').next().unwrap_or_default().to_owned(),
            rules: variant.setup().rules.iter().cloned().collect(),
            engines: request.engines.clone(),
            format: if request.gauntlet { Format::Gauntlet } else { Format::RoundRobin },
            games: request.games,
            openings: if request.from_start { "start" } else { "random" }.to_owned(),
            seed: request.seed,
            tc: request.tc.clone(),
            movetime: request.movetime.clone(),
            nodes: request.nodes,
            depth: request.depth,
            sprt: request.sprt.clone(),
            concurrency: request.concurrency as usize,
            out: Some(self.folder.join(id)),
            ..MatchSettings::default()
        };
        settings.plan()?;
        settings.sprt()?;
        Ok(settings)
    }

    fn check_engine(&self, text: &str) -> Result<(), ApiError> {
        // Reading them would open a file that the client names.
        if text.split([':', ',']).any(|part| part.starts_with("params=")) {
            return Err(ApiError::invalid(refusals::match_weights()));
        }
        let entrant: Entrant = text.parse()?;
        let Kind::BuiltIn { options, weights, .. } = entrant.kind else {
            return Err(ApiError::invalid(refusals::match_programs()));
        };
        if weights.is_some_and(|weights| !["built-in", "handmade"].contains(&weights.as_str())) {
            return Err(ApiError::invalid(refusals::match_weights()));
        }
        for (name, value) in options {
            let most = match name.to_ascii_lowercase().as_str() {
                "hash" | "evalcache" => self.pool.settings().options.hash.max(Options::default().hash),
                "threads" => 1,
                _ => continue,
            };
            if value.parse::<usize>().is_ok_and(|value| value > most) {
                return Err(ApiError::invalid(refusals::match_option(name, most)));
            }
        }
        Ok(())
    }

    fn run(
        &self,
        id: &str,
        stored: &StoredMatch,
        settings: MatchSettings,
        memory: Reservation,
    ) -> Result<(), ApiError> {
        let mut contest = Contest::new(settings, Resume::GoOn)?;
        let view = MatchView { running: true, games: Some(contest.games()), ..self.blank(id, Some(stored)) };
        let (tell, news) = watch::channel(Arc::new(view.clone()));
        let stop = Arc::new(AtomicBool::new(false));
        let ended = Arc::new(AtomicBool::new(false));
        let (heard, for_good) = (stop.clone(), ended.clone());
        let play = move || {
            priority::lower(PRIORITY_STEPS);
            let view = Mutex::new(view);
            let watcher = BoardWatcher { view: &view, tell: &tell };
            let told = contest.run(&heard, &watcher, &mut |report| {
                let mut view = lock(&view);
                view.follow(report);
                view.rank(report);
                tell.send_replace(Arc::new(view.clone()));
            });
            let finished = told.and_then(|report| contest.finish(&report).map(|_| report));
            // All its engines are closed, and who hears of the end may start another match at once.
            drop(memory);
            let mut view = lock(&view);
            match finished {
                Ok(report) => view.report = report.json(),
                Err(error) => view.error = Some((&error.refusal()).into()),
            }
            view.running = false;
            view.resumable = !for_good.load(SeqCst);
            view.boards.clear();
            tell.send_replace(Arc::new(view.clone()));
        };
        let thread = std::thread::Builder::new().name("match".into()).spawn(play).map_err(ApiError::internal)?;
        lock(&self.running).insert(id.to_owned(), Running { stop, ended, news, thread: Some(thread) });
        Ok(())
    }

    fn blank(&self, id: &str, stored: Option<&StoredMatch>) -> MatchView {
        MatchView {
            id: id.to_owned(),
            name: stored.and_then(|stored| stored.request.name.clone()),
            variant: stored.map(|stored| stored.request.variant.clone()).unwrap_or_default(),
            created: stored.map_or(0, |stored| stored.created),
            players: stored.map(|stored| stored.request.engines.clone()).unwrap_or_default(),
            running: false,
            resumable: stored.is_some_and(|stored| !stored.ended),
            played: 0,
            games: None,
            score: ScoreView::default(),
            elo: None,
            standings: Vec::new(),
            elo_series: Vec::new(),
            llr_series: Vec::new(),
            llr_bounds: None,
            faults: 0,
            boards: Vec::new(),
            report: serde_json::Value::Null,
            error: None,
            at_a_time: stored.map_or(1, |stored| stored.request.concurrency as usize),
            moments: 0,
            pairs: 0,
        }
    }

    /// A match as it is now.
    pub fn find(&self, id: &str) -> Result<Arc<MatchView>, ApiError> {
        if let Some(running) = lock(&self.running).get(id) {
            let view = running.news.borrow().clone();
            // A match that was stopped and then ended.
            return Ok(if running.ended.load(SeqCst) && view.resumable {
                Arc::new(MatchView { resumable: false, ..MatchView::clone(&view) })
            } else {
                view
            });
        }
        let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_".contains(sign);
        let unknown = || ApiError::not_found(refusals::match_unknown(id));
        if id.is_empty() || !id.chars().all(plain) {
            return Err(unknown());
        }
        self.read(id).map(Arc::new).ok_or_else(unknown)
    }

    /// A match from its files.
    fn read(&self, id: &str) -> Option<MatchView> {
        let stored = self.stored(id);
        let journal = self.journal(id);
        let settings: Option<MatchSettings> = std::fs::read(journal.with_extension("settings.json"))
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok());
        let mut view = self.blank(id, stored.as_ref());
        let games = self.records(id);
        if stored.is_none() {
            view.variant = games.first()?.variant.clone();
            view.created = modified(&journal);
        }
        let sprt = stored.as_ref().and_then(|stored| stored.request.sprt.clone()).and_then(|text| text.parse().ok());
        let names = settings.map(|settings| settings.engines).filter(|_| games.is_empty()).unwrap_or_default();
        let mut report = Report::new(&view.variant, &names, sprt, Vec::new());
        let step = games.len().div_ceil(MAX_POINTS).max(1);
        for (index, game) in games.iter().enumerate() {
            report.add(game);
            if index % step == 0 || index + 1 == games.len() {
                view.follow(&report);
            }
        }
        view.rank(&report);
        view.games = stored.map(|stored| stored.request.games.div_ceil(2) * 2);
        view.report = report.json();
        Some(view)
    }

    fn journal(&self, id: &str) -> PathBuf {
        self.folder.join(id).with_extension("jsonl")
    }

    /// The finished games of a match.
    fn records(&self, id: &str) -> Vec<Record> {
        let journal = self.journal(id);
        let length = std::fs::metadata(&journal).map_or(0, |file| file.len());
        let mut games = if length <= LONGEST_JOURNAL { record::read(&journal).unwrap_or_default() } else { Vec::new() };
        // A game that stands there twice counts once, as for the lab.
        let mut known = HashSet::new();
        games.retain(|game| known.insert(game.number));
        games
    }

    /// The last finished games of a match, the newest first.
    pub fn games(&self, id: &str) -> Result<Vec<PlayedGame>, ApiError> {
        self.find(id)?;
        Ok(self.records(id).iter().rev().take(MAX_GAMES_LISTED).map(PlayedGame::from).collect())
    }

    /// The newest matches.
    pub fn list(&self) -> Vec<Arc<MatchView>> {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut names: BTreeMap<String, u64> = BTreeMap::new();
        for file in files {
            let (name, path) = (file.file_name().to_string_lossy().into_owned(), file.path());
            let id = name.strip_suffix(".match.json").or_else(|| name.strip_suffix(".jsonl"));
            if let Some(id) = id {
                let at = modified(&path);
                names.entry(id.to_owned()).and_modify(|known| *known = at.max(*known)).or_insert(at);
            }
        }
        let mut names: Vec<_> = names.into_iter().collect();
        names.sort_by_key(|&(_, at)| std::cmp::Reverse(at));
        names.iter().take(MAX_LISTED).filter_map(|(id, _)| self.find(id).ok()).collect()
    }

    /// Follows a running match.
    pub fn follow(&self, id: &str) -> Option<watch::Receiver<Arc<MatchView>>> {
        lock(&self.running).get(id).map(|running| running.news.clone())
    }
}

impl Running {
    fn is_alive(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }
}

/// When a file was last written, or 0.
fn modified(path: &Path) -> u64 {
    std::fs::metadata(path).and_then(|file| file.modified()).map_or(0, unix_milliseconds)
}
