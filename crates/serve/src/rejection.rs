//! The responses to rejected requests.

use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use prometheus::IntCounterVec;
use std::time::Duration;
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejection {
    #[error("the body has no lines")]
    Empty,
    #[error("the body is longer than {0} bytes; split the request")]
    LongBody(usize),
    #[error("line {number} is longer than {max_bytes} bytes")]
    LongLine { number: usize, max_bytes: usize },
    #[error("unsupported content encoding '{0}'; send the body unencoded")]
    Encoded(String),
    #[error("the body did not arrive within {} s", .0.as_secs())]
    SlowBody(Duration),
    #[error("the body is incomplete")]
    BrokenBody,
    #[error("all engines are busy and the queue is full; try again in {0} s")]
    Full(u64),
    #[error("not found; use POST /batch, GET /health or GET /metrics")]
    NotFound,
    #[error("{0} accepts only {1}")]
    Method(&'static str, &'static str),
    #[error("cross-site requests are not allowed")]
    CrossSite,
    #[error("the request must have exactly one Host header")]
    Hosts,
    #[error("the Host header '{0}' is invalid")]
    NoHost(String),
    #[error("too many connections from this address; the limit is {0}")]
    Address(u32),
    #[error("unknown host '{0}'; use the server's address or localhost")]
    Host(String),
}

impl Rejection {
    fn status(&self) -> StatusCode {
        match self {
            Self::Empty | Self::BrokenBody | Self::Hosts | Self::NoHost(_) => StatusCode::BAD_REQUEST,
            Self::LongBody(_) | Self::LongLine { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Encoded(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::SlowBody(_) => StatusCode::REQUEST_TIMEOUT,
            Self::Full(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Method(..) => StatusCode::METHOD_NOT_ALLOWED,
            Self::CrossSite | Self::Host(_) => StatusCode::FORBIDDEN,
            Self::Address(_) => StatusCode::TOO_MANY_REQUESTS,
        }
    }

    pub fn counted(&self, counter: Option<&IntCounterVec>) -> StatusCode {
        let status = self.status();
        if let Some(counter) = counter {
            counter.with_label_values(&[status.as_str()]).inc();
        }
        status
    }
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        let mut response = (self.status(), format!("{self}\n")).into_response();
        if let Self::Full(seconds) = self {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}
