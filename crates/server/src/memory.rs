//! The memory of the process and of its parts.

use crate::App;
use crate::engine_pool::{ENGINE_BYTES, EngineSlot};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// What is said about memory.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(memory))
}

/// The memory of an open engine, in bytes.
#[derive(Serialize, ToSchema)]
pub struct EngineMemory {
    /// The variant.
    pub variant: String,
    /// The Search TT.
    pub search_tt: usize,
    /// The evaluation cache.
    pub eval_cache: usize,
    /// Everything else that is set aside for it.
    pub other: usize,
}

/// The memory of the process and of all engines, in bytes.
#[derive(Serialize, ToSchema)]
pub struct Totals {
    /// What the system has given to the process, where it tells.
    pub resident: Option<u64>,
    /// What engines take together, tables in full: the open ones, and those of engine protocols and matches.
    pub engines: usize,
    /// Of this, what is set aside for engine protocols and matches.
    pub reserved: usize,
    /// What they may take together.
    pub limit: usize,
}

/// The memory of the process and of its parts, in bytes.
#[derive(Serialize, ToSchema)]
pub struct MemoryView {
    /// All together.
    pub total: Totals,
    /// The open engines.
    pub engines: Vec<EngineMemory>,
    /// How many games are in memory: those that somebody watches, or has just needed.
    pub games: usize,
}

/// What is in use now.
pub fn totals(app: &App) -> Totals {
    let open: usize = engines(app).iter().map(|engine| engine.search_tt + engine.eval_cache + engine.other).sum();
    let reserved = app.pool.reserved();
    Totals { resident: resident(), engines: open + reserved, reserved, limit: app.pool.settings().memory }
}

/// The open engines.
fn engines(app: &App) -> Vec<EngineMemory> {
    let engine = |slot: &EngineSlot| {
        let caches = slot.status().gauge?.caches();
        let (search_tt, eval_cache) = (caches.search.bytes, caches.eval.bytes);
        Some(EngineMemory { variant: slot.variant.name().to_owned(), search_tt, eval_cache, other: ENGINE_BYTES })
    };
    app.pool.slots().iter().filter_map(|(slot, _, _)| engine(slot)).collect()
}

/// What is in use now, part by part.
pub fn view(app: &App) -> MemoryView {
    MemoryView { total: totals(app), engines: engines(app), games: app.games.count() }
}

/// The memory of the process and of the open engines.
#[utoipa::path(get, path = "/api/memory", tag = "engines", responses((status = 200, body = MemoryView)))]
async fn memory(State(app): State<App>) -> Json<MemoryView> {
    Json(view(&app))
}

/// The resident memory of this process in bytes, where the system tells.
fn resident() -> Option<u64> {
    parse_resident(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// Reads it from Linux's description of a process.
fn parse_resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_resident_memory_is_read_from_the_status_of_a_process() {
        assert_eq!(
            parse_resident("Name:\tpolyply\nVmPeak:\t  99 kB\nVmRSS:\t    2048 kB\nRssAnon:\t 1 kB\n"),
            Some(2 << 20)
        );
        assert_eq!(parse_resident("Name:\tpolyply\n"), None);
        assert_eq!(parse_resident("VmRSS: many kB"), None);
    }
}
