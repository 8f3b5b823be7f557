//! The evaluation that learns: a sum of features, or a net whose layers after the first one learn.

use super::super::logistic::{cross_entropy, sigmoid};
use super::super::samples::{Samples, add_gradient, value};
use super::super::{read_weights, with_weights};
use crate::record::End;
use crate::{LabError, refusals};
use polyply_engine::learning::{Features, Inputs, Kind, Loss, Model, Parts, Schedule, View};
use polyply_engine::{Board, Outcome, Side, Variant};
use polyply_nn::{FloatNet, Net};
use std::path::Path;

/// The usual first step of the weights of a net.
const NET_RATE: f32 = 0.002;

/// How the evaluation of a position is compared with the results of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Measure {
    /// As the chance to win.
    Chance,
    /// In points, so that weights keep their unit: what predicts and solves the last moves counts in it too.
    Points,
}

impl Measure {
    /// What an output of the evaluation means.
    pub fn value(self, output: f32) -> f32 {
        match self {
            Measure::Chance => sigmoid(output),
            Measure::Points => output,
        }
    }

    /// The derivative of that, by the value.
    pub fn slope(self, value: f32) -> f32 {
        match self {
            Measure::Chance => value * (1.0 - value),
            Measure::Points => 1.0,
        }
    }

    /// How far an output is from the result: cross-entropy, or the error in points.
    pub fn loss(self, output: f32, result: f32) -> f32 {
        match self {
            Measure::Chance => cross_entropy(output, result),
            Measure::Points => (output - result).abs(),
        }
    }

    /// The value of a game that is over, for the first player.
    pub fn result(self, winner: Option<Side>, points: Option<i32>) -> Result<f32, LabError> {
        match self {
            Measure::Chance => Ok(match winner {
                Some(Side::First) => 1.0,
                None => 0.5,
                Some(Side::Second) => 0.0,
            }),
            Measure::Points => {
                points.map(|points| points as f32).ok_or_else(|| LabError::Call(refusals::game_unfinished()))
            }
        }
    }

    /// The value of how a game ended.
    pub fn end(self, end: &End) -> Result<f32, LabError> {
        self.result(end.winner, end.points)
    }

    /// The value of an outcome.
    pub fn outcome(self, outcome: Outcome) -> Result<f32, LabError> {
        let points = if let Outcome::Points(points) = outcome { Some(points) } else { None };
        self.result(outcome.winner(), points)
    }
}

/// A position as the evaluation sees it.
pub(super) struct Leaf {
    seen: Seen,
    /// 1 if it is seen from the first player's side, else -1.
    sign: f32,
}

enum Seen {
    Sum(Features),
    Net(Inputs),
}

enum Form {
    Sum {
        view: View,
        /// The evaluation at which a win is e times as likely as a loss.
        unit: f32,
    },
    Net {
        net: Box<FloatNet>,
        /// An output of 1 in units of the game's evaluation.
        unit: i16,
    },
}

/// An evaluation whose weights change.
pub(super) struct Evaluation {
    /// The game, with the weights to begin with.
    start: Variant,
    /// The weights that learn, as they were at first.
    pub model: Model,
    /// The weights that learn.
    numbers: Vec<f32>,
    pub measure: Measure,
    /// The usual size of the first steps.
    pub rate: f32,
    /// Whether all weights take equal steps.
    pub even: bool,
    /// The weight of one position against the priors.
    pub independent: f32,
    form: Form,
}

impl Evaluation {
    /// An evaluation that begins with these weights: `built-in`, `handmade`, or a file, which may hold a net.
    pub fn open(variant: &Variant, start: &str) -> Result<Evaluation, LabError> {
        // The built-in weights learn as a sum, without a net beside them.
        let start = if start == "built-in" { "linear" } else { start };
        let begun = with_weights(variant, start)?;
        if !matches!(start, "linear" | "handmade") {
            let text = read_weights(Path::new(start))?;
            if Net::is_in(&text) {
                return Evaluation::of_net(begun, &text).map_err(|reason| LabError::asked(Path::new(start), reason));
            }
        }
        let task = begun.learning_task(Kind::Linear, false)?;
        let recipe = task.recipe;
        let (measure, unit) = match recipe.loss {
            Loss::Squares => (Measure::Points, 1.0),
            Loss::Logistic { unit, .. } => (Measure::Chance, unit.unwrap_or(begun.chance_unit() as f32)),
            Loss::Choice => unreachable!("an evaluation is no choice of moves"),
        };
        let rate = match recipe.schedule {
            Schedule::Patient { first, .. } | Schedule::Falling { first, .. } | Schedule::Decaying { first, .. } => {
                first
            }
        };
        Ok(Evaluation {
            numbers: task.model.start.clone(),
            model: task.model,
            measure,
            rate,
            even: recipe.even,
            independent: recipe.independent,
            form: Form::Sum { view: task.view, unit },
            start: begun,
        })
    }

