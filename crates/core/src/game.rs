//! The contract between a game and the core.
//!
//! A game is a position type that implements three traits: [`Game`], the rules; [`Notation`], how people write
//! positions and moves; and [`SearchGame`], what the search asks a game for. A fourth, [`Evaluation`], is for the
//! type that values positions; it follows the changes of a position as an [`Observer`]. The core is generic over
//! these traits. What a position looks like on a screen is a trait of its own, [`crate::look::Look`].

use crate::params::{ParamSet, SearchParams};
use crate::refusal::Refusal;
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
    /// The player who makes the first move of the game.
    First,
    /// The other player.
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
    /// This side has won. The search prefers the shortest win.
    Win(Side),
    /// Nobody has won.
    Draw,
    /// The result is a number, such as a disc difference, from the first player's side and in units of the evaluation.
    Points(i32),
}

/// How the scores of a game are shown to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Hundredths of the game's natural unit, as in chess: `{"cp": 35}`.
    Centi,
    /// Points, where the result of a game is a number: `{"discs": 4}`. One point is this many evaluation units.
    Points(i32),
}

/// Receives every elementary change of a position, so that an evaluation can be updated incrementally. `()` ignores
/// them.
pub trait Observer<C> {
    /// One change. Undoing a move reports the inverse changes.
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
    /// An elementary change that an observer is told of, such as a stone set or removed.
    type Change: Copy;
    /// What `undo` needs to take a move back.
    type Undo: Clone + Send + Sync + 'static;

    /// [Perft](mod@crate::perft) counts a game that ends before the given depth as one line. The published counts of
    /// Othello do.
    const ENDS_COUNT: bool = false;

    /// The side to move.
    fn side(&self) -> Side;

    /// A 64-bit key of the full state: the stones, the side to move and everything else that later moves depend on.
    /// It is kept incrementally.
    fn key(&self) -> u64;

    /// The key that the position will most likely have after a move, where it is cheap to compute before the move is
    /// played. The search prefetches the Search TT with it. A wrong guess costs only time.
    #[inline(always)]
    fn likely_key(&self, _mv: Self::Move) -> Option<u64> {
        None
    }

    /// The key computed from scratch; always equal to [`Game::key`].
    fn recomputed_key(&self) -> u64;

    /// Appends all legal moves; there are none when the game is over.
    fn moves(&self, out: &mut MoveList<Self::Move>);

    /// The moves that [perft](mod@crate::perft) counts. Published counts ignore rules that end a game as a draw, such
    /// as the fifty-move rule; games with such a rule override this.
    fn perft_moves(&self, out: &mut MoveList<Self::Move>) {
        self.moves(out);
    }

    /// How many moves [`Game::perft_moves`] gives.
    fn count_moves(&self) -> usize {
        let mut moves = MoveList::new();
        self.perft_moves(&mut moves);
        moves.len()
    }

    /// The legal move with these bits in this position, if there is one. The bits come from tables and may be
    /// arbitrary.
    fn decode(&self, bits: u16) -> Option<Self::Move>;

    /// Plays a legal move.
    fn play<O: Observer<Self::Change>>(&mut self, mv: Self::Move, observer: &mut O) -> Self::Undo;

    /// Takes the last move back.
    fn undo<O: Observer<Self::Change>>(&mut self, mv: Self::Move, undo: Self::Undo, observer: &mut O);

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The most plies that the game can still last.
    fn horizon(&self) -> i32 {
        i32::MAX
    }

    /// A position of the game so far may come up again, and the rules care. The key does not tell such games apart, so
    /// the search does not answer from the Search TT without a search of its own.
    fn recurs(&self) -> bool {
        false
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

/// The class of a move, by which the search orders, reduces and prunes. A game without such classes calls all moves
/// quiet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Only moves of this class are worth a search here: immediate wins, blocks of a four. Never pruned.
    Forced,
    /// Changes the balance at once: captures, promotions, fours. A negative static score marks a bad one.
    Tactical,
    /// All other moves, ordered mainly by what the search has learned.
    Quiet,
    /// Hardly ever a good move, such as one far from all stones. Searched only where all other moves lose, to prove
    /// the loss.
    Remote,
}

impl Class {
    /// All classes, in the order in which the search asks for them.
    pub const ALL: [Class; 4] = [Class::Forced, Class::Tactical, Class::Quiet, Class::Remote];
}

/// A move with its score for the order of moves.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove<M> {
    /// The move.
    pub mv: M,
    /// Higher is searched earlier.
    pub score: i32,
}

