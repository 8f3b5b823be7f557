//! Matches of engines: the lab's, started and stopped here, with their boards shown while they are played.
//!
//! A match is kept in the folder of matches: what was asked for, and the lab's journal. So it can go on after a restart, and a
//! match that was played from the command line into that folder is shown as well.

pub mod api;
mod view;

use crate::error::ApiError;
use crate::games::{now, random_name};
use crate::refusals;
use polyply_core::lock::lock;
use polyply_engine::{Options, Variant};
use polyply_lab::arena::{Contest, Entrant, Format, Kind, Moment, Resume, Settings, Watcher};
use polyply_lab::record::{self, Record};
use polyply_lab::report::Report;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use tokio::sync::watch;
use utoipa::ToSchema;
use view::{MOST_POINTS, ScoreView};
pub use view::{MatchView, PlayedGame};

/// Matches that run at a time.
const MOST_RUNNING: usize = 2;
/// Matches that are listed.
const MOST_LISTED: usize = 50;
/// Games of a match that is started here.
const MOST_GAMES: u64 = 100_000;
/// Engines of a match that is started here, and the longest name of one.
const MOST_ENGINES: usize = 16;
const LONGEST_NAME: usize = 100;
/// Games of a match that are listed.
const MOST_GAMES_LISTED: usize = 100;
/// A journal that is longer is not read.
const LONGEST_JOURNAL: u64 = 64 << 20;

/// A match to play.
#[derive(Serialize, Deserialize, ToSchema, Clone, Debug)]
pub struct MatchWish {
    #[schema(example = "connect4")]
    variant: String,
    /// The players: `builtin` with options, as in `builtin:lmr=0,nodes=2000`. Two or more.
    engines: Vec<String>,
    /// Games of each pairing.
    #[serde(default = "hundred")]
    #[schema(minimum = 1, maximum = 100_000)]
    games: u64,
    /// The first plays all others, instead of everybody everybody else.
    #[serde(default)]
    gauntlet: bool,
    /// Nodes for a move.
    nodes: Option<u64>,
    /// Time for a move, as in `100ms`.
    movetime: Option<String>,
    /// A clock, as in `10+0.1`.
    tc: Option<String>,
    /// Plies for a move.
    depth: Option<i32>,
    /// Stop as soon as a sequential test knows: `elo0,elo1`.
    sprt: Option<String>,
    /// Begin at the start instead of with random openings.
    #[serde(default)]
    from_start: bool,
    /// What random openings are drawn from.
    #[serde(default = "one")]
    seed: u64,
    /// Games at a time.
    #[serde(default = "one")]
    concurrency: u64,
    /// What it is called.
    name: Option<String>,
}

fn hundred() -> u64 {
    100
}

fn one() -> u64 {
    1
}

/// What is kept of a match that was started here.
#[derive(Serialize, Deserialize, Clone, Debug)]
struct Kept {
    created: u64,
    wish: MatchWish,
}

/// Games at a time at most.
fn most_at_a_time() -> u64 {
    std::thread::available_parallelism().map_or(1, usize::from).min(8) as u64
}

struct Running {
    stop: Arc<AtomicBool>,
    news: watch::Receiver<Arc<MatchView>>,
    thread: Option<JoinHandle<()>>,
}

/// All matches.
#[derive(Clone)]
pub struct Matches {
    folder: PathBuf,
    running: Arc<Mutex<HashMap<String, Running>>>,
    hash: usize,
}

/// Sees the moves of a match.
struct Eyes<'a> {
    view: &'a Mutex<MatchView>,
    tell: &'a watch::Sender<Arc<MatchView>>,
}

impl Watcher for Eyes<'_> {
    fn moved(&self, moment: &Moment<'_>) {
        let mut view = lock(self.view);
        view.see(moment);
        self.tell.send_replace(Arc::new(view.clone()));
    }
}

impl Matches {
    /// The matches of a folder. No table of an engine is larger than so many megabytes.
    pub fn new(folder: PathBuf, hash: usize) -> Matches {
        Matches { folder, running: Arc::default(), hash }
    }

    /// Starts a match; its name.
    pub fn start(&self, wish: MatchWish) -> Result<String, ApiError> {
        let id = random_name(10);
        self.settings(&id, &wish)?;
        let kept = Kept { created: now(), wish };
        let text = serde_json::to_vec_pretty(&kept).map_err(ApiError::internal)?;
        self.check_room()?;
        std::fs::write(self.kept_path(&id), text).map_err(ApiError::internal)?;
        self.run(&id, &kept)?;
        Ok(id)
    }

