//! The core's search on games made for tests. One program for all of it: each further one would compile the search again.

mod allocation;
mod contempt;
mod counting;
mod determinism;
mod exact_mode;
mod idle;
mod lattice;
mod limits;
mod linear;
mod oracle;
mod proven_results;
mod root_recall;
mod search_tt;
mod solve;
mod switches;
mod tt_snapshot;
