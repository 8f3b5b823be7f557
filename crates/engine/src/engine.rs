//! The engine: one variant, one searcher that is kept from move to move.

use crate::board::Board;
use crate::erased::{ErasedSearcher, Param};
use crate::error::EngineError;
use crate::forced_win;
use crate::idle::Idle;
use crate::options::{OptionSpec, Options, Own, text_options};
use crate::report::{Best, Info, Known, MoveValue, Progress, Solution};
use crate::request::Request;
use crate::score::Score;
use crate::variant::Variant;
use polyply_core::clock::Limits;
use polyply_core::control::Control;
use polyply_core::family::Solving;
use polyply_core::random::Random;
use polyply_core::table::{EvalCache, EvalCounters, SearchTt, TableReport, snapshot};
use std::path::Path;
use std::sync::Arc;

/// Nodes for a move that has to be found when the time is over: some milliseconds.
const LATE_NODES: u64 = 10_000;

/// Plays, analyses and solves one variant.
pub struct Engine {
    variant: Variant,
    searcher: Box<dyn ErasedSearcher>,
    options: Options,
    idle: Option<Idle>,
    /// What the errors of the weaker levels are drawn from: other ones in every run.
    random: Random,
}

/// The state of both caches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caches {
    /// The Search TT.
    pub search: TableReport,
    /// The evaluation cache.
    pub eval: TableReport<EvalCounters>,
}

/// Looks at the caches of an engine, also while it searches.
#[derive(Clone)]
pub struct Gauge {
    table: Arc<SearchTt>,
    eval_cache: Arc<EvalCache>,
}

impl Gauge {
    /// Counters, fill and memory of both caches.
    pub fn caches(&self) -> Caches {
        Caches { search: self.table.report(), eval: self.eval_cache.report() }
    }
}

impl Engine {
    /// An engine for a variant, or what is wrong with the options.
    pub fn new(variant: &Variant, options: &Options) -> Result<Engine, EngineError> {
        options.check()?;
        let table = Arc::new(SearchTt::try_new(options.hash_bytes())?);
        let eval_cache = Arc::new(EvalCache::try_new(options.eval_cache_bytes())?);
        let mut searcher = variant.game().searcher(table, eval_cache);
        searcher.set_threads(options.threads);
        let random = Random::fresh();
        Ok(Engine { variant: variant.clone(), searcher, options: *options, idle: None, random })
    }

    /// What it plays.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    pub(crate) fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// The handle by which other threads stop a search, or tell it that the expected move was played. Who hands a search
    /// to another thread arms it first ([`Control::arm`]), so that no stop is lost.
    pub fn control(&self) -> Arc<Control> {
        self.searcher.control()
    }

    /// Finds the best move. Idle improvement holds still meanwhile.
    pub fn search(&mut self, request: &Request, sink: &mut dyn FnMut(&Info)) -> Result<Best, EngineError> {
        let _hold = self.idle.as_ref().map(|idle| idle.hold());
        let multipv = request.multipv.unwrap_or(self.options.multipv);
        let best = self.searcher.search(request, multipv, sink);
        // A request that was refused takes back what its sender may have promised.
        self.searcher.control().disarm();
        best
    }

    /// Finds the move to play: as [`Engine::search`], but never one that was not looked at, however early it was stopped.
    pub fn best_move(&mut self, request: &Request, sink: &mut dyn FnMut(&Info)) -> Result<Best, EngineError> {
        let stopped = self.search(request, sink)?;
        if !stopped.lines.is_empty() {
            return Ok(stopped);
        }
        // It is late already: solvers before the search get a part of few nodes.
        let limits = Limits { nodes: Some(LATE_NODES), ..Limits::depth(1) };
        let glance = Request { limits, multipv: Some(1), ..request.clone() };
        let mut best = self.search(&glance, sink)?;
        best.nodes += stopped.nodes;
        best.time += stopped.time;
        Ok(best)
    }

    /// Finds the value of a position under perfect play, with a line that keeps it. `progress` is told the bounds
    /// after each step.
    ///
    /// Where the game is too long for that ([`Solving::ForcedWin`]) it looks for a win of either
    /// side that the other can't avoid. The value is then a win in at most so many plies, for there may be a shorter one,
    /// and without a limit the search may have no end.
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

    /// Solves a position by one of its moves. The limits are for this move alone.
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

    /// What the Search TT knows of a position, as the next search would see it.
    pub fn lookup(&self, board: &Board) -> Result<Option<Known>, EngineError> {
        self.searcher.lookup(board.position())
    }

