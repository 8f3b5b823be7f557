//! Games that people and engines play.
//!
//! `game` is one game and what may be done when; `seat` and `clock` are parts of it. `live` is a game that is being
//! played: every change is stored in the database and sent to all who watch, and the engine moves when it is its turn.
//! `view` is what clients see of a game, `api` how they reach all that.

pub mod api;
mod clock;
mod game;
mod live;
mod seat;
pub mod view;

pub use game::{Game, GameError, GameRecord, PlayedMove};
pub use live::LiveGames;
pub use seat::{Token, bearer, is_token};
