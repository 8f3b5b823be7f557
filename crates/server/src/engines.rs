//! The engines as clients see them: caches, queue, idle improvement, options, and lookups in the Search TT.

use crate::App;
use crate::engine_pool::{EngineSlot, Priority};
use crate::error::{ApiError, Body, ErrorBody, Query};
use crate::refusals;
use crate::socket::{self, TextSocket};
use crate::time::milliseconds;
use crate::wire::{self, WirePlace, WireScore};
use axum::Json;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use polyply_engine::{Bound, Caches, Engine, EngineError, OptionKind, Reason, TableEntry, Variant};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How often watchers are updated.
const PACE: Duration = Duration::from_millis(250);
/// How many positions of the idle queue are shown.
const SHOWN_IDEAS: usize = 50;
/// The largest table that clients can ask for, in megabytes.
const MAX_MEGABYTES: i64 = 4096;

/// Everything about engines.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(options, set_option))
        .routes(routes!(flush))
        .routes(routes!(idle))
        .routes(routes!(lookup))
        .routes(routes!(live))
}

/// How much work waits.
#[derive(Serialize, ToSchema)]
pub struct QueueView {
    live: usize,
    analysis: usize,
    /// Positions that wait for idle improvement.
    idle: usize,
}

/// The Search TT.
#[derive(Serialize, ToSchema)]
pub struct SearchTtView {
    probes: u64,
    hits: u64,
    cutoffs: u64,
    stores: u64,
    replacements: u64,
    /// Per mille.
    fill: u32,
    bytes: usize,
}

/// The evaluation cache.
#[derive(Serialize, ToSchema)]
pub struct EvalCacheView {
    probes: u64,
    hits: u64,
    stores: u64,
    /// Per mille.
    fill: u32,
    /// 0 when it is off.
    bytes: usize,
}

/// Both caches.
#[derive(Serialize, ToSchema)]
pub struct CachesView {
    search_tt: SearchTtView,
    eval_cache: EvalCacheView,
}

impl From<Caches> for CachesView {
    fn from(caches: Caches) -> CachesView {
        let (search, eval) = (caches.search, caches.eval);
        CachesView {
            search_tt: SearchTtView {
                probes: search.counters.probes,
                hits: search.counters.hits,
                cutoffs: search.counters.cutoffs,
                stores: search.counters.stores,
                replacements: search.counters.replacements,
                fill: search.fill,
                bytes: search.bytes,
            },
            eval_cache: EvalCacheView {
                probes: eval.counters.probes,
                hits: eval.counters.hits,
                stores: eval.counters.stores,
                fill: eval.fill,
                bytes: eval.bytes,
            },
        }
    }
}

/// How long live moves took, in milliseconds.
#[derive(Serialize, ToSchema)]
pub struct TimesView {
    last: u64,
    mean: u64,
    least: u64,
    most: u64,
    count: u32,
}

/// The last report of a search.
#[derive(Serialize, ToSchema)]
pub struct LastView {
    depth: i32,
    seldepth: i32,
    nodes: u64,
    nps: u64,
    stage: &'static str,
    score: WireScore,
    line: Vec<String>,
}

/// A position that waits for idle improvement.
#[derive(Serialize, ToSchema)]
pub struct IdeaView {
    position: String,
    /// `played`, `book` or `shallow`.
    reason: &'static str,
    /// How deep it will be searched next.
    depth: i32,
}

/// Idle improvement.
#[derive(Serialize, ToSchema)]
pub struct IdleView {
    on: bool,
    /// It is paused, or has nothing to do.
    resting: bool,
    /// Positions deepened so far.
    steps: u64,
    queue: Vec<IdeaView>,
}

/// An engine that is open.
#[derive(Serialize, ToSchema)]
pub struct EngineView {
    variant: String,
    /// `live` or `analysis` while a search runs.
    busy: Option<&'static str>,
    queue: QueueView,
    caches: CachesView,
    times: TimesView,
    last: Option<LastView>,
    idle: IdleView,
}

fn view(slot: &EngineSlot, busy: Option<Priority>, [live, analysis]: [usize; 2]) -> Option<EngineView> {
    let status = slot.status();
    let ideas = status.idle.as_ref().map(|idle| idle.queue()).unwrap_or_default();
    let idle = IdleView {
        on: status.idle.as_ref().is_some_and(|idle| idle.is_on()),
        resting: status.idle.as_ref().is_none_or(|idle| idle.is_resting()),
        steps: status.idle.as_ref().map_or(0, |idle| idle.steps()),
        queue: ideas
            .iter()
            .take(SHOWN_IDEAS)
            .map(|idea| IdeaView {
                position: idea.position.clone(),
                reason: match idea.reason {
                    Reason::Played => "played",
                    Reason::Book => "book",
                    Reason::Shallow => "shallow",
                },
                depth: idea.depth,
            })
            .collect(),
    };
    Some(EngineView {
        variant: slot.variant.name().to_owned(),
        busy: busy.map(Priority::name),
        queue: QueueView { live, analysis, idle: ideas.len() },
        caches: status.gauge?.caches().into(),
        times: TimesView {
            last: milliseconds(status.times.last),
            mean: milliseconds(status.times.mean()),
            least: milliseconds(status.times.least),
            most: milliseconds(status.times.most),
            count: status.times.count,
        },
        last: status.last.map(|info| LastView {
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            nps: info.nps,
            stage: info.stage,
            score: info.score.into(),
            line: info.line,
        }),
        idle,
    })
}