    /// Another game begins: forgets what was learned from the moves of the last one. The caches stay.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// Plays another variant from now on, with the same options and on the same tables. Keys are salted with the weights
    /// and, where a game has rules to choose from, with the rules, so results of the two do not mix.
    pub fn set_variant(&mut self, variant: &Variant) {
        self.idle = None;
        let (table, eval_cache) = (self.searcher.table().clone(), self.searcher.eval_cache().clone());
        let mut searcher = variant.game().searcher(table, eval_cache);
        searcher.set_threads(self.options.threads);
        for Param { spec, value, .. } in self.searcher.params() {
            // A parameter that the other game does not have stays behind.
            let _ = searcher.set_param(spec.name, value);
        }
        (self.variant, self.searcher) = (variant.clone(), searcher);
    }

    /// Gets ready for a game against the clock: the first move will be as quick as the others.
    pub fn prepare(&self) {
        self.searcher.table().touch();
    }

    /// Empties both caches.
    pub fn flush(&mut self) {
        self.searcher.table().flush();
        self.searcher.eval_cache().flush();
    }

    /// Counters, fill and memory of both caches.
    pub fn caches(&self) -> Caches {
        self.gauge().caches()
    }

    /// The caches as they are now, to look at while the engine searches. Another size of a cache makes another one.
    pub fn gauge(&self) -> Gauge {
        Gauge { table: self.searcher.table().clone(), eval_cache: self.searcher.eval_cache().clone() }
    }

    /// Saves the Search TT to a file, and says how many entries it had.
    pub fn save(&self, path: &Path) -> Result<u64, EngineError> {
        Ok(snapshot::save(self.searcher.table(), path, self.variant.fingerprint())?)
    }

    /// Loads the Search TT from a file that was saved for the same variant and weights, and says how many entries
    /// it had. After an error the table is empty.
    pub fn load(&mut self, path: &Path) -> Result<u64, EngineError> {
        let _hold = self.idle.as_ref().map(|idle| idle.hold());
        Ok(snapshot::load(self.searcher.table(), path, self.variant.fingerprint())?)
    }

    /// All options with their values: the engine's own, then the parameters of the core and of the game.
    pub fn options(&mut self) -> Vec<OptionSpec> {
        let own = Own::ALL.into_iter().map(|own| own.spec(self.options.get(own)));
        own.chain(self.searcher.params().into_iter().map(OptionSpec::from)).collect()
    }

    /// The option of a name, capitals or not.
    pub fn option(&mut self, name: &str) -> Result<OptionSpec, EngineError> {
        let unknown = || EngineError::UnknownOption { name: name.to_owned() };
        self.options().into_iter().find(|spec| spec.name.eq_ignore_ascii_case(name)).ok_or_else(unknown)
    }

    /// Sets an option. What is not concerned stays as it is: threads keep what they have learned, and only another
    /// size empties a cache.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        if let Some(option) = text_options().find(|option| option.name.eq_ignore_ascii_case(name)) {
            return (option.set)(value).map_err(|reason| EngineError::TextOption { name: option.name, reason });
        }
        let spec = self.option(name)?;
        let value = spec.read(value)?;
        match Own::find(spec.name) {
            Some(own) => self.set_own(own, value as usize),
            None => {
                // In range, so it fits; and both searchers know the parameter, so neither refuses.
                let value = value as i32;
                let set = self.searcher.set_param(spec.name, value);
                debug_assert_eq!(set, Ok(()));
                if let Some(idle) = &self.idle {
                    idle.set_param(spec.name, value);
                }
                Ok(())
            }
        }
    }

    fn set_own(&mut self, own: Own, value: usize) -> Result<(), EngineError> {
        let mut options = self.options;
        match own {
            Own::Threads => {
                options.threads = value;
                self.searcher.set_threads(value);
            }
            Own::MultiPv => options.multipv = value,
            Own::Hash => {
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
            Own::EvalCache => {
                options.eval_cache = value;
                if value != self.options.eval_cache {
                    let eval_cache = EvalCache::try_new(options.eval_cache_bytes())?;
                    eval_cache.count(&self.searcher.eval_cache().counters());
                    self.searcher.set_tables(self.searcher.table().clone(), Arc::new(eval_cache));
                }
            }
        }
        self.options = options;
        Ok(())
    }

    /// Begins to improve the Search TT while nobody plays; see [`Idle`].
    pub fn start_idle(&mut self) -> &Idle {
        if self.idle.is_none() {
            let mut explorer = self.variant.game().explorer(self.searcher.table().clone());
            // Results of other parameters may be other entries of the table: the two searchers must agree.
            for Param { spec, value, .. } in self.searcher.params() {
                let set = explorer.set_param(spec.name, value);
                debug_assert_eq!(set, Ok(()));
            }
            self.idle = Some(Idle::start(explorer));
        }
        self.idle.as_ref().expect("it was just started")
    }

    /// Idle improvement, if it was started.
    pub fn idle(&self) -> Option<&Idle> {
        self.idle.as_ref()
    }

    /// Ends idle improvement and forgets its queue.
    pub fn stop_idle(&mut self) {
        self.idle = None;
    }
}
