//! Variants and positions.

use crate::App;
use crate::error::{ApiError, Body, ErrorBody};
use crate::wire::{self, PositionView, VariantView, WirePlace, WireSide};
use axum::Json;
use axum::extract::Path;
use polyply_engine::Variant;
use polyply_engine::look::Wishes;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Variants and positions.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(variants))
        .routes(routes!(variant))
        .routes(routes!(position))
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
