//! What the search remembers of positions: the Search TT, the only memory that may cause a cutoff, and an optional
//! cache of static evaluations.

mod search_tt;

pub use search_tt::{Bound, Entry, SearchTt, Stored};
