//! The staged picker: moves are generated and scored only when the earlier stages did not cut.

use super::history::After;
use super::{Context, History};
use crate::game::{Class, MoveList, MoveSink, NO_MOVE, ScoredMove, SearchGame};

/// Where the picker stands. Stages run in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Stage {
    Hash,
    Forced,
    Tactical,
    GoodTactical,
    FirstKiller,
    SecondKiller,
    Counter,
    Quiet,
    Remaining,
    /// Whatever segment is left: forced moves, bad tactical ones, or all moves in searches that order them at once.
    Last,
    /// Moves that are looked at only where everything else loses.
    Remote,
    LastRemote,
    Done,
}

/// Quiet moves that have refuted something similar, tried before the others.
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

/// Hands out the moves of one node, best first. The moves themselves lie on a stack shared by all nodes of a thread.
pub(crate) struct Picker {
    stage: Stage,
    hash: u16,
    refutations: Refutations,
    context: Context,
    /// The next move and the end of the segment being handed out.
    next: usize,
    end: usize,
    /// The class of that segment.
    class: Class,
    /// Tactical moves that were put off.
    bad: std::ops::Range<usize>,
}

/// What the picker needs of its thread.
pub(crate) struct Source<'a, G: SearchGame> {
    pub game: &'a G,
    pub params: &'a G::Params,
    pub history: &'a History,
    pub moves: &'a mut Vec<ScoredMove<G::Move>>,
}

impl Picker {
    pub fn new(top: usize, hash: u16, refutations: Refutations, context: Context) -> Self {
        Picker {
            stage: if hash == NO_MOVE { Stage::Forced } else { Stage::Hash },
            hash,
            refutations,
            context,
            next: top,
            end: top,
            class: Class::Quiet,
            bad: top..top,
        }
    }

    /// Every legal move in one stage, the hash move first: for searches that must not miss one.
    pub fn all<G: SearchGame>(top: usize, hash: u16, context: Context, source: &mut Source<'_, G>) -> Self {
        let mut picker = Picker::new(top, hash, Refutations::NONE, context);
        let mut list = MoveList::new();
        source.game.moves(&mut list);
        let after = Some(source.history.after(&context));
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
        // Forced moves are few: mostly there is nothing to order.
        if class == Class::Forced && self.end - self.next < 2 {
            return;
        }
        let after = (class == Class::Quiet).then(|| source.history.after(&self.context));
        for index in self.next..self.end {
            let learned = Self::learned(source, after.as_ref(), source.moves[index].mv, class);
            let score = &mut source.moves[index].score;
            // A tactical move stays on its side of zero, good or bad, however it did elsewhere.
            *score = match class {
                Class::Tactical if *score < 0 => *score,
                Class::Tactical => (*score + learned).max(0),
                Class::Quiet | Class::Forced | Class::Remote => *score + learned,
            };
        }
    }

    /// Takes the best move left in the segment, if it scores at least `least`.
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

    /// The stage of killers and counter moves, unless there are none.
    fn refuting(&self) -> Stage {
        if self.refutations.is_empty() { Stage::Quiet } else { Stage::FirstKiller }
    }

    /// A killer or counter move, if it is a legal quiet move here that did not come yet.
    fn refutation<G: SearchGame>(&self, source: &Source<'_, G>, bits: u16) -> Option<G::Move> {
        if bits == NO_MOVE || bits == self.hash {
            return None;
        }
        source.game.decode(bits).filter(|&mv| source.game.class(mv) == Class::Quiet)
    }

    /// The next move. With `skip_quiets` the quiet moves that are left are skipped; remote moves come only with `remote`.
    #[inline(always)]
    pub fn next<G: SearchGame>(
        &mut self,
        source: &mut Source<'_, G>,
        skip_quiets: bool,
        remote: bool,
    ) -> Option<(G::Move, Class)> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = Stage::Forced;
                    if let Some(mv) = source.game.decode(self.hash) {
                        return Some((mv, source.game.class(mv)));
                    }
                    self.hash = NO_MOVE;
                }
                Stage::Forced => {
                    self.generate(source, Class::Forced);
                    self.stage = if self.next < self.end {
                        Stage::Last
                    } else if G::TACTICAL {
                        Stage::Tactical
                    } else {
                        self.refuting()
                    };
                }
                Stage::Tactical => {
                    self.generate(source, Class::Tactical);
                    self.stage = Stage::GoodTactical;
                }
                Stage::GoodTactical => {
                    if let Some(mv) = self.best(source, 0) {
                        return Some((mv, Class::Tactical));
                    }
                    self.bad = self.next..self.end;
                    self.stage = self.refuting();
                }
                Stage::FirstKiller | Stage::SecondKiller | Stage::Counter => {
                    let [first, second] = self.refutations.killers;
                    let counter = self.refutations.counter;
                    let (bits, next, fresh) = match self.stage {
                        Stage::FirstKiller => (first, Stage::SecondKiller, true),
                        Stage::SecondKiller => (second, Stage::Counter, true),
                        _ => (counter, Stage::Quiet, counter != first && counter != second),
                    };
                    self.stage = next;
                    if fresh
                        && !skip_quiets
                        && let Some(mv) = self.refutation(source, bits)
                    {
                        return Some((mv, Class::Quiet));
                    }
                }
                Stage::Quiet => {
                    if !skip_quiets {
                        self.generate(source, Class::Quiet);
                    }
                    // Where nothing came before and nothing is put off, what is left is simply the rest.
                    let plain = !G::TACTICAL && self.refutations.is_empty();
                    self.stage = if plain { Stage::Last } else { Stage::Remaining };
                }
                Stage::Remaining => {
                    while !skip_quiets && let Some(mv) = self.best(source, i32::MIN) {
                        if !self.refutations.contains(mv.into()) {
                            return Some((mv, Class::Quiet));
                        }
                    }
                    (self.next, self.end, self.class) = (self.bad.start, self.bad.end, Class::Tactical);
                    self.stage = Stage::Last;
                }
                Stage::Last => {
                    let skipped = skip_quiets && self.class == Class::Quiet;
                    if !skipped && let Some(mv) = self.best(source, i32::MIN) {
                        return Some((mv, self.class));
                    }
                    self.stage = if G::REMOTE { Stage::Remote } else { Stage::Done };
                }
                Stage::Remote => {
                    if !remote {
                        return None;
                    }
                    self.generate(source, Class::Remote);
                    self.stage = Stage::LastRemote;
                }
                Stage::LastRemote => {
                    if let Some(mv) = self.best(source, i32::MIN) {
                        return Some((mv, Class::Remote));
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }
}
