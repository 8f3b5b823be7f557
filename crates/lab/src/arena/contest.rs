//! A match or a tournament from beginning to end: played, kept, and told.

use super::files::{Files, Journal};
use super::game::Played;
use super::run::{Flow, Game, Plan};
use super::settings::Settings;
use super::standing::Standing;
use crate::LabError;
use crate::record::Record;
use crate::stats::Decision;
use polyply_engine::Place;
use polyply_protocol::drive::Log;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// What to do with a run that was begun before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// There must be none.
    Never,
    /// If there is one it goes on.
    GoOn,
}

/// A match or a tournament.
pub struct Contest {
    settings: Settings,
    plan: Plan,
    log: Log,
    files: Option<Files>,
}

impl Contest {
    /// A contest that makes sense, whose engines can be started, and whose files can be written.
    pub fn new(settings: Settings, resume: Resume) -> Result<Contest, LabError> {
        let plan = settings.plan()?;
        settings.sprt()?;
        let files = settings.out.as_deref().map(|out| Files::of(out, &plan.variant)).transpose()?;
        if let Some(files) = &files
            && resume == Resume::Never
            && files.journal.exists()
        {
            let journal = files.journal.display();
            return Err(LabError::Call(format!("{journal} is there already; --resume goes on with it")));
        }
        plan.greet(&Log::none())?;
        let mut log = Log::none();
        if let Some(files) = &files {
            files.keep_settings(&settings)?;
            log = Log::append(&files.log).map_err(|error| LabError::file(&files.log, error))?;
        }
        Ok(Contest { settings, plan, log, files })
    }

    /// How many games there are to be.
    pub fn games(&self) -> u64 {
        self.plan.games()
    }

    /// The openings are fewer than the pairs of games, so that some are played again.
    pub fn repeats_openings(&self) -> Option<usize> {
        self.plan.openings.count().filter(|&count| (count as u64) < self.plan.pairs)
    }

    /// It can go on after it was stopped.
    pub fn is_kept(&self) -> bool {
        self.files.is_some()
    }

    /// Plays what is not played yet. `told` hears of every pair of games.
    pub fn run(&mut self, stop: &AtomicBool, told: &mut dyn FnMut(&Standing)) -> Result<Standing, LabError> {
        let mut standing = Standing::new(&self.plan, self.settings.sprt()?);
        let mut done = HashSet::new();
        let mut journal = None;
        if let Some(files) = &self.files {
            journal = Some(Journal::open(&files.journal)?);
            Journal::read(&files.journal, &mut |record| {
                // A shorter run than the last one leaves the rest alone.
                if record.number < self.plan.games() && done.insert(record.number) {
                    standing.add(&self.plan.game(record.number), &record.end);
                }
                Ok(())
            })?;
        }
        told(&standing);
        if is_decided(&standing) {
            return Ok(standing);
        }
        self.plan.run(&done, &self.log, stop, &mut |game, opening, played| {
            let record = self.record(game, opening, played);
            if record.end.reason.is_failure() {
                self.log.line(&format!("(game {} ended: {})", game.number, record.end.detail));
            }
            if let Some(journal) = &mut journal {
                journal.add(&record)?;
            }
            if standing.add(game, &record.end) {
                told(&standing);
            }
            Ok(if is_decided(&standing) { Flow::Enough } else { Flow::GoOn })
        })?;
        Ok(standing)
    }

    fn record(&self, game: &Game, opening: Place, Played { moves, end, left }: Played) -> Record {
        let entrants = game.players.map(|index| &self.plan.entrants[index]);
        let [first, second] = entrants.map(|entrant| entrant.control.or(self.plan.control).to_string());
        let settings = if first == second {
            vec![("TimeControl".into(), first)]
        } else {
            vec![("FirstTimeControl".into(), first), ("SecondTimeControl".into(), second)]
        };
        Record {
            number: game.number,
            variant: self.plan.variant.name().to_owned(),
            opening,
            players: entrants.map(|entrant| entrant.name.clone()),
            moves,
            end,
            left,
            date: None,
            settings,
        }
    }

    /// Writes the games and the reports; the names of the files.
    pub fn finish(&self, _standing: &Standing) -> Result<Vec<String>, LabError> {
        let Some(files) = &self.files else { return Ok(Vec::new()) };
        files.write_games()?;
        Ok([&files.games, &files.journal].map(|path| path.display().to_string()).into())
    }
}

fn is_decided(standing: &Standing) -> bool {
    standing.test().is_some_and(|(_, decision)| decision != Decision::Continue)
}
