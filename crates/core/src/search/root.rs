//! The root: iterative deepening, aspiration windows, MultiPV.

use super::{Exact, Info, MAX_PLY, Mode, Root, Search, Selective};
use crate::clock::Complexity;
use crate::game::{Proof, SearchGame};
use crate::params::SearchParams;
use crate::score::Score;
use crate::table::Bound;
use arrayvec::ArrayVec;

/// No iteration goes deeper than this.
pub(crate) const MAX_DEPTH: i32 = 200;

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<M> {
    pub mv: M,
    /// What the game knows of it without a search.
    pub proof: Proof,
    /// From the last search of this move, if it raised alpha; else below all scores.
    pub score: Score,
    pub bound: Bound,
    pub depth: i32,
    pub line: ArrayVec<M, MAX_PLY>,
    /// Nodes spent below it in this search.
    pub nodes: u64,
}

impl<M: Copy> RootMove<M> {
    pub fn new(mv: M, proof: Proof) -> Self {
        let mut line = ArrayVec::new();
        line.push(mv);
        RootMove { mv, proof, score: -Score::INFINITE, bound: Bound::Lower, depth: 0, line, nodes: 0 }
    }

    /// The score means something.
    pub fn is_known(&self) -> bool {
        self.score > -Score::INFINITE
    }

    /// Returns to what an earlier search had found.
    fn restore(&mut self, earlier: &RootMove<M>) {
        let nodes = self.nodes;
        self.clone_from(earlier);
        self.nodes = nodes;
    }
}

/// What the Search TT knows of the root.
#[derive(Clone, Copy)]
struct KnownRoot<M> {
    mv: M,
    score: Score,
    depth: i32,
}

