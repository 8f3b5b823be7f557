//! The description of Othello.

use crate::eval::Evaluator;
use crate::learn;
use crate::position::{DISC, Othello};
use crate::refusals;
use crate::square::Square;
use crate::weights::Weights;
use polyply_core::family::{About, Alias, Bench, Family, Handicap, Setup};
use polyply_core::game::{Notation, Side};
use polyply_core::glance::Glance;
use polyply_core::guide::{Guide, Lesson, RulePart, Scene};
use polyply_core::learn::Learning;
use polyply_core::problem::Problem;
use polyply_core::refusal::{Code, Refusal, common};
use polyply_core::score::Score;
use std::sync::Arc;

const GUIDE: Guide = Guide {
    rules: &[
        RulePart {
            text: "Black begins. A move puts a disc so that enemy discs stand in a straight line between it and another of your discs.",
            scene: Scene::at("start"),
        },
        RulePart { text: "All enemy discs between flip to your colour, in every direction.", scene: Scene::at("f5d6") },
        RulePart {
            text: "Only moves that flip something are allowed; dots mark them. Who has none passes, and who has more discs at the end wins.",
            scene: Scene::at("f5d6c3d3c4f4"),
        },
    ],
    lessons: &[
        Lesson {
            task: "Black begins. Flip a white disc.",
            scene: Scene::at("start"),
            accepted: &["d3", "c4", "f5", "e6"],
            praise: "The disc between your two turned black.",
        },
        Lesson {
            task: "Flip two discs at once.",
            scene: Scene::at("--------------------------OOX------OX--------------------------- X"),
            accepted: &["b4"],
            praise: "A move flips along every line it closes.",
        },
        Lesson {
            task: "Take a corner: it can never be flipped back.",
            scene: Scene::at("-OX------OX------OX--------------------------------------------- X"),
            accepted: &["a1"],
            praise: "A corner stays yours to the end.",
        },
    ],
};

/// The usual handicaps: Black owns corners, and White begins.
const HANDICAPS: &[Handicap] = &[
    corners(
        "corner",
        "Black begins with a corner, White moves first",
        "X--------------------------OX------XO--------------------------- O",
    ),
    corners(
        "two_corners",
        "Black begins with two corners, White moves first",
        "X--------------------------OX------XO--------------------------X O",
    ),
    corners(
        "four_corners",
        "Black begins with all corners, White moves first",
        "X------X-------------------OX------XO-------------------X------X O",
    ),
];

const fn corners(key: &'static str, title: &'static str, position: &'static str) -> Handicap {
    Handicap { key, title, position, favours: Side::First }
}

impl Family for Othello {
    const ABOUT: About = About {
        moves: "a square from a1 to h8: column from the left, row from the top; or pass",
        positions: "64 cells from a1 along the rows and the side to move, as in OBF, or the moves so far, as in `f5d6c3`",
        sides: ["black", "white"],
        pass: Some("pass"),
        bench: Bench {
            depth: 9,
            // From the opening to the endgame.
            positions: &[
                "start",
                "f5d6c3d3c4f4c5b3c2",
                "f5d6c5f4e3c6d3f6e6d7",
                "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O",
                "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X",
            ],
        },
        openings: include_str!("../openings.txt"),
        books: &[include_bytes!("../books/othello.book")],
        record: "ggf",
        place: 30,
        handicaps: HANDICAPS,
        level_nodes: [2_000, 2_500, 3_000, 4_000, 6_000, 10_000, 900, 2_500, 7_000],
        level_elo: [700, 770, 900, 1080, 1250, 1490, 1650, 1850, 2030, 2200],
        guide: GUIDE,
        aliases: &[
            Alias::new("nboard", ""),
            Alias::new("ggf", "Othello"),
            Alias::new("sgf", "2"),
            Alias::new("wtb", ""),
            Alias::new("obf", ""),
        ],
        ..About::new(
            "othello",
            "Othello",
            "Discs between two of the other colour flip; who has more at the end has won.",
        )
    };

    fn refusals() -> &'static [&'static Code] {
        refusals::CODES
    }

    fn open(setup: &Setup) -> Result<(Self, Evaluator), Refusal> {
        Setup { weights: None, ..setup.clone() }.expect_plain(&Self::ABOUT)?;
        let learned = match setup.weights.as_deref() {
            None | Some(Setup::LINEAR) => Some(Arc::clone(Weights::built_in())),
            Some(Setup::HANDMADE) => None,
            Some(text) => Some(Arc::new(Weights::parse(text).map_err(common::weights_refused)?)),
        };
        Ok((Othello::start(), Evaluator::new(learned.as_ref())))
    }

    fn learning() -> Option<Learning<Self>> {
        Some(learn::LEARNING)
    }

    fn glance(&self) -> Vec<Glance<Square>> {
        self.seen_by_people()
    }

    /// A line of OBF: `<cells> <side>; G8:+18; H8:+12;`, each move with its score, or a score alone. Scores are those
    /// of the side to move; what follows a percent sign is a comment.
    fn problem(line: &str) -> Result<Problem, Refusal> {
        let line = line.split('%').next().unwrap_or_default();
        let (position, rest) = line.split_once(';').unwrap_or((line, ""));
        let position = position.trim();
        let side = if position.ends_with(['O', 'o']) { Side::Second } else { Side::First };
        let (mut moves, mut value) = (Vec::new(), None);
        for field in rest.split(';').map(str::trim).filter(|field| !field.is_empty()) {
            let (mv, score) = field.split_once(':').map_or((None, field), |(mv, score)| (Some(mv.trim()), score));
            let score = score.trim().parse::<i32>().ok().filter(|score| score.abs() <= 64);
            let score = score.ok_or_else(|| refusals::scored_move(field))?;
            match mv {
                Some(mv) => moves.push((mv.to_ascii_lowercase(), score)),
                None => value = Some(score),
            }
        }
        let value = moves.iter().map(|&(_, score)| score).max().or(value);
        let best = moves.into_iter().filter(|&(_, score)| Some(score) == value).map(|(mv, _)| mv);
        Ok(Problem {
            position: Some(position.to_owned()),
            best: best.collect(),
            value: value.map(|discs| Score::eval(discs * DISC).for_first(side)),
            operations: rest.trim().to_owned(),
            ..Problem::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_obf_has_the_scores_of_the_side_to_move() {
        let cells = "-".repeat(64);
        let read = |line: &str| Othello::problem(&format!("{cells} {line}"));
        let points = |line: &str| read(line).unwrap().value.map(|value| value.value() / DISC);
        let problem = read("O; G8:-6; H8:+4; % what follows is a comment; a1:x").unwrap();
        assert_eq!((points("O; G8:-6; H8:+4;"), problem.best), (Some(-4), vec!["h8".to_owned()]));
        assert_eq!(problem.position, Some(format!("{cells} O")));
        assert_eq!((points("X; +12;"), points("X")), (Some(12), None));
        assert_eq!(read("X; G8:+18; H1:+12; h7:+18;").unwrap().best, ["g8", "h7"]);
        for bad in ["G8:+65", "G8:", "G8", "x"] {
            assert!(read(&format!("X; {bad};")).unwrap_err().to_string().contains("G8:+18"), "{bad}");
        }
    }
}
