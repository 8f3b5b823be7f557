//! Reviews over HTTP and WebSocket.

use super::report::ReviewedMove;
use super::{Effort, Review, TriedMove};
use crate::App;
use crate::error::{ApiError, Body, ErrorBody};
use crate::games::bearer;
use crate::peer::Peer;
use crate::socket::{self, TextSocket};
use crate::wire::WirePlace;
use axum::Json;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Everything about reviews.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(begin))
        .routes(routes!(show, remove))
        .routes(routes!(attempt))
        .routes(routes!(coach))
        .routes(routes!(live))
}

/// A game to review.
#[derive(Deserialize, ToSchema)]
pub struct ReviewRequest {
    #[serde(flatten)]
    place: WirePlace,
    /// Without it the deepest stored review counts, or a normal one is started.
    level_of_effort: Option<Effort>,
}

/// The review of the game.
#[derive(Serialize, ToSchema)]
pub struct Begun {
    id: String,
    /// Who has it may delete the review. It comes with a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

/// Finds the review of a game, or starts one. The same game always has the same review.
#[utoipa::path(post, path = "/api/reviews", tag = "reviews", request_body = ReviewRequest, responses(
    (status = 200, description = "It was reviewed before", body = Begun), (status = 201, body = Begun),
    (status = 422, body = ErrorBody), (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn begin(
    State(app): State<App>,
    peer: Peer,
    Body(request): Body<ReviewRequest>,
) -> Result<(StatusCode, Json<Begun>), ApiError> {
    let (id, token) = app.reviews.begin(&request.place, request.level_of_effort, peer, &app.shares).await?;
    Ok((if token.is_some() { StatusCode::CREATED } else { StatusCode::OK }, Json(Begun { id, token })))
}

/// Another move to try.
#[derive(Deserialize, ToSchema)]
pub struct Attempt {
    /// Which move of the game it replaces, from 1.
    ply: usize,
    #[serde(rename = "move")]
    text: String,
}

/// Judges another move in place of one that was reviewed, with the effort of the review.
#[utoipa::path(post, path = "/api/reviews/{id}/tries", tag = "reviews", params(("id" = String, Path)),
    request_body = Attempt, responses((status = 200, body = TriedMove), (status = 404, body = ErrorBody),
    (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn attempt(
    State(app): State<App>,
    Path(id): Path<String>,
    peer: Peer,
    Body(attempt): Body<Attempt>,
) -> Result<Json<TriedMove>, ApiError> {
    app.reviews.try_move(&id, attempt.ply, &attempt.text, peer).await.map(Json)
}

/// Judges the last move of a game at once: what it cost, which move was better, and why.
#[utoipa::path(post, path = "/api/coach", tag = "reviews", request_body = WirePlace, responses(
    (status = 200, body = ReviewedMove), (status = 422, body = ErrorBody), (status = 429, body = ErrorBody),
    (status = 503, body = ErrorBody)))]
async fn coach(
    State(app): State<App>,
    peer: Peer,
    Body(place): Body<WirePlace>,
) -> Result<Json<ReviewedMove>, ApiError> {
    app.reviews.coach(&place, peer).await.map(Json)
}

/// A review as it is now.
#[utoipa::path(get, path = "/api/reviews/{id}", tag = "reviews", params(("id" = String, Path)),
    responses((status = 200, body = Review), (status = 404, body = ErrorBody)))]
async fn show(State(app): State<App>, Path(id): Path<String>) -> Result<impl IntoResponse, ApiError> {
    Ok(([(header::CONTENT_TYPE, "application/json")], app.reviews.find(&id)?))
}

/// Stops and deletes a review. It takes the token of who began it.
#[utoipa::path(delete, path = "/api/reviews/{id}", tag = "reviews", params(("id" = String, Path)),
    security(("seat" = [])),
    responses((status = 204), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn remove(
    State(app): State<App>,
    Path(id): Path<String>,
    peer: Peer,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    app.reviews.remove(&id, peer, bearer(&headers).as_deref()).await?;
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
