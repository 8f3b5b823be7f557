//! Levels from beginner to full strength, and personas: how the engine plays as a partner.
//!
//! A weak level errs as people do. It thinks of sensible moves only, which the game names ([`Board::glance`]); it
//! overlooks some of them, the subtle ones more often; it thinks little about each of the others, and is not sure which
//! is better. Stronger levels search like the engine itself, with fewer nodes. Full strength has no bound but the limits
//! of the move.
//!
//! `mod.rs` has the table of levels, `people.rs` how weak levels find a move, `persona.rs` the styles, `contempt.rs` what a
//! draw is worth against whom.
//!
//! [`Board::glance`]: crate::Board::glance

mod contempt;
mod people;
mod persona;

pub use persona::{PERSONAS, Persona};

use crate::engine::Engine;
use polyply_core::clock::Limits;
use polyply_games::{Best, Board, EngineError, Info, Request, Variant};
use std::time::Duration;

/// How strong the engine plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// From 1, the weakest.
    pub number: u8,
    /// Its name.
    pub name: &'static str,
    /// How it thinks if it thinks as people do; without it, the level searches all moves as the engine does.
    people: Option<People>,
    /// The chance that it overlooks the subtlest moves.
    oversight: f64,
    /// The scale of its error about a move's chance of winning, which is 0 to 1.
    slip: f64,
    /// How far it sees forced sequences, in hundredths of how far the engine does.
    foresight: i32,
    /// How many plies of a game it knows from the opening book.
    pub book_plies: usize,
}

/// How a level thinks that thinks as people do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct People {
    /// How many moves it considers besides those with a motif.
    breadth: usize,
    /// How many plies it looks ahead after its own move.
    depth: i32,
}

/// All levels.
pub const LEVELS: [Level; 10] = [
    of_people(1, "beginner", [4, 1], 1.00, 0.150, 0, 1),
    of_people(2, "novice", [5, 1], 0.75, 0.100, 0, 2),
    of_people(3, "casual", [7, 1], 0.50, 0.060, 0, 4),
    of_people(4, "hobby player", [9, 2], 0.36, 0.050, 0, 6),
    of_people(5, "club player", [12, 2], 0.18, 0.026, 30, 8),
    of_people(6, "strong club player", [16, 3], 0.10, 0.018, 60, 12),
    of_search(7, "expert", 16),
    of_search(8, "master", 24),
    of_search(9, "grandmaster", 40),
    of_search(10, "full strength", usize::MAX),
];

const fn of_people(
    number: u8,
    name: &'static str,
    [breadth, depth]: [usize; 2],
    oversight: f64,
    slip: f64,
    foresight: i32,
    book_plies: usize,
) -> Level {
    Level {
        number,
        name,
        people: Some(People { breadth, depth: depth as i32 }),
        oversight,
        slip,
        foresight,
        book_plies,
    }
}

const fn of_search(number: u8, name: &'static str, book_plies: usize) -> Level {
    Level { number, name, people: None, oversight: 0.0, slip: 0.0, foresight: 100, book_plies }
}

/// Nodes for a move at full strength where no limit is given.
const FULL_NODES: u64 = 1_500_000;
/// How much stronger than the best limited level full strength is at least, in nodes.
const FULL_FACTOR: u64 = 8;
/// The time for a move that weak levels are used to. With less they overlook more.
const USUAL_TIME: Duration = Duration::from_secs(1);
/// How many moves a clock is planned for by a level that hardly needs time.
const PLANNED_MOVES: u32 = 30;

