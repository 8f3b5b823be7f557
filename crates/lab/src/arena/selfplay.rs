//! Games of the engine against itself, to learn from.
//!
//! One engine with a small table plays both sides. A game begins with a random opening that a short search calls fair;
//! some of the moves after it are random too; it ends as soon as the result is proven. A game depends only on its
//! number, the seed, the limit and the weights, not on the number of threads.

use super::adjudicate::Adjudication;
use super::entrant::{Entrant, Kind};
use super::files::Journal;
use super::game::{GameResult, GameRules};
use super::openings::Openings;
use super::run::{Plan, ScheduledGame};
use super::time_control::TimeControl;
use crate::learn::with_weights;
use crate::record::{Move, Record};
use crate::work::{Flow, Place};
use crate::{LabError, refusals};
use polyply_engine::{PositionSpec, Variant};
use polyply_protocol::drive::Log;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How the games are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayOptions {
    /// Nodes per move.
    pub nodes: u64,
    /// Seed for openings and random moves.
    pub seed: u64,
    /// Games to play at once, each on one thread.
    pub threads: usize,
    /// Weights to play with: a file, `handmade`, or the built-in ones.
    pub weights: Option<String>,
}

/// A game of this many moves is called a draw. Only games without a natural end get there.
const LONGEST: usize = 600;
/// A search that takes this long has a bug.
const STALL: Duration = Duration::from_secs(600);

/// Self-play that is kept in a journal.
pub struct SelfPlay {
    plan: Plan,
    path: PathBuf,
    /// What the games depend on; it is written with every game.
    origin: Vec<(String, String)>,
}

impl SelfPlay {
    /// Self-play of a variant. The journal is new, or was begun with the same options.
    pub fn new(variant: &Variant, options: &SelfPlayOptions, games: u64, path: &Path) -> Result<SelfPlay, LabError> {
        let variant = &match &options.weights {
            Some(weights) => with_weights(variant, weights)?,
            None => variant.clone(),
        };
        let mut plan = plan(variant, options, games)?;
        plan.file = Some(path.to_owned());
        plan.check()?;
        let origin = [
            ("TimeControl", plan.control.to_string()),
            ("Seed", options.seed.to_string()),
            ("Weights", format!("{:016x}", variant.weights_hash())),
        ];
        let origin = origin.map(|(name, value)| (name.to_owned(), value)).to_vec();
        Ok(SelfPlay { plan, path: path.to_owned(), origin })
    }

    /// Has the games played somewhere else.
    pub fn at(mut self, place: Place) -> SelfPlay {
        self.plan.place = place;
        self
    }

    /// Plays the games that the journal lacks. `progress` is called with the number of games it has.
    pub fn run(&self, stop: &AtomicBool, progress: &mut dyn FnMut(u64)) -> Result<(), LabError> {
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
        progress(count);
        self.plan.run(&done, &Log::none(), stop, &(), &mut |game, opening, played| {
            journal.add(&self.record(game, opening, played)?)?;
            count += 1;
            progress(count);
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
        let reason = format!("the games in it are `{}`, not `{wanted}`; choose another file", begun.escape_debug());
        Err(LabError::file(&self.path, reason))
    }

    /// Times are left out, so that the same seed gives the same lines.
    fn record(
        &self,
        game: &ScheduledGame,
        opening: PositionSpec,
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

/// The games of self-play. The variant has the weights; the options name them for workers elsewhere.
pub(crate) fn plan(variant: &Variant, options: &SelfPlayOptions, games: u64) -> Result<Plan, LabError> {
    let mut control = TimeControl::default();
    control.set("nodes", &options.nodes.to_string())?;
    let mut engine = vec![("Hash".to_owned(), "1".to_owned()), ("EvalCache".to_owned(), "0".to_owned())];
    engine.extend(variant.about().selfplay.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())));
    let kind = Kind::BuiltIn { options: engine.clone(), weights: None };
    let name = "polyply".to_owned();
    Ok(Plan {
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
        place: Place::Threads(options.threads),
        weights: options.weights.clone(),
        file: None,
        first_openings: Vec::new(),
    })
}
