//! How chess is explained.

use polyply_core::guide::{Guide, Lesson, RulePart, Scene};

/// The guide.
pub const GUIDE: Guide = Guide {
    rules: &[
        RulePart {
            text: "White moves first. Tap a piece, then one of the marked squares. Enemy pieces are captured by moving onto them.",
            scene: Scene::at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        },
        RulePart {
            text: "A rook moves along rows and columns, a bishop diagonally, a queen in all eight directions. Nothing may be in the way.",
            scene: Scene::at("4k3/8/8/1R6/3Q4/8/5B2/4K3 w - - 0 1"),
        },
        RulePart {
            text: "A knight jumps: two squares in one direction, then one to the side. A king moves one square.",
            scene: Scene::at("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1"),
        },
        RulePart {
            text: "A pawn moves one square forward, or two from its first place, and captures diagonally. On the last row it becomes a queen or another piece of your choice.",
            scene: Scene::at("4k3/P7/8/8/8/3p4/4P3/4K3 w - - 0 1"),
        },
        RulePart {
            text: "Once a game the king may castle: it moves two squares towards a rook, which jumps over it. Neither may have moved, nothing may stand between, and the king may not cross an attacked square.",
            scene: Scene::at("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
        },
        RulePart {
            text: "A pawn that has just made two steps beside your pawn may be captured as if it had made one.",
            scene: Scene::at("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"),
        },
        RulePart {
            text: "A king under attack is in check and must be saved at once. If nothing saves it, it is checkmate, and the game is won. A player who has no move but is not in check has a draw.",
            scene: Scene::at("4R1k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"),
        },
    ],
    lessons: &[
        Lesson {
            task: "Capture the queen with your knight.",
            scene: Scene::at("4k3/8/3q4/8/4N3/8/8/4K3 w - - 0 1"),
            accepted: &["e4d6"],
            praise: "A knight captures where it lands.",
        },
        Lesson {
            task: "Bring the pawn to the last row and choose a queen.",
            scene: Scene::at("8/P3k3/8/8/8/8/8/4K3 w - - 0 1"),
            accepted: &["a7a8q"],
            praise: "A new queen.",
        },
        Lesson {
            task: "Checkmate in one move.",
            scene: Scene::at("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"),
            accepted: &["a1a8"],
            praise: "Checkmate: the king can't escape along its row.",
        },
    ],
};
