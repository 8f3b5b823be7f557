//! `polyply worker`, `polyply fleet` and the option `--fleet`: work on many machines.

mod asker;
mod machine;
mod shown;
mod worker;

pub use asker::Asker;
pub use shown::look;
pub use worker::work;
