//! The rules of the family as types, so that a rule does not pay for what it does not need.

use crate::pattern::WinRule;
use crate::settings::{Kind, Settings};

/// A game of the family. What the search needs in its inner loop is constant; the rest is in the [`Settings`].
pub trait Rule: Clone + Send + Sync + 'static {
    /// The variant.
    const KIND: Kind;
    /// How many cells of a line matter on either side of a stone.
    const HALF: usize;
    /// Pairs are captured.
    const CAPTURES: bool = false;
    /// Whether a five may not win because of its ends.
    const BLOCKED_ENDS: bool = false;
}

/// Five or more in a row win.
#[derive(Clone, Copy, Debug)]
pub struct Freestyle;
/// Exactly five in a row win.
#[derive(Clone, Copy, Debug)]
pub struct Standard;
/// Exactly five in a row win, unless both ends are closed.
#[derive(Clone, Copy, Debug)]
pub struct Caro;
/// Pairs are captured; five in a row win unless a capture breaks them.
#[derive(Clone, Copy, Debug)]
pub struct Capture;

impl Rule for Freestyle {
    const KIND: Kind = Kind::Freestyle;
    const HALF: usize = 4;
}
impl Rule for Standard {
    const KIND: Kind = Kind::Standard;
    const HALF: usize = 5;
}
impl Rule for Caro {
    const KIND: Kind = Kind::Caro;
    const HALF: usize = 5;
    const BLOCKED_ENDS: bool = true;
}
impl Rule for Capture {
    const KIND: Kind = Kind::Capture;
    // The longest winning row that can be chosen is six.
    const HALF: usize = 5;
    const CAPTURES: bool = true;
}

impl WinRule {
    /// Which rows win under these settings.
    pub(crate) fn of<R: Rule>(settings: &Settings) -> WinRule {
        WinRule {
            length: settings.win_length,
            exact: settings.exact_five,
            blocked_ends: settings.blocked_ends,
            half: R::HALF,
        }
    }
}
