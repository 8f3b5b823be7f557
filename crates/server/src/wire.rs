//! JSON that several parts of the interface share: variants, positions, scores, reports of searches.

use crate::error::ApiError;
use crate::refusals;
use crate::time::milliseconds;
use polyply_engine::look::{Pieces, PositionLook, Surface, Unseen};
use polyply_engine::swap::{Swap, SwapChoice};
use polyply_engine::{
    Board, Bound, Handicap, Info, LEVELS, Line, Outcome, PERSONAS, PositionSpec, Score, Side, Variant,
};
use polyply_lab::record::json::JsonScore;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The longest text of a position, and the longest list of moves.
const MAX_TEXT: usize = 4096;
const MAX_MOVES: usize = 2048;
/// The longest name of a variant with its rules.
const MAX_NAME: usize = 200;

/// One of the two players.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum WireSide {
    /// Moves first in the usual starting position.
    First,
    /// The opponent.
    Second,
}

impl From<Side> for WireSide {
    fn from(side: Side) -> WireSide {
        match side {
            Side::First => WireSide::First,
            Side::Second => WireSide::Second,
        }
    }
}

impl From<WireSide> for Side {
    fn from(side: WireSide) -> Side {
        match side {
            WireSide::First => Side::First,
            WireSide::Second => Side::Second,
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
    /// The variant and the place.
    pub fn read(&self) -> Result<(Variant, PositionSpec), ApiError> {
        if self.position.as_ref().is_some_and(|text| text.len() > MAX_TEXT) {
            return Err(ApiError::invalid(refusals::position_long(MAX_TEXT)));
        }
        if self.moves.len() > MAX_MOVES {
            return Err(ApiError::invalid(refusals::moves_many(MAX_MOVES)));
        }
        let variant = variant(&self.variant)?;
        let position = self.position.clone().filter(|text| !text.trim().is_empty());
        Ok((variant, PositionSpec { position, moves: self.moves.clone() }))
    }

    /// The board at that place.
    pub fn board(&self) -> Result<Board, ApiError> {
        let (variant, place) = self.read()?;
        Ok(Board::at(&variant, &place)?)
    }
}

/// The variant of a name with size and rules.
pub fn variant(name: &str) -> Result<Variant, ApiError> {
    if name.len() > MAX_NAME {
        return Err(ApiError::invalid(refusals::variant_long(MAX_NAME)));
    }
    Ok(Variant::named(name)?)
}

/// A player of a variant.
#[derive(Serialize, ToSchema)]
pub struct SideView {
    /// The colour or kind of the pieces.
    name: &'static str,
    /// The code of a piece that stands for this player.
    piece: &'static str,
}

/// Names of columns from the left and of rows from the top.
#[derive(Serialize, ToSchema)]
pub struct Coordinates {
    columns: Vec<String>,
    rows: Vec<String>,
}

/// A board without pieces.
#[derive(Serialize, ToSchema)]
pub struct BoardView {
    /// `points`, `squares` or `columns`.
    surface: &'static str,
    /// `stones`, `discs`, `marks` or `chessmen`.
    pieces: &'static str,
    columns: usize,
    rows: usize,
    /// The smallest, the largest and the usual size, if there is a choice.
    sizes: Option<[u32; 3]>,
    coordinates: Coordinates,
    checkered: bool,
    /// A position may have walls, with the code `#`.
    walls: bool,
    /// The second player sees the board turned by half.
    facing: bool,
}

/// A rule that can be chosen.
#[derive(Serialize, ToSchema)]
pub struct RuleView {
    key: &'static str,
    title: &'static str,
    values: Vec<String>,
    default: String,
}

/// A level of the engine.
#[derive(Serialize, ToSchema)]
pub struct LevelView {
    level: u8,
    name: &'static str,
    /// Its strength. The differences between levels are measured.
    elo: i32,
}

/// A style of the engine.
#[derive(Serialize, ToSchema)]
pub struct PersonaView {
    name: &'static str,
    /// The lowest and the highest level that suit it.
    levels: [u8; 2],
}

/// A starting position that favours one side.
#[derive(Serialize, ToSchema)]
pub struct HandicapView {
    key: &'static str,
    title: &'static str,
    position: &'static str,
    favours: WireSide,
}

/// What an app needs to know to show and play a variant.
#[derive(Serialize, ToSchema)]
pub struct VariantView {
    name: String,
    title: &'static str,
    description: &'static str,
    /// How moves are written.
    moves: &'static str,
    /// How positions are written.
    positions: &'static str,
    sides: [SideView; 2],
    board: BoardView,
    rules: Vec<RuleView>,
    /// Counters that are shown beside the board.
    counters: Vec<&'static str>,
    /// `cp` or `discs`.
    score_unit: &'static str,
    /// The score that wins 73 % of the games: the chance is `1 / (1 + exp(-score / chance))`.
    chance: f64,
    /// An analysis shows a value on every legal cell rather than a few lines.
    value_on_cells: bool,
    levels: Vec<LevelView>,
    personas: Vec<PersonaView>,
    /// Starting positions that favour one side, on the usual board.
    handicaps: Vec<HandicapView>,
    /// How many openings have names.
    named_openings: usize,
    /// How long the engine usually thinks about a move, in milliseconds, if the game says so.
    move_ms: Option<u64>,
    /// The formats that its games can be exported to.
    formats: Vec<&'static str>,
}

impl VariantView {
    /// The description of a variant.
    pub fn of(variant: &Variant) -> VariantView {
        let (about, layout) = (variant.about(), variant.layout());
        let usual = Variant::find(about.name).map_or(0, |usual| usual.layout().columns as u32);
        let side = |side: Side| SideView {
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
        VariantView {
            name: variant.name().to_owned(),
            title: about.title,
            description: about.description,
            moves: about.moves,
            positions: about.positions,
            sides: [side(Side::First), side(Side::Second)],
            board: BoardView {
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
                facing: layout.facing,
            },
            rules: variant
                .rule_choices()
                .into_iter()
                .map(|rule| RuleView { key: rule.key, title: rule.title, values: rule.values, default: rule.usual })
                .collect(),
            counters,
            score_unit: if points { "discs" } else { "cp" },
            chance: variant.chance_unit(),
            value_on_cells: points || layout.surface == Surface::Columns,
            levels: LEVELS
                .iter()
                .map(|level| LevelView { level: level.number, name: level.name, elo: level.elo(variant) })
                .collect(),
            personas: PERSONAS.iter().map(|one| PersonaView { name: one.name, levels: one.levels }).collect(),
            handicaps: about
                .handicaps
                .iter()
                .filter(|_| layout.columns as u32 == usual)
                .map(|&Handicap { key, title, position, favours }| HandicapView {
                    key,
                    title,
                    position,
                    favours: favours.into(),
                })
                .collect(),
            named_openings: variant.named_openings().count(),
            move_ms: about.move_time.map(milliseconds),
            formats: crate::share::formats(variant),
        }
    }
}

/// A legal move with its cells.
#[derive(Serialize, ToSchema, Clone)]
pub struct WireMove {
    text: String,
    /// As people write it, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<String>,
    /// The cell it goes to; none for a pass.
    to: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promotes: Option<&'static str>,
}

/// How a game ended.
#[derive(Serialize, Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The winner; none in a draw.
    pub winner: Option<WireSide>,
    /// The reason, in a word or two: `line`, `resignation`, `time`.
    pub reason: String,
    /// The points that the first player won by (negative: lost by), in games that count points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i32>,
}

impl GameEnd {
    /// The end of a game by its rules, whose last position looks like this.
    pub fn by_rules(outcome: Outcome, sight: &PositionLook) -> GameEnd {
        GameEnd {
            winner: outcome.winner().map(WireSide::from),
            reason: sight.reason.unwrap_or_default().to_owned(),
            points: match outcome {
                Outcome::Points(points) => Some(points),
                Outcome::Win(_) | Outcome::Draw => None,
            },
        }
    }
}

/// The next step in settling who plays first.
#[derive(Serialize, ToSchema, Clone)]
pub struct SwapView {
    /// The seat that acts: the opener's (`first`) or the responder's (`second`), before colours are settled.
    pub acts: WireSide,
    /// How many stones are still to be placed.
    pub place: u8,
    /// What can be chosen: `stay`, `swap`, `place_two`.
    pub choices: Vec<&'static str>,
}

impl SwapView {
    /// The next step; none if all is settled.
    pub fn of(swap: Swap) -> Option<SwapView> {
        use polyply_engine::swap::Role;
        let acts = match swap.to_act()? {
            Role::Opener => WireSide::First,
            Role::Responder => WireSide::Second,
        };
        let place = match swap {
            Swap::Place { left, .. } => left,
            Swap::Choose { .. } | Swap::Settled { .. } => 0,
        };
        Some(SwapView { acts, place, choices: swap.options().iter().copied().map(SwapChoice::name).collect() })
    }
}

/// Something that the pieces do not show: castling rights, captured stones.
#[derive(Serialize, ToSchema, Clone)]
pub struct UnseenView {
    key: &'static str,
    /// The present value.
    value: String,
    /// The values that are possible with these pieces, such as `no` and `yes`.
    values: Vec<String>,
}

impl From<Unseen> for UnseenView {
    fn from(Unseen { key, value, values }: Unseen) -> UnseenView {
        UnseenView { key, value, values }
    }
}

/// Lines from a board, with their moves as people write them if that differs from the engine's way.
pub fn with_short_moves(board: &Board, lines: &[WireLine]) -> Vec<WireLine> {
    let short = |line: &WireLine| board.short_line(&line.moves).filter(|_| board.variant().has_short_moves());
    lines.iter().map(|line| WireLine { shown: short(line), ..line.clone() }).collect()
}

/// A position as it is shown. Cells are numbered row by row from the top left, from 0.
#[derive(Serialize, ToSchema, Clone)]
pub struct PositionView {
    variant: String,
    /// The position in the variant's notation.
    text: String,
    /// The side to move.
    side: WireSide,
    /// The piece on each cell: `x`, `o`, a chess piece such as `wK`, or none.
    cells: Vec<Option<&'static str>>,
    legal: Vec<WireMove>,
    /// The moves so far as people write them, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<Vec<String>>,
    /// The cells of the last move.
    last: Vec<usize>,
    /// The cells of the winning line.
    line: Vec<usize>,
    /// Empty cells where the side to move may not play.
    forbidden: Vec<usize>,
    /// Cells under attack that must be saved at once: a king in check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checked: Vec<usize>,
    /// Counters of the first and the second player.
    counters: BTreeMap<&'static str, [u32; 2]>,
    /// What the pieces do not show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unseen: Vec<UnseenView>,
    outcome: Option<GameEnd>,
    /// The name of the opening, if it has one.
    opening: Option<&'static str>,
    /// The next step in settling who plays first.
    swap: Option<SwapView>,
}

impl PositionView {
    /// The view of a board.
    pub fn of(board: &Board, swap: Option<SwapView>) -> PositionView {
        let sight = board.look();
        let outcome = board.outcome().map(|outcome| GameEnd::by_rules(outcome, &sight));
        let legal = sight.legal.into_iter().map(|legal| WireMove {
            shown: (legal.short != legal.text).then_some(legal.short),
            text: legal.text,
            to: legal.cells.to,
            from: legal.cells.from,
            promotes: legal.cells.promotes,
        });
        PositionView {
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
            unseen: sight.unseen.into_iter().map(UnseenView::from).collect(),
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
    /// Whether the true score is this one (`exact`), at least (`lower`) or at most (`upper`) this one.
    pub bound: &'static str,
    pub moves: Vec<String>,
    /// The moves as people write them, if that differs.
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
        let Info { score, value, bound, depth, certainty, .. } = *info;
        WireLine::of(info.multipv, &Line { score, value, bound, depth, certainty, moves: info.line.clone() })
    }

    /// Puts the line of a report in its place among the best lines so far.
    pub fn update(lines: &mut Vec<WireLine>, info: &Info) {
        let line = WireLine::told(info);
        match lines.iter_mut().find(|known| known.rank == line.rank) {
            Some(known) => *known = line,
            None => lines.push(line),
        }
        lines.sort_by_key(|line| line.rank);
    }
}

/// A report of a running search.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct SearchInfo {
    pub depth: i32,
    pub seldepth: i32,
    pub nodes: u64,
    pub nps: u64,
    pub time_ms: u64,
    /// How full the Search TT is, per mille.
    pub hashfull: u32,
    /// What reports: `search`, or a stage before it.
    pub stage: &'static str,
    pub lines: Vec<WireLine>,
}

impl SearchInfo {
    /// A report with the best lines so far.
    pub fn of(info: &Info, lines: Vec<WireLine>) -> SearchInfo {
        SearchInfo {
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
