//! Positions of Othello to learn from, with what they are worth.

use super::NAME;
use crate::LabError;
use crate::games::{self, Record};
use polyply_core::game::{Game, Notation, Outcome};
use polyply_core::score::FirstScore;
use polyply_othello::Othello;
use polyply_othello::board::Board;
use polyply_othello::position::DISC;
use std::path::PathBuf;

/// A position and its value for the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The discs.
    pub board: Board,
    /// The value, in discs.
    pub value: f32,
    /// The game it is of.
    pub game: u32,
}

/// Positions of many games.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// The positions.
    pub positions: Vec<Sample>,
    /// How many games there are.
    pub game_count: u32,
}

impl Samples {
    /// The positions of the games in these files. A position is worth what the search thought of the positions after it:
    /// each counts `result` times as much as the one before it, and the end of the game, which was played without a mistake,
    /// is the last of them.
    pub fn load(paths: &[PathBuf], result: f32) -> Result<Samples, LabError> {
        let mut samples = Samples::default();
        for path in paths {
            for (variant, record) in games::read(path)? {
                if variant != NAME {
                    return Err(LabError::file(path, format!("it has games of {variant}, not of Othello")));
                }
                samples
                    .add_game(&record, result)
                    .map_err(|reason| LabError::file(path, format!("game {}: {reason}", record.number)))?;
            }
        }
        if samples.positions.is_empty() {
            return Err(LabError::Call("there is no position to learn from in these files".into()));
        }
        Ok(samples)
    }

    /// Plays a game over and takes what can be learned from.
    fn add_game(&mut self, record: &Record, result: f32) -> Result<(), String> {
        let mut game = Othello::start();
        let mut line = Vec::with_capacity(record.moves.len());
        for (text, score) in record.moves.iter().zip(&record.scores) {
            line.push((game.clone(), *score));
            let mv = game.parse_move(text).map_err(|reason| reason.to_string())?;
            game.play(mv, &mut ());
        }
        let Some(Outcome::Points(points)) = game.outcome() else { return Err("the game has no end".into()) };
        let discs = |value: i32| value as f32 / DISC as f32;
        // What comes after, from the first player's side; unknown before a move that was drawn and not thought about.
        let mut after = Some(discs(points));
        for (game, score) in line.into_iter().rev() {
            let thought = score.map(|score: FirstScore| discs(score.value()));
            after = match (thought, after) {
                (Some(thought), Some(after)) => Some(result * after + (1.0 - result) * thought),
                // With nothing but results to learn from, a thought is none.
                (Some(thought), None) if result < 1.0 => Some(thought),
                _ => None,
            };
            if let Some(value) = after
                && game.legal() != 0
            {
                let value = if game.side() == polyply_core::game::Side::First { value } else { -value };
                self.positions.push(Sample { board: game.discs(), value, game: self.game_count });
            }
        }
        self.game_count += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::End;
    use polyply_core::game::Side;
    use polyply_core::score::Score;

    #[test]
    fn a_position_is_worth_what_comes_after_it_unless_a_move_was_drawn() {
        let eval = |discs: i32| Some(Score::eval(100 * discs).for_first(Side::First));
        // The shortest game there is: Black has all discs after nine moves.
        let moves: Vec<String> = "f5 d6 c5 f4 e7 f6 g5 e6 e3".split(' ').map(str::to_owned).collect();
        let mut scores = vec![eval(10); 9];
        scores[3] = None;
        let record = Record { number: 1, end: End::FirstWins, moves, scores };
        let mut samples = Samples::default();
        samples.add_game(&record, 0.5).unwrap();
        let values: Vec<f32> = samples.positions.iter().map(|sample| sample.value).collect();
        assert_eq!(values, [37.0, -23.5, 16.75, -13.375, 11.6875, 10.0, -10.0, 10.0]);
        let mut results = Samples::default();
        results.add_game(&record, 1.0).unwrap();
        assert_eq!(
            results.positions.iter().map(|sample| sample.value).collect::<Vec<_>>(),
            [64.0, -64.0, 64.0, -64.0, 64.0]
        );
    }
}