    fn of_net(start: Variant, text: &str) -> Result<Evaluation, String> {
        // The game has taken the file, so whose net it is does not matter here.
        let games: Vec<&str> = Variant::all().map(|variant| variant.about().name).collect();
        let net = Net::parse(text, &games)?;
        let unit = net.unit();
        let net = Box::new(FloatNet::from(&net));
        let numbers = net.dense().to_vec();
        Ok(Evaluation {
            model: Model::single(numbers.clone(), Parts::Own { spread: f32::INFINITY }),
            numbers,
            measure: Measure::Chance,
            rate: NET_RATE,
            even: true,
            independent: 1.0,
            form: Form::Net { net, unit },
            start,
        })
    }

    /// The game, with the weights to begin with.
    pub fn start(&self) -> &Variant {
        &self.start
    }

    /// The weights.
    pub fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// Takes other weights.
    pub fn set(&mut self, numbers: Vec<f32>) {
        self.numbers = numbers;
        if let Form::Net { net, .. } = &mut self.form {
            net.set_dense(&self.numbers);
        }
    }

    /// The text of a file of the weights, rounded as they are in play.
    pub fn text(&self, about: &[String]) -> Result<String, LabError> {
        match &self.form {
            Form::Sum { .. } => Ok(self.start.weights_text(Kind::Linear, &self.numbers, 100, about)?),
            Form::Net { net, unit } => Ok(net.quantised(*unit).text(self.start.about().name, about)),
        }
    }

    /// The game with the weights, as it is played.
    pub fn variant(&self) -> Result<Variant, LabError> {
        Ok(self.start.with_weights(&self.text(&[])?)?)
    }

    /// A position as the evaluation sees it. It is not over.
    pub fn leaf(&self, board: &Board) -> Result<Leaf, LabError> {
        let turned = |view: View| view == View::SideToMove && board.side() == Side::Second;
        let (seen, turned) = match &self.form {
            Form::Sum { view, .. } => {
                let mut features = Features::default();
                self.start.features(board, None, &mut features)?;
                (Seen::Sum(features), turned(*view))
            }
            Form::Net { .. } => {
                let mut inputs = Inputs::default();
                self.start.net_inputs(board, None, &mut inputs)?;
                (Seen::Net(inputs), turned(View::SideToMove))
            }
        };
        Ok(Leaf { seen, sign: if turned { -1.0 } else { 1.0 } })
    }

    /// The output for a position, from the first player's side: the logarithm of the odds to win, or points.
    pub fn output(&self, leaf: &Leaf) -> f32 {
        leaf.sign
            * match (&self.form, &leaf.seen) {
                (Form::Sum { unit, .. }, Seen::Sum(features)) => {
                    value(&features.terms, &features.phases, &self.numbers, self.model.slots) / unit
                }
                (Form::Net { net, unit }, Seen::Net(inputs)) => {
                    f32::from(inputs.base) / f32::from(*unit) + net.output(inputs)
                }
                _ => unreachable!("a leaf is seen by the evaluation that it is for"),
            }
    }

    /// Adds the gradient of the output by weight, times `times`.
    pub fn add_gradient(&self, leaf: &Leaf, times: f32, gradient: &mut [f32]) {
        let times = times * leaf.sign;
        match (&self.form, &leaf.seen) {
            (Form::Sum { unit, .. }, Seen::Sum(features)) => {
                add_gradient(&features.terms, &features.phases, self.model.slots, times / unit, gradient);
            }
            (Form::Net { net, .. }, Seen::Net(inputs)) => net.add_dense_gradient(inputs, times, gradient),
            _ => unreachable!("a leaf is seen by the evaluation that it is for"),
        }
    }