    /// Goes on with a match that was stopped.
    pub fn resume(&self, id: &str) -> Result<(), ApiError> {
        if lock(&self.running).get(id).is_some_and(Running::is_alive) {
            return Err(ApiError::conflict(refusals::match_running()));
        }
        let kept = self.kept(id).ok_or_else(|| ApiError::not_found(refusals::match_elsewhere(id)))?;
        self.check_room()?;
        self.run(id, &kept)
    }

    /// Stops a match; what is under way is not finished.
    pub fn stop(&self, id: &str) -> Result<(), ApiError> {
        self.find(id)?;
        let running = lock(&self.running);
        let alive = running.get(id).filter(|running| running.is_alive());
        alive.ok_or_else(|| ApiError::conflict(refusals::match_not_running()))?.stop.store(true, SeqCst);
        Ok(())
    }

    /// Stops all and waits for them.
    pub fn close(&self) {
        let threads: Vec<_> = {
            let mut running = lock(&self.running);
            running.values().for_each(|running| running.stop.store(true, SeqCst));
            running.values_mut().filter_map(|running| running.thread.take()).collect()
        };
        for thread in threads {
            // A thread that panicked has said so itself.
            let _ = thread.join();
        }
    }

    fn check_room(&self) -> Result<(), ApiError> {
        let alive = lock(&self.running).values().filter(|running| running.is_alive()).count();
        if alive < MOST_RUNNING {
            return Ok(());
        }
        Err(ApiError::unavailable(refusals::matches_running(MOST_RUNNING)))
    }

    fn kept_path(&self, id: &str) -> PathBuf {
        self.folder.join(id).with_extension("match.json")
    }

    fn kept(&self, id: &str) -> Option<Kept> {
        serde_json::from_slice(&std::fs::read(self.kept_path(id)).ok()?).ok()
    }

    /// The lab's settings, or what must not be asked for through the web: other programs, files, more than there is.
    fn settings(&self, id: &str, wish: &MatchWish) -> Result<Settings, ApiError> {
        if !(1..=MOST_GAMES).contains(&wish.games) {
            return Err(ApiError::invalid(refusals::match_games(MOST_GAMES)));
        }
        let most = most_at_a_time();
        if !(1..=most).contains(&wish.concurrency) {
            return Err(ApiError::invalid(refusals::match_concurrency(most)));
        }
        if wish.engines.len() > MOST_ENGINES {
            return Err(ApiError::invalid(refusals::match_engines(MOST_ENGINES)));
        }
        if wish.name.as_ref().is_some_and(|name| name.len() > LONGEST_NAME) {
            return Err(ApiError::invalid(refusals::name_long(LONGEST_NAME)));
        }
        for text in &wish.engines {
            self.check_engine(text)?;
        }
        let variant = Variant::named(&wish.variant)?;
        let settings = Settings {
            variant: variant.name().split(',').next().unwrap_or_default().to_owned(),
            rules: variant.setup().rules.iter().cloned().collect(),
            engines: wish.engines.clone(),
            format: if wish.gauntlet { Format::Gauntlet } else { Format::RoundRobin },
            games: wish.games,
            openings: if wish.from_start { "start" } else { "random" }.to_owned(),
            seed: wish.seed,
            tc: wish.tc.clone(),
            movetime: wish.movetime.clone(),
            nodes: wish.nodes,
            depth: wish.depth,
            sprt: wish.sprt.clone(),
            concurrency: wish.concurrency as usize,
            out: Some(self.folder.join(id)),
            ..Settings::default()
        };
        settings.plan()?;
        settings.sprt()?;
        Ok(settings)
    }

    fn check_engine(&self, text: &str) -> Result<(), ApiError> {
        let entrant: Entrant = text.parse()?;
        let Kind::BuiltIn { options, weights } = entrant.kind else {
            return Err(ApiError::invalid(refusals::match_programs()));
        };
        if weights.is_some_and(|weights| !["built-in", "handmade"].contains(&weights.as_str())) {
            return Err(ApiError::invalid(refusals::match_weights()));
        }
        for (name, value) in options {
            let most = match name.to_ascii_lowercase().as_str() {
                "hash" | "evalcache" => self.hash.max(Options::default().hash),
                "threads" => 1,
                _ => continue,
            };
            if value.parse::<usize>().is_ok_and(|value| value > most) {
                return Err(ApiError::invalid(refusals::match_option(name, most)));
            }
        }
        Ok(())
    }

