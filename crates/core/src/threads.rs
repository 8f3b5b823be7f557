//! The searcher: the engine for one game, kept from move to move, with any number of threads.
//!
//! Threads share the Search TT and the evaluation cache ([Lazy SMP]), and note which moves they are searching
//! (`busy.rs`). At the end they vote.
//!
//! [Lazy SMP]: https://www.chessprogramming.org/Lazy_SMP

use crate::busy::Busy;
use crate::clock::{Limits, Pid, TimeKeeper};
use crate::control::Control;
use crate::game::{Class, MoveList, Proof, SearchGame, Staged};
use crate::params::SearchParams;
use crate::score::Score;
use crate::search::{Best, Deepening, Info, Line, Reductions, RootMove, Search, Shared, Worker};
use crate::stats::Stats;
use crate::table::{Bound, Entry, EvalCache, EvalCounters, SearchTt, TableCounters};
use crate::vote::{ThreadResult, vote};
use crate::watch::NodeCount;
use std::sync::Arc;
use std::time::Duration;

/// What to search, besides the position.
#[derive(Clone, Debug)]
pub struct Task<M> {
    /// When to end.
    pub limits: Limits,
    /// How many best lines to find.
    pub multipv: usize,
    /// Only these moves are searched; all if it is empty.
    pub only: Vec<M>,
}

impl<M> Task<M> {
    /// One line within limits.
    pub fn new(limits: Limits) -> Self {
        Task { limits, multipv: 1, only: Vec::new() }
    }
}

/// Plays one game: holds the tables and what its threads have learned, from move to move.
pub struct Searcher<G: SearchGame> {
    pub(crate) shared: Shared<G>,
    pub(crate) workers: Vec<Worker<G>>,
    pub(crate) pid: Pid,
}

impl<G: SearchGame> Searcher<G> {
    /// A searcher with one thread, on these tables.
    pub fn new(eval: G::Eval, table: Arc<SearchTt>, eval_cache: Arc<EvalCache>) -> Self {
        let shared = Shared::new(eval, table, eval_cache);
        let mut searcher = Searcher { shared, workers: Vec::new(), pid: Pid::default() };
        searcher.set_threads(1);
        searcher
    }

    /// The handle by which another thread can stop a search.
    pub fn control(&self) -> Arc<Control> {
        self.shared.control.clone()
    }

    /// Whoever stops searches by this handle stops the searches of this searcher too.
    pub fn set_control(&mut self, control: Arc<Control>) {
        self.shared.control = control;
    }

    /// The Search TT.
    pub fn table(&self) -> &Arc<SearchTt> {
        &self.shared.table
    }

    /// The evaluation cache.
    pub fn eval_cache(&self) -> &Arc<EvalCache> {
        &self.shared.eval_cache
    }

