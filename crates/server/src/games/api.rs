//! Games over HTTP and WebSocket.

use super::clock::ClockRule;
use super::game::{Answer, Game, GameError, GameRecord, Offers, clocks};
use super::live::LiveGame;
use super::seat::{Seat, SeatKind, Token, bearer, held, is_token};
use super::view::{GameState, LiveMessage};
use crate::App;
use crate::error::{ApiError, Body, ErrorBody, Query};
use crate::peer::Peer;
use crate::refusals;
use crate::review::motif_of;
use crate::shares::Thing;
use crate::socket::{self, TextSocket};
use crate::time::now;
use crate::wire::{WirePlace, WireScore, WireSide};
use axum::Json;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use polyply_engine::{LEVELS, Level, PERSONAS, Persona, Side};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Longer names are refused.
const LONGEST_NAME: usize = 60;
/// How long the engine may be told to think about a move, in milliseconds.
const MOVE_TIMES: std::ops::RangeInclusive<u64> = 50..=600_000;
/// Longer moves are refused unread.
const LONGEST_MOVE: usize = 16;

/// Everything about games.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create, list))
        .routes(routes!(show))
        .routes(routes!(play))
        .routes(routes!(choose))
        .routes(routes!(undo))
        .routes(routes!(redo))
        .routes(routes!(resign))
        .routes(routes!(stop))
        .routes(routes!(pause))
        .routes(routes!(draw))
        .routes(routes!(hint))
        .routes(routes!(rematch))
        .routes(routes!(join))
        .routes(routes!(message))
        .routes(routes!(live))
}

/// Who is to have a seat.
#[derive(Deserialize, ToSchema)]
pub struct SeatRequest {
    kind: SeatKind,
    #[schema(max_length = 60)]
    name: Option<String>,
    /// How strong the engine plays, 1 to 10.
    #[schema(minimum = 1, maximum = 10)]
    level: Option<u8>,
    /// The style of the engine: one of the variant's personas.
    #[schema(max_length = 20)]
    persona: Option<String>,
}

/// A new game.
#[derive(Deserialize, ToSchema)]
pub struct NewGame {
    #[serde(flatten)]
    place: WirePlace,
    first: SeatRequest,
    second: SeatRequest,
    clock: Option<ClockRule>,
    /// How long the engine thinks about a move, in milliseconds, in a game without clocks. Without it, as long as its
    /// level needs.
    #[schema(minimum = 50, maximum = 600_000)]
    move_ms: Option<u64>,
    /// Everybody sees the game while a seat is open, and may take it. Without it only those do who have the link.
    #[serde(default)]
    listed: bool,
}

/// The tokens of the seats. They are the same if one person plays both sides.
#[derive(Serialize, ToSchema, Default)]
pub struct SeatTokens {
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<String>,
    /// The token of who began a game between engines, and may stop it.
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
}

/// A game that was made or joined.
#[derive(Serialize, ToSchema)]
pub struct Seated {
    game: GameState,
    seat_tokens: SeatTokens,
}

/// What players can say to each other.
const MESSAGES: [&str; 6] = ["hello", "good_luck", "well_played", "oops", "thanks", "good_game"];

/// Something a player says.
#[derive(Deserialize, ToSchema)]
pub struct MessageRequest {
    /// `hello`, `good_luck`, `well_played`, `oops`, `thanks` or `good_game`.
    message: String,
}

