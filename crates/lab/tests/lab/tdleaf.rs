//! Learning by temporal differences, from detuned weights to a match.

use polyply_engine::Variant;
use polyply_engine::learning::Kind;
use polyply_lab::arena::{Flow, MatchSettings};
use polyply_lab::learn::tdleaf::{Progress, TdLeaf, TdLeafOptions, page};
use polyply_nn::{FloatNet, Shape};
use polyply_protocol::drive::Log;
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const OPTIONS: TdLeafOptions =
    TdLeafOptions { games: 8, batch: 4, nodes: 20, lambda: 0.7, rate: None, threads: 2, seed: 1 };

/// Runs until so many games are learned from.
fn run(variant: &Variant, start: &str, options: TdLeafOptions, folder: &Path) -> TdLeaf {
    let mut run = TdLeaf::new(variant, start, options).unwrap();
    run.run(&folder.join("checkpoint"), &AtomicBool::new(false), &mut |_| ()).unwrap();
    run
}

/// Writes weights of an evaluation whose numbers are changed, and returns the name of the file.
fn detuned(variant: &Variant, folder: &Path, change: impl Fn(f32) -> f32) -> String {
    let numbers: Vec<f32> =
        variant.learning_task(Kind::Linear, false).unwrap().model.start.into_iter().map(change).collect();
    let path = folder.join("detuned.txt");
    std::fs::write(&path, variant.weights_text(Kind::Linear, &numbers, 100, &[]).unwrap()).unwrap();
    path.display().to_string()
}

/// The points of one of two files of weights against the other, of 1.
fn score(variant: &str, weights: [&str; 2], games: u64, nodes: u64) -> f64 {
    let engines = weights.map(|file| format!("builtin:Hash=1,weights={file}")).to_vec();
    let settings =
        MatchSettings { variant: variant.into(), engines, games, nodes: Some(nodes), ..MatchSettings::default() };
    let mut points = 0.0;
    let plan = settings.plan().unwrap();
    plan.run(&HashSet::new(), &Log::none(), &AtomicBool::new(false), &(), &mut |game, _, played| {
        points += match played.end.winner {
            None => 0.5,
            Some(side) => f64::from(u8::from(game.players[side.index()] == 0)),
        };
        Ok(Flow::GoOn)
    })
    .unwrap();
    points / games as f64
}

#[test]
fn detuned_weights_recover() {
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::find("ataxx").unwrap();
    let start = detuned(&variant, folder.path(), |_| 0.0);
    let options = TdLeafOptions { games: 480, nodes: 60, lambda: 0.9, rate: Some(3.0), ..OPTIONS };
    let learned = run(&variant, &start, options, folder.path());
    let path = folder.path().join("learned.txt").display().to_string();
    std::fs::write(&path, learned.text(&[]).unwrap()).unwrap();
    let score = score("ataxx", [&path, &start], 40, 60);
    assert!(score > 0.75, "{score}, {}", learned.text(&[]).unwrap());
}

#[test]
fn every_game_with_weights_learns_while_it_plays() {
    let folder = tempfile::tempdir().unwrap();
    for variant in Variant::all() {
        let learned = match TdLeaf::new(&variant, "built-in", OPTIONS) {
            Ok(_) => run(&variant, "built-in", OPTIONS, folder.path()),
            Err(error) => {
                assert!(error.to_string().contains("without weights"), "{error}");
                continue;
            }
        };
        assert_eq!((learned.games(), learned.batches().len()), (8, 2), "{}", variant.name());
        let [first, last] = learned.batches() else { panic!("two batches") };
        assert!(first.change > 0.0 && last.rate < first.rate && last.loss.is_finite(), "{last:?}");
        let taken = variant.with_weights(&learned.text(&[]).unwrap()).unwrap();
        assert_eq!(taken.weights_hash(), last.weights);
        assert_ne!(taken.weights_hash(), variant.weights_hash(), "{}", variant.name());
        let page = page::html("a test", learned.batches(), learned.counts_points(), &["from nowhere".into()]);
        assert!(page.contains("Temporal differences") && page.contains(&format!("{:016x}", last.weights)));
    }
}

