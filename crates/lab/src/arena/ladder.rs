//! The ladder of levels: neighbours play until it is certain that each level beats the one below.

use super::files::Journal;
use super::game::GameResult;
use super::run::{Plan, ScheduledGame};
use super::settings::MatchSettings;
use crate::LabError;
use crate::refusals;
use crate::stats::{Points, Tally};
use crate::work::Flow;
use polyply_engine::{Board, Engine, Level, Limits, Options, PositionSpec, Request, Side, Variant};
use polyply_protocol::drive::Log;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Likelihood of superiority at which a step is certain.
const CERTAIN: f64 = 0.975;
/// How many times the nodes of the level below full strength gets, if nothing else is said.
const FULL_FACTOR: u64 = 4;
/// Nodes to judge a move that looks absurd.
const JUDGE_NODES: u64 = 2000;
/// A move that nobody would think of and that gives away so much of the chance to win is absurd.
const ABSURD_LOSS: f64 = 0.2;

/// A ladder as it was asked for.
#[derive(Clone, Debug)]
pub struct LadderSettings {
    /// What is played.
    pub variant: Variant,
    /// The lowest and the highest level.
    pub levels: [u8; 2],
    /// Games of a step at least.
    pub games: u64,
    /// Games of a step at most, if it stays uncertain.
    pub most: u64,
    /// Steps of two levels are played as well.
    pub double_steps: bool,
    /// Nodes for a move at full strength; without it, four times those of the level below.
    pub nodes: Option<u64>,
    /// Seed of the openings.
    pub seed: u64,
    /// Games to play at once.
    pub concurrency: usize,
    /// The journal, from which the ladder resumes.
    pub journal: Option<PathBuf>,
}

/// Two levels that play each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The stronger level.
    pub high: u8,
    /// The weaker level.
    pub low: u8,
}

/// What a step has shown.
#[derive(Clone, Debug, Default)]
pub struct StepResult {
    /// The games from the stronger level's side.
    pub tally: Tally,
    /// The sum of the lengths of all games, in plies.
    pub plies: u64,
    halves: BTreeMap<u64, Points>,
}

/// How often a level played a move that makes no sense.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Absurdity {
    /// All its moves.
    pub moves: u64,
    /// Those that nobody would think of, and that give away much.
    pub absurd: u64,
}

/// The ladder so far.
#[derive(Clone, Debug, Default)]
pub struct LadderReport {
    /// By step.
    pub steps: BTreeMap<Step, StepResult>,
    /// By level.
    pub moves: BTreeMap<u8, Absurdity>,
}

/// A game as the journal keeps it.
#[derive(Serialize, Deserialize)]
struct Played {
    variant: String,
    seed: u64,
    step: Step,
    number: u64,
    /// Half points of the stronger level.
    half_points: u8,
    plies: u64,
    /// Moves and absurd moves of the stronger and of the weaker level.
    moves: [[u64; 2]; 2],
}

impl StepResult {
    /// The share of the points that the stronger level got.
    pub fn score(&self) -> f64 {
        let [won, drawn, _] = self.tally.games;
        (won as f64 + drawn as f64 / 2.0) / self.tally.count().max(1) as f64
    }

    /// The stronger level is certainly stronger.
    pub fn is_certain(&self) -> bool {
        self.tally.estimate().is_some_and(|estimate| estimate.los >= CERTAIN)
    }

    fn is_done(&self, settings: &LadderSettings) -> bool {
        let games = self.tally.count();
        games >= settings.most || games >= settings.games && self.is_certain()
    }
}

impl LadderReport {
    fn add(&mut self, played: &Played) {
        let Step { high, low } = played.step;
        for (level, [moves, absurd]) in [high, low].into_iter().zip(played.moves) {
            let known = self.moves.entry(level).or_default();
            known.moves += moves;
            known.absurd += absurd;
        }
        let result = self.steps.entry(played.step).or_default();
        result.plies += played.plies;
        let points = [Points::Loss, Points::Draw, Points::Win][usize::from(played.half_points.min(2))];
        match result.halves.remove(&(played.number / 2)) {
            Some(other) => result.tally.add_pair([other, points]),
            None => drop(result.halves.insert(played.number / 2, points)),
        }
    }

