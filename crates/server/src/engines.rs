//! The engines as clients see them: caches, queue, idle improvement, options, and lookups in the Search TT.

use crate::App;
use crate::engine_pool::{EngineSlot, Priority};
use crate::error::{ApiError, Body, ErrorBody, Query};
use crate::memory::{self, Totals};
use crate::peer::Peer;
use crate::refusals;
use crate::socket::{self, TextSocket};
use crate::time::milliseconds;
use crate::wire::{self, WirePlace, WireScore};
use axum::Json;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use polyply_engine::{
    Board, Bound, Caches, DEPTH_BANDS, Engine, EngineError, IdleHandle, OptionKind, OptionSpec, QueuedPosition, Rate,
    Reason, TableEntry, Variant,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How often watchers are updated.
const PACE: Duration = Duration::from_millis(250);
/// How many positions of the idle queue are shown.
const SHOWN_POSITIONS: usize = 20;

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
    matches: usize,
    /// Positions that wait for idle improvement.
    idle: usize,
}

/// The Search TT.
#[derive(Serialize, ToSchema)]
pub struct SearchTtView {
    probes: u64,
    hits: u64,
    /// Hits as a share of the look-ups, per mille.
    hit_rate: u32,
    cutoffs: u64,
    /// Cutoffs as a share of the look-ups, per mille.
    cutoff_rate: u32,
    stores: u64,
    replacements: u64,
    /// Per mille.
    fill: u32,
    bytes: usize,
}

/// Hits of the Search TT in searches of some depths.
#[derive(Serialize, ToSchema)]
pub struct DepthRateView {
    /// `0`, `2-3`, `16+`.
    depth: &'static str,
    probes: u64,
    /// Per mille of the look-ups.
    hit_rate: u32,
}

/// The evaluation cache.
#[derive(Serialize, ToSchema)]
pub struct EvalCacheView {
    probes: u64,
    hits: u64,
    /// Hits as a share of the look-ups, per mille.
    hit_rate: u32,
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
    /// Its hits by the depth of the search that looked: at leaves (0), and by powers of two.
    search_tt_by_depth: Vec<DepthRateView>,
    eval_cache: EvalCacheView,
}

impl From<Caches> for CachesView {
    fn from(caches: Caches) -> CachesView {
        let (search, eval) = (caches.search, caches.eval);
        let (found, evaluated) = (search.counters.rate(), eval.counters.rate);
        let cut = Rate { hits: search.counters.cutoffs, ..found };
        let by_depth = DEPTH_BANDS.iter().zip(search.counters.by_depth);
        CachesView {
            search_tt: SearchTtView {
                probes: found.probes,
                hits: found.hits,
                hit_rate: per_mille(found),
                cutoffs: cut.hits,
                cutoff_rate: per_mille(cut),
                stores: search.counters.stores,
                replacements: search.counters.replacements,
                fill: search.fill,
                bytes: search.bytes,
            },
            search_tt_by_depth: by_depth
                .map(|(depth, rate)| DepthRateView { depth, probes: rate.probes, hit_rate: per_mille(rate) })
                .collect(),
            eval_cache: EvalCacheView {
                probes: evaluated.probes,
                hits: evaluated.hits,
                hit_rate: per_mille(evaluated),
                stores: eval.counters.stores,
                fill: eval.fill,
                bytes: eval.bytes,
            },
        }
    }
}

