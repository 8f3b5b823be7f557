//! The documents of the project whose examples are compiled and run with the tests. Those of a crate are in the crate.

/// The front page.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct FrontPage;
