//! The engine as front ends use it. One program, which links once.

mod book;
mod built_in_books;
mod engine;
