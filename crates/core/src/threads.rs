//! The searcher: one engine for one game, kept from move to move, with as many threads as it is given.
//!
//! Threads share nothing but the Search TT, the evaluation cache ([Lazy SMP]) and a note of what each is at
//! (`busy.rs`); at the end they vote.
//!
//! [Lazy SMP]: https://www.chessprogramming.org/Lazy_SMP

use crate::busy::Busy;
use crate::clock::{Limits, Pid, TimeKeeper};
use crate::control::Control;
use crate::game::{Class, Evaluation, MoveList, Proof, SearchGame, Side, Staged};
use crate::params::SearchParams;
use crate::score::{FirstScore, Score};
use crate::search::{Best, Deepening, Info, Job, Line, Reductions, RootMove, Search, Worker};
use crate::stats::Stats;
use crate::table::{Bound, Entry, EvalCache, EvalCounters, SearchTt, TableCounters};
use crate::watch::{NodeCount, Watch};
use std::sync::Arc;
use std::time::Duration;

/// What to search, besides the position.
#[derive(Clone, Debug)]
pub struct Task<M> {
    /// When to end.
    pub limits: Limits,
    /// How many best lines to find.
    pub multipv: usize,
    /// Only these moves; all where it is empty.
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
    eval: G::Eval,
    pub(crate) workers: Vec<Worker<G>>,
    pub(crate) table: Arc<SearchTt>,
    pub(crate) eval_cache: Arc<EvalCache>,
    pub(crate) control: Arc<Control>,
    pub(crate) counts: Arc<[NodeCount]>,
    pub(crate) busy: Busy,
    pub(crate) params: SearchParams,
    pub(crate) game_params: G::Params,
    pub(crate) reductions: Box<Reductions>,
    pub(crate) pid: Pid,
}

impl<G: SearchGame> Searcher<G> {
    /// A searcher with one thread, on these tables.
    pub fn new(eval: G::Eval, table: Arc<SearchTt>, eval_cache: Arc<EvalCache>) -> Self {
        let params = SearchParams::for_game::<G>();
        let mut searcher = Searcher {
            workers: Vec::new(),
            counts: Arc::new([]),
            busy: Busy::default(),
            reductions: Box::new(Reductions::new(&params)),
            control: Arc::default(),
            game_params: G::Params::default(),
            pid: Pid::default(),
            eval,
            table,
            eval_cache,
            params,
        };
        searcher.set_threads(1);
        searcher
    }

    /// The handle by which other threads stop a search.
    pub fn control(&self) -> Arc<Control> {
        self.control.clone()
    }

    /// The Search TT.
    pub fn table(&self) -> &Arc<SearchTt> {
        &self.table
    }

    /// The evaluation cache.
    pub fn eval_cache(&self) -> &Arc<EvalCache> {
        &self.eval_cache
    }

    /// Searches on other tables from now on.
    pub fn set_tables(&mut self, table: Arc<SearchTt>, eval_cache: Arc<EvalCache>) {
        (self.table, self.eval_cache) = (table, eval_cache);
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Sets the number of threads; those that stay keep what they have learned.
    pub fn set_threads(&mut self, threads: usize) {
        let threads = threads.max(1);
        self.workers.truncate(threads);
        while self.workers.len() < threads {
            self.workers.push(Worker::new(self.eval.clone()));
        }
        self.counts = (0..threads).map(|_| NodeCount::default()).collect();
        self.busy = Busy::for_threads(threads);
    }

    /// The core's parameters.
    pub fn params(&self) -> &SearchParams {
        &self.params
    }

    /// Sets the core's parameters. What threads have learned under others may mislead, and is forgotten.
    pub fn set_params(&mut self, params: SearchParams) {
        if params != self.params {
            self.workers.iter_mut().for_each(Worker::clear);
        }
        *self.reductions = Reductions::new(&params);
        self.params = params;
    }

    /// The game's parameters.
    pub fn game_params(&mut self) -> &mut G::Params {
        &mut self.game_params
    }

    /// What the table knows of a position, as the next search would see it.
    pub fn entry(&self, game: &G) -> Option<Entry> {
        self.table.probe(game.key() ^ self.salt(self.draw_value(game.side())))
    }

    /// Another game begins: forgets what was learned from the moves of the last one. The tables stay.
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
        self.control.begin(task.limits.ponder);
        self.table.next_generation();
        self.eval_cache.next_generation();
        let best = self.run(root, task, sink);
        self.control.disarm();
        best
    }

