//! Playing the games of a plan, on this machine or another.

use super::game::{self, GameResult};
use super::run::{Plan, ScheduledGame};
use super::running_engine::{RunContext, RunningEngine};
use super::task::GamesTask;
use super::time_control::TimeControl;
use super::watch::{Moment, Watcher};
use crate::LabError;
use crate::record::{Move, Record, json};
use crate::refusals;
use crate::work::{Fleet, Halt, JobAbout, Task, Work};
use polyply_engine::{Board, Engine, PositionSpec, Side, Variant};
use polyply_protocol::drive::{Fault, Log};
use std::collections::VecDeque;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

/// The number of engines that a thread keeps running; the least recently used one is ended first.
const KEPT: usize = 8;
/// The number of engines that a thread has at most: two that play join those that were kept.
pub const ENGINES_OF_A_THREAD: usize = KEPT + 2;

/// The games of a plan.
pub struct GameWork<'a, P> {
    plan: P,
    /// The variant of each entrant, with its weights.
    variants: Vec<Variant>,
    log: Log,
    watcher: &'a dyn Watcher,
}

impl<'a, P: Deref<Target = Plan>> GameWork<'a, P> {
    /// Loads the weights of the entrants.
    pub fn new(plan: P, log: Log, watcher: &'a dyn Watcher) -> Result<Self, LabError> {
        let variants = plan.entrants.iter().map(|entrant| entrant.variant(&plan.variant)).collect::<Result<_, _>>()?;
        Ok(GameWork { plan, variants, log, watcher })
    }
}

/// A thread that plays one game after the other and keeps the engines running between them.
pub struct GameWorker {
    context: RunContext,
    /// Running engines with the index of their entrant, the most recently used one last.
    running: VecDeque<(usize, RunningEngine)>,
    judge: Option<Engine>,
}