/// Says one of a few things to everybody who has the game open.
#[utoipa::path(post, path = "/api/games/{id}/messages", tag = "games", params(("id" = String, Path)),
    request_body = MessageRequest,
    security(("seat" = [])), responses((status = 204), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn message(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(MessageRequest { message }): Body<MessageRequest>,
) -> Result<StatusCode, ApiError> {
    let Some(message) = MESSAGES.into_iter().find(|known| *known == message) else {
        return Err(ApiError::invalid(refusals::message_unknown(MESSAGES.join(", "), message)));
    };
    app.games.find(&id)?.say(bearer(&headers).as_deref(), message).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn check_name(name: Option<&String>) -> Result<(), ApiError> {
    match name {
        Some(name) if name.len() > LONGEST_NAME || name.chars().any(char::is_control) => {
            Err(ApiError::invalid(refusals::name_long(LONGEST_NAME)))
        }
        _ => Ok(()),
    }
}

/// Creates a game.
#[utoipa::path(post, path = "/api/games", tag = "games", request_body = NewGame, responses(
    (status = 201, body = Seated),
    (status = 422, body = ErrorBody, description = "Something in the request makes no sense"),
    (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn create(
    State(app): State<App>,
    peer: Peer,
    Body(request): Body<NewGame>,
) -> Result<(StatusCode, Json<Seated>), ApiError> {
    let board = request.place.board()?;
    let both_people = request.first.kind == SeatKind::Person && request.second.kind == SeatKind::Person;
    if request.move_ms.is_some_and(|ms| !MOVE_TIMES.contains(&ms)) {
        return Err(ApiError::invalid(refusals::move_time_range()));
    }
    let mut tokens = [None, None];
    let mut seats = Vec::new();
    for (index, SeatRequest { kind, name, level, persona }) in [request.first, request.second].into_iter().enumerate() {
        check_name(name.as_ref())?;
        if level.is_some_and(|level| Level::find(level).is_none()) {
            return Err(ApiError::invalid(refusals::level_range(LEVELS.len())));
        }
        if persona.as_deref().is_some_and(|name| Persona::find(name).is_none()) {
            return Err(ApiError::invalid(refusals::persona_unknown(PERSONAS.map(|persona| persona.name).join(", "))));
        }
        if kind == SeatKind::Person {
            // A person who plays both sides has one token for both.
            let shared = if both_people && index == 1 { tokens[0].clone() } else { None };
            tokens[index] = Some(shared.unwrap_or_else(|| Token::new().0));
        }
        let token = tokens[index].clone().map(|token| Token(token).hash());
        let is_engine = kind == SeatKind::Engine;
        let (level, persona) = (level.filter(|_| is_engine), persona.filter(|_| is_engine));
        seats.push(Seat { kind, name, level, persona, token });
    }
    let [first, second]: [Seat; 2] = seats.try_into().map_err(|_| ApiError::internal("a game has two seats"))?;
    let between_engines = first.kind == SeatKind::Engine && second.kind == SeatKind::Engine;
    let owner = between_engines.then(Token::new);
    app.shares.create(peer)?;
    let holding = app.shares.hold(peer, if between_engines { Thing::EngineGame } else { Thing::Seat })?;
    let game = Game::restore(
        GameRecord {
            id: app.games.new_id(),
            created: now(),
            variant: board.variant().name().to_owned(),
            position: board.spec().position.clone(),
            given: board.moves().to_vec(),
            seats: [first, second],
            swap_steps: Vec::new(),
            clocks: clocks(request.clock)?,
            move_ms: request.move_ms,
            end: None,
            offers: Offers::default(),
            undone: Vec::new(),
            rematch: None,
            turn_began: now(),
            acted: now(),
            owner: owner.as_ref().map(Token::hash),
            listed: request.listed,
            paused: false,
        },
        Vec::new(),
    )?;
    let live = app.games.add(game, peer, holding).await?;
    let game = live.state(tokens.iter().flatten().next().map(String::as_str)).await;
    let [first, second] = tokens;
    let owner = owner.map(|token| token.0);
    Ok((StatusCode::CREATED, Json(Seated { game, seat_tokens: SeatTokens { first, second, owner } })))
}

/// How many games to list.
#[derive(Deserialize, IntoParams)]
pub struct Limit {
    /// 1 to 100; 20 without it.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

/// The newest games. Invitations that are not listed are shown to the operator alone.
#[utoipa::path(get, path = "/api/games", tag = "games", params(Limit),
    responses((status = 200, body = Vec<GameState>)))]
async fn list(
    State(app): State<App>,
    peer: Peer,
    Query(Limit { limit }): Query<Limit>,
) -> Result<Json<Vec<GameState>>, ApiError> {
    Ok(Json(app.games.newest(limit.unwrap_or(20).clamp(1, 100), peer.is_operator()).await?))
}

/// A game as it is now.
#[utoipa::path(get, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameState), (status = 404, body = ErrorBody)))]
async fn show(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Result<Json<GameState>, ApiError> {
    Ok(Json(app.games.find(&id)?.state(bearer(&headers).as_deref()).await))
}

/// Changes a game for the holder of a token and returns the new state.
async fn changed(
    app: &App,
    id: &str,
    (peer, headers): (Peer, &HeaderMap),
    change: impl FnOnce(&mut Game, [bool; 2]) -> Result<(), GameError> + Send + 'static,
) -> Result<Json<GameState>, ApiError> {
    let live = app.games.find(id)?;
    let token = bearer(headers);
    let asked = live.clone();
    let change = move |game: &mut Game| {
        let held = held(&game.record.seats, token.as_deref());
        change(game, held)?;
        if held.contains(&true) {
            asked.asked_by(peer);
        }
        Ok(game.sides_of(held))
    };
    let (you, state) = app.games.change(&live, change).await?;
    Ok(Json(state.seen_by(you)))
}

/// A move.
#[derive(Deserialize, ToSchema)]
pub struct MoveRequest {
    /// As the variant writes it.
    #[serde(rename = "move")]
    mv: String,
}

/// Plays a move.
#[utoipa::path(post, path = "/api/games/{id}/moves", tag = "games", params(("id" = String, Path)),
    request_body = MoveRequest,
    security(("seat" = [])), responses((status = 200, body = GameState), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn play(
    State(app): State<App>,
    Path(id): Path<String>,
    peer: Peer,
    headers: HeaderMap,
    Body(MoveRequest { mv }): Body<MoveRequest>,
) -> Result<Json<GameState>, ApiError> {
    if mv.len() > LONGEST_MOVE {
        return Err(ApiError::invalid(refusals::move_long(LONGEST_MOVE)));
    }
    changed(&app, &id, (peer, &headers), move |game, held| game.play(held, &mv, now())).await
}

/// A choice while it is being settled who plays first.
#[derive(Deserialize, ToSchema)]
pub struct ChoiceRequest {
    /// `stay`, `swap` or `place_two`.
    choice: String,
}

/// Chooses a colour, or to place two more stones.
#[utoipa::path(post, path = "/api/games/{id}/choice", tag = "games", params(("id" = String, Path)),
    request_body = ChoiceRequest,
    security(("seat" = [])), responses((status = 200, body = GameState), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn choose(
    State(app): State<App>,
    Path(id): Path<String>,
    peer: Peer,
    headers: HeaderMap,
    Body(ChoiceRequest { choice }): Body<ChoiceRequest>,
) -> Result<Json<GameState>, ApiError> {
    changed(&app, &id, (peer, &headers), move |game, held| game.choose(held, &choice, now())).await
}

/// What to do about an offer.
#[derive(Deserialize, ToSchema, Default)]
pub struct OfferRequest {
    /// Without it: offer, or accept the opponent's offer.
    #[serde(default)]
    answer: Answer,
}

/// Takes back moves. Another person is asked first.
#[utoipa::path(post, path = "/api/games/{id}/undo", tag = "games", params(("id" = String, Path)),
    request_body = OfferRequest,
    security(("seat" = [])), responses((status = 200, body = GameState), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn undo(
    State(app): State<App>,
    Path(id): Path<String>,
    peer: Peer,
    headers: HeaderMap,
    Body(OfferRequest { answer }): Body<OfferRequest>,
) -> Result<Json<GameState>, ApiError> {
    changed(&app, &id, (peer, &headers), move |game, held| game.undo(held, answer, now())).await
}

/// Replays moves that were taken back.
#[utoipa::path(post, path = "/api/games/{id}/redo", tag = "games", params(("id" = String, Path)),
    security(("seat" = [])),
    responses((status = 200, body = GameState), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody)))]
async fn redo(
    State(app): State<App>,
    Path(id): Path<String>,
    peer: Peer,
    headers: HeaderMap,
) -> Result<Json<GameState>, ApiError> {
    changed(&app, &id, (peer, &headers), move |game, held| game.redo(held, now())).await
}

/// Resigns.
#[utoipa::path(post, path = "/api/games/{id}/resign", tag = "games", params(("id" = String, Path)),
    security(("seat" = [])),
    responses((status = 200, body = GameState), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody)))]
