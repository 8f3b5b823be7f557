//! Positions of chess to learn from, as the evaluation sees them.
//!
//! Only quiet ones: not in check, and the move that was played takes nothing. An evaluation need not see what the
//! quiescence search sees for it.

use super::NAME;
use crate::LabError;
use crate::games::{self, Record};
use polyply_chess::{Chess, Weights};
use polyply_core::game::{Class, Game, Notation, SearchGame};
use polyply_core::refusal::Refusal;
use std::path::PathBuf;

/// Moves without capture or pawn move after which a game has lost its way, and its result says little.
const LOST_WAY: i32 = 30;

/// Positions with what became of them, from White's side.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    terms: Vec<(u16, i16)>,
    ends: Vec<usize>,
    /// The shares of the middle game and of the endgame.
    pub shares: Vec<[f32; 2]>,
    /// The points that White got: 1, ½ or 0.
    pub results: Vec<f32>,
    /// What the search thought.
    pub scores: Vec<f32>,
    /// The game each position is of.
    pub games: Vec<u32>,
    /// How many games there are.
    pub game_count: u32,
}

impl Samples {
    /// The quiet positions of the games in these files; how much of an advantage counts is judged by `weights`.
    pub fn load(paths: &[PathBuf], weights: &Weights) -> Result<Samples, LabError> {
        let mut samples = Samples::default();
        for path in paths {
            for (variant, record) in games::read(path)? {
                if variant != NAME {
                    return Err(LabError::file(path, format!("it has games of {variant}, not of chess")));
                }
                samples
                    .add_game(&record, weights)
                    .map_err(|reason| LabError::file(path, format!("game {}: {reason}", record.number)))?;
            }
        }
        if samples.is_empty() {
            return Err(LabError::Call("there is no quiet position to learn from in these files".into()));
        }
        Ok(samples)
    }

    /// Plays a game over and takes what can be learned from.
    fn add_game(&mut self, record: &Record, weights: &Weights) -> Result<(), Refusal> {
        // A random move may have thrown the game away: what comes before it did not lead to the result.
        let from = record.scores.iter().rposition(Option::is_none).map_or(0, |last| last + 1);
        let mut game = Chess::start();
        for (at, text) in record.moves.iter().enumerate() {
            let mv = game.parse_move(text)?;
            let score = record.scores[at].filter(|score| at >= from && score.plies_to_end().is_none());
            let quiet = !game.in_check() && game.class(mv) == Class::Quiet && game.quiet_moves() < LOST_WAY;
            if let Some(score) = score.filter(|_| quiet) {
                self.add(&game, weights, record.end.points(), score.value() as f32);
            }
            game.play(mv, &mut ());
        }
        self.game_count += 1;
        Ok(())
    }

    /// Adds a position of the current game.
    pub(super) fn add(&mut self, game: &Chess, weights: &Weights, result: f32, score: f32) {
        let linear = game.linear(weights);
        self.terms.extend_from_slice(&linear.terms);
        self.ends.push(self.terms.len());
        self.shares.push([linear.middle, linear.end]);
        self.results.push(result);
        self.scores.push(score);
        self.games.push(self.game_count);
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// What the evaluation sees of a position: weights that count, and how often.
    #[inline]
    pub fn terms(&self, index: usize) -> &[(u16, i16)] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.terms[start..self.ends[index]]
    }
}
