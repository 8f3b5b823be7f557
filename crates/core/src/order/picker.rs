//! The staged picker: moves of a class are generated and scored only when no move before them caused a cutoff.

use super::history::After;
use super::{History, Path};
use crate::game::{Class, MoveList, MoveSink, NO_MOVE, ScoredMove, SearchGame};

/// What the picker does next. Stages run in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Hand out the hash move.
    Hash,
    /// Generate the forced moves.
    Forced,
    /// Generate the tactical moves.
    Tactical,
    /// Hand out the good ones.
    GoodTactical,
    FirstKiller,
    SecondKiller,
    Counter,
    /// Generate the quiet moves.
    Quiet,
    /// Hand them out.
    Remaining,
    /// Hand out the last segment: forced moves, bad tactical ones, or all moves in searches that order them at once.
    Last,
    /// Generate the moves that are searched only where all others lose.
    Remote,
    /// Hand them out.
    LastRemote,
    Done,
}

/// Quiet moves that caused a cutoff in a similar position, tried before other quiet moves.
#[derive(Clone, Copy)]
pub(crate) struct Refutations {
    pub killers: [u16; 2],
    pub counter: u16,
}

impl Refutations {
    pub const NONE: Refutations = Refutations { killers: [NO_MOVE; 2], counter: NO_MOVE };

    fn is_empty(&self) -> bool {
        self.killers == [NO_MOVE; 2] && self.counter == NO_MOVE
    }

    pub fn contains(&self, bits: u16) -> bool {
        self.killers.contains(&bits) || self.counter == bits
    }
}

/// Hands out the moves of one node, best first. The moves themselves are on a stack shared by all nodes of a thread.
pub(crate) struct Picker {
    stage: Stage,
    hash: u16,
    ply: usize,
    refutations: Refutations,
    /// The next move and the end of the segment being handed out.
    next: usize,
    end: usize,
    /// The class of that segment.
    class: Class,
    /// The bad tactical moves, which come after the quiet ones.
    bad: std::ops::Range<usize>,
}

/// What the picker needs of its thread.
pub(crate) struct Source<'a, G: SearchGame> {
    pub game: &'a G,
    pub params: &'a G::Params,
    pub history: &'a History,
    pub path: &'a Path,
    pub moves: &'a mut Vec<ScoredMove<G::Move>>,
}

impl Picker {
    pub fn new(top: usize, ply: usize, hash: u16, refutations: Refutations) -> Self {
        Picker {
            stage: if hash == NO_MOVE { Stage::Forced } else { Stage::Hash },
            hash,
            ply,
            refutations,
            next: top,
            end: top,
            class: Class::Quiet,
            bad: top..top,
        }
    }

    /// All legal moves in one stage, the hash move first: for searches that must not leave out a move.
    pub fn all<G: SearchGame>(top: usize, ply: usize, hash: u16, source: &mut Source<'_, G>) -> Self {
        let mut picker = Picker::new(top, ply, hash, Refutations::NONE);
        let mut list = MoveList::new();
        source.game.moves(&mut list);
        let after = Some(source.history.after(source.path.context(ply)));
        for &mv in &list {
            let first = if mv.into() == hash { 1 << 20 } else { 0 };
            let score = first + Self::learned(source, after.as_ref(), mv, Class::Quiet);
            source.moves.push(ScoredMove { mv, score });
        }
        picker.end = source.moves.len();
        picker.hash = NO_MOVE;
        picker.stage = Stage::Last;
        picker
    }

    #[inline(always)]
    fn learned<G: SearchGame>(source: &Source<'_, G>, after: Option<&After<'_>>, mv: G::Move, class: Class) -> i32 {
        let slot = source.history.slot(source.game.side(), source.game.history_slot(mv));
        source.history.plain(class, slot) + after.map_or(0, |after| after.value(slot))
    }

