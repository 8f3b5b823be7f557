//! How a request is refused: a status and a [`Refusal`], which becomes an [`ErrorBody`].

use crate::engine_pool::QueueFull;
use crate::games::GameError;
use crate::refusals;
use crate::store::StoreError;
use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use polyply_engine::refusal::Argument;
use polyply_engine::{EngineError, Refusal};
use polyply_lab::LabError;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;
use utoipa::ToSchema;

/// Why a request has no answer.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    refusal: Refusal,
    /// When the same request may succeed.
    retry_after: Option<Duration>,
}

/// When to try again what was refused because the server is busy.
const MOMENT: Duration = Duration::from_secs(1);
/// How long the whole body of a request may take.
const BODY_DEADLINE: Duration = Duration::from_secs(30);

/// Why something was refused: a code with arguments, from which a client makes a sentence in its own language.
#[derive(Serialize, ToSchema, Clone, PartialEq, Debug)]
pub struct ErrorBody {
    /// The reason, by a name that stays the same.
    #[schema(example = "move_refused")]
    code: &'static str,
    /// What the sentence is about, by name.
    args: BTreeMap<&'static str, ErrorArgument>,
    /// The sentence in English, without a full stop.
    #[schema(example = "the move `e9` is refused: the cell `e9` is taken")]
    message: String,
}

/// An argument of a refusal.
#[derive(Serialize, ToSchema, Clone, PartialEq, Debug)]
#[serde(untagged)]
pub enum ErrorArgument {
    /// The same in all languages.
    Text(String),
    /// A number.
    Number(i64),
    /// Another refusal: the reason for this one, or a word that differs by language.
    #[schema(no_recursion)]
    Nested(ErrorBody),
}

impl From<&Refusal> for ErrorBody {
    fn from(refusal: &Refusal) -> ErrorBody {
        ErrorBody {
            code: refusal.code().name,
            args: refusal.arguments().map(|(name, value)| (name, value.into())).collect(),
            message: refusal.to_string(),
        }
    }
}

impl From<&Argument> for ErrorArgument {
    fn from(argument: &Argument) -> ErrorArgument {
        match argument {
            Argument::Text(text) => ErrorArgument::Text(text.clone()),
            Argument::Number(number) => ErrorArgument::Number(*number),
            Argument::Refusal(refusal) => ErrorArgument::Nested(refusal.into()),
        }
    }
}

impl ApiError {
    /// A refusal with a status.
    pub fn new(status: StatusCode, refusal: Refusal) -> ApiError {
        ApiError { status, refusal, retry_after: None }
    }

    /// Others may do it, but not this client.
    pub fn forbidden(refusal: Refusal) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, refusal)
    }

    /// There is no such thing.
    pub fn not_found(refusal: Refusal) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, refusal)
    }

    /// It can't be done in the present state.
    pub fn conflict(refusal: Refusal) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, refusal)
    }

    /// It makes no sense in any state.
    pub fn invalid(refusal: Refusal) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, refusal)
    }

    /// It may be possible later.
    pub fn unavailable(refusal: Refusal) -> ApiError {
        ApiError { retry_after: Some(MOMENT), ..ApiError::new(StatusCode::SERVICE_UNAVAILABLE, refusal) }
    }

    /// The client has had its share.
    pub fn too_many(refusal: Refusal, retry_after: Duration) -> ApiError {
        ApiError { retry_after: Some(retry_after), ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, refusal) }
    }

    /// The server has failed. The details go to the log, not to the client.
    pub fn internal(error: impl fmt::Display) -> ApiError {
        tracing::error!(%error, "a request failed");
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, refusals::internal_error())
    }

    /// The request may succeed later.
    pub fn is_temporary(&self) -> bool {
        self.retry_after.is_some()
    }

    /// What the client is told.
    pub fn body(&self) -> ErrorBody {
        (&self.refusal).into()
    }
}

/// The English sentence, for logs.
impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.refusal.fmt(f)
    }
}