fn views(app: &App) -> Vec<EngineView> {
    app.pool.slots().iter().filter_map(|(slot, busy, waiting)| view(slot, *busy, *waiting)).collect()
}

/// All engines that are open.
#[utoipa::path(get, path = "/api/engines", tag = "engines", responses((status = 200, body = Vec<EngineView>)))]
async fn list(State(app): State<App>) -> Json<Vec<EngineView>> {
    Json(views(&app))
}

/// Runs a task on the engine of a variant, before any analysis.
async fn with_engine<T: Send + 'static>(
    app: &App,
    variant: &Variant,
    task: impl FnMut(&mut Engine) -> Result<T, EngineError> + Send + 'static,
) -> Result<T, ApiError> {
    app.pool.ask(variant, Priority::Live, app.pool.client(), task).await
}

/// An option of an engine.
#[derive(Serialize, ToSchema)]
pub struct OptionView {
    name: &'static str,
    help: &'static str,
    /// `switch` or `number`.
    kind: &'static str,
    value: i64,
    default: i64,
    min: i64,
    max: i64,
}

fn all_options(engine: &mut Engine) -> Vec<OptionView> {
    let view = |spec: polyply_engine::OptionSpec| OptionView {
        name: spec.name,
        help: spec.help,
        kind: match spec.kind {
            OptionKind::Switch => "switch",
            OptionKind::Number => "number",
        },
        value: spec.value,
        default: spec.default,
        min: spec.min,
        max: spec.max,
    };
    engine.options().into_iter().map(view).collect()
}

/// All options of a variant's engine.
#[utoipa::path(get, path = "/api/engines/{variant}/options", tag = "engines", params(("variant" = String, Path)),
    responses((status = 200, body = Vec<OptionView>), (status = 422, body = ErrorBody),
    (status = 503, body = ErrorBody)))]
async fn options(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Vec<OptionView>>, ApiError> {
    let variant = wire::variant(&name)?;
    Ok(Json(with_engine(&app, &variant, |engine| Ok(all_options(engine))).await?))
}

/// An option to set.
#[derive(Deserialize, ToSchema)]
pub struct OptionRequest {
    name: String,
    value: i64,
}

/// Sets an option: the size of a cache, a switch, a parameter of the search.
#[utoipa::path(put, path = "/api/engines/{variant}/options", tag = "engines", params(("variant" = String, Path)),
    request_body = OptionRequest, responses((status = 200, body = Vec<OptionView>), (status = 422, body = ErrorBody),
    (status = 503, body = ErrorBody)))]
