//! From self-play to a net, for every game that has features for one.

use polyply_engine::Variant;
use polyply_engine::learning::Kind;
use polyply_lab::arena::{SelfPlay, SelfPlayOptions};
use polyply_lab::learn::net::{NetOptions, fit, plan, positions};
use polyply_lab::learn::training::NetTraining;
use polyply_lab::learn::{Epoch, TrainOptions, page, policy};
use polyply_nn::Positions;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

fn games(variant: &Variant, folder: &Path) -> PathBuf {
    let path = folder.join("games");
    let selfplay =
        SelfPlay::new(variant, &SelfPlayOptions { nodes: 30, seed: 1, threads: 1, weights: None }, 12, &path).unwrap();
    selfplay.run(&AtomicBool::new(false), &mut |_| ()).unwrap();
    path
}

fn played(variant: &Variant, folder: &Path) -> Positions {
    positions(variant, &[games(variant, folder)]).unwrap()
}

fn wanted() -> NetOptions {
    NetOptions { hidden: Some(32), middle: Some(0), result: 0.3 }
}

const TRAIN: TrainOptions =
    TrainOptions { epochs: 3, batch: 64, rate: 0.01, warm_up: 100, decay: 0.01, held_out: 4, patience: 5, seed: 1 };

/// A training that nobody stops.
fn to_the_end(checkpoint: &Path) -> NetTraining<'_> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    NetTraining { options: TRAIN, checkpoint, resume: false, stop: &NEVER, progress: Box::new(|_, _| ()) }
}

#[test]
fn every_game_with_features_learns_a_net_that_it_can_use() {
    let mut seen = 0;
    for variant in Variant::all() {
        let Ok(task) = variant.net_task() else { continue };
        let folder = tempfile::tempdir().unwrap();
        let positions = played(&variant, folder.path());
        assert_eq!(positions.game_count(), 12);
        let usual = NetOptions { hidden: None, middle: None, result: 0.3 };
        let values = plan(&task, &usual, &positions).unwrap();
        let checkpoint = folder.path().join("checkpoint");
        let (net, found) = fit(&values, to_the_end(&checkpoint)).unwrap();
        assert_eq!(found.epochs.len(), 3);
        assert!(!checkpoint.exists(), "nothing is left to resume");
        assert!(page::html("a test", &found, &[]).contains("Loss by epoch"));
        let quantised = net.quantised(found.unit as i16);
        let learned = variant.with_weights(&quantised.text(variant.about().name, &[])).unwrap();
        assert_ne!(learned.weights_hash(), variant.weights_hash());
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn a_training_that_was_stopped_goes_on_to_the_same_net() {
    let folder = tempfile::tempdir().unwrap();
    let variant = Variant::find("chess").unwrap();
    let positions = played(&variant, folder.path());
    let values = plan(&variant.net_task().unwrap(), &wanted(), &positions).unwrap();
    let checkpoint = folder.path().join("checkpoint");
    let run = |resume: bool, batches: usize| {
        let (stop, done) = (AtomicBool::new(false), Cell::new(0));
        let progress = Box::new(|_: f64, _: Option<&Epoch>| {
            done.set(done.get() + 1);
            stop.store(done.get() >= batches, Relaxed);
        });
        fit(&values, NetTraining { options: TRAIN, checkpoint: &checkpoint, resume, stop: &stop, progress })
    };
    let (whole, _) = run(false, usize::MAX).unwrap();
    assert!(run(true, 1).unwrap_err().to_string().contains("checkpoint"), "there is none");
    run(false, 5).unwrap();
    run(true, 2).unwrap();
    assert_eq!(run(true, usize::MAX).unwrap().0, whole);
}

#[test]
fn impossible_nets_are_refused() {
    let variant = Variant::find("chess").unwrap();
    let wanted = NetOptions { hidden: Some(33), ..wanted() };
    let error = plan(&variant.net_task().unwrap(), &wanted, &Positions::default()).err().unwrap().to_string();
    assert!(error.contains("multiple of 32"), "{error}");
}

#[test]
fn every_game_with_a_net_for_moves_learns_one_that_it_can_use() {
    let mut seen = 0;
    for variant in Variant::all().filter(|variant| variant.policy_task().is_ok()) {
        let folder = tempfile::tempdir().unwrap();
        let choices = policy::choices(&variant, &[games(&variant, folder.path())]).unwrap();
        let checkpoint = folder.path().join("checkpoint");
        let found = policy::fit(&choices, to_the_end(&checkpoint)).unwrap();
        assert!(found.epochs[2].training < found.epochs[0].training, "{}", variant.name());
        let text = variant.weights_text(Kind::Policy, &found.numbers, 100, &[]).unwrap();
        let learned = variant.with_weights(&text).unwrap();
        assert_ne!(learned.weights_hash(), variant.weights_hash());
        assert_eq!(learned.weights_text(Kind::Policy, &found.numbers, 100, &[]).unwrap(), text);
        seen += 1;
    }
    assert!(seen > 0);
}
