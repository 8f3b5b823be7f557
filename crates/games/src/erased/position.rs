//! A position behind [`ErasedPosition`].

use super::{ErasedPosition, PlayedMove};
use crate::error::EngineError;
use crate::look::{LegalMove, MoveCells, PositionLook, Unseen};
use crate::report::Glance;
use crate::score::Outcome;
use polyply_core::family::Family;
use polyply_core::game::{Class, Game, MAX_MOVES, MoveList, MoveSink, Notation, Side};
use polyply_core::perft;
use polyply_core::refusal::Refusal;
use std::any::Any;

/// A position with the moves that can be taken back.
pub(super) struct Position<G: Game> {
    game: G,
    history: Vec<HistoryEntry<G>>,
}

/// A move that was played.
struct HistoryEntry<G: Game> {
    mv: G::Move,
    undo: G::Undo,
    cells: MoveCells,
}

impl<G: Game> Position<G> {
    pub fn new(game: G) -> Self {
        Position { game, history: Vec::new() }
    }
}

/// Downcasts a position to its game's type. Fails for a position of another game.
pub(super) fn typed<G: Family>(position: &dyn ErasedPosition) -> Result<&G, EngineError> {
    let position = position.as_any().downcast_ref::<Position<G>>();
    position.map(|position| &position.game).ok_or(EngineError::OtherGame { expected: G::ABOUT.name })
}

/// Parses a legal move.
pub(super) fn read_move<G: Notation>(game: &G, text: &str) -> Result<G::Move, EngineError> {
    game.parse_move(text).map_err(|reason| EngineError::Move { text: text.to_owned(), reason })
}

/// Writes a line of legal moves.
pub(super) fn line_text<G: Notation>(root: &G, line: &[G::Move]) -> Vec<String> {
    let mut game = root.clone();
    let write = |&mv: &G::Move| {
        let text = game.move_text(mv);
        game.play(mv, &mut ());
        text
    };
    line.iter().map(write).collect()
}

/// The symmetries that lead to the position with the smallest key, and that position under each; at least one.
fn canonical_images<G: Game>(game: &G) -> Vec<(usize, G)> {
    let mut images: Vec<(usize, G)> = vec![(0, game.clone())];
    for symmetry in 1..game.symmetries() {
        let image = game.transform(symmetry);
        if image.key() < images[0].1.key() {
            images.clear();
        }
        if images.first().is_none_or(|(_, least)| image.key() == least.key()) {
            images.push((symmetry, image));
        }
    }
    images
}

fn legal_moves<G: Game>(game: &G) -> MoveList<G::Move> {
    let mut moves = MoveList::new();
    game.moves(&mut moves);
    moves
}

