//! The order of moves: the staged picker, and the tables that it learns from.

mod correction;
mod history;
mod killers;
mod path;
mod picker;

pub(crate) use correction::Correction;
pub(crate) use history::{Context, History, Slot};
pub(crate) use killers::Killers;
pub(crate) use path::Path;
pub(crate) use picker::{Picker, Refutations, Source};
