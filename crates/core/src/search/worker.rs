//! One thread's own memory, and the small services that all parts of the search use.

use super::{MAX_PLY, Reductions, RootMove};
use crate::busy::Busy;
use crate::clock::Limits;
use crate::game::{Class, Evaluation, NO_MOVE, Outcome, Proof, ScoredMove, SearchGame, Side, Unit};
use crate::order::{Context, Correction, History, Killers, Slot};
use crate::params::SearchParams;
use crate::resources::Resources;
use crate::score::{FirstScore, Score};
use crate::stats::Stats;
use crate::table::{Bound, Entry, EvalCache, SearchTt, Stored};
use crate::watch::Watch;
use arrayvec::ArrayVec;

/// What all threads of a search share.
pub(crate) struct Job<'a, G: SearchGame> {
    pub root: &'a G,
    pub table: &'a SearchTt,
    pub eval_cache: &'a EvalCache,
    pub busy: &'a Busy,
    pub params: &'a SearchParams,
    pub game_params: &'a G::Params,
    pub reductions: &'a Reductions,
    pub limits: Limits,
    pub multipv: usize,
    /// Mixed into every key, so that results of other weights, modes or draw values are other entries.
    pub salt: u64,
    /// What a draw is worth to the first player.
    pub draw: FirstScore,
}

/// What a node leaves for the nodes below it.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// The static evaluation, unless the side to move is threatened.
    pub eval: Option<Score>,
    /// The move that a singular search leaves out.
    pub excluded: u16,
}

impl Frame {
    const EMPTY: Frame = Frame { eval: None, excluded: NO_MOVE };
}

/// What a node found out about its position.
#[derive(Clone, Copy)]
pub(crate) struct Finding {
    /// Counted from the root.
    pub score: Score,
    pub bound: Bound,
    /// The static evaluation as the game gives it, where it was computed.
    pub eval: Option<Score>,
    pub best: u16,
    pub depth: i32,
}

/// A static evaluation.
#[derive(Clone, Copy)]
pub(crate) struct Evaluated {
    /// As the game gives it; this one goes into tables.
    pub raw: Score,
    /// With what was learned about its errors.
    pub corrected: Score,
}

/// Frames above the root, so that looking six plies back needs no test.
const ABOVE: usize = 6;
/// Frames of a thread.
const STACK: usize = MAX_PLY + ABOVE + 2;

/// One thread's memory, kept from search to search.
pub(crate) struct Worker<G: SearchGame> {
    pub eval: G::Eval,
    pub history: History,
    pub killers: Killers,
    pub correction: Correction,
    frames: Box<[Frame; STACK]>,
    /// The slots of the moves from the root to here, after [`ABOVE`] of none; 0 also for a null move.
    slots: Box<[Slot; STACK]>,
    /// The moves of all nodes from the root to here, one after the other.
    pub moves: Vec<ScoredMove<G::Move>>,
    /// The moves of those nodes that were searched and did not cut.
    pub tried: Vec<(Slot, Class)>,
    /// The moves of those nodes that wait until the thread searching them is done.
    pub deferred: Vec<(G::Move, Class)>,
    /// The children of the node that looks them all up.
    pub children: Vec<Child>,
    /// The principal variation from each ply on.
    pub lines: Box<[ArrayVec<G::Move, MAX_PLY>]>,
    pub root_moves: Vec<RootMove<G::Move>>,
    /// The best lines as the last finished search of each left them.
    pub finished: Vec<RootMove<G::Move>>,
    pub stats: Stats,
}

