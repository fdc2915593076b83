//! What is wrong with a request, as an HTTP status and a JSON object: `{"error": "...", "status": 400}`.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use endspiel_catalog::Error;
use serde_json::json;

/// A request that cannot be served.
#[derive(Debug)]
pub struct Fault {
    status: StatusCode,
    message: String,
}

impl Fault {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// The request makes no sense.
    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// There is no such thing.
    pub fn missing(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("there is no such {what}"))
    }

    /// Too much is asked at once.
    pub fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// Nobody waits for the answer any more, or its time is up.
    pub fn gone() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "the request took too long")
    }

    /// The server's own fault.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, format!("the server failed: {cause}"))
    }

    /// The same fault in other words.
    pub fn again(&self, message: impl Into<String>) -> Self {
        Self::new(self.status, message)
    }

    pub fn message(&self) -> &str {
        &self.message
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        let message = match &error {
            // Nobody is told where files are.
            Error::Database(why) => why.without_paths(),
            other => other.to_string(),
        };
        let status = match error {
            Error::UnknownGame(..)
            | Error::UnknownMethod(..)
            | Error::UnknownMetric(..)
            | Error::UnknownJob(..) => StatusCode::NOT_FOUND,
            Error::Certificate(_) | Error::Damaged(_) | Error::Database(_) | Error::Spent(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Error::Text(_) | Error::Unfit(_) | Error::Strayed(_) | Error::Partial(_) => {
                StatusCode::BAD_REQUEST
            }
        };
        Self::new(status, message)
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let body = json!({"error": self.message, "status": self.status.as_u16()});
        let mut response = (self.status, Json(body)).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}
