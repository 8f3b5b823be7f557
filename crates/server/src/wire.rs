//! What goes over the wire, as JSON: variants, positions, scores. Everything else sits with what it belongs to.

use crate::error::ApiError;
use crate::refusals;
use polyply_engine::look::{Pieces, Surface, Unseen};
use polyply_engine::swap::{Swap, SwapChoice};
use polyply_engine::{Board, Bound, Info, LEVELS, Line, Outcome, Place, Score, Side, Variant};
use polyply_lab::record::json::JsonScore;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Longer texts of positions than this are refused, and longer lists of moves.
const MOST_TEXT: usize = 4096;
const MOST_MOVES: usize = 2048;
/// The name of a variant with all its rules is shorter.
const MOST_NAME: usize = 200;

/// Which player.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Player {
    /// Who moves first from the start of the game.
    First,
    /// The other one.
    Second,
}

impl From<Side> for Player {
    fn from(side: Side) -> Player {
        match side {
            Side::First => Player::First,
            Side::Second => Player::Second,
        }
    }
}

impl From<Player> for Side {
    fn from(player: Player) -> Side {
        match player {
            Player::First => Side::First,
            Player::Second => Side::Second,
        }
    }
}

/// A score from the first player's side: hundredths, plies to a win (negative where the second player wins), or discs.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum WireScore {
    /// Hundredths of the game's natural unit.
    Cp(i32),
    /// A proven win in so many plies.
    Win(i32),
    /// A difference of discs or points.
    Discs(i32),
}

impl From<Score> for WireScore {
    fn from(score: Score) -> WireScore {
        match JsonScore::from(score) {
            JsonScore::Centi(centi) => WireScore::Cp(centi),
            JsonScore::Win(plies) => WireScore::Win(plies),
            JsonScore::Points(points) => WireScore::Discs(points),
        }
    }
}

impl From<WireScore> for Score {
    fn from(score: WireScore) -> Score {
        match score {
            WireScore::Cp(centi) => Score::Centi(centi),
            WireScore::Win(plies) => Score::Win(plies),
            WireScore::Discs(points) => Score::Points(points),
        }
    }
}

/// A place in a game: a position (the start without one) and moves from it.
#[derive(Serialize, Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
pub struct WirePlace {
    /// The variant with its size and rules, as in `caro:15,opening=swap2`.
    #[schema(example = "connect4")]
    pub variant: String,
    /// A position in the variant's notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Moves from there.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl WirePlace {
    /// The variant and the place, or why there are none.
    pub fn read(&self) -> Result<(Variant, Place), ApiError> {
        if self.position.as_ref().is_some_and(|text| text.len() > MOST_TEXT) {
            return Err(ApiError::invalid(refusals::position_long(MOST_TEXT)));
        }
        if self.moves.len() > MOST_MOVES {
            return Err(ApiError::invalid(refusals::moves_many(MOST_MOVES)));
        }
        let variant = variant(&self.variant)?;
        let position = self.position.clone().filter(|text| !text.trim().is_empty());
        Ok((variant, Place { position, moves: self.moves.clone() }))
    }

    /// The board of it.
    pub fn board(&self) -> Result<Board, ApiError> {
        let (variant, place) = self.read()?;
        Ok(Board::at(&variant, &place)?)
    }
}

/// The variant of a whole name.
pub fn variant(name: &str) -> Result<Variant, ApiError> {
    if name.len() > MOST_NAME {
        return Err(ApiError::invalid(refusals::variant_long(MOST_NAME)));
    }
    Ok(Variant::named(name)?)
}

/// A player as a variant calls it.
#[derive(Serialize, ToSchema)]
pub struct SideLook {
    /// What its pieces are called.
    name: &'static str,
    /// The code of its piece, where all are alike.
    piece: &'static str,
}

/// Names of columns from the left and of rows from the top.
#[derive(Serialize, ToSchema)]
pub struct Coordinates {
    columns: Vec<String>,
    rows: Vec<String>,
}

/// A board without its pieces.
#[derive(Serialize, ToSchema)]
pub struct BoardLook {
    /// `points`, `squares` or `columns`.
    surface: &'static str,
    /// `stones`, `discs`, `marks` or `chessmen`.
    pieces: &'static str,
    columns: usize,
    rows: usize,
    /// The smallest, the largest and the usual size, where there is a choice.
    sizes: Option<[u32; 3]>,
    coordinates: Coordinates,
    checkered: bool,
    /// A position may have walls, with the code `#`.
    walls: bool,
}

/// A rule that can be chosen.
#[derive(Serialize, ToSchema)]
pub struct Rule {
    key: &'static str,
    title: &'static str,
    values: Vec<String>,
    default: String,
}

/// A level of the engine.
#[derive(Serialize, ToSchema)]
pub struct LevelLook {
    level: u8,
    name: &'static str,
}

