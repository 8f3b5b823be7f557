//! A solver that was written for Connect Four alone: null-window negamax with the core's table and the game's own order
//! of moves, and nothing that another game would need.

use arrayvec::ArrayVec;
use polyply_core::game::{Class, Evaluation, Game, MoveList, MoveSink, NO_MOVE, Outcome, ScoredMove, SearchGame};
use polyply_core::params::NoParams;
use polyply_core::resources::Standalone;
use polyply_core::score::Score;
use polyply_core::stats::Stats;
use polyply_core::table::{Bound, Entry, SearchTt, Stored};
use polyply_small::connect4::{Cell, Connect4, Threats};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const CELLS: usize = Connect4::HISTORY;
/// Cells of both sides, and slot 0 for "no move".
const SLOTS: usize = 2 * CELLS + 1;
const HISTORY_LIMIT: i32 = 16_384;
/// The weights of the last six moves in continuation history, in quarters.
const WEIGHTS: [i32; 6] = [4, 4, 1, 2, 1, 2];
const SYMMETRIC_PLIES: usize = 10;
const SALT: u64 = 0x51ed_270b_9f2a_8e63;
const MAX_PLY: usize = 64;

pub struct Solver {
    game: Connect4,
    table: SearchTt,
    resources: Standalone<Connect4>,
    plain: [i16; SLOTS],
    continuation: Box<[[i16; SLOTS]; SLOTS]>,
    /// The slots of the moves from the root to here, after six empty ones.
    played: [usize; MAX_PLY],
    moves: Vec<ScoredMove<Cell>>,
    nodes: u64,
    seldepth: usize,
    stats: Stats,
    /// In an engine, another thread would set this.
    stop: AtomicBool,
    stopped: bool,
}

fn pull(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-HISTORY_LIMIT, HISTORY_LIMIT);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

impl Solver {
    pub fn new(game: Connect4, bytes: usize) -> Solver {
        Solver {
            game,
            table: SearchTt::new(bytes),
            resources: Standalone::new(64),
            plain: [0; SLOTS],
            continuation: Box::new([[0; SLOTS]; SLOTS]),
            played: [0; MAX_PLY],
            moves: Vec::with_capacity(MAX_PLY * 8),
            nodes: 0,
            seldepth: 0,
            stats: Stats::default(),
            stop: AtomicBool::new(false),
            stopped: false,
        }
    }

    /// The same counters as the core's.
    pub fn stats(&self) -> Stats {
        let mut stats = self.stats;
        stats.nodes = self.nodes;
        stats
    }

    /// The longest line that was searched.
    pub fn seldepth(&self) -> usize {
        self.seldepth
    }

    /// The value for the first player.
    pub fn solve(&mut self) -> i32 {
        let proof = self.game.proof(self.game.horizon(), &mut self.resources.lend());
        let (mut low, mut high) = (proof.low, proof.high);
        while low < high {
            let alpha = if low <= Score::ZERO && Score::ZERO < high {
                Score::ZERO
            } else if low < Score::ZERO && Score::ZERO <= high {
                Score::ZERO - 1
            } else {
                low + (high - low) / 2
            };
            let score = self.node(alpha, self.game.horizon(), 0);
            if score > alpha {
                low = low.max(score);
            } else {
                high = high.min(score);
            }
        }
        let side = self.game.side();
        let start = self.game.clone();
        self.follow(low);
        self.game = start;
        low.for_first(side).value()
    }

    /// Plays on with moves that keep the value.
    fn follow(&mut self, mut value: Score) {
        let mut ply = 0;
        while self.game.outcome().is_none() {
            let mut list = MoveList::new();
            self.game.moves(&mut list);
            let hash = self.probe(self.game.key() ^ SALT, self.game.horizon(), ply).map(|entry| entry.best);
            list.sort_by_key(|&mv| Some(mv.into()) != hash);
            for mv in list {
                let undo = self.play(mv, ply);
                let score = match self.game.outcome() {
                    Some(outcome) => -self.outcome_score(outcome, ply + 1),
                    None => -self.node(-value, self.game.horizon(), ply + 1),
                };
                if score >= value {
                    break;
                }
                Threats.undo(&mut self.game, mv, undo);
            }
            value = -value;
            ply += 1;
        }
    }

    fn slot(&self, mv: Cell) -> usize {
        1 + self.game.side().index() * CELLS + self.game.history_slot(mv)
    }

    fn play(&mut self, mv: Cell, ply: usize) -> <Connect4 as Game>::Undo {
        self.played[ply + 6] = self.slot(mv);
        let undo = Threats.play(&mut self.game, mv);
        self.table.prefetch(self.game.key() ^ SALT);
        undo
    }

    fn outcome_score(&self, outcome: Outcome, ply: usize) -> Score {
        match outcome {
            Outcome::Win(winner) if winner == self.game.side() => Score::win_in(ply as i32),
            Outcome::Win(_) => Score::loss_in(ply as i32),
            _ => Score::ZERO,
        }
    }

    fn probe(&mut self, key: u64, depth: i32, ply: usize) -> Option<Entry> {
        self.stats.tt_at(depth).probes += 1;
        let entry =
            self.table.probe(key).or_else(|| if ply < SYMMETRIC_PLIES { self.probe_mirrored() } else { None })?;
        self.stats.tt_at(depth).hits += 1;
        Some(entry)
    }

