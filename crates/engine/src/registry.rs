//! The games by name. A new game is one [`Entry`] in [`ENTRIES`]; everything else finds it there.

use crate::bargain::{Bargain, Party};
use crate::bench::BenchSet;
use crate::erased::{Door, Rules};
use crate::error::EngineError;
use crate::force::Force;
use crate::look::{Layout, RuleChoice, Wishes};
use crate::openings::Openings;
use crate::problem::{self, Problem};
use crate::request::Place;
use crate::score::Score;
use polyply_chess::Chess;
use polyply_core::game::{Notation, SearchGame, Side};
use polyply_core::look::Look;
use polyply_five::rule::{Capture, Caro, Freestyle, Rule, Standard};
use polyply_five::settings::{Kind, SIZES, Settings};
use polyply_five::{Choices, Evaluator, Five, Weights};
use polyply_othello::Othello;
use polyply_small::connect4::Connect4;
use polyply_small::tictactoe::TicTacToe;
use std::fmt;
use std::sync::Arc;

/// All games, in the order in which they are shown. (A constant would be compiled, with every search, wherever it is used.)
pub static ENTRIES: &[Entry] = &[
    Entry {
        name: "tictactoe",
        title: "Tic-tac-toe",
        description: "Three in a row on a board of three by three; two players who know it draw.",
        moves: "a cell from a1 to c3: column from the left, row from the bottom",
        positions: "rows from the top and the side to move, as in `3/1x1/3 o`",
        sides: ["x", "o"],
        sizes: None,
        rules: no_rules,
        open: plain::<TicTacToe>,
        problem: problem::position_only,
        force: None,
        bench: BenchSet { depth: 9, positions: &["3/3/3 x", "3/1x1/3 o", "x2/1o1/2x o"] },
    },
    Entry {
        name: "connect4",
        title: "Connect Four",
        description: "Discs fall into seven columns; four in a row win, and with best play the first player does.",
        moves: "a column from a to g, or from 1 to 7",
        positions: "the columns played so far, as in `4453`, or rows from the top and the side to move, as in \
                    `7/7/7/7/3o3/3x3 x`",
        sides: ["x", "o"],
        sizes: None,
        rules: no_rules,
        open: plain::<Connect4>,
        problem: problem::pons,
        force: None,
        bench: BenchSet {
            depth: 20,
            positions: &[
                "start",
                "44",
                "4332",
                "445671",
                "35444463",
                "1234567",
                "2252576253462244111563365343671351441",
                "214657261653",
                "217454",
                "273163456",
                "31762453",
                "335247262",
                "45314164153",
                "61342746261",
                "627167176",
                "6533524",
                "6667752514",
                "7656654",
                "772125",
            ],
        },
    },
    Entry {
        name: "freestyle",
        title: "Gomoku, freestyle",
        description: "Five in a row or more win.",
        open: five::<Freestyle>,
        bench: BenchSet { depth: 12, positions: FIVE_BENCH },
        ..FIVE
    },
    Entry {
        name: "standard",
        title: "Gomoku, standard",
        description: "Exactly five in a row win; six or more do not.",
        open: five::<Standard>,
        bench: BenchSet { depth: 12, positions: FIVE_BENCH },
        ..FIVE
    },
    Entry {
        name: "caro",
        title: "Caro",
        description: "Exactly five in a row win, unless both ends are closed.",
        open: five::<Caro>,
        bench: BenchSet { depth: 12, positions: FIVE_BENCH },
        ..FIVE
    },
    Entry {
        name: "capture",
        title: "Capture gomoku",
        description: "Pairs can be captured; five in a row win unless a capture breaks them, and so do five pairs.",
        positions: "rows from the top, the side to move and the stones each side has captured, or the moves so far, as in \
                    `j10 k11 j11`",
        open: five::<Capture>,
        bench: BenchSet { depth: 8, positions: FIVE_BENCH },
        ..FIVE
    },
    Entry {
        name: "othello",
        title: "Othello",
        description: "Discs between two of the other colour flip; who has more at the end has won.",
        moves: "a square from a1 to h8: column from the left, row from the top; or pass",
        positions: "64 cells from a1 along the rows and the side to move, as in OBF, or the moves so far, as in `f5d6c3`",
        sides: ["black", "white"],
        sizes: None,
        rules: no_rules,
        open: othello,
        problem: problem::obf,
        force: None,
        bench: BenchSet { depth: 9, positions: OTHELLO_BENCH },
    },
    Entry {
        name: "chess",
        title: "Chess",
        description: "The king is to be mated; with the rule `chess960=on` the pieces may begin on other squares.",
        moves: "the squares a move begins and ends on, as in `e2e4` or `e7e8q`, or as people write it, as in `Nf3`",
        positions: "FEN, as in `8/8/8/4k3/8/8/4P3/4K3 w - - 0 1`",
        sides: ["white", "black"],
        sizes: None,
        rules: chess_rules,
        open: chess,
        problem: problem::position_only,
        force: Some(Force { budgets: &[], params: &[] }),
        bench: BenchSet { depth: 12, positions: CHESS_BENCH },
    },
];

