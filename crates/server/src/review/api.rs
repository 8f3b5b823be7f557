//! Reviews over HTTP and WebSocket.

use super::{Effort, Review};
use crate::App;
use crate::error::{ApiError, Body, ErrorBody};
use crate::socket::{self, TextSocket};
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
pub struct ReviewRequest {
    #[serde(flatten)]
    place: WirePlace,
    #[serde(default)]
    level_of_effort: Effort,
}

/// A review that was started.
#[derive(Serialize, ToSchema)]
pub struct Begun {
    id: String,
}

/// Starts a review of a game.
#[utoipa::path(post, path = "/api/reviews", tag = "reviews", request_body = ReviewRequest, responses(
    (status = 201, body = Begun), (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn begin(
    State(app): State<App>,
    Body(request): Body<ReviewRequest>,
) -> Result<(StatusCode, Json<Begun>), ApiError> {
    Ok((StatusCode::CREATED, Json(Begun { id: app.reviews.begin(&request.place, request.level_of_effort).await? })))
}

/// A review as it is now.
#[utoipa::path(get, path = "/api/reviews/{id}", tag = "reviews", params(("id" = String, Path)),
    responses((status = 200, body = Review), (status = 404, body = ErrorBody)))]
async fn show(State(app): State<App>, Path(id): Path<String>) -> Result<impl IntoResponse, ApiError> {
    Ok(([(header::CONTENT_TYPE, "application/json")], app.reviews.find(&id)?))
}

/// Stops and deletes a review.
#[utoipa::path(delete, path = "/api/reviews/{id}", tag = "reviews", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
async fn remove(State(app): State<App>, Path(id): Path<String>) -> Result<StatusCode, ApiError> {
    app.reviews.remove(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A WebSocket that follows a review.
#[utoipa::path(get, path = "/api/reviews/{id}/live", tag = "reviews", params(("id" = String, Path)),
    responses((status = 101, description = "Messages of the type Review follow"), (status = 404, body = ErrorBody)))]
async fn live(State(app): State<App>, Path(id): Path<String>, upgrade: WebSocketUpgrade) -> Result<Response, ApiError> {
    app.reviews.find(&id)?;
    socket::open(&app.clone(), upgrade, move |socket| tell(app, socket, id))
}

async fn tell(app: App, socket: WebSocket, id: String) {
    let mut socket = TextSocket::new(socket);
    if let Some(mut news) = app.reviews.follow(&id) {
        loop {
            let now = news.borrow_and_update().to_string();
            if !socket.send(now).await {
                return;
            }
            tokio::select! {
                said = socket.receive() => if said.is_none() { return },
                changed = news.changed() => if changed.is_err() { break },
            }
        }
    }
    // It is over, and its last state is in the database.
    if let Ok(last) = app.reviews.find(&id) {
        socket.send(last).await;
    }
}
