//! What a game is: the whole contract between a game and the core.
//!
//! [`Game`] holds the rules, [`SearchGame`] the slots where playing strength lives, [`Notation`] how people write the
//! game down. A game implements the three for one position type; everything else in Polyply is generic over them.

use crate::params::{ParamSet, SearchParams};
use crate::resources::Resources;
use crate::score::Score;
use arrayvec::ArrayVec;

/// No position of any game has more legal moves (22×22 gomoku has 484).
pub const MAX_MOVES: usize = 512;

/// All legal moves of a position.
pub type MoveList<M> = ArrayVec<M, MAX_MOVES>;

/// The bits that stand for "no move" in tables. No game encodes a move like this.
pub const NO_MOVE: u16 = u16::MAX;

/// The two players, in the order of their first moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Side {
    /// Moves first from the starting position.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// The opponent.
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// This side has won; the sooner the better.
    Win(Side),
    /// Nobody has.
    Draw,
    /// The result is a number (a disc difference, say), from the first player's side and in units of the evaluation.
    Points(i32),
}

/// How the scores of a game are shown to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Hundredths of the game's natural unit, as in chess: `{"cp": 35}`.
    Centi,
    /// The result itself is a number; this many evaluation units make one point: `{"discs": 4}`.
    Points(i32),
}

/// Is told of every elementary change of a position, so that an evaluation can follow it. `()` follows nothing.
pub trait Observer<C> {
    /// One change; undoing a move reports the inverse changes.
    fn change(&mut self, change: C);
}

impl<C> Observer<C> for () {
    #[inline(always)]
    fn change(&mut self, _: C) {}
}

/// The rules of a two-player game of perfect information, as a position type.
///
/// A position is plain memory: it has no locks, and `play` and `undo` do not allocate.
pub trait Game: Clone + Send + Sync + 'static {
    /// A move. Its sixteen bits are never [`NO_MOVE`].
    type Move: Copy + Eq + std::fmt::Debug + Into<u16> + Send + Sync + 'static;
    /// An elementary change (a stone set or lifted) that an evaluation may follow.
    type Change: Copy;
    /// What `play` remembers for `undo`.
    type Undo: Clone + Send + Sync + 'static;

    /// In [perft](mod@crate::perft) a game that ended sooner counts as a line: so the published counts of Othello have it.
    const ENDS_COUNT: bool = false;

    /// The side to move.
    fn side(&self) -> Side;

    /// A 64-bit key of the full state (stones, side to move and whatever else decides the future), kept incrementally.
    fn key(&self) -> u64;

    /// The key that the position will most likely have after a move, where that can be said long before the move is
    /// played: its line of the Search TT is on its way meanwhile. A wrong guess costs time, nothing else.
    #[inline(always)]
    fn likely_key(&self, _mv: Self::Move) -> Option<u64> {
        None
    }

    /// The key computed from scratch; always equal to [`Game::key`].
    fn recomputed_key(&self) -> u64;

    /// Appends every legal move; none when the game is over.
    fn moves(&self, out: &mut MoveList<Self::Move>);

    /// The moves that [perft](mod@crate::perft) counts. Tables of perft numbers let a game go on that a rule about
    /// draws has ended; who has such a rule appends those moves here.
    fn perft_moves(&self, out: &mut MoveList<Self::Move>) {
        self.moves(out);
    }

    /// How many moves [`Game::perft_moves`] gives.
    fn count_moves(&self) -> usize {
        let mut moves = MoveList::new();
        self.perft_moves(&mut moves);
        moves.len()
    }

    /// The legal move with these bits in this position, if there is one. Bits come from tables and may be of any kind.
    fn decode(&self, bits: u16) -> Option<Self::Move>;

    /// Plays a legal move.
    fn play<O: Observer<Self::Change>>(&mut self, mv: Self::Move, observer: &mut O) -> Self::Undo;

    /// Takes the last move back.
    fn undo<O: Observer<Self::Change>>(&mut self, mv: Self::Move, undo: Self::Undo, observer: &mut O);

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// No line from here is longer than this many plies.
    fn horizon(&self) -> i32 {
        i32::MAX
    }

    /// How many symmetries the rules have, the identity included. Symmetry 0 is the identity.
    fn symmetries(&self) -> usize {
        1
    }

    /// The position under a symmetry.
    fn transform(&self, _symmetry: usize) -> Self {
        self.clone()
    }

    /// A move under a symmetry.
    fn transform_move(&self, mv: Self::Move, _symmetry: usize) -> Self::Move {
        mv
    }

    /// The symmetry that undoes another one.
    fn inverse(&self, symmetry: usize) -> usize {
        symmetry
    }
}

/// What kind of move it is to the search. A game whose moves are all alike calls them quiet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// The position leaves no choice but moves like this one: wins at hand, blocks of a four. Never reduced or pruned.
    Forced,
    /// Changes the balance at once: captures, promotions, fours. A negative static score marks a bad one.
    Tactical,
    /// Everything else; ordered by what the search has learned.
    Quiet,
    /// Hardly ever of use (far from all stones): looked at only where everything else loses, so that a loss is proven.
    Remote,
}

