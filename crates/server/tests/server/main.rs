//! The server as its clients see it. One program, which links once; what watches the whole process is in files of its own.

mod access;
mod bounds;
#[path = "../client/mod.rs"]
mod client;
mod engines;
mod games;
mod partner;
mod refusals;
mod reviews;
mod shares;
