//! Games between engines: matches, tournaments, and the worth of each technique.
//!
//! A [`Plan`] says who plays whom, from which openings and under which limits; [`Plan::run`] plays it, many games at a
//! time, and tells of each game as it ends. Games come in pairs: one opening, both ways round, so that an opening that
//! favours a side favours nobody. An engine that fails in any way loses the game it fails in, with the reason, and is
//! started again for the next one.
//!
//! A [`Contest`] is all of it: it is made from [`MatchSettings`], plays, keeps a journal that it can go on from, and writes the
//! reports. [`SelfPlay`] is one of an engine against itself, for games to learn from. `entrant` reads who takes part, `player` is one at the board, `game` plays one game, `run` many of them.

mod ablate;
mod adjudicate;
mod contest;
mod entrant;
mod fair;
mod files;
mod game;
mod openings;
mod run;
mod running_engine;
mod selfplay;
mod settings;
mod time_control;
mod watch;

pub use ablate::Technique;
pub use adjudicate::{Adjudication, DrawRule, ResignRule};
pub use contest::{Contest, Resume};
pub use entrant::{Entrant, Kind, make_names_unique};
pub use game::{GameResult, GameRules};
pub use openings::Openings;
pub use run::{Flow, Plan, ScheduledGame};
pub use selfplay::{SelfPlay, SelfPlayOptions};
pub use settings::{Format, MatchSettings};
pub use time_control::{ClockRule, TimeControl};
pub use watch::{Moment, Watcher};
