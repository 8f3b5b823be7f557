//! The description of chess.

use crate::eval::Evaluator;
use crate::guide::GUIDE;
use crate::learn;
use crate::moves::Move;
use crate::position::Chess;
use crate::refusals;
use crate::tablebase;
use crate::weights::Weights;
use polyply_core::family::{About, Alias, Bench, Family, Handicap, RuleChoice, Setup, Solving, TextOption};
use polyply_core::game::{Notation, Side};
use polyply_core::glance::Glance;
use polyply_core::learn::Learning;
use polyply_core::problem::{Problem, operations};
use polyply_core::refusal::{Code, Refusal, common};
use std::sync::Arc;

/// The one rule, and its value for Chess960.
const CHESS960: &str = "chess960";
const CHESS960_ON: &[(&str, &str)] = &[(CHESS960, "on")];

impl Family for Chess {
    const ABOUT: About = About {
        moves: "the squares a move begins and ends on, as in `e2e4` or `e7e8q`, or as people write it, as in `Nf3`",
        positions: "FEN, as in `8/8/8/4k3/8/8/4P3/4K3 w - - 0 1`",
        sides: ["white", "black"],
        bench: Bench { depth: 12, positions: BENCH },
        solving: Solving::ForcedWin { budgets: &[], params: &[] },
        openings: include_str!("../openings.txt"),
        books: &[include_bytes!("../books/chess.book")],
        place: 20,
        handicaps: HANDICAPS,
        level_nodes: [2_000, 2_500, 3_000, 4_000, 6_000, 10_000, 700, 2_000, 6_000],
        guide: GUIDE,
        aliases: &[
            Alias::new("uci", "chess"),
            Alias { of: "uci", name: "chess960", rules: CHESS960_ON },
            Alias::new("pgn", "Standard"),
            Alias::new("pgn", "Chess"),
            Alias::new("pgn", "From Position"),
            Alias { of: "pgn", name: "Chess960", rules: CHESS960_ON },
            Alias { of: "pgn", name: "Chess 960", rules: CHESS960_ON },
            Alias { of: "pgn", name: "Fischerandom", rules: CHESS960_ON },
            Alias { of: "pgn", name: "Fischerrandom", rules: CHESS960_ON },
            Alias::new("epd", ""),
            Alias::new("polyglot", ""),
        ],
        options: &[TextOption {
            name: "SyzygyPath",
            help: "Directories with Syzygy tables of endgames, separated by `:`.",
            // The tables are shared by all engines of the process. Results found without them remain valid.
            set: |directories| tablebase::open(directories).map(drop),
        }],
        ..About::new(
            "chess",
            "Chess",
            "The king is to be mated; with the rule `chess960=on` the pieces may begin on other squares.",
        )
    };

    fn rules() -> Vec<RuleChoice> {
        let values = ["off", "on"].map(str::to_owned).into();
        vec![RuleChoice { key: CHESS960, title: "Chess960", values, usual: "off".to_owned() }]
    }

    fn refusals() -> &'static [&'static Code] {
        refusals::CODES
    }

    fn open(setup: &Setup) -> Result<(Self, Evaluator), Refusal> {
        setup.expect_one_size(&Self::ABOUT)?;
        let mut start = Chess::start();
        for (key, value) in &setup.rules {
            start = match (key.as_str(), value.as_str()) {
                (CHESS960, "on") => Chess::chess960(),
                (CHESS960, "off") => Chess::start(),
                (CHESS960, other) => return Err(common::rule_value(CHESS960, "off, on", other)),
                (other, _) => return Err(common::unknown_rule(Self::ABOUT.name, other, CHESS960)),
            };
        }
        let eval = match setup.weights.as_deref() {
            None | Some(Setup::LINEAR) => Evaluator::default(),
            Some(Setup::HANDMADE) => Evaluator::new(&Arc::new(Weights::handmade())),
            Some(text) => Evaluator::parse(text).map_err(common::weights_refused)?,
        };
        Ok((start, eval))
    }

    fn learning() -> Option<Learning<Self>> {
        Some(learn::LEARNING)
    }

    fn glance(&self) -> Vec<Glance<Move>> {
        self.seen_by_people()
    }

    /// A line of [EPD](https://www.chessprogramming.org/Extended_Position_Description): four fields of a FEN and
    /// operations, of which `bm`, `am`, `dm`, `id`, `hmvc` and `fmvn` mean something here. A whole FEN may have its
    /// counters before them.
    fn problem(line: &str) -> Result<Problem, Refusal> {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let [board, side @ ("w" | "b"), _, _] = fields[..] else { return Problem::parse(line) };
        if board.matches('/').count() != 7 {
            return Problem::parse(line);
        }
        let mut rest = line.trim_start();
        for _ in 0..4 {
            rest = word(rest).1;
        }
        let mut counters = ["0".to_owned(), "1".to_owned()];
        for counter in &mut counters {
            let (first, after) = word(rest);
            if !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit()) {
                (*counter, rest) = (first.to_owned(), after);
            }
        }
        let rest = rest.trim_start_matches(';').trim();
        let mut problem = Problem { operations: rest.to_owned(), ..Problem::default() };
        for (code, rest) in operations(rest) {
            match code {
                "dm" => {
                    let moves = rest.trim().parse().ok().filter(|moves| (1..=LONGEST_MATE).contains(moves));
                    let plies = 2 * moves.ok_or_else(|| refusals::mate_moves(rest))? - 1;
                    problem.win = Some(if side == "w" { plies } else { -plies });
                }
                "hmvc" => counters[0] = rest.trim().to_owned(),
                "fmvn" => counters[1] = rest.trim().to_owned(),
                // The others are old analysis, comments and the like.
                code => {
                    problem.set(code, rest);
                }
            }
        }
        problem.position = Some(format!("{} {}", fields.join(" "), counters.join(" ")));
        Ok(problem)
    }
}

