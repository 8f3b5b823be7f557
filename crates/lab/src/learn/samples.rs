//! Training data for an evaluation: positions with their features and targets.

use super::replay::{ReplayedGame, SearchValue, replay};
use crate::{LabError, refusals};
use polyply_engine::learning::{Features, LearningTask, Loss, View};
use polyply_engine::{Outcome, Side, Variant};
use std::path::PathBuf;

/// Positions with their results, seen from the side that the features count for.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    terms: Vec<(u32, i16)>,
    ends: Vec<usize>,
    phases: Vec<(u8, f32)>,
    phase_ends: Vec<usize>,
    /// Other phases that each position is used for, as a set of bits.
    near: Vec<u64>,
    /// The result of each: 1, ½ or 0, or the value of the position in points for games that count points.
    pub results: Vec<f32>,
    /// The score of the search.
    pub scores: Vec<f32>,
    /// The game of each position.
    pub games: Vec<u32>,
    /// The number of games.
    pub game_count: u32,
}

impl Samples {
    /// The positions of the games in these files. For a loss of squares, the value of a position is a discounted sum of
    /// the search's scores from there on: each counts `result` times as much as the one before it, and the final result
    /// is last.
    pub fn load(variant: &Variant, lesson: &LearningTask, paths: &[PathBuf], result: f32) -> Result<Samples, LabError> {
        let mut samples = Samples::default();
        replay(variant, paths, &mut |game| samples.add_game(variant, lesson, game, result))?;
        match samples.is_empty() {
            true => Err(LabError::Call(refusals::nothing_to_learn())),
            false => Ok(samples),
        }
    }

    fn add_game(
        &mut self,
        variant: &Variant,
        lesson: &LearningTask,
        game: &ReplayedGame<'_>,
        result: f32,
    ) -> Result<(), LabError> {
        match lesson.recipe.loss {
            Loss::Squares => self.add_discounted(variant, game, result)?,
            Loss::Logistic { .. } | Loss::Choice => self.add_mixed(variant, lesson.view, game)?,
        }
        self.game_count += 1;
        Ok(())
    }