    /// The strength of each level above the lowest, by its steps of one, in Elo.
    pub fn elo(&self) -> BTreeMap<u8, f64> {
        let mut elo = BTreeMap::new();
        let mut sum = 0.0;
        for (step, result) in self.steps.iter().filter(|(step, _)| step.high == step.low + 1) {
            elo.entry(step.low).or_insert(sum);
            sum += result.tally.estimate().map_or(0.0, |estimate| estimate.elo.value);
            elo.insert(step.high, sum);
        }
        elo
    }
}

impl LadderSettings {
    /// The steps, the lowest first.
    pub fn steps(&self) -> Vec<Step> {
        let [lowest, highest] = self.levels;
        let sizes = if self.double_steps { 1..=2 } else { 1..=1 };
        let mut steps: Vec<Step> =
            sizes.flat_map(|size| (lowest + size..=highest).map(move |high| Step { high, low: high - size })).collect();
        steps.sort();
        steps
    }

    fn plan(&self, step: Step) -> Result<Plan, LabError> {
        let entrant = |number: u8| {
            let nodes = match Level::find(number).filter(|level| level.is_full()) {
                Some(_) => {
                    let below = Level::find(number - 1).map_or(0, |level| level.nodes(&self.variant));
                    format!(",nodes={}", self.nodes.unwrap_or(FULL_FACTOR * below))
                }
                None => String::new(),
            };
            format!("builtin:level={number},name=level {number}{nodes}")
        };
        let settings = MatchSettings {
            variant: self.variant.name().to_owned(),
            engines: vec![entrant(step.high), entrant(step.low)],
            games: self.most,
            seed: self.seed,
            concurrency: self.concurrency,
            ..MatchSettings::default()
        };
        settings.plan()
    }

    /// Plays the steps that are not done. `progress` is called after every game.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Step, &LadderReport),
    ) -> Result<LadderReport, LabError> {
        let [lowest, highest] = self.levels;
        if lowest >= highest || Level::find(lowest).is_none() || Level::find(highest).is_none() {
            return Err(LabError::Call(refusals::ladder_levels()));
        }
        let mut report = LadderReport::default();
        let mut done: BTreeMap<Step, HashSet<u64>> = BTreeMap::new();
        let mut journal = self.journal.as_deref().map(Journal::open).transpose()?;
        if let Some(path) = &self.journal {
            Journal::read_lines(path, &mut |number, line| {
                let refuse =
                    |error: serde_json::Error| LabError::file(path, refusals::ladder_line(number, error.to_string()));
                let played: Played = serde_json::from_str(line).map_err(refuse)?;
                if played.variant != self.variant.name() || played.seed != self.seed {
                    return Err(LabError::file(path, refusals::ladder_other()));
                }
                if done.entry(played.step).or_default().insert(played.number) {
                    report.add(&played);
                }
                Ok(())
            })?;
        }
        let mut judge = Engine::new(&self.variant, &Options { hash: 4, ..Options::default() })?;
        for step in self.steps() {
            if stop.load(Relaxed) || report.steps.get(&step).is_some_and(|result| result.is_done(self)) {
                continue;
            }
            let known = done.remove(&step).unwrap_or_default();
            self.plan(step)?.run(&known, &Log::none(), stop, &(), &mut |game, opening, result| {
                let played = self.played(step, game, &opening, &result, &mut judge)?;
                report.add(&played);
                if let Some(journal) = &mut journal {
                    journal.add_line(serde_json::to_string(&played).unwrap_or_default())?;
                }
                progress(step, &report);
                let is_done = report.steps.get(&step).is_some_and(|result| result.is_done(self));
                Ok(if is_done { Flow::Enough } else { Flow::GoOn })
            })?;
        }
        Ok(report)
    }

    fn played(
        &self,
        step: Step,
        game: &ScheduledGame,
        opening: &PositionSpec,
        result: &GameResult,
        judge: &mut Engine,
    ) -> Result<Played, LabError> {
        let high_side = if game.players[0] == 0 { Side::First } else { Side::Second };
        let half_points = match result.end.winner {
            None => 1,
            Some(winner) => 2 * u8::from(winner == high_side),
        };
        let mut board = Board::at(&self.variant, opening)?;
        let mut moves = [[0; 2]; 2];
        for mv in &result.moves {
            let counts = &mut moves[usize::from(board.side() != high_side)];
            counts[0] += 1;
            counts[1] += u64::from(is_absurd(&board, &mv.text, judge)?);
            board.play(&mv.text)?;
        }
        Ok(Played {
            variant: self.variant.name().to_owned(),
            seed: self.seed,
            step,
            number: game.number,
            half_points,
            plies: result.moves.len() as u64,
            moves,
        })
    }
}

