//! The protocols by which board game engines talk to managers and graphical interfaces.
//!
//! A protocol is a loop over lines: commands come in, answers go out, and a search that is under way can be stopped at any
//! time. [`uci`], [`gomocup`], [`nboard`] and [`gtp`] have Polyply as the engine; `session` is what they share, and where to
//! begin reading. [`drive`] is the other end: it starts other people's engines and asks them for moves, in the same four.
//! [`polyglot`] reads and writes opening books, [`ggf`] is a notation that a protocol shares with files, and
//! [`lines`] reads lines from whoever is at the other end, however long or broken they are.

pub mod drive;
pub mod ggf;
pub mod gomocup;
pub mod gtp;
pub mod lines;
pub mod nboard;
pub mod polyglot;
pub mod refusals;
mod session;
pub mod uci;
mod vertex;

/// The example of the README compiles and is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