impl Class {
    /// All classes, in the order in which the search asks for them.
    pub const ALL: [Class; 4] = [Class::Forced, Class::Tactical, Class::Quiet, Class::Remote];
}

/// A move with its place in the order.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove<M> {
    /// The move.
    pub mv: M,
    /// Higher is searched earlier.
    pub score: i32,
}

/// Where a game puts the moves it generates for the search: a window on memory that was reserved at the root.
pub struct MoveSink<'a, M> {
    moves: &'a mut Vec<ScoredMove<M>>,
}

impl<'a, M> MoveSink<'a, M> {
    /// Moves are appended to `moves`, whose capacity the caller has reserved.
    pub fn new(moves: &'a mut Vec<ScoredMove<M>>) -> Self {
        MoveSink { moves }
    }

    /// Adds a move with its static score.
    #[inline(always)]
    pub fn push(&mut self, mv: M, score: i32) {
        self.moves.push(ScoredMove { mv, score });
    }
}

/// What is certain about a position without searching it: its score lies in `low..=high`.
///
/// Win distances count from this position, as in [`Score::win_in`]. A draw is [`Score::ZERO`]; the search knows what
/// contempt makes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The side to move gets at least this.
    pub low: Score,
    /// And at most this.
    pub high: Score,
    /// The bits of a move that gets at least `low`, or [`NO_MOVE`].
    pub best: u16,
}

impl Proof {
    /// Nothing is known.
    pub const OPEN: Proof = Proof { low: Score::loss_in(0), high: Score::win_in(0), best: NO_MOVE };

    /// The score is known exactly.
    pub const fn exactly(score: Score) -> Proof {
        Proof { low: score, high: score, best: NO_MOVE }
    }
}

/// How a position at the horizon is to be judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settle {
    /// The evaluation may be trusted as it is.
    Quiet,
    /// The same, but finding that out was dear enough to be remembered.
    Searched,
    /// Search the moves that were put into the sink; the side to move may also stay as it is.
    Optional,
    /// Search the moves that were put into the sink; doing nothing is no choice (in check, facing a four). The sink
    /// holds every move but those that are certainly no better than another one: if all lose, the loss is proven.
    Forced,
    /// The game's solver has found this.
    Proven(Proof),
}

/// An answer that a game finds before the search: an immediate win, a forced sequence, an only defence.
#[derive(Clone, Debug)]
pub struct Staged<M> {
    /// Which stage spoke, in words for people: `immediate win`, `forced block`.
    pub stage: &'static str,
    /// The line, beginning with the move to play; without a score, the only moves that are worth a search.
    pub line: Vec<M>,
    /// What is proven about it, or `None` when the search shall choose.
    pub score: Option<Score>,
}

/// One shallow search that predicts a deep one ([Multi-ProbCut]): `deep ≈ shallow + bias`, give or take `error`.
///
/// [Multi-ProbCut]: https://www.chessprogramming.org/ProbCut
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prediction {
    /// Depth of the shallow search.
    pub depth: i32,
    /// Mean of deep minus shallow.
    pub bias: i32,
    /// Standard deviation of the difference.
    pub error: i32,
}

/// The heuristic value of positions, kept incrementally where that pays.
pub trait Evaluation<G: Game>: Observer<G::Change> + Clone + Send + Sync {
    /// Starts from a position that was not reached by moves.
    fn reset(&mut self, game: &G);

    /// The value for the side to move.
    fn score(&mut self, game: &G) -> Score;

    /// A hash of the weights. Results computed with different weights never mix in a table.
    fn weights_hash(&self) -> u64;

    /// Plays a move. An evaluation that keeps a stack instead of following changes overrides this and `undo`.
    #[inline(always)]
    fn play(&mut self, game: &mut G, mv: G::Move) -> G::Undo {
        game.play(mv, self)
    }

    /// Takes the last move back.
    #[inline(always)]
    fn undo(&mut self, game: &mut G, mv: G::Move, undo: G::Undo) {
        game.undo(mv, undo, self);
    }
}

/// The slots where a game's playing strength lives. All but the first few have defaults that suit a plain game.
pub trait SearchGame: Game {
    /// The evaluation.
    type Eval: Evaluation<Self>;
    /// The game's own tunables ([`crate::params::NoParams`] where there are none).
    type Params: ParamSet;

    /// How many slots the history tables have for a side.
    const HISTORY: usize;
    /// The game has tactical moves; where it has none the search need not ask for them.
    const TACTICAL: bool = true;
    /// The game has remote moves.
    const REMOTE: bool = false;
    /// How many features [`SearchGame::correction_key`] knows.
    const CORRECTIONS: usize = 0;
    /// How scores are shown.
    const UNIT: Unit = Unit::Centi;
    /// The game searches its last moves itself, in [`SearchGame::finish`].
    const FINISHES: bool = false;

    /// The history slot of a move (piece and target in chess, the cell elsewhere), below [`SearchGame::HISTORY`].
    fn history_slot(&self, mv: Self::Move) -> usize;

