//! Opening books: built by search, and filled from games; see [`polyply_engine::book`] for what a book is.

mod build;
mod export;
mod import;
mod openings;
mod search;

pub use build::{BuildProgress, BuildReport, BuildSettings, build};
pub use export::{export, json_line, json_moves};
pub use import::{ImportReport, ImportSettings, import};
pub use openings::{OpeningsSettings, balanced_openings};
pub use search::BookTask;