impl<G: SearchGame> Worker<G> {
    pub fn new(eval: G::Eval) -> Self {
        let history = History::new(G::HISTORY);
        let slots = history.slots();
        Worker {
            eval,
            killers: Killers::new(MAX_PLY + 1, slots),
            correction: Correction::new(G::CORRECTIONS, slots),
            history,
            frames: Box::new([Frame::EMPTY; STACK]),
            slots: Box::new([0; STACK]),
            children: Vec::with_capacity(crate::game::MAX_MOVES),
            tried: Vec::with_capacity(MAX_PLY * crate::game::MAX_MOVES),
            deferred: Vec::with_capacity(MAX_PLY * crate::game::MAX_MOVES),
            moves: Vec::with_capacity(MAX_PLY * crate::game::MAX_MOVES),
            lines: (0..=MAX_PLY + 1).map(|_| ArrayVec::new()).collect(),
            root_moves: Vec::with_capacity(crate::game::MAX_MOVES),
            finished: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// Where the stacks of moves end for now.
    #[inline(always)]
    pub fn mark(&self) -> Mark {
        Mark { moves: self.moves.len(), tried: self.tried.len(), deferred: self.deferred.len() }
    }

    /// Drops the moves of a node that is done.
    #[inline(always)]
    pub fn release(&mut self, mark: Mark) {
        self.moves.truncate(mark.moves);
        self.tried.truncate(mark.tried);
        self.deferred.truncate(mark.deferred);
    }

    /// A move of this node that was put off.
    #[inline(always)]
    pub fn next_deferred(&mut self, mark: Mark) -> Option<(G::Move, Class)> {
        if self.deferred.len() > mark.deferred { self.deferred.pop() } else { None }
    }

    /// Forgets what was learned from earlier games.
    pub fn clear(&mut self) {
        self.history.clear();
        self.killers.clear();
        self.correction.clear();
    }
}

/// A position after one move, for looking it up later.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    pub key: u64,
    pub side: Side,
    pub depth: i32,
    /// The move that leads to it.
    pub bits: u16,
}

/// Where the moves of a node begin on its thread's stacks.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    pub moves: usize,
    pub tried: usize,
    pub deferred: usize,
}

/// A running search of one thread.
pub(crate) struct Search<'a, G: SearchGame> {
    pub job: &'a Job<'a, G>,
    /// The job's, at hand: every node needs them.
    table: &'a SearchTt,
    salt: u64,
    /// From this depth on moves that another thread is at are put off; beyond every depth where there is only one thread.
    pub defer_depth: i32,
    pub worker: &'a mut Worker<G>,
    pub game: G,
    pub watch: Watch,
    pub root_depth: i32,
    pub seldepth: usize,
    /// The first of the root moves still open: earlier ones belong to better lines.
    pub pv_index: usize,
    /// Null moves are off above this ply while one is being verified.
    pub null_ply: usize,
    /// The root moves are all legal moves.
    pub whole: bool,
    /// The last iteration of a search with a depth was finished.
    pub done: bool,
}

impl<'a, G: SearchGame> Search<'a, G> {
    pub fn new(job: &'a Job<'a, G>, worker: &'a mut Worker<G>, watch: Watch) -> Self {
        worker.frames.fill(Frame::EMPTY);
        worker.slots.fill(0);
        worker.moves.clear();
        worker.tried.clear();
        worker.deferred.clear();
        worker.killers.new_search();
        worker.eval.reset(job.root);
        worker.stats = Stats::default();
        let game = job.root.clone();
        let defer_depth = if job.busy.is_shared() { job.params.defer_depth } else { i32::MAX };
        Search {
            job,
            table: job.table,
            salt: job.salt,
            defer_depth,
            worker,
            game,
            watch,
            root_depth: 0,
            seldepth: 0,
            pv_index: 0,
            null_ply: 0,
            whole: true,
            done: false,
        }
    }

