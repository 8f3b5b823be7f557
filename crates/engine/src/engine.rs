//! The engine: one variant, and one searcher that is kept from move to move.

use crate::book::{self, Book, BookMove};
use crate::forced_win;
use crate::idle::{Idle, IdleThread, Improvement};
use crate::level::{LEVELS, Level, Persona, Player};
use polyply_core::clock::Limits;
use polyply_core::control::Control;
use polyply_core::family::Solving;
use polyply_core::frontier::Reason;
use polyply_core::random::Random;
use polyply_core::table::{EvalCache, EvalCounters, SearchTt, TableReport, snapshot};
use polyply_games::{
    Best, Board, Bound, EngineError, EngineOption, Info, OptionSpec, Options, Progress, Request, Score, Solution,
    TableEntry, Variant,
    erased::{ErasedImprover, ErasedSearcher, Param},
    text_options,
};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How many lines of proven wins are completed; nobody reads more.
const COMPLETED_LINES: usize = 4;
/// Megabytes of the Search TT of levels below full strength: enough for their few nodes, and quick to clear.
const LIMITED_HASH: usize = 4;
/// Nodes for a move that must be found after the time has run out: some milliseconds.
const LATE_NODES: u64 = 10_000;

/// Plays, analyses and solves one variant.
pub struct Engine {
    variant: Variant,
    searcher: Box<dyn ErasedSearcher>,
    /// The searcher of levels below full strength, with a small table of its own: what the engine knows at full strength
    /// must not help them.
    limited: Option<Box<dyn ErasedSearcher>>,
    options: Options,
    idle: Option<Idle>,
    /// The opening book that was set; without one, the program's own.
    book: Option<Arc<dyn Book>>,
    /// The source of the weaker levels' errors; seeded differently in every run.
    random: Random,
}

/// The state of both caches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Caches {
    /// The Search TT.
    pub search: TableReport,
    /// The evaluation cache.
    pub eval: TableReport<EvalCounters>,
}

/// Reads the state of an engine's caches, even while it searches.
#[derive(Clone)]
pub struct CacheMonitor {
    table: Arc<SearchTt>,
    eval_cache: Arc<EvalCache>,
    fingerprint: u64,
}

/// The value of a move under perfect play.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct MoveValue {
    /// The move.
    pub mv: String,
    /// The value of playing it, if it was found within the limits; distances count from before the move.
    pub value: Option<Score>,
    /// Best play from there, the move included.
    pub line: Vec<String>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

impl CacheMonitor {
    /// Counters, fill and memory of both caches.
    pub fn caches(&self) -> Caches {
        Caches { search: self.table.report(), eval: self.eval_cache.report() }
    }

    /// Saves the Search TT to a file; see [`Engine::save`]. Two saves to the same file must not run at the same time.
    pub fn save(&self, path: &Path) -> Result<u64, EngineError> {
        Ok(snapshot::save(&self.table, path, self.fingerprint)?)
    }
}

impl Engine {
    /// Creates an engine for a variant. Fails if an option is out of range.
    pub fn new(variant: &Variant, options: &Options) -> Result<Engine, EngineError> {
        options.check()?;
        let options = options.for_game(variant.about());
        let table = Arc::new(SearchTt::try_new(options.hash_bytes())?);
        let eval_cache = Arc::new(EvalCache::try_new(options.eval_cache_bytes())?);
        let mut searcher = variant.game().searcher(table, eval_cache);
        searcher.set_threads(options.threads);
        let random = Random::fresh();
        Ok(Engine { variant: variant.clone(), searcher, limited: None, options, idle: None, book: None, random })
    }

    /// Another engine for the same variant, with one thread, an empty table of `hash` megabytes, and all parameters at
    /// their defaults. What it finds within a limit of nodes depends on its requests alone. Whoever stops this engine
    /// stops that one too.
    pub fn apart(&self, hash: usize) -> Result<Engine, EngineError> {
        let mut engine = Engine::new(&self.variant, &Options { hash, ..Options::default() })?;
        engine.searcher.set_control(self.control());
        Ok(engine)
    }

    /// The variant.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    pub(crate) fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// The handle by which other threads stop a search, or tell it that the expected move was played. Before handing a
    /// search to another thread, arm it ([`Control::arm`]), so that no stop is lost.
    pub fn control(&self) -> Arc<Control> {
        self.searcher.control()
    }