/// Whether a move makes no sense: people would not think of it, and a search says that it gives away much.
pub fn is_absurd(board: &Board, mv: &str, judge: &mut Engine) -> Result<bool, LabError> {
    if board.glance().iter().any(|glance| glance.mv == mv) {
        return Ok(false);
    }
    let after = board.after(mv)?;
    let mut chance = |board: &Board| -> Result<f64, LabError> {
        let request = Request { limits: Limits::nodes(JUDGE_NODES), ..Request::new(board) };
        let score = match board.outcome() {
            Some(outcome) => Some(outcome.as_last_move()),
            None => judge.search(&request, &mut |_| ())?.score(),
        };
        Ok(score.map_or(0.5, |score| board.variant().chance(score)))
    };
    let lost = chance(board)? - chance(&after)?;
    Ok(ABSURD_LOSS < if board.side() == Side::First { lost } else { -lost })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(variant: &str, levels: [u8; 2], games: u64) -> LadderSettings {
        LadderSettings {
            variant: Variant::find(variant).unwrap(),
            levels,
            games,
            most: games,
            double_steps: false,
            nodes: None,
            seed: 1,
            concurrency: 1,
            journal: None,
        }
    }

    #[test]
    fn steps_are_those_of_neighbours_and_of_every_other_level() {
        let ladder = LadderSettings { double_steps: true, ..settings("connect4", [1, 4], 2) };
        let steps: Vec<_> = ladder.steps().into_iter().map(|Step { high, low }| (high, low)).collect();
        assert_eq!(steps, [(2, 1), (3, 1), (3, 2), (4, 2), (4, 3)]);
    }

    #[test]
    fn a_move_far_from_everything_is_absurd_where_it_loses_and_a_sensible_one_is_not() {
        let variant = Variant::find("freestyle").unwrap();
        let mut judge = Engine::new(&variant, &Options { hash: 1, ..Options::default() }).unwrap();
        let board = Board::at(&variant, &PositionSpec::new(Some("h8 i9 i8 h9 j8"), &[])).unwrap();
        assert!(is_absurd(&board, "o1", &mut judge).unwrap());
        assert!(!is_absurd(&board, "k8", &mut judge).unwrap());
    }

    #[test]
    fn three_levels_apart_the_order_is_never_in_doubt() {
        for variant in ["freestyle", "othello"] {
            let mut ladder = settings(variant, [2, 5], 20);
            ladder.levels = [2, 5];
            let step = Step { high: 5, low: 2 };
            let mut report = LadderReport::default();
            let mut judge = Engine::new(&ladder.variant, &Options { hash: 1, ..Options::default() }).unwrap();
            let never = AtomicBool::new(false);
            let run = ladder.plan(step).unwrap().run(
                &HashSet::new(),
                &Log::none(),
                &never,
                &(),
                &mut |game, opening, result| {
                    report.add(&ladder.played(step, game, &opening, &result, &mut judge)?);
                    Ok(Flow::GoOn)
                },
            );
            run.unwrap();
            let score = report.steps[&step].score();
            assert!(score > 0.6, "{variant}: {score}");
        }
    }

    #[test]
    fn a_ladder_resumes_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Some(folder.path().join("ladder.jsonl"));
        let never = AtomicBool::new(false);
        let short = LadderSettings { journal: journal.clone(), ..settings("tictactoe", [1, 2], 4) };
        assert_eq!(short.run(&never, &mut |_, _| ()).unwrap().steps[&Step { high: 2, low: 1 }].tally.count(), 4);
        let mut new_games = 0;
        let longer = LadderSettings { journal, ..settings("tictactoe", [1, 2], 8) };
        let report = longer.run(&never, &mut |_, _| new_games += 1).unwrap();
        assert_eq!((report.steps[&Step { high: 2, low: 1 }].tally.count(), new_games), (8, 4));
        let other = LadderSettings { seed: 2, ..longer };
        assert!(other.run(&never, &mut |_, _| ()).is_err());
    }
}
