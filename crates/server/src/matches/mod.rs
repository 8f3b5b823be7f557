//! Matches of engines: the lab's, started and stopped here, with their boards shown while they are played.
//!
//! A match is kept in the folder of matches: what was asked for, and the lab's journal. So it can go on after a restart, and a
//! match that was played from the command line into that folder is shown as well.

pub mod api;

use crate::error::Refusal;
use crate::games::{now, random_name};
use axum::http::StatusCode;
use polyply_engine::{Options, Variant};
use polyply_lab::arena::{Contest, Entrant, Format, Kind, Moment, Resume, Settings, Watcher};
use polyply_lab::record::{self, Record};
use polyply_lab::report::Report;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::watch;
use utoipa::ToSchema;

/// Matches that run at a time.
const MOST_RUNNING: usize = 2;
/// Matches that are listed.
const MOST_LISTED: usize = 50;
/// Games of a match that is started here.
const MOST_GAMES: u64 = 100_000;
/// A journal that is longer is not read.
const LONGEST_JOURNAL: u64 = 64 << 20;
/// Points of a graph.
const MOST_POINTS: usize = 400;

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

/// Won, drawn and lost by the first player.
#[derive(Serialize, ToSchema, Clone, Copy, Debug, Default)]
pub struct ScoreView {
    wins: u64,
    draws: u64,
    losses: u64,
}

/// A difference in strength from the side of the first player, with its error at 95 %.
#[derive(Serialize, ToSchema, Clone, Copy, Debug)]
pub struct EloView {
    value: Option<f64>,
    error: Option<f64>,
}

/// A point of the graph.
#[derive(Serialize, ToSchema, Clone, Copy, Debug)]
pub struct EloPoint {
    games: u64,
    elo: f64,
    error: f64,
}

/// A board on which a game is being played.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct LiveBoard {
    number: u64,
    first: String,
    second: String,
    position: Option<String>,
    moves: Vec<String>,
    /// When it last changed, counted in moves of the match.
    #[serde(skip)]
    seen: u64,
}

/// A match as it is now.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct MatchView {
    id: String,
    name: Option<String>,
    variant: String,
    /// Milliseconds since 1970.
    created: u64,
    players: Vec<String>,
    running: bool,
    /// It was started here and can go on.
    resumable: bool,
    played: u64,
    /// How many games there are to be; `null` where it is not known.
    games: Option<u64>,
    score: ScoreView,
    elo: Option<EloView>,
    elo_series: Vec<EloPoint>,
    /// The log-likelihood ratio of the sequential test after each pair.
    llr_series: Vec<f64>,
    llr_bounds: Option<[f64; 2]>,
    /// Games that were lost by a failure.
    faults: u64,
    boards: Vec<LiveBoard>,
    /// All numbers of the lab's report.
    #[schema(value_type = Object)]
    report: serde_json::Value,
    /// Why it ended before its end.
    error: Option<String>,
    /// Boards at a time, and moves seen so far.
    #[serde(skip)]
    at_a_time: usize,
    #[serde(skip)]
    moments: u64,
    /// Pairs of games in the graphs.
    #[serde(skip)]
    pairs: u64,
}

impl MatchView {
    /// Takes in how the report stands.
    fn follow(&mut self, report: &Report) {
        self.played = report.games();
        self.players = report.names().map(str::to_owned).collect();
        self.faults = (0..self.players.len()).map(|player| report.failures(player)).sum();
        let tally = report.tally();
        // A game whose partner is still to come tells nothing about strength.
        let is_news = tally.pair_count() > self.pairs;
        self.pairs = tally.pair_count();
        if report.is_match() {
            let [wins, draws, losses] = tally.games;
            self.score = ScoreView { wins, draws, losses };
            let finite = |value: f64| value.is_finite().then_some(value);
            if let Some(estimate) = tally.estimate() {
                let (value, error) = (estimate.elo.value, estimate.elo.error);
                self.elo = Some(EloView { value: finite(value), error: finite(error) });
                if is_news && value.is_finite() && error.is_finite() {
                    push(&mut self.elo_series, EloPoint { games: self.played, elo: value, error });
                }
            }
        }
        if let Some((sprt, llr)) = report.test() {
            self.llr_bounds = Some(sprt.bounds());
            if is_news {
                push(&mut self.llr_series, llr);
            }
        }
    }

    fn see(&mut self, moment: &Moment<'_>) {
        self.moments += 1;
        let [first, second] = moment.players.map(str::to_owned);
        let (number, position, moves) = (moment.number, moment.place.position.clone(), moment.place.moves.clone());
        let board = LiveBoard { number, first, second, position, moves, seen: self.moments };
        let known = self.boards.iter().position(|known| known.number == number);
        // A game that begins takes the place of the one that nothing was seen of for longest: that one has ended.
        let ended = || (0..self.boards.len()).min_by_key(|&at| self.boards[at].seen);
        let at = known.or_else(|| if self.boards.len() < self.at_a_time { None } else { ended() });
        match at {
            Some(at) => self.boards[at] = board,
            None => self.boards.push(board),
        }
    }
}

/// Games at a time at most.
const MOST_AT_A_TIME: u64 = 8;

