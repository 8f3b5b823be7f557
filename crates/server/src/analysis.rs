//! Analysis: one search for each connection, reported as it goes, until it is stopped or replaced by another.

use crate::App;
use crate::engine_pool::{Next, Priority, Ticket, Turn};
use crate::error::{ApiError, ErrorBody};
use crate::peer::Peer;
use crate::refusals;
use crate::socket::{self, TextSocket};
use crate::wire::{SearchInfo, WireLine, WirePlace, with_short_moves};
use axum::extract::State;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::response::Response;
use polyply_engine::{Best, Board, Engine, EngineError, Info, Limits, PositionSpec, Request};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How long an analysis without limits runs.
const LONGEST: Duration = Duration::from_secs(600);
/// The shortest time between two reports.
const PACE: Duration = Duration::from_millis(50);
/// The most lines of a search.
const MAX_LINES: usize = 512;

/// Analysis over a WebSocket.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(analysis))
}

/// When a search ends: at the first of these limits.
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
    /// As the engine takes them, never without an end.
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

/// What a client can ask for.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AnalysisCommand {
    /// Search a position. A search that runs is stopped.
    Analyse(Analyse),
    /// Stop the search.
    Stop,
}

/// What to search.
#[derive(Deserialize, ToSchema)]
pub struct Analyse {
    #[serde(flatten)]
    place: WirePlace,
    /// Comes back with every event.
    #[serde(default)]
    id: u64,
    /// How many of the best lines.
    #[serde(default = "one")]
    lines: usize,
    #[serde(default)]
    limits: WireLimits,
    /// Search these moves only.
    #[serde(default)]
    only: Vec<String>,
    /// Search as if the other side were to move.
    #[serde(default)]
    threats: bool,
}

fn one() -> usize {
    1
}

/// What the server sends.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AnalysisEvent {
    /// A report of the search.
    Info {
        id: u64,
        #[serde(flatten)]
        info: SearchInfo,
    },
    /// The search is over.
    Done { id: u64, best: Option<String>, lines: Vec<WireLine> },
    /// The request was refused.
    Error {
        id: u64,
        #[serde(flatten)]
        refusal: ErrorBody,
    },
}

/// A WebSocket: the client sends `AnalysisCommand`s, the server answers with `AnalysisEvent`s.
#[utoipa::path(get, path = "/api/analysis", tag = "analysis", responses(
    (status = 101, description = "Messages of the types AnalysisCommand and AnalysisEvent follow"),
    (status = 503, body = ErrorBody)))]
async fn analysis(State(app): State<App>, peer: Peer, upgrade: WebSocketUpgrade) -> Result<Response, ApiError> {
    socket::open(&app.clone(), upgrade, move |socket| serve(app, socket, peer))
}

async fn serve(app: App, socket: WebSocket, peer: Peer) {
    let mut socket = TextSocket::new(socket);
    // Dropping the ticket stops the search.
    let mut _search: Option<Ticket> = None;
    let (_, mut news): (UnboundedSender<AnalysisEvent>, UnboundedReceiver<AnalysisEvent>) = mpsc::unbounded_channel();
    loop {
        let message = tokio::select! {
            said = socket.receive() => {
                let Some(said) = said else { return };
                _search = None;
                match serde_json::from_str::<AnalysisCommand>(&said) {
                    Ok(AnalysisCommand::Stop) => continue,
                    Ok(AnalysisCommand::Analyse(analyse)) => {
                        let id = analyse.id;
                        let (tell, told) = mpsc::unbounded_channel();
                        news = told;
                        match begin(&app, analyse, peer, tell) {
                            Ok(ticket) => {
                                _search = Some(ticket);
                                continue;
                            }
                            Err(error) => AnalysisEvent::Error { id, refusal: error.body() },
                        }
                    }
                    Err(error) => {
                        let refusal = refusals::message_unread(error.to_string());
                        AnalysisEvent::Error { id: 0, refusal: (&refusal).into() }
                    }
                }
            }
            Some(message) = news.recv() => message,
        };
        if !socket.send(serde_json::to_string(&message).unwrap_or_default()).await {
            return;
        }
    }
}

/// Submits a search to the engine pool.
fn begin(app: &App, analyse: Analyse, peer: Peer, tell: UnboundedSender<AnalysisEvent>) -> Result<Ticket, ApiError> {
    let mut board = analyse.place.board()?;
    if analyse.threats {
        let text = board.other_to_move().filter(|_| board.outcome().is_none());
        let text = text.ok_or_else(|| ApiError::conflict(refusals::no_threats()))?;
        board = Board::at(board.variant(), &PositionSpec { position: Some(text), moves: Vec::new() })?;
    }
    if analyse.only.len() > MAX_LINES {
        return Err(ApiError::invalid(refusals::search_moves(MAX_LINES)));
    }
    let request = Request {
        limits: analyse.limits.limits(),
        multipv: Some(analyse.lines.clamp(1, MAX_LINES)),
        search_moves: analyse.only,
        ..Request::new(&board)
    };
    let slot = app.pool.slot(board.variant());
    let mut search =
        Search { id: analyse.id, request, tell, nodes: 0, time: Duration::ZERO, deepest: 0, lines: Vec::new() };
    let work =
        Box::new(move |engine: &mut Engine, turn: &Turn| search.go_on(engine, turn, &mut |info| slot.set_last(info)));
    Ok(app.pool.submit(board.variant(), Priority::Analysis, peer, work)?)
}

/// A search that goes on after it was preempted.
struct Search {
    id: u64,
    request: Request,
    tell: UnboundedSender<AnalysisEvent>,
    /// What earlier turns have used.
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
            // A resumed search gets back quickly to where it was, thanks to the table. That was reported before.
            if info.depth < self.deepest {
                return;
            }
            self.deepest = info.depth;
            WireLine::update(&mut self.lines, info);
            if told.elapsed() >= PACE {
                told = Instant::now();
                untold = None;
                self.report(info);
            } else {
                untold = Some(info.clone());
            }
        });
        if let Some(info) = untold {
            self.report(&info);
        }
        match found {
            Err(error) => self.end(Err(error)),
            Ok(best) if turn.is_preempted() => {
                self.nodes += best.nodes;
                self.time += best.time;
                return Next::Again;
            }
            Ok(mut best) => {
                let completed = engine.complete_wins(&self.request.board, &mut best);
                self.end(completed.map(|()| best));
            }
        }
        Next::Done
    }

    fn report(&self, info: &Info) {
        let mut info = info.clone();
        info.nodes += self.nodes;
        info.time += self.time;
        let report = SearchInfo::of(&info, with_short_moves(&self.request.board, &self.lines));
        // If nobody listens any more, the search is about to be stopped.
        let _ = self.tell.send(AnalysisEvent::Info { id: self.id, info: report });
    }

    fn end(&mut self, found: Result<Best, EngineError>) {
        let news = match found {
            Ok(best) => {
                let lines: Vec<_> =
                    best.lines.iter().enumerate().map(|(index, line)| WireLine::of(index + 1, line)).collect();
                let lines = if lines.is_empty() { &self.lines } else { &lines };
                AnalysisEvent::Done {
                    id: self.id,
                    best: Some(best.mv),
                    lines: with_short_moves(&self.request.board, lines),
                }
            }
            Err(error) => AnalysisEvent::Error { id: self.id, refusal: ApiError::from(error).body() },
        };
        let _ = self.tell.send(news);
    }
}
