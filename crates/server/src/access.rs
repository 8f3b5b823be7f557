//! Who may do what.
//!
//! A server that only this machine reaches is its user's: everything is allowed. An exposed one has an operator, who is
//! recognised by a token; everybody else may do what [`OPEN`] lists. What is not in that list is closed, so a new route is
//! closed until somebody decides otherwise. `docs/security.md` has the same list with its reasons, and a test compares them.

use crate::ids::random_id;
use crate::peer::{self, Peer};
use crate::refusals;
use axum::Json;
use axum::http::{HeaderMap, Method, header};
use polyply_engine::refusal::Argument;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The file of the token, in the data directory.
const FILE: &str = "operator-token";
/// Letters of a token; each has five bits.
const LENGTH: usize = 32;
/// A WebSocket of a browser can't send headers, except for the protocols it wishes for: this one, and after it the token.
pub const PROTOCOL: &str = "polyply-operator";

/// Routes that are open to everybody, by what they are for. The pages of the app are open too.
pub const OPEN: &[(&str, &[(&str, &str)])] = &[
    (
        "play and watch games",
        &[
            ("GET", "/api/games"),
            ("POST", "/api/games"),
            ("GET", "/api/games/{id}"),
            ("POST", "/api/games/{id}/moves"),
            ("POST", "/api/games/{id}/choice"),
            ("POST", "/api/games/{id}/undo"),
            ("POST", "/api/games/{id}/redo"),
            ("POST", "/api/games/{id}/resign"),
            ("POST", "/api/games/{id}/draw"),
            ("POST", "/api/games/{id}/hint"),
            ("POST", "/api/games/{id}/rematch"),
            ("POST", "/api/games/{id}/join"),
            ("POST", "/api/games/{id}/stop"),
            ("POST", "/api/games/{id}/pause"),
            ("POST", "/api/games/{id}/messages"),
            ("GET", "/api/games/{id}/live"),
            ("GET", "/api/addresses"),
            ("GET", "/api/qr"),
        ],
    ),
    (
        "look at positions, rules and openings",
        &[
            ("GET", "/api/variants"),
            ("GET", "/api/variants/{name}"),
            ("GET", "/api/variants/{name}/guide"),
            ("POST", "/api/positions"),
            ("POST", "/api/positions/arranged"),
            ("POST", "/api/positions/refused"),
            ("POST", "/api/positions/book"),
            ("GET", "/api/picture.svg"),
            ("GET", "/api/picture.png"),
            ("POST", "/api/import"),
            ("POST", "/api/export"),
        ],
    ),
    (
        "analyse and review, with a share of the engine",
        &[
            ("GET", "/api/analysis"),
            ("POST", "/api/reviews"),
            ("GET", "/api/reviews/{id}"),
            ("DELETE", "/api/reviews/{id}"),
            ("POST", "/api/reviews/{id}/tries"),
            ("GET", "/api/reviews/{id}/live"),
        ],
    ),
    (
        "watch matches between engines",
        &[
            ("GET", "/api/matches"),
            ("GET", "/api/matches/{id}"),
            ("GET", "/api/matches/{id}/games"),
            ("GET", "/api/matches/{id}/live"),
        ],
    ),
    ("ask how the server is", &[("GET", "/api/health"), ("GET", "/api/access"), ("GET", "/api/openapi.json")]),
];

/// A route is open to everybody.
pub fn is_open(method: &Method, route: &str) -> bool {
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    OPEN.iter().flat_map(|(_, routes)| *routes).any(|known| *known == (method.as_str(), route))
}

/// Whom the server takes for its operator.
pub struct Access {
    /// The hash of the token; none if everybody is.
    token: Option<String>,
}

/// The token of an exposed server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorToken {
    /// Where it is kept.
    pub file: PathBuf,
    /// The token, if it was made just now.
    pub new: Option<String>,
}

impl Access {
    /// Everybody is the operator.
    pub fn local() -> Access {
        Access { token: None }
    }

