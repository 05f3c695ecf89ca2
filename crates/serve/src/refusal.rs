//! The answers to a client whose request cannot be answered.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use std::time::Duration;
use thiserror::Error;

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("the body has no lines")]
    Empty,
    #[error("the body is longer than {0} bytes; send less at a time")]
    LongBody(usize),
    #[error("line {number} is longer than {most} bytes")]
    LongLine { number: usize, most: usize },
    #[error("line {0} is not UTF-8")]
    NotUtf8(usize),
    #[error("the body is encoded as '{0}'; it must be plain")]
    Encoded(String),
    #[error("the body did not come within {} s", .0.as_secs())]
    SlowBody(Duration),
    #[error("the body broke off")]
    BrokenBody,
    #[error("all engines are busy and the queue is full; try again in {0} s")]
    Full(u64),
    #[error("there is nothing here; lines go to POST /batch, and /health and /metrics tell how it goes")]
    NotFound,
    #[error("{0} takes no such request; it wants {1}")]
    Method(&'static str, &'static str),
    #[error("pages of another site may not ask this server")]
    CrossSite,
    #[error("this server answers to its address and to localhost, not to '{0}'")]
    Host(String),
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Self::Empty | Self::NotUtf8(_) | Self::BrokenBody => StatusCode::BAD_REQUEST,
            Self::LongBody(_) | Self::LongLine { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Encoded(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::SlowBody(_) => StatusCode::REQUEST_TIMEOUT,
            Self::Full(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Method(..) => StatusCode::METHOD_NOT_ALLOWED,
            Self::CrossSite | Self::Host(_) => StatusCode::FORBIDDEN,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status(), format!("{self}\n")).into_response();
        if let Self::Full(seconds) = self {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}
