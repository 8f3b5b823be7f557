//! The protocols, spoken as their drivers speak them. One program, which links once.

mod gomocup;
mod gtp;
mod manager;
mod nboard;
mod soup;
mod talk;
mod uci;
