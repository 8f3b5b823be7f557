//! A game that people play: moves as text, undo and redo.

use crate::erased::View;
use crate::error::EngineError;
use crate::look::Sight;
use crate::registry::Variant;
use crate::request::Place;
use crate::score::Outcome;
use polyply_core::game::Side;

/// The state of a game, with its past and what was taken back.
///
/// ```
/// use polyply_engine::{Board, Place, Variant};
///
/// let variant = Variant::find("tictactoe").unwrap();
/// let mut board = Board::at(&variant, &Place::default()).unwrap();
/// board.play("b2").unwrap();
/// assert_eq!(board.text(), "3/1x1/3 o");
/// assert!(board.undo() && board.redo());
/// assert!(board.play("b2").unwrap_err().to_string().contains("taken"));
/// ```
#[derive(Clone)]
pub struct Board {
    variant: Variant,
    place: Place,
    view: View,
    /// Moves that were taken back, the next one last.
    undone: Vec<String>,
}

impl Board {
    /// The game at a place.
    pub fn at(variant: &Variant, place: &Place) -> Result<Board, EngineError> {
        let view = variant.door().look(place)?;
        let place = Place { position: place.position.clone(), moves: view.played.clone() };
        Ok(Board { variant: variant.clone(), place, view, undone: Vec::new() })
    }

    /// What is played.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Where the game began and the moves so far: what an engine wants to know.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The moves so far, as the game writes them.
    pub fn moves(&self) -> &[String] {
        &self.place.moves
    }

    /// Plays a move and forgets what was taken back.
    pub fn play(&mut self, mv: &str) -> Result<(), EngineError> {
        let next = Board::at(&self.variant, &self.place.after(mv))?;
        *self = next;
        Ok(())
    }

    /// Takes the last move back; false when there is none.
    pub fn undo(&mut self) -> bool {
        let mut place = self.place.clone();
        match place.moves.pop() {
            Some(mv) if self.go_to(place) => {
                self.undone.push(mv);
                true
            }
            _ => false,
        }
    }

    /// Plays a move again that was taken back; false when there is none.
    pub fn redo(&mut self) -> bool {
        match self.undone.pop() {
            Some(mv) => self.go_to(self.place.after(&mv)),
            None => false,
        }
    }

    /// Goes to a place that the game has seen.
    fn go_to(&mut self, place: Place) -> bool {
        match self.variant.door().look(&place) {
            Ok(view) => {
                (self.place, self.view) = (place, view);
                true
            }
            Err(_) => false,
        }
    }

    /// The legal moves; none when the game is over.
    pub fn legal_moves(&self) -> &[String] {
        &self.view.moves
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.view.side
    }

    /// How the game ended, or `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.view.outcome
    }

    /// The position as text that [`Board::at`] reads back.
    pub fn text(&self) -> &str {
        &self.view.text
    }

    /// The board drawn with letters, several lines.
    pub fn drawing(&self) -> &str {
        &self.view.drawing
    }

    /// What there is to see of the position.
    pub fn sight(&self) -> Sight {
        self.variant.door().sight(&self.place).expect("the board has been here before")
    }

    /// The position with the other side to move, as text, where that can be: what would the opponent do?
    pub fn other_to_move(&self) -> Result<Option<String>, EngineError> {
        self.variant.door().other_to_move(&self.place)
    }

    /// Lines of exactly `depth` plies by first move; nothing at depth 0.
    pub fn divide(&self, depth: u32) -> Result<Vec<(String, u64)>, EngineError> {
        self.variant.door().divide(&self.place, depth)
    }

    /// How many lines of exactly `depth` plies there are.
    pub fn perft(&self, depth: u32) -> Result<u64, EngineError> {
        if depth == 0 {
            return Ok(1);
        }
        Ok(self.divide(depth)?.iter().map(|(_, lines)| lines).sum())
    }
}
