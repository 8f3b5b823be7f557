//! One game between two players.

use super::adjudicate::{Adjudication, Judge, Verdict};
use super::player::{House, Player};
use super::time_control::{Clocks, TimeControl};
use crate::record::{End, Move, Reason};
use polyply_engine::{Board, EngineError, Outcome, Place, Score, Side, Variant};
use polyply_protocol::drive::{Fault, Question, Thought};
use std::time::{Duration, Instant};

/// The rules of a game besides those of the variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameRules {
    /// When a game ends before its end.
    pub adjudication: Adjudication,
    /// How much later than allowed a move may come.
    pub margin: Duration,
    /// How long a move may take where its time is not limited.
    pub stall: Duration,
}

/// A game that was played: its moves after the opening, and how it ended.
pub struct Played {
    /// The moves.
    pub moves: Vec<Move>,
    /// How it ended.
    pub end: End,
    /// What was left on the clocks.
    pub left: [Option<Duration>; 2],
}

/// A player failed, and has lost by it.
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

/// Plays a game; by side, the first player's first. `None` if it was told to stop. `seen` hears of every board, and of what its
/// last player thought.
pub fn play(
    variant: &Variant,
    opening: &Place,
    players: [&mut Player; 2],
    controls: [TimeControl; 2],
    rules: &GameRules,
    house: &House,
    seen: &dyn Fn(&Board, Option<Score>),
) -> Result<Option<Played>, EngineError> {
    let mut board = Board::at(variant, opening)?;
    let mut clocks = Clocks::new(controls, rules.margin);
    let mut judge = Judge::new(rules.adjudication);
    let mut moves = Vec::new();
    seen(&board, None);
    let end = loop {
        if let Some(outcome) = board.outcome() {
            let points = match outcome {
                Outcome::Points(points) => Some(points),
                Outcome::Win(_) | Outcome::Draw => None,
            };
            break End { winner: outcome.winner(), reason: Reason::Rules, points, detail: outcome.to_string() };
        }
        let side = board.side();
        let allowance = clocks.allowance(side);
        let until = Instant::now() + allowance.unwrap_or(rules.stall);
        let question = Question { board: &board, budget: clocks.budget(side), until };
        let thought = match players[side.index()].think(&question, house) {
            Ok(thought) => thought,
            Err(Fault::Stopped) => return Ok(None),
            Err(fault) => break failure(side, &fault, allowance.is_some()),
        };
        let Thought { mv, score, depth, nodes, time, .. } = thought;
        if clocks.spend(side, time).is_err() {
            break lost(side, Reason::Time, format!("it took {:.3} s", time.as_secs_f64()));
        }
        if let Err(error) = board.play(&mv) {
            break lost(side, Reason::Illegal, error.to_string());
        }
        let text = board.moves().last().cloned().unwrap_or_default();
        moves.push(Move { text, score, depth, nodes, time: Some(time), ..Move::default() });
        seen(&board, score);
        if board.outcome().is_none()
            && let Some(verdict) = judge.hear(board.moves().len(), side, score)
        {
            let Verdict { winner, why } = verdict;
            break End { winner, reason: Reason::Adjudication, points: None, detail: why.into() };
        }
    };
    Ok(Some(Played { moves, end, left: clocks.left() }))
}
