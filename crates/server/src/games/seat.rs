//! Who sits at a game, and how a seat is recognised again.

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
    /// Nobody yet: whoever has the link may sit down.
    Open,
}

/// A seat.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// Who sits there.
    pub kind: SeatKind,
    /// What they are called.
    pub name: Option<String>,
    /// How strong the engine plays.
    pub level: Option<u8>,
    /// The hash of the token by which a person is recognised: the token itself is nowhere.
    pub token: Option<String>,
}

/// A token: a secret that goes with a seat.
pub struct Token(pub String);

impl Token {
    /// A new one.
    pub fn new() -> Token {
        Token(random_name(32))
    }

    /// What is kept of it.
    pub fn hash(&self) -> String {
        hash(&self.0)
    }
}

/// The hash of a token.
pub fn hash(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// So many random letters and digits: none that look alike, five bits each.
pub fn random_name(length: usize) -> String {
    const SIGNS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| char::from(SIGNS[usize::from(byte % 32)])).collect()
}

/// Which seats a token holds: the opener's, and the other.
pub type Held = [bool; 2];

/// The seats that a token holds.
pub fn held(seats: &[Seat; 2], token: Option<&str>) -> Held {
    let hash = token.map(hash);
    [0, 1].map(|seat| hash.is_some() && seats[seat].token == hash)
}
