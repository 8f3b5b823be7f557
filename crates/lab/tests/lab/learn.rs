//! From self-play to weights, for every game: games are the same whoever plays them, and what they teach can be used.

use polyply_core::random::Random;
use polyply_engine::learning::{Features, Kind, LearningTask};
use polyply_engine::{Board, EngineError, Score, Side, Variant};
use polyply_lab::arena::{SelfPlay, SelfPlayOptions};
use polyply_lab::diversity::Diversity;
use polyply_lab::learn::choices::Choices;
use polyply_lab::learn::samples::Samples;
use polyply_lab::learn::{self, FitOptions, Training, order, page};
use polyply_lab::record;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

static GO: AtomicBool = AtomicBool::new(false);

fn play(variant: &Variant, path: &Path, seed: u64, threads: usize, games: u64) -> Result<u64, String> {
    let mut count = 0;
    let selfplay = SelfPlay::new(variant, &SelfPlayOptions { nodes: 30, seed, threads, weights: None }, games, path);
    let run = selfplay.and_then(|selfplay| selfplay.run(&GO, &mut |done| count = done));
    run.map(|()| count).map_err(|error| error.to_string())
}

fn training(lesson: &LearningTask, options: FitOptions) -> Training<'_> {
    Training { lesson, options, stop: &GO, progress: Box::new(|_| ()) }
}

fn lines(path: &Path) -> BTreeSet<String> {
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_game_of_self_play_depends_on_its_seed_and_number_only() {
    let folder = tempfile::tempdir().unwrap();
    for variant in Variant::all() {
        let file = |name: &str| folder.path().join(format!("{}-{name}", variant.name()));
        let (one, two, other) = (file("one"), file("two"), file("other"));
        assert_eq!(play(&variant, &one, 1, 1, 4), Ok(4), "{variant:?}");
        // Half of them, and a line that was cut off; then the rest, on two threads.
        assert_eq!(play(&variant, &two, 1, 1, 2), Ok(2));
        std::fs::OpenOptions::new().append(true).open(&two).unwrap().write_all(b"{\"number\":2,").unwrap();
        assert_eq!(play(&variant, &two, 1, 2, 4), Ok(4));
        assert_eq!(lines(&one), lines(&two), "{variant:?}");
        play(&variant, &other, 2, 1, 4).unwrap();
        assert_ne!(lines(&one), lines(&other), "another seed");
        let refused = play(&variant, &one, 2, 1, 4).unwrap_err();
        assert!(refused.contains("Seed=1") && refused.contains("another file"), "{refused}");
        for mut record in record::read(&one).unwrap() {
            record.replay().unwrap();
        }
        let mut diversity = Diversity::after(&[1]);
        diversity.add_file(&one).unwrap();
        assert_eq!(diversity.games, 4);
    }
}

#[test]
fn rules_and_weights_make_other_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let chess960 = Variant::find("chess,chess960=on").unwrap();
    assert_eq!(play(&chess960, &path, 1, 1, 1), Ok(1));
    let handmade = play(&chess960.with_weights("handmade").unwrap(), &path, 1, 1, 1).unwrap_err();
    assert!(handmade.contains("Weights="), "{handmade}");
    std::fs::write(&path, "# freestyle:15 nodes=1\n").unwrap();
    assert!(play(&chess960, &path, 1, 1, 1).unwrap_err().contains("line 1"));
}

#[test]
fn a_game_that_is_stopped_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let options = SelfPlayOptions { nodes: 100_000_000, seed: 1, threads: 2, weights: None };
    let selfplay = SelfPlay::new(&Variant::find("freestyle").unwrap(), &options, 4, &path).unwrap();
    selfplay.run(&AtomicBool::new(true), &mut |_| ()).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
}

