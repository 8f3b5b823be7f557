//! Games over HTTP and WebSocket.

use super::clock::{ClockRule, now};
use super::game::{Answer, Game, GameError, Kept, Offers, Played, Status, clocks};
use super::seat::{Seat, SeatKind, Token, held};
use super::table::Table;
use crate::App;
use crate::error::{ApiError, Body, ErrorBody, Query};
use crate::refusals;
use crate::socket::{self, Listener};
use crate::wire::{End, Player, SwapView, Thought, View, WirePlace, WireScore};
use axum::Json;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use polyply_engine::{LEVELS, Level, Side};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Longer names are refused.
const LONGEST_NAME: usize = 60;
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
        .routes(routes!(draw))
        .routes(routes!(hint))
        .routes(routes!(rematch))
        .routes(routes!(join))
        .routes(routes!(live))
}

/// Who shall sit on a seat.
#[derive(Deserialize, ToSchema)]
pub struct SeatWish {
    kind: SeatKind,
    #[schema(max_length = 60)]
    name: Option<String>,
    /// How strong the engine plays, 1 to 10.
    #[schema(minimum = 1, maximum = 10)]
    level: Option<u8>,
}

/// A new game.
#[derive(Deserialize, ToSchema)]
pub struct NewGame {
    #[serde(flatten)]
    place: WirePlace,
    first: SeatWish,
    second: SeatWish,
    clock: Option<ClockRule>,
}

/// The secrets by which the seats are recognised. Where one person plays both sides it is the same one.
#[derive(Serialize, ToSchema, Default)]
pub struct SeatTokens {
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<String>,
}

/// A game that was made or joined.
#[derive(Serialize, ToSchema)]
pub struct Seated {
    game: GameState,
    seat_tokens: SeatTokens,
}

/// Who sits on a seat.
#[derive(Serialize, ToSchema)]
pub struct SeatView {
    kind: SeatKind,
    name: Option<String>,
    level: Option<u8>,
}

/// Both seats, by the side they play.
#[derive(Serialize, ToSchema)]
pub struct Seats {
    first: SeatView,
    second: SeatView,
}

/// The clocks as they are now.
#[derive(Serialize, ToSchema)]
pub struct ClockView {
    initial_ms: u64,
    increment_ms: u64,
    first_ms: u64,
    second_ms: u64,
    /// Whose clock runs.
    running: Option<Player>,
}

/// A game as it is now.
#[derive(Serialize, ToSchema)]
pub struct GameState {
    id: String,
    /// Counts the changes since the server took the game up.
    version: u64,
    /// Milliseconds since 1970.
    created: u64,
    variant: String,
    /// The position it began with, where that was not the usual one.
    position: Option<String>,
    /// Moves that were given to it.
    given: Vec<String>,
    seats: Seats,
    /// The colours changed hands: the token that was made for the first seat plays second.
    swapped: bool,
    /// The sides that your token plays.
    you: Vec<Player>,
    clock: Option<ClockView>,
    moves: Vec<Played>,
    /// Moves that were taken back and can be played again.
    undone: usize,
    view: View,
    status: Status,
    /// How it ended.
    end: Option<End>,
    offers: Offers,
    /// The engine is asked for its move.
    thinking: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    rematch_id: Option<String>,
}

impl GameState {
    /// The state as everybody sees it; `version` counts its changes.
    pub fn of(game: &Game, version: u64, thinking: bool) -> GameState {
        let seat = |side: Side| {
            let Seat { kind, name, level, .. } = game.seat(side).clone();
            SeatView { kind, name, level }
        };
        let now = now();
        let clock = game.kept.clocks.map(|clocks| ClockView {
            initial_ms: clocks.rule.initial_ms,
            increment_ms: clocks.rule.increment_ms,
            first_ms: clocks.left(Side::First, now),
            second_ms: clocks.left(Side::Second, now),
            running: clocks.running().map(Player::from),
        });
        let Kept { id, created, variant, position, given, offers, rematch, .. } = game.kept.clone();
        GameState {
            id,
            version,
            created,
            variant,
            position,
            given,
            seats: Seats { first: seat(Side::First), second: seat(Side::Second) },
            swapped: game.is_swapped(),
            you: Vec::new(),
            clock,
            moves: game.moves.clone(),
            undone: game.kept.undone.len(),
            view: View::of(&game.board, SwapView::of(game.swap())),
            status: game.status(),
            end: game.end(),
            offers,
            thinking,
            rematch_id: rematch,
        }
    }