/// Sorts moves by score, keeping the order of equals, without the allocation of the standard stable sort.
fn sort<M>(moves: &mut [RootMove<M>]) {
    for end in 1..moves.len() {
        let mut at = end;
        while at > 0 && moves[at - 1].score < moves[at].score {
            moves.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Listens to the main thread.
type Sink<'a, M> = &'a mut dyn FnMut(&Info<'_, M>);

/// How a thread deepens.
pub(crate) struct Deepening<'a, M> {
    pub thread: usize,
    pub stage: &'static str,
    /// The thread stops all others when it has finished the last iteration.
    pub ends_all: bool,
    /// The root moves are all legal moves, none left out by request.
    pub whole: bool,
    /// Where the main thread reports.
    pub sink: Option<Sink<'a, M>>,
}

impl<G: SearchGame> Search<'_, G> {
    /// The root search covers all legal moves, so that its result is the value of the position.
    pub fn whole_root(&self) -> bool {
        self.whole && self.pv_index == 0
    }

    /// Searches deeper and deeper until a limit is reached.
    pub fn deepen(&mut self, deepening: Deepening<'_, G::Move>) {
        if self.params.exact != 0 {
            self.deepen_in::<Exact>(deepening);
        } else {
            self.deepen_in::<Selective>(deepening);
        }
    }

    fn deepen_in<M: Mode>(&mut self, mut deepening: Deepening<'_, G::Move>) {
        self.whole = deepening.whole;
        let lines = self.job.multipv.min(self.worker.root_moves.len());
        let deepest = self.job.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH).min(self.game.horizon());
        self.worker.finished.clear();
        self.worker.finished.reserve(lines);
        let known = if M::SELECTIVE { self.recall(lines) } else { None };
        if known.is_some() {
            self.keep_line(0);
            self.report(&mut deepening, 0);
        }
        let mut last = known.map(|root| (root.mv, root.score));
        let mut stable = 0;
        let mut next = self.next_depth::<M>(known.map_or(0, |root| root.depth - 1), deepest);
        while next <= deepest {
            let depth = next;
            next = self.next_depth::<M>(depth, deepest);
            if !self.iterate::<M>(&mut deepening, depth, deepest, lines) {
                break;
            }
            let best = &self.worker.root_moves[0];
            let (mv, score) = (best.mv, best.score);
            stable = if last.is_some_and(|(last, _)| last == mv) { stable + 1 } else { 0 };
            let fall = last.map_or(Score::ZERO, |(_, score)| score) - score;
            last = Some((mv, score));
            if self.is_final(depth, score) {
                break;
            }
            let control = self.watch.control.clone();
            if self.root_depth == deepest && deepening.ends_all {
                // This thread has reached the depth that was asked for first.
                self.done = true;
                control.stop();
                break;
            }
            let complexity = self.complexity(stable, fall);
            if self.watch.time.as_mut().is_some_and(|time| time.enough(&control, complexity)) {
                control.stop();
                break;
            }
        }
    }

    /// Asks the Search TT about the root. Its move becomes the first. If it knows the value as well, the deepening begins
    /// at that depth, and what it knows is the answer until a search finds something else.
    ///
    /// The value is that of the best of all moves and of one line; and it must not depend on the way to the position,
    /// about which the table knows nothing.
    fn recall(&mut self, lines: usize) -> Option<KnownRoot<G::Move>> {
        let (entry, score) = self.probe(self.key(), MAX_DEPTH, 0)?;
        let mv = self.game.decode(entry.best)?;
        let at = self.worker.root_moves.iter().position(|root| root.mv == mv)?;
        self.worker.root_moves[..=at].rotate_right(1);
        let of_the_position = lines == 1 && self.whole && !self.game.recurs();
        // A decided score may come from a proof that gave no move, and the move of the entry from an earlier search.
        if entry.bound != Bound::Exact || entry.depth == 0 || score.is_decisive() || !of_the_position {
            return None;
        }
        let depth = i32::from(entry.depth);
        let line = self.known_line(mv, depth);
        (self.root_depth, self.seldepth) = (depth, line.len());
        let root = &mut self.worker.root_moves[0];
        (root.score, root.bound, root.depth, root.line) = (score, Bound::Exact, depth, line);
        Some(KnownRoot { mv, score, depth })
    }

    /// The line that the Search TT knows after a move of the root, of at most so many plies.
    fn known_line(&self, first: G::Move, plies: i32) -> ArrayVec<G::Move, MAX_PLY> {
        let mut line = ArrayVec::new();
        let mut game = self.game.clone();
        let mut next = Some(first);
        while let Some(mv) = next {
            line.push(mv);
            if line.len() >= MAX_PLY.min(plies as usize) {
                break;
            }
            game.play(mv, &mut ());
            next = self.table.peek(game.key() ^ self.salt).and_then(|entry| game.decode(entry.best));
        }
        line
    }

    /// One iteration: finds and reports the best lines at this depth; false if it was stopped.
    fn iterate<M: Mode>(
        &mut self,
        deepening: &mut Deepening<'_, G::Move>,
        depth: i32,
        deepest: i32,
        lines: usize,
    ) -> bool {
        // Every second thread searches a ply deeper, so that the threads do not all do the same. The game's own endgame
        // solver shares its work between threads by itself.
        let ahead = if self.job.root.certainty(depth + 1).is_some() { 0 } else { (deepening.thread % 2) as i32 };
        self.root_depth = (depth + ahead).min(deepest);
        self.seldepth = 0;
        for index in 0..lines {
            self.pv_index = index;
            self.search_with_aspiration::<M>(deepening);
            if self.watch.stopped() {
                break;
            }
        }
        self.pv_index = 0;
        if self.watch.stopped() {
            return false;
        }
        sort(&mut self.worker.root_moves[..lines]);
        for index in 0..lines {
            self.report(deepening, index);
        }
        true
    }

    /// How hard the position looks: the best move was the same in the last `stable` iterations, and the score fell by
    /// so much in the last one.
    fn complexity(&self, stable: u32, fall: i32) -> Complexity {
        let moves = &self.worker.root_moves;
        let total: u64 = moves.iter().map(|root| root.nodes).sum();
        Complexity {
            forced: moves.len() == 1,
            stable,
            fall: f64::from(fall) / f64::from(self.params.aspiration_window),
            effort: moves[0].nodes as f64 / total.max(1) as f64,
        }
    }

    /// The depth of the next iteration. Games do not jump beyond the last depth.
    fn next_depth<M: Mode>(&self, depth: i32, deepest: i32) -> i32 {
        if !G::FINISHES || !M::SELECTIVE {
            return depth + 1;
        }
        if self.job.root.certainty(depth) == Some(100) {
            return i32::MAX;
        }
        let next = self.job.root.deepen(depth);
        if next > deepest { depth + 1 } else { next }
    }

    /// Deeper iterations can't change the result.
    fn is_final(&self, depth: i32, score: Score) -> bool {
        let Some(plies) = score.plies_to_end() else { return false };
        if self.job.limits.mate.is_some_and(|mate| (1..=mate).contains(&plies)) {
            return true;
        }
        // All lines as long as the proven one were searched: there is no better one.
        self.params.exact == 0 && !self.job.limits.infinite && self.job.multipv == 1 && depth > plies.abs()
    }

    /// Searches the root within a window around the last score, which widens exponentially as long as it fails.
    fn search_with_aspiration<M: Mode>(&mut self, deepening: &mut Deepening<'_, G::Move>) {
        let params = self.params;
        let index = self.pv_index;
        let guess = self.worker.root_moves[index].score;
        let mut width = first_width(params, guess);
        let narrow = params.aspiration != 0 && self.root_depth >= 4 && guess > -Score::INFINITE && !guess.is_decisive();
        let mut alpha = if narrow { guess - width } else { -Score::INFINITE };
        let mut beta = if narrow { guess + width } else { Score::INFINITE };
        loop {
            let score = self.node::<Root, M>(alpha, beta, self.root_depth, 0, false);
            sort(&mut self.worker.root_moves[index..]);
            if self.watch.stopped() {
                return self.restore_after_stop(index);
            }
            if score <= alpha {
                // Only the first move was recorded, and another one may have come closer.
                self.worker.root_moves[index].score = score;
            }
            self.keep_line(index);
            if alpha < score && score < beta {
                return;
            }
            self.worker.stats.aspiration_failures += 1;
            width += width;
            let open = width > 40 * first_width(params, guess) || score.is_decisive();
            if score <= alpha {
                // Beta comes down as well: a search that failed low will hardly fail high next.
                beta = if open { Score::INFINITE } else { Score::eval((alpha.value() + beta.value()) / 2) };
                alpha = if open { -Score::INFINITE } else { score - width };
            } else {
                beta = if open { Score::INFINITE } else { score + width };
            }
            if self.watch.nodes > REPORT_BOUNDS_AFTER {
                self.report(deepening, index);
            }
        }
    }

    /// Keeps the line at `index`: all root moves from there on were searched.
    fn keep_line(&mut self, index: usize) {
        let worker = &mut *self.worker;
        let root = &worker.root_moves[index];
        match worker.finished.get_mut(index) {
            Some(finished) => finished.clone_from(root),
            None => worker.finished.push(root.clone()),
        }
    }

    /// The search for the line at `index` was stopped before all moves were searched. The scores of the moves that were
    /// searched are lower bounds of the position's. They prove no loss, because the other moves may be better.
    fn restore_after_stop(&mut self, index: usize) {
        let worker = &mut *self.worker;
        let (moves, finished) = (&mut worker.root_moves[index..], &worker.finished);
        for root in moves[1..].iter_mut().filter(|root| !root.is_known()) {
            if let Some(earlier) = finished.iter().find(|earlier| earlier.mv == root.mv) {
                root.restore(earlier);
            }
        }
        sort(&mut moves[1..]);
        let Some(earlier) = finished.get(index) else {
            if moves[0].bound == Bound::Upper || moves[0].score.is_loss() {
                moves[0] = RootMove::new(moves[0].mv, moves[0].proof);
            }
            return;
        };
        let best = &mut moves[0];
        if (best.mv, best.score, best.depth) == (earlier.mv, earlier.score, earlier.depth) {
            return;
        }
        if best.bound != Bound::Upper && !best.score.is_loss() {
            best.bound = Bound::Lower;
        } else if let Some(at) = moves.iter().position(|root| root.mv == earlier.mv) {
            moves[at].restore(earlier);
            moves[..=at].rotate_right(1);
        }
    }

    /// The score of a root move, moved between the bounds that the game has proven.
    pub fn within_proof(&self, number: usize, score: Score) -> Score {
        match self.worker.root_moves[self.pv_index + number].proof {
            Proof::OPEN => score,
            proof => {
                let (low, high) = self.bounds(proof, 0);
                score.clamp(low, high)
            }
        }
    }

    /// Records the result of a root move, whose number counts from the first one of this line.
    ///
    /// Only the first move and those that raised alpha have a score: the others are no better than `alpha`.
    pub fn record_root_move(&mut self, number: usize, score: Score, (alpha, beta): (Score, Score), nodes: u64) {
        let depth = self.root_depth;
        let at = self.pv_index + number;
        let (root, below) = (&mut self.worker.root_moves[at], &self.worker.lines[1]);
        root.nodes += nodes;
        if score <= alpha && number > 0 {
            root.score = -Score::INFINITE;
            return;
        }
        root.score = score;
        root.depth = depth;
        root.bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root.line.clear();
        root.line.push(root.mv);
        let room = root.line.remaining_capacity().min(below.len());
        root.line.extend(below[..room].iter().copied());
    }

    fn report(&mut self, deepening: &mut Deepening<'_, G::Move>, index: usize) {
        let Some(sink) = &mut deepening.sink else { return };
        let root = &self.worker.root_moves[index];
        sink(&Info {
            depth: self.root_depth,
            seldepth: self.seldepth as i32,
            multipv: index + 1,
            score: root.score.for_first(self.game.side()),
            bound: root.bound,
            line: &root.line,
            nodes: self.watch.total(),
            time: self.watch.time.as_ref().map(|time| time.elapsed()).unwrap_or_default(),
            fill: self.job.table.fill(),
            stage: deepening.stage,
        });
    }
}

/// Half the width of the first aspiration window around a score. Large scores change more from depth to depth.
fn first_width(params: &SearchParams, guess: Score) -> i32 {
    match params.aspiration_square {
        0 => params.aspiration_window,
        square => params.aspiration_window + guess.value() * guess.value() / square,
    }
}

/// Bounds of failed aspiration windows are reported only in searches that take a while.
const REPORT_BOUNDS_AFTER: u64 = 1_000_000;
