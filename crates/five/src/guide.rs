//! How the games of the family are explained.

use crate::settings::Kind;
use polyply_core::guide::{Guide, Lesson, RulePart, Scene};

/// A small board without an opening rule.
const fn small(position: &'static str) -> Scene {
    Scene { setup: ":9,opening=none", position }
}

/// The guide of a game.
pub const fn guide(kind: Kind) -> Guide {
    match kind {
        Kind::Freestyle => Guide { rules: FREESTYLE, lessons: LESSONS },
        Kind::Standard => Guide { rules: STANDARD, lessons: LESSONS },
        Kind::Caro => Guide { rules: CARO, lessons: LESSONS },
        Kind::Capture => Guide { rules: CAPTURE, lessons: CAPTURE_LESSONS },
    }
}

const TURNS: RulePart = RulePart {
    text: "Black begins. Take turns to put a stone on any free point; stones never move.",
    scene: small("e5 f6 f5"),
};
const FIVE: RulePart = RulePart {
    text: "Five of your stones in an unbroken row, down, across or diagonally, win.",
    scene: small("c5 c4 d5 d4 e5 e4 f5 f4 g5"),
};
const NO_SIX: RulePart = RulePart {
    text: "It must be exactly five: six or more in a row do not win.",
    scene: small("9/9/9/2ooo4/1xxxxxx2/2ooo4/9/9/9 x"),
};

const FREESTYLE: &[RulePart] = &[
    TURNS,
    FIVE,
    RulePart { text: "Six or more in a row win too.", scene: small("9/9/9/2ooo4/1xxxxxx2/2oo5/9/9/9 o") },
];
const STANDARD: &[RulePart] = &[TURNS, FIVE, NO_SIX];
const CARO: &[RulePart] = &[
    TURNS,
    FIVE,
    NO_SIX,
    RulePart {
        text: "A row that is closed at both ends, by the opponent's stones or the edge of the board, does not win.",
        scene: small("9/9/3ooo3/9/1oxxxxxo1/9/9/9/9 x"),
    },
    RulePart {
        text: "To be fair to White, Black's second stone must be at least three points away from the first. Crosses show where it may not go. The settings of a new game offer other opening rules.",
        scene: Scene { setup: ":9", position: "e5 f6" },
    },
];
const CAPTURE: &[RulePart] = &[
    TURNS,
    RulePart {
        text: "Two enemy stones side by side are captured when you close them in from both ends.",
        scene: small("c5 d5 a1 e5"),
    },
    RulePart { text: "Five captured pairs win.", scene: small("c5 d5 a1 e5 f5") },
    RulePart {
        text: "Five in a row win too, unless the opponent can break the row by capturing two of its stones at once.",
        scene: small("c5 a1 d5 c1 e5 e1 f5 g1 g5"),
    },
    RulePart {
        text: "You may put a stone between two enemy stones safely: a pair is captured only when the enemy closes it in.",
        scene: small("a1 c5 d5 f5 e5"),
    },
    RulePart {
        text: "A stone that makes two free threes at once is forbidden, unless it captures. A cross marks such a point.",
        scene: small("d5 a1 f5 i1 e4 a9 e6 i9"),
    },
];

const MAKE_FIVE: Lesson = Lesson {
    task: "You are Black, with four in a row. Make five.",
    scene: small("c5 a1 d5 c1 e5 e1 f5 g1"),
    accepted: &["b5", "g5"],
    praise: "Five in a row: you win.",
};
const LESSONS: &[Lesson] = &[
    MAKE_FIVE,
    Lesson {
        task: "White has three in a row with both ends open. Block it.",
        scene: small("a1 d5 a3 e5 i9 f5"),
        accepted: &["c5", "g5", "b5", "h5"],
        praise: "An open three must be answered at once: next move it would be an open four.",
    },
    Lesson {
        task: "Make four in a row with both ends open: White can stop only one of them.",
        scene: small("d5 d3 e5 f3 f5 g8"),
        accepted: &["c5", "g5"],
        praise: "An open four wins: five comes next, at one end or the other.",
    },
];
const CAPTURE_LESSONS: &[Lesson] = &[
    Lesson {
        task: "Capture the two white stones.",
        scene: small("c5 d5 a1 e5"),
        accepted: &["f5"],
        praise: "The pair is yours. Five pairs win.",
    },
    Lesson {
        task: "White wants to capture your pair. Protect it where it is open.",
        scene: small("d5 c5 e5 a9"),
        accepted: &["f5"],
        praise: "Three in a row can't be captured.",
    },
    MAKE_FIVE,
];
