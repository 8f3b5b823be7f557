//! How good moves were: quality and accuracy, of a move and of a game.
//!
//! Both follow from the chance of winning before and after a move, as on [lichess]: the same loss of score means little
//! in a decided game and much in a balanced one.
//!
//! [lichess]: https://lichess.org/page/accuracy

use polyply_engine::Side;

/// How much of the chance of winning a dubious move, a mistake and a blunder lose.
pub const DUBIOUS: f64 = 0.05;
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.15;
/// A best move is good if all others are worse by this much.
const ONLY: f64 = 0.10;

/// What a move is judged by.
#[derive(Clone, Copy, Debug)]
pub struct MoveFacts {
    /// The mover's chance of winning with the best move, and after this one.
    pub before: f64,
    pub after: f64,
    /// The chance with the second-best move, if there is one.
    pub second: Option<f64>,
    /// It was the best move.
    pub best: bool,
    /// A quick search preferred another move.
    pub hidden: bool,
}

impl MoveFacts {
    /// How much of the chance of winning was lost.
    pub fn drop(&self) -> f64 {
        if self.best { 0.0 } else { (self.before - self.after).max(0.0) }
    }

    /// `!!` to `??`.
    pub fn quality(&self) -> &'static str {
        match self.drop() {
            drop if drop >= BLUNDER => "??",
            drop if drop >= MISTAKE => "?",
            drop if drop >= DUBIOUS => "?!",
            _ => match self.second {
                Some(second) if self.best && self.before - second >= ONLY => {
                    if self.hidden {
                        "!!"
                    } else {
                        "!"
                    }
                }
                _ => "",
            },
        }
    }

    /// 0 to 100.
    pub fn accuracy(&self) -> f64 {
        accuracy(self.drop())
    }
}

/// The accuracy of a move that lost so much of the chance of winning. Lichess has fitted this formula, in per cent.
fn accuracy(drop: f64) -> f64 {
    (103.1668 * (-0.04354 * 100.0 * drop).exp() - 3.1669).clamp(0.0, 100.0)
}

/// The accuracy of a side over a game. `chances` are the first player's before each move and at the end, in order;
/// `moves` the sides that moved and their accuracies. A slip counts more in a balanced game: half of the result is a
/// mean weighted by how much the chances swung around a move, half a harmonic mean, which punishes single blunders.
pub fn of_side(side: Side, chances: &[f64], moves: &[(Side, f64)]) -> Option<f64> {
    let width = (moves.len() / 10).clamp(2, 8);
    let weight = |at: usize| {
        let from = at.saturating_sub(width / 2).min(chances.len().saturating_sub(width));
        let window = &chances[from..(from + width).min(chances.len())];
        let mean = window.iter().sum::<f64>() / window.len() as f64;
        let variance = window.iter().map(|chance| (chance - mean).powi(2)).sum::<f64>() / window.len() as f64;
        (100.0 * variance.sqrt()).clamp(0.5, 12.0)
    };
    let own = || moves.iter().enumerate().filter(|(_, (mover, _))| *mover == side);
    let count = own().count() as f64;
    if count == 0.0 {
        return None;
    }
    let weights: f64 = own().map(|(at, _)| weight(at)).sum();
    let weighted = own().map(|(at, (_, accuracy))| weight(at) * accuracy).sum::<f64>() / weights;
    let harmonic = count / own().map(|(_, (_, accuracy))| 1.0 / accuracy.max(1.0)).sum::<f64>();
    Some((weighted + harmonic) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(before: f64, after: f64) -> MoveFacts {
        MoveFacts { before, after, second: None, best: false, hidden: false }
    }

    #[test]
    fn a_move_is_as_bad_as_the_chance_it_loses() {
        let quality = |after| facts(0.6, after).quality();
        assert_eq!([0.6, 0.56, 0.54, 0.49, 0.44, 0.1].map(quality), ["", "", "?!", "?", "??", "??"]);
        // A lost side has little to lose.
        assert_eq!(facts(0.03, 0.0).quality(), "");
    }

    #[test]
    fn the_only_good_move_is_praised_and_more_so_when_it_is_hard_to_see() {
        let best = MoveFacts { second: Some(0.5), best: true, ..facts(0.7, 0.7) };
        assert_eq!(best.quality(), "!");
        assert_eq!(MoveFacts { hidden: true, ..best }.quality(), "!!");
        assert_eq!(MoveFacts { second: Some(0.65), ..best }.quality(), "");
    }

    #[test]
    fn accuracy_falls_with_what_is_lost_and_a_blunder_costs_a_game_most() {
        assert!(accuracy(0.0) > 99.9 && accuracy(0.1) < accuracy(0.05) && accuracy(1.0) < 1.0);
        let chances = [0.5, 0.5, 0.5, 0.9, 0.9];
        let moves = [(Side::First, 100.0), (Side::Second, 100.0), (Side::Second, 10.0), (Side::First, 100.0)];
        let [first, second] = [Side::First, Side::Second].map(|side| of_side(side, &chances, &moves).unwrap());
        assert!(first > 99.9 && second < 50.0, "{first} {second}");
        assert_eq!(of_side(Side::First, &[0.5], &[]), None);
    }
}