async fn resign(
    State(app): State<App>,
    Path(id): Path<String>,
    peer: Peer,
    headers: HeaderMap,
) -> Result<Json<GameState>, ApiError> {
    changed(&app, &id, (peer, &headers), move |game, held| game.resign(held, now())).await
}

/// Stops a game between engines. It takes the token of who began it.
#[utoipa::path(post, path = "/api/games/{id}/stop", tag = "games", params(("id" = String, Path)),
    security(("seat" = [])),
    responses((status = 200, body = GameState), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody)))]
async fn stop(
    State(app): State<App>,
    Path(id): Path<String>,
    peer: Peer,
    headers: HeaderMap,
) -> Result<Json<GameState>, ApiError> {
    let token = bearer(&headers);
    let change = move |game: &mut Game, _| game.stop(owns(game, peer, token.as_deref()), now());
    changed(&app, &id, (peer, &headers), change).await
}

/// Whether a game between engines belongs to this peer.
fn owns(game: &Game, peer: Peer, token: Option<&str>) -> bool {
    peer.is_operator() || is_token(game.record.owner.as_ref(), token)
}

/// Whether the engines are to rest.
#[derive(Deserialize, ToSchema)]
pub struct PauseRequest {
    paused: bool,
}

/// Pauses a game between engines, or continues it. It takes the token of who began it.
#[utoipa::path(post, path = "/api/games/{id}/pause", tag = "games", params(("id" = String, Path)),
    request_body = PauseRequest,
    security(("seat" = [])),
    responses((status = 200, body = GameState), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody)))]
