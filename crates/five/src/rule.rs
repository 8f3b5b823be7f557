//! The rules of the family as types, so that what a rule does not need costs nothing.

use crate::pattern::WinRule;
use crate::settings::{Kind, Settings};

/// A game of the family. All that a search asks in its inner loop is a constant; the rest is in the [`Settings`].
pub trait Rule: Clone + Send + Sync + 'static {
    /// The variant.
    const KIND: Kind;
    /// How many cells of a line decide what a stone is worth, on either side of it.
    const HALF: usize;
    /// Pairs are captured.
    const CAPTURES: bool = false;
    /// A five may be no win because of what is beyond its ends.
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
    // Rows of six are the longest that may be asked for.
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
