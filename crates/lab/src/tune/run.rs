//! A tuning from start to finish: its batches, files and report.

use super::journal::{self, Past};
use super::objective::Objective;
use super::page;
use super::settings::TuneSettings;
use super::test_function::Function;
use crate::LabError;
use crate::arena::{Contest, Journal, MatchSettings, Place, Resume, write_whole};
use crate::refusals;
use crate::stats::Tally;
use polyply_stats::tuners::Space;
use polyply_stats::tuners::{Batch, Curve, Method, Tuner};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The paths of all files of a tuning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TuneFiles {
    /// Everything that happened.
    pub journal: PathBuf,
    /// The values to begin with.
    pub start: PathBuf,
    /// The result, for `builtin:params=`.
    pub tuned: PathBuf,
    /// The report.
    pub html: PathBuf,
    /// The games of the final match.
    pub games: PathBuf,
}

impl TuneFiles {
    fn of(stem: &Path, method: Method) -> TuneFiles {
        let beside = |ending: &str| {
            let mut name = stem.as_os_str().to_owned();
            name.push(format!(".{}{ending}", method.name()));
            PathBuf::from(name)
        };
        TuneFiles {
            journal: beside(".jsonl"),
            start: beside(".start.toml"),
            tuned: beside(".tuned.toml"),
            html: beside(".html"),
            games: beside("-match.jsonl"),
        }
    }
}

/// Where a tuning stood after a batch, in the units of the parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct StepRecord {
    /// Games played so far.
    pub games: u64,
    /// The best value of each parameter.
    pub best: Vec<f64>,
    /// Its standard deviation.
    pub deviation: Vec<f64>,
}

/// How far a tuning has come.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// Games played so far.
    pub games: u64,
    /// The best value of each parameter.
    pub best: Vec<i64>,
    /// Its standard deviation.
    pub deviation: Vec<f64>,
}

/// A tuning.
pub struct Tuning {
    pub(super) settings: TuneSettings,
    pub(super) method: Method,
    objective: Box<dyn Objective>,
    tuner: Box<dyn Tuner>,
    files: TuneFiles,
    /// Where games are played, if not as the settings say.
    place: Option<Place>,
    pub(super) steps: Vec<StepRecord>,
    /// Games that ended by a failure of an engine.
    pub(super) failures: u64,
}

impl Tuning {
    /// Checks everything that can be wrong. Nothing is written yet.
    pub fn new(settings: TuneSettings, method: Method, resume: Resume) -> Result<Tuning, LabError> {
        let files = TuneFiles::of(&settings.stem, method);
        if files.journal.exists() && resume == Resume::Never {
            return Err(LabError::Call(refusals::tune_there(files.journal.display().to_string())));
        }
        let written = [&files.tuned, &files.html].into_iter().find(|path| path.exists() && !files.journal.exists());
        if let Some(path) = written {
            return Err(LabError::Call(refusals::file_there(path.display().to_string())));
        }
        let objective = settings.objective()?;
        settings.final_match(&files)?.sprt()?;
        let tuner = method.tuner(&settings.space, settings.games.games, settings.games.seed, &settings.methods);
        Ok(Tuning { settings, method, objective, tuner, files, place: None, steps: Vec::new(), failures: 0 })
    }

    /// Has the games played somewhere else.
    pub fn at(mut self, place: Place) -> Tuning {
        self.objective.play_at(&place, &self.files.journal);
        self.place = Some(place);
        self
    }

    /// The parameters.
    pub fn space(&self) -> &Space {
        &self.settings.space
    }

    /// The files.
    pub fn files(&self) -> &TuneFiles {
        &self.files
    }

    /// The number of games to play.
    pub fn budget(&self) -> u64 {
        self.settings.games.games
    }

    /// The first batch, to see what would be played.
    pub fn first_batch(&mut self) -> Batch {
        self.tuner.propose()
    }

    /// The settings that determine the course of a run. When it resumes, they must be the same; how many games are
    /// played at once may differ.
    fn identity(&self) -> Value {
        let axes: Vec<Value> = self.settings.space.axes.iter().map(|axis| {
            json!({"name": axis.name, "min": axis.low, "max": axis.high, "start": axis.start, "step": axis.step})
        }).collect();
        let games = MatchSettings { games: self.budget(), ..self.settings.games.identity() };
        let settings = TuneSettings { games, test: Default::default(), ..self.settings.clone() };
        json!({"settings": settings, "parameters": axes})
    }

    /// Plays what is left of the budget. `progress` is called after every batch. Returns false if it was stopped.
    pub fn run(&mut self, stop: &AtomicBool, progress: &mut dyn FnMut(&Progress)) -> Result<bool, LabError> {
        let path = self.files.journal.clone();
        let mut journal = Journal::open(&path)?;
        let mut past = Past::read(&path)?;
        let identity = self.identity().to_string();
        match &past.settings {
            // Both were read from text, which rounds numbers alike.
            Some(begun) if serde_json::from_str(&identity).ok().as_ref() != Some(begun) => {
                return Err(LabError::Call(refusals::tune_other(path.display().to_string())));
            }
            Some(_) => {}
            None => journal.add_line(journal::head(self.method.name(), &self.identity()))?,
        }
        write_whole(&self.files.start, self.parameters(&self.settings.space.start(), "the start").as_bytes())?;
        let mut games = 0;
        for number in 0.. {
            if games >= self.budget() {
                break;
            }
            if stop.load(Relaxed) {
                return Ok(false);
            }
            let batch = self.tuner.propose();
            let Some(results) = self.play(number, &batch, &mut past, &mut journal, stop)? else { return Ok(false) };
            self.tuner.take(&batch, &results);
            games += batch.games();
            let step = self.step(games);
            if number >= past.steps {
                journal.add_line(journal::standing(number, &step, &self.settings.space))?;
            }
            let best = self.settings.space.values(&self.tuner.standing().best);
            progress(&Progress { games, best, deviation: step.deviation.clone() });
            self.steps.push(step);
        }
        Ok(true)
    }

