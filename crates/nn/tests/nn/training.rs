//! Training through the public door: it learns, it is the same on any number of threads, and it goes on where it stopped.

use polyply_core::random::Random;
use polyply_nn::train::{Event, Options, Trainer, Values};
use polyply_nn::{Activation, Inputs, Net, Position, Positions, Shape};

const SHAPE: Shape = Shape {
    features: 40,
    perspectives: 2,
    hidden: 32,
    middle: 0,
    buckets: 2,
    activation: Activation::Squared,
    pooled: false,
};

fn options() -> Options {
    Options { epochs: 6, batch: 128, rate: 0.01, warm_up: 10, held_out: 5, ..Options::default() }
}

/// Positions whose score depends on which features are active: a hidden value each, and one for certain pairs.
fn positions() -> Positions {
    let mut random = Random::new(8);
    let values: Vec<i32> = (0..40).map(|_| random.below(200) as i32 - 100).collect();
    let mut positions = Positions::default();
    for _ in 0..200 {
        positions.begin_game();
        for _ in 0..10 {
            let mut side = || -> Vec<u32> { (0..5).map(|_| random.below(40) as u32).collect() };
            let perspectives = [side(), side()];
            let sum = |active: &[u32]| active.iter().map(|&at| values[at as usize]).sum::<i32>();
            let score = sum(&perspectives[0]) - sum(&perspectives[1]);
            let result = if score > 100 { 2 } else { u8::from(score > -100) };
            let bucket = random.below(2) as u8;
            positions.add(&Position {
                inputs: Inputs { perspectives, bucket, ..Inputs::default() },
                result,
                score: score as i16,
            });
        }
    }
    positions
}

fn values(positions: &Positions, shape: Shape) -> Values<'_> {
    Values::new(positions, shape, 0.5, 200.0)
}

fn finished<'a, 'b>(mut trainer: Trainer<'a, Values<'b>>) -> Trainer<'a, Values<'b>> {
    while trainer.advance() != Event::Done {}
    trainer
}

#[test]
fn the_loss_falls_on_games_that_were_not_seen() {
    let positions = positions();
    for shape in [SHAPE, Shape { middle: 8, ..SHAPE }, Shape { activation: Activation::Clipped, ..SHAPE }] {
        let values = values(&positions, shape);
        let trainer = finished(Trainer::new(&values, Options { epochs: 30, ..options() }));
        let (first, last) = (trainer.epochs()[0], trainer.epochs().last().unwrap());
        let held_out = trainer.held_out();
        let scores: f32 = held_out.iter().map(|&index| values.loss_of_score(index as usize)).sum();
        let best = scores / held_out.len() as f32;
        assert!(last.held_out - best < (first.held_out - best) / 3.0, "{shape:?}: {first:?} {last:?} {best}");
    }
}

#[test]
fn threads_do_not_change_the_result() {
    let positions = positions();
    let values = values(&positions, SHAPE);
    let trained = |threads| {
        let mut trainer = Trainer::new(&values, options());
        trainer.set_threads(threads);
        finished(trainer).best()
    };
    let one = trained(1);
    assert!([2, 3, 7].into_iter().all(|threads| trained(threads) == one));
}

#[test]
fn a_training_that_was_stopped_anywhere_ends_as_if_it_had_not_been() {
    let positions = positions();
    let values = values(&positions, SHAPE);
    let whole = finished(Trainer::new(&values, options()));
    for stop in [0, 1, 13, 40] {
        let mut trainer = Trainer::new(&values, options());
        (0..stop).for_each(|_| assert_ne!(trainer.advance(), Event::Done));
        let checkpoint = trainer.checkpoint();
        drop(trainer);
        let resumed = finished(Trainer::resume(&values, options(), &checkpoint).unwrap());
        assert_eq!(resumed.epochs(), whole.epochs(), "after {stop} batches");
        assert_eq!(resumed.best(), whole.best(), "after {stop} batches");
        assert_eq!(resumed.checkpoint(), whole.checkpoint(), "after {stop} batches");
    }
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let positions = positions();
    let checkpoint = Trainer::new(&values(&positions, SHAPE), options()).checkpoint();
    let refused = |shape, options, bytes: &[u8], says: &str| {
        let error = Trainer::resume(&values(&positions, shape), options, bytes).err().unwrap();
        assert!(error.contains(says) && !error.contains('\n'), "{error}");
    };
    refused(SHAPE, options(), b"", "no checkpoint");
    refused(SHAPE, options(), &checkpoint[..checkpoint.len() - 4], "damaged");
    let mut flipped = checkpoint.clone();
    flipped[1000] ^= 1;
    refused(SHAPE, options(), &flipped, "damaged");
    refused(SHAPE, Options { seed: 2, ..options() }, &checkpoint, "other games or options");
    refused(Shape { hidden: 64, ..SHAPE }, options(), &checkpoint, "other games or options");
}

#[test]
fn training_ends_when_nothing_is_gained_any_more() {
    let positions = positions();
    let values = values(&positions, SHAPE);
    let trainer = finished(Trainer::new(&values, Options { epochs: 10_000, rate: 0.0, ..options() }));
    assert_eq!(trainer.epochs().len(), 6);
}

#[test]
fn the_quantised_net_is_close_to_the_net_that_was_trained() {
    let positions = positions();
    for shape in [SHAPE, Shape { middle: 8, ..SHAPE }, Shape { activation: Activation::Clipped, ..SHAPE }] {
        let values = values(&positions, shape);
        let net = values.net(finished(Trainer::new(&values, options())).best());
        let quantised = net.quantised(400);
        assert_eq!(Net::parse(&quantised.text("any", &[]), &["any"]), Ok(quantised.clone()));
        let mut all = vec![Inputs::default(); positions.len()];
        all.iter_mut().enumerate().for_each(|(index, inputs)| positions.read(index, inputs));
        let (mean, most) = net.quantisation_error(&quantised, all.into_iter());
        assert!(mean < 10.0 && most < 40.0, "{shape:?}: {mean} on average, {most} at most");
    }
}
