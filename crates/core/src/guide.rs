//! The rules of a game for people who learn it: short texts with pictures, and small tasks on a real board.
//!
//! A game declares its guide in English beside its other descriptions ([`crate::family::About`]). Translations belong
//! to whoever shows it; the position of a part or a task in its list is its name.

/// How a game is explained.
#[derive(Clone, Copy, Debug)]
pub struct Guide {
    /// The rules, in the order in which one learns them.
    pub rules: &'static [RulePart],
    /// Tasks that try them out, the easiest first.
    pub lessons: &'static [Lesson],
}

impl Guide {
    /// No guide.
    pub const NONE: Guide = Guide { rules: &[], lessons: &[] };
}

/// A rule in a sentence or two, with a picture.
#[derive(Clone, Copy, Debug)]
pub struct RulePart {
    /// The rule.
    pub text: &'static str,
    /// The board of the picture.
    pub scene: Scene,
}

/// A small task on a board.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// What to do.
    pub task: &'static str,
    /// Where it is to be done.
    pub scene: Scene,
    /// The moves that solve it, as the game writes them.
    pub accepted: &'static [&'static str],
    /// What is said when it is solved: what was learned.
    pub praise: &'static str,
}

/// A position on a board that may be smaller than the usual one, so that little is enough to see it.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// What follows the name of the game: `:9,opening=none` is a board of nine rows without an opening rule.
    pub setup: &'static str,
    /// The position, or the moves that lead to it; `start` is the starting position.
    pub position: &'static str,
}

impl Scene {
    /// A position on the usual board, by the usual rules.
    pub const fn at(position: &'static str) -> Scene {
        Scene { setup: "", position }
    }
}
