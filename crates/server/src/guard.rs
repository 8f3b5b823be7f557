//! Protection against pages of other sites.
//!
//! A page of another site must not be able to use a server on this machine. It could try DNS rebinding and let its own
//! name point here, so `Host` must be an IP address, `localhost` or an allowed name. It could send requests, whose
//! answers it can't read but whose effects stay, or open a WebSocket, which browsers allow; so an `Origin` must be this
//! server's. Reading may cost something too, and comes without an `Origin`; there `Sec-Fetch-Site` says where a request is
//! from. Links to our pages are welcome.
//!
//! The guard also finds out who asks ([`Peer`]), keeps what is not open for the operator, and counts requests.

use crate::access::is_open;
use crate::connections::Connection;
use crate::error::ApiError;
use crate::peer::Peer;
use crate::{App, LONGEST_BODY, refusals};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use polyply_engine::Refusal;
use std::net::IpAddr;

/// Nothing from other sites, and no inline scripts or styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; \
                      media-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Lets requests through that come from our own pages or from no page, and sets security headers on all answers.
pub async fn check(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let mut response = match let_in(&app, &request) {
        Err(error) => error.into_response(),
        Ok(_) if *request.method() == Method::TRACE => StatusCode::METHOD_NOT_ALLOWED.into_response(),
        Ok(peer) => {
            request.extensions_mut().insert(peer);
            next.run(request).await
        }
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Who sends a request, or why it must not be answered.
fn let_in(app: &App, request: &Request) -> Result<Peer, ApiError> {
    let (headers, uri) = (request.headers(), request.uri());
    let refusal = foreign(headers, uri.authority().map(|host| host.as_str()), &app.hosts)
        .or_else(|| linked_from_elsewhere(headers, uri.path()).then(refusals::other_site));
    if let Some(refusal) = refusal {
        return Err(ApiError::forbidden(refusal));
    }
    let connection = request.extensions().get::<Connection>();
    let Connection(from) = *connection.ok_or_else(|| ApiError::internal("a request without a connection"))?;
    let peer = app.access.peer(from, headers);
    app.shares.request(peer, body_length(request))?;
    // Pages have no route, and are open.
    let closed = |route: &MatchedPath| !is_open(request.method(), route.as_str());
    if !peer.is_operator() && request.extensions().get::<MatchedPath>().is_some_and(closed) {
        return Err(ApiError::forbidden(refusals::operator_only()));
    }
    Ok(peer)
}

/// How long the body of a request is, or if it does not say so, how long it may become.
fn body_length(request: &Request) -> u64 {
    let headers = request.headers();
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let chunked = headers.contains_key(header::TRANSFER_ENCODING);
    length.unwrap_or(if chunked { LONGEST_BODY as u64 } else { 0 })
}

/// Why a request must not be answered.
fn foreign(headers: &HeaderMap, authority: Option<&str>, allowed: &[String]) -> Option<Refusal> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (host, second) = (hosts.next().and_then(|host| host.to_str().ok()), hosts.next());
    let host = authority.or(host).filter(|_| second.is_none());
    let Some(host) = host else { return Some(refusals::host_missing()) };
    let name = host_name(host);
    let known = name.eq_ignore_ascii_case("localhost")
        || is_address(name)
        || allowed.iter().any(|other| other.eq_ignore_ascii_case(name));
    if !known {
        return Some(refusals::host_unknown(name));
    }
    // Browsers send it with every request that may change something and with every WebSocket.
    match headers.get(header::ORIGIN).map(HeaderValue::to_str) {
        None => None,
        Some(Ok(origin)) if origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(host)) => None,
        Some(_) => Some(refusals::other_site()),
    }
}

/// A page of another site asks for more than one of our pages.
fn linked_from_elsewhere(headers: &HeaderMap, path: &str) -> bool {
    let cross_site = headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
    cross_site && (path.starts_with("/api/") || path == "/metrics")
}

/// The host without its port.
fn host_name(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    }
}

fn is_address(name: &str) -> bool {
    name.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        foreign(&headers, None, &["polyply.example".to_owned()]).is_some()
    }

    #[test]
    fn a_name_that_may_point_anywhere_is_refused() {
        for host in
            ["127.0.0.1:8080", "localhost:8080", "LocalHost", "[::1]:8080", "192.168.1.5", "polyply.example:8080"]
        {
            assert!(!refused(host, None), "{host}");
        }
        for host in ["evil.example:8080", "127.0.0.1.evil.example", "", "localhost.evil.example"] {
            assert!(refused(host, None), "{host}");
        }
    }

    #[test]
    fn a_request_has_one_host() {
        let mut headers = HeaderMap::new();
        assert!(foreign(&headers, None, &[]).is_some());
        headers.append(header::HOST, "localhost".parse().unwrap());
        assert!(foreign(&headers, None, &[]).is_none());
        headers.append(header::HOST, "localhost".parse().unwrap());
        assert!(foreign(&headers, None, &[]).is_some());
    }

    #[test]
    fn other_sites_may_link_to_pages_and_to_nothing_else() {
        let mut headers = HeaderMap::new();
        assert!(!linked_from_elsewhere(&headers, "/api/variants"));
        headers.insert("sec-fetch-site", "cross-site".parse().unwrap());
        assert!(linked_from_elsewhere(&headers, "/api/variants") && linked_from_elsewhere(&headers, "/metrics"));
        assert!(!linked_from_elsewhere(&headers, "/") && !linked_from_elsewhere(&headers, "/play"));
    }

    #[test]
    fn another_sites_pages_are_refused() {
        assert!(!refused("127.0.0.1:8080", Some("http://127.0.0.1:8080")));
        for origin in ["http://evil.example", "http://127.0.0.1:9090", "null", "http://localhost:8080"] {
            assert!(refused("127.0.0.1:8080", Some(origin)), "{origin}");
        }
    }
}