impl<P: Deref<Target = Plan> + Sync> Work for GameWork<'_, P> {
    type Piece = u64;
    type Done = (PositionSpec, GameResult);
    type Worker = GameWorker;

    fn worker(&self, halt: &Arc<Halt>) -> Result<GameWorker, LabError> {
        let context = RunContext::new(self.plan.start, self.log.clone(), halt.clone());
        Ok(GameWorker { context, running: VecDeque::new(), judge: None })
    }

    fn perform(&self, worker: &mut GameWorker, number: &u64) -> Result<Option<Self::Done>, LabError> {
        let plan = &*self.plan;
        let game = &plan.game(*number);
        let first = plan.first_openings.get(game.pairing).copied().unwrap_or_default();
        let opening = plan.openings.get(first.wrapping_add(game.pair), &plan.variant, &mut worker.judge)?;
        // In self-play one engine plays both sides.
        let alone = game.players[0] == game.players[1];
        let mut players = Vec::with_capacity(2);
        for (side, index) in [Side::First, Side::Second].into_iter().zip(game.players).take(if alone { 1 } else { 2 }) {
            match self.engine(worker, index) {
                Ok(player) => players.push(player),
                Err(Fault::Stopped) => return Ok(None),
                Err(fault) => {
                    let end = game::failure(side, &fault, false);
                    worker.running.extend(game.players.into_iter().zip(players));
                    return Ok(Some((
                        opening,
                        GameResult { moves: Vec::new(), lines: Vec::new(), end, left: [None; 2] },
                    )));
                }
            }
        }
        let controls = game.players.map(|index| plan.entrants[index].control.or(plan.control));
        let names = game.players.map(|index| plan.entrants[index].name.as_str());
        let seen = |board: &Board, played: &[Move], left: [Option<Duration>; 2]| {
            self.watcher.moved(&Moment { number: game.number, players: names, board, played, left });
        };
        let setup = game::GameSetup {
            board: Board::at(&plan.variant, &opening)?,
            players: &mut players,
            seats: [0, usize::from(!alone)],
            controls,
            random_moves: plan.random_moves.map(|seed| game::RandomMoves::new(seed, game.number)),
        };
        let played = game::play(setup, &plan.rules, &worker.context, &seen)?;
        // Engines that broke down are not kept.
        let stay = game.players.into_iter().zip(players).filter(|(_, player)| player.is_usable());
        worker.running.extend(stay);
        while worker.running.len() > KEPT {
            worker.running.pop_front();
        }
        Ok(played.map(|played| (opening, played)))
    }

    fn ahead(&self) -> usize {
        1
    }

    fn task(&self, fleet: &dyn Fleet) -> Result<Task, LabError> {
        GamesTask::of(&self.plan, fleet).map(|task| Task::Games(Box::new(task)))
    }

    fn about(&self) -> JobAbout {
        let plan = &*self.plan;
        let names: Vec<&str> = plan.entrants.iter().map(|entrant| entrant.name.as_str()).collect();
        let who = match names[..] {
            [_] => "self-play".to_owned(),
            [one, other] => format!("{one} against {other}"),
            _ => format!("{} players", names.len()),
        };
        let is_timed = |control: TimeControl| control.clock.is_some() || control.time.is_some();
        JobAbout {
            title: format!("{}: {who}", plan.variant.name()),
            game: plan.variant.about().name.to_owned(),
            file: plan.file.as_ref().map(|file| file.display().to_string()),
            pieces: Some(plan.games()),
            is_timed: plan.entrants.iter().any(|entrant| is_timed(entrant.control.or(plan.control))),
        }
    }

    fn number(&self, number: &u64) -> u64 {
        *number
    }

    fn write_piece(&self, number: &u64) -> String {
        number.to_string()
    }

    fn read_piece(&self, text: &str) -> Result<u64, LabError> {
        let number = text.parse().ok().filter(|&number| number < self.plan.games());
        number.ok_or_else(|| LabError::Call(refusals::fleet_task(text)))
    }

    /// A line as in a journal, so that a game is the same whoever has played it.
    fn write_done(&self, number: &u64, (opening, GameResult { moves, end, left, .. }): &Self::Done) -> String {
        json::line(&Record {
            number: *number,
            variant: self.plan.variant.name().to_owned(),
            opening: opening.clone(),
            moves: moves.clone(),
            end: end.clone(),
            left: *left,
            ..Record::default()
        })
    }

    fn read_done(&self, number: &u64, text: &str) -> Result<Self::Done, LabError> {
        let mut record = json::parse(text).map_err(LabError::Run)?;
        if (record.number, record.variant.as_str()) != (*number, self.plan.variant.name()) {
            return Err(LabError::Run(refusals::not_a_game(format!("it is game {}", record.number))));
        }
        // Nothing is believed that is not a game by the rules.
        record.replay().map_err(LabError::Run)?;
        let Record { opening, moves, end, left, .. } = record;
        let lines = vec![Vec::new(); moves.len()];
        Ok((opening, GameResult { moves, lines, end, left }))
    }

    fn verdict(&self, number: &u64, (_, GameResult { end, .. }): &Self::Done) -> Option<&'static str> {
        let ScheduledGame { pairing, players, .. } = self.plan.game(*number);
        if end.reason.is_failure() {
            return Some(end.reason.words());
        }
        let first_is_one = players[0] == self.plan.pairings[pairing][0];
        Some(match end.winner {
            None => "drawn",
            Some(winner) if (winner == Side::First) == first_is_one => "won",
            Some(_) => "lost",
        })
    }
}

impl<P: Deref<Target = Plan>> GameWork<'_, P> {
    /// An engine that is ready for a game: one that was kept, or a new one.
    fn engine(&self, worker: &mut GameWorker, index: usize) -> Result<RunningEngine, Fault> {
        let kept = worker.running.iter().position(|(running, _)| *running == index);
        let mut player = match kept.and_then(|at| worker.running.remove(at)) {
            Some((_, player)) => player,
            None => RunningEngine::start(&self.plan.entrants[index], &self.variants[index], &worker.context)?,
        };
        player.new_game(&self.plan.variant)?;
        Ok(player)
    }
}
