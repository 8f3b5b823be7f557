//! Variants and positions.

use crate::App;
use crate::aside::aside;
use crate::error::{ApiError, Body, ErrorBody};
use crate::peer::Peer;
use crate::wire::{self, PositionView, VariantView, WirePlace, WireScore, WireSide};
use axum::Json;
use axum::extract::{Path, State};
use polyply_core::random::Random;
use polyply_engine::book::{self, Book, BookMove};
use polyply_engine::look::Wishes;
use polyply_engine::{Board, Lesson, RulePart, Scene, Variant};
use polyply_lab::arena::Openings;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Variants and positions.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(variants))
        .routes(routes!(variant))
        .routes(routes!(position))
        .routes(routes!(book_moves))
        .routes(routes!(arranged))
        .routes(routes!(refused))
        .routes(routes!(guide))
        .routes(routes!(openings))
        .routes(routes!(fair_opening))
}

/// All variants at their usual sizes and by their usual rules, in the order in which people choose from them.
#[utoipa::path(get, path = "/api/variants", tag = "positions", responses((status = 200, body = Vec<VariantView>)))]
async fn variants() -> Json<Vec<VariantView>> {
    Json(Variant::to_choose_from().iter().map(VariantView::of).collect())
}

/// A variant with its size and rules, as in `caro:15,opening=swap2`.
#[utoipa::path(get, path = "/api/variants/{name}", tag = "positions", params(("name" = String, Path)),
    responses((status = 200, body = VariantView), (status = 422, body = ErrorBody)))]
async fn variant(Path(name): Path<String>) -> Result<Json<VariantView>, ApiError> {
    Ok(Json(VariantView::of(&wire::variant(&name)?)))
}

/// Shows a position, or says why it can't be.
#[utoipa::path(post, path = "/api/positions", tag = "positions", request_body = WirePlace,
    responses((status = 200, body = PositionView), (status = 422, body = ErrorBody)))]
async fn position(Body(place): Body<WirePlace>) -> Result<Json<PositionView>, ApiError> {
    Ok(Json(PositionView::of(&place.board()?, None)))
}

/// What the opening book knows of a move.
#[derive(Serialize, ToSchema)]
pub struct BookMoveView {
    #[serde(rename = "move")]
    mv: String,
    /// The move as people write it, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<String>,
    /// The score, if the move was searched.
    score: Option<WireScore>,
    /// The depth of the search; 0 if it was not searched.
    depth: i32,
    /// `imported`, `self-play`, `searched` or `solved`.
    source: &'static str,
    /// How often the engine plays it, from 0 to 1.
    share: f64,
    /// Games that the side which plays it has won, drawn and lost.
    won: u64,
    drawn: u64,
    lost: u64,
}

impl BookMoveView {
    fn of(board: &Board, mv: &BookMove, sum: u64) -> BookMoveView {
        let shown = board.short_line(std::slice::from_ref(&mv.mv)).and_then(|line| line.into_iter().next());
        BookMoveView {
            mv: mv.mv.clone(),
            shown: shown.filter(|_| board.variant().has_short_moves()),
            score: mv.score.map(WireScore::from),
            depth: mv.depth,
            source: mv.source.name(),
            share: if sum == 0 { 0.0 } else { mv.weight as f64 / sum as f64 },
            won: mv.results.won,
            drawn: mv.results.drawn,
            lost: mv.results.lost,
        }
    }
}

/// What the opening book knows of a position, the best move first; nothing if it does not know the position.
#[utoipa::path(post, path = "/api/positions/book", tag = "positions", request_body = WirePlace,
    responses((status = 200, body = Vec<BookMoveView>), (status = 422, body = ErrorBody)))]
async fn book_moves(Body(place): Body<WirePlace>) -> Result<Json<Vec<BookMoveView>>, ApiError> {
    let board = place.board()?;
    let moves = match book::embedded(board.variant()).filter(|_| board.outcome().is_none()) {
        Some(book) => book.moves(&board).unwrap_or_default(),
        None => Vec::new(),
    };
    let sum = moves.iter().map(|mv| mv.weight).sum();
    Ok(Json(moves.iter().map(|mv| BookMoveView::of(&board, mv, sum)).collect()))
}

/// A rule with a picture.
#[derive(Serialize, ToSchema)]
pub struct RulePartView {
    text: &'static str,
    /// The variant of the picture: the board may be smaller than the usual one.
    variant: VariantView,
    view: PositionView,
}

/// A small task on a board.
#[derive(Serialize, ToSchema)]
pub struct LessonView {
    task: &'static str,
    variant: VariantView,
    view: PositionView,
    /// The moves that solve it.
    accepted: &'static [&'static str],
    /// What is said when it is solved.
    praise: &'static str,
}

/// How a variant is explained, in English.
#[derive(Serialize, ToSchema)]
pub struct GuideView {
    rules: Vec<RulePartView>,
    lessons: Vec<LessonView>,
}

/// The board of a scene.
fn scene(game: &str, scene: &Scene) -> Result<(VariantView, PositionView), ApiError> {
    let variant = format!("{game}{}", scene.setup);
    let position = Some(scene.position.to_owned()).filter(|position| position != "start");
    let board = WirePlace { variant, position, moves: Vec::new() }.board()?;
    Ok((VariantView::of(board.variant()), PositionView::of(&board, None)))
}