    /// Generates the moves of a class and adds what was learned to their static scores.
    #[inline(always)]
    fn generate<G: SearchGame>(&mut self, source: &mut Source<'_, G>, class: Class) {
        self.class = class;
        self.next = source.moves.len();
        source.game.order(class, source.params, &mut MoveSink::new(source.moves));
        self.end = source.moves.len();
        // There is mostly only one forced move, and then nothing to order.
        if class == Class::Forced && self.end - self.next < 2 {
            return;
        }
        let after = (class == Class::Quiet).then(|| source.history.after(source.path.context(self.ply)));
        for index in self.next..self.end {
            let learned = Self::learned(source, after.as_ref(), source.moves[index].mv, class);
            let score = &mut source.moves[index].score;
            // The sign says whether a tactical move is good or bad; history does not change it.
            *score = match class {
                Class::Tactical if *score < 0 => *score,
                Class::Tactical => (*score + learned).max(0),
                Class::Quiet | Class::Forced | Class::Remote => *score + learned,
            };
        }
    }

    /// Takes the best move left in the segment, if it scores at least `least`. Skips the hash move, which came first.
    #[inline(always)]
    fn best<G: SearchGame>(&mut self, source: &mut Source<'_, G>, least: i32) -> Option<G::Move> {
        while self.next < self.end {
            let segment = &mut source.moves[self.next..self.end];
            let mut best = 0;
            for index in 1..segment.len() {
                if segment[index].score > segment[best].score {
                    best = index;
                }
            }
            if segment[best].score < least {
                return None;
            }
            segment.swap(0, best);
            let mv = segment[0].mv;
            self.next += 1;
            if mv.into() != self.hash {
                return Some(mv);
            }
        }
        None
    }

    /// The next move. With `skip_quiets` the quiet moves that are left are skipped; remote moves come only with
    /// `remote`.
    #[inline(always)]
    pub fn next<G: SearchGame>(
        &mut self,
        source: &mut Source<'_, G>,
        skip_quiets: bool,
        remote: bool,
    ) -> Option<(G::Move, Class)> {
        loop {
            let found = match self.stage {
                Stage::Hash => self.hash_move(source),
                Stage::Forced => {
                    self.list_forced(source);
                    None
                }
                Stage::Tactical => {
                    self.list_tactical(source);
                    None
                }
                Stage::GoodTactical => self.good_tactical(source),
                Stage::FirstKiller | Stage::SecondKiller | Stage::Counter => self.refutation(source, skip_quiets),
                Stage::Quiet => {
                    self.list_quiet(source, skip_quiets);
                    None
                }
                Stage::Remaining => self.remaining_quiet(source, skip_quiets),
                Stage::Last => self.last(source, skip_quiets),
                // The stage stays: the next call may want remote moves.
                Stage::Remote if !remote => return None,
                Stage::Remote => {
                    self.list_remote(source);
                    None
                }
                Stage::LastRemote => self.remote(source),
                Stage::Done => return None,
            };
            if found.is_some() {
                return found;
            }
        }
    }

    #[inline(always)]
    fn hash_move<G: SearchGame>(&mut self, source: &Source<'_, G>) -> Option<(G::Move, Class)> {
        self.stage = Stage::Forced;
        let Some(mv) = source.game.decode(self.hash) else {
            self.hash = NO_MOVE;
            return None;
        };
        Some((mv, source.game.class(mv)))
    }

    /// Where there are forced moves, they are the last segment.
    #[inline(always)]
    fn list_forced<G: SearchGame>(&mut self, source: &mut Source<'_, G>) {
        self.generate(source, Class::Forced);
        self.stage = if self.next < self.end {
            Stage::Last
        } else if G::TACTICAL {
            Stage::Tactical
        } else {
            self.first_refutation()
        };
    }

    #[inline(always)]
    fn list_tactical<G: SearchGame>(&mut self, source: &mut Source<'_, G>) {
        self.generate(source, Class::Tactical);
        self.stage = Stage::GoodTactical;
    }