/// Where a game appends the moves that it generates for the search. The memory was reserved at the root.
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

/// What is certain about a position without a search: its score lies in `low..=high`.
///
/// Win distances count from this position, as in [`Score::win_in`]. A draw is [`Score::ZERO`]; the search applies
/// contempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The side to move gets at least this score.
    pub low: Score,
    /// The side to move gets at most this score.
    pub high: Score,
    /// The bits of a move that gets at least `low`, or [`NO_MOVE`].
    pub best: u16,
}

impl Proof {
    /// Nothing is known.
    pub const OPEN: Proof = Proof { low: Score::loss_in(0), high: Score::win_in(0), best: NO_MOVE };
    /// The side to move wins, at an unknown distance.
    pub const WON: Proof = Proof { low: Score::WON, ..Proof::OPEN };

    /// The side to move loses, at an unknown distance.
    pub const LOST: Proof = Proof { high: Score::LOST, ..Proof::OPEN };

    /// The score is known exactly.
    pub const fn exactly(score: Score) -> Proof {
        Proof { low: score, high: score, best: NO_MOVE }
    }
}

/// How to evaluate a position at the horizon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settle {
    /// The static evaluation can be trusted.
    Quiet,
    /// The same, but it was expensive to find out, so the result goes into the Search TT.
    Searched,
    /// Search the moves in the sink. The side to move may also do nothing.
    Optional,
    /// Search the moves in the sink. The side to move can't do nothing: it is in check or faces a four. Moves that
    /// are not in the sink are certainly no better than one that is, so if all moves in it lose, the loss is proven.
    Forced,
    /// The game's solver has proven this.
    Proven(Proof),
}

/// An answer that a game finds before the search: an immediate win, a forced sequence, an only defence.
#[derive(Clone, Debug)]
pub struct Staged<M> {
    /// The stage that found it, as people read it: `immediate win`, `forced block`.
    pub stage: &'static str,
    /// With a score: the line, beginning with the move to play. Without one: the moves that are worth a search.
    pub line: Vec<M>,
    /// The proven score, or `None` if the search has to choose among the moves.
    pub score: Option<Score>,
}

/// A shallow search that predicts a deep one ([Multi-ProbCut]): `deep ≈ shallow + bias ± error`.
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

/// The heuristic value of positions, updated incrementally where that pays.
pub trait Evaluation<G: Game>: Observer<G::Change> + Clone + Send + Sync {
    /// Starts anew from this position.
    fn reset(&mut self, game: &G);

    /// The value for the side to move.
    fn score(&mut self, game: &G) -> Score;

    /// How dear [`Evaluation::score`] is for this position, in units of the game's own. The evaluation cache can leave
    /// cheap ones out; see `eval_cache_cost`.
    fn cost(&self, _: &G) -> i32 {
        1
    }

    /// A hash of the weights. It keeps results of different weights apart in a table.
    fn weights_hash(&self) -> u64;

    /// Plays a move. An evaluation that keeps a stack of its states instead of observing changes overrides this and
    /// `undo`.
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

/// What the search asks a game for. Required are the evaluation, the history slots and the order of moves; everything
/// else has a default that does nothing.
pub trait SearchGame: Game {
    /// The evaluation.
    type Eval: Evaluation<Self>;
    /// The game's own tunables; [`crate::params::NoParams`] if there are none.
    type Params: ParamSet;

    /// How many slots the history tables have for a side.
    const HISTORY: usize;
    /// The game has tactical moves. If not, the search does not ask for them.
    const TACTICAL: bool = true;
    /// The game has remote moves. If not, the search does not ask for them.
    const REMOTE: bool = false;
    /// How many features [`SearchGame::correction_key`] has keys for.
    const CORRECTIONS: usize = 0;
    /// How scores are shown.
    const UNIT: Unit = Unit::Centi;
    /// The game has a solver of its own for endgames, [`SearchGame::finish`].
    const FINISHES: bool = false;

    /// The history slot of a move, below [`SearchGame::HISTORY`]: piece and target square in chess, the cell elsewhere.
    fn history_slot(&self, mv: Self::Move) -> usize;

    /// Takes over what the order of moves needs of the evaluation's weights. The search calls this once, before it begins.
    fn prepare(&mut self, _eval: &Self::Eval) {}

    /// The class of a legal move.
    fn class(&self, _mv: Self::Move) -> Class {
        Class::Quiet
    }

