//! Games between engines: matches, tournaments, and the worth of each technique.
//!
//! A [`Plan`] says who plays whom, from which openings and under which limits. [`Plan::run`] plays many games at once
//! and reports each game as it ends. Games come in pairs: each opening is played twice with sides swapped, so that an
//! opening that favours a side favours nobody. An engine that fails in any way loses the game, with the reason, and is
//! restarted for the next one.
//!
//! A [`Contest`] does all of it: it is made from [`MatchSettings`], plays the games, keeps a journal from which it can
//! resume, and writes the reports. [`SelfPlay`] lets an engine play itself, for games to learn from. `entrant` parses
//! the description of an engine, `running_engine` is one that plays, `game` plays one game, `run` many of them.

mod ablate;
mod adjudicate;
mod contest;
mod entrant;
mod fair;
mod files;
mod game;
mod ladder;
mod openings;
mod run;
mod running_engine;
mod selfplay;
mod settings;
mod styles;
mod task;
mod time_control;
mod watch;
mod work;

pub use crate::work::{Flow, Place};
pub use ablate::Technique;
pub use adjudicate::{Adjudication, DrawRule, ResignRule};
pub use contest::{Contest, Resume};
pub use entrant::{Entrant, Kind, make_names_unique};
pub(crate) use files::{Journal, own, write_whole};
pub(crate) use game::SHORT_LOOK;
pub use game::{GameResult, GameRules};
pub use ladder::{Absurdity, LadderReport, LadderSettings, Step, StepResult, is_absurd};
pub use openings::Openings;
pub use run::{Plan, ScheduledGame};
pub(crate) use selfplay::plan as selfplay_plan;
pub use selfplay::{SelfPlay, SelfPlayOptions};
pub use settings::{Format, MatchSettings};
pub use styles::{Style, StyleSettings};
pub use task::GamesTask;
pub use time_control::{ClockRule, TimeControl};
pub use watch::{Moment, Watcher};
