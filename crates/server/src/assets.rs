//! The files of the web app, from [`polyply_web`].

use crate::error::ApiError;
use crate::refusals;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use polyply_web::{EmbeddedFile, Files};

/// The file at an address. An address without an ending is a page of the app and gets `index.html`.
pub async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let is_page = !path.starts_with("api/") && !path.rsplit('/').next().unwrap_or_default().contains('.');
    let (path, file) = match Files::get(path) {
        Some(file) => (path, Some(file)),
        None if is_page => ("index.html", Files::get("index.html")),
        None => (path, None),
    };
    match file {
        Some(file) => answer(path, file, &headers),
        None => ApiError::not_found(refusals::page_unknown(uri.path())).into_response(),
    }
}

fn answer(path: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash: String = file.metadata.sha256_hash().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let content_type = match path.rsplit('.').next() {
        Some("js" | "mjs") => "text/javascript; charset=utf-8".to_owned(),
        Some("html") => "text/html; charset=utf-8".to_owned(),
        Some("css") => "text/css; charset=utf-8".to_owned(),
        _ => file.metadata.mimetype().to_owned(),
    };
    let mut response = if known.contains(&tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        file.data.into_owned().into_response()
    };
    // Browsers always ask and get the file only if it has changed, so that a new build shows at once.
    let values =
        [(header::CONTENT_TYPE, content_type), (header::ETAG, tag), (header::CACHE_CONTROL, "no-cache".to_owned())];
    for (name, value) in values {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}