    #[inline(always)]
    pub fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.worker.frames[ply + ABOVE]
    }

    /// The frame `back` plies before this one; empty above the root.
    #[inline(always)]
    pub fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.worker.frames[ply + ABOVE - back]
    }

    /// The slots of the last six moves before this ply.
    #[inline(always)]
    pub fn context(&self, ply: usize) -> Context {
        let last = self.worker.slots[ply..].first_chunk();
        *last.expect("the stack holds six slots before every ply")
    }

    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.game.key() ^ self.salt
    }

    #[inline(always)]
    pub fn slot_of(&self, mv: G::Move) -> Slot {
        self.worker.history.slot(self.game.side(), self.game.history_slot(mv))
    }

    #[inline(always)]
    pub fn play(&mut self, mv: G::Move, slot: Slot, ply: usize) -> G::Undo {
        self.worker.slots[ply + ABOVE] = slot;
        let likely = self.game.likely_key(mv);
        if let Some(key) = likely {
            self.table.prefetch(key ^ self.salt);
        }
        let undo = self.worker.eval.play(&mut self.game, mv);
        if likely.is_none() {
            self.table.prefetch(self.key());
        }
        if G::CORRECTIONS > 0 {
            self.worker.correction.prefetch(&self.game, self.last_slots(ply + 1));
        }
        undo
    }

    #[inline(always)]
    pub fn undo(&mut self, mv: G::Move, undo: G::Undo) {
        self.worker.eval.undo(&mut self.game, mv, undo);
    }

    /// What the game may use of the search, and the game itself.
    #[inline(always)]
    pub fn lend(&mut self) -> (&mut G, Resources<'_, G>) {
        let Job { table, game_params: params, salt, busy, .. } = *self.job;
        (&mut self.game, Resources { table, params, pv_ply: usize::MAX, salt, watch: &mut self.watch, busy })
    }

    /// The value of a position that the game itself searches to its end.
    pub fn play_out(&mut self, alpha: Score, beta: Score, depth: i32, ply: usize) -> Score {
        self.worker.lines[ply].clear();
        if self.watch.visit() {
            return Score::ZERO;
        }
        self.seldepth = self.seldepth.max(ply + self.game.horizon().max(0) as usize / 2);
        let Job { table, game_params: params, salt, busy, .. } = *self.job;
        let mut resources = Resources { table, params, pv_ply: usize::MAX, salt, watch: &mut self.watch, busy };
        self.game.finish(&mut self.worker.eval, (alpha, beta), depth, &mut resources)
    }

    /// What the game knows for certain at a node `ply` below the root: the score lies between these two.
    #[inline(always)]
    pub fn proof(&mut self, pv: bool, depth: i32, ply: usize) -> (Score, Score) {
        let (game, mut resources) = self.lend();
        resources.pv_ply = if pv { ply } else { usize::MAX };
        let proof = game.proof(depth, &mut resources);
        self.bounds(proof, ply)
    }

    /// A proof as scores of this search: win distances count from the root, and a draw is worth what contempt makes of
    /// it. Where the result is a number, 0 is one like any other.
    #[inline(always)]
    pub fn bounds(&self, proof: Proof, ply: usize) -> (Score, Score) {
        let draw = self.job.draw.for_side(self.game.side());
        if draw == Score::ZERO || !matches!(G::UNIT, Unit::Centi) {
            return (proof.low.from_root(ply), proof.high.from_root(ply));
        }
        let worth = |score: Score| if score == Score::ZERO { draw } else { score.from_root(ply) };
        (worth(proof.low), worth(proof.high))
    }

    /// A finished game as a score, `ply` below the root.
    pub fn outcome_score(&self, outcome: Outcome, ply: usize) -> Score {
        let side = self.game.side();
        match outcome {
            Outcome::Win(winner) if winner == side => Score::win_in(ply as i32),
            Outcome::Win(_) => Score::loss_in(ply as i32),
            Outcome::Draw => self.job.draw.for_side(side),
            Outcome::Points(points) => Score::eval(if side == Side::First { points } else { -points }),
        }
    }

    /// The static evaluation, from an entry of the Search TT where it has one.
    pub fn evaluate(&mut self, hash: Option<(Entry, Score)>, ply: usize) -> Evaluated {
        let known = hash.and_then(|(entry, _)| entry.eval).map(|eval| eval.for_side(self.game.side()));
        let raw = known.unwrap_or_else(|| self.raw_eval());
        Evaluated { raw, corrected: self.corrected(raw, ply) }
    }

    /// An evaluation, or the score of an entry where that says more: what a search found beats what was guessed.
    #[inline(always)]
    pub fn sharper_eval(&self, hash: Option<(Entry, Score)>, eval: Score) -> Score {
        let told = |bound: Bound, score: Score| match bound {
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
            Bound::Exact => true,
        };
        match hash {
            Some((entry, score))
                if self.job.params.tt_eval != 0 && !score.is_decisive() && told(entry.bound, score) =>
            {
                score
            }
            _ => eval,
        }
    }

    /// The static evaluation as the game gives it, from the cache where there is one.
    fn raw_eval(&mut self) -> Score {
        let side = self.game.side();
        let cache = self.job.eval_cache;
        if cache.is_on() {
            let key = self.key();
            self.worker.stats.eval_probes += 1;
            if let Some(eval) = cache.probe(key) {
                self.worker.stats.eval_hits += 1;
                return eval.for_side(side);
            }
            self.worker.stats.evaluations += 1;
            let eval = self.worker.eval.score(&self.game);
            cache.store(key, eval.for_first(side));
            return eval;
        }
        self.worker.stats.evaluations += 1;
        self.worker.eval.score(&self.game)
    }

    /// The static evaluation with what was learned about its errors.
    fn corrected(&self, raw: Score, ply: usize) -> Score {
        if self.job.params.correction == 0 {
            return raw;
        }
        Score::eval(raw.value() + self.worker.correction.value(&self.game, self.last_slots(ply)))
    }

    /// The slot of the last move; 0 at the root and after a null move.
    pub fn last_slot(&self, ply: usize) -> Slot {
        self.worker.slots[ply + ABOVE - 1]
    }

    /// Passes: the move played here is none.
    pub fn pass(&mut self, ply: usize) {
        self.worker.slots[ply + ABOVE] = 0;
    }

    /// The slots of the last two moves.
    pub fn last_slots(&self, ply: usize) -> [Slot; 2] {
        [self.worker.slots[ply + ABOVE - 2], self.worker.slots[ply + ABOVE - 1]]
    }

    /// Looks the position (whose key it is) up; the score comes back counted from the root and for the side to move.
    #[inline(always)]
    pub fn probe(&mut self, key: u64, ply: usize) -> Option<(Entry, Score)> {
        self.worker.stats.tt_probes += 1;
        let mut entry = self.table.probe(key);
        if entry.is_none() && (ply as i32) < self.job.params.tt_symmetry {
            entry = self.probe_symmetric();
        }
        let entry = entry?;
        self.worker.stats.tt_hits += 1;
        let score = entry.score.for_side(self.game.side()).from_root(ply);
        Some((entry, score))
    }

    /// Looks the images of the position up, and turns the move found back.
    #[cold]
    fn probe_symmetric(&self) -> Option<Entry> {
        (1..self.game.symmetries()).find_map(|symmetry| {
            let image = self.game.transform(symmetry);
            let mut entry = self.job.table.probe(image.key() ^ self.job.salt)?;
            let back = self.game.inverse(symmetry);
            entry.best = match image.decode(entry.best) {
                Some(mv) => image.transform_move(mv, back).into(),
                None => NO_MOVE,
            };
            Some(entry)
        })
    }

    /// Stores what was found out about the position, whose key it is.
    #[inline(always)]
    pub fn store(&mut self, key: u64, ply: usize, finding: Finding) {
        let side = self.game.side();
        let entry = Entry {
            score: finding.score.from_node(ply).for_first(side),
            eval: finding.eval.map(|eval| eval.for_first(side)),
            best: finding.best,
            depth: finding.depth.clamp(0, 255) as u8,
            bound: finding.bound,
            generation: 0,
        };
        self.worker.stats.tt_stores += 1;
        if self.table.store(key, entry) == Stored::Replaced {
            self.worker.stats.tt_replacements += 1;
        }
    }

    /// The line from this ply on is `mv` and the line after it.
    pub fn extend_line(&mut self, mv: G::Move, ply: usize) {
        let (here, below) = self.worker.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut here[ply], &below[0]);
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity().min(rest.len());
        line.extend(rest[..room].iter().copied());
    }
}