    /// Every searched position gets the result of the game.
    fn add_mixed(&mut self, variant: &Variant, view: View, game: &ReplayedGame<'_>) -> Result<(), LabError> {
        let from = game.steady();
        let mut features = Features::default();
        game.each(|board, at| {
            let value = game.searched[at].filter(|_| at >= from).and_then(SearchValue::value);
            if let Some(value) = value
                && variant.features(board, Some(game.moves[at]), &mut features)?
            {
                let turned = view == View::SideToMove && board.side() == Side::Second;
                let (result, value) = if turned { (1.0 - game.result, -value) } else { (game.result, value) };
                self.add(&features, result, value as f32);
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Every position gets the discounted value of what came after it.
    fn add_discounted(&mut self, variant: &Variant, game: &ReplayedGame<'_>, result: f32) -> Result<(), LabError> {
        let Some(Outcome::Points(points)) = game.each(|_, _| Ok(()))?.outcome() else {
            return Err(LabError::Call(refusals::game_unfinished()));
        };
        let values = discounted(&game.searched, points as f32, variant.units() as f32, result);
        let mut line = Vec::with_capacity(game.moves.len());
        game.each(|board, at| {
            let mut features = Features::default();
            if let Some(value) = values[at]
                && variant.features(board, Some(game.moves[at]), &mut features)?
            {
                line.push((features, if board.side() == Side::First { value } else { -value }));
            }
            Ok(())
        })?;
        // Last position first, as the values were computed.
        line.iter().rev().for_each(|(features, value)| self.add(features, *value, 0.0));
        Ok(())
    }

    /// Adds a position of the current game.
    pub fn add(&mut self, features: &Features, result: f32, score: f32) {
        self.terms.extend_from_slice(&features.terms);
        self.ends.push(self.terms.len());
        self.phases.extend_from_slice(&features.phases);
        self.phase_ends.push(self.phases.len());
        self.near.push(features.near.iter().fold(0, |set, &phase| set | 1 << phase));
        self.results.push(result);
        self.scores.push(score);
        self.games.push(self.game_count);
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The features of a position: slots and counts.
    #[inline]
    pub fn terms(&self, index: usize) -> &[(u32, i16)] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.terms[start..self.ends[index]]
    }

    /// The phases of a position, with their shares.
    #[inline]
    pub fn phases(&self, index: usize) -> &[(u8, f32)] {
        let start = if index == 0 { 0 } else { self.phase_ends[index - 1] };
        &self.phases[start..self.phase_ends[index]]
    }

    /// The phase with the largest share in a position.
    pub fn main_phase(&self, index: usize) -> usize {
        let phases = self.phases(index).iter().copied();
        phases.max_by(|(_, one), (_, other)| one.total_cmp(other)).map_or(0, |(phase, _)| phase.into())
    }

    /// The position is used to learn this phase.
    pub fn is_near(&self, index: usize, phase: usize) -> bool {
        self.near[index] >> phase & 1 != 0 || self.main_phase(index) == phase
    }

    /// The evaluation of a position by weights with `slots` numbers per phase.
    #[inline]
    pub fn value(&self, numbers: &[f32], slots: usize, index: usize) -> f32 {
        value(self.terms(index), self.phases(index), numbers, slots)
    }

    /// Adds the gradient of the evaluation of a position by weight, times `times`.
    #[inline]
    pub fn add_gradient(&self, index: usize, slots: usize, times: f32, gradient: &mut [f32]) {
        add_gradient(self.terms(index), self.phases(index), slots, times, gradient);
    }
}

/// The evaluation of features by weights with `slots` numbers per phase.
#[inline]
pub(super) fn value(terms: &[(u32, i16)], phases: &[(u8, f32)], numbers: &[f32], slots: usize) -> f32 {
    let mut value = 0.0;
    for &(phase, share) in phases {
        let numbers = &numbers[usize::from(phase) * slots..];
        value += share * terms.iter().map(|&(slot, count)| numbers[slot as usize] * f32::from(count)).sum::<f32>();
    }
    value
}

/// Adds the gradient of that by weight, times `times`.
#[inline]
pub(super) fn add_gradient(terms: &[(u32, i16)], phases: &[(u8, f32)], slots: usize, times: f32, gradient: &mut [f32]) {
    for &(phase, share) in phases {
        let gradient = &mut gradient[usize::from(phase) * slots..];
        let times = share * times;
        for &(slot, count) in terms {
            gradient[slot as usize] += times * f32::from(count);
        }
    }
}

/// The discounted values of positions, in points from the first player's side; `None` before a random move.
fn discounted(searched: &[Option<SearchValue>], points: f32, units: f32, result: f32) -> Vec<Option<f32>> {
    let mut values = vec![None; searched.len()];
    let mut after = Some(points);
    for (value, &searched) in values.iter_mut().zip(searched).rev() {
        let score = searched.and_then(SearchValue::value).map(|value| value as f32 / units);
        after = match (score, after) {
            (Some(score), Some(after)) => Some(result * after + (1.0 - result) * score),
            // If only results count, a score says nothing.
            (Some(score), None) if result < 1.0 => Some(score),
            _ => None,
        };
        *value = after;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_engine::learning::Kind;

    fn load(variant: &str, line: &str, result: f32) -> Samples {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        std::fs::write(&path, format!("# {variant} nodes=1\n{line}\n")).unwrap();
        let variant = Variant::find(variant).unwrap();
        let lesson = variant.learning_task(Kind::Linear, true).unwrap();
        Samples::load(&variant, &lesson, &[path], result).unwrap()
    }

    #[test]
    fn positions_before_a_random_move_are_left_out() {
        let samples = load("freestyle:15", "freestyle:15\t0\t1-0\th8 i9 h9 i10 g8 j9\t- 10 - 20 30 +w9", 0.7);
        assert_eq!(samples.scores, [-20.0, 30.0]);
        assert_eq!(samples.results, [0.0, 1.0]);
    }

    #[test]
    fn a_position_is_worth_what_comes_after_it_unless_a_move_was_drawn() {
        // The shortest game there is: Black has all discs after nine moves.
        let line = "othello\t1\t1-0\tf5 d6 c5 f4 e7 f6 g5 e6 e3\t1000 1000 1000 - 1000 1000 1000 1000 1000";
        let worth = |result| load("othello", line, result).results;
        assert_eq!(worth(0.5), [37.0, -23.5, 16.75, -13.375, 11.6875, 10.0, -10.0, 10.0]);
        assert_eq!(worth(1.0), [64.0, -64.0, 64.0, -64.0, 64.0]);
    }

    #[test]
    fn the_first_player_sees_scores_as_they_are() {
        let line = "chess\t1\t0-1\te2e4 e7e5 g1f3 b8c6\t- -25 30 -35";
        let samples = load("chess", line, 1.0);
        assert_eq!((samples.scores.as_slice(), samples.results.as_slice()), (&[-25.0, 30.0, -35.0][..], &[0.0; 3][..]));
    }
}
