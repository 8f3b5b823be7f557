//! A game in progress: a position with its history.

use crate::erased::ErasedPosition;
use crate::error::EngineError;
use crate::look::{MoveCells, PositionLook, Unseen};
use crate::report::Glance;
use crate::request::PositionSpec;
use crate::score::{Outcome, Score};
use crate::variant::Variant;
use polyply_core::game::Side;
use polyply_core::refusal::Refusal;

/// A position with the moves that led to it, and those that were taken back.
///
/// ```
/// use polyply_games::{Board, Variant};
///
/// let mut board = Board::new(&Variant::find("tictactoe").unwrap());
/// board.play("b2").unwrap();
/// assert_eq!(board.text(), "3/1x1/3 o");
/// assert!(board.undo() && board.redo());
/// assert!(board.play("b2").unwrap_err().to_string().contains("taken"));
/// ```
pub struct Board {
    variant: Variant,
    position: Box<dyn ErasedPosition>,
    /// The starting position, and the moves since in the game's notation.
    spec: PositionSpec,
    /// The same moves in short form.
    short_moves: Vec<String>,
    /// The name of the opening at the start and after each move.
    openings: Vec<Option<&'static str>>,
    /// Moves that were taken back; the last one is redone first.
    undone: Vec<String>,
}

impl Clone for Board {
    fn clone(&self) -> Self {
        Board {
            variant: self.variant.clone(),
            position: self.position.boxed(),
            spec: self.spec.clone(),
            short_moves: self.short_moves.clone(),
            openings: self.openings.clone(),
            undone: self.undone.clone(),
        }
    }
}

impl Board {
    /// The start of a game.
    pub fn new(variant: &Variant) -> Board {
        Board::from_position(variant, variant.game().start(), None)
    }

    /// A starting position with moves played from it.
    pub fn at(variant: &Variant, spec: &PositionSpec) -> Result<Board, EngineError> {
        let mut board = match spec.position.as_deref() {
            None | Some("start") => Board::new(variant),
            Some(text) => Board::from_position(variant, variant.game().parse(text)?, spec.position.clone()),
        };
        spec.moves.iter().try_for_each(|mv| board.play(mv))?;
        Ok(board)
    }

    fn from_position(variant: &Variant, position: Box<dyn ErasedPosition>, text: Option<String>) -> Board {
        Board {
            variant: variant.clone(),
            openings: vec![variant.openings().name(variant, &*position)],
            position,
            spec: PositionSpec { position: text, moves: Vec::new() },
            short_moves: Vec::new(),
            undone: Vec::new(),
        }
    }

    /// Goes to another position. If the game started from the same position, only the moves that differ are played or
    /// taken back. After an error the board is unchanged.
    pub fn go_to(&mut self, spec: &PositionSpec) -> Result<(), EngineError> {
        let position = spec.position.as_deref().filter(|&text| text != "start");
        if position != self.spec.position.as_deref() {
            *self = Board::at(&self.variant, spec)?;
            return Ok(());
        }
        let common = self.moves().iter().zip(&spec.moves).take_while(|(one, other)| one == other).count();
        let left = self.spec.moves[common..].to_vec();
        let undone = std::mem::take(&mut self.undone);
        while self.moves().len() > common {
            self.take_back();
        }
        for mv in &spec.moves[common..] {
            if let Err(error) = self.push(mv) {
                while self.moves().len() > common {
                    self.take_back();
                }
                left.iter().for_each(|mv| drop(self.push(mv)));
                self.undone = undone;
                return Err(error);
            }
        }
        Ok(())
    }

    /// The variant.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The starting position and the moves since.
    pub fn spec(&self) -> &PositionSpec {
        &self.spec
    }

    /// The moves so far, in the game's notation.
    pub fn moves(&self) -> &[String] {
        &self.spec.moves
    }

    /// The moves so far in short form: `Nf3` where the game's notation is `g1f3`.
    pub fn short_moves(&self) -> &[String] {
        &self.short_moves
    }

    /// A line from here in short form; `None` if it contains an illegal move.
    pub fn short_line(&self, line: &[String]) -> Option<Vec<String>> {
        let mut position = self.position.boxed();
        line.iter().map(|mv| position.play(mv).ok().map(|played| played.short)).collect()
    }

    /// Plays a move and forgets the moves that were taken back. An illegal move changes nothing.
    pub fn play(&mut self, mv: &str) -> Result<(), EngineError> {
        self.push(mv)?;
        self.undone.clear();
        Ok(())
    }

    fn push(&mut self, mv: &str) -> Result<(), EngineError> {
        let played = self.position.play(mv)?;
        self.spec.moves.push(played.text);
        self.short_moves.push(played.short);
        let name = self.variant.openings().name(&self.variant, &*self.position);
        self.openings.push(name.or(self.opening_name()));
        Ok(())
    }