    /// Searches in the generation that is running, unless it is stopped already.
    pub(crate) fn run(
        &mut self,
        root: &G,
        task: &Task<G::Move>,
        sink: &mut dyn FnMut(&Info<'_, G::Move>),
    ) -> Best<G::Move> {
        let time = TimeKeeper::start(&task.limits, &self.params, &self.pid);
        let mut whole = self.list_root_moves(root, task);
        if self.workers[0].root_moves.is_empty() {
            return Best {
                lines: Vec::new(),
                stage: "over",
                seldepth: 0,
                stats: Stats::default(),
                time: Duration::ZERO,
            };
        }
        let draw = self.draw_value(root.side());
        let salt = self.salt(draw);
        let job = Job {
            root,
            table: &self.table,
            eval_cache: &self.eval_cache,
            busy: &self.busy,
            params: &self.params,
            game_params: &self.game_params,
            reductions: &self.reductions,
            limits: task.limits,
            multipv: task.multipv.max(1),
            salt,
            draw,
        };
        let limit = task.limits.nodes;
        let watch = |thread, time| Watch::new(self.control.clone(), self.counts.clone(), thread, limit, time);
        let (main, helpers) = self.workers.split_first_mut().expect("there is always one thread");
        let mut search = Search::new(&job, main, watch(0, Some(time)));

        let mut stage = "search";
        if whole && job.multipv == 1 && self.params.exact == 0 && !task.limits.infinite {
            search.watch.prepare();
            let (game, mut resources) = search.lend();
            let staged = game.staged(&mut resources);
            search.watch.begin();
            if let Some(staged) = staged {
                stage = staged.stage;
                if staged.score.is_some() {
                    let best = search.staged_answer(&staged, sink);
                    wait(&task.limits, &self.control);
                    return best;
                }
                let legal = search.worker.root_moves.len();
                search.worker.root_moves.retain(|root| staged.line.contains(&root.mv));
                // What is found below some moves is not the position's.
                whole = search.worker.root_moves.len() == legal;
            }
        }

        // Only where the answer may come from any thread, and where nothing but the depth ends the search.
        let limits = &task.limits;
        let ends_all =
            limits.depth.is_some() && job.multipv == 1 && self.params.exact == 0 && !limits.infinite && !limits.ponder;
        let results = std::thread::scope(|scope| {
            let handles: Vec<_> = helpers
                .iter_mut()
                .enumerate()
                .map(|(index, worker)| {
                    worker.root_moves.clone_from(&search.worker.root_moves);
                    let watch = watch(index + 1, None);
                    let job = &job;
                    scope.spawn(move || {
                        let mut search = Search::new(job, worker, watch);
                        search.deepen(Deepening { thread: index + 1, stage, ends_all, whole, sink: None });
                        search.finish()
                    })
                })
                .collect();
            search.deepen(Deepening { thread: 0, stage, ends_all: false, whole, sink: Some(&mut *sink) });
            wait(&task.limits, &self.control);
            self.control.stop();
            let main = search.finish();
            let mut results = vec![main];
            results.extend(handles.into_iter().map(|handle| handle.join().expect("a search thread panicked")));
            results
        });
        let time = search.watch.time.take();
        if let Some((target, used)) = time.as_ref().and_then(TimeKeeper::account) {
            self.pid.observe(target, used);
        }

        let mut stats = Stats::default();
        results.iter().for_each(|result| stats.add(&result.stats));
        self.table.count(&TableCounters::from(&stats));
        self.eval_cache.count(&EvalCounters::from(&stats));
        let seldepth = results.iter().map(|result| result.seldepth).max().unwrap_or(0);
        // Exact mode answers for one depth: the main thread's, for helpers are ahead of it or behind.
        let voted = if task.multipv > 1 || self.params.exact != 0 { 0 } else { vote(&results) };
        let voted = results.iter().position(|result| result.done).unwrap_or(voted);
        let side = root.side();
        let found = self.workers[voted].root_moves.iter().take(task.multipv.max(1));
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
        let lines = if G::FINISHES { self.followed(root, lines, salt) } else { lines };
        let best = Best {
            lines,
            stage,
            seldepth: seldepth as i32,
            stats,
            time: time.map(|time| time.elapsed()).unwrap_or_default(),
        };
        if voted > 0 {
            self.tell(&best, sink);
        }
        best
    }

    /// The lines, each with what the table knows after it: the search of the game's own last moves leaves none.
    fn followed(&self, root: &G, mut lines: Vec<Line<G::Move>>, salt: u64) -> Vec<Line<G::Move>> {
        for line in lines.iter_mut().filter(|line| root.certainty(line.depth).is_some()) {
            let mut game = root.clone();
            line.moves.iter().for_each(|&mv| drop(game.play(mv, &mut ())));
            while let Some(entry) = self.table.probe(game.key() ^ salt)
                && game.certainty(entry.depth.into()) >= root.certainty(line.depth)
                && let Some(mv) = game.decode(entry.best)
            {
                line.moves.push(mv);
                game.play(mv, &mut ());
            }
        }
        lines
    }

    /// Tells whoever listens what another thread than the main one has found.
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
                fill: self.table.fill(),
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
        moves.extend(list.iter().copied().filter(wanted).map(RootMove::new));
        // However soon it is stopped, what is hardly ever of use is not what it has looked at.
        moves.sort_by_cached_key(|move_| root.class(move_.mv) == Class::Remote);
        moves.len() == legal
    }

