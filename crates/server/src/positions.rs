//! Variants and positions.

use crate::App;
use crate::error::{Body, Refusal, RefusalBody};
use crate::wire::{self, VariantLook, View, WirePlace};
use axum::Json;
use axum::extract::Path;
use polyply_engine::Variant;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Variants and positions.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(variants)).routes(routes!(variant)).routes(routes!(position))
}

/// All variants at their usual sizes and by their usual rules.
#[utoipa::path(get, path = "/api/variants", tag = "positions", responses((status = 200, body = Vec<VariantLook>)))]
async fn variants() -> Json<Vec<VariantLook>> {
    Json(Variant::all().map(|variant| VariantLook::of(&variant)).collect())
}

/// A variant with its size and rules, as in `caro:15,opening=swap2`.
#[utoipa::path(get, path = "/api/variants/{name}", tag = "positions", params(("name" = String, Path)),
    responses((status = 200, body = VariantLook), (status = 422, body = RefusalBody)))]
async fn variant(Path(name): Path<String>) -> Result<Json<VariantLook>, Refusal> {
    Ok(Json(VariantLook::of(&wire::variant(&name)?)))
}

/// What there is to see of a position, or why it can't be.
#[utoipa::path(post, path = "/api/positions", tag = "positions", request_body = WirePlace,
    responses((status = 200, body = View), (status = 422, body = RefusalBody)))]
async fn position(Body(place): Body<WirePlace>) -> Result<Json<View>, Refusal> {
    Ok(Json(View::of(&place.board()?, None)))
}
