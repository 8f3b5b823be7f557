//! Variants and positions.

use crate::App;
use crate::error::{ApiError, Body, ErrorBody};
use crate::wire::{self, PositionView, VariantView, WirePlace, WireScore, WireSide};
use axum::Json;
use axum::extract::Path;
use polyply_engine::book::{self, Book, BookMove};
use polyply_engine::look::Wishes;
use polyply_engine::{Board, Variant};
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
}

/// All variants at their usual sizes and by their usual rules.
#[utoipa::path(get, path = "/api/variants", tag = "positions", responses((status = 200, body = Vec<VariantView>)))]
async fn variants() -> Json<Vec<VariantView>> {
    Json(Variant::all().map(|variant| VariantView::of(&variant)).collect())
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