/// The rules of a variant with pictures, and a lesson of small tasks.
#[utoipa::path(get, path = "/api/variants/{name}/guide", tag = "positions", params(("name" = String, Path)),
    responses((status = 200, body = GuideView), (status = 422, body = ErrorBody)))]
async fn guide(Path(name): Path<String>) -> Result<Json<GuideView>, ApiError> {
    let about = wire::variant(&name)?.about();
    let rule = |part: &RulePart| {
        let (variant, view) = scene(about.name, &part.scene)?;
        Ok(RulePartView { text: part.text, variant, view })
    };
    let lesson = |lesson: &Lesson| {
        let (variant, view) = scene(about.name, &lesson.scene)?;
        let Lesson { task, accepted, praise, .. } = *lesson;
        Ok(LessonView { task, variant, view, accepted, praise })
    };
    Ok(Json(GuideView {
        rules: about.guide.rules.iter().map(rule).collect::<Result<_, ApiError>>()?,
        lessons: about.guide.lessons.iter().map(lesson).collect::<Result<_, ApiError>>()?,
    }))
}

/// An opening that has a name.
#[derive(Serialize, ToSchema)]
pub struct OpeningView {
    name: &'static str,
    moves: Vec<&'static str>,
}

/// The named openings of a variant.
#[utoipa::path(get, path = "/api/variants/{name}/openings", tag = "positions", params(("name" = String, Path)),
    responses((status = 200, body = Vec<OpeningView>), (status = 422, body = ErrorBody)))]
async fn openings(Path(name): Path<String>) -> Result<Json<Vec<OpeningView>>, ApiError> {
    let variant = wire::variant(&name)?;
    Ok(Json(variant.named_openings().map(|(moves, name)| OpeningView { name, moves }).collect()))
}

/// A variant to open.
#[derive(Deserialize, ToSchema)]
pub struct FairOpeningRequest {
    /// The variant with its size and rules.
    #[schema(example = "othello")]
    variant: String,
}

/// An opening.
#[derive(Serialize, ToSchema)]
pub struct FairOpening {
    moves: Vec<String>,
}

/// Opens a game with a few random moves, after which a search calls neither side better; in Othello that is what XOT
/// tournaments do.
#[utoipa::path(post, path = "/api/positions/fair", tag = "positions", request_body = FairOpeningRequest,
    responses((status = 200, body = FairOpening), (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn fair_opening(
    State(app): State<App>,
    peer: Peer,
    Body(request): Body<FairOpeningRequest>,
) -> Result<Json<FairOpening>, ApiError> {
    let variant = wire::variant(&request.variant)?;
    let seed = Random::fresh().next();
    let opened = aside(&app, peer, move || {
        let opening = Openings::random(seed).get(0, &variant, &mut None).map_err(ApiError::internal)?;
        Ok(FairOpening { moves: opening.moves })
    });
    opened.await.map(Json)
}

/// A cell on which no move seems possible.
#[derive(Deserialize, ToSchema)]
pub struct CellQuestion {
    #[serde(flatten)]
    place: WirePlace,
    /// The cell of the piece that was chosen.
    from: Option<usize>,
    /// The cell where it should go, or where a new piece should be.
    to: usize,
}

/// Why no move goes to a cell; null if there is one.
#[derive(Serialize, ToSchema)]
pub struct CellAnswer {
    refusal: Option<ErrorBody>,
}

/// Says why no move goes to a cell.
#[utoipa::path(post, path = "/api/positions/refused", tag = "positions", request_body = CellQuestion,
    responses((status = 200, body = CellAnswer), (status = 422, body = ErrorBody)))]
async fn refused(Body(CellQuestion { place, from, to }): Body<CellQuestion>) -> Result<Json<CellAnswer>, ApiError> {
    let refusal = place.board()?.refused(from, to);
    Ok(Json(CellAnswer { refusal: refusal.as_ref().map(ErrorBody::from) }))
}

/// A board that somebody has set up.
#[derive(Deserialize, ToSchema)]
pub struct Arrangement {
    /// The variant with its size and rules.
    #[schema(example = "connect4")]
    variant: String,
    /// The piece on each cell, row by row from the top left.
    cells: Vec<Option<String>>,
    /// The side to move.
    side: WireSide,
    /// What the pieces do not show, by the keys in `PositionView`. The default is what the pieces suggest.
    #[serde(default)]
    unseen: Wishes,
}

/// Makes a position of a board that was set up, or says why it can't be one.
#[utoipa::path(post, path = "/api/positions/arranged", tag = "positions", request_body = Arrangement,
    responses((status = 200, body = PositionView), (status = 422, body = ErrorBody)))]
async fn arranged(Body(request): Body<Arrangement>) -> Result<Json<PositionView>, ApiError> {
    let Arrangement { variant, cells, side, unseen } = request;
    let cells: Vec<Option<&str>> = cells.iter().map(Option::as_deref).collect();
    let position = Some(wire::variant(&variant)?.arranged(&cells, side.into(), &unseen)?);
    Ok(Json(PositionView::of(&WirePlace { variant, position, moves: Vec::new() }.board()?, None)))
}
