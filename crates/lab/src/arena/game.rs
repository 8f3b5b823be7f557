//! One game between two players.

use super::adjudicate::{Adjudication, Judge, Verdict};
use super::running_engine::{RunContext, RunningEngine};
use super::time_control::{Clocks, TimeControl};
use crate::record::{End, Move, Reason};
use polyply_core::random::Random;
use polyply_engine::{Board, EngineError, Outcome, Side};
use polyply_protocol::drive::{Budget, Fault, MoveReply, MoveRequest};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The rules of a game besides those of the variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRules {
    /// When to end a game early.
    pub adjudication: Adjudication,
    /// How far a move may exceed its time.
    pub margin: Duration,
    /// The longest time for a move without a time limit.
    pub stall: Duration,
    /// Positions that the game's own solver takes on after a short search are solved, whatever the limits.
    pub solve: bool,
}

/// Plies of a search that is affordable under any limits.
pub(crate) const SHORT_LOOK: i32 = 6;
/// The number of moves after the opening that may be random.
const UNSTEADY: usize = 8;
/// Each of them is random once in this many times.
const SLIP: usize = 12;
/// A random move is the most promising of this many.
const SLIP_CHOOSINESS: usize = 3;

/// Random moves after the opening, so that games of the same engine differ.
pub struct RandomMoves {
    random: Random,
    left: usize,
}

impl RandomMoves {
    /// The random moves of a game. The seed is inverted because the opening is drawn from the same seed and number.
    pub fn new(seed: u64, number: u64) -> RandomMoves {
        RandomMoves { random: Random::of(!seed, number), left: UNSTEADY }
    }

    /// A random move, if it is time for one.
    fn draw(&mut self, board: &Board) -> Result<Option<String>, EngineError> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let random_moves = self.random.once_in(SLIP);
        random_moves.then(|| board.draw(SLIP_CHOOSINESS, &mut |end| self.random.scaled(end))).transpose()
    }
}

/// Everything a game is played with.
pub struct GameSetup<'a> {
    /// Where it begins.
    pub board: Board,
    /// The players.
    pub players: &'a mut [RunningEngine],
    /// The index of the player of each side.
    pub seats: [usize; 2],
    /// Their limits, by side.
    pub controls: [TimeControl; 2],
    /// Random moves after the opening.
    pub random_moves: Option<RandomMoves>,
}

/// A game that was played, without its opening.
#[non_exhaustive]
pub struct GameResult {
    /// The moves.
    pub moves: Vec<Move>,
    /// The line that the player expected at each of them, beginning with the move; none if the move was random or the
    /// player does not tell.
    pub lines: Vec<Vec<String>>,
    /// How it ended.
    pub end: End,
    /// The time left on the clocks.
    pub left: [Option<Duration>; 2],
}

/// The end of a game that a side lost by a failure.
pub fn failure(side: Side, fault: &Fault, timed: bool) -> End {
    let reason = match fault {
        Fault::Late(_) if timed => Reason::Time,
        Fault::Late(_) => Reason::Stall,
        Fault::Gone { .. } | Fault::Start(_) => Reason::Crash,
        Fault::Refused(_) | Fault::Option(_) | Fault::Stopped => Reason::Refusal,
    };
    lost(side, reason, fault.to_string())
}

fn lost(side: Side, reason: Reason, detail: String) -> End {
    End { winner: Some(side.other()), reason, points: None, detail }
}

/// Is called with a board, the moves of the players so far, and the time left on their clocks.
pub type Seen<'a> = dyn Fn(&Board, &[Move], [Option<Duration>; 2]) + 'a;

/// Plays a game; `None` if it was stopped. `seen` is called at the beginning and after every move.
pub fn play(
    table: GameSetup<'_>,
    rules: &GameRules,
    context: &RunContext,
    seen: &Seen<'_>,
) -> Result<Option<GameResult>, EngineError> {
    let GameSetup { mut board, players, seats, controls, mut random_moves } = table;
    let mut clocks = Clocks::new(controls, rules.margin);
    let mut judge = Judge::new(rules.adjudication);
    let (mut moves, mut lines) = (Vec::new(), Vec::new());
    seen(&board, &moves, clocks.left());
    let end = loop {
        if let Some(outcome) = board.outcome() {
            let points = match outcome {
                Outcome::Points(points) => Some(points),
                Outcome::Win(_) | Outcome::Draw => None,
            };
            break End { winner: outcome.winner(), reason: Reason::Rules, points, detail: outcome.to_string() };
        }
        let side = board.side();
        let slip = random_moves.as_mut().map(|random_moves| random_moves.draw(&board)).transpose()?.flatten();
        if let Some(mv) = slip {
            board.play(&mv)?;
            moves.push(Move { text: mv, ..Move::default() });
            lines.push(Vec::new());
            seen(&board, &moves, clocks.left());
            continue;
        }
        let allowance = clocks.allowance(side);
        let until = Instant::now() + allowance.unwrap_or(rules.stall);
        let solved = rules.solve && board.is_solved_after(SHORT_LOOK);
        let budget = if solved { Budget::default() } else { clocks.budget(side) };
        let question = MoveRequest { board: &board, budget, until };
        let thought = match players[seats[side.index()]].think(&question, context) {
            Ok(thought) => thought,
            Err(Fault::Stopped) => return Ok(None),
            Err(fault) => break failure(side, &fault, allowance.is_some()),
        };
        let MoveReply { mv, score, value, depth, nodes, line, time, .. } = thought;
        if clocks.spend(side, time).is_err() {
            break lost(side, Reason::Time, format!("it took {:.3} s", time.as_secs_f64()));
        }
        if let Err(error) = board.play(&mv) {
            break lost(side, Reason::Illegal, error.to_string());
        }
        let text = board.moves().last().cloned().unwrap_or_default();
        moves.push(Move { text, score, value, depth, nodes, time: Some(time), ..Move::default() });
        lines.push(line);
        seen(&board, &moves, clocks.left());
        if board.outcome().is_none()
            && let Some(verdict) = judge.hear(board.moves().len(), side, score)
        {
            let Verdict { winner, why } = verdict;
            break End { winner, reason: Reason::Adjudication, points: None, detail: why.into() };
        }
    };
    Ok(Some(GameResult { moves, lines, end, left: clocks.left() }))
}
