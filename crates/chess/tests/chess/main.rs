//! Chess, tested from outside. One program for all of it: each further one would compile the search again.

mod conformance;
#[path = "../../../core/tests/core/counting.rs"]
mod counting;
mod net;
mod perft;
mod rules;
mod search;
mod tablebase;