/// Adds a point; where there are too many every second one goes.
fn push<T: Clone>(series: &mut Vec<T>, point: T) {
    if series.len() >= MOST_POINTS {
        let mut keep = false;
        series.retain(|_| {
            keep = !keep;
            keep
        });
    }
    series.push(point);
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
    pub fn start(&self, wish: MatchWish) -> Result<String, Refusal> {
        let id = random_name(10);
        self.settings(&id, &wish)?;
        let kept = Kept { created: now(), wish };
        let text = serde_json::to_vec_pretty(&kept).map_err(Refusal::failure)?;
        self.check_room()?;
        std::fs::write(self.kept_path(&id), text).map_err(Refusal::failure)?;
        self.run(&id, &kept)?;
        Ok(id)
    }

    /// Goes on with a match that was stopped.
    pub fn resume(&self, id: &str) -> Result<(), Refusal> {
        if lock(&self.running).get(id).is_some_and(Running::is_alive) {
            return Err(Refusal::conflict("this match is running"));
        }
        let kept = self.kept(id).ok_or_else(|| Refusal::unknown("match that was started here", id))?;
        self.check_room()?;
        self.run(id, &kept)
    }

    /// Stops a match; what is under way is not finished.
    pub fn stop(&self, id: &str) -> Result<(), Refusal> {
        self.find(id)?;
        let running = lock(&self.running);
        let alive = running.get(id).filter(|running| running.is_alive());
        alive.ok_or_else(|| Refusal::conflict("this match does not run"))?.stop.store(true, SeqCst);
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

    fn check_room(&self) -> Result<(), Refusal> {
        let alive = lock(&self.running).values().filter(|running| running.is_alive()).count();
        if alive < MOST_RUNNING {
            return Ok(());
        }
        Err(Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("{MOST_RUNNING} matches run already; stop one first"),
        ))
    }

    fn kept_path(&self, id: &str) -> PathBuf {
        self.folder.join(id).with_extension("match.json")
    }

    fn kept(&self, id: &str) -> Option<Kept> {
        serde_json::from_slice(&std::fs::read(self.kept_path(id)).ok()?).ok()
    }

    /// The lab's settings, or what must not be asked for through the web: other programs, files, more than there is.
    fn settings(&self, id: &str, wish: &MatchWish) -> Result<Settings, Refusal> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
        if !(1..=MOST_GAMES).contains(&wish.games) {
            return Err(Refusal::nonsense(format!("a match has 1 to {MOST_GAMES} games")));
        }
        if !(1..=cores.min(MOST_AT_A_TIME)).contains(&wish.concurrency) {
            return Err(Refusal::nonsense(format!("1 to {} games can be played at a time", cores.min(MOST_AT_A_TIME))));
        }
        if wish.engines.len() > 16 {
            return Err(Refusal::nonsense("at most 16 engines take part"));
        }
        if wish.name.as_ref().is_some_and(|name| name.len() > 100) {
            return Err(Refusal::nonsense("a name has at most 100 letters"));
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
        let sentence = |error: polyply_lab::LabError| Refusal::nonsense(error);
        settings.plan().map_err(sentence)?;
        settings.sprt().map_err(sentence)?;
        Ok(settings)
    }

    fn check_engine(&self, text: &str) -> Result<(), Refusal> {
        let entrant: Entrant = text.parse().map_err(|error: polyply_lab::LabError| Refusal::nonsense(error))?;
        let Kind::BuiltIn { options, weights } = entrant.kind else {
            return Err(Refusal::nonsense("only built-in engines play here; `polyply match` lets other programs play"));
        };
        if weights.is_some_and(|weights| !["built-in", "guessed"].contains(&weights.as_str())) {
            return Err(Refusal::nonsense("weights from a file play in `polyply match`, not here"));
        }
        for (name, value) in options {
            let most = match name.to_ascii_lowercase().as_str() {
                "hash" | "evalcache" => self.hash.max(Options::default().hash),
                "threads" => 1,
                _ => continue,
            };
            if value.parse::<usize>().is_ok_and(|value| value > most) {
                return Err(Refusal::nonsense(format!("`{name}` is at most {most} here")));
            }
        }
        Ok(())
    }

    fn run(&self, id: &str, kept: &Kept) -> Result<(), Refusal> {
        let settings = self.settings(id, &kept.wish)?;
        let mut contest = Contest::new(settings, Resume::GoOn).map_err(Refusal::nonsense)?;
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
                tell.send_replace(Arc::new(view.clone()));
            });
            let ended = told.and_then(|report| contest.finish(&report).map(|_| report));
            let mut view = lock(&view);
            match ended {
                Ok(report) => view.report = report.json(),
                Err(error) => view.error = Some(error.to_string()),
            }
            view.running = false;
            view.boards.clear();
            tell.send_replace(Arc::new(view.clone()));
        };
        let thread = std::thread::Builder::new().name("match".into()).spawn(play).map_err(Refusal::failure)?;
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
    pub fn find(&self, id: &str) -> Result<Arc<MatchView>, Refusal> {
        if let Some(running) = lock(&self.running).get(id) {
            return Ok(running.news.borrow().clone());
        }
        let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_".contains(sign);
        let unknown = || Refusal::unknown("match", id);
        if id.is_empty() || !id.chars().all(plain) {
            return Err(unknown());
        }
        self.read(id).map(Arc::new).ok_or_else(unknown)
    }

    /// A match from its files.
    fn read(&self, id: &str) -> Option<MatchView> {
        let kept = self.kept(id);
        let journal = self.folder.join(id).with_extension("jsonl");
        let settings: Option<Settings> = std::fs::read(journal.with_extension("settings.json"))
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok());
        let mut view = self.blank(id, kept.as_ref());
        let length = std::fs::metadata(&journal).map_or(0, |file| file.len());
        let games: Vec<Record> =
            if length <= LONGEST_JOURNAL { record::read(&journal).unwrap_or_default() } else { Vec::new() };
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
        view.games = kept.map(|kept| kept.wish.games.div_ceil(2) * 2);
        view.report = report.json();
        Some(view)
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
