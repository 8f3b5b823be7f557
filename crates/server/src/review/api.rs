//! Reviews over HTTP and WebSocket.

use super::{Effort, Review};
use crate::App;
use crate::error::{ApiError, Body, ErrorBody};
use crate::socket::{self, Listener};
use crate::wire::WirePlace;
use axum::Json;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Everything about reviews.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(begin)).routes(routes!(show, remove)).routes(routes!(live))
}

/// A game to review.
#[derive(Deserialize, ToSchema)]
pub struct ReviewWish {
    #[serde(flatten)]
    place: WirePlace,
    #[serde(default)]
    level_of_effort: Effort,
}

/// A review that was begun.
#[derive(Serialize, ToSchema)]
pub struct Begun {
    id: String,
}

/// Begins to review a game.
#[utoipa::path(post, path = "/api/reviews", tag = "reviews", request_body = ReviewWish, responses(
    (status = 201, body = Begun), (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn begin(State(app): State<App>, Body(wish): Body<ReviewWish>) -> Result<(StatusCode, Json<Begun>), ApiError> {
    Ok((StatusCode::CREATED, Json(Begun { id: app.reviews.begin(&wish.place, wish.level_of_effort)? })))
}

/// A review as it is now.
#[utoipa::path(get, path = "/api/reviews/{id}", tag = "reviews", params(("id" = String, Path)),
    responses((status = 200, body = Review), (status = 404, body = ErrorBody)))]
async fn show(State(app): State<App>, Path(id): Path<String>) -> Result<impl IntoResponse, ApiError> {
    Ok(([(header::CONTENT_TYPE, "application/json")], app.reviews.find(&id)?))
}

/// Stops a review and forgets it.
#[utoipa::path(delete, path = "/api/reviews/{id}", tag = "reviews", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
async fn remove(State(app): State<App>, Path(id): Path<String>) -> Result<StatusCode, ApiError> {
    app.reviews.remove(&id)?;
    Ok(StatusCode::NO_CONTENT)
}

/// A WebSocket that tells of a review whenever it has got on.
#[utoipa::path(get, path = "/api/reviews/{id}/live", tag = "reviews", params(("id" = String, Path)),
    responses((status = 101, description = "Messages of the type Review follow"), (status = 404, body = ErrorBody)))]
async fn live(State(app): State<App>, Path(id): Path<String>, upgrade: WebSocketUpgrade) -> Result<Response, ApiError> {
    app.reviews.find(&id)?;
    socket::open(&app.clone(), upgrade, move |socket| tell(app, socket, id))
}

async fn tell(app: App, socket: WebSocket, id: String) {
    let mut listener = Listener::new(socket);
    if let Some(mut news) = app.reviews.follow(&id) {
        loop {
            let now = news.borrow_and_update().to_string();
            if !listener.send(now).await {
                return;
            }
            tokio::select! {
                said = listener.hear() => if said.is_none() { return },
                changed = news.changed() => if changed.is_err() { break },
            }
        }
    }
    // It is over: the last word is in the database.
    if let Ok(last) = app.reviews.find(&id) {
        listener.send(last).await;
    }
}