impl<G: Family> ErasedPosition for Position<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn boxed(&self) -> Box<dyn ErasedPosition> {
        let copy =
            |entry: &HistoryEntry<G>| HistoryEntry { mv: entry.mv, undo: entry.undo.clone(), cells: entry.cells };
        Box::new(Position { game: self.game.clone(), history: self.history.iter().map(copy).collect() })
    }

    fn play(&mut self, mv: &str) -> Result<PlayedMove, EngineError> {
        let mv = read_move(&self.game, mv)?;
        let played = PlayedMove { text: self.game.move_text(mv), short: self.game.short_text(mv) };
        let cells = self.game.cells(mv);
        let undo = self.game.play(mv, &mut ());
        self.history.push(HistoryEntry { mv, undo, cells });
        Ok(played)
    }

    fn undo(&mut self) -> bool {
        let Some(HistoryEntry { mv, undo, .. }) = self.history.pop() else { return false };
        self.game.undo(mv, undo, &mut ());
        true
    }

    fn side(&self) -> Side {
        self.game.side()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().map(|outcome| Outcome::of(outcome, G::UNIT))
    }

    fn text(&self) -> String {
        self.game.text()
    }

    fn drawing(&self) -> String {
        self.game.board()
    }

    fn canonical_key(&self) -> u64 {
        let keys = (0..self.game.symmetries()).map(|symmetry| self.game.transform(symmetry).key());
        keys.min().unwrap_or_else(|| self.game.key())
    }

    fn canonical_text(&self) -> String {
        canonical_images(&self.game)[0].1.text()
    }

    fn canonical_move(&self, mv: &str) -> Result<String, EngineError> {
        let mv = read_move(&self.game, mv)?;
        // Several symmetries lead to the canonical position if it is symmetric itself.
        let images = canonical_images(&self.game);
        let texts = images.iter().map(|(symmetry, image)| image.move_text(self.game.transform_move(mv, *symmetry)));
        Ok(texts.min().unwrap_or_default())
    }

    fn move_of_canonical(&self, mv: &str) -> Option<String> {
        let (symmetry, image) = canonical_images(&self.game).swap_remove(0);
        let mv = image.parse_move(mv).ok()?;
        Some(self.game.move_text(image.transform_move(mv, image.inverse(symmetry))))
    }

    fn legal_moves(&self) -> Vec<String> {
        legal_moves(&self.game).iter().map(|&mv| self.game.move_text(mv)).collect()
    }

    fn glance(&self) -> Vec<Glance> {
        let seen = self.game.glance();
        let as_text = |core: polyply_core::glance::Glance<G::Move>| {
            let polyply_core::glance::Glance { mv, appeal, motif, subtlety, aggression } = core;
            Glance { mv: self.game.move_text(mv), appeal, motif, subtlety, aggression }
        };
        seen.into_iter().map(as_text).collect()
    }

    fn pieces(&self) -> Vec<Option<&'static str>> {
        self.game.codes()
    }

    fn unseen(&self) -> Vec<Unseen> {
        self.game.unseen()
    }

    fn look(&self) -> PositionLook {
        let game = &self.game;
        let legal =
            |&mv: &G::Move| LegalMove { text: game.move_text(mv), short: game.short_text(mv), cells: game.cells(mv) };
        let last = self.history.last().map_or(MoveCells::default(), |entry| entry.cells);
        PositionLook {
            cells: game.codes(),
            legal: legal_moves(game).iter().map(legal).collect(),
            last: last.from.into_iter().chain(last.to).collect(),
            line: game.winning_line(),
            forbidden: game.forbidden(),
            checked: game.checked(),
            counters: game.counters(),
            unseen: game.unseen(),
            reason: game.outcome().map(|_| game.reason()),
        }
    }

    fn refused(&self, from: Option<usize>, to: usize) -> Option<Refusal> {
        self.game.refused(from, to)
    }

    fn cells(&self, mv: &str) -> Result<MoveCells, EngineError> {
        Ok(self.game.cells(read_move(&self.game, mv)?))
    }

    fn other_to_move(&self) -> Option<String> {
        self.game.other_to_move().map(|game| game.text())
    }

    fn is_solved_after(&self, depth: i32) -> bool {
        G::FINISHES && self.game.certainty(self.game.deepen(depth)) == Some(100)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let counts = perft::divide(&mut self.game.clone(), depth);
        counts.into_iter().map(|(mv, lines)| (self.game.move_text(mv), lines)).collect()
    }

    fn draw(&self, choosiness: usize, below: &mut dyn FnMut(usize) -> usize) -> String {
        // Legal moves that the search would not consider are used only if there are no others.
        let mut moves = Vec::with_capacity(MAX_MOVES);
        for class in [Class::Forced, Class::Tactical, Class::Quiet] {
            self.game.order(class, &G::Params::default(), &mut MoveSink::new(&mut moves));
            if class == Class::Forced && !moves.is_empty() {
                break;
            }
        }
        let drawn = (0..choosiness).filter(|_| !moves.is_empty()).map(|_| moves[below(moves.len())]);
        let mv = match drawn.max_by_key(|scored| scored.score) {
            Some(scored) => scored.mv,
            None => {
                let moves = legal_moves(&self.game);
                moves[below(moves.len())]
            }
        };
        self.game.move_text(mv)
    }
}