/// Weights that a file holds and an evaluation takes.
fn taken(variant: &Variant, kind: Kind, numbers: &[f32]) -> Variant {
    let text = variant.weights_text(kind, numbers, 100, &["learned by a test".into()]).unwrap();
    assert!(text.contains("\n# learned by a test\n"));
    variant.with_weights(&text).unwrap()
}

#[test]
fn every_game_with_weights_learns_them_from_its_own_games() {
    let folder = tempfile::tempdir().unwrap();
    let options = FitOptions { result: 0.7, epochs: 2, seed: 1 };
    for variant in Variant::all() {
        let (begun, lesson) = match learn::begin(&variant, Kind::Linear, None) {
            Ok(begun) => begun,
            Err(error) => {
                assert!(error.to_string().contains("without weights"), "{error}");
                continue;
            }
        };
        let path = folder.path().join(variant.name());
        play(&variant, &path, 1, 2, 12).unwrap();
        let data: Vec<PathBuf> = vec![path];
        let samples = Samples::load(&begun, &lesson, &data, options.result).unwrap();
        assert_eq!(samples.game_count, 12);
        let fit = |seed| learn::linear(&samples, training(&lesson, FitOptions { seed, ..options }));
        let found = fit(1);
        assert_eq!(found, fit(1), "the same seed");
        assert!(found.numbers.iter().all(|number| number.is_finite()), "{variant:?}");
        let learned = taken(&begun, Kind::Linear, &found.numbers);
        assert!(page::html("a test", &found, &[]).contains("held out"));
        if let Ok(lesson) = variant.learning_task(Kind::Order, true) {
            let choices = Choices::load(&variant, &data).unwrap();
            let ordered = order::fit(&choices, training(&lesson, FitOptions { seed: 1, ..options }));
            assert!(ordered.held_out[1] < ordered.held_out[0], "{variant:?}: {:?}", ordered.held_out);
            assert_ne!(taken(&learned, Kind::Order, &ordered.numbers).weights_hash(), learned.weights_hash());
        }
        let other = Variant::all().find(|other| other.name() != variant.name()).unwrap();
        let mixed = Samples::load(&other, &lesson, &data, 1.0).unwrap_err().to_string();
        assert!(mixed.contains("it has games of"), "{mixed}");
    }
}