    /// The results of a batch: those that the journal has, and the rest played. `None` if it was stopped.
    fn play(
        &mut self,
        number: u64,
        batch: &Batch,
        past: &mut Past,
        journal: &mut Journal,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Tally>>, LabError> {
        let duels = journal::duels(batch, &self.settings.space);
        match past.batches.remove(&number) {
            Some((line, begun)) if begun != duels => {
                let path = self.files.journal.display().to_string();
                return Err(LabError::File(refusals::tune_journal(path, line)));
            }
            Some(_) => {}
            None => journal.add_line(journal::batch(number, batch, &duels))?,
        }
        let mut results = vec![vec![None; 2 * batch.pairs as usize]; batch.duels.len()];
        for game in past.games.remove(&number).unwrap_or_default() {
            if let Some(place) = results.get_mut(game.duel).and_then(|duel| duel.get_mut(game.game as usize)) {
                *place = Some(game.points);
                self.failures += u64::from(game.reason.is_failure());
            }
        }
        let known = results.clone();
        let done = |duel: usize, game: u64| known[duel][game as usize].is_some();
        if results.iter().flatten().any(Option::is_none) {
            let failures = &mut self.failures;
            self.objective.play(number, batch, &done, stop, &mut |game| {
                journal.add_line(journal::game(number, &game))?;
                results[game.duel][game.game as usize] = Some(game.points);
                *failures += u64::from(game.reason.is_failure());
                Ok(())
            })?;
        }
        let tally = |games: Vec<_>| {
            let games: Option<Vec<_>> = games.into_iter().collect();
            games.map(|games| {
                let mut tally = Tally::default();
                games.chunks_exact(2).for_each(|pair| tally.add_pair([pair[0], pair[1]]));
                tally
            })
        };
        Ok(results.into_iter().map(tally).collect())
    }

    fn step(&self, games: u64) -> StepRecord {
        let (standing, space) = (self.tuner.standing(), &self.settings.space);
        let best = space.axes.iter().zip(&standing.best).map(|(axis, coordinate)| axis.value(*coordinate)).collect();
        StepRecord { games, best, deviation: space.scaled(&standing.deviation) }
    }

    /// A file of parameters at a point.
    fn parameters(&self, point: &[f64], what: &str) -> String {
        let space = &self.settings.space;
        let values = space.values(point);
        let lines: String =
            space.axes.iter().zip(values).map(|(axis, value)| format!("{} = {value}\n", axis.name)).collect();
        let played = self.steps.last().map_or(0, |step| step.games);
        let method = self.method.name();
        format!(
            "# polyply tune {method}: {what}, after {played} games.\nvariant = {:?}\n\n[parameters]\n{lines}",
            self.settings.games.variant
        )
    }

    /// What the method believes of each parameter, if it has a model.
    pub fn curves(&self) -> Vec<Curve> {
        self.tuner.curves()
    }

    /// How much stronger the result is than the start, where the objective is known: both in Elo below the optimum.
    pub fn known(&self) -> Option<[f64; 2]> {
        let space = &self.settings.space;
        let of = |point: &[f64]| self.objective.known(&space.values(point));
        Some([of(&space.start())?, of(&self.tuner.standing().best)?])
    }

    /// Writes the result and the report, and returns the names of the files. `verdict` says how the final match went.
    pub fn finish(&self, verdict: &[String]) -> Result<Vec<String>, LabError> {
        let best = self.tuner.standing().best;
        write_whole(&self.files.tuned, self.parameters(&best, "the result").as_bytes())?;
        write_whole(&self.files.html, page::html(self, verdict).as_bytes())?;
        Ok([&self.files.tuned, &self.files.html].map(|path| path.display().to_string()).into())
    }

    /// The final match of the result against the start; `None` where there is nothing to play.
    pub fn final_match(&self) -> Result<Option<Contest>, LabError> {
        if self.settings.objective != Function::Games || self.settings.test.games == 0 {
            return Ok(None);
        }
        let contest = Contest::new(self.settings.final_match(&self.files)?, Resume::GoOn)?;
        Ok(Some(match &self.place {
            Some(place) => contest.at(place.clone()),
            None => contest,
        }))
    }
}

impl TuneSettings {
    /// The settings of the final match. Its openings are not those of the tuning.
    fn final_match(&self, files: &TuneFiles) -> Result<MatchSettings, LabError> {
        let player = |name: &str, path: &Path| {
            let (base, rest) = self.engine.split_once(':').unwrap_or((&self.engine, ""));
            let comma = if rest.is_empty() { "" } else { "," };
            format!("{base}:{rest}{comma}params={},name={name}", path.display().to_string().replace(',', "\\,"))
        };
        Ok(MatchSettings {
            engines: vec![player("tuned", &files.tuned), player("start", &files.start)],
            games: self.test.games,
            sprt: Some(self.test.sprt.clone()),
            seed: !self.games.seed >> 1,
            out: Some(files.games.clone()),
            ..self.games.clone()
        })
    }
}
