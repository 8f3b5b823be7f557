//! Nets, tested from outside. One program, which links once.

mod accumulators;
mod pooled;
mod training;
