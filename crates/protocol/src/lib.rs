//! The protocols by which board game engines talk to tournament managers and graphical interfaces.
//!
//! A protocol is a loop over lines: commands come in, answers go out, and a running search can be stopped at any time.
//! In [`uci`], [`gomocup`], [`nboard`] and [`gtp`] Polyply is the engine. They share `session`: begin reading there.
//! [`drive`] is the other side: it starts other engines and asks them for moves, in the same four protocols.
//! [`book_file`] opens opening books, [`polyglot`] reads and writes those of chess, [`ggf`] is a notation that a protocol shares with files, and [`lines`]
//! reads lines of untrusted input.

pub mod book_file;
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

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
