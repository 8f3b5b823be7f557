//! The description of the interface, health and metrics.

use crate::App;
use crate::error::ApiError;
use crate::refusals;
use crate::{
    access, analysis, engines, fleet, games, invitation, matches, memory, picture, positions, protocols, review, share,
};
use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;
use std::time::Instant;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Polyply",
        description = "Games, analysis, review and matches. Scores are from the first player's side."
    ),
    components(schemas(games::view::LiveMessage, analysis::AnalysisCommand, analysis::AnalysisEvent)),
    modifiers(&Tokens)
)]
struct Document;

/// Bearer tokens.
struct Tokens;

impl Modify for Tokens {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let Some(components) = &mut openapi.components else { return };
        let tokens = [
            ("seat", "The token of a seat, or of who began a game between engines or a review"),
            ("operator", "The operator token of an exposed server. Without exposure nothing needs it"),
        ];
        for (name, about) in tokens {
            let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(about)).build();
            components.add_security_scheme(name, SecurityScheme::Http(scheme));
        }
    }
}

/// The routes that the description covers.
pub fn document() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Document::openapi())
        .merge(positions::router())
        .merge(games::api::router())
        .merge(invitation::router())
        .merge(analysis::router())
        .merge(review::api::router())
        .merge(engines::router())
        .merge(memory::router())
        .merge(fleet::router())
        .merge(matches::api::router())
        .merge(share::router())
        .merge(picture::router())
        .merge(protocols::router())
        .merge(access::router())
}

/// The other routes.
pub fn other(document: Arc<String>) -> Router<App> {
    let openapi = move || {
        let document = document.clone();
        async move { ([(header::CONTENT_TYPE, "application/json")], document.to_string()) }
    };
    Router::new()
        .route("/api/openapi.json", get(openapi))
        .route("/api/health", get(health))
        .route("/metrics", get(metrics))
}

async fn health(State(app): State<App>) -> Result<&'static str, ApiError> {
    // The database is written twice a second.
    if app.store.is_failing() {
        return Err(ApiError::unavailable(refusals::not_stored()));
    }
    Ok("{\"status\":\"ok\"}")
}

async fn metrics(State(app): State<App>) -> Response {
    let memory = memory::view(&app);
    if let Some(resident) = memory.total.resident {
        metrics::gauge!("polyply_resident_bytes").set(resident as f64);
    }
    metrics::gauge!("polyply_engines_open").set(memory.engines.len() as f64);
    metrics::gauge!("polyply_engines_bytes").set(memory.total.engines as f64);
    metrics::gauge!("polyply_engines_limit_bytes").set(memory.total.limit as f64);
    for (slot, _, _) in app.pool.slots() {
        let Some(gauge) = slot.status().gauge else { continue };
        let (caches, variant) = (gauge.caches(), slot.variant.name().to_owned());
        let tables = [
            ("search", caches.search.counters.rate(), caches.search.fill, caches.search.bytes),
            ("eval", caches.eval.counters.rate, caches.eval.fill, caches.eval.bytes),
        ];
        for (cache, rate, fill, bytes) in tables {
            let labels = [("variant", variant.clone()), ("cache", cache.to_owned())];
            metrics::counter!("polyply_cache_probes_total", &labels).absolute(rate.probes);
            metrics::counter!("polyply_cache_hits_total", &labels).absolute(rate.hits);
            metrics::gauge!("polyply_cache_hit_rate", &labels).set(rate.share());
            metrics::gauge!("polyply_cache_fill", &labels).set(f64::from(fill) / 1000.0);
            metrics::gauge!("polyply_cache_bytes", &labels).set(bytes as f64);
        }
        let counters = caches.search.counters;
        let labels = [("variant", variant)];
        metrics::counter!("polyply_cache_cutoffs_total", &labels).absolute(counters.cutoffs);
        metrics::counter!("polyply_cache_stores_total", &labels).absolute(counters.stores);
        metrics::counter!("polyply_cache_replacements_total", &labels).absolute(counters.replacements);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], app.prometheus.render()).into_response()
}

/// Counts requests and measures their time, by route and status.
pub async fn measure(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let path = request.extensions().get::<MatchedPath>().map_or("page", |path| path.as_str()).to_owned();
    let response = next.run(request).await;
    let status = response.status();
    // An open WebSocket is not a slow request.
    if status != StatusCode::SWITCHING_PROTOCOLS {
        metrics::histogram!("polyply_request_seconds", "path" => path.clone()).record(began.elapsed());
    }
    metrics::counter!("polyply_requests_total", "path" => path, "status" => status.as_str().to_owned()).increment(1);
    response
}