    /// The state as whoever plays these sides sees it.
    pub fn seen_by(self, you: Vec<Player>) -> GameState {
        GameState { you, ..self }
    }
}

/// What is told to those who look on.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LiveMessage<'a> {
    /// The game has changed.
    State(&'a GameState),
    /// The engine thinks.
    Thinking(Thought),
}

/// The token of a request.
fn token(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

fn check_name(name: Option<&String>) -> Result<(), ApiError> {
    match name {
        Some(name) if name.len() > LONGEST_NAME || name.chars().any(char::is_control) => {
            Err(ApiError::invalid(refusals::name_long(LONGEST_NAME)))
        }
        _ => Ok(()),
    }
}

/// Makes a game.
#[utoipa::path(post, path = "/api/games", tag = "games", request_body = NewGame, responses(
    (status = 201, body = Seated), (status = 422, body = ErrorBody, description = "Something about it can't be"),
    (status = 503, body = ErrorBody)))]
async fn create(State(app): State<App>, Body(wish): Body<NewGame>) -> Result<(StatusCode, Json<Seated>), ApiError> {
    let board = wish.place.board()?;
    let both_people = wish.first.kind == SeatKind::Person && wish.second.kind == SeatKind::Person;
    let mut tokens = [None, None];
    let mut seats = Vec::new();
    for (index, SeatWish { kind, name, level }) in [wish.first, wish.second].into_iter().enumerate() {
        check_name(name.as_ref())?;
        if level.is_some_and(|level| Level::find(level).is_none()) {
            return Err(ApiError::invalid(refusals::level_range(LEVELS.len())));
        }
        if kind == SeatKind::Person {
            // One who plays both sides has one secret for both.
            let shared = if both_people && index == 1 { tokens[0].clone() } else { None };
            tokens[index] = Some(shared.unwrap_or_else(|| Token::new().0));
        }
        let token = tokens[index].clone().map(|token| Token(token).hash());
        seats.push(Seat { kind, name, level: level.filter(|_| kind == SeatKind::Engine), token });
    }
    let [first, second] = seats.try_into().map_err(|_| ApiError::internal("a game has two seats"))?;
    let game = Game::restore(
        Kept {
            id: app.tables.new_name(),
            created: now(),
            variant: board.variant().name().to_owned(),
            position: board.place().position.clone(),
            given: board.moves().to_vec(),
            seats: [first, second],
            swap_steps: Vec::new(),
            clocks: clocks(wish.clock)?,
            end: None,
            offers: Offers::default(),
            undone: Vec::new(),
            rematch: None,
            turn_began: now(),
        },
        Vec::new(),
    )?;
    let table = app.tables.add(game)?;
    let game = table.state(tokens.iter().flatten().next().map(String::as_str));
    let [first, second] = tokens;
    Ok((StatusCode::CREATED, Json(Seated { game, seat_tokens: SeatTokens { first, second } })))
}

