//! How a request is refused: a status and one sentence.
//!
//! A sentence is a fixed one with gaps, which is its code as well, and what is in the gaps: so a client that speaks another
//! language can say the same in its own words.

use crate::room::Busy;
use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use polyply_engine::EngineError;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Why there is no answer.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    code: &'static str,
    values: BTreeMap<&'static str, String>,
}

/// What a refusal looks like.
#[derive(Serialize, ToSchema)]
pub struct RefusalBody {
    /// One sentence that says what was wrong.
    error: String,
    /// The same sentence with gaps, as in `a match has 1 to {most} games`.
    code: &'static str,
    /// What is in the gaps.
    values: BTreeMap<&'static str, String>,
}

impl Refusal {
    /// A refusal with a status. What stands in braces in the sentence is a gap, see [`Refusal::with`].
    pub fn new(status: StatusCode, code: &'static str) -> Refusal {
        Refusal { status, code, values: BTreeMap::new() }
    }

    /// Fills a gap.
    pub fn with(mut self, gap: &'static str, value: impl ToString) -> Refusal {
        self.values.insert(gap, value.to_string());
        self
    }

    /// There is no such thing.
    pub fn unknown(what: &str, id: &str) -> Refusal {
        let refusal = Refusal::new(StatusCode::NOT_FOUND, "there is no {what} `{id}`");
        refusal.with("what", what).with("id", id.escape_debug())
    }

    /// It can't be done now.
    pub fn conflict(code: &'static str) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, code)
    }

    /// It makes no sense.
    pub fn nonsense(code: &'static str) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, code)
    }

    /// It makes no sense, and somebody else has said why.
    pub fn because(reason: impl ToString) -> Refusal {
        Refusal::nonsense(REASON).with("reason", reason)
    }

    /// Something of ours has failed: the details are for the log.
    pub fn failure(error: impl std::fmt::Display) -> Refusal {
        tracing::error!(%error, "a request failed");
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong here; the log says what")
    }

    /// The engine was closed before it answered.
    pub fn closing() -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the engine could not answer; try again")
    }

    /// It may be asked again later.
    pub fn is_for_now(&self) -> bool {
        self.status == StatusCode::SERVICE_UNAVAILABLE
    }

    /// The sentence.
    pub fn sentence(&self) -> String {
        let fill = |text: String, (gap, value): (&&str, &String)| text.replace(&format!("{{{gap}}}"), value);
        self.values.iter().fold(self.code.to_owned(), fill)
    }

    /// What is told of it.
    pub fn body(self) -> RefusalBody {
        RefusalBody { error: self.sentence(), code: self.code, values: self.values }
    }
}

/// The code of a sentence that is not ours.
const REASON: &str = "{reason}";

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.body())).into_response()
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Refusal {
        match error {
            EngineError::Table(_) | EngineError::Snapshot(_) => Refusal::failure(error),
            EngineError::Over(_) => Refusal::conflict("the game is over"),
            EngineError::Variant { name, known } => Refusal::nonsense("there is no game `{name}`; there are {known}")
                .with("name", name)
                .with("known", known),
            EngineError::Position { text, reason } => Refusal::nonsense("the position `{text}` is refused: {reason}")
                .with("text", text)
                .with("reason", reason),
            EngineError::Move { text, reason } => {
                Refusal::nonsense("the move `{text}` is refused: {reason}").with("text", text).with("reason", reason)
            }
            EngineError::OptionValue { name, min, max, value } => {
                let refusal =
                    Refusal::nonsense("the option `{name}` takes a whole number from {min} to {max}, not `{value}`");
                refusal.with("name", name).with("min", min).with("max", max).with("value", value)
            }
            _ => Refusal::because(error),
        }
    }
}

impl From<Busy> for Refusal {
    fn from(_: Busy) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "too much is waiting for the engine; try again in a moment")
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Refusal {
        Refusal::failure(error)
    }
}

impl From<JsonRejection> for Refusal {
    fn from(rejection: JsonRejection) -> Refusal {
        Refusal::new(rejection.status(), REASON).with("reason", one_sentence(&rejection.body_text()))
    }
}

impl From<QueryRejection> for Refusal {
    fn from(rejection: QueryRejection) -> Refusal {
        Refusal::new(rejection.status(), REASON).with("reason", one_sentence(&rejection.body_text()))
    }
}

fn one_sentence(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A JSON body; what can't be read is refused like everything else.
#[derive(axum::extract::FromRequest)]
#[from_request(via(Json), rejection(Refusal))]
pub struct Body<T>(pub T);

/// The query of an address; what can't be read is refused like everything else.
#[derive(axum::extract::FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Refusal))]
pub struct Query<T>(pub T);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_has_its_values_and_its_code_the_gaps() {
        let body = Refusal::nonsense("a name has at most {most} letters").with("most", 60).body();
        assert_eq!(body.error, "a name has at most 60 letters");
        assert_eq!((body.code, body.values["most"].as_str()), ("a name has at most {most} letters", "60"));
    }
}
