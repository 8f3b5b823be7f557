//! The fleet that helps this server: moves that it has no thread for are searched by workers, and the app shows the fleet.

use crate::App;
use crate::error::ApiError;
use crate::games::PlayedMove;
use crate::wire::WireScore;
use axum::Json;
use axum::extract::State;
use polyply_core::lock::lock;
use polyply_engine::{Board, Variant};
use polyply_engine::{Level, Limits, Score};
use polyply_fleet::job::Class;
use polyply_fleet::{Fleet, JobSpec, OpenJob};
use polyply_lab::work::{SearchPiece, SearchTask, SearchedMove, Signatures, Task, now_ms};
use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::oneshot;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How often new searches are looked for while results are waited for.
const TICK: Duration = Duration::from_millis(5);
/// What a search may take besides its own time.
const ON_THE_WAY: Duration = Duration::from_secs(2);
/// A worker that is not heard of for this long has lost a search.
const ACK_WAIT: Duration = Duration::from_secs(3);
/// Megabytes for the table of each search.
const HASH: usize = 64;

/// What is said about the fleet.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show))
}

/// The fleet that helps this server, its workers and jobs; `null` without one.
#[utoipa::path(get, path = "/api/fleet", tag = "fleet", responses((status = 200, body = serde_json::Value)))]
async fn show(State(app): State<App>) -> Result<Json<serde_json::Value>, ApiError> {
    let Some(fleet) = app.fleet.clone() else { return Ok(Json(serde_json::Value::Null)) };
    let status = tokio::task::spawn_blocking(move || fleet.fleet.status()).await.map_err(ApiError::internal)?;
    let status = status.map_err(ApiError::internal)?;
    Ok(Json(serde_json::json!(status)))
}

/// Searches by the workers of a fleet.
pub struct RemoteSearches {
    fleet: Fleet,
    signatures: Signatures,
    /// A thread for each game, which gives searches and takes moves.
    games: Mutex<HashMap<String, Sender<Search>>>,
}

/// A search that somebody waits for.
struct Search {
    piece: SearchPiece,
    found: oneshot::Sender<SearchedMove>,
}

impl RemoteSearches {
    /// Searches by a fleet.
    pub fn new(fleet: Fleet) -> Arc<RemoteSearches> {
        Arc::new(RemoteSearches { fleet, signatures: Signatures::default(), games: Mutex::default() })
    }

    /// Asks for a move. Without an answer in time, there is none.
    pub async fn find_move(self: &Arc<Self>, board: &Board, level: &Level, limits: Limits) -> Option<PlayedMove> {
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let clock = limits.clock;
        let patience = clock.map_or(limits.time, |clock| Some(clock.remaining)).unwrap_or_default() + ON_THE_WAY;
        let piece = SearchPiece {
            variant: board.variant().name().to_owned(),
            position: board.spec().into(),
            level: level.number,
            nodes: limits.nodes,
            time_ms: limits.time.map(milliseconds),
            clock_ms: clock.map(|clock| [milliseconds(clock.remaining), milliseconds(clock.increment)]),
            deadline_ms: now_ms().saturating_add(milliseconds(patience)),
        };
        let (found, answer) = oneshot::channel();
        self.give(board.variant(), Search { piece, found });
        let searched = tokio::time::timeout(patience, answer).await.ok()?.ok()?;
        Some(PlayedMove {
            text: searched.mv?,
            ms: 0,
            score: searched.score.map(|score| WireScore::from(Score::from(score))),
            depth: searched.depth,
            stage: Some(searched.stage),
        })
    }

    /// Passes a search to the thread of its game.
    fn give(self: &Arc<Self>, variant: &Variant, search: Search) {
        let game = variant.about().name;
        let mut games = lock(&self.games);
        let Err(unsent) = (match games.get(game) {
            Some(sender) => sender.send(search),
            None => Err(std::sync::mpsc::SendError(search)),
        }) else {
            return;
        };
        let (sender, searches) = channel();
        // It was made just now, and so accepts.
        let _ = sender.send(unsent.0);
        games.insert(game.to_owned(), sender);
        let remote = self.clone();
        std::thread::spawn(move || {
            if let Err(error) = remote.serve(game, &searches) {
                tracing::warn!(game, error, "the fleet does not search");
            }
        });
    }

    /// Gives the searches of a game to the fleet as they come, until nobody asks any more or the fleet fails.
    fn serve(&self, game: &str, searches: &Receiver<Search>) -> Result<(), String> {
        let bench = self.signatures.of(game).map_err(|error| error.to_string())?;
        let task = Task::Search(SearchTask { hash: HASH }).write().map_err(|error| error.to_string())?;
        let spec = JobSpec {
            title: format!("{game}: moves of people's games"),
            task,
            class: Class::Live,
            game: game.to_owned(),
            nodes: bench.nodes,
            speed: bench.nps(),
            is_timed: false,
            file: None,
            pieces: None,
            ack_wait: ACK_WAIT,
            tries: 2,
        };
        let mut job = self.fleet.open(spec).map_err(|error| error.to_string())?;
        let served = exchange(&mut job, searches).map_err(|error| error.to_string());
        job.close(true).map_err(|error| error.to_string())?;
        served
    }
}

/// Carries searches to a job and moves back.
fn exchange(job: &mut OpenJob, searches: &Receiver<Search>) -> Result<(), polyply_fleet::FleetError> {
    let mut waiting: HashMap<u64, oneshot::Sender<SearchedMove>> = HashMap::new();
    let mut number = 0;
    loop {
        match searches.try_recv() {
            Ok(search) => {
                number += 1;
                let piece = serde_json::to_string(&search.piece).unwrap_or_default();
                job.give(number, &piece)?;
                waiting.insert(number, search.found);
                continue;
            }
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => return Ok(()),
        }
        // Whoever does not wait any more has gone on without the fleet.
        let given_up: Vec<u64> =
            waiting.iter().filter(|(_, found)| found.is_closed()).map(|(number, _)| *number).collect();
        for number in given_up {
            waiting.remove(&number);
            job.withdraw(number);
        }
        if let Some(reply) = job.take(TICK)?
            && let Some(found) = waiting.remove(&reply.number)
            && let Some(searched) = reply.output.ok().and_then(|text| serde_json::from_str(&text).ok())
        {
            // The game may have changed meanwhile.
            let _ = found.send(searched);
        }
    }
}
