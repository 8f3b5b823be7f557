//! Small games on the search core of Polyply: tic-tac-toe, Connect Four and Ataxx, a file each.
//!
//! They are here for two reasons. Tic-tac-toe and Connect Four are solved, so they test the core: what the search says
//! of them is either right or wrong. And a game takes one file, so they are examples for a new one:
//!
//! - [`tictactoe`] is the minimum: rules, a plain evaluation, an order of moves, notation. Everything else keeps the
//!   defaults of [`SearchGame`](polyply_core::game::SearchGame).
//! - [`connect4`] uses what makes a search strong: bitboards, forced moves, proofs that cut the tree without changing
//!   its value, an evaluation that knows about zugzwang.
//! - [`ataxx`] has an evaluation that can be learned. `docs/add-your-game.md` walks through it part by part.
//!
//! A position is parsed, played and queried like this:
//!
//! ```
//! use polyply_core::game::{Game, Notation, Outcome, Side};
//! use polyply_small::connect4::Connect4;
//!
//! let mut game = Connect4::start().parse("445566").unwrap();
//! let winning = game.parse_move("c").unwrap();
//! game.play(winning, &mut ());
//! assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
//! assert_eq!(game.text(), "7/7/7/7/3ooo1/2xxxx1 o");
//! ```
//!
//! Begin reading with [`tictactoe`]. The games share the notation of boards ([`mod@rows`]) and a function that turns a
//! packed board into a key ([`mix`]). None of them knows a protocol, a file or a clock.

pub mod ataxx;
pub mod connect4;
pub mod rows;
pub mod tictactoe;

/// Spreads a packed position over all 64 bits of a key. A bijection: different positions never share a key.
///
/// Odd multiplication and xor with a right shift are both invertible ([MurmurHash3's finaliser] is made of them). The
/// last step is a multiplication because the Search TT takes its index from the high bits.
///
/// [MurmurHash3's finaliser]: https://github.com/aappleby/smhasher/wiki/MurmurHash3
#[inline(always)]
pub const fn mix(packed: u64) -> u64 {
    let spread = packed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (spread ^ (spread >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