    /// The operator has the token of a data directory. It is made if there is none.
    pub fn exposed(data: &Path) -> Result<(Access, OperatorToken), Argument> {
        let file = data.join(FILE);
        let (token, new) = match fs::read_to_string(&file) {
            Ok(text) => (text.trim().to_owned(), None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let token = random_id(LENGTH);
                write_secret(&file, &token)?;
                (token.clone(), Some(token))
            }
            Err(error) => return Err(error.into()),
        };
        // An empty file must not make everybody the operator.
        if token.len() < LENGTH {
            return Err(refusals::operator_token_short(file.display().to_string(), LENGTH).into());
        }
        Ok((Access { token: Some(hash(&token)) }, OperatorToken { file, new }))
    }

    /// Who sends a request with these headers over a connection from this address.
    pub fn peer(&self, connection: SocketAddr, headers: &HeaderMap) -> Peer {
        Peer::at(peer::address(connection, headers), self.is_operator(headers))
    }

    fn is_operator(&self, headers: &HeaderMap) -> bool {
        let Some(wanted) = &self.token else { return true };
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let bearer = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let wished = text(header::SEC_WEBSOCKET_PROTOCOL).and_then(|list| {
            let (first, token) = list.split_once(',')?;
            (first.trim() == PROTOCOL).then_some(token.trim())
        });
        // Hashes are compared, so the time it takes says nothing about the token.
        bearer.into_iter().chain(wished).any(|token| hash(token) == *wanted)
    }

    /// Others than the operator reach the server.
    pub fn is_exposed(&self) -> bool {
        self.token.is_some()
    }
}

fn hash(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a file that only its owner can read.
fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    let mut options = fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    writeln!(file, "{text}")?;
    file.sync_all()
}

/// What one may do here.
pub fn router() -> OpenApiRouter<crate::App> {
    OpenApiRouter::new().routes(routes!(access))
}

/// What this client may do.
#[derive(Serialize, ToSchema)]
pub struct AccessView {
    /// It may do everything.
    operator: bool,
    /// The server is open to others, and its operator has a token.
    exposed: bool,
}

/// Whether this client may do everything, or only what is open to all.
#[utoipa::path(get, path = "/api/access", tag = "server", responses((status = 200, body = AccessView)))]
async fn access(axum::extract::State(app): axum::extract::State<crate::App>, peer: Peer) -> Json<AccessView> {
    Json(AccessView { operator: peer.is_operator(), exposed: app.access.is_exposed() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_operator(access: &Access, headers: &[(&'static str, String)]) -> bool {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        access.peer("198.51.100.7:9".parse().unwrap(), &headers).is_operator()
    }

    #[test]
    fn the_token_is_made_once_kept_secret_and_recognised() {
        let folder = tempfile::tempdir().unwrap();
        let (access, made) = Access::exposed(folder.path()).unwrap();
        let token = made.new.unwrap();
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&made.file).unwrap().permissions());
            assert_eq!(mode & 0o777, 0o600);
        }
        assert!(!is_operator(&access, &[]));
        assert!(is_operator(&access, &[("authorization", format!("Bearer {token}"))]));
        assert!(is_operator(&access, &[("sec-websocket-protocol", format!("{PROTOCOL}, {token}"))]));
        for wrong in [format!("Bearer {token}x"), "Bearer ".to_owned(), token.clone()] {
            assert!(!is_operator(&access, &[("authorization", wrong)]));
        }
        assert!(!is_operator(&access, &[("sec-websocket-protocol", format!("chat, {token}"))]));
        let (again, kept) = Access::exposed(folder.path()).unwrap();
        assert_eq!(kept.new, None);
        assert!(is_operator(&again, &[("authorization", format!("Bearer {token}"))]));
    }

    #[test]
    fn a_token_that_anybody_could_guess_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["", "\n", "secret"] {
            fs::write(folder.path().join(FILE), text).unwrap();
            assert!(Access::exposed(folder.path()).is_err(), "{text:?}");
        }
    }

    #[test]
    fn without_exposure_everybody_is_the_operator() {
        assert!(is_operator(&Access::local(), &[]));
    }
}
