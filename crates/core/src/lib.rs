//! The search core of Polyply.

pub mod conformance;
pub mod control;
pub mod game;
pub mod params;
pub mod perft;
pub mod resources;
pub mod score;
mod sync;
pub mod table;