/// All there is to know of a variant to play it.
#[derive(Serialize, ToSchema)]
pub struct VariantLook {
    name: String,
    title: &'static str,
    description: &'static str,
    /// How moves are written.
    moves: &'static str,
    /// How positions are written.
    positions: &'static str,
    sides: [SideLook; 2],
    board: BoardLook,
    rules: Vec<Rule>,
    /// What is counted besides the pieces.
    counters: Vec<&'static str>,
    /// `cp` or `discs`.
    score_unit: &'static str,
    /// The score that wins 73 % of the games: the chance is `1 / (1 + exp(-score / chance))`.
    chance: f64,
    /// A value on every legal cell says more than a few lines.
    value_on_cells: bool,
    levels: Vec<LevelLook>,
    /// Formats that its games can be exported to.
    formats: Vec<&'static str>,
}

impl VariantLook {
    /// What there is to know of a variant.
    pub fn of(variant: &Variant) -> VariantLook {
        let (about, layout) = (variant.about(), variant.layout());
        let usual = Variant::find(about.name).map_or(0, |usual| usual.layout().columns as u32);
        let side = |side: Side| SideLook {
            name: layout.colours[side.index()],
            piece: match (layout.pieces, side) {
                (Pieces::Chessmen, Side::First) => "wK",
                (Pieces::Chessmen, Side::Second) => "bK",
                (_, Side::First) => "x",
                (_, Side::Second) => "o",
            },
        };
        let counters = Board::new(variant).look().counters.into_iter().map(|(name, _)| name).collect();
        let points = variant.counts_points();
        VariantLook {
            name: variant.name().to_owned(),
            title: about.title,
            description: about.description,
            moves: about.moves,
            positions: about.positions,
            sides: [side(Side::First), side(Side::Second)],
            board: BoardLook {
                surface: match layout.surface {
                    Surface::Points => "points",
                    Surface::Squares => "squares",
                    Surface::Columns => "columns",
                },
                pieces: match layout.pieces {
                    Pieces::Marks => "marks",
                    Pieces::Stones => "stones",
                    Pieces::Discs => "discs",
                    Pieces::Chessmen => "chessmen",
                },
                columns: layout.columns,
                rows: layout.rows,
                sizes: about.sizes.map(|[least, most]| [least, most, usual]),
                coordinates: Coordinates { columns: layout.column_names(), rows: layout.row_names() },
                checkered: layout.checkered,
                walls: layout.walls,
            },
            rules: variant
                .rule_choices()
                .into_iter()
                .map(|rule| Rule { key: rule.key, title: rule.title, values: rule.values, default: rule.usual })
                .collect(),
            counters,
            score_unit: if points { "discs" } else { "cp" },
            chance: variant.chance_unit(),
            value_on_cells: points || layout.surface == Surface::Columns,
            levels: LEVELS.iter().map(|level| LevelLook { level: level.number, name: level.name }).collect(),
            formats: crate::share::formats(variant),
        }
    }
}

/// A legal move with its cells.
#[derive(Serialize, ToSchema, Clone)]
pub struct WireMove {
    text: String,
    /// As people write it, where that is another way.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<String>,
    /// Where it goes; a pass goes nowhere.
    to: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promotes: Option<&'static str>,
}

/// How a game ended.
#[derive(Serialize, Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// Who won; nobody in a draw.
    pub winner: Option<Player>,
    /// Why, in a word or two: `line`, `resignation`, `time`.
    pub reason: String,
    /// By how many points the first player won (or lost, below 0), where points are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
}

/// Settling who plays first.
#[derive(Serialize, ToSchema, Clone)]
pub struct SwapView {
    /// Which seat acts: the one that opened the game (`first`) or the other (`second`), before colours are settled.
    pub acts: Player,
    /// How many stones are still to be placed.
    pub place: u8,
    /// What can be chosen: `stay`, `swap`, `place_two`.
    pub choices: Vec<&'static str>,
}

impl SwapView {
    /// What is to be done; nothing where it is settled.
    pub fn of(swap: Swap) -> Option<SwapView> {
        use polyply_engine::swap::Role;
        let acts = match swap.to_act()? {
            Role::Opener => Player::First,
            Role::Responder => Player::Second,
        };
        let place = match swap {
            Swap::Place { left, .. } => left,
            Swap::Choose { .. } | Swap::Settled { .. } => 0,
        };
        Some(SwapView { acts, place, choices: swap.options().iter().copied().map(SwapChoice::name).collect() })
    }
}

/// Something that the pieces of a position do not show: who may still castle, how many stones were captured.
#[derive(Serialize, ToSchema, Clone)]
pub struct UnseenLook {
    key: &'static str,
    /// How it is.
    value: String,
    /// How it could be with these pieces; `no` and `yes` where it is one or the other.
    values: Vec<String>,
}

impl From<Unseen> for UnseenLook {
    fn from(Unseen { key, value, values }: Unseen) -> UnseenLook {
        UnseenLook { key, value, values }
    }
}

