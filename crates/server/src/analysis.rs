//! Analysis: one search a connection, told as it goes, until it is stopped or another is asked for.

use crate::App;
use crate::error::{ApiError, ErrorBody};
use crate::refusals;
use crate::room::{Class, Next, Ticket, Turn};
use crate::socket::{self, Listener};
use crate::wire::{Thought, WireLine, WirePlace, with_short_moves};
use axum::extract::State;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::response::Response;
use polyply_engine::{Best, Board, Engine, EngineError, Info, Limits, Place, Request};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// An analysis without limits ends after this long: nobody looks at it any more.
const LONGEST: Duration = Duration::from_secs(600);
/// What is found is told at most this often.
const PACE: Duration = Duration::from_millis(50);
/// Lines at most.
const MOST_LINES: usize = 512;

/// Analysis over a WebSocket.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(analysis))
}

/// When a search shall end; whatever comes first.
#[derive(Deserialize, ToSchema, Clone, Copy, Default)]
pub struct WireLimits {
    #[schema(minimum = 1, maximum = 255)]
    depth: Option<i32>,
    #[schema(minimum = 1)]
    nodes: Option<u64>,
    #[schema(minimum = 1)]
    time_ms: Option<u64>,
}

impl WireLimits {
    /// As the engine wants it: never without an end.
    pub fn limits(self) -> Limits {
        let time = self.time_ms.map_or(LONGEST, Duration::from_millis).min(LONGEST);
        Limits {
            depth: self.depth.map(|depth| depth.clamp(1, 255)),
            nodes: self.nodes,
            time: Some(time),
            ..Limits::default()
        }
    }
}

/// What a client can say.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Wish {
    /// Search a position; what ran before ends.
    Analyse(Analyse),
    /// End the search.
    Stop,
}

/// What to search.
#[derive(Deserialize, ToSchema)]
pub struct Analyse {
    #[serde(flatten)]
    place: WirePlace,
    /// Comes back with every answer.
    #[serde(default)]
    id: u64,
    /// How many best lines.
    #[serde(default = "one")]
    lines: usize,
    #[serde(default)]
    limits: WireLimits,
    /// Only these moves.
    #[serde(default)]
    only: Vec<String>,
    /// What would the other side do if it were to move?
    #[serde(default)]
    threats: bool,
}

fn one() -> usize {
    1
}

/// What the server says.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum News {
    /// How far the search is.
    Info {
        id: u64,
        #[serde(flatten)]
        thought: Thought,
    },
    /// The search is over.
    Done { id: u64, best: Option<String>, lines: Vec<WireLine> },
    /// What was asked for makes no sense.
    Error {
        id: u64,
        #[serde(flatten)]
        refusal: ErrorBody,
    },
}

/// A WebSocket: the client sends `Wish`es, the server answers with `News`.
#[utoipa::path(get, path = "/api/analysis", tag = "analysis", responses(
    (status = 101, description = "Messages of the types Wish and News follow"), (status = 503, body = ErrorBody)))]
async fn analysis(State(app): State<App>, upgrade: WebSocketUpgrade) -> Result<Response, ApiError> {
    let client = app.room.client();
    socket::open(&app.clone(), upgrade, move |socket| converse(app, socket, client))
}

async fn converse(app: App, socket: WebSocket, client: u64) {
    let mut listener = Listener::new(socket);
    // Held while the search is wanted: to drop it is to stop it.
    let mut _search: Option<Ticket> = None;
    let (_, mut news): (UnboundedSender<News>, UnboundedReceiver<News>) = mpsc::unbounded_channel();
    loop {
        let message = tokio::select! {
            said = listener.hear() => {
                let Some(said) = said else { return };
                // To stop is to let go: what was found comes as the last word.
                _search = None;
                match serde_json::from_str::<Wish>(&said) {
                    Ok(Wish::Stop) => continue,
                    Ok(Wish::Analyse(wish)) => {
                        let id = wish.id;
                        let (tell, told) = mpsc::unbounded_channel();
                        news = told;
                        match begin(&app, wish, client, tell) {
                            Ok(ticket) => {
                                _search = Some(ticket);
                                continue;
                            }
                            Err(refusal) => News::Error { id, refusal: refusal.body() },
                        }
                    }
                    Err(error) => News::Error { id: 0, refusal: (&refusals::message_unread(error.to_string())).into() },
                }
            }
            Some(message) = news.recv() => message,
        };
        if !listener.send(serde_json::to_string(&message).unwrap_or_default()).await {
            return;
        }
    }
}

