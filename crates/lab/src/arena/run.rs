//! Plays many games at once, in whatever order they end.

use super::entrant::{Entrant, Kind};
use super::game::{self, GameResult, GameRules};
use super::openings::Openings;
use super::running_engine::{RunContext, RunningEngine};
use super::time_control::TimeControl;
use super::watch::{Moment, Watcher};
use crate::LabError;
use crate::record::Move;
use crate::refusals;
use polyply_engine::{Board, Engine, PositionSpec, Side, Variant};
use polyply_protocol::drive::{Fault, Log};
use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The number of engines that a thread keeps running; the least recently used one is ended first.
const KEPT: usize = 8;
/// How often the stop flag is checked.
const TICK: Duration = Duration::from_millis(50);

/// Everything that determines the games of a run.
pub struct Plan {
    /// What is played.
    pub variant: Variant,
    /// Who plays.
    pub entrants: Vec<Entrant>,
    /// Who plays whom, by index.
    pub pairings: Vec<[usize; 2]>,
    /// The number of openings for each pairing.
    pub pairs: u64,
    /// Each opening is played by a pair of games with sides swapped.
    pub both_ways: bool,
    /// Seed for random moves after the opening, if there are any.
    pub random_moves: Option<u64>,
    /// Where games begin.
    pub openings: Openings,
    /// The number of the first opening of each pairing; 0 for those that are not listed.
    pub first_openings: Vec<u64>,
    /// The limits of entrants that have none of their own.
    pub control: TimeControl,
    /// The rules of each game.
    pub rules: GameRules,
    /// The longest time for an engine to start up.
    pub start: Duration,
    /// Games to play at once.
    pub concurrency: usize,
}

/// A game of a plan. Consecutive pairs of games belong to different pairings, so that all pairings advance together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ScheduledGame {
    /// Its number.
    pub number: u64,
    /// The index of its pairing.
    pub pairing: usize,
    /// The number of the pair within the pairing, which also chooses the opening.
    pub pair: u64,
    /// The entrants by side; they swap sides in the second game of a pair.
    pub players: [usize; 2],
}

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Play on.
    GoOn,
    /// Stop: the question is answered.
    Enough,
}