fn per_mille(rate: Rate) -> u32 {
    (1000.0 * rate.share()).round() as u32
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
pub struct QueuedView {
    /// The starting position, if it is not the usual one.
    position: Option<String>,
    /// The moves from there.
    moves: Vec<String>,
    /// The same moves as people write them, where that is another way.
    shown: Option<Vec<String>>,
    /// How many of the moves were played; the others are likely.
    played: usize,
    /// Why: it is on the board (`current`), was on it (`played`), or a game may begin so (`start`); or the moves that were
    /// played lead to such a position.
    reason: &'static str,
    /// How deep it is known; 0 if it was not searched.
    known: i32,
    /// How deep it will be searched.
    target: i32,
}

/// Idle improvement.
#[derive(Serialize, ToSchema)]
pub struct IdleView {
    on: bool,
    /// The share of one processor that it may take, in percent; 0 if the server was told not to improve anything.
    share: u8,
    /// It does nothing because the machine runs on its battery.
    on_battery: bool,
    /// It is paused, or has nothing to do.
    resting: bool,
    /// Everything likely is as deep as it deserves.
    done: bool,
    /// Searches so far.
    steps: u64,
    /// Positions that were improved and are still kept in mind.
    improved: usize,
    /// The positions that come next.
    queue: Vec<QueuedView>,
}

fn idle_view(app: &App, slot: &EngineSlot, handle: Option<&IdleHandle>) -> IdleView {
    let queue = handle.map(|idle| idle.queue()).unwrap_or_default();
    let view = |next: QueuedPosition| {
        let spec = next.spec();
        let board = Board::at(&slot.variant, &spec).ok();
        let short = board.map(|board| board.short_moves().to_vec());
        QueuedView {
            played: next.root.moves.len(),
            reason: match next.reason {
                Reason::Current => "current",
                Reason::Played => "played",
                _ => "start",
            },
            known: next.known,
            target: next.target,
            shown: short.filter(|short| *short != spec.moves),
            position: spec.position,
            moves: spec.moves,
        }
    };
    IdleView {
        on: handle.is_some_and(|idle| idle.is_on()),
        share: app.pool.idle().share().as_percent(),
        on_battery: app.pool.idle().is_on_battery(),
        resting: handle.is_none_or(|idle| idle.is_resting()),
        done: handle.is_some_and(|idle| idle.is_done()),
        steps: handle.map_or(0, |idle| idle.steps()),
        improved: handle.map_or(0, |idle| idle.improved()),
        queue: queue.into_iter().take(SHOWN_POSITIONS).map(view).collect(),
    }
}

/// An engine that is open.
#[derive(Serialize, ToSchema)]
pub struct EngineView {
    variant: String,
    /// `live`, `analysis` or `match` while a search runs.
    busy: Option<&'static str>,
    queue: QueueView,
    caches: CachesView,
    times: TimesView,
    last: Option<LastView>,
    idle: IdleView,
    memory: Totals,
}

fn view(
    app: &App,
    slot: &EngineSlot,
    busy: Option<Priority>,
    [live, analysis, matches]: [usize; 3],
) -> Option<EngineView> {
    let status = slot.status();
    let idle = idle_view(app, slot, status.idle.as_ref());
    Some(EngineView {
        variant: slot.variant.name().to_owned(),
        busy: busy.map(Priority::name),
        queue: QueueView { live, analysis, matches, idle: idle.queue.len() },
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
        memory: memory::totals(app),
    })
}

fn views(app: &App) -> Vec<EngineView> {
    app.pool.slots().iter().filter_map(|(slot, busy, waiting)| view(app, slot, *busy, *waiting)).collect()
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
    app.pool.ask(variant, Priority::Live, Peer::server("engine room"), task).await
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

fn option_views(options: Vec<OptionSpec>) -> Vec<OptionView> {
    let view = |spec: OptionSpec| OptionView {
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
    options.into_iter().map(view).collect()
}

/// All options of a variant's engine. An engine that is not open is not opened for that: it has the usual values.
#[utoipa::path(get, path = "/api/engines/{variant}/options", tag = "engines", params(("variant" = String, Path)),
    responses((status = 200, body = Vec<OptionView>), (status = 422, body = ErrorBody),
    (status = 503, body = ErrorBody)))]
async fn options(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Vec<OptionView>>, ApiError> {
    let variant = wire::variant(&name)?;
    let open = app.pool.slots().iter().any(|(slot, _, _)| slot.variant.name() == variant.name());
    let options = match open {
        true => with_engine(&app, &variant, |engine| Ok(engine.options())).await?,
        false => variant.options(&app.pool.settings().options),
    };
    Ok(Json(option_views(options)))
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
    let mut needs = 0;
    if ["hash", "evalcache"].contains(&request.name.to_ascii_lowercase().as_str()) {
        let settings = app.pool.settings();
        // The other cache stays as it is, and the engine needs some memory besides.
        let most = (settings.memory - app.pool.reserved()).saturating_sub(settings.engine_bytes(&variant)) >> 20;
        let most = most.max(settings.options.hash) as i64;
        if request.value > most {
            return Err(ApiError::invalid(refusals::table_size(most)));
        }
        needs = settings.engine_bytes(&variant) + ((request.value.max(0) as usize) << 20);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if request.name.eq_ignore_ascii_case("threads") && request.value > cores as i64 {
        return Err(ApiError::invalid(refusals::thread_count(cores)));
    }
    let set = move |engine: &mut Engine| {
        engine.set_option(&request.name, &request.value.to_string())?;
        Ok(engine.options())
    };
    let options = app.pool.ask_growing(&variant, Priority::Live, Peer::server("engine room"), needs, set).await?;
    Ok(Json(option_views(options)))
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
        if let Some(idle) = engine.idle() {
            idle.set_on(on);
        }
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
                let view = here.and_then(|(slot, busy, waiting)| view(&app, slot, *busy, *waiting));
                if !socket.send(serde_json::to_string(&view).unwrap_or_default()).await {
                    return;
                }
            }
        }
    }
}
