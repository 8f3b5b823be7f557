//! What the search remembers about positions: the Search TT, the only table that may cause a cutoff, and an optional
//! cache of static evaluations.
//!
//! Both have a fixed size, are shared by all threads without locks, and age by generation: each root search starts a
//! new generation. Begin reading with [`SearchTt`].

mod counters;
mod entry;
mod eval_cache;
mod generation;
mod lines;
mod search_tt;
pub mod snapshot;

pub use counters::{DEPTH_BANDS, EvalCounters, Rate, TableCounters, TableReport, depth_band};
pub use entry::{Bound, Entry};
pub use eval_cache::EvalCache;
pub use lines::{MAX_BYTES, TableError};
pub use search_tt::{SearchTt, Stored};