    /// The class of a legal move.
    fn class(&self, _mv: Self::Move) -> Class {
        Class::Quiet
    }

    /// Appends the moves of one class with their static scores.
    ///
    /// A game may leave a move out if another one is certainly at least as good. The search counts on that: if all moves
    /// that it gets lose, it takes the loss as proven. If there are forced moves, there are no others.
    fn order(&self, class: Class, params: &Self::Params, out: &mut MoveSink<'_, Self::Move>);

    /// The result, as far as it is cheap to see at a node `ply` below the root; a position without moves is asked for
    /// its full [`Game::outcome`] later. An end that wins for the side to move must be seen here: the search takes for
    /// granted that nobody wins without a move.
    #[inline(always)]
    fn ended(&self, _ply: usize) -> Option<Outcome> {
        self.outcome()
    }

    /// What is certain about the position: the result of a solver or of a tablebase, or a bound that follows from the
    /// rules. It must be right, its win distances included.
    #[inline(always)]
    fn proof(&mut self, _depth: i32, _resources: &mut Resources<'_, Self>) -> Proof {
        Proof::OPEN
    }

    /// How to judge this position at the horizon; `depth` counts down from 0.
    #[inline(always)]
    fn settle(
        &mut self,
        _depth: i32,
        _resources: &mut Resources<'_, Self>,
        _out: &mut MoveSink<'_, Self::Move>,
    ) -> Settle {
        Settle::Quiet
    }

    /// Tries to answer before the search begins.
    fn staged(&mut self, _resources: &mut Resources<'_, Self>) -> Option<Staged<Self::Move>> {
        None
    }

    /// The side to move is in check, faces a four, or the like: no time for pruning on a static value.
    #[inline(always)]
    fn threatened(&self) -> bool {
        false
    }

    /// The opponent threatens what a static value does not weigh: to be far above beta by it means nothing here.
    #[inline(always)]
    fn pressed(&self) -> bool {
        false
    }

    /// Exchanges that the move begins lose more than so much, in evaluation units. A game that can't tell says no.
    #[inline(always)]
    fn loses_exchange(&self, _mv: Self::Move, _more_than: i32) -> bool {
        false
    }

    /// A quiet move that has to be answered at once: it is not left out however hopeless the position looks. A game that
    /// says so of a move puts it before the other quiet ones.
    #[inline(always)]
    fn forcing(&self, _mv: Self::Move) -> bool {
        false
    }

    /// The most a move that settling put down gains at once, in evaluation units, where the game can tell.
    #[inline(always)]
    fn gain(&self, _mv: Self::Move) -> Option<i32> {
        None
    }

    /// Passes the move, where that is sound enough to prune on; the opponent is then to move.
    #[inline(always)]
    fn play_null(&mut self) -> Option<Self::Undo> {
        None
    }

    /// Takes a null move back.
    #[inline(always)]
    fn undo_null(&mut self, _undo: Self::Undo) {}

    /// The key of a feature (a pawn structure, a corner) whose evaluation error is worth learning.
    #[inline(always)]
    fn correction_key(&self, _feature: usize) -> u64 {
        0
    }

    /// The `attempt`-th prediction of a search of this depth, for Multi-ProbCut; `None` ends the attempts.
    #[inline(always)]
    fn prediction(&self, _depth: i32, _attempt: usize) -> Option<Prediction> {
        None
    }

    /// How certain, in percent, a search of this depth is of its result, if it goes to the end of the game: then
    /// [`SearchGame::finish`] does it. The next moves, a ply less deep each, are as certain.
    #[inline(always)]
    fn certainty(&self, _depth: i32) -> Option<u8> {
        None
    }

    /// The depth of the iteration that comes after this one. A game that finishes itself goes over to that as soon as it
    /// pays, and comes back with greater depths for greater certainty; the last one is certain.
    fn deepen(&self, depth: i32) -> i32 {
        depth + 1
    }

    /// The value of a position that a search of this depth plays to the end, fail-soft within the window.
    #[inline(always)]
    fn finish(
        &mut self,
        _eval: &mut Self::Eval,
        _window: (Score, Score),
        _depth: i32,
        _resources: &mut Resources<'_, Self>,
    ) -> Score {
        Score::ZERO
    }

    /// Sets the core's parameters to what suits this game's scores.
    fn tune(_params: &mut SearchParams) {}
}

/// How people write positions and moves of a game.
pub trait Notation: Game {
    /// The position a game starts from, on the usual board and by the usual rules.
    fn start() -> Self;

    /// Reads a position of the same board and rules as this one; the error is one sentence.
    fn parse(&self, text: &str) -> Result<Self, String>;

    /// Writes a position so that [`Notation::parse`] reads it back.
    fn text(&self) -> String;

    /// Reads a legal move; the error is one sentence.
    fn parse_move(&self, text: &str) -> Result<Self::Move, String>;

    /// Writes a legal move.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Writes a legal move as people write it down, where that is another way: `Nf3` instead of `g1f3`.
    fn short_text(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// The board drawn with letters, for a terminal, several lines.
    fn board(&self) -> String;
}
