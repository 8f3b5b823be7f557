//! A game's rules behind [`Door`].

use super::player::Playing;
use super::wanderer::Wandering;
use super::{Door, Player, View, Wanderer};
use crate::error::EngineError;
use crate::look::{Layout, LegalMove, MoveCells, Sight, Wishes};
use crate::request::Place;
use crate::score::{Outcome, Score};
use polyply_core::game::{Class, Evaluation, MAX_MOVES, MoveList, MoveSink, Notation, SearchGame, Side, Unit};
use polyply_core::look::Look;
use polyply_core::perft;
use polyply_core::table::{EvalCache, SearchTt};
use std::sync::Arc;

/// A game as it is set up: where it starts, and how it is judged.
#[derive(Clone)]
pub(crate) struct Rules<G: SearchGame> {
    pub start: G,
    pub eval: G::Eval,
}

impl<G: SearchGame + Notation> Rules<G> {
    /// The position at a place.
    pub fn arrive(&self, place: &Place) -> Result<G, EngineError> {
        self.replay(place, |_, _| ())
    }

    /// The position at a place where the game goes on.
    pub fn arrive_alive(&self, place: &Place) -> Result<G, EngineError> {
        let game = self.arrive(place)?;
        match game.outcome() {
            None => Ok(game),
            Some(outcome) => Err(EngineError::Over(Outcome::of(outcome, G::UNIT))),
        }
    }

    /// The position at a place; `each` sees every position on the way with the move that is played there.
    fn replay(&self, place: &Place, mut each: impl FnMut(&G, G::Move)) -> Result<G, EngineError> {
        let mut game = match place.position.as_deref() {
            None | Some("start") => self.start.clone(),
            Some(text) => self
                .start
                .parse(text)
                .map_err(|reason| EngineError::Position { text: text.escape_debug().to_string(), reason })?,
        };
        for text in &place.moves {
            let mv = read_move(&game, text)?;
            each(&game, mv);
            game.play(mv, &mut ());
        }
        Ok(game)
    }
}

/// Reads a legal move.
pub(super) fn read_move<G: Notation>(game: &G, text: &str) -> Result<G::Move, EngineError> {
    game.parse_move(text).map_err(|reason| EngineError::Move { text: text.escape_debug().to_string(), reason })
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

impl<G: SearchGame + Look> Door for Rules<G> {
    fn look(&self, place: &Place) -> Result<View, EngineError> {
        let mut played = Vec::with_capacity(place.moves.len());
        let game = self.replay(place, |game, mv| played.push(game.move_text(mv)))?;
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        Ok(View {
            played,
            text: game.text(),
            drawing: game.board(),
            side: game.side(),
            moves: moves.iter().map(|&mv| game.move_text(mv)).collect(),
            outcome: game.outcome().map(|outcome| Outcome::of(outcome, G::UNIT)),
        })
    }

    fn sight(&self, place: &Place) -> Result<Sight, EngineError> {
        let mut last = MoveCells::default();
        let game = self.replay(place, |game, mv| last = game.cells(mv))?;
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        let legal =
            |&mv: &G::Move| LegalMove { text: game.move_text(mv), short: game.short_text(mv), cells: game.cells(mv) };
        Ok(Sight {
            cells: game.codes(),
            legal: moves.iter().map(legal).collect(),
            last: last.from.into_iter().chain(last.to).collect(),
            line: game.winning_line(),
            forbidden: game.forbidden(),
            checked: game.checked(),
            counters: game.counters(),
            unseen: game.unseen(),
            reason: game.outcome().map(|_| game.reason()),
        })
    }

    fn layout(&self) -> Layout {
        self.start.layout()
    }

    fn arranged(&self, codes: &[Option<&str>], side: Side, wishes: &Wishes) -> String {
        self.start.arranged(codes, side, wishes)
    }

    fn other_to_move(&self, place: &Place) -> Result<Option<String>, EngineError> {
        Ok(self.arrive_alive(place)?.other_to_move().map(|game| game.text()))
    }

    fn counts_points(&self) -> bool {
        matches!(G::UNIT, Unit::Points(_))
    }

    fn chance_unit(&self) -> f64 {
        G::CHANCE
    }

    fn chance(&self, score: Score) -> f64 {
        match score {
            Score::Win(plies) => f64::from(u8::from(plies > 0)),
            Score::Centi(units) | Score::Points(units) => 1.0 / (1.0 + (-f64::from(units) / G::CHANCE).exp()),
        }
    }

    fn divide(&self, place: &Place, depth: u32) -> Result<Vec<(String, u64)>, EngineError> {
        let mut game = self.arrive(place)?;
        let counts = perft::divide(&mut game, depth);
        Ok(counts.into_iter().map(|(mv, lines)| (game.move_text(mv), lines)).collect())
    }

    fn draw(
        &self,
        place: &Place,
        choosiness: usize,
        below: &mut dyn FnMut(usize) -> usize,
    ) -> Result<String, EngineError> {
        let game = self.arrive_alive(place)?;
        // Moves too remote to be looked at are left out, where there are others.
        let mut moves = Vec::with_capacity(MAX_MOVES);
        for class in [Class::Forced, Class::Tactical, Class::Quiet] {
            game.order(class, false, &G::Params::default(), &mut MoveSink::new(&mut moves));
            if class == Class::Forced && !moves.is_empty() {
                break;
            }
        }
        let drawn = (0..choosiness).filter(|_| !moves.is_empty()).map(|_| moves[below(moves.len())]);
        let mv = match drawn.max_by_key(|scored| scored.score) {
            Some(scored) => scored.mv,
            None => {
                let mut moves = MoveList::new();
                game.moves(&mut moves);
                moves[below(moves.len())]
            }
        };
        Ok(game.move_text(mv))
    }

    fn has_short_moves(&self) -> bool {
        let mut moves = MoveList::new();
        self.start.moves(&mut moves);
        // Who has another way has it for every move.
        moves.first().is_some_and(|&mv| self.start.short_text(mv) != self.start.move_text(mv))
    }

    fn short_moves(&self, place: &Place) -> Result<Vec<String>, EngineError> {
        let mut moves = Vec::with_capacity(place.moves.len());
        self.replay(place, |game, mv| moves.push(game.short_text(mv)))?;
        Ok(moves)
    }

    fn folded_keys(&self, place: &Place) -> Result<Vec<u64>, EngineError> {
        let folded = |game: &G| (0..game.symmetries()).map(|symmetry| game.transform(symmetry).key()).min();
        let mut keys = Vec::with_capacity(place.moves.len() + 1);
        let last = self.replay(place, |game, _| keys.extend(folded(game)))?;
        keys.extend(folded(&last));
        Ok(keys)
    }

    fn evaluate(&self, place: &Place) -> Result<Score, EngineError> {
        let game = self.arrive_alive(place)?;
        let mut eval = self.eval.clone();
        eval.reset(&game);
        Ok(Score::of(eval.score(&game).for_first(game.side()), G::UNIT))
    }

    fn weights(&self) -> u64 {
        self.eval.weights()
    }

    fn player(&self, table: Arc<SearchTt>, eval_cache: Arc<EvalCache>) -> Box<dyn Player> {
        Box::new(Playing::new(self.clone(), table, eval_cache))
    }

    fn wanderer(&self, table: Arc<SearchTt>) -> Box<dyn Wanderer> {
        Box::new(Wandering::new(self.clone(), table))
    }
}