/// True with this chance.
fn once(random: &mut Random, chance: f32) -> bool {
    (random.scaled(1 << 20) as f32) < chance * (1 << 20) as f32
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

fn linear(variant: &Variant, fresh: bool) -> LearningTask {
    variant.learning_task(Kind::Linear, fresh).unwrap()
}

#[test]
fn known_sums_of_parts_are_recovered() {
    // Made-up positions: a handful of codes each, won by the odds that the guessed weights give them.
    let guessed = Variant::find("freestyle").unwrap().with_weights("handmade").unwrap();
    let truth = linear(&guessed, false).model.start;
    let lesson = linear(&guessed, true);
    // Codes of the side to move, then those of the other one.
    let codes = 1365;
    let mut random = Random::new(7);
    let mut samples = Samples::default();
    for _ in 0..20_000 {
        let term = |place: usize, random: &mut Random| {
            let slot = place % 2 * codes + random.scaled(300);
            (slot as u32, if place.is_multiple_of(2) { 3 } else { -3 })
        };
        let mut terms: Vec<(u32, i16)> = (0..6).map(|place| term(place, &mut random)).collect();
        terms.push(((2 * codes + random.scaled(30)) as u32, 1));
        let features = Features { terms, phases: vec![(0, 1.0)], near: Vec::new() };
        let logit: f32 = features.terms.iter().map(|&(slot, count)| truth[slot as usize] * f32::from(count)).sum();
        let won = once(&mut random, sigmoid(logit));
        samples.add(&features, f32::from(u8::from(won)), 200.0 * logit);
        samples.game_count += 1;
    }
    let options = FitOptions { result: 0.7, epochs: 40, seed: 1 };
    let found = learn::linear(&samples, training(&lesson, options));
    let square = |value: &dyn Fn(usize) -> f32| {
        ((0..samples.len()).map(|index| f64::from(value(index)).powi(2)).sum::<f64>() / samples.len() as f64).sqrt()
    };
    let slots = lesson.model.slots;
    let error = square(&|index| samples.value(&found.numbers, slots, index) - samples.value(&truth, slots, index));
    let spread = square(&|index| samples.scores[index] / 200.0);
    assert!(error < 0.25 * spread, "{error} of {spread}, {:?}", found.epochs);
}

/// A random game: a board before each of its moves, with the move.
fn wander(variant: &Variant, random: &mut Random, each: &mut dyn FnMut(&Board, &str, &mut Random)) {
    let mut board = Board::new(variant);
    while board.outcome().is_none() && board.moves().len() < 300 {
        let moves = board.legal_moves();
        let mv = &moves[random.scaled(moves.len())];
        each(&board, mv, random);
        board.play(mv).unwrap();
    }
}

#[test]
fn known_weights_of_phases_are_recovered() {
    // Positions of random games, won by the odds that weights give them in which rooks and queens changed places.
    let guessed = Variant::find("chess").unwrap().with_weights("handmade").unwrap();
    let lesson = linear(&guessed, false);
    let slots = lesson.model.slots;
    let mut truth = lesson.model.start.clone();
    truth.swap(3, 4);
    truth.swap(slots + 3, slots + 4);
    let mut random = Random::new(5);
    let mut samples = Samples::default();
    let mut features = Features::default();
    while samples.len() < 6000 {
        wander(&guessed, &mut random, &mut |board, mv, random| {
            if guessed.features(board, Some(mv), &mut features).unwrap() {
                samples.add(&features, 0.5, 0.0);
                let index = samples.len() - 1;
                let odds = sigmoid(samples.value(&truth, slots, index) / 250.0);
                samples.results[index] = f32::from(u8::from(once(random, odds)));
            }
        });
        samples.game_count += 1;
    }
    let found = learn::linear(&samples, training(&lesson, FitOptions { result: 1.0, epochs: 60, seed: 1 }));
    assert!(found.held_out[1] < found.held_out[0], "{:?}", found.held_out);
    let [rook, queen] = [3, 4].map(|at| found.numbers[at] - lesson.model.start[at]);
    assert!(rook > 20.0 && queen < -20.0, "{rook} {queen}");
    assert_eq!(found.phases.iter().map(|phase| phase.name.as_str()).collect::<Vec<_>>(), ["middle game", "endgame"]);
}

#[test]
fn an_evaluation_in_points_holds_on_games_that_were_held_out() -> Result<(), EngineError> {
    // Positions of random games, judged by the hand-made evaluation.
    let guessed = Variant::find("othello")?.with_weights("handmade")?;
    let lesson = linear(&guessed, true);
    let mut random = Random::new(1);
    let mut samples = Samples::default();
    let mut features = Features::default();
    for _ in 0..400 {
        wander(&guessed, &mut random, &mut |board, mv, _| {
            if guessed.features(board, Some(mv), &mut features).unwrap()
                && let Score::Points(points) = board.evaluate().unwrap()
            {
                samples.add(&features, (if board.side() == Side::First { points } else { -points }) as f32, 0.0);
            }
        });
        samples.game_count += 1;
    }
    let options = FitOptions { result: 1.0, epochs: 8, seed: 1 };
    let found = learn::linear(&samples, training(&lesson, options));
    let spread = samples.results.iter().map(|value| value.abs()).sum::<f32>() / samples.len() as f32;
    assert!(found.held_out[1] < 0.6 * spread, "{:?} of {spread}", found.held_out);
    let hash = taken(&guessed, Kind::Linear, &found.numbers).weights_hash();
    let again = learn::linear(&samples, training(&lesson, options));
    assert_eq!(taken(&guessed, Kind::Linear, &again.numbers).weights_hash(), hash, "the same seed");
    Ok(())
}