/// Hands a search in.
fn begin(app: &App, wish: Analyse, client: u64, tell: UnboundedSender<News>) -> Result<Ticket, ApiError> {
    let mut board = wish.place.board()?;
    if wish.threats {
        let text = board.other_to_move().filter(|_| board.outcome().is_none());
        let text = text.ok_or_else(|| ApiError::conflict(refusals::no_threats()))?;
        board = Board::at(board.variant(), &Place { position: Some(text), moves: Vec::new() })?;
    }
    if wish.only.len() > MOST_LINES {
        return Err(ApiError::invalid(refusals::search_moves(MOST_LINES)));
    }
    let request = Request {
        limits: wish.limits.limits(),
        multipv: Some(wish.lines.clamp(1, MOST_LINES)),
        search_moves: wish.only,
        ..Request::new(&board)
    };
    let desk = app.room.desk(board.variant());
    let mut search =
        Search { id: wish.id, request, tell, nodes: 0, time: Duration::ZERO, deepest: 0, lines: Vec::new() };
    let work =
        Box::new(move |engine: &mut Engine, turn: &Turn| search.go_on(engine, turn, &mut |info| desk.heard(info)));
    Ok(app.room.submit(board.variant(), Class::Analysis, client, work)?)
}

/// A search that may be interrupted and goes on.
struct Search {
    id: u64,
    request: Request,
    tell: UnboundedSender<News>,
    /// What earlier turns took.
    nodes: u64,
    time: Duration,
    deepest: i32,
    lines: Vec<WireLine>,
}

impl Search {
    fn go_on(&mut self, engine: &mut Engine, turn: &Turn, heard: &mut dyn FnMut(&Info)) -> Next {
        let limits = self.request.limits;
        let request = Request {
            limits: Limits {
                nodes: limits.nodes.map(|nodes| nodes.saturating_sub(self.nodes).max(1)),
                time: limits.time.map(|time| time.saturating_sub(self.time)),
                ..limits
            },
            ..self.request.clone()
        };
        let mut untold = None;
        let mut told = Instant::now() - PACE;
        let found = engine.search(&request, &mut |info| {
            heard(info);
            // After an interruption the table leads back quickly to where it was; that need not be told again.
            if info.depth < self.deepest {
                return;
            }
            self.deepest = info.depth;
            crate::games::note(&mut self.lines, info);
            if told.elapsed() >= PACE {
                told = Instant::now();
                untold = None;
                self.say(info);
            } else {
                untold = Some(info.clone());
            }
        });
        if let Some(info) = untold {
            self.say(&info);
        }
        match found {
            Err(error) => self.end(Err(error)),
            Ok(best) if turn.makes_way() => {
                self.nodes += best.nodes;
                self.time += best.time;
                return Next::Again;
            }
            Ok(best) => self.end(Ok(best)),
        }
        Next::Done
    }

    fn say(&self, info: &Info) {
        let mut info = info.clone();
        info.nodes += self.nodes;
        info.time += self.time;
        let thought = Thought::of(&info, with_short_moves(&self.request.board, &self.lines));
        // Where nobody listens any more the search is about to be stopped.
        let _ = self.tell.send(News::Info { id: self.id, thought });
    }

    fn end(&mut self, found: Result<Best, EngineError>) {
        let news = match found {
            Ok(best) => {
                let lines: Vec<_> =
                    best.lines.iter().enumerate().map(|(index, line)| WireLine::of(index + 1, line)).collect();
                let lines = if lines.is_empty() { &self.lines } else { &lines };
                News::Done { id: self.id, best: Some(best.mv), lines: with_short_moves(&self.request.board, lines) }
            }
            Err(error) => News::Error { id: self.id, refusal: ApiError::from(error).body() },
        };
        let _ = self.tell.send(news);
    }
}
