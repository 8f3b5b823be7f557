//! How the weights of chess are learned from games: logistic regression on their results ([Texel's method]).
//!
//! A prior keeps every weight near its initial value, so that rare terms do not drift. Only quiet positions count,
//! since the quiescence search resolves the others.
//!
//! [Texel's method]: https://www.chessprogramming.org/Texel%27s_Tuning_Method

use crate::eval::Evaluator;
use crate::moves::Move;
use crate::net;
use crate::position::Chess;
use crate::weights::{LARGEST, Weights};
use polyply_core::game::{Class, SearchGame};
use polyply_core::learn::{Activation, Features, Learning, Linear, Loss, Model, Net, Parts, Recipe, Schedule, View};
use polyply_core::weights::Tables;

/// After this many moves without a capture or pawn move, a game's result says little.
const LOST_WAY: i32 = 30;

/// The declaration for learning.
pub(crate) const LEARNING: Learning<Chess> = Learning {
    sections: Weights::sections,
    linear: Some(Linear {
        recipe: Recipe {
            loss: Loss::Logistic { unit: None, units: [50.0, 2000.0], rounds: 20 },
            held_out: 20,
            batch: 4096,
            // In hundredths of a pawn.
            schedule: Schedule::Falling { first: 1.5, last: 0.1 },
            independent: 0.1,
            even: true,
        },
        view: View::First,
        model: |eval, _| model(eval.weights()),
        features,
        is_quiet,
        tables: |_, numbers| tables(numbers),
    }),
    order: None,
    probcut: None,
    policy: None,
    net: Some(Net {
        features: net::FEATURES,
        perspectives: 2,
        buckets: net::BUCKETS,
        activation: Activation::Squared,
        hidden: 128,
        middle: 0,
        pooled: false,
        inputs: net::inputs,
        is_quiet,
    }),
};

fn is_quiet(game: &Chess, mv: Move) -> bool {
    !game.in_check() && game.class(mv) == Class::Quiet && game.quiet_moves() < LOST_WAY
}

/// The weights of the middle game, then those of the endgame.
fn model(weights: &Weights) -> Model {
    let pairs = weights.numbers();
    Model {
        slots: Weights::COUNT,
        phases: vec!["middle game".to_owned(), "endgame".to_owned()],
        start: (0..2).flat_map(|half| pairs.iter().map(move |pair| f32::from(pair[half]))).collect(),
        parts: Parts::Own { spread: 40.0 },
    }
}

fn features(game: &Chess, eval: &Evaluator, out: &mut Features) {
    let linear = game.linear(eval.weights());
    out.terms.extend(linear.terms.iter().map(|&(at, count)| (u32::from(at), count)));
    out.phases.extend([(0, linear.middle), (1, linear.end)]);
}

fn tables(numbers: &[f32]) -> Tables {
    let most = f32::from(LARGEST);
    let number = |at: usize| numbers[at].round().clamp(-most, most) as i16;
    Weights::of(&std::array::from_fn(|at| [number(at), number(Weights::COUNT + at)])).tables()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_survive_the_way_to_numbers_and_back() {
        let weights = Weights::built_in();
        assert_eq!(tables(&model(weights).start), weights.tables());
    }
}
