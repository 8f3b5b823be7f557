//! How a game describes itself: its names, board sizes and rules, how it is solved, what other programs call it.
//!
//! A game implements [`Family`] once, beside its rules; the rest of Polyply knows nothing else about it. A game without
//! choices needs two items:
//!
//! ```
//! # use polyply_core::family::{About, Family, Setup};
//! # trait Shown { const ABOUT: About; }
//! # struct Hex;
//! # impl Shown for Hex {
//! const ABOUT: About = About {
//!     moves: "a cell such as `b3`",
//!     positions: "rows from the top and the side to move",
//!     ..About::new("hex", "Hex", "The first player connects top and bottom, the second left and right.")
//! };
//! # }
//! # assert_eq!(Hex::ABOUT.name, "hex");
//! ```
//!
//! and `open`, which returns the starting position and the evaluation.

use crate::game::{SearchGame, Side};
use crate::glance::{self, Glance};
use crate::guide::Guide;
use crate::idle::Depths;
use crate::learn::Learning;
use crate::look::Look;
use crate::problem::Problem;
use crate::refusal::{Code, Refusal, common};
use crate::swap::Swap;
use std::time::Duration;

/// A game's description of itself, implemented by its position type.
pub trait Family: SearchGame + Look {
    /// The part that is plain data.
    const ABOUT: About;

    /// The rules that can be chosen, with all their values.
    fn rules() -> Vec<RuleChoice> {
        Vec::new()
    }

    /// The starting position and the evaluation of the game as it is asked for. A game with nothing to choose calls
    /// [`Setup::expect_plain`] first.
    fn open(setup: &Setup) -> Result<(Self, Self::Eval), Refusal>;

    /// The codes of this game's own refusals, besides those of all games ([`common`]).
    fn refusals() -> &'static [&'static Code] {
        &[]
    }

    /// How the players decide who plays first from this starting position.
    fn swap(&self) -> Swap {
        Swap::SETTLED
    }

    /// How its weights are learned from games, if it has weights.
    fn learning() -> Option<Learning<Self>> {
        None
    }

    /// The moves that people think of in this position, which is not over; at least one.
    fn glance(&self) -> Vec<Glance<Self::Move>> {
        glance::by_order(self)
    }

    /// Reads a line of a file of positions to solve.
    fn problem(line: &str) -> Result<Problem, Refusal> {
        Problem::parse(line)
    }
}

/// The plain data of a game. [`About::new`] has the defaults.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name that commands and files use.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// A description in one sentence.
    pub description: &'static str,
    /// How moves are written.
    pub moves: &'static str,
    /// How positions are written.
    pub positions: &'static str,
    /// What the first and the second player are called.
    pub sides: [&'static str; 2],
    /// How a pass is written, in games that have one.
    pub pass: Option<&'static str>,
    /// The smallest and the largest board, if there is a choice.
    pub sizes: Option<[u32; 2]>,
    /// The positions of the bench.
    pub bench: Bench,
    /// What solving a position means.
    pub solving: Solving,
    /// Named openings, one per line: `moves | name`. Comments begin with `#`.
    pub openings: &'static str,
    /// Opening books that are part of the program, as `polyply book export` writes them (`.book`), for the usual rules
    /// or for others.
    pub books: &'static [&'static [u8]],
    /// The extension of the files that its games are usually kept in.
    pub record: &'static str,
    /// What protocols and file formats call it.
    pub aliases: &'static [Alias],
    /// Options whose values are texts.
    pub options: &'static [TextOption],
    /// The game's parameters that switch off a technique when they are 0.
    pub off_at_zero: &'static [&'static str],
    /// Parameters that self-play sets.
    pub selfplay: &'static [(&'static str, i32)],
    /// How deep idle improvement searches.
    pub idle: Depths,
    /// Where it stands among the games that people choose from: the lowest comes first.
    pub place: u32,
    /// How long the engine thinks about a move in a game without clocks, if the game is usually played like that.
    pub move_time: Option<Duration>,
    /// Megabytes of the evaluation cache with which it searches quickest; 0 where looking up costs more than evaluating.
    pub eval_cache: usize,
    /// Nodes for a move at levels 1 to 9, chosen so that each level wins about two games of three against the one below.
    pub level_nodes: [u32; 9],
    /// The strength of levels 1 to 10 in Elo. The differences are measured; the zero is a convention.
    pub level_elo: [u16; 10],
    /// Parameters that say how far forced sequences are seen. Weak levels have a share of them.
    pub foresight: &'static [&'static str],
    /// Starting positions that favour one side.
    pub handicaps: &'static [Handicap],
    /// How it is explained.
    pub guide: Guide,
}

