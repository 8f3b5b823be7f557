//! How the weights of the patterns are learned: the sum of the weights of a position should be its value.
//!
//! Each stage is learned separately, from its own positions and from a few plies around it. Mirror images share the
//! weight of the first of them.

use crate::eval::Evaluator;
use crate::pattern::{INSTANCE_OFFSETS, Indices, mirrors};
use crate::position::Othello;
use crate::search::Spread;
use crate::weights::{FINE, LEN, STAGES, Weights, distinct, others, stage};
use polyply_core::game::Side;
use polyply_core::learn::{Features, Learning, Linear, Loss, Model, Parts, Probcut, Recipe, Schedule, View};
use polyply_core::weights::Tables;

/// How many plies before and after a stage are used as well.
const AROUND: u32 = 2;
/// Units of weight in a disc.
const DISC: f32 = 100.0 * FINE as f32;

/// The declaration for learning.
pub(crate) const LEARNING: Learning<Othello> = Learning {
    sections: Weights::sections,
    linear: Some(Linear {
        recipe: Recipe {
            loss: Loss::Squares,
            held_out: 20,
            batch: 1,
            schedule: Schedule::Falling { first: 0.012, last: 0.0006 },
            independent: 1.0,
            even: true,
        },
        view: View::SideToMove,
        model,
        features: |game, _, out| features(game, out),
        is_quiet: |game, _| game.legal() != 0,
        tables,
    }),
    order: None,
    policy: None,
    net: None,
    probcut: Some(Probcut {
        depth: 10,
        off: &["multi_probcut", "lmr", "reverse_futility", "iir"],
        remaining: Othello::empties,
        remaining_name: "empties",
        searched: [13, 52],
        solved: [13, 20],
        tables: spread_tables,
    }),
};

fn model(eval: &Evaluator, _: bool) -> Model {
    let start = match eval.weights() {
        Some(weights) => {
            (0..STAGES).flat_map(|stage| weights.stage(stage)).map(|&weight| f32::from(weight) / DISC).collect()
        }
        None => vec![0.0; STAGES * LEN],
    };
    let name = |stage: usize| format!("{} to {} empty", 60 - 4 * stage, (57 - 4 * stage as i32).max(0));
    Model { slots: LEN, phases: (0..STAGES).map(name).collect(), start, parts: Parts::Own { spread: f32::INFINITY } }
}

fn features(game: &Othello, out: &mut Features) {
    let mirrors = mirrors();
    let board = game.discs();
    let indices = Indices::of(board, Side::First);
    for (index, offset) in indices.instances().iter().zip(&INSTANCE_OFFSETS) {
        let weight = offset + u32::from(*index);
        out.terms.push((weight.min(mirrors[weight as usize]), 1));
    }
    let (moves, replies) = (board.moves().count_ones(), board.passed().moves().count_ones());
    out.terms.extend(others(board.empties(), moves, replies).map(|place| (place as u32, 1)));
    let empties = board.empties();
    let own = stage(empties);
    out.phases.push((own as u8, 1.0));
    let around = [stage(empties + AROUND), stage(empties.saturating_sub(AROUND))];
    out.near.extend(around.into_iter().filter(|&near| near != own).map(|near| near as u8));
}

/// The learned patterns, with the current predictions.
fn tables(eval: &Evaluator, numbers: &[f32]) -> Tables {
    // A weight has sixteen bits in the file.
    let most = f32::from(i16::MAX) / DISC;
    let distinct = distinct();
    let row = |stage: usize| {
        distinct
            .iter()
            .map(move |index| (numbers[stage * LEN + index].clamp(-most, most) * 100.0 * FINE as f32).round() as i16)
    };
    vec![(0..STAGES).flat_map(row).collect(), eval.spreads().iter().flat_map(Spread::numbers).collect()]
}

/// The patterns of the evaluation, or the built-in ones of a hand-made one, and predictions in numbers.
fn spread_tables(eval: &Evaluator, numbers: &[f32]) -> Tables {
    let weights = eval.weights().unwrap_or(Weights::built_in());
    let distinct = distinct();
    let row = |stage: usize| distinct.iter().map(move |&index| weights.stage(stage)[index]);
    vec![(0..STAGES).flat_map(row).collect(), numbers.iter().map(|number| number.round() as i16).collect()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::game::{Evaluation, Notation};
    use polyply_core::weights;

    #[test]
    fn features_weigh_what_the_evaluation_says() {
        let mut eval = Evaluator::default();
        let model = model(&eval, false);
        for text in ["f5d6c3d3c4f4c5b3c2", "f5d6c5f4e3c6d3f6e6d7", "f5"] {
            let game = Othello::start().parse(text).unwrap();
            let mut found = Features::default();
            features(&game, &mut found);
            let stage = found.phases[0].0 as usize;
            let value: f32 = found.terms.iter().map(|&(slot, _)| model.start[stage * LEN + slot as usize]).sum();
            eval.reset(&game);
            assert!((value * 100.0 - eval.score(&game).value() as f32).abs() < 1.5, "{text}: {value}");
        }
    }

    #[test]
    fn weights_survive_the_way_to_numbers_and_back() {
        let eval = Evaluator::default();
        let text = weights::write("othello", &Weights::sections(), &tables(&eval, &model(&eval, false).start), &[]);
        assert_eq!(Weights::parse(&text).unwrap().hash, Weights::built_in().hash);
    }

    #[test]
    fn measured_predictions_are_those_of_the_weights_that_hold_them() {
        let numbers = [500.0, 40.0, -50.4, -10.0, 900.0, 0.0, -60.0, 0.6];
        let tables = spread_tables(&Evaluator::default(), &numbers);
        let text = weights::write("othello", &Weights::sections(), &tables, &[]);
        let weights = Weights::parse(&text).unwrap();
        assert_eq!(weights.spreads.map(|spread| spread.numbers()), [[500, 40, -50, -10], [900, 0, -60, 1]]);
        assert_eq!(weights.stage(5), Weights::built_in().stage(5));
        assert_ne!(weights.hash, Weights::built_in().hash);
    }
}
