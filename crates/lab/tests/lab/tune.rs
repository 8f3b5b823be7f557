//! Tuners: each method finds the optimum of functions where it is known, through the noise of games, and a run that was
//! killed continues as if it had not been.

use polyply_lab::arena::Resume;
use polyply_lab::stats::Tally;
use polyply_lab::tune::{
    Axis, Function, Method, MethodSettings, Objective, Progress, Space, TestFunction, TuneSettings, Tuning,
};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const SEEDS: u64 = 20;
const FUNCTIONS: [Function; 3] = [Function::Quadratic, Function::Rosenbrock, Function::Logistic];

fn space(dimensions: usize) -> Space {
    let axis = |number: usize| Axis { name: format!("x{number}"), low: -1000, high: 1000, start: 0, step: 100.0 };
    Space { axes: (1..=dimensions).map(axis).collect() }
}

/// The share of the lost Elo that a method regains with so many games.
fn regained(method: Method, function: Function, dimensions: usize, games: u64, seed: u64) -> f64 {
    let space = space(dimensions);
    let mut objective = TestFunction { function, space: space.clone(), seed };
    let mut tuner = method.tuner(&space, games, seed, &MethodSettings::default());
    let mut played = 0;
    for number in 0.. {
        if played >= games {
            break;
        }
        let batch = tuner.propose();
        let mut results = vec![Tally::default(); batch.duels.len()];
        let never = AtomicBool::new(false);
        objective
            .play(number, &batch, &|_, _| false, &never, &mut |game| {
                results[game.duel].add_game(game.points);
                Ok(())
            })
            .unwrap();
        tuner.take(&batch, &results);
        played += batch.games();
    }
    let elo = |point: &[f64]| objective.elo(&space.values(point));
    1.0 - elo(&tuner.standing().best) / elo(&space.start())
}

/// Every seed regains at least this share.
fn check(method: Method, functions: &[Function], dimensions: usize, games: u64, least: f64) {
    for &function in functions {
        let shares: Vec<f64> = (1..=SEEDS).map(|seed| regained(method, function, dimensions, games, seed)).collect();
        let worst = shares.iter().fold(1.0, |worst: f64, share| worst.min(*share));
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        println!(
            "{} {function:?} {dimensions} parameters, {games} games: mean {mean:.3}, worst {worst:.3}",
            method.name()
        );
        assert!(worst >= least, "{} {function:?} {dimensions}: {shares:.2?}", method.name());
    }
}

#[test]
fn spsa_regains_most_of_what_was_lost() {
    check(Method::Spsa, &FUNCTIONS, 5, 4_000, 0.88);
    check(Method::Spsa, &FUNCTIONS, 30, 20_000, 0.75);
}

#[test]
fn rspsa_regains_most_of_what_was_lost() {
    check(Method::Rspsa, &FUNCTIONS, 5, 10_000, 0.88);
    check(Method::Rspsa, &FUNCTIONS, 30, 50_000, 0.70);
}

#[test]
fn clop_regains_most_of_what_was_lost() {
    check(Method::Clop, &FUNCTIONS, 5, 2_000, 0.75);
}

#[test]
#[ignore = "takes minutes; `cargo xtask test --long` runs it"]
fn clop_copes_with_many_parameters() {
    check(Method::Clop, &[Function::Quadratic], 30, 10_000, 0.65);
}

#[test]
fn a_genetic_algorithm_regains_most_of_what_was_lost() {
    check(Method::Genetic, &FUNCTIONS, 5, 10_000, 0.80);
    check(Method::Genetic, &FUNCTIONS, 30, 50_000, 0.25);
}

const FILE: &str = "objective = \"quadratic\"\ndimensions = 3\ngames = 400\nseed = 7\n[clop]\nbatch = 4\n";

fn tuning(folder: &Path, method: Method, resume: Resume) -> Tuning {
    let path = folder.join("test.toml");
    std::fs::write(&path, FILE).unwrap();
    Tuning::new(TuneSettings::from_file(&path).unwrap(), method, resume).unwrap()
}