/// A starting position that favours one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// The key it is chosen by, unique in the game.
    pub key: &'static str,
    /// What is given, in a few words.
    pub title: &'static str,
    /// The position on the usual board.
    pub position: &'static str,
    /// The side that is favoured.
    pub favours: Side,
}

impl About {
    /// A game with a name, a title and a description, and everything else at its default.
    pub const fn new(name: &'static str, title: &'static str, description: &'static str) -> About {
        About {
            name,
            title,
            description,
            moves: "",
            positions: "",
            sides: ["x", "o"],
            pass: None,
            sizes: None,
            bench: Bench { depth: 1, positions: &["start"] },
            solving: Solving::Value,
            openings: "",
            books: &[],
            record: "pgn",
            aliases: &[],
            options: &[],
            off_at_zero: &[],
            selfplay: &[],
            idle: Depths::USUAL,
            place: u32::MAX,
            move_time: None,
            eval_cache: 0,
            level_nodes: [2_000, 2_500, 3_000, 4_000, 6_000, 10_000, 1_500, 6_000, 24_000],
            level_elo: [700, 850, 1000, 1150, 1300, 1450, 1600, 1750, 1900, 2050],
            foresight: &[],
            handicaps: &[],
            guide: Guide::NONE,
        }
    }
}

/// What the bench searches. With one thread its node count is the same on every machine.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// The depth.
    pub depth: i32,
    /// The positions; `start` is the starting position.
    pub positions: &'static [&'static str],
}

/// What solving a position means.
#[derive(Clone, Copy, Debug)]
pub enum Solving {
    /// Finding its value under perfect play.
    Value,
    /// Finding a forced win for either side, in games that are too long to find the value of every position.
    ForcedWin {
        /// Parameters that bound the stages before the search. They are raised from round to round.
        budgets: &'static [&'static str],
        /// Parameters that solving sets.
        params: &'static [(&'static str, i32)],
    },
}

/// What a protocol or a file format calls a game that is played by certain rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alias {
    /// The protocol, or the extension of the file format: `gomocup`, `sgf`.
    pub of: &'static str,
    /// The name or number of the game there; empty if the protocol or format knows only one game.
    pub name: &'static str,
    /// Rules by key that the name stands for.
    pub rules: &'static [(&'static str, &'static str)],
}

impl Alias {
    /// A name of the game, whatever its rules.
    pub const fn new(of: &'static str, name: &'static str) -> Alias {
        Alias { of, name, rules: &[] }
    }
}

/// An option of a game whose value is a text.
#[derive(Clone, Copy, Debug)]
pub struct TextOption {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Sets it for the whole process.
    pub set: fn(&str) -> Result<(), Refusal>,
}

/// A rule that can be chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleChoice {
    /// The key it is set by.
    pub key: &'static str,
    /// Its title for people.
    pub title: &'static str,
    /// All possible values.
    pub values: Vec<String>,
    /// The default.
    pub usual: String,
}

/// How a game is asked for, besides its name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// The size of the board: 15 in `name:15`.
    pub size: Option<u32>,
    /// Rules by key.
    pub rules: Vec<(String, String)>,
    /// The weights of the evaluation: the text of a file of them, [`Setup::HANDMADE`] or [`Setup::LINEAR`]; the built-in ones
    /// without any.
    pub weights: Option<String>,
}

impl Setup {
    /// Asks for the hand-made weights.
    pub const HANDMADE: &'static str = "handmade";
    /// Asks for the built-in weights without a net.
    pub const LINEAR: &'static str = "linear";

    /// Refuses a size, rules and weights, for games with nothing to choose.
    pub fn expect_plain(&self, about: &About) -> Result<(), Refusal> {
        self.expect_one_size(about)?;
        if !self.rules.is_empty() {
            return Err(common::no_rules(about.name));
        }
        match self.weights {
            Some(_) => Err(common::no_weights(about.name)),
            None => Ok(()),
        }
    }

    /// Refuses a size, for games with one board.
    pub fn expect_one_size(&self, about: &About) -> Result<(), Refusal> {
        match self.size {
            Some(_) => Err(common::one_size(about.name)),
            None => Ok(()),
        }
    }
}
