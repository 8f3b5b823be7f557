//! Where friends find this server: its addresses in the local network, and QR codes of links.

use crate::App;
use crate::error::{ApiError, ErrorBody, Query};
use crate::refusals;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use fast_qr::QRBuilder;
use fast_qr::convert::svg::SvgBuilder;
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, SocketAddr, UdpSocket};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Longer texts are refused.
const LONGEST_CODE: usize = 500;

/// Addresses and codes.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(addresses)).routes(routes!(code))
}

/// Where the server can be reached.
#[derive(Serialize, ToSchema)]
pub struct Addresses {
    /// Only this machine reaches it.
    loopback: bool,
    /// Its addresses in the local network, as in `http://192.168.1.20:8080`.
    addresses: Vec<String>,
    /// The option that opens it to the local network, as in `--addr 0.0.0.0:8080 --expose`.
    option: String,
}

/// Where the server can be reached by others.
#[utoipa::path(get, path = "/api/addresses", tag = "games", responses((status = 200, body = Addresses)))]
async fn addresses(State(app): State<App>) -> Json<Addresses> {
    Json(Addresses::of(app.addr))
}

impl Addresses {
    /// The addresses of a server that listens here.
    fn of(addr: SocketAddr) -> Addresses {
        let ip = if addr.ip().is_unspecified() { local_network() } else { Some(addr.ip()) };
        let reachable = ip.filter(|ip| !ip.is_loopback());
        Addresses {
            loopback: addr.ip().is_loopback(),
            addresses: reachable.map(|ip| format!("http://{}", SocketAddr::new(ip, addr.port()))).into_iter().collect(),
            option: format!("--addr 0.0.0.0:{} --expose", addr.port()),
        }
    }
}

/// The address of this machine in its network: the one it would send from. Connecting a UDP socket sends nothing.
fn local_network() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_unspecified())
}

/// What a code says.
#[derive(Deserialize, IntoParams)]
pub struct CodeText {
    /// Usually a link.
    #[param(max_length = 500)]
    text: String,
}

/// A text as a QR code, in SVG.
#[utoipa::path(get, path = "/api/qr", tag = "games", params(CodeText),
    responses((status = 200, content_type = "image/svg+xml"), (status = 422, body = ErrorBody)))]
async fn code(Query(CodeText { text }): Query<CodeText>) -> Result<impl IntoResponse, ApiError> {
    let code = Some(text).filter(|text| text.len() <= LONGEST_CODE).and_then(|text| QRBuilder::new(text).build().ok());
    let code = code.ok_or_else(|| ApiError::invalid(refusals::code_long(LONGEST_CODE)))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], SvgBuilder::default().to_str(&code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_loopback_says_how_to_open_it() {
        let Addresses { loopback, addresses, option } = Addresses::of("127.0.0.1:8080".parse().unwrap());
        assert_eq!((loopback, addresses, option.as_str()), (true, Vec::new(), "--addr 0.0.0.0:8080 --expose"));
    }

    #[test]
    fn an_address_of_the_network_is_shown_as_it_is() {
        let Addresses { loopback, addresses, .. } = Addresses::of("192.168.1.20:9000".parse().unwrap());
        assert_eq!((loopback, addresses), (false, vec!["http://192.168.1.20:9000".to_owned()]));
    }
}
