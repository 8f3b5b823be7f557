//! The program as people call it. One program of tests, which links once; what kills processes is in files of its own.

mod book;
mod cli;
mod files;
mod five;
mod guide;
mod lab;
mod serve;
#[path = "../serving/mod.rs"]
mod serving;
mod terminal;
mod tune;