    /// Does something with the searcher of levels below full strength in place of the engine's own. Its table is empty, so
    /// that a level is as strong in the hundredth game as in the first.
    pub(crate) fn with_limited_searcher<R>(&mut self, level: &Level, run: impl FnOnce(&mut Engine) -> R) -> R {
        let mut limited = match self.limited.take() {
            Some(limited) => limited,
            None => self.new_limited_searcher(),
        };
        limited.table().flush();
        for Param { spec, default, .. } in limited.params() {
            if self.variant.about().foresight.contains(&spec.name) {
                let set = limited.set_param(spec.name, level.foresight_of(default).clamp(spec.min, spec.max));
                debug_assert_eq!(set, Ok(()));
            }
        }
        std::mem::swap(&mut self.searcher, &mut limited);
        let result = run(self);
        std::mem::swap(&mut self.searcher, &mut limited);
        self.limited = Some(limited);
        result
    }

    fn new_limited_searcher(&mut self) -> Box<dyn ErasedSearcher> {
        let table = Arc::new(SearchTt::new(LIMITED_HASH << 20));
        let mut limited = self.variant.game().searcher(table, Arc::new(EvalCache::off()));
        for Param { spec, value, .. } in self.searcher.params() {
            let set = limited.set_param(spec.name, value);
            debug_assert_eq!(set, Ok(()));
        }
        limited.set_control(self.control());
        limited
    }

    /// Sets the parameter `contempt`, if it changes: every change makes the threads forget.
    pub(crate) fn set_contempt(&mut self, contempt: i32) {
        const NAME: &str = "contempt";
        let known = self.searcher.params().into_iter().find(|param| param.spec.name == NAME);
        if let Some(Param { spec, value, .. }) = known
            && value != contempt.clamp(spec.min, spec.max)
        {
            self.set_param(NAME, contempt.clamp(spec.min, spec.max));
        }
    }

    /// Sets a parameter to a value in its range, for both searchers that share a table.
    fn set_param(&mut self, name: &'static str, value: i32) {
        let set = self.searcher.set_param(name, value);
        debug_assert_eq!(set, Ok(()));
        if let Some(idle) = &self.idle {
            idle.set_param(name, value);
        }
    }

    /// Finds the best move. Idle improvement pauses meanwhile.
    pub fn search(&mut self, request: &Request, sink: &mut dyn FnMut(&Info)) -> Result<Best, EngineError> {
        let _hold = self.idle.as_ref().map(|idle| idle.hold());
        let multipv = request.multipv.unwrap_or(self.options.multipv);
        let best = self.searcher.search(request, multipv, sink);
        // A refused request must not leave the control armed.
        self.searcher.control().disarm();
        best
    }

    /// Extends the lines of proven wins to the end of the game as far as possible, for those who want to see them: a search
    /// ends its line where a solver has proven the rest.
    pub fn complete_wins(&mut self, board: &Board, best: &mut Best) -> Result<(), EngineError> {
        for line in best.lines.iter_mut().take(COMPLETED_LINES) {
            if let (Score::Win(plies), Bound::Exact) = (line.score, line.bound) {
                let moves = std::mem::take(&mut line.moves);
                line.moves = forced_win::follow(board, moves, plies, &mut |board, limits| {
                    let request = Request { limits, multipv: Some(1), ..Request::new(board) };
                    self.search(&request, &mut |_| ()).map(Some)
                })?;
            }
        }
        Ok(())
    }

    /// Finds the move to play. Like [`Engine::search`], but the move was always searched, however early the stop came.
    pub fn best_move(&mut self, request: &Request, sink: &mut dyn FnMut(&Info)) -> Result<Best, EngineError> {
        let stopped = self.search(request, sink)?;
        if !stopped.lines.is_empty() {
            return Ok(stopped);
        }
        // The time has run out, so solvers and search get few nodes.
        let limits = Limits { nodes: Some(LATE_NODES), ..Limits::depth(1) };
        let glance = Request { limits, multipv: Some(1), ..request.clone() };
        let mut best = self.search(&glance, sink)?;
        best.nodes += stopped.nodes;
        best.time += stopped.time;
        Ok(best)
    }

    /// Finds the move to play as the options say: from the opening book if `OwnBook` is on, else by a search, at the level
    /// `Level` and in the style `Persona`. What is analysis, not play, is always searched at full strength.
    pub fn play(&mut self, request: &Request, sink: &mut dyn FnMut(&Info)) -> Result<Best, EngineError> {
        let limits = &request.limits;
        let is_analysis = limits.infinite || limits.ponder || limits.mate.is_some() || request.multipv > Some(1);
        if is_analysis || !request.search_moves.is_empty() {
            return self.best_move(request, sink);
        }
        let player = self.player();
        if !player.is_plain() {
            return self.play_as(&request.board, &player, request.limits, sink);
        }
        match self.book_move(&request.board) {
            Some(best) => Ok(best),
            None => self.best_move(request, sink),
        }
    }

    /// Who the options say the engine plays as.
    fn player(&self) -> Player {
        let Options { level, persona, opponent_elo, .. } = self.options;
        Player {
            level: u8::try_from(level).ok().and_then(Level::find).unwrap_or(&LEVELS[9]),
            persona: Persona::numbered(persona),
            opponent_elo: (opponent_elo > 0).then_some(opponent_elo as i32),
        }
    }

