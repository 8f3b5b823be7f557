//! Trains a net to tell whether two of its inputs differ, which no sum of weights can:
//! `cargo run -p polyply-nn --example parity`.

use polyply_nn::train::{Event, Options, Trainer, Values};
use polyply_nn::{Activation, Inputs, Position, Positions, Shape};

fn main() {
    let mut positions = Positions::default();
    for game in 0..4000_u32 {
        positions.begin_game();
        // Features 0 and 1 are the first bit, 2 and 3 the second.
        let (one, other) = (game % 2, game / 2 % 2);
        let inputs = Inputs { perspectives: [vec![one, 2 + other], vec![]], bucket: 0, ..Inputs::default() };
        positions.add(&Position { inputs, result: if one != other { 2 } else { 0 }, score: 0 });
    }
    let shape = Shape {
        features: 4,
        perspectives: 1,
        hidden: 32,
        middle: 0,
        buckets: 1,
        activation: Activation::Squared,
        pooled: false,
    };
    let options = Options { epochs: 20, batch: 200, rate: 0.02, ..Options::default() };
    let values = Values::new(&positions, shape, 1.0, 200.0);
    let mut trainer = Trainer::new(&values, options);
    loop {
        match trainer.advance() {
            Event::Batch => {}
            Event::Epoch(epoch) => println!("epoch {:>2}  loss on held-out games {:.4}", epoch.number, epoch.held_out),
            Event::Done => break,
        }
    }
    let net = values.net(trainer.best()).quantised(100);
    for (one, other) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        println!(
            "{one} {other}: {:+}",
            net.value(&Inputs { perspectives: [vec![one, 2 + other], vec![]], ..Inputs::default() })
        );
    }
}