/// How many games to list.
#[derive(Deserialize, IntoParams)]
pub struct Limit {
    /// 1 to 100; 20 without it.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

/// The newest games.
#[utoipa::path(get, path = "/api/games", tag = "games", params(Limit), responses((status = 200, body = Vec<GameState>)))]
async fn list(State(app): State<App>, Query(Limit { limit }): Query<Limit>) -> Result<Json<Vec<GameState>>, ApiError> {
    Ok(Json(app.tables.newest(limit.unwrap_or(20).clamp(1, 100))?))
}

/// A game as it is now.
#[utoipa::path(get, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameState), (status = 404, body = ErrorBody)))]
async fn show(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Result<Json<GameState>, ApiError> {
    Ok(Json(app.tables.find(&id)?.state(token(&headers))))
}

/// Changes a game for the holder of a token, and tells what became of it.
fn changed(
    app: &App,
    id: &str,
    headers: &HeaderMap,
    change: impl FnOnce(&mut Game, [bool; 2]) -> Result<(), GameError>,
) -> Result<Json<GameState>, ApiError> {
    let table = app.tables.find(id)?;
    let token = token(headers);
    let (you, state) = app.tables.change(&table, |game| {
        let held = held(&game.kept.seats, token);
        change(game, held)?;
        Ok(game.sides_of(held))
    })?;
    Ok(Json(state.seen_by(you)))
}

/// A move.
#[derive(Deserialize, ToSchema)]
pub struct MoveWish {
    /// As the variant writes it.
    #[serde(rename = "move")]
    mv: String,
}

/// Plays a move.
#[utoipa::path(post, path = "/api/games/{id}/moves", tag = "games", params(("id" = String, Path)), request_body = MoveWish,
    security(("seat" = [])), responses((status = 200, body = GameState), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn play(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(MoveWish { mv }): Body<MoveWish>,
) -> Result<Json<GameState>, ApiError> {
    if mv.len() > LONGEST_MOVE {
        return Err(ApiError::invalid(refusals::move_long(LONGEST_MOVE)));
    }
    changed(&app, &id, &headers, |game, held| game.play(held, &mv, now()))
}

/// What to choose where it is to be settled who plays first.
#[derive(Deserialize, ToSchema)]
pub struct ChoiceWish {
    /// `stay`, `swap` or `place_two`.
    choice: String,
}

/// Chooses a colour, or to place two more stones.
#[utoipa::path(post, path = "/api/games/{id}/choice", tag = "games", params(("id" = String, Path)), request_body = ChoiceWish,
    security(("seat" = [])), responses((status = 200, body = GameState), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn choose(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(ChoiceWish { choice }): Body<ChoiceWish>,
) -> Result<Json<GameState>, ApiError> {
    changed(&app, &id, &headers, |game, held| game.choose(held, &choice, now()))
}

/// What to do about an offer.
#[derive(Deserialize, ToSchema, Default)]
pub struct OfferWish {
    /// To offer, or to take what the other offered, without it.
    #[serde(default)]
    answer: Answer,
}

/// Takes moves back; another person is asked first.
#[utoipa::path(post, path = "/api/games/{id}/undo", tag = "games", params(("id" = String, Path)), request_body = OfferWish,
    security(("seat" = [])), responses((status = 200, body = GameState), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn undo(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(OfferWish { answer }): Body<OfferWish>,
) -> Result<Json<GameState>, ApiError> {
    changed(&app, &id, &headers, |game, held| game.undo(held, answer, now()))
}

/// Plays again what was taken back.
#[utoipa::path(post, path = "/api/games/{id}/redo", tag = "games", params(("id" = String, Path)), security(("seat" = [])),
    responses((status = 200, body = GameState), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody)))]
async fn redo(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Result<Json<GameState>, ApiError> {
    changed(&app, &id, &headers, |game, held| game.redo(held, now()))
}

/// Gives the game up.
#[utoipa::path(post, path = "/api/games/{id}/resign", tag = "games", params(("id" = String, Path)), security(("seat" = [])),
    responses((status = 200, body = GameState), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody)))]
