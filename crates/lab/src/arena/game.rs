//! One game between two players.

use super::adjudicate::{Adjudication, Judge};
use super::player::{House, Player};
use super::time_control::{Clocks, TimeControl};
use polyply_engine::{Board, EngineError, Place, Side, Variant};
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

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    Rules,
    Adjudication,
    Time,
    Stall,
    Illegal,
    Crash,
    Refusal,
}
impl Reason {
    pub fn is_failure(self) -> bool {
        !matches!(self, Reason::Rules | Reason::Adjudication)
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    pub winner: Option<Side>,
    pub reason: Reason,
    pub detail: String,
}

impl End {
    /// A player failed, and has lost by it.
    pub fn failure(side: Side, fault: &Fault, timed: bool) -> End {
        let reason = match fault {
            Fault::Late(_) if timed => Reason::Time,
            Fault::Late(_) => Reason::Stall,
            Fault::Gone { .. } | Fault::Start(_) => Reason::Crash,
            Fault::Refused(_) | Fault::Option(_) | Fault::Stopped => Reason::Refusal,
        };
        End { winner: Some(side.other()), reason, detail: fault.to_string() }
    }
}

/// A game that was played: its moves after the opening, and how it ended.
pub struct Played {
    pub moves: Vec<Thought>,
    pub end: End,
    pub left: [Option<Duration>; 2],
}

/// Plays a game; by side, the first player's first. `None` if it was told to stop.
pub fn play(
    variant: &Variant,
    opening: &Place,
    players: [&mut Player; 2],
    controls: [TimeControl; 2],
    rules: &GameRules,
    house: &House,
) -> Result<Option<Played>, EngineError> {
    let mut board = Board::at(variant, opening)?;
    let mut clocks = Clocks::new(controls, rules.margin);
    let mut judge = Judge::new(rules.adjudication);
    let mut moves: Vec<Thought> = Vec::new();
    let end = loop {
        if let Some(outcome) = board.outcome() {
            break End { winner: outcome.winner(), reason: Reason::Rules, detail: outcome.to_string() };
        }
        let side = board.side();
        let allowance = clocks.allowance(side);
        let until = Instant::now() + allowance.unwrap_or(rules.stall);
        let question = Question { variant, place: board.place(), side, budget: clocks.budget(side), until };
        let mut thought = match players[side.index()].think(&question, house) {
            Ok(thought) => thought,
            Err(Fault::Stopped) => return Ok(None),
            Err(fault) => break End::failure(side, &fault, allowance.is_some()),
        };
        let lost = |reason, detail| End { winner: Some(side.other()), reason, detail };
        if clocks.spend(side, thought.time).is_err() {
            break lost(Reason::Time, format!("it took {:.3} s", thought.time.as_secs_f64()));
        }
        if let Err(error) = board.play(&thought.mv) {
            break lost(Reason::Illegal, error.to_string());
        }
        thought.mv = board.moves().last().cloned().unwrap_or_default();
        let score = thought.score;
        moves.push(thought);
        if board.outcome().is_none()
            && let Some(verdict) = judge.hear(board.moves().len(), side, score)
        {
            break End { winner: verdict.winner, reason: Reason::Adjudication, detail: verdict.why.into() };
        }
    };
    Ok(Some(Played { moves, end, left: clocks.left() }))
}
impl Reason {
    pub fn words(self) -> &'static str {
        ""
    }
}
