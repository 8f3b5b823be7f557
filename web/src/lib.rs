//! The web app of Polyply as a crate: the files in `app`, found by their path.
//!
//! Release builds carry the files in the binary. Debug builds read them from the folder, so that a change is seen when
//! the page is loaded again. `polyply-server` serves them.
//!
//! ```
//! let page = polyply_web::Files::get("index.html").expect("the app has a first page");
//! assert!(page.data.starts_with(b"<!doctype html>"));
//! assert!(polyply_web::Files::get("no such file").is_none());
//! ```

use rust_embed::Embed;
pub use rust_embed::EmbeddedFile;

/// The files of the app.
#[derive(Embed)]
#[folder = "app"]
pub struct Files;

/// The example of the README compiles and is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
