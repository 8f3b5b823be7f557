//! The seats of a game, and the tokens that their holders are recognised by.

use crate::ids::random_id;
use axum::http::{HeaderMap, header};
use polyply_engine::{LEVELS, Level, Persona, Player};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// Who sits on a seat.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    /// A person.
    Person,
    /// The engine.
    Engine,
    /// Nobody yet: whoever has the link may take it.
    Open,
}

/// A seat.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// Who sits there.
    pub kind: SeatKind,
    /// The name to show.
    pub name: Option<String>,
    /// How strong the engine plays.
    pub level: Option<u8>,
    /// The style of the engine.
    #[serde(default)]
    pub persona: Option<String>,
    /// The hash of the token by which a person is recognised. The token itself is not stored.
    pub token: Option<String>,
}

impl Seat {
    /// Who the engine plays as on this seat.
    pub fn player(&self) -> Player {
        let level = self.level.and_then(Level::find).unwrap_or(&LEVELS[9]);
        let persona = self.persona.as_deref().and_then(Persona::find);
        Player { persona, ..Player::of_level(level) }
    }
}

/// The secret that proves who holds a seat.
pub struct Token(pub String);

impl Token {
    /// A new one.
    pub fn new() -> Token {
        Token(random_id(32))
    }

    /// What is stored of it.
    pub fn hash(&self) -> String {
        hash(&self.0)
    }
}

/// The token of a request.
pub fn bearer(headers: &HeaderMap) -> Option<String> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::to_owned)
}

/// The hash of a token.
pub fn hash(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Which seats a token holds: the opener's, the responder's.
pub type Held = [bool; 2];

/// The seats that a token holds.
pub fn held(seats: &[Seat; 2], token: Option<&str>) -> Held {
    let hash = token.map(hash);
    [0, 1].map(|seat| hash.is_some() && seats[seat].token == hash)
}

/// A token is the one with this hash.
pub fn is_token(wanted: Option<&String>, token: Option<&str>) -> bool {
    wanted.is_some() && token.map(hash).as_ref() == wanted
}
