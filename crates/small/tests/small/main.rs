//! The small games, tested from outside. One program for all of it: each further one would compile the searches again.

mod conformance_finds;
mod known_scores;
#[path = "../../../core/tests/core/oracle.rs"]
mod oracle;
mod proven_results;
mod search_is_exact;
mod solve;