    /// What a draw is worth to the first player when this side searches: contempt makes it a little loss to it.
    fn draw_value(&self, side: Side) -> FirstScore {
        let contempt = if self.params.exact != 0 { 0 } else { self.params.contempt };
        Score::eval(-contempt).for_first(side)
    }

    /// Results of other weights, of exact mode, or with other draws are other entries of the table.
    fn salt(&self, draw: FirstScore) -> u64 {
        let mode = (self.params.exact as u64) << 32 | u64::from(draw.to_bits());
        self.eval.weights_hash() ^ mode.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// What one thread brings to the vote.
pub(crate) struct ThreadResult {
    pub best: u16,
    pub score: Score,
    pub depth: i32,
    pub seldepth: usize,
    /// It finished the last iteration before the main thread did.
    pub done: bool,
    pub stats: Stats,
}

impl<G: SearchGame> Search<'_, G> {
    fn finish(&mut self) -> ThreadResult {
        self.worker.stats.nodes = self.watch.nodes;
        let root = &self.worker.root_moves[0];
        ThreadResult {
            best: root.mv.into(),
            score: root.score,
            depth: root.depth,
            seldepth: self.seldepth,
            done: self.done,
            stats: self.worker.stats,
        }
    }

    /// The answer of a stage before the search, told and returned like a search's.
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

/// A search on the opponent's time, or without an end, does not return by itself.
fn wait(limits: &Limits, control: &Control) {
    while !control.stopped() && (limits.infinite || control.pondering()) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The thread to believe: each votes for its move, the more the deeper it got and the better it found it; a proven
/// win is taken at once, the shortest first.
fn vote(results: &[ThreadResult]) -> usize {
    let worst = results.iter().map(|result| result.score).min().unwrap_or_default();
    let weight = |result: &ThreadResult| i64::from(result.score - worst + 14) * i64::from(result.depth);
    let votes = |best: u16| results.iter().filter(|result| result.best == best).map(weight).sum::<i64>();
    let mut chosen = 0;
    for (index, result) in results.iter().enumerate().skip(1) {
        let current = &results[chosen];
        let better = if current.score.is_loss() || result.score.is_loss() {
            // Nothing that is merely guessed speaks against a proof.
            result.depth > 0
                && result.score.is_decisive()
                && (!current.score.is_decisive() || result.score > current.score)
        } else if current.score.is_win() || result.score.is_win() {
            result.score > current.score && result.depth > 0
        } else {
            (votes(result.best), weight(result)) > (votes(current.best), weight(current))
        };
        if better {
            chosen = index;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(best: u16, score: i32, depth: i32) -> ThreadResult {
        ThreadResult { best, score: Score::eval(score), depth, seldepth: 0, done: false, stats: Stats::default() }
    }

    #[test]
    fn the_majority_wins_unless_someone_has_a_proof() {
        assert_eq!(vote(&[result(1, 10, 8), result(2, 12, 8), result(2, 11, 8)]), 1);
        assert_eq!(vote(&[result(1, 10, 9), result(1, 10, 8)]), 0);
        let win = |plies| ThreadResult { score: Score::win_in(plies), ..result(3, 0, 5) };
        assert_eq!(vote(&[result(1, 10, 9), result(1, 10, 9), win(9), win(5)]), 3);
    }

    #[test]
    fn a_proven_loss_is_not_outvoted_by_a_guess() {
        let loss = |plies| ThreadResult { score: Score::loss_in(plies), ..result(3, 0, 5) };
        assert_eq!(vote(&[loss(4), result(1, 10, 9), result(1, 10, 9)]), 0);
        assert_eq!(vote(&[result(1, 10, 9), loss(4), loss(6)]), 2);
    }
}
