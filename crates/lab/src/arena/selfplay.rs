//! Games of an engine against itself, to learn from.
//!
//! Both sides are one player, with one small table. A game begins with a random opening that is fair as far as a short
//! search sees; among the moves after it some are random too; what is proven is not played out. A game depends on its
//! number, the seed, the limit and the weights only, on however many threads it is played.

use super::adjudicate::Adjudication;
use super::entrant::{Entrant, Kind};
use super::files::Journal;
use super::game::{GameResult, GameRules};
use super::openings::Openings;
use super::run::{Flow, Plan, ScheduledGame};
use super::time_control::TimeControl;
use crate::record::{Move, Record};
use crate::{LabError, refusals};
use polyply_engine::{Place, Variant};
use polyply_protocol::drive::Log;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How games are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayOptions {
    /// Nodes a move.
    pub nodes: u64,
    /// What openings and random moves are drawn from.
    pub seed: u64,
    /// Games at a time, each on one thread.
    pub threads: usize,
}

/// A game that has not ended by then is called a draw; only games without a natural end get there.
const LONGEST: usize = 600;
/// A position that takes so long is an error in the game.
const STALL: Duration = Duration::from_secs(600);

/// Self-play that is kept in a journal.
pub struct SelfPlay {
    plan: Plan,
    path: PathBuf,
    /// What makes the games what they are, as every game says it.
    origin: Vec<(String, String)>,
}

impl SelfPlay {
    /// So many games of a variant, with the weights that it has. The journal is new, or was begun by the same command.
    pub fn new(variant: &Variant, options: &SelfPlayOptions, games: u64, path: &Path) -> Result<SelfPlay, LabError> {
        let mut control = TimeControl::default();
        control.set("nodes", &options.nodes.to_string())?;
        let mut engine = vec![("Hash".to_owned(), "1".to_owned()), ("EvalCache".to_owned(), "0".to_owned())];
        engine.extend(variant.about().selfplay.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())));
        let kind = Kind::BuiltIn { options: engine.clone(), weights: None };
        let name = "polyply".to_owned();
        let plan = Plan {
            variant: variant.clone(),
            entrants: vec![Entrant { text: name.clone(), name, kind, control: TimeControl::default() }],
            pairings: vec![[0, 0]],
            pairs: games,
            both_ways: false,
            random_moves: Some(options.seed),
            openings: Openings::Random { seed: options.seed, judge: engine },
            control,
            rules: GameRules {
                adjudication: Adjudication { win: Some(u32::MAX), max_moves: Some(LONGEST), ..Adjudication::default() },
                margin: Duration::ZERO,
                stall: STALL,
                solve: true,
            },
            start: STALL,
            concurrency: options.threads,
        };
        plan.check()?;
        let origin = [
            ("TimeControl", control.to_string()),
            ("Seed", options.seed.to_string()),
            ("Weights", format!("{:016x}", variant.weights_hash())),
        ];
        let origin = origin.map(|(name, value)| (name.to_owned(), value)).to_vec();
        Ok(SelfPlay { plan, path: path.to_owned(), origin })
    }

    /// Plays what the journal does not have. `told` hears how many games it has.
    pub fn run(&self, stop: &AtomicBool, told: &mut dyn FnMut(u64)) -> Result<(), LabError> {
        let mut done = HashSet::new();
        if self.path.exists() {
            Journal::read(&self.path, &mut |record| {
                self.expect_same(&record)?;
                done.insert(record.number);
                Ok(())
            })?;
        }
        let mut journal = Journal::open(&self.path)?;
        let mut count = done.len() as u64;
        told(count);
        self.plan.run(&done, &Log::none(), stop, &(), &mut |game, opening, played| {
            journal.add(&self.record(game, opening, played)?)?;
            count += 1;
            told(count);
            Ok(Flow::GoOn)
        })
    }

    fn expect_same(&self, record: &Record) -> Result<(), LabError> {
        let told = |variant: &str, settings: &[(String, String)]| {
            let settings: Vec<String> = settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("{variant} {}", settings.join(" "))
        };
        let (begun, wanted) = (told(&record.variant, &record.settings), told(self.plan.variant.name(), &self.origin));
        if begun == wanted {
            return Ok(());
        }
        let reason = format!("the games in it are `{}`, not `{wanted}`; name another file", begun.escape_debug());
        Err(LabError::file(&self.path, reason))
    }

    /// How long a move took is left out: so the same seed makes the same lines.
    fn record(
        &self,
        game: &ScheduledGame,
        opening: Place,
        GameResult { moves, end, .. }: GameResult,
    ) -> Result<Record, LabError> {
        if end.reason.is_failure() {
            return Err(LabError::Run(refusals::selfplay_broken(game.number, &end.detail)));
        }
        let name = self.plan.entrants[0].name.clone();
        Ok(Record {
            number: game.number,
            variant: self.plan.variant.name().to_owned(),
            opening,
            players: [name.clone(), name],
            moves: moves.into_iter().map(|mv| Move { time: None, ..mv }).collect(),
            end,
            settings: self.origin.clone(),
            ..Record::default()
        })
    }
}
