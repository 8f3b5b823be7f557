//! Positions as other machines are told of them.

use polyply_engine::PositionSpec;
use serde::{Deserialize, Serialize};

/// A starting position and the moves from it, as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WrittenPosition {
    /// The starting position; the start of the game if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl From<&PositionSpec> for WrittenPosition {
    fn from(spec: &PositionSpec) -> WrittenPosition {
        WrittenPosition { position: spec.position.clone(), moves: spec.moves.clone() }
    }
}

impl From<WrittenPosition> for PositionSpec {
    fn from(written: WrittenPosition) -> PositionSpec {
        PositionSpec { position: written.position, moves: written.moves }
    }
}

/// Lists of positions, for serde.
pub(crate) mod written_positions {
    use super::WrittenPosition;
    use polyply_engine::PositionSpec;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(specs: &[PositionSpec], serializer: S) -> Result<S::Ok, S::Error> {
        specs.iter().map(WrittenPosition::from).collect::<Vec<_>>().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PositionSpec>, D::Error> {
        let written = Vec::<WrittenPosition>::deserialize(deserializer)?;
        Ok(written.into_iter().map(PositionSpec::from).collect())
    }
}