/// Lines from a board, with their moves as people write them where that is another way than the engine's.
pub fn with_short_moves(board: &Board, lines: &[WireLine]) -> Vec<WireLine> {
    let short = |line: &WireLine| board.short_line(&line.moves).filter(|_| board.variant().has_short_moves());
    lines.iter().map(|line| WireLine { shown: short(line), ..line.clone() }).collect()
}

/// All there is to see of a position. Cells are numbered row by row from the top left, from 0.
#[derive(Serialize, ToSchema, Clone)]
pub struct View {
    variant: String,
    /// The position in the variant's notation.
    text: String,
    /// Who is to move.
    side: Player,
    /// What is on each cell: `x`, `o`, a chessman such as `wK`, or nothing.
    cells: Vec<Option<&'static str>>,
    legal: Vec<WireMove>,
    /// The moves to here as people write them, where that is another way.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<Vec<String>>,
    /// The cells of the last move.
    last: Vec<usize>,
    /// The cells of what has won.
    line: Vec<usize>,
    /// Empty cells where the side to move may not play.
    forbidden: Vec<usize>,
    /// Cells of what has to be saved at once: a king in check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checked: Vec<usize>,
    /// What is counted for the first and the second player.
    counters: BTreeMap<&'static str, [u32; 2]>,
    /// What the pieces do not show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unseen: Vec<UnseenLook>,
    outcome: Option<End>,
    /// The name of the opening, where it has one.
    opening: Option<&'static str>,
    /// What is to be done before it is settled who plays first.
    swap: Option<SwapView>,
}

impl View {
    /// What there is to see of a board.
    pub fn of(board: &Board, swap: Option<SwapView>) -> View {
        let sight = board.look();
        let outcome = board.outcome().map(|outcome| End {
            winner: outcome.winner().map(Player::from),
            reason: sight.reason.unwrap_or_default().to_owned(),
            points: match outcome {
                Outcome::Points(points) => Some(points),
                Outcome::Win(_) | Outcome::Draw => None,
            },
        });
        let legal = sight.legal.into_iter().map(|legal| WireMove {
            shown: (legal.short != legal.text).then_some(legal.short),
            text: legal.text,
            to: legal.cells.to,
            from: legal.cells.from,
            promotes: legal.cells.promotes,
        });
        View {
            variant: board.variant().name().to_owned(),
            text: board.text(),
            side: board.side().into(),
            cells: sight.cells,
            legal: legal.collect(),
            shown: board.variant().has_short_moves().then(|| board.short_moves().to_vec()),
            last: sight.last,
            line: sight.line,
            forbidden: sight.forbidden,
            checked: sight.checked,
            counters: sight.counters.into_iter().collect(),
            unseen: sight.unseen.into_iter().map(UnseenLook::from).collect(),
            outcome,
            opening: board.opening_name(),
            swap,
        }
    }
}

/// One of the best lines.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct WireLine {
    /// From 1.
    pub rank: usize,
    pub score: WireScore,
    /// `exact`, `lower` or `upper`: what the score says of the true one, from the first player's side.
    pub bound: &'static str,
    pub moves: Vec<String>,
    /// The moves as people write them, where that is another way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<Vec<String>>,
    pub depth: i32,
    /// The score is a proven result.
    pub exact: bool,
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::AtLeast => "lower",
        Bound::AtMost => "upper",
    }
}

impl WireLine {
    /// A line of a finished search.
    pub fn of(rank: usize, line: &Line) -> WireLine {
        WireLine {
            rank,
            score: line.score.into(),
            bound: bound(line.bound),
            moves: line.moves.clone(),
            shown: None,
            depth: line.depth,
            exact: (matches!(line.score, Score::Win(_)) || line.certainty == Some(100)) && line.bound == Bound::Exact,
        }
    }

    /// A line of a search under way.
    pub fn told(info: &Info) -> WireLine {
        let Info { score, bound, depth, certainty, .. } = *info;
        WireLine::of(info.multipv, &Line { score, bound, depth, certainty, moves: info.line.clone() })
    }
}

/// What a search says while it runs.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct Thought {
    pub depth: i32,
    pub seldepth: i32,
    pub nodes: u64,
    pub nps: u64,
    pub time_ms: u64,
    /// How full the Search TT is, per mille.
    pub hashfull: u32,
    /// Who speaks: `search`, or a stage before it.
    pub stage: &'static str,
    pub lines: Vec<WireLine>,
}

impl Thought {
    /// What was said, with the best lines so far.
    pub fn of(info: &Info, lines: Vec<WireLine>) -> Thought {
        Thought {
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            nps: info.nps,
            time_ms: milliseconds(info.time),
            hashfull: info.fill,
            stage: info.stage,
            lines,
        }
    }
}

/// Whole milliseconds.
pub fn milliseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