    /// The board one move further.
    pub fn after(&self, mv: &str) -> Result<Board, EngineError> {
        let mut next = self.clone();
        next.play(mv)?;
        Ok(next)
    }

    /// Takes the last move back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let taken = self.take_back();
        self.undone.extend(taken.clone());
        taken.is_some()
    }

    fn take_back(&mut self) -> Option<String> {
        if !self.position.undo() {
            return None;
        }
        self.short_moves.pop();
        self.openings.pop();
        self.spec.moves.pop()
    }

    /// Plays the move again that was taken back last; false if there is none.
    pub fn redo(&mut self) -> bool {
        match self.undone.pop() {
            Some(mv) => self.push(&mv).is_ok(),
            None => false,
        }
    }

    /// The legal moves; none if the game is over.
    pub fn legal_moves(&self) -> Vec<String> {
        self.position.legal_moves()
    }

    /// The moves that people think of, with how easily they overlook each; none if the game is over.
    pub fn glance(&self) -> Vec<Glance> {
        if self.outcome().is_some() { Vec::new() } else { self.position.glance() }
    }

    /// The cells of a legal move.
    pub fn cells(&self, mv: &str) -> Result<MoveCells, EngineError> {
        self.position.cells(mv)
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.position.side()
    }

    /// The result, or `None` if the game is not over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    /// The position as text that [`Board::at`] reads back.
    pub fn text(&self) -> String {
        self.position.text()
    }

    /// The board drawn with letters, several lines.
    pub fn drawing(&self) -> String {
        self.position.drawing()
    }

    /// The piece code of each cell: `x` and `o` for the first and the second player, or a code of the game's own
    /// pieces.
    pub fn pieces(&self) -> Vec<Option<&'static str>> {
        self.position.pieces()
    }

    /// What the pieces do not show: captured stones, castling rights.
    pub fn unseen(&self) -> Vec<Unseen> {
        self.position.unseen()
    }

    /// Everything needed to draw the position.
    pub fn look(&self) -> PositionLook {
        self.position.look()
    }

    /// Why no move goes to a cell, from another one if a piece was chosen; nothing if there is such a move, or no such
    /// cell.
    pub fn refused(&self, from: Option<usize>, to: usize) -> Option<Refusal> {
        let layout = self.variant.layout();
        let exists = |cell: usize| cell < layout.columns * layout.rows;
        if exists(to) && from.is_none_or(exists) { self.position.refused(from, to) } else { None }
    }

    /// A key of the position, the same for all symmetric positions.
    pub fn canonical_key(&self) -> u64 {
        self.position.canonical_key()
    }

    /// The symmetric position with that key, as text.
    pub fn canonical_text(&self) -> String {
        self.position.canonical_text()
    }

    /// A legal move as the symmetric position with the canonical key writes it. Moves that are symmetric themselves
    /// have the same name there.
    pub fn canonical_move(&self, mv: &str) -> Result<String, EngineError> {
        self.position.canonical_move(mv)
    }

    /// The move here that the symmetric position with the canonical key writes like this; `None` if it is illegal.
    pub fn move_of_canonical(&self, mv: &str) -> Option<String> {
        self.position.move_of_canonical(mv)
    }

    /// The name of the opening: that of the last position in the game that has one, whatever the order of moves.
    pub fn opening_name(&self) -> Option<&'static str> {
        self.openings.last().copied().flatten()
    }

    /// The static evaluation, without a search. Fails if the game is over.
    pub fn evaluate(&self) -> Result<Score, EngineError> {
        self.variant.game().evaluate(&*self.position)
    }

    /// The position with the other side to move, as text, if that is legal: it shows what the opponent threatens.
    pub fn other_to_move(&self) -> Option<String> {
        self.position.other_to_move()
    }

    /// A random move: the most promising of `choosiness` moves drawn from those that the search considers. `below(n)`
    /// draws a number below `n`. Fails if the game is over.
    pub fn draw(&self, choosiness: usize, below: &mut dyn FnMut(usize) -> usize) -> Result<String, EngineError> {
        match self.outcome() {
            None => Ok(self.position.draw(choosiness, below)),
            Some(outcome) => Err(EngineError::Over(outcome)),
        }
    }

    /// The number of lines of exactly `depth` plies by first move; empty at depth 0.
    pub fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        self.position.divide(depth)
    }

    /// The number of lines of exactly `depth` plies.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.divide(depth).iter().map(|(_, lines)| lines).sum(),
        }
    }

    /// Whether a search of this depth is completed by the game's own solver.
    pub fn is_solved_after(&self, depth: i32) -> bool {
        self.position.is_solved_after(depth)
    }

    /// The position behind the board, for searchers.
    #[doc(hidden)]
    pub fn position(&self) -> &dyn ErasedPosition {
        &*self.position
    }
}

/// Boards are equal if the variant, the starting position and the moves are.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.variant.name() == other.variant.name() && self.spec == other.spec
    }
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Board({}, {})", self.variant.name(), self.text())
    }
}
