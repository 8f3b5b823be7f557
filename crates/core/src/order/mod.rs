//! In which order moves are tried: the staged picker and everything that teaches it.

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
