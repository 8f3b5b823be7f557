//! Matches over HTTP and WebSocket.

use super::{MatchRequest, MatchView, PlayedGame};
use crate::App;
use crate::error::{ApiError, Body, ErrorBody};
use crate::socket::{self, TextSocket};
use axum::Json;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The shortest time between two messages.
const PACE: Duration = Duration::from_millis(200);

/// Everything about matches.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(start, list))
        .routes(routes!(show))
        .routes(routes!(games))
        .routes(routes!(stop))
        .routes(routes!(resume))
        .routes(routes!(end))
        .routes(routes!(live))
}

/// A match that was started.
#[derive(Serialize, ToSchema)]
pub struct Started {
    id: String,
}

async fn blocking<T: Send + 'static>(task: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(task).await.map_err(ApiError::internal)
}

/// Starts a match.
#[utoipa::path(post, path = "/api/matches", tag = "matches", request_body = MatchRequest, responses(
    (status = 201, body = Started), (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn start(
    State(app): State<App>,
    Body(request): Body<MatchRequest>,
) -> Result<(StatusCode, Json<Started>), ApiError> {
    let id = blocking(move || app.matches.start(request)).await??;
    Ok((StatusCode::CREATED, Json(Started { id })))
}

/// The newest matches, running and finished.
#[utoipa::path(get, path = "/api/matches", tag = "matches", responses((status = 200, body = Vec<MatchView>)))]
async fn list(State(app): State<App>) -> Result<Json<Vec<MatchView>>, ApiError> {
    let matches = blocking(move || app.matches.list()).await?;
    Ok(Json(matches.iter().map(|one| MatchView::clone(one)).collect()))
}

/// A match as it is now.
#[utoipa::path(get, path = "/api/matches/{id}", tag = "matches", params(("id" = String, Path)),
    responses((status = 200, body = MatchView), (status = 404, body = ErrorBody)))]
async fn show(State(app): State<App>, Path(id): Path<String>) -> Result<Json<MatchView>, ApiError> {
    let found = blocking(move || app.matches.find(&id)).await??;
    Ok(Json(MatchView::clone(&found)))
}

/// The last finished games of a match, the newest first.
#[utoipa::path(get, path = "/api/matches/{id}/games", tag = "matches", params(("id" = String, Path)),
    responses((status = 200, body = Vec<PlayedGame>), (status = 404, body = ErrorBody)))]
async fn games(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Vec<PlayedGame>>, ApiError> {
    Ok(Json(blocking(move || app.matches.games(&id)).await??))
}

/// Stops a match. It can be resumed.
#[utoipa::path(post, path = "/api/matches/{id}/stop", tag = "matches", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn stop(State(app): State<App>, Path(id): Path<String>) -> Result<StatusCode, ApiError> {
    blocking(move || app.matches.stop(&id)).await??;
    Ok(StatusCode::NO_CONTENT)
}

/// Resumes a match that was stopped.
#[utoipa::path(post, path = "/api/matches/{id}/resume", tag = "matches", params(("id" = String, Path)),
    responses((status = 204),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn resume(State(app): State<App>, Path(id): Path<String>) -> Result<StatusCode, ApiError> {
    blocking(move || app.matches.resume(&id)).await??;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends a match for good. Its games stay.
#[utoipa::path(post, path = "/api/matches/{id}/end", tag = "matches", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
async fn end(State(app): State<App>, Path(id): Path<String>) -> Result<StatusCode, ApiError> {
    blocking(move || app.matches.end(&id)).await??;
    Ok(StatusCode::NO_CONTENT)
}

/// A WebSocket that follows a match.
#[utoipa::path(get, path = "/api/matches/{id}/live", tag = "matches", params(("id" = String, Path)),
    responses((status = 101, description = "Messages of the type MatchView follow"), (status = 404, body = ErrorBody)))]
async fn live(State(app): State<App>, Path(id): Path<String>, upgrade: WebSocketUpgrade) -> Result<Response, ApiError> {
    let (matches, name) = (app.matches.clone(), id.clone());
    let now = blocking(move || matches.find(&name)).await??;
    socket::open(&app.clone(), upgrade, move |socket| tell(app, socket, id, now))
}

async fn tell(app: App, socket: WebSocket, id: String, now: Arc<MatchView>) {
    let mut socket = TextSocket::new(socket);
    let json = |view: &MatchView| serde_json::to_string(view).unwrap_or_default();
    if !socket.send(json(&now)).await {
        return;
    }
    let Some(mut news) = app.matches.follow(&id) else {
        // It is over and does not change any more, but the client may stay.
        while socket.receive().await.is_some() {}
        return;
    };
    let mut ticks = tokio::time::interval(PACE);
    loop {
        tokio::select! {
            said = socket.receive() => if said.is_none() { return },
            _ = ticks.tick() => {
                // An error means that the match is over. Its last state is still to be sent.
                let (changed, over) = news.has_changed().map_or((true, true), |changed| (changed, false));
                let view = changed.then(|| news.borrow_and_update().clone());
                if let Some(view) = view
                    && !socket.send(json(&view)).await
                {
                    return;
                }
                if over {
                    while socket.receive().await.is_some() {}
                    return;
                }
            }
        }
    }
}
