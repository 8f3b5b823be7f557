//! The games as front ends see them. One program for all of it: each further one would link every search again.

mod board;
mod bounds;
mod guides;
mod look;
mod openings;
mod score;
mod variant;