    fn probe_mirrored(&self) -> Option<Entry> {
        let image = self.game.transform(1);
        let mut entry = self.table.probe(image.key() ^ SALT)?;
        entry.best = image.decode(entry.best).map_or(NO_MOVE, |mv| image.transform_move(mv, 1).into());
        Some(entry)
    }

    fn learned(&self, slot: usize, ply: usize) -> i32 {
        let mut sum = 0;
        for (back, weight) in WEIGHTS.iter().enumerate() {
            sum += weight * i32::from(self.continuation[self.played[ply + 5 - back]][slot]);
        }
        i32::from(self.plain[slot]) + sum / 4
    }

    /// The value within the null window `(alpha, alpha + 1)`.
    fn node(&mut self, mut alpha: Score, depth: i32, ply: usize) -> Score {
        self.nodes += 1;
        if self.nodes.is_multiple_of(256) {
            self.stopped = self.stop.load(Relaxed);
            if self.stopped {
                return Score::ZERO;
            }
        }
        self.seldepth = self.seldepth.max(ply);
        let (window_low, window_high) = (alpha, alpha + 1);
        if let Some(outcome) = self.game.outcome() {
            return self.outcome_score(outcome, ply);
        }
        alpha = alpha.max(Score::loss_in(ply as i32));
        let mut beta = window_high.min(Score::win_in(ply as i32 + 1));
        if alpha >= beta {
            return alpha;
        }
        let proof = self.game.proof(depth, &mut self.resources.lend());
        let (low, high) = (proof.low.from_root(ply), proof.high.from_root(ply));
        if low >= beta || high <= alpha || low == high {
            self.stats.proof_cutoffs += 1;
            return if high <= alpha { high } else { low };
        }
        alpha = alpha.max(low);
        beta = beta.min(high);
        let depth = depth.min(self.game.horizon());
        let side = self.game.side();
        let mut hash = NO_MOVE;
        let key = self.game.key() ^ SALT;
        if let Some(entry) = self.probe(key, depth, ply) {
            let score = entry.score.for_side(side).from_root(ply);
            if i32::from(entry.depth) == depth && entry.bound.answers(score, alpha, beta) {
                self.stats.tt_cutoffs += 1;
                return score;
            }
            hash = entry.best;
        }

        let top = self.moves.len();
        let mut generated = false;
        let mut forced = false;
        let mut next = top;
        let mut best = -Score::INFINITE;
        let mut best_move = NO_MOVE;
        let mut number = 0;
        let mut tried: ArrayVec<(usize, bool), 32> = ArrayVec::new();
        let first = self.game.decode(hash);
        loop {
            let (mv, is_forced) = if let (Some(mv), 0) = (first, number) {
                (mv, self.game.class(mv) == Class::Forced)
            } else {
                if !generated {
                    generated = true;
                    self.game.order(Class::Forced, &NoParams, &mut MoveSink::new(&mut self.moves));
                    forced = self.moves.len() > top;
                    if !forced {
                        self.game.order(Class::Quiet, &NoParams, &mut MoveSink::new(&mut self.moves));
                        for index in top..self.moves.len() {
                            let slot = self.slot(self.moves[index].mv);
                            self.moves[index].score += self.learned(slot, ply);
                        }
                    }
                }
                let Some(mv) = self.take_best(&mut next) else { break };
                if first == Some(mv) {
                    continue;
                }
                (mv, forced)
            };
            number += 1;
            let slot = self.slot(mv);
            let undo = self.play(mv, ply);
            let score = -self.node(-beta, depth - 1, ply + 1);
            Threats.undo(&mut self.game, mv, undo);
            if self.stopped {
                self.moves.truncate(top);
                return Score::ZERO;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv.into();
                    self.stats.cutoffs += 1;
                    self.stats.first_move_cutoffs += u64::from(number == 1);
                    self.learn(slot, is_forced, depth, ply, &tried);
                    break;
                }
            }
            let _ = tried.try_push((slot, is_forced));
        }
        self.moves.truncate(top);

        let best = best.clamp(low, high);
        let bound = Bound::of(best, window_low, window_high);
        let score = best.from_node(ply).for_first(side);
        let entry = Entry { score, eval: None, best: best_move, depth: depth as u8, bound, generation: 0 };
        self.stats.tt_stores += 1;
        if self.table.store(key, entry) == Stored::Replaced {
            self.stats.tt_replacements += 1;
        }
        best
    }

    fn take_best(&mut self, next: &mut usize) -> Option<Cell> {
        let left = &mut self.moves[*next..];
        let mut best = 0;
        for index in 1..left.len() {
            if left[index].score > left[best].score {
                best = index;
            }
        }
        if left.is_empty() {
            return None;
        }
        left.swap(0, best);
        *next += 1;
        Some(left[0].mv)
    }

    fn learn(&mut self, slot: usize, forced: bool, depth: i32, ply: usize, tried: &[(usize, bool)]) {
        let bonus = (150 * depth - 80).clamp(20, 1600);
        pull(&mut self.plain[slot], bonus);
        if !forced {
            self.learn_continued(slot, bonus, ply);
        }
        for &(slot, forced) in tried {
            if !forced {
                pull(&mut self.plain[slot], -bonus);
                self.learn_continued(slot, -bonus, ply);
            }
        }
    }

    fn learn_continued(&mut self, slot: usize, bonus: i32, ply: usize) {
        for (back, weight) in WEIGHTS.iter().enumerate() {
            let earlier = self.played[ply + 5 - back];
            if earlier != 0 {
                pull(&mut self.continuation[earlier][slot], bonus * weight / 4);
            }
        }
    }
}