/// Games of Othello, from the opening to the endgame.
const OTHELLO_BENCH: &[&str] = &[
    "start",
    "f5d6c3d3c4f4c5b3c2",
    "f5d6c5f4e3c6d3f6e6d7",
    "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O",
    "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X",
];

/// Positions of all phases of a game.
const CHESS_BENCH: &[&str] = &[
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

/// What the games of five in a row have in common.
const FIVE: Entry = Entry {
    name: "",
    title: "",
    description: "",
    moves: "a cell such as h8: column from the left, row from the bottom",
    positions: "rows from the top and the side to move, or the moves so far, as in `h8 i9 h9`",
    sides: ["x", "o"],
    sizes: Some([*SIZES.start() as u32, *SIZES.end() as u32]),
    rules: five_rules,
    open: five::<Freestyle>,
    problem: problem::position_only,
    force: Some(Force {
        budgets: &["vcf_root_budget", "vct_root_budget"],
        // Every move is searched, and after each the opponent's attack is looked for: so a loss is proven as well.
        params: &[("vcf_defence_budget", 0), ("vct_depth", 2), ("vct_threats", 8), ("vct_budget", 500)],
    }),
    bench: BenchSet { depth: 0, positions: &[] },
};

/// Middle games of gomoku; on larger boards they stand in a corner.
const FIVE_BENCH: &[&str] = &[
    "h8 i9 h11 h9 g9 i7 i8 j9 g7 f6 h10",
    "h8 h9 k8 i8 g9 j7 i10 f8 h10 j10",
    "h8 g9 j11 g8 g10 h9 f10 i9 f9",
    "h8 i7 e6 g8 j7 i9 i6 h6 j8 h7 g7 k5",
    "h8 j9 h5 g6 i7 j6 j8 h6 i6",
];

/// What the registry says about a game.
pub struct Entry {
    /// The name it is called by.
    pub name: &'static str,
    /// The name people know it by.
    pub title: &'static str,
    /// What it is, in a sentence.
    pub description: &'static str,
    /// How moves are written.
    pub moves: &'static str,
    /// How positions are written.
    pub positions: &'static str,
    /// What the first and the second player are called.
    pub sides: [&'static str; 2],
    /// The smallest and the largest board, where there is a choice.
    pub sizes: Option<[u32; 2]>,
    /// The rules that can be chosen.
    rules: fn(&str) -> Vec<RuleChoice>,
    /// Makes the game as it was asked for.
    open: fn(&'static str, &Setup) -> Result<Opened, EngineError>,
    /// Reads a line of a file of positions to solve.
    problem: fn(&str) -> Result<Problem, EngineError>,
    /// How positions are solved, where that means to find forced wins.
    force: Option<Force>,
    /// What the bench searches.
    bench: BenchSet,
}

impl Entry {
    /// The rules that can be chosen, by their keys, with all their values.
    pub fn rules(&self) -> Vec<RuleChoice> {
        (self.rules)(self.name)
    }

    /// To solve a position is to find a win that is forced, for the game is too long for the value of every position.
    pub fn solves_by_force(&self) -> bool {
        self.force.is_some()
    }
}

/// How a variant is asked for, besides its name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// The size of the board: 15 in `name:15`.
    pub size: Option<u32>,
    /// Rules by key.
    pub rules: Vec<(String, String)>,
    /// The weights of the evaluation: the text of a file of them, or `guessed` for those that nothing was learned for;
    /// the game's own without any.
    pub weights: Option<String>,
}

/// A game as it was asked for.
struct Opened {
    door: Arc<dyn Door>,
    bargain: Bargain,
}

/// A game that is played by one set of rules.
fn no_rules(_: &str) -> Vec<RuleChoice> {
    Vec::new()
}

/// The rules of a game of five in a row.
fn five_rules(name: &str) -> Vec<RuleChoice> {
    let choices = Kind::from_name(name).map(Choices::of).unwrap_or_default();
    let plain = |Choices { key, title, values, usual }| RuleChoice { key, title, values, usual };
    choices.into_iter().map(plain).collect()
}

/// A game of one size and one set of rules.
fn plain<G>(name: &'static str, setup: &Setup) -> Result<Opened, EngineError>
where
    G: SearchGame<Eval: Default> + Look,
{
    let refuse = |reason: &str| Err(EngineError::Setup { variant: name, reason: format!("`{name}` {reason}") });
    if setup.size.is_some() {
        return refuse("has a board of one size, so it takes none");
    }
    if !setup.rules.is_empty() {
        return refuse("has no rules to choose from");
    }
    if setup.weights.is_some() {
        return refuse("has an evaluation without weights");
    }
    let door = Arc::new(Rules { start: G::start(), eval: G::Eval::default() });
    Ok(Opened { door, bargain: Bargain::Settled { first: Party::Opener } })
}

/// A game of five in a row.
fn five<R: Rule>(name: &'static str, setup: &Setup) -> Result<Opened, EngineError> {
    let refuse = |reason| EngineError::Setup { variant: name, reason };
    let settings = Settings::new(name, setup.size, &setup.rules).map_err(refuse)?;
    // An evaluation keeps its weights for the life of the program, and a program takes up a few of them at most.
    let keep = |weights| &*Box::leak(Box::new(weights));
    let weights = match setup.weights.as_deref() {
        None => Weights::of(R::KIND),
        Some("guessed") => keep(Weights::guessed()),
        Some(text) => keep(Weights::parse(text).map_err(refuse)?),
    };
    let door = Arc::new(Rules { start: Five::<R>::new(settings), eval: Evaluator::new(weights) });
    Ok(Opened { door, bargain: settings.opening.bargain() })
}

/// The one rule of chess.
fn chess_rules(_: &str) -> Vec<RuleChoice> {
    let values = ["off", "on"].map(str::to_owned).into();
    vec![RuleChoice { key: "chess960", title: "Chess960", values, usual: "off".to_owned() }]
}

/// Chess, or Chess960 by rule.
fn chess(name: &'static str, setup: &Setup) -> Result<Opened, EngineError> {
    let refuse = |reason| EngineError::Setup { variant: name, reason };
    if setup.size.is_some() {
        return Err(refuse("`chess` has a board of one size, so it takes none".into()));
    }
    let mut start = Chess::start();
    for (key, value) in &setup.rules {
        start = match (key.as_str(), value.as_str()) {
            ("chess960", "on") => Chess::chess960(),
            ("chess960", "off") => Chess::start(),
            ("chess960", other) => {
                return Err(refuse(format!("chess960 is on or off, not `{}`", other.escape_debug())));
            }
            (other, _) => return Err(refuse(format!("chess has no rule `{}`, only: chess960", other.escape_debug()))),
        };
    }
    // As with five in a row: a program takes up a few sets of weights at most.
    let keep = |weights| &*Box::leak(Box::new(weights));
    let weights = match setup.weights.as_deref() {
        None => polyply_chess::Weights::built_in(),
        Some("guessed") => keep(polyply_chess::Weights::guessed()),
        Some(text) => keep(polyply_chess::Weights::parse(text).map_err(refuse)?),
    };
    let door = Arc::new(Rules { start, eval: polyply_chess::Evaluator::new(weights) });
    Ok(Opened { door, bargain: Bargain::Settled { first: Party::Opener } })
}

/// Othello: one board, but a choice of weights.
fn othello(name: &'static str, setup: &Setup) -> Result<Opened, EngineError> {
    let learned = match setup.weights.as_deref() {
        None => Some(polyply_othello::Weights::built_in()),
        Some("guessed") => None,
        Some(text) => {
            let refuse = |reason| EngineError::Setup { variant: name, reason };
            Some(&*Box::leak(Box::new(polyply_othello::Weights::parse(text).map_err(refuse)?)))
        }
    };
    let plain = Setup { weights: None, ..setup.clone() };
    let opened = self::plain::<Othello>(name, &plain)?;
    let door = Arc::new(Rules { start: Othello::start(), eval: polyply_othello::Evaluator::new(learned) });
    Ok(Opened { door, ..opened })
}

/// A game that can be played: found by name, with its board and rules chosen.
#[derive(Clone)]
pub struct Variant {
    entry: &'static Entry,
    setup: Setup,
    name: String,
    door: Arc<dyn Door>,
    bargain: Bargain,
}

impl Variant {
    /// The variant of a name, with the size of the board and rules where there is a choice: `connect4`, `name:15`,
    /// `name:15,key=value`.
    pub fn find(name: &str) -> Result<Variant, EngineError> {
        let mut parts = name.split(',');
        let plain = parts.next().unwrap_or_default();
        let rule = |part: &str| {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            (key.to_owned(), value.to_owned())
        };
        Variant::with_rules(plain, &parts.map(rule).collect::<Vec<_>>())
    }

    /// The variant of a name, played by these rules.
    pub fn with_rules(name: &str, rules: &[(String, String)]) -> Result<Variant, EngineError> {
        let (plain, size) = match name.split_once(':') {
            Some((plain, size)) => (plain, Some(size)),
            None => (name, None),
        };
        let entry = ENTRIES.iter().find(|entry| entry.name == plain).ok_or_else(|| EngineError::Variant {
            name: plain.escape_debug().to_string(),
            known: ENTRIES.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", "),
        })?;
        let not_a_number = |_| EngineError::Setup {
            variant: entry.name,
            reason: format!("`{0}` takes the size of the board as a number, as in `{0}:15`", entry.name),
        };
        let size = size.map(str::parse).transpose().map_err(not_a_number)?;
        let setup = Setup { size, rules: rules.to_vec(), weights: None };
        let Opened { door, bargain } = (entry.open)(entry.name, &setup)?;
        let mut name = name.to_owned();
        for (key, value) in rules {
            name += &format!(",{key}={value}");
        }
        Ok(Variant { entry, setup, name, door, bargain })
    }

    /// The variant of a whole name, as [`Variant::name`] tells it: `caro:15,opening=swap2`. What is usual is left out of
    /// the name again, so that the same game always has the same.
    pub fn named(text: &str) -> Result<Variant, EngineError> {
        let mut parts = text.split(',');
        let name = parts.next().unwrap_or_default();
        let mut rules = Vec::new();
        for part in parts {
            let (key, value) = part.split_once('=').ok_or_else(|| EngineError::Setup {
                variant: "",
                reason: format!("a rule is written key=value, not `{}`", part.escape_debug()),
            })?;
            rules.push((key.to_owned(), value.to_owned()));
        }
        let asked = Variant::with_rules(name, &rules)?;
        let entry = asked.entry;
        let last = |key: &str| rules.iter().rev().find(|(given, _)| given == key).map(|(_, value)| value.clone());
        let unusual = entry.rules().into_iter().filter_map(|rule| {
            let value = last(rule.key)?;
            (value != rule.usual).then(|| (rule.key.to_owned(), value))
        });
        let usual_size = Variant::find(entry.name)?.layout().columns as u32;
        let name = match asked.setup.size {
            Some(size) if size != usual_size => format!("{}:{size}", entry.name),
            _ => entry.name.to_owned(),
        };
        Variant::with_rules(&name, &unusual.collect::<Vec<_>>())
    }

    /// The same game with other weights of its evaluation, see [`Setup::weights`].
    pub fn with_weights(&self, weights: &str) -> Result<Variant, EngineError> {
        let setup = Setup { weights: Some(weights.to_owned()), ..self.setup.clone() };
        let Opened { door, .. } = (self.entry.open)(self.entry.name, &setup)?;
        Ok(Variant { setup, door, ..self.clone() })
    }

    /// All games at their usual sizes.
    pub fn all() -> impl Iterator<Item = Variant> {
        ENTRIES.iter().filter_map(|entry| Variant::find(entry.name).ok())
    }

    /// The name it was asked for by, its size and rules included.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it was asked for, besides its name.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The board without its pieces.
    pub fn layout(&self) -> Layout {
        self.door.layout()
    }

    /// A result is a number of points, and not just won, drawn or lost.
    pub fn counts_points(&self) -> bool {
        self.door.counts_points()
    }

    /// The text of a position with these codes on its cells, one for each, and with what was wished for what pieces do not
    /// show: what a person has set up. Whether it can be a position shows when it is read.
    pub fn arranged(&self, codes: &[Option<&str>], side: Side, wishes: &Wishes) -> Result<String, EngineError> {
        let layout = self.layout();
        let refuse = |reason: String| Err(EngineError::Setup { variant: self.entry().name, reason });
        let known = layout.pieces.codes();
        if let Some(code) = codes.iter().flatten().find(|code| !known.contains(code)) {
            return refuse(format!("there is no piece `{}`, only {}", code.escape_debug(), known.join(", ")));
        }
        let cells = layout.columns * layout.rows;
        if codes.len() != cells {
            return refuse(format!("the board has {cells} cells, not {}", codes.len()));
        }
        Ok(self.door.arranged(codes, side, wishes))
    }

    /// A score, in hundredths or in points, with which a player wins 73 % of the games.
    pub fn chance_unit(&self) -> f64 {
        self.door.chance_unit()
    }

    /// The first player's chance of winning that a score stands for, 0 to 1: a draw counts as a half.
    pub fn chance(&self, score: Score) -> f64 {
        self.door.chance(score)
    }

    /// A random move where the game goes on: the most promising of `choosiness` moves that are drawn from those worth a
    /// look. `below` draws a number below the one it is given.
    pub fn draw(
        &self,
        place: &Place,
        choosiness: usize,
        below: &mut dyn FnMut(usize) -> usize,
    ) -> Result<String, EngineError> {
        self.door.draw(place, choosiness, below)
    }

    /// People write moves down in another way than the game does.
    pub fn has_short_moves(&self) -> bool {
        self.door.has_short_moves()
    }

    /// The moves of a place as people write them down: `Nf3` where the game writes `g1f3`.
    pub fn short_moves(&self, place: &Place) -> Result<Vec<String>, EngineError> {
        self.door.short_moves(place)
    }

    /// A key of each position on the way to a place, its first and its last included. Positions that are the same by a
    /// symmetry of the rules have the same key.
    pub fn folded_keys(&self, place: &Place) -> Result<Vec<u64>, EngineError> {
        self.door.folded_keys(place)
    }

    /// The name of the opening that a game has come to: of the last position on its way that has one, whatever moves
    /// led there.
    pub fn opening_name(&self, place: &Place) -> Option<String> {
        Openings::of_game(self.entry.name)?.name(self, place)
    }

    /// What the evaluation alone thinks of a position where the game goes on; no move is looked at.
    pub fn evaluate(&self, place: &Place) -> Result<Score, EngineError> {
        self.door.evaluate(place)
    }

    /// What the registry says about it.
    pub fn entry(&self) -> &'static Entry {
        self.entry
    }

    /// Reads a line of a file of positions to solve.
    pub fn problem(&self, line: &str) -> Result<Problem, EngineError> {
        (self.entry.problem)(line)
    }

    /// How the bargain about who plays first begins; settled from the start where the rules have none.
    pub fn bargain(&self) -> Bargain {
        self.bargain
    }

    pub(crate) fn force(&self) -> Option<&'static Force> {
        self.entry.force.as_ref()
    }

    pub(crate) fn door(&self) -> &dyn Door {
        &*self.door
    }

    pub(crate) fn bench_set(&self) -> &BenchSet {
        &self.entry.bench
    }

    /// What must be the same for a table of positions to be of use: the variant and the weights.
    pub(crate) fn fingerprint(&self) -> u64 {
        // FNV-1a over the name.
        let name = self.name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        name ^ self.door.weights()
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Variant({})", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_opens_under_its_name_and_describes_itself() {
        for (variant, entry) in Variant::all().zip(ENTRIES) {
            assert_eq!(variant.name(), entry.name);
            for text in [entry.title, entry.description, entry.moves, entry.positions] {
                assert!(!text.is_empty(), "{}", entry.name);
            }
        }
        assert_eq!(Variant::all().count(), ENTRIES.len());
    }

    #[test]
    fn a_whole_name_leaves_out_what_is_usual() {
        let name = |text| Variant::named(text).map(|variant| variant.name().to_owned());
        assert_eq!(name("caro:19,opening=open").unwrap(), "caro");
        assert_eq!(name("caro:15,blocked_ends=off,opening=swap2").unwrap(), "caro:15,opening=swap2,blocked_ends=off");
        assert_eq!(name("connect4").unwrap(), "connect4");
        assert!(name("caro,opening").unwrap_err().to_string().contains("key=value"));
        assert!(name("caro,komi=6").unwrap_err().to_string().contains("komi"));
    }

    #[test]
    fn an_unknown_name_is_told_what_there_is() {
        let error = Variant::find("chekers").unwrap_err().to_string();
        assert!(error.contains("`chekers`") && error.contains("tictactoe, connect4"), "{error}");
    }

    #[test]
    fn a_drawn_move_is_legal_and_depends_on_what_is_drawn() {
        for variant in Variant::all() {
            let place = Place::default();
            let draw = |number: usize| variant.draw(&place, 1, &mut |end| number.min(end - 1)).unwrap();
            for mv in [draw(0), draw(1)] {
                crate::Board::at(&variant, &place.after(&mv)).unwrap();
            }
        }
        let variant = Variant::find("connect4").unwrap();
        let drawn = |number: usize| variant.draw(&Place::default(), 1, &mut |_| number).unwrap();
        assert_ne!(drawn(0), drawn(1));
        assert!(matches!(variant.draw(&Place::new(Some("445566"), &["c"]), 1, &mut |_| 0), Err(EngineError::Over(_))));
    }

    #[test]
    fn a_size_or_a_rule_that_a_game_does_not_have_is_refused() {
        let error = |name, rules: &[(String, String)]| Variant::with_rules(name, rules).unwrap_err().to_string();
        assert!(error("connect4:9", &[]).contains("one size"));
        assert!(error("connect4:big", &[]).contains("as a number"));
        assert!(error("connect4", &[("pop".into(), "out".into())]).contains("no rules"));
        assert_eq!(error("caro:23", &[]), "the board size is 5 to 22, not 23");
        let weights = |name, text| Variant::find(name).unwrap().with_weights(text).unwrap_err().to_string();
        assert!(weights("connect4", "guessed").contains("without weights"));
        assert!(weights("freestyle", "nonsense").contains("file of weights"));
        assert!(error("chess:9", &[]).contains("one size"));
        assert!(error("chess", &[("chess960".into(), "yes".into())]).contains("on or off, not `yes`"));
        assert!(error("chess", &[("komi".into(), "6".into())]).contains("only: chess960"));
        assert_eq!(error("standard", &[("komi".into(), "6".into())]), "standard has no rule `komi`, only: opening");
    }
}
