//! A match or a tournament from start to finish: its games, files and reports.

use super::files::{Files, Journal, write_whole};
use super::game::GameResult;
use super::run::{Plan, ScheduledGame};
use super::settings::MatchSettings;
use super::watch::Watcher;
use crate::LabError;
use crate::record::Record;
use crate::report::Report;
use crate::stats::Decision;
use crate::work::{Flow, Place};
use polyply_engine::PositionSpec;
use polyply_protocol::drive::Log;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// What to do with a run that was begun before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// Refuse it.
    Never,
    /// Continue it.
    GoOn,
}

/// A match or a tournament.
pub struct Contest {
    settings: MatchSettings,
    plan: Plan,
    log: Log,
    files: Option<Files>,
}

impl Contest {
    /// Checks the settings, starts every engine once, and makes sure that the files can be written.
    pub fn new(settings: MatchSettings, resume: Resume) -> Result<Contest, LabError> {
        let mut plan = settings.plan()?;
        settings.sprt()?;
        let files = settings.out.as_deref().map(|out| Files::of(out, &plan.variant)).transpose()?;
        if let Some(files) = &files {
            files.check(resume)?;
        }
        plan.check_programs(&Log::none())?;
        let mut log = Log::none();
        if let Some(files) = &files {
            files.keep_settings(&settings)?;
            log = Log::append(&files.log).map_err(|error| LabError::file(&files.log, error))?;
        }
        plan.file = files.as_ref().map(|files| files.journal.clone());
        Ok(Contest { settings, plan, log, files })
    }

    /// Has the games played somewhere else.
    pub fn at(mut self, place: Place) -> Contest {
        self.plan.place = place;
        self
    }

    /// How many games there will be.
    pub fn games(&self) -> u64 {
        self.plan.games()
    }

    /// The number of openings, if there are too few and some are played again.
    pub fn repeats_openings(&self) -> Option<usize> {
        self.plan.openings.count().filter(|&count| (count as u64) < self.plan.pairs)
    }

    /// It can be continued after it was stopped.
    pub fn is_kept(&self) -> bool {
        self.files.is_some()
    }

    /// Plays the games that are left. `progress` is called after every game, `watcher` after every move.
    pub fn run(
        &mut self,
        stop: &AtomicBool,
        watcher: &dyn Watcher,
        progress: &mut dyn FnMut(&Report),
    ) -> Result<Report, LabError> {
        let mut report = self.report()?;
        let mut done = HashSet::new();
        let mut journal = None;
        if let Some(files) = &self.files {
            journal = Some(Journal::open(&files.journal)?);
            Journal::read(&files.journal, &mut |record| {
                // A run with fewer games than the last one leaves the rest alone.
                if record.number < self.plan.games() {
                    done.insert(record.number);
                    report.add(&record);
                }
                Ok(())
            })?;
        }
        progress(&report);
        if is_decided(&report) {
            return Ok(report);
        }
        self.plan.run(&done, &self.log, stop, watcher, &mut |game, opening, played| {
            let record = self.record(game, opening, played);
            if record.end.reason.is_failure() {
                self.log.line(&format!("(game {} ended: {})", game.number, record.end.detail));
            }
            if let Some(journal) = &mut journal {
                journal.add(&record)?;
            }
            report.add(&record);
            progress(&report);
            Ok(if is_decided(&report) { Flow::Enough } else { Flow::GoOn })
        })?;
        Ok(report)
    }

    fn record(
        &self,
        game: &ScheduledGame,
        opening: PositionSpec,
        GameResult { moves, end, left, .. }: GameResult,
    ) -> Record {
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
            date: Some(jiff::Timestamp::now().strftime("%F").to_string()),
            settings,
            ..Record::default()
        }
    }

    fn report(&self) -> Result<Report, LabError> {
        let names: Vec<String> = self.plan.entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let title = match &names[..] {
            [one, other] => format!("{one} against {other}"),
            _ => format!("{} players, {}", names.len(), self.plan.variant.name()),
        };
        let settings = self.settings.told().into_iter().collect();
        Ok(Report::new(&title, &names, self.settings.sprt()?, settings))
    }

    /// Writes the games and the reports, and returns the names of the files.
    pub fn finish(&self, report: &Report) -> Result<Vec<String>, LabError> {
        let Some(files) = &self.files else { return Ok(Vec::new()) };
        files.write_games()?;
        write_whole(&files.html, report.html().as_bytes())?;
        write_whole(&files.json, format!("{:#}\n", report.json()).as_bytes())?;
        Ok([&files.games, &files.html, &files.json].map(|path| path.display().to_string()).into())
    }
}

fn is_decided(report: &Report) -> bool {
    report.test().is_some_and(|(sprt, llr)| sprt.decide(llr) != Decision::Continue)
}