    fn run(&self, id: &str, kept: &Kept) -> Result<(), ApiError> {
        let settings = self.settings(id, &kept.wish)?;
        let mut contest = Contest::new(settings, Resume::GoOn)?;
        let view = MatchView { running: true, games: Some(contest.games()), ..self.blank(id, Some(kept)) };
        let (tell, news) = watch::channel(Arc::new(view.clone()));
        let stop = Arc::new(AtomicBool::new(false));
        let heard = stop.clone();
        let play = move || {
            give_way();
            let view = Mutex::new(view);
            let eyes = Eyes { view: &view, tell: &tell };
            let told = contest.run(&heard, &eyes, &mut |report| {
                let mut view = lock(&view);
                view.follow(report);
                view.rank(report);
                tell.send_replace(Arc::new(view.clone()));
            });
            let ended = told.and_then(|report| contest.finish(&report).map(|_| report));
            let mut view = lock(&view);
            match ended {
                Ok(report) => view.report = report.json(),
                Err(error) => view.error = Some((&error.refusal()).into()),
            }
            view.running = false;
            view.boards.clear();
            tell.send_replace(Arc::new(view.clone()));
        };
        let thread = std::thread::Builder::new().name("match".into()).spawn(play).map_err(ApiError::internal)?;
        lock(&self.running).insert(id.to_owned(), Running { stop, news, thread: Some(thread) });
        Ok(())
    }

    fn blank(&self, id: &str, kept: Option<&Kept>) -> MatchView {
        MatchView {
            id: id.to_owned(),
            name: kept.and_then(|kept| kept.wish.name.clone()),
            variant: kept.map(|kept| kept.wish.variant.clone()).unwrap_or_default(),
            created: kept.map_or(0, |kept| kept.created),
            players: kept.map(|kept| kept.wish.engines.clone()).unwrap_or_default(),
            running: false,
            resumable: kept.is_some(),
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
            at_a_time: kept.map_or(1, |kept| kept.wish.concurrency as usize),
            moments: 0,
            pairs: 0,
        }
    }

    /// A match as it is now.
    pub fn find(&self, id: &str) -> Result<Arc<MatchView>, ApiError> {
        if let Some(running) = lock(&self.running).get(id) {
            return Ok(running.news.borrow().clone());
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
        let kept = self.kept(id);
        let journal = self.journal(id);
        let settings: Option<Settings> = std::fs::read(journal.with_extension("settings.json"))
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok());
        let mut view = self.blank(id, kept.as_ref());
        let games = self.records(id);
        if kept.is_none() {
            view.variant = games.first()?.variant.clone();
            view.created = modified(&journal);
        }
        let sprt = kept.as_ref().and_then(|kept| kept.wish.sprt.clone()).and_then(|text| text.parse().ok());
        let names = settings.map(|settings| settings.engines).filter(|_| games.is_empty()).unwrap_or_default();
        let mut report = Report::new(&view.variant, &names, sprt, Vec::new());
        let step = games.len().div_ceil(MOST_POINTS).max(1);
        for (index, game) in games.iter().enumerate() {
            report.add(game);
            if index % step == 0 || index + 1 == games.len() {
                view.follow(&report);
            }
        }
        view.rank(&report);
        view.games = kept.map(|kept| kept.wish.games.div_ceil(2) * 2);
        view.report = report.json();
        Some(view)
    }

    fn journal(&self, id: &str) -> PathBuf {
        self.folder.join(id).with_extension("jsonl")
    }

    /// The games of a match that have ended.
    fn records(&self, id: &str) -> Vec<Record> {
        let journal = self.journal(id);
        let length = std::fs::metadata(&journal).map_or(0, |file| file.len());
        if length <= LONGEST_JOURNAL { record::read(&journal).unwrap_or_default() } else { Vec::new() }
    }

    /// The last games of a match that have ended, the newest first.
    pub fn games(&self, id: &str) -> Result<Vec<PlayedGame>, ApiError> {
        self.find(id)?;
        Ok(self.records(id).iter().rev().take(MOST_GAMES_LISTED).map(PlayedGame::from).collect())
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
        names.iter().take(MOST_LISTED).filter_map(|(id, _)| self.find(id).ok()).collect()
    }

    /// Tells of a match that runs whenever something has changed.
    pub fn follow(&self, id: &str) -> Option<watch::Receiver<Arc<MatchView>>> {
        lock(&self.running).get(id).map(|running| running.news.clone())
    }
}

impl Running {
    fn is_alive(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }
}

/// When a file was last written, in milliseconds since 1970.
fn modified(path: &Path) -> u64 {
    let time = std::fs::metadata(path).and_then(|file| file.modified()).ok();
    let since = time.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// A match lets people play first: its threads, which it starts itself, have the same priority.
fn give_way() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 10);
}