    /// The features of leaves, as other ways of learning have them; none of a net.
    pub fn samples<'a>(&self, leaves: impl Iterator<Item = &'a Leaf>) -> Samples {
        let mut samples = Samples::default();
        for leaf in leaves {
            if let Seen::Sum(features) = &leaf.seen {
                samples.add(features, 0.0, 0.0);
            }
        }
        samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_core::random::Random;
    use polyply_nn::Shape;

    /// A position of a random game, with either side to move.
    fn board(variant: &Variant, plies: usize) -> Board {
        let mut random = Random::new(3);
        let mut board = Board::new(variant);
        while board.moves().len() < plies && board.outcome().is_none() {
            let moves = board.legal_moves();
            board.play(&moves[random.scaled(moves.len())]).unwrap();
        }
        board
    }

    /// Compares the gradient of the value of a position with finite differences; no step is larger than `most`.
    fn check(evaluation: &mut Evaluation, board: &Board, most: f32) {
        let leaf = evaluation.leaf(board).unwrap();
        let measure = evaluation.measure;
        let numbers = evaluation.numbers().to_vec();
        let slope = measure.slope(measure.value(evaluation.output(&leaf)));
        let mut gradient = vec![0.0; numbers.len()];
        evaluation.add_gradient(&leaf, slope, &mut gradient);
        let counted: Vec<usize> = (0..gradient.len()).filter(|&at| gradient[at] != 0.0).collect();
        assert!(counted.len() > 3, "{}", counted.len());
        for &at in counted.iter().step_by(1 + counted.len() / 50) {
            // So that the value changes by about as much for all of them.
            let step = most.min(0.02 / gradient[at].abs());
            let mut value = |by: f32| {
                let mut shifted = numbers.clone();
                shifted[at] += by;
                evaluation.set(shifted);
                measure.value(evaluation.output(&leaf))
            };
            let slope = (value(step) - value(-step)) / (2.0 * step);
            assert!((gradient[at] - slope).abs() < 0.02 * slope.abs() + 1e-5, "{at}: {} and not {slope}", gradient[at]);
        }
    }

    #[test]
    fn the_gradient_of_every_linear_evaluation_is_that_of_finite_differences() {
        let mut seen = 0;
        for variant in Variant::all() {
            let Ok(mut evaluation) = Evaluation::open(&variant, "built-in") else { continue };
            for plies in [9, 10] {
                let mut random = Random::new(1);
                // Hand-made weights of 0 would hide a wrong sum.
                let start = evaluation.model.start.iter();
                evaluation.set(start.map(|number| number + 0.01 * random.uniform() as f32).collect());
                check(&mut evaluation, &board(&variant, plies), f32::INFINITY);
            }
            seen += 1;
        }
        assert!(seen > 3, "{seen}");
    }

    fn net(variant: &Variant, middle: usize) -> String {
        let task = variant.net_task().unwrap();
        let shape = Shape {
            features: task.features,
            perspectives: task.perspectives,
            hidden: if task.pooled { task.hidden } else { 32 },
            middle: if task.pooled { 4 + middle } else { middle },
            buckets: task.buckets,
            activation: task.activation,
            pooled: task.pooled,
        };
        let mut net = FloatNet::random(shape, 30.0, 5);
        if task.pooled {
            // Away from the kink of the activation.
            let (ranges, start) = (shape.ranges(), shape.dense().start);
            let mut dense = net.dense().to_vec();
            dense[ranges.middle_bias.start - start..ranges.middle_bias.end - start].fill(0.3);
            net.set_dense(&dense);
        }
        net.quantised(300).text(variant.about().name, &[])
    }

    #[test]
    fn the_gradient_of_the_layers_of_a_net_is_that_of_finite_differences() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net").display().to_string();
        for variant in Variant::all().filter(|variant| variant.net_task().is_ok()) {
            for (middle, plies) in [(0, 9), (4, 10)] {
                std::fs::write(&path, net(&variant, middle)).unwrap();
                let mut evaluation = Evaluation::open(&variant, &path).unwrap();
                check(&mut evaluation, &board(&variant, plies), 0.02);
            }
        }
    }

    #[test]
    fn an_output_is_the_evaluation_of_the_engine_for_the_first_player() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net").display().to_string();
        for variant in Variant::all().filter(|variant| variant.learning_task(Kind::Linear, false).is_ok()) {
            let mut starts = vec!["built-in".to_owned()];
            if variant.net_task().is_ok() {
                std::fs::write(&path, net(&variant, 0)).unwrap();
                starts.push(path.clone());
            }
            for (start, plies) in starts.iter().flat_map(|start| [(start, 11), (start, 12)]) {
                let evaluation = Evaluation::open(&variant, start).unwrap();
                let played = evaluation.variant().unwrap();
                assert_eq!(played.weights_hash(), evaluation.start().weights_hash(), "{start}");
                let board = board(&played, plies);
                let said = board.evaluate().unwrap().hundredths() as f32;
                let output = evaluation.output(&evaluation.leaf(&board).unwrap());
                let unit = match (&evaluation.form, evaluation.measure) {
                    (Form::Net { unit, .. }, _) => f32::from(*unit),
                    (_, Measure::Points) => 100.0,
                    // Five in a row has its weights in logits.
                    (Form::Sum { unit, .. }, _) if *unit == 1.0 => variant.chance_unit() as f32,
                    (Form::Sum { unit, .. }, _) => *unit,
                };
                let room = 60.0_f32.max(0.05 * said.abs());
                let output = output * unit;
                assert!((output - said).abs() < room, "{} {start} {plies}: {output}, {said}", variant.name());
            }
        }
    }
}