#[test]
fn the_last_layers_of_a_net_learn_and_the_first_one_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net").display().to_string();
    for variant in Variant::all().filter(|variant| variant.net_task().is_ok()) {
        let task = variant.net_task().unwrap();
        let shape = Shape {
            features: task.features,
            perspectives: task.perspectives,
            hidden: if task.pooled { task.hidden } else { 32 },
            middle: 2,
            buckets: task.buckets,
            activation: task.activation,
            pooled: task.pooled,
        };
        let text = FloatNet::random(shape, 30.0, 5).quantised(300).text(variant.about().name, &[]);
        std::fs::write(&path, &text).unwrap();
        let options = TdLeafOptions { rate: Some(0.05), ..OPTIONS };
        let learned = run(&variant, &path, options, folder.path()).text(&[]).unwrap();
        variant.with_weights(&learned).unwrap();
        let parts = |text: &str| -> (String, String) {
            let (head, rest) = text.split_once("\nfeatures ").unwrap();
            let (first, dense) = rest.split_once("\nmiddle ").unwrap();
            assert!(head.contains("kind net"));
            (first.to_owned(), dense.to_owned())
        };
        let ((before, old), (after, new)) = (parts(&text), parts(&learned));
        assert_eq!(before, after);
        assert_ne!(old, new);
    }
}

#[test]
fn the_same_seed_gives_the_same_weights_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::find("ataxx").unwrap();
    let text = |threads, seed| {
        let options = TdLeafOptions { threads, seed, ..OPTIONS };
        run(&variant, "handmade", options, folder.path()).text(&[]).unwrap()
    };
    assert_eq!(text(1, 1), text(2, 1));
    assert_ne!(text(2, 1), text(2, 2));
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_same_weights() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    for name in ["ataxx", "freestyle:9"] {
        let variant = Variant::find(name).unwrap();
        let options = || TdLeafOptions { games: 20, ..OPTIONS };
        let whole = run(&variant, "built-in", options(), folder.path());
        whole.write(&folder.path().join("weights"), &[], &checkpoint).unwrap();
        assert!(!checkpoint.exists(), "nothing is left to resume");
        // Stopped in the first batch, in the third one, and just after the fourth.
        let mut games = Vec::new();
        for stop_at in [2, 10, 16, 20] {
            let mut run = TdLeaf::new(&variant, "built-in", options()).unwrap();
            if checkpoint.exists() {
                run.resume(&std::fs::read(&checkpoint).unwrap()).unwrap();
            }
            let stop = AtomicBool::new(false);
            let stopped = run.run(&checkpoint, &stop, &mut |progress| match progress {
                Progress::Game(count) if stop_at < 16 => stop.store(count >= stop_at, Relaxed),
                Progress::Batch(batch) => stop.store(batch.games >= stop_at, Relaxed),
                _ => (),
            });
            stopped.unwrap();
            games.push(run.games());
            if stop_at == 20 {
                assert_eq!(run.batches(), whole.batches());
                assert_eq!(run.text(&[]).unwrap(), whole.text(&[]).unwrap());
            }
        }
        assert_eq!(games, [0, 8, 16, 20], "{name}");
    }
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("checkpoint");
    let variant = Variant::find("ataxx").unwrap();
    let mut run = TdLeaf::new(&variant, "built-in", OPTIONS).unwrap();
    run.run(&checkpoint, &AtomicBool::new(true), &mut |_| ()).unwrap();
    let bytes = std::fs::read(&checkpoint).unwrap();
    let resumed = |options| TdLeaf::new(&variant, "built-in", options).unwrap().resume(&bytes);
    assert_eq!(resumed(TdLeafOptions { threads: 1, ..OPTIONS }), Ok(()));
    assert!(resumed(TdLeafOptions { seed: 2, ..OPTIONS }).unwrap_err().contains("other weights or options"));
}
