//! A plan of games, and how they are played, in whatever order they end.

use super::entrant::{Entrant, Kind, table_bytes};
use super::game::{GameResult, GameRules};
use super::openings::Openings;
use super::running_engine::{RunContext, RunningEngine};
use super::time_control::TimeControl;
use super::watch::Watcher;
use super::work::{ENGINES_OF_A_THREAD, GameWork};
use crate::LabError;
use crate::refusals;
use crate::work::{self, Flow, Halt, Place};
use polyply_engine::{PositionSpec, Variant};
use polyply_protocol::drive::{Fault, Log};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

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
    /// The weights of the variant, by name, if they are not the built-in ones.
    pub weights: Option<String>,
    /// Where games are played.
    pub place: Place,
    /// The file that gets the games, if there is one.
    pub file: Option<PathBuf>,
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

    /// What the built-in engines take that are open at the same time, at most: their tables, and so many bytes besides
    /// each.
    pub fn memory(&self, besides: usize) -> usize {
        let Place::Threads(threads) = self.place else { return 0 };
        let built_in = self.entrants.iter().filter(|entrant| matches!(entrant.kind, Kind::BuiltIn { .. }));
        let mut engines: Vec<_> = built_in.map(|entrant| entrant.table_bytes(&self.variant) + besides).collect();
        engines.sort_unstable_by(|one, other| other.cmp(one));
        let judge = match &self.openings {
            Openings::Random { judge, .. } => table_bytes(&self.variant, judge) + besides,
            Openings::Start | Openings::Listed(_) => 0,
        };
        threads.max(1) * (engines.iter().take(ENGINES_OF_A_THREAD).sum::<usize>() + judge)
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
        let context = RunContext::new(self.start, log.clone(), Arc::new(Halt::default()));
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
    /// Games still in progress when `stop` is set, or when `each` ends the run, are dropped. `watcher` sees every move of the
    /// games that are played in this process.
    pub fn run(
        &self,
        done: &HashSet<u64>,
        log: &Log,
        stop: &AtomicBool,
        watcher: &dyn Watcher,
        each: &mut dyn FnMut(&ScheduledGame, PositionSpec, GameResult) -> Result<Flow, LabError>,
    ) -> Result<(), LabError> {
        let mut numbers = (0..self.games()).filter(|number| !done.contains(number));
        self.play(&mut numbers, log, stop, watcher, each)
    }

    /// Plays the games with these numbers, as [`Plan::run`] does.
    pub fn play(
        &self,
        numbers: &mut dyn Iterator<Item = u64>,
        log: &Log,
        stop: &AtomicBool,
        watcher: &dyn Watcher,
        each: &mut dyn FnMut(&ScheduledGame, PositionSpec, GameResult) -> Result<Flow, LabError>,
    ) -> Result<(), LabError> {
        let work = GameWork::new(self, log.clone(), watcher)?;
        work::run(&work, &self.place, stop, &mut || Ok(numbers.next()), &mut |number, (opening, played)| {
            each(&self.game(number), opening, played)
        })
    }
}
