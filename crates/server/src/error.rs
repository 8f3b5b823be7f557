//! How a request is refused: a status and one sentence.

use crate::room::Busy;
use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use polyply_engine::EngineError;
use serde::Serialize;
use utoipa::ToSchema;

/// Why there is no answer.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    sentence: String,
}

/// What a refusal looks like.
#[derive(Serialize, ToSchema)]
pub struct RefusalBody {
    /// One sentence that says what was wrong.
    pub error: String,
}

impl Refusal {
    /// A refusal with a status.
    pub fn new(status: StatusCode, sentence: impl ToString) -> Refusal {
        Refusal { status, sentence: sentence.to_string() }
    }

    /// There is no such thing.
    pub fn unknown(what: &str, id: &str) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, format!("there is no {what} `{}`", id.escape_debug()))
    }

    /// It can't be done now.
    pub fn conflict(sentence: impl ToString) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, sentence)
    }

    /// It makes no sense.
    pub fn nonsense(sentence: impl ToString) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
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
    pub fn sentence(&self) -> &str {
        &self.sentence
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(RefusalBody { error: self.sentence })).into_response()
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Refusal {
        match error {
            EngineError::Table(_) | EngineError::Snapshot(_) => Refusal::failure(error),
            EngineError::Over(_) => Refusal::conflict(error),
            _ => Refusal::nonsense(error),
        }
    }
}

impl From<Busy> for Refusal {
    fn from(busy: Busy) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, busy)
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Refusal {
        Refusal::failure(error)
    }
}

impl From<JsonRejection> for Refusal {
    fn from(rejection: JsonRejection) -> Refusal {
        Refusal::new(rejection.status(), one_sentence(&rejection.body_text()))
    }
}

impl From<QueryRejection> for Refusal {
    fn from(rejection: QueryRejection) -> Refusal {
        Refusal::new(rejection.status(), one_sentence(&rejection.body_text()))
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