async fn set_option(
    State(app): State<App>,
    Path(name): Path<String>,
    Body(request): Body<OptionRequest>,
) -> Result<Json<Vec<OptionView>>, ApiError> {
    let variant = wire::variant(&name)?;
    let size = ["hash", "evalcache"].contains(&request.name.to_ascii_lowercase().as_str());
    if size && request.value > MAX_MEGABYTES {
        return Err(ApiError::invalid(refusals::table_size(MAX_MEGABYTES)));
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if request.name.eq_ignore_ascii_case("threads") && request.value > cores as i64 {
        return Err(ApiError::invalid(refusals::thread_count(cores)));
    }
    let set = move |engine: &mut Engine| {
        engine.set_option(&request.name, &request.value.to_string())?;
        Ok(all_options(engine))
    };
    Ok(Json(with_engine(&app, &variant, set).await?))
}

/// Empties both caches.
#[utoipa::path(post, path = "/api/engines/{variant}/flush", tag = "engines", params(("variant" = String, Path)),
    responses((status = 204), (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn flush(State(app): State<App>, Path(name): Path<String>) -> Result<axum::http::StatusCode, ApiError> {
    let variant = wire::variant(&name)?;
    let empty = |engine: &mut Engine| {
        engine.flush();
        Ok(())
    };
    with_engine(&app, &variant, empty).await?;
    Ok(axum::http::StatusCode::NO_CONTENT)
}

/// Whether idle improvement is on.
#[derive(Deserialize, ToSchema)]
pub struct IdleRequest {
    on: bool,
}

/// Switches idle improvement of a variant on or off.
#[utoipa::path(post, path = "/api/engines/{variant}/idle", tag = "engines", params(("variant" = String, Path)),
    request_body = IdleRequest, responses((status = 204), (status = 422, body = ErrorBody),
    (status = 503, body = ErrorBody)))]
async fn idle(
    State(app): State<App>,
    Path(name): Path<String>,
    Body(IdleRequest { on }): Body<IdleRequest>,
) -> Result<axum::http::StatusCode, ApiError> {
    let variant = wire::variant(&name)?;
    let switch = move |engine: &mut Engine| {
        engine.start_idle().set_on(on);
        Ok(())
    };
    with_engine(&app, &variant, switch).await?;
    Ok(axum::http::StatusCode::NO_CONTENT)
}

/// Which position to look up.
#[derive(Deserialize, IntoParams)]
pub struct LookupRequest {
    position: Option<String>,
    /// Separated by spaces or commas.
    moves: Option<String>,
}

/// What the Search TT has on a position.
#[derive(Serialize, ToSchema)]
pub struct EntryView {
    depth: i32,
    score: WireScore,
    /// `exact`, `lower` or `upper`.
    bound: &'static str,
    eval: Option<WireScore>,
    #[serde(rename = "move")]
    mv: Option<String>,
    /// Root searches since it was stored, on a counter that wraps at 64.
    age: u8,
}

impl From<TableEntry> for EntryView {
    fn from(known: TableEntry) -> EntryView {
        EntryView {
            depth: known.depth,
            score: known.score.into(),
            bound: match known.bound {
                Bound::Exact => "exact",
                Bound::AtLeast => "lower",
                Bound::AtMost => "upper",
            },
            eval: known.eval.map(WireScore::from),
            mv: known.mv,
            age: known.age,
        }
    }
}

/// A move, and what the table has on the position after it.
#[derive(Serialize, ToSchema)]
pub struct ChildView {
    #[serde(rename = "move")]
    mv: String,
    entry: EntryView,
}

/// A position in the table, and those after its moves.
#[derive(Serialize, ToSchema)]
pub struct LookupView {
    text: String,
    entry: Option<EntryView>,
    /// Only moves to positions that are in the table.
    children: Vec<ChildView>,
}

/// Looks up a position in the Search TT, and the positions after its moves.
#[utoipa::path(get, path = "/api/engines/{variant}/lookup", tag = "engines",
    params(("variant" = String, Path), LookupRequest),
    responses((status = 200, body = LookupView), (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn lookup(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(request): Query<LookupRequest>,
) -> Result<Json<LookupView>, ApiError> {
    let board = place_of(name, request.position, request.moves.as_deref()).board()?;
    let text = board.text();
    let variant = board.variant().clone();
    let search = move |engine: &mut Engine| {
        let entry = engine.lookup(&board)?.map(EntryView::from);
        let mut children = Vec::new();
        for mv in board.legal_moves() {
            if let Some(known) = engine.lookup(&board.after(&mv)?)? {
                children.push(ChildView { mv, entry: known.into() });
            }
        }
        Ok((entry, children))
    };
    let (entry, children) = with_engine(&app, &variant, search).await?;
    Ok(Json(LookupView { text, entry, children }))
}

/// The place that a query asks for.
pub fn place_of(variant: String, position: Option<String>, moves: Option<&str>) -> WirePlace {
    let moves = moves.unwrap_or_default().split([' ', ',', '+']).filter(|mv| !mv.is_empty());
    WirePlace { variant, position, moves: moves.map(str::to_owned).collect() }
}

/// A WebSocket that sends the state of an engine several times a second.
#[utoipa::path(get, path = "/api/engines/{variant}/live", tag = "engines", params(("variant" = String, Path)),
    responses((status = 101, description = "Messages of the type EngineView follow"),
    (status = 422, body = ErrorBody)))]
async fn live(
    State(app): State<App>,
    Path(name): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let variant = wire::variant(&name)?;
    let slot = app.pool.slot(&variant);
    socket::open(&app.clone(), upgrade, move |socket| tell(app, socket, slot))
}

async fn tell(app: App, socket: WebSocket, slot: Arc<EngineSlot>) {
    let mut socket = TextSocket::new(socket);
    let mut ticks = tokio::time::interval(PACE);
    loop {
        tokio::select! {
            said = socket.receive() => if said.is_none() { return },
            _ = ticks.tick() => {
                let slots = app.pool.slots();
                let here = slots.iter().find(|(other, _, _)| Arc::ptr_eq(other, &slot));
                let view = here.and_then(|(slot, busy, waiting)| view(slot, *busy, *waiting));
                if !socket.send(serde_json::to_string(&view).unwrap_or_default()).await {
                    return;
                }
            }
        }
    }
}