impl From<ApiError> for Argument {
    fn from(error: ApiError) -> Argument {
        error.refusal.into()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
        if let Some(wait) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)));
        }
        response
    }
}

impl From<EngineError> for ApiError {
    fn from(error: EngineError) -> ApiError {
        match error {
            EngineError::Table(_) | EngineError::Snapshot(_) => ApiError::internal(error),
            EngineError::Over(_) => ApiError::conflict(error.refusal()),
            _ => ApiError::invalid(error.refusal()),
        }
    }
}

impl From<LabError> for ApiError {
    fn from(error: LabError) -> ApiError {
        match error {
            LabError::Engine(error) => error.into(),
            // The files of matches are the server's own.
            LabError::File(_) => ApiError::internal(error),
            _ => ApiError::invalid(error.refusal()),
        }
    }
}

impl From<GameError> for ApiError {
    fn from(error: GameError) -> ApiError {
        match error {
            GameError::NotSeated => ApiError::forbidden(refusals::not_seated()),
            GameError::NotOwner => ApiError::forbidden(refusals::not_owner()),
            GameError::NotNow(refusal) => ApiError::conflict(refusal),
            GameError::Invalid(refusal) => ApiError::invalid(refusal),
            GameError::Engine(error) => error.into(),
            GameError::Damaged(refusal) => ApiError::internal(refusal),
        }
    }
}

impl From<QueueFull> for ApiError {
    fn from(full: QueueFull) -> ApiError {
        match full {
            QueueFull::Full => ApiError::unavailable(refusals::engine_busy()),
            QueueFull::Share => ApiError::too_many(refusals::engine_share(), MOMENT),
        }
    }
}

impl From<rusqlite::Error> for ApiError {
    fn from(error: rusqlite::Error) -> ApiError {
        ApiError::internal(error)
    }
}

/// Nothing was changed, so the same request may be made again.
impl From<StoreError> for ApiError {
    fn from(_: StoreError) -> ApiError {
        ApiError::unavailable(refusals::not_stored())
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> ApiError {
        ApiError::new(rejection.status(), refusals::body_unread(one_line(&rejection.body_text())))
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> ApiError {
        ApiError::new(rejection.status(), refusals::query_unread(one_line(&rejection.body_text())))
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A JSON body. One that can't be read is refused like everything else, and so is one that drips.
pub struct Body<T>(pub T);

impl<T, S> FromRequest<S> for Body<T>
where
    Json<T>: FromRequest<S, Rejection = JsonRejection>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiError> {
        let late = |_| ApiError::new(StatusCode::REQUEST_TIMEOUT, refusals::body_late(BODY_DEADLINE.as_secs()));
        let Json(body) =
            tokio::time::timeout(BODY_DEADLINE, Json::from_request(request, state)).await.map_err(late)??;
        Ok(Body(body))
    }
}

/// The query of an address. One that can't be read is refused like everything else.
#[derive(axum::extract::FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(ApiError))]
pub struct Query<T>(pub T);

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_engine::refusals::games::{move_refused, position_refused};
    use serde_json::json;

    #[test]
    fn a_body_has_the_code_its_arguments_and_the_english_sentence() {
        let body = ApiError::invalid(refusals::match_option("hash", 64)).body();
        let wanted = json!({
            "code": "match_option", "args": {"name": "hash", "most": 64}, "message": "`hash` is at most 64 here",
        });
        assert_eq!(serde_json::to_value(body).unwrap(), wanted);
    }

    #[test]
    fn a_reason_is_a_refusal_of_its_own_at_any_depth() {
        let inner = refusals::not_your_turn();
        let body = ErrorBody::from(&position_refused("x", move_refused("d", inner)));
        let body = serde_json::to_value(body).unwrap();
        let wanted = json!({"code": "not_your_turn", "args": {}, "message": "it is not your turn"});
        assert_eq!(body["args"]["reason"]["args"]["reason"], wanted);
    }
}
