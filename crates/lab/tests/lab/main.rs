//! The lab, tested from outside. One program, which links once.

mod arena;
mod book;
mod drive;
mod formats;
mod learn;
mod net;
mod record;
mod report;
mod stats;
mod tdleaf;
mod tune;
