//! The family of five in a row, tested from outside. One program for all of it: each further one would compile the search
//! again, for every rule.

mod allocation;
mod attacks;
mod conformance;
#[path = "../../../core/tests/core/counting.rs"]
mod counting;
mod differential;
mod lines;
mod naive;
mod naive_rules;
mod patterns;
mod perft;
mod tactics;
mod vcf;