/// Runs until so many games were played, and returns where it ended.
fn run(tuning: &mut Tuning, until: u64) -> Option<Progress> {
    let stop = AtomicBool::new(false);
    let mut last = None;
    tuning
        .run(&stop, &mut |progress| {
            stop.store(progress.games >= until, Relaxed);
            last = Some(progress.clone());
        })
        .unwrap();
    last
}

#[test]
fn a_run_that_was_killed_goes_on_as_if_it_had_not_been() {
    for method in Method::ALL {
        let [whole, killed] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let ended = run(&mut tuning(whole.path(), method, Resume::Never), u64::MAX);
        run(&mut tuning(killed.path(), method, Resume::Never), 100);
        // As if the power had gone in the middle of a line, some games after a batch was begun.
        let journal = killed.path().join(format!("test.{}.jsonl", method.name()));
        let text = std::fs::read_to_string(&journal).unwrap();
        std::fs::write(&journal, &text[..text.len() - 150]).unwrap();
        let mut again = tuning(killed.path(), method, Resume::GoOn);
        assert_eq!(run(&mut again, u64::MAX), ended, "{}", method.name());
        again.finish(&[]).unwrap();
        let read =
            |folder: &Path| std::fs::read_to_string(folder.join(format!("test.{}.jsonl", method.name()))).unwrap();
        assert_eq!(read(killed.path()), read(whole.path()), "{}", method.name());
        let page = std::fs::read_to_string(killed.path().join(format!("test.{}.html", method.name()))).unwrap();
        assert_eq!(page.matches("fitted Elo").count() > 0, method == Method::Clop);
    }
}

#[test]
fn what_was_begun_otherwise_is_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    run(&mut tuning(folder.path(), Method::Spsa, Resume::Never), 20);
    let path = folder.path().join("test.toml");
    let begin = |resume| Tuning::new(TuneSettings::from_file(&path).unwrap(), Method::Spsa, resume);
    assert!(begin(Resume::Never).err().unwrap().to_string().contains("--resume"));
    std::fs::write(&path, FILE.replace("seed = 7", "seed = 8")).unwrap();
    let refused = begin(Resume::GoOn).unwrap().run(&AtomicBool::new(false), &mut |_| ()).unwrap_err();
    assert!(refused.to_string().contains("other settings"), "{refused}");
}

const GAMES: &str = "variant = \"connect4\"\nengine = \"builtin:Hash=1\"\nnodes = 40\ngames = 12\n\
    [parameters]\nlmr_base = {}\nlmp_power = {}\n[test]\ngames = 4\n";

/// The games of a tuning, apart from the order in which they ended.
fn lines(path: &Path) -> Vec<String> {
    let mut lines: Vec<String> = std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn games_are_tuned_by_resume_or_not_and_the_result_meets_the_start() {
    let [whole, killed] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let begin = |folder: &Path, resume| {
        let path = folder.join("games.toml");
        std::fs::write(&path, GAMES).unwrap();
        Tuning::new(TuneSettings::from_file(&path).unwrap(), Method::Spsa, resume).unwrap()
    };
    let mut tuning = begin(whole.path(), Resume::Never);
    let ended = run(&mut tuning, u64::MAX);
    run(&mut begin(killed.path(), Resume::Never), 6);
    let journal = killed.path().join("games.spsa.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::write(&journal, &text[..text.len() - 250]).unwrap();
    assert_eq!(run(&mut begin(killed.path(), Resume::GoOn), u64::MAX), ended);
    assert_eq!(lines(&journal), lines(&whole.path().join("games.spsa.jsonl")));
    tuning.finish(&[]).unwrap();
    let mut contest = tuning.final_match().unwrap().unwrap();
    let report = contest.run(&AtomicBool::new(false), &(), &mut |_| ()).unwrap();
    assert_eq!(report.names().collect::<Vec<_>>(), ["tuned", "start"]);
    assert_eq!(report.games(), 4);
}