    /// Appends the moves of one class with their static scores.
    ///
    /// A game may leave a move out if another one is certainly at least as good. The search counts on that: if all
    /// moves that it gets lose, it takes the loss as proven. If there are forced moves, there are no others.
    fn order(&self, class: Class, params: &Self::Params, out: &mut MoveSink<'_, Self::Move>);

    /// The outcome, as far as it is cheap to see at a node `ply` below the root. A position that turns out to have no
    /// moves is asked for its [`Game::outcome`] later. If the side to move has already won, this must say so.
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

    /// How to evaluate this position at the horizon. `depth` counts down from 0.
    #[inline(always)]
    fn settle(
        &mut self,
        _depth: i32,
        _resources: &mut Resources<'_, Self>,
        _out: &mut MoveSink<'_, Self::Move>,
    ) -> Settle {
        Settle::Quiet
    }

    /// An answer that needs no search, or the only moves that are worth one.
    fn staged(&mut self, _resources: &mut Resources<'_, Self>) -> Option<Staged<Self::Move>> {
        None
    }

    /// What is proven of moves in this position, as by endgame tables: the result for the side that plays them.
    fn proven_moves(&self) -> Vec<(Self::Move, Proof)> {
        Vec::new()
    }

    /// The side to move is in check, faces a four, or the like. Nodes are then not pruned by their static evaluation.
    #[inline(always)]
    fn threatened(&self) -> bool {
        false
    }

    /// The opponent threatens something that the static evaluation does not see, so that being far above beta means
    /// nothing. Reverse futility pruning is then off.
    #[inline(always)]
    fn pressed(&self) -> bool {
        false
    }

    /// The exchange that a move begins loses more than this, in evaluation units. Games without exchanges say no.
    #[inline(always)]
    fn loses_exchange(&self, _mv: Self::Move, _more_than: i32) -> bool {
        false
    }

    /// A quiet move that the opponent has to answer at once, such as a check. It is never pruned as hopeless. The
    /// game must order such moves before the other quiet moves.
    #[inline(always)]
    fn forcing(&self, _mv: Self::Move) -> bool {
        false
    }

    /// The most that a move of [`SearchGame::settle`] can gain at once, in evaluation units, if the game can tell.
    #[inline(always)]
    fn gain(&self, _mv: Self::Move) -> Option<i32> {
        None
    }

    /// Passes, so that the opponent is to move. `None` where a pass is not sound enough for null-move pruning.
    #[inline(always)]
    fn play_null(&mut self) -> Option<Self::Undo> {
        None
    }

    /// Takes a null move back.
    #[inline(always)]
    fn undo_null(&mut self, _undo: Self::Undo) {}

    /// The key of a feature, such as the pawn structure, for which correction history learns the error of the
    /// evaluation.
    #[inline(always)]
    fn correction_key(&self, _feature: usize) -> u64 {
        0
    }

    /// The prediction number `attempt` (from 0) of a search of this depth, for Multi-ProbCut; `None` if there are no
    /// more. Its error may have been learned with the weights of the evaluation.
    #[inline(always)]
    fn prediction(&self, _eval: &Self::Eval, _depth: i32, _attempt: usize) -> Option<Prediction> {
        None
    }

    /// If a search of this depth goes to the end of the game, how certain its result is, in percent;
    /// [`SearchGame::finish`] does such a search. The certainty is the same after a move, at one ply less.
    #[inline(always)]
    fn certainty(&self, _depth: i32) -> Option<u8> {
        None
    }

    /// The endgame has begun, as far as planning time goes; see `time_endgame_percent`.
    fn endgame(&self) -> bool {
        false
    }

    /// The depth of the next iteration. A game with its own endgame solver jumps to the depth of that solver as soon
    /// as it pays; greater depths then stand for greater certainty, and the last one is certain.
    fn deepen(&self, depth: i32) -> i32 {
        depth + 1
    }

    /// The value of a position by the game's own endgame solver, fail-soft within the window.
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

    /// Sets the core's parameters to values that suit this game.
    fn tune(_params: &mut SearchParams) {}
}

/// How people write positions and moves of a game.
pub trait Notation: Game {
    /// The position a game starts from, on the usual board and by the usual rules.
    fn start() -> Self;

    /// Reads a position of the same board and rules as this one.
    fn parse(&self, text: &str) -> Result<Self, Refusal>;

    /// Writes a position so that [`Notation::parse`] reads it back.
    fn text(&self) -> String;

    /// Reads a legal move.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Refusal>;

    /// Writes a legal move.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Writes a legal move as people write it, if that differs: `Nf3` instead of `g1f3`.
    fn short_text(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// The board drawn with letters for a terminal, on several lines.
    fn board(&self) -> String;
}