impl Level {
    /// The level with a number from 1 to 10.
    pub fn find(number: u8) -> Option<&'static Level> {
        LEVELS.iter().find(|level| level.number == number)
    }

    /// Full strength.
    pub const fn is_full(&self) -> bool {
        self.number as usize == LEVELS.len()
    }

    /// Nodes for a move. At full strength they count only where there is no other limit.
    pub fn nodes(&self, variant: &Variant) -> u64 {
        match variant.about().level_nodes.get(usize::from(self.number) - 1) {
            Some(&nodes) => nodes.into(),
            None => FULL_NODES.max(FULL_FACTOR * u64::from(variant.about().level_nodes[8])),
        }
    }

    /// Its strength in Elo. The differences between levels are measured; see `docs/levels.md`.
    pub fn elo(&self, variant: &Variant) -> i32 {
        variant.about().level_elo[usize::from(self.number) - 1].into()
    }

    /// The level of a variant whose strength is nearest to this one.
    pub fn of_elo(elo: i32, variant: &Variant) -> &'static Level {
        let distance = |level: &&Level| (level.elo(variant) - elo).abs();
        LEVELS.iter().min_by_key(distance).unwrap_or(&LEVELS[9])
    }

    /// The limits of a move at this level. Full strength uses all the time that it is given.
    fn within(&self, limits: Limits, variant: &Variant) -> Limits {
        let is_limited = limits.nodes.is_some() || limits.time.is_some() || limits.clock.is_some();
        if self.is_full() && is_limited {
            return limits;
        }
        let own = self.nodes(variant);
        Limits { nodes: Some(limits.nodes.map_or(own, |nodes| nodes.min(own))), ..limits }
    }

    /// Its share of a parameter by which forced sequences are seen.
    pub(crate) fn foresight_of(&self, full: i32) -> i32 {
        full * self.foresight / 100
    }

    /// The chance that it overlooks the subtlest moves, with so much time for the move: it sees less the faster it
    /// plays.
    fn oversight_within(&self, time: Option<Duration>) -> f64 {
        let hurry = time.map_or(0.0, |time| 1.0 - (time.as_secs_f64() / USUAL_TIME.as_secs_f64()).min(1.0));
        (self.oversight * (1.0 + hurry)).min(1.0)
    }
}

/// The time that a level may take for a move, if there is a bound: the time for the move, or a share of the clock.
fn time_for_move(limits: &Limits) -> Option<Duration> {
    let share = limits.clock.map(|clock| clock.remaining / PLANNED_MOVES + clock.increment / 2);
    limits.time.into_iter().chain(share).min()
}

/// Who the engine plays as, and against whom.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Player {
    /// Its strength.
    pub level: &'static Level,
    /// Its style.
    pub persona: Option<&'static Persona>,
    /// The opponent's strength in Elo, if it is known.
    pub opponent_elo: Option<i32>,
}

impl Player {
    /// A player of a level, without a style.
    pub const fn of_level(level: &'static Level) -> Player {
        Player { level, persona: None, opponent_elo: None }
    }

    /// A player of full strength, without a style, who knows nothing of the opponent.
    pub fn is_plain(&self) -> bool {
        *self == Player::of_level(&LEVELS[9])
    }
}

impl Engine {
    /// Finds a move as this player would, within the limits and the level's nodes. The first moves come from the opening
    /// book, if the option `OwnBook` is on. A move that was not searched has no lines.
    pub fn play_as(
        &mut self,
        board: &Board,
        player: &Player,
        limits: Limits,
        sink: &mut dyn FnMut(&Info),
    ) -> Result<Best, EngineError> {
        let Player { level, persona, .. } = *player;
        if board.moves().len() < level.book_plies
            && let Some(best) = self.book_move_of(board, persona)
        {
            return Ok(best);
        }
        if let Some(people) = level.people {
            return self.with_limited_searcher(level, |engine| {
                engine.move_of_people(board, player, people, level.within(limits, board.variant()), sink)
            });
        }
        let limits = level.within(limits, board.variant());
        let lines = persona.map_or(1, |_| persona::LINES);
        let request = Request { limits, multipv: Some(lines), ..Request::new(board) };
        let mut best = match level.is_full() {
            true => {
                self.set_contempt_for(board, player);
                self.best_move(&request, sink)?
            }
            false => self.with_limited_searcher(level, |engine| {
                engine.set_contempt_for(board, player);
                engine.best_move(&request, sink)
            })?,
        };
        if let Some(persona) = persona {
            self.prefer(board, persona, &mut best);
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests;