async fn resign(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<GameState>, ApiError> {
    changed(&app, &id, &headers, |game, held| game.resign(held, now()))
}

/// Offers a draw, takes one or turns it down.
#[utoipa::path(post, path = "/api/games/{id}/draw", tag = "games", params(("id" = String, Path)), request_body = OfferWish,
    security(("seat" = [])), responses((status = 200, body = GameState), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn draw(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(OfferWish { answer }): Body<OfferWish>,
) -> Result<Json<GameState>, ApiError> {
    let table = app.tables.find(&id)?;
    app.tables.draw(&table, token(&headers), answer).map(Json)
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
}

/// What the engine would play here.
#[utoipa::path(post, path = "/api/games/{id}/hint", tag = "games", params(("id" = String, Path)), security(("seat" = [])),
    responses((status = 200, body = Hint), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn hint(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Result<Json<Hint>, ApiError> {
    let table = app.tables.find(&id)?;
    let best = app.tables.hint(&table, token(&headers)).await?;
    let line = best.lines.first();
    Ok(Json(Hint {
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
    /// The game to go on with; the tokens of this one are good for it too.
    rematch_id: String,
}

/// Makes the game after this one, with sides changed; whoever asks second is sent to the same.
#[utoipa::path(post, path = "/api/games/{id}/rematch", tag = "games", params(("id" = String, Path)), security(("seat" = [])),
    responses((status = 200, body = Rematch), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody)))]
async fn rematch(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Rematch>, ApiError> {
    let table = app.tables.find(&id)?;
    Ok(Json(Rematch { rematch_id: app.tables.rematch(&table, token(&headers))? }))
}

/// Which seat to take.
#[derive(Deserialize, ToSchema, Default)]
pub struct JoinWish {
    side: Option<Player>,
    #[schema(max_length = 60)]
    name: Option<String>,
}

/// Takes a seat that is open.
#[utoipa::path(post, path = "/api/games/{id}/join", tag = "games", params(("id" = String, Path)), request_body = JoinWish,
    responses((status = 200, body = Seated), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
    (status = 422, body = ErrorBody)))]
async fn join(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(JoinWish { side, name }): Body<JoinWish>,
) -> Result<Json<Seated>, ApiError> {
    check_name(name.as_ref())?;
    let table = app.tables.find(&id)?;
    let token = Token::new();
    let (seat, _) = app.tables.change(&table, |game| game.sit_down(side.map(Side::from), name, token.hash(), now()))?;
    let game = table.state(Some(&token.0));
    let mut seat_tokens = SeatTokens::default();
    *(if seat == 0 { &mut seat_tokens.first } else { &mut seat_tokens.second }) = Some(token.0);
    Ok(Json(Seated { game, seat_tokens }))
}

/// A WebSocket that tells of every change, and what the engine thinks.
#[utoipa::path(get, path = "/api/games/{id}/live", tag = "games", params(("id" = String, Path)),
    responses((status = 101, description = "Messages of the type LiveMessage follow"), (status = 404, body = ErrorBody)))]
async fn live(State(app): State<App>, Path(id): Path<String>, upgrade: WebSocketUpgrade) -> Result<Response, ApiError> {
    let table = app.tables.find(&id)?;
    socket::open(&app, upgrade, move |socket| tell(socket, table))
}

async fn tell(socket: WebSocket, table: Arc<Table>) {
    let mut news = table.news.subscribe();
    let mut listener = Listener::new(socket);
    let state = || serde_json::to_string(&LiveMessage::State(&table.state(None))).unwrap_or_default();
    if !listener.send(state()).await {
        return;
    }
    loop {
        let message = tokio::select! {
            said = listener.hear() => match said {
                // Nothing is expected from here, but it is no mistake to say something.
                Some(_) => continue,
                None => return,
            },
            told = news.recv() => match told {
                Ok(message) => message.to_string(),
                Err(RecvError::Lagged(_)) => state(),
                Err(RecvError::Closed) => return,
            },
        };
        if !listener.send(message).await {
            return;
        }
    }
}
