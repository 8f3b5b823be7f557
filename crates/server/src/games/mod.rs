//! Games that people and engines play.
//!
//! `game` is one game and what may be done when; `seat` and `clock` belong to it. `table` is a game that is live: whoever
//! changes it has it kept in the database and told to all who look on, and the engine moves where it is to move. `api` is how
//! all that is reached.

pub mod api;
mod clock;
mod game;
mod seat;
mod table;

pub use clock::now;
pub use game::{Game, GameError, Kept, Played};
pub use seat::random_name;
pub use table::{Tables, note};