    /// A move from the opening book, drawn by weight, if the book knows the position.
    pub(crate) fn book_move(&mut self, board: &Board) -> Option<Best> {
        let moves = self.book_moves(board);
        let mv = book::draw(&moves, &mut self.random)?;
        self.searcher.control().disarm();
        Some(mv.as_best())
    }

    /// What the opening book knows of a position, the best move first; nothing if the option `OwnBook` is off. A book
    /// that can't be read knows nothing.
    pub(crate) fn book_moves(&self, board: &Board) -> Vec<BookMove> {
        match self.book().filter(|_| self.options.own_book && board.outcome().is_none()) {
            Some(book) => book.moves(board).unwrap_or_default(),
            None => Vec::new(),
        }
    }

    /// The opening book: the one that was set, or the program's own for the variant.
    pub fn book(&self) -> Option<Arc<dyn Book>> {
        match &self.book {
            Some(book) => Some(book.clone()),
            None => book::embedded(&self.variant).map(|book| book as Arc<dyn Book>),
        }
    }

    /// Sets the opening book; without one, the program's own is used.
    pub fn set_book(&mut self, book: Option<Arc<dyn Book>>) {
        self.book = book;
    }

    /// Finds the value of a position under perfect play, with a line that keeps it. `progress` is called with the
    /// bounds after each step.
    ///
    /// If the game is too long for that ([`Solving::ForcedWin`]), it looks for a win that the other side can't avoid.
    /// The value is then an upper bound: there may be a shorter win. Without limits the search may not end.
    pub fn solve(
        &mut self,
        board: &Board,
        limits: Limits,
        progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<Solution, EngineError> {
        let _hold = self.idle.as_ref().map(|idle| idle.hold());
        match self.variant.about().solving {
            Solving::Value => self.searcher.solve(board.position(), limits, progress),
            Solving::ForcedWin { budgets, params } => {
                forced_win::solve(&mut *self.searcher, budgets, params, board, limits, progress)
            }
        }
    }

    /// Solves the position after a move. The limits are for this move alone.
    pub fn solve_move(
        &mut self,
        board: &Board,
        mv: &str,
        limits: Limits,
        progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<MoveValue, EngineError> {
        let after = board.after(mv)?;
        let mv = after.moves().last().cloned().unwrap_or_default();
        if let Some(outcome) = after.outcome() {
            let (line, time) = (vec![mv.clone()], Default::default());
            return Ok(MoveValue { mv, value: Some(outcome.as_last_move()), line, nodes: 1, time });
        }
        let solution = self.solve(&after, limits, progress)?;
        let value = solution.value.map(Score::one_ply_before);
        let line = std::iter::once(mv.clone()).chain(solution.line).collect();
        Ok(MoveValue { mv, value, line, nodes: solution.nodes, time: solution.time })
    }

    /// The Search TT's entry for a position, as the next search would see it.
    pub fn lookup(&self, board: &Board) -> Result<Option<TableEntry>, EngineError> {
        self.searcher.lookup(board.position())
    }

    /// A new game begins: forgets what was learned from the moves of the last one. The caches stay.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
        if let Some(limited) = &mut self.limited {
            limited.new_game();
        }
    }

    /// Switches to another variant, with the same options and tables. Keys are salted with the weights and with the
    /// rules, so results of the two variants do not mix.
    pub fn set_variant(&mut self, variant: &Variant) {
        (self.idle, self.book, self.limited) = (None, None, None);
        let (table, eval_cache) = (self.searcher.table().clone(), self.searcher.eval_cache().clone());
        let mut searcher = variant.game().searcher(table, eval_cache);
        searcher.set_threads(self.options.threads);
        for Param { spec, value, .. } in self.searcher.params() {
            // Parameters that the other game does not have are dropped.
            let _ = searcher.set_param(spec.name, value);
        }
        (self.variant, self.searcher) = (variant.clone(), searcher);
    }

    /// Touches the memory of the tables, so that the first move on the clock is as quick as the others.
    pub fn prepare(&self) {
        self.searcher.table().touch();
    }

    /// Clears both caches.
    pub fn flush(&mut self) {
        self.searcher.table().flush();
        self.searcher.eval_cache().flush();
        if let Some(idle) = &self.idle {
            idle.begin_anew();
        }
    }

    /// Counters, fill and memory of both caches.
    pub fn caches(&self) -> Caches {
        self.cache_monitor().caches()
    }

    /// A handle to the current caches, usable while the engine searches. Resizing a cache replaces it.
    pub fn cache_monitor(&self) -> CacheMonitor {
        CacheMonitor {
            table: self.searcher.table().clone(),
            eval_cache: self.searcher.eval_cache().clone(),
            fingerprint: self.variant.fingerprint(),
        }
    }

    /// Saves the Search TT to a file. Returns the number of entries.
    pub fn save(&self, path: &Path) -> Result<u64, EngineError> {
        self.cache_monitor().save(path)
    }

    /// Loads the Search TT from a file that was saved for the same variant and weights. Returns the number of entries.
    /// After an error the table is empty.
    pub fn load(&mut self, path: &Path) -> Result<u64, EngineError> {
        let _hold = self.idle.as_ref().map(|idle| idle.hold());
        Ok(snapshot::load(self.searcher.table(), path, self.variant.fingerprint())?)
    }

    /// All options with their values: the engine's own, then the parameters of the core and of the game.
    pub fn options(&mut self) -> Vec<OptionSpec> {
        let usual = Options::default().for_game(self.variant.about());
        let own = EngineOption::ALL.map(|option| {
            let mut spec = option.spec(self.options.get(option));
            spec.default = usual.get(option) as i64;
            spec
        });
        own.into_iter().chain(self.searcher.params().into_iter().map(OptionSpec::from)).collect()
    }

    /// The option with this name. Case is ignored.
    pub fn option(&mut self, name: &str) -> Result<OptionSpec, EngineError> {
        let unknown = || EngineError::UnknownOption { name: name.to_owned() };
        self.options().into_iter().find(|spec| spec.name.eq_ignore_ascii_case(name)).ok_or_else(unknown)
    }

    /// Sets an option and keeps everything else: threads keep what they have learned, and a cache is only cleared when
    /// its size changes.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        if let Some(option) = text_options().find(|option| option.name.eq_ignore_ascii_case(name)) {
            return (option.set)(value).map_err(|reason| EngineError::TextOption { name: option.name, reason });
        }
        let spec = self.option(name)?;
        let value = spec.read(value)?;
        match EngineOption::find(spec.name) {
            Some(option) => self.set_engine_option(option, value as usize),
            None => {
                self.set_param(spec.name, value as i32);
                // It is made anew with this value.
                self.limited = None;
                Ok(())
            }
        }
    }

    fn set_engine_option(&mut self, option: EngineOption, value: usize) -> Result<(), EngineError> {
        let mut options = self.options;
        match option {
            EngineOption::Threads => {
                options.threads = value;
                self.searcher.set_threads(value);
            }
            EngineOption::MultiPv => options.multipv = value,
            EngineOption::OwnBook => options.own_book = value == 1,
            EngineOption::Level => options.level = value,
            EngineOption::Persona => options.persona = value,
            EngineOption::OpponentElo => options.opponent_elo = value,
            EngineOption::Hash => {
                options.hash = value;
                if value != self.options.hash {
                    let table = SearchTt::try_new(options.hash_bytes())?;
                    table.count(&self.searcher.table().counters());
                    let table = Arc::new(table);
                    self.searcher.set_tables(table.clone(), self.searcher.eval_cache().clone());
                    if let Some(idle) = &self.idle {
                        idle.set_table(table);
                    }
                }
            }
            EngineOption::EvalCache => {
                options.eval_cache = Some(value);
                if options.eval_cache != self.options.eval_cache {
                    let eval_cache = EvalCache::try_new(options.eval_cache_bytes())?;
                    eval_cache.count(&self.searcher.eval_cache().counters());
                    self.searcher.set_tables(self.searcher.table().clone(), Arc::new(eval_cache));
                }
            }
        }
        self.options = options;
        Ok(())
    }

    /// Starts idle improvement of the Search TT on a thread that engines may share; see [`IdleThread`]. The start of the
    /// game is the first position that matters.
    pub fn start_idle(&mut self, thread: &IdleThread) -> &Idle {
        if self.idle.is_none() {
            let idle = Idle::start(thread, self.improver());
            idle.add(&Board::new(&self.variant), Reason::Start);
            self.idle = Some(idle);
        }
        self.idle.as_ref().expect("it was just started")
    }

    /// Idle improvement of the Search TT step by step. Meanwhile the options of the engine must not change.
    pub fn improvement(&mut self) -> Improvement {
        Improvement::new(self.improver())
    }

    fn improver(&mut self) -> Box<dyn ErasedImprover> {
        let mut improver = self.variant.game().improver(self.searcher.table().clone());
        // Both searchers must use the same parameters, since parameters may change the keys of the table.
        for Param { spec, value, .. } in self.searcher.params() {
            let set = improver.set_param(spec.name, value);
            debug_assert_eq!(set, Ok(()));
        }
        improver
    }

    /// Idle improvement, if it was started.
    pub fn idle(&self) -> Option<&Idle> {
        self.idle.as_ref()
    }

    /// Stops idle improvement and forgets its queue.
    pub fn stop_idle(&mut self) {
        self.idle = None;
    }
}