    /// Uses other tables from now on.
    pub fn set_tables(&mut self, table: Arc<SearchTt>, eval_cache: Arc<EvalCache>) {
        (self.shared.table, self.shared.eval_cache) = (table, eval_cache);
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Sets the number of threads; those that stay keep what they have learned.
    pub fn set_threads(&mut self, threads: usize) {
        let threads = threads.max(1);
        self.workers.truncate(threads);
        while self.workers.len() < threads {
            self.workers.push(Worker::new(self.shared.eval.clone()));
        }
        self.shared.counts = (0..threads).map(|_| NodeCount::default()).collect();
        self.shared.busy = Busy::for_threads(threads);
    }

    /// The core's parameters.
    pub fn params(&self) -> &SearchParams {
        &self.shared.params
    }

    /// Sets the core's parameters. If they change, the threads forget what they have learned with the old ones.
    pub fn set_params(&mut self, params: SearchParams) {
        if params != self.shared.params {
            self.workers.iter_mut().for_each(Worker::clear);
        }
        *self.shared.reductions = Reductions::new(&params);
        self.shared.params = params;
    }

    /// The game's parameters.
    pub fn game_params(&mut self) -> &mut G::Params {
        &mut self.shared.game_params
    }

    /// What a search has found about a position, as the next search would see it in the Search TT.
    pub fn entry(&self, game: &G) -> Option<Entry> {
        let key = game.key() ^ self.shared.salt(self.shared.draw_value(game.side()));
        self.shared.table.peek(key).filter(|entry| !entry.is_evaluation())
    }

    /// Another game begins: the threads forget what they have learned. The tables stay.
    pub fn new_game(&mut self) {
        self.pid = Pid::default();
        self.workers.iter_mut().for_each(Worker::clear);
    }

    /// Finds the best move. Returns when a limit is reached or [`Control::stop`] was called.
    pub fn search(
        &mut self,
        root: &G,
        task: &Task<G::Move>,
        sink: &mut dyn FnMut(&Info<'_, G::Move>),
    ) -> Best<G::Move> {
        self.shared.control.begin(task.limits.ponder);
        self.shared.table.next_generation();
        self.shared.eval_cache.next_generation();
        let best = self.run(root, task, sink);
        self.shared.control.disarm();
        best
    }

    /// Searches without a new generation of the tables, unless it was stopped already.
    pub(crate) fn run(
        &mut self,
        root: &G,
        task: &Task<G::Move>,
        sink: &mut dyn FnMut(&Info<'_, G::Move>),
    ) -> Best<G::Move> {
        let params = &self.shared.params;
        let late = if root.endgame() { f64::from(params.time_endgame_percent) / 100.0 } else { 1.0 };
        let time = TimeKeeper::start(&task.limits, params, late * self.pid.factor(params));
        let mut whole = self.list_root_moves(root, task);
        if self.workers[0].root_moves.is_empty() {
            return Best::over();
        }
        let job = self.shared.job(root, task.limits, task.multipv.max(1));
        let (main, helpers) = self.workers.split_first_mut().expect("there is always one thread");
        let mut search = Search::new(&job, main, self.shared.watch(0, &task.limits, Some(time)));
        let mut stage = "search";
        if whole && let Some(staged) = search.ask_stages() {
            stage = staged.stage;
            if staged.score.is_some() {
                let best = search.staged_answer(&staged, sink);
                wait(&task.limits, &self.shared.control);
                return best;
            }
            whole = search.keep_only(&staged.line);
        }
        let results = deepen_on_all(&self.shared, &mut search, helpers, (stage, whole), sink);
        let time = search.watch.time.take();
        if let Some((target, used)) = time.as_ref().and_then(TimeKeeper::account) {
            self.pid.observe(target, used);
        }
        let time = time.map(|time| time.elapsed()).unwrap_or_default();
        self.answer(root, task, (stage, time), &results, sink)
    }

    /// Puts together what the threads found, and reports it if the answer is not the main thread's.
    fn answer(
        &self,
        root: &G,
        task: &Task<G::Move>,
        (stage, time): (&'static str, Duration),
        results: &[ThreadResult],
        sink: &mut dyn FnMut(&Info<'_, G::Move>),
    ) -> Best<G::Move> {
        let mut stats = Stats::default();
        results.iter().for_each(|result| stats.add(&result.stats));
        self.shared.table.count(&TableCounters::from(&stats));
        self.shared.eval_cache.count(&EvalCounters::from(&stats));
        let seldepth = results.iter().map(|result| result.seldepth).max().unwrap_or(0) as i32;
        // Exact mode answers for one depth, the main thread's; helpers may be at another one.
        let voted = if task.multipv > 1 || self.shared.params.exact != 0 { 0 } else { vote(results) };
        let chosen = results.iter().position(|result| result.done).unwrap_or(voted);
        let best = Best { lines: self.lines(chosen, root, task), stage, seldepth, stats, time };
        if chosen > 0 {
            self.tell(&best, sink);
        }
        best
    }

    /// The best lines of a thread.
    fn lines(&self, thread: usize, root: &G, task: &Task<G::Move>) -> Vec<Line<G::Move>> {
        let side = root.side();
        let found = self.workers[thread].root_moves.iter().take(task.multipv.max(1));
        let lines: Vec<_> = found
            .enumerate()
            .filter(|(index, root)| *index == 0 || root.is_known())
            .map(|(_, root)| Line {
                score: if root.is_known() { root.score } else { Score::ZERO }.for_first(side),
                bound: root.bound,
                depth: root.depth,
                moves: root.line.to_vec(),
            })
            .collect();
        if G::FINISHES { self.followed(root, lines) } else { lines }
    }

    /// Extends each line by the moves that the table knows after it: the game's own solver leaves no line.
    fn followed(&self, root: &G, mut lines: Vec<Line<G::Move>>) -> Vec<Line<G::Move>> {
        let salt = self.shared.salt(self.shared.draw_value(root.side()));
        for line in lines.iter_mut().filter(|line| root.certainty(line.depth).is_some()) {
            let mut game = root.clone();
            line.moves.iter().for_each(|&mv| drop(game.play(mv, &mut ())));
            while let Some(entry) = self.shared.table.peek(game.key() ^ salt)
                && game.certainty(entry.depth.into()) >= root.certainty(line.depth)
                && let Some(mv) = game.decode(entry.best)
            {
                line.moves.push(mv);
                game.play(mv, &mut ());
            }
        }
        lines
    }

    /// Reports what another thread than the main one has found.
    fn tell(&self, best: &Best<G::Move>, sink: &mut dyn FnMut(&Info<'_, G::Move>)) {
        if let Some(line) = best.lines.first() {
            sink(&Info {
                depth: line.depth,
                seldepth: best.seldepth,
                multipv: 1,
                score: line.score,
                bound: line.bound,
                line: &line.moves,
                nodes: best.stats.nodes,
                time: best.time,
                fill: self.shared.table.fill(),
                stage: best.stage,
            });
        }
    }

    /// Fills the main thread's root moves; true when they are all legal moves.
    fn list_root_moves(&mut self, root: &G, task: &Task<G::Move>) -> bool {
        let mut list = MoveList::new();
        root.moves(&mut list);
        let legal = list.len();
        let moves = &mut self.workers[0].root_moves;
        moves.clear();
        let wanted = |mv: &G::Move| task.only.is_empty() || task.only.contains(mv);
        let proven = root.proven_moves();
        let proof = |mv: G::Move| proven.iter().find(|known| known.0 == mv).map_or(Proof::OPEN, |known| known.1);
        moves.extend(list.iter().copied().filter(wanted).map(|mv| RootMove::new(mv, proof(mv))));
        // Remote moves come last, so that a search that is stopped early has not spent its time on them.
        moves.sort_by_cached_key(|move_| root.class(move_.mv) == Class::Remote);
        moves.len() == legal
    }
}

/// Deepens on the main thread, whose search it is, and on the helpers, until a limit is reached or it is stopped.
fn deepen_on_all<'a, G: SearchGame>(
    shared: &Shared<G>,
    search: &mut Search<'a, G>,
    helpers: &'a mut [Worker<G>],
    (stage, whole): (&'static str, bool),
    sink: &mut dyn FnMut(&Info<'_, G::Move>),
) -> Vec<ThreadResult> {
    let job = search.job;
    let limits = &job.limits;
    // Any thread may end the search where only the depth does, and where the answer may come from any thread.
    let ends_all =
        limits.depth.is_some() && job.multipv == 1 && job.params.exact == 0 && !limits.infinite && !limits.ponder;
    for worker in helpers.iter_mut() {
        worker.root_moves.clone_from(&search.worker.root_moves);
    }
    let helpers = helpers.iter_mut().enumerate().map(|(index, worker)| {
        let thread = index + 1;
        let watch = shared.watch(thread, limits, None);
        move || {
            let mut search = Search::new(job, worker, watch);
            search.deepen(Deepening { thread, stage, ends_all, whole, sink: None });
            search.finish()
        }
    });
    in_parallel(helpers, || {
        search.deepen(Deepening { thread: 0, stage, ends_all: false, whole, sink: Some(sink) });
        wait(limits, &shared.control);
        shared.control.stop();
        search.finish()
    })
}

/// Runs `main` on this thread and each of the helpers on one of its own; the results, `main`'s first.
pub(crate) fn in_parallel<R: Send, H: FnOnce() -> R + Send>(
    helpers: impl Iterator<Item = H>,
    main: impl FnOnce() -> R,
) -> Vec<R> {
    std::thread::scope(|scope| {
        let handles: Vec<_> = helpers.map(|helper| scope.spawn(helper)).collect();
        let mut results = vec![main()];
        results.extend(handles.into_iter().map(|handle| handle.join().expect("a search thread panicked")));
        results
    })
}

impl<G: SearchGame> Search<'_, G> {
    /// What this thread found.
    fn finish(&self) -> ThreadResult {
        let root = &self.worker.root_moves[0];
        ThreadResult {
            best: root.mv.into(),
            score: root.score,
            depth: root.depth,
            seldepth: self.seldepth,
            done: self.done,
            stats: self.count(),
        }
    }

    /// What the game answers before the search begins, where that may end it.
    fn ask_stages(&mut self) -> Option<Staged<G::Move>> {
        if self.job.multipv > 1 || self.params.exact != 0 || self.job.limits.infinite {
            return None;
        }
        self.watch.prepare();
        let (game, mut resources) = self.lend();
        let staged = game.staged(&mut resources);
        self.watch.begin();
        staged
    }

    /// Leaves only these root moves; true if they are all there are, so that the result is the position's.
    fn keep_only(&mut self, moves: &[G::Move]) -> bool {
        let legal = self.worker.root_moves.len();
        self.worker.root_moves.retain(|root| moves.contains(&root.mv));
        self.worker.root_moves.len() == legal
    }

    /// The answer of a stage before the search, reported and returned like that of a search.
    fn staged_answer(&mut self, staged: &Staged<G::Move>, sink: &mut dyn FnMut(&Info<'_, G::Move>)) -> Best<G::Move> {
        let (score, _) = self.bounds(Proof::exactly(staged.score.unwrap_or_default()), 0);
        let score = score.for_first(self.game.side());
        let depth = staged.line.len() as i32;
        let time = self.watch.time.as_ref().map(|time| time.elapsed()).unwrap_or_default();
        sink(&Info {
            depth,
            seldepth: depth,
            multipv: 1,
            score,
            bound: Bound::Exact,
            line: &staged.line,
            nodes: self.watch.nodes,
            time,
            fill: self.job.table.fill(),
            stage: staged.stage,
        });
        let line = Line { score, bound: Bound::Exact, depth, moves: staged.line.clone() };
        let stats = Stats { nodes: self.watch.nodes, ..Stats::default() };
        Best { lines: vec![line], stage: staged.stage, seldepth: depth, stats, time }
    }
}

/// Waits for the stop of a search that does not return by itself: one on the opponent's time, or without an end.
fn wait(limits: &Limits, control: &Control) {
    while !control.stopped() && (limits.infinite || control.pondering()) {
        std::thread::sleep(Duration::from_millis(1));
    }
}