impl Plan {
    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.of_an_opening() * self.pairs * self.pairings.len() as u64
    }

    /// How many games begin with the same opening.
    fn of_an_opening(&self) -> u64 {
        if self.both_ways { 2 } else { 1 }
    }

    /// The game with a number.
    pub fn game(&self, number: u64) -> ScheduledGame {
        let pairings = self.pairings.len() as u64;
        let (opening, turn) = (number / self.of_an_opening(), number % self.of_an_opening());
        let pairing = (opening % pairings) as usize;
        let [one, other] = self.pairings[pairing];
        let players = if turn == 0 { [one, other] } else { [other, one] };
        ScheduledGame { number, pairing, pair: opening / pairings, players }
    }

    /// Checks that everything can be played, before anything is.
    pub fn check(&self) -> Result<(), LabError> {
        if self.variant.swap().to_act().is_some() {
            return Err(LabError::Call(refusals::match_swap()));
        }
        for entrant in &self.entrants {
            entrant.check(&self.variant)?;
            if entrant.control.or(self.control) == TimeControl::default() && !entrant.limits_itself() {
                return Err(LabError::Call(refusals::no_limit(&entrant.name)));
            }
            if let Kind::Program(program) = &entrant.kind
                && !program.protocol.takes_positions()
                && let Openings::Listed(places) = &self.openings
                && places.iter().any(|place| place.position.is_some())
            {
                return Err(LabError::Call(refusals::openings_as_moves(&entrant.name)));
            }
        }
        Ok(())
    }

    /// Starts every external program once, so that one that fails is reported before the first game.
    pub fn check_programs(&self, log: &Log) -> Result<(), LabError> {
        let context = RunContext::new(self.start, log.clone());
        let programs = self.entrants.iter().filter(|entrant| matches!(entrant.kind, Kind::Program(_)));
        for entrant in programs {
            let started = RunningEngine::start(entrant, &self.variant, &context)
                .and_then(|mut player| player.new_game(&self.variant));
            started.map_err(|fault| match fault {
                Fault::Start(_) | Fault::Option(_) => LabError::Call(fault.refusal(&entrant.name)),
                _ => LabError::Run(fault.refusal(&entrant.name)),
            })?;
        }
        Ok(())
    }

    /// Plays the games that are not `done`. `each` is called with every game as it ends and says whether to go on.
    /// Games still in progress when `stop` is set, or when `each` ends the run, are dropped. `watcher` sees every move.
    pub fn run(
        &self,
        done: &HashSet<u64>,
        log: &Log,
        stop: &AtomicBool,
        watcher: &dyn Watcher,
        each: &mut dyn FnMut(&ScheduledGame, PositionSpec, GameResult) -> Result<Flow, LabError>,
    ) -> Result<(), LabError> {
        let variants =
            self.entrants.iter().map(|entrant| entrant.variant(&self.variant)).collect::<Result<Vec<_>, _>>()?;
        let context = RunContext::new(self.start, log.clone());
        let next = AtomicU64::new(0);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let (sender, next, context, variants) = (sender.clone(), &next, &context, &variants);
                scope.spawn(move || {
                    let mut worker =
                        Worker { plan: self, variants, context, watcher, running: VecDeque::new(), judge: None };
                    loop {
                        let number = next.fetch_add(1, Relaxed);
                        if number >= self.games() || context.is_halted() {
                            break;
                        }
                        if done.contains(&number) {
                            continue;
                        }
                        let game = self.game(number);
                        let Some(played) = worker.play(&game).transpose() else { break };
                        if sender.send((game, played)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let heard = loop {
                match receiver.recv_timeout(TICK) {
                    Ok((game, played)) => match played.and_then(|(opening, played)| each(&game, opening, played)) {
                        Ok(Flow::GoOn) => {}
                        Ok(Flow::Enough) => break Ok(()),
                        Err(error) => break Err(error),
                    },
                    Err(RecvTimeoutError::Disconnected) => break Ok(()),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if stop.load(Relaxed) {
                    break Ok(());
                }
            };
            context.halt();
            heard
        })
    }
}

/// A thread that plays one game after the other and keeps the engines running between them.
struct Worker<'a> {
    plan: &'a Plan,
    variants: &'a [Variant],
    context: &'a RunContext,
    watcher: &'a dyn Watcher,
    /// Running engines with the index of their entrant, the most recently used one last.
    running: VecDeque<(usize, RunningEngine)>,
    judge: Option<Engine>,
}

impl Worker<'_> {
    /// Plays a game; `None` if it was stopped.
    fn play(&mut self, game: &ScheduledGame) -> Result<Option<(PositionSpec, GameResult)>, LabError> {
        let plan = self.plan;
        let first = plan.first_openings.get(game.pairing).copied().unwrap_or_default();
        let opening = plan.openings.get(first + game.pair, &plan.variant, &mut self.judge)?;
        // In self-play one engine plays both sides.
        let alone = game.players[0] == game.players[1];
        let mut players = Vec::with_capacity(2);
        for (side, index) in [Side::First, Side::Second].into_iter().zip(game.players).take(if alone { 1 } else { 2 }) {
            match self.engine(index) {
                Ok(player) => players.push(player),
                Err(Fault::Stopped) => return Ok(None),
                Err(fault) => {
                    let end = game::failure(side, &fault, false);
                    self.running.extend(game.players.into_iter().zip(players));
                    return Ok(Some((opening, GameResult { moves: Vec::new(), end, left: [None; 2] })));
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
        let played = game::play(setup, &plan.rules, self.context, &seen)?;
        // Engines that broke down are not kept.
        let stay = game.players.into_iter().zip(players).filter(|(_, player)| player.is_usable());
        self.running.extend(stay);
        while self.running.len() > KEPT {
            self.running.pop_front();
        }
        Ok(played.map(|played| (opening, played)))
    }

    /// An engine that is ready for a game: one that was kept, or a new one.
    fn engine(&mut self, index: usize) -> Result<RunningEngine, Fault> {
        let kept = self.running.iter().position(|(running, _)| *running == index);
        let mut player = match kept.and_then(|at| self.running.remove(at)) {
            Some((_, player)) => player,
            None => RunningEngine::start(&self.plan.entrants[index], &self.variants[index], self.context)?,
        };
        player.new_game(&self.plan.variant)?;
        Ok(player)
    }
}
