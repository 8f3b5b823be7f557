//! Many games at a time, in whatever order they end.

use super::entrant::{Entrant, Kind};
use super::game::{self, GameResult, GameRules};
use super::openings::Openings;
use super::running_engine::{RunContext, RunningEngine};
use super::time_control::TimeControl;
use super::watch::{Moment, Watcher};
use crate::LabError;
use crate::refusals;
use polyply_engine::{Board, Engine, Place, Side, Variant};
use polyply_protocol::drive::{Fault, Log};
use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Players that a thread keeps ready at the most; the one that has waited longest goes first.
const KEPT: usize = 8;
/// How often Ctrl-C is looked for.
const TICK: Duration = Duration::from_millis(50);

/// Everything that makes the games of a run.
pub struct Plan {
    /// What is played.
    pub variant: Variant,
    /// Who plays.
    pub entrants: Vec<Entrant>,
    /// Who plays whom, by their places in the list.
    pub pairings: Vec<[usize; 2]>,
    /// Openings of each pairing.
    pub pairs: u64,
    /// Each opening is played both ways round, by a pair of games.
    pub both_ways: bool,
    /// Some moves after the opening are drawn at random, by this seed.
    pub random_moves: Option<u64>,
    /// Where games begin.
    pub openings: Openings,
    /// The limits of those who have none of their own.
    pub control: TimeControl,
    /// The rules of each game.
    pub rules: GameRules,
    /// How long an engine may take to get ready.
    pub start: Duration,
    /// Games at a time.
    pub concurrency: usize,
}

/// A game of a plan. Its number says which: pairs take turns through the pairings, so that all get on alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// Its number.
    pub number: u64,
    /// Which pairing plays it.
    pub pairing: usize,
    /// Which opening, and so which pair of the pairing.
    pub pair: u64,
    /// The entrants by side; in the second game of a pair they change sides.
    pub players: [usize; 2],
}

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// There is more to play.
    GoOn,
    /// What was wanted is known.
    Enough,
}

impl Plan {
    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.of_an_opening() * self.pairs * self.pairings.len() as u64
    }

    /// How many games begin with an opening.
    fn of_an_opening(&self) -> u64 {
        if self.both_ways { 2 } else { 1 }
    }

    /// The game of a number.
    pub fn game(&self, number: u64) -> ScheduledGame {
        let pairings = self.pairings.len() as u64;
        let (opening, turn) = (number / self.of_an_opening(), number % self.of_an_opening());
        let pairing = (opening % pairings) as usize;
        let [one, other] = self.pairings[pairing];
        let players = if turn == 0 { [one, other] } else { [other, one] };
        ScheduledGame { number, pairing, pair: opening / pairings, players }
    }

    /// Says what can't be played, before anything is.
    pub fn check(&self) -> Result<(), LabError> {
        if self.variant.swap().to_act().is_some() {
            return Err(LabError::Call(refusals::match_swap()));
        }
        for entrant in &self.entrants {
            entrant.check(&self.variant)?;
            if entrant.control.or(self.control) == TimeControl::default() {
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

    /// Starts every program once, so that what can't be started, set or played is told at once.
    pub fn check_programs(&self, log: &Log) -> Result<(), LabError> {
        let context = RunContext::new(self.start, log.clone());
        let programs = self.entrants.iter().filter(|entrant| matches!(entrant.kind, Kind::Program(_)));
        for entrant in programs {
            let started = RunningEngine::enter(entrant, &self.variant, &context)
                .and_then(|mut player| player.new_game(&self.variant));
            started.map_err(|fault| match fault {
                Fault::Start(_) | Fault::Option(_) => LabError::Call(fault.refusal(&entrant.name)),
                _ => LabError::Run(fault.refusal(&entrant.name)),
            })?;
        }
        Ok(())
    }

    /// Plays the games that are not `done`. `each` hears of every game as it ends, and says whether to go on. What is
    /// under way when `stop` is set, or when `each` has heard enough, is not finished and not told. `watcher` sees every move.
    pub fn run(
        &self,
        done: &HashSet<u64>,
        log: &Log,
        stop: &AtomicBool,
        watcher: &dyn Watcher,
        each: &mut dyn FnMut(&ScheduledGame, Place, GameResult) -> Result<Flow, LabError>,
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
                    let mut table =
                        Worker { plan: self, variants, context, watcher, seated: VecDeque::new(), judge: None };
                    loop {
                        let number = next.fetch_add(1, Relaxed);
                        if number >= self.games() || context.is_halted() {
                            break;
                        }
                        if done.contains(&number) {
                            continue;
                        }
                        let game = self.game(number);
                        let Some(played) = table.play(&game).transpose() else { break };
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

/// One thread's part: plays a game after the other, and keeps the players between them.
struct Worker<'a> {
    plan: &'a Plan,
    variants: &'a [Variant],
    context: &'a RunContext,
    watcher: &'a dyn Watcher,
    /// Entrants by their places in the list, who sat down last at the end.
    seated: VecDeque<(usize, RunningEngine)>,
    judge: Option<Engine>,
}

impl Worker<'_> {
    /// Plays a game; `None` if it was told to stop.
    fn play(&mut self, game: &ScheduledGame) -> Result<Option<(Place, GameResult)>, LabError> {
        let plan = self.plan;
        let opening = plan.openings.get(game.pair, &plan.variant, &mut self.judge)?;
        // Who plays against itself plays both sides.
        let alone = game.players[0] == game.players[1];
        let mut players = Vec::with_capacity(2);
        for (side, index) in [Side::First, Side::Second].into_iter().zip(game.players).take(if alone { 1 } else { 2 }) {
            match self.seat(index) {
                Ok(player) => players.push(player),
                Err(Fault::Stopped) => return Ok(None),
                Err(fault) => {
                    let end = game::failure(side, &fault, false);
                    self.seated.extend(game.players.into_iter().zip(players));
                    return Ok(Some((opening, GameResult { moves: Vec::new(), end, left: [None; 2] })));
                }
            }
        }
        let controls = game.players.map(|index| plan.entrants[index].control.or(plan.control));
        let names = game.players.map(|index| plan.entrants[index].name.as_str());
        let seen = |board: &Board, score| {
            self.watcher.moved(&Moment { number: game.number, players: names, board, score });
        };
        let table = game::GameSetup {
            board: Board::at(&plan.variant, &opening)?,
            players: &mut players,
            seats: [0, usize::from(!alone)],
            controls,
            random_moves: plan.random_moves.map(|seed| game::RandomMoves::new(seed, game.number)),
        };
        let played = game::play(table, &plan.rules, self.context, &seen)?;
        // Whoever can't be asked again is not kept.
        let stay = game.players.into_iter().zip(players).filter(|(_, player)| player.is_usable());
        self.seated.extend(stay);
        while self.seated.len() > KEPT {
            self.seated.pop_front();
        }
        Ok(played.map(|played| (opening, played)))
    }

    /// An entrant ready for a game: one that was kept, or a new one.
    fn seat(&mut self, index: usize) -> Result<RunningEngine, Fault> {
        let kept = self.seated.iter().position(|(seated, _)| *seated == index);
        let mut player = match kept.and_then(|at| self.seated.remove(at)) {
            Some((_, player)) => player,
            None => RunningEngine::enter(&self.plan.entrants[index], &self.variants[index], self.context)?,
        };
        player.new_game(&self.plan.variant)?;
        Ok(player)
    }
}
