//! Othello, tested from outside. One program for all of it: each further one would compile the search again.

mod endgame;
mod rules;