    /// Tactical moves of score 0 or more; the bad ones wait for the last segment.
    #[inline(always)]
    fn good_tactical<G: SearchGame>(&mut self, source: &mut Source<'_, G>) -> Option<(G::Move, Class)> {
        if let Some(mv) = self.best(source, 0) {
            return Some((mv, Class::Tactical));
        }
        self.bad = self.next..self.end;
        self.stage = self.first_refutation();
        None
    }

    /// The stage of killers and counter moves, unless there are none.
    fn first_refutation(&self) -> Stage {
        if self.refutations.is_empty() { Stage::Quiet } else { Stage::FirstKiller }
    }

    /// The killer or counter move of this stage, if it is a legal quiet move here and was not handed out before.
    #[inline(always)]
    fn refutation<G: SearchGame>(&mut self, source: &Source<'_, G>, skip_quiets: bool) -> Option<(G::Move, Class)> {
        let [first, second] = self.refutations.killers;
        let counter = self.refutations.counter;
        let (bits, next, new) = match self.stage {
            Stage::FirstKiller => (first, Stage::SecondKiller, true),
            Stage::SecondKiller => (second, Stage::Counter, true),
            _ => (counter, Stage::Quiet, counter != first && counter != second),
        };
        self.stage = next;
        if !new || skip_quiets {
            return None;
        }
        let mv = self.quiet_move(source, bits)?;
        Some((mv, Class::Quiet))
    }

    /// The quiet move with these bits, unless it is the hash move.
    fn quiet_move<G: SearchGame>(&self, source: &Source<'_, G>, bits: u16) -> Option<G::Move> {
        if bits == NO_MOVE || bits == self.hash {
            return None;
        }
        source.game.decode(bits).filter(|&mv| source.game.class(mv) == Class::Quiet)
    }

    #[inline(always)]
    fn list_quiet<G: SearchGame>(&mut self, source: &mut Source<'_, G>, skip_quiets: bool) {
        if !skip_quiets {
            self.generate(source, Class::Quiet);
        }
        // Without refutations to skip and bad tactical moves to add, the quiet moves are the last segment.
        let plain = !G::TACTICAL && self.refutations.is_empty();
        self.stage = if plain { Stage::Last } else { Stage::Remaining };
    }

    /// Quiet moves but for the refutations, which came before; then the bad tactical moves become the last segment.
    #[inline(always)]
    fn remaining_quiet<G: SearchGame>(
        &mut self,
        source: &mut Source<'_, G>,
        skip_quiets: bool,
    ) -> Option<(G::Move, Class)> {
        while !skip_quiets && let Some(mv) = self.best(source, i32::MIN) {
            if !self.refutations.contains(mv.into()) {
                return Some((mv, Class::Quiet));
            }
        }
        (self.next, self.end, self.class) = (self.bad.start, self.bad.end, Class::Tactical);
        self.stage = Stage::Last;
        None
    }

    #[inline(always)]
    fn last<G: SearchGame>(&mut self, source: &mut Source<'_, G>, skip_quiets: bool) -> Option<(G::Move, Class)> {
        let skipped = skip_quiets && self.class == Class::Quiet;
        if !skipped && let Some(mv) = self.best(source, i32::MIN) {
            return Some((mv, self.class));
        }
        self.stage = if G::REMOTE { Stage::Remote } else { Stage::Done };
        None
    }

    #[inline(always)]
    fn list_remote<G: SearchGame>(&mut self, source: &mut Source<'_, G>) {
        self.generate(source, Class::Remote);
        self.stage = Stage::LastRemote;
    }

    #[inline(always)]
    fn remote<G: SearchGame>(&mut self, source: &mut Source<'_, G>) -> Option<(G::Move, Class)> {
        if let Some(mv) = self.best(source, i32::MIN) {
            return Some((mv, Class::Remote));
        }
        self.stage = Stage::Done;
        None
    }
}
