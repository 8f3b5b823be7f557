//! Personas: styles of play. A style prefers some of the moves that are nearly as good as the best, values draws, varies
//! more or less, and chooses its openings.

use super::people::gumbel;
use crate::book::BookMove;
use crate::engine::Engine;
use polyply_core::game::Side;
use polyply_games::{Best, Board, Line};

/// A style of play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Persona {
    /// Its name, by which it is chosen.
    pub name: &'static str,
    /// How much of the chance to win it gives for a move that only attacks instead of one that only defends, by halves:
    /// negative if it likes to defend.
    pub(super) taste: f64,
    /// The scale of its whims, in the chance to win.
    pub(super) variety: f64,
    /// What it thinks a draw is worth less than it is, as a share of the score that wins 73 % of the games.
    pub(super) contempt: f64,
    /// The lowest and the highest level that suit it.
    pub levels: [u8; 2],
}

/// All personas. The option `Persona` counts them from 1.
pub const PERSONAS: [Persona; polyply_games::PERSONAS] = [
    Persona { name: "attacker", taste: 0.06, variety: 0.01, contempt: 0.15, levels: [2, 10] },
    Persona { name: "defender", taste: -0.06, variety: 0.01, contempt: 0.0, levels: [3, 10] },
    Persona { name: "gambler", taste: 0.03, variety: 0.04, contempt: 0.5, levels: [1, 8] },
    Persona { name: "drawer", taste: -0.02, variety: 0.01, contempt: -0.5, levels: [4, 10] },
];

/// How many lines a strong level searches so that a persona has a choice.
pub(super) const LINES: usize = 4;
/// A persona never gives up more of the chance to win than this, besides the level's own errors.
const MOST_GIVEN: f64 = 0.08;
/// How much more often a move of the book is played for each hundredth of the chance that the style gives for it.
const BOOK_TASTE: f64 = 30.0;

impl Persona {
    /// The persona with this name.
    pub fn find(name: &str) -> Option<&'static Persona> {
        PERSONAS.iter().find(|persona| persona.name.eq_ignore_ascii_case(name))
    }

    /// The persona with this number, from 1.
    pub fn numbered(number: usize) -> Option<&'static Persona> {
        PERSONAS.get(number.checked_sub(1)?)
    }
}

/// How much a move attacks, from -1 to 1.
fn aggression(seen: &[polyply_games::Glance], mv: &str) -> f64 {
    seen.iter().find(|glance| glance.mv == mv).map_or(0.0, |glance| f64::from(glance.aggression) / 100.0)
}

impl Engine {
    /// Puts the line first that a persona likes best.
    pub(super) fn prefer(&mut self, board: &Board, persona: &Persona, best: &mut Best) {
        let chance = |line: &Line| {
            let first = board.variant().chance(line.score);
            if board.side() == Side::First { first } else { 1.0 - first }
        };
        let Some(highest) = best.lines.first().map(chance) else { return };
        let seen = board.glance();
        let mut liked = (f64::NEG_INFINITY, 0);
        for (at, line) in best.lines.iter().enumerate() {
            let Some(mv) = line.moves.first().filter(|_| highest - chance(line) <= MOST_GIVEN) else { continue };
            let whim = persona.variety * gumbel(self.random());
            let value = chance(line) + persona.taste * aggression(&seen, mv) + whim;
            if value > liked.0 {
                liked = (value, at);
            }
        }
        if liked.1 > 0 {
            best.lines.swap(0, liked.1);
            let line = &best.lines[0];
            (best.value, best.ponder) = (Some(line.value), line.moves.get(1).cloned());
            best.mv = line.moves.first().cloned().unwrap_or_default();
        }
    }

    /// A move from the opening book that suits the style.
    pub(super) fn book_move_of(&mut self, board: &Board, persona: Option<&Persona>) -> Option<Best> {
        let Some(persona) = persona else { return self.book_move(board) };
        let moves = self.book_moves(board);
        let seen = board.glance();
        let value = |mv: &BookMove, whim: f64| {
            // Who varies more cares less how good a move is.
            let weight = (mv.weight as f64).ln() * (0.01 / persona.variety).min(1.0);
            weight + BOOK_TASTE * persona.taste * aggression(&seen, &mv.mv) + whim
        };
        let playable = moves.iter().filter(|mv| mv.weight > 0);
        let valued: Vec<(f64, &BookMove)> = playable.map(|mv| (value(mv, gumbel(self.random())), mv)).collect();
        let best = valued.into_iter().max_by(|(one, _), (other, _)| one.total_cmp(other))?.1.as_best();
        self.control().disarm();
        Some(best)
    }
}
