//! What the search remembers of positions: the Search TT, the only memory that may cause a cutoff, and an optional
//! cache of static evaluations.
//!
//! Both are of fixed size, shared by all threads without a lock, and forget by generation: one root search, one
//! generation. Begin reading with [`SearchTt`].

mod counters;
mod entry;
mod eval_cache;
mod generation;
mod lines;
mod search_tt;
pub mod snapshot;

pub use counters::{EvalCounters, TableCounters, TableReport};
pub use entry::{Bound, Entry};
pub use eval_cache::EvalCache;
pub use lines::{MAX_BYTES, TableError};
pub use search_tt::{SearchTt, Stored};