/// Odds that White gives, and the classical pawn and move that Black gives.
const HANDICAPS: &[Handicap] = &[
    odds(
        "queen",
        "White plays without a queen",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
        Side::Second,
    ),
    odds("rook", "White plays without a rook", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1", Side::Second),
    odds(
        "knight",
        "White plays without a knight",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1",
        Side::Second,
    ),
    odds(
        "pawn",
        "Black plays without the f-pawn",
        "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        Side::First,
    ),
];

const fn odds(key: &'static str, title: &'static str, position: &'static str, favours: Side) -> Handicap {
    Handicap { key, title, position, favours }
}

/// The longest mate that is accepted, in moves.
const LONGEST_MATE: i32 = 500;

/// The first word of a text, and the rest.
fn word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// Positions of all phases of a game.
const BENCH: &[&str] = &[
    "start",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP1B1PPP/R2QKB1R w KQ - 0 8",
    "r4rk1/1bqnbppp/p2ppn2/1p6/3NPP2/P1NBB3/1PP3PP/R2Q1R1K w - - 0 13",
    "2rq1rk1/p2b1pp1/1p2pn1p/3p4/1b1P4/2NBPN2/PP3PPP/2RQ1RK1 w - - 0 14",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "2r2rk1/5ppp/p3p3/1p1nP3/3P4/1P3N2/P4PPP/2R2RK1 b - - 0 22",
    "8/5pk1/4p1p1/3pP2p/3P1P1P/1p2K1P1/8/8 w - - 0 45",
    "3r2k1/pp3pp1/2p4p/4P3/8/2P2q2/PP3P1P/3RR1K1 w - - 0 24",
    "6k1/1R3pp1/p6p/8/1r6/7P/P4PP1/6K1 w - - 0 31",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epd_is_a_position_with_its_operations() {
        let line =
            "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6 + Nxf7; id \"WAC; 001\"; dm 3; ce 5;";
        let problem = Chess::problem(line).unwrap();
        let fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
        assert_eq!(problem.position.as_deref(), Some(fen));
        assert_eq!(
            (problem.best, problem.id.as_deref(), problem.win),
            (vec!["Qg6".into(), "Nxf7".into()], Some("WAC; 001"), Some(5))
        );
        let black = Chess::problem("8/8/8/8/8/5k2/7p/7K b - - am h2; dm 1; hmvc 4; fmvn 60;").unwrap();
        assert_eq!(black.position.as_deref(), Some("8/8/8/8/8/5k2/7p/7K b - - 4 60"));
        assert_eq!((black.avoid, black.win), (vec!["h2".into()], Some(-1)));
        let fen = "8/8/8/8/8/5k2/7p/7K w - - 12 34 bm h2;";
        assert_eq!(Chess::problem(fen).unwrap().position.as_deref(), Some("8/8/8/8/8/5k2/7p/7K w - - 12 34"));
        assert!(Chess::problem("8/8/8/8/8/8/8/8 w - - dm soon;").unwrap_err().to_string().contains("dm"));
    }
}
