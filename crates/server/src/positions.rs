//! Variants and positions.

use crate::App;
use crate::error::{ApiError, Body, ErrorBody};
use crate::wire::{self, Player, VariantLook, View, WirePlace};
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
#[utoipa::path(get, path = "/api/variants", tag = "positions", responses((status = 200, body = Vec<VariantLook>)))]
async fn variants() -> Json<Vec<VariantLook>> {
    Json(Variant::all().map(|variant| VariantLook::of(&variant)).collect())
}

/// A variant with its size and rules, as in `caro:15,opening=swap2`.
#[utoipa::path(get, path = "/api/variants/{name}", tag = "positions", params(("name" = String, Path)),
    responses((status = 200, body = VariantLook), (status = 422, body = ErrorBody)))]
async fn variant(Path(name): Path<String>) -> Result<Json<VariantLook>, ApiError> {
    Ok(Json(VariantLook::of(&wire::variant(&name)?)))
}

/// What there is to see of a position, or why it can't be.
#[utoipa::path(post, path = "/api/positions", tag = "positions", request_body = WirePlace,
    responses((status = 200, body = View), (status = 422, body = ErrorBody)))]
async fn position(Body(place): Body<WirePlace>) -> Result<Json<View>, ApiError> {
    Ok(Json(View::of(&place.board()?, None)))
}

/// Pieces as somebody has set them up.
#[derive(Deserialize, ToSchema)]
pub struct Arrangement {
    /// The variant with its size and rules.
    #[schema(example = "connect4")]
    variant: String,
    /// What is on each cell, row by row from the top left.
    cells: Vec<Option<String>>,
    /// Who is to move.
    side: Player,
    /// What the pieces do not show, by key: `View` says what there is. Without it is what the pieces suggest.
    #[serde(default)]
    unseen: Wishes,
}

/// The position that somebody has set up, or why it can't be one.
#[utoipa::path(post, path = "/api/positions/arranged", tag = "positions", request_body = Arrangement,
    responses((status = 200, body = View), (status = 422, body = ErrorBody)))]
async fn arranged(Body(wish): Body<Arrangement>) -> Result<Json<View>, ApiError> {
    let Arrangement { variant, cells, side, unseen } = wish;
    let cells: Vec<Option<&str>> = cells.iter().map(Option::as_deref).collect();
    let position = Some(wire::variant(&variant)?.arranged(&cells, side.into(), &unseen)?);
    Ok(Json(View::of(&WirePlace { variant, position, moves: Vec::new() }.board()?, None)))
}