async fn pause(
    State(app): State<App>,
    Path(id): Path<String>,
    peer: Peer,
    headers: HeaderMap,
    Body(PauseRequest { paused }): Body<PauseRequest>,
) -> Result<Json<GameState>, ApiError> {
    let token = bearer(&headers);
    let change = move |game: &mut Game, _| game.pause(paused, owns(game, peer, token.as_deref()), now());
    changed(&app, &id, (peer, &headers), change).await
}

/// Offers, accepts or declines a draw.
#[utoipa::path(post, path = "/api/games/{id}/draw", tag = "games", params(("id" = String, Path)),
    request_body = OfferRequest,
    security(("seat" = [])), responses((status = 200, body = GameState), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn draw(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(OfferRequest { answer }): Body<OfferRequest>,
) -> Result<Json<GameState>, ApiError> {
    let live = app.games.find(&id)?;
    app.games.draw(&live, bearer(&headers), answer).await.map(Json)
}

/// What the engine would play.
#[derive(Serialize, ToSchema)]
pub struct Hint {
    #[serde(rename = "move")]
    mv: String,
    score: Option<WireScore>,
    depth: i32,
    stage: &'static str,
    line: Vec<String>,
    /// The idea behind the move, if people have a name for it.
    motif: Option<&'static str>,
}

/// Asks the engine what it would play.
#[utoipa::path(post, path = "/api/games/{id}/hint", tag = "games", params(("id" = String, Path)),
    security(("seat" = [])),
    responses((status = 200, body = Hint), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody), (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn hint(
    State(app): State<App>,
    Path(id): Path<String>,
    peer: Peer,
    headers: HeaderMap,
) -> Result<Json<Hint>, ApiError> {
    let live = app.games.find(&id)?;
    let (board, best) = app.games.hint(&live, peer, bearer(&headers).as_deref()).await?;
    let line = best.lines.first();
    Ok(Json(Hint {
        motif: motif_of(&board, &best.mv),
        score: best.score().map(WireScore::from),
        depth: line.map_or(0, |line| line.depth),
        stage: best.stage,
        line: line.map(|line| line.moves.clone()).unwrap_or_default(),
        mv: best.mv,
    }))
}

/// Where the rematch is.
#[derive(Serialize, ToSchema)]
pub struct Rematch {
    /// The id of the next game. The tokens of this one are valid there too.
    rematch_id: String,
}

/// Creates the next game, with sides swapped. Both players get the same one.
#[utoipa::path(post, path = "/api/games/{id}/rematch", tag = "games", params(("id" = String, Path)),
    security(("seat" = [])),
    responses((status = 200, body = Rematch), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn rematch(
    State(app): State<App>,
    Path(id): Path<String>,
    peer: Peer,
    headers: HeaderMap,
) -> Result<Json<Rematch>, ApiError> {
    let live = app.games.find(&id)?;
    app.shares.create(peer)?;
    let holding = app.shares.hold(peer, Thing::Seat)?;
    Ok(Json(Rematch { rematch_id: app.games.rematch(&live, bearer(&headers), peer, holding).await? }))
}

/// Which seat to take.
#[derive(Deserialize, ToSchema, Default)]
pub struct JoinRequest {
    side: Option<WireSide>,
    #[schema(max_length = 60)]
    name: Option<String>,
}

/// Takes an open seat.
#[utoipa::path(post, path = "/api/games/{id}/join", tag = "games", params(("id" = String, Path)),
    request_body = JoinRequest,
    responses((status = 200, body = Seated), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
    (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn join(
    State(app): State<App>,
    Path(id): Path<String>,
    peer: Peer,
    Body(JoinRequest { side, name }): Body<JoinRequest>,
) -> Result<Json<Seated>, ApiError> {
    check_name(name.as_ref())?;
    let live = app.games.find(&id)?;
    app.shares.create(peer)?;
    let holding = app.shares.hold(peer, Thing::Seat)?;
    let token = Token::new();
    let hash = token.hash();
    let change = move |game: &mut Game| game.sit_down(side.map(Side::from), name, hash, now());
    let (seat, _) = app.games.change(&live, change).await?;
    app.games.hold(&id, holding);
    let game = live.state(Some(&token.0)).await;
    let mut seat_tokens = SeatTokens::default();
    *(if seat == 0 { &mut seat_tokens.first } else { &mut seat_tokens.second }) = Some(token.0);
    Ok(Json(Seated { game, seat_tokens }))
}

/// How a client of the WebSocket says who it is: by the token of a seat.
#[derive(Deserialize)]
struct Introduction {
    token: String,
}

/// A WebSocket that sends every change, and the reports of the engine's search.
#[utoipa::path(get, path = "/api/games/{id}/live", tag = "games", params(("id" = String, Path)),
    responses((status = 101, description = "Messages of the type LiveMessage follow"),
    (status = 404, body = ErrorBody)))]
async fn live(State(app): State<App>, Path(id): Path<String>, upgrade: WebSocketUpgrade) -> Result<Response, ApiError> {
    let live = app.games.find(&id)?;
    socket::open(&app, upgrade, move |socket| tell(socket, live))
}

async fn tell(socket: WebSocket, live: Arc<LiveGame>) {
    let mut news = live.news.subscribe();
    let mut socket = TextSocket::new(socket);
    let mut visitor = live.enter();
    let state = async || serde_json::to_string(&LiveMessage::State(&live.state(None).await)).unwrap_or_default();
    if !socket.send(state().await).await {
        return;
    }
    loop {
        let message = tokio::select! {
            said = socket.receive() => match said {
                // A client may say which seats it has. Anything else means nothing.
                Some(text) => {
                    if let Ok(Introduction { token }) = serde_json::from_str(&text) {
                        visitor.introduce(&token).await;
                    }
                    continue;
                }
                None => return,
            },
            told = news.recv() => match told {
                Ok(message) => message.to_string(),
                Err(RecvError::Lagged(_)) => state().await,
                Err(RecvError::Closed) => return,
            },
        };
        if !socket.send(message).await {
            return;
        }
    }
}
