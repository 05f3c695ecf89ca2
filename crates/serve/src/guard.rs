//! Keeps pages of other sites, which a browser on this machine may show, from using a server on it; and the answers to a client whose
//! request cannot be answered.

use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::time::Duration;
use thiserror::Error;

/// Refuses what a page of another site asks. With `is_local` it also refuses names that a foreign name server can give to this
/// machine.
pub async fn guard(State(is_local): State<bool>, request: Request, next: Next) -> Response {
    match check(request.headers(), is_local) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

fn check(headers: &HeaderMap, is_local: bool) -> Result<(), Refusal> {
    let text = |name| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let host = text(HOST.as_str());
    if let Some(host) = &host
        && is_local
        && !is_own_name(host)
    {
        return Err(Refusal::Host(host.chars().filter(|letter| !letter.is_control()).collect()));
    }
    // Browsers say this to addresses that they trust, such as https and localhost; to others the origin of the page tells.
    let is_foreign = match text("sec-fetch-site").as_deref() {
        Some(site) => site == "cross-site" || site == "same-site",
        None => text(ORIGIN.as_str()).is_some_and(|origin| {
            let authority = origin.split_once("://").map(|(_, authority)| authority);
            authority.is_none() || authority != host.as_deref()
        }),
    };
    if is_foreign { Err(Refusal::CrossSite) } else { Ok(()) }
}

/// Returns whether `host`, with or without a port, is an IP address or `localhost`.
fn is_own_name(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    #[test]
    fn pages_of_other_sites_are_refused() {
        let host = |name: &str| Err(Refusal::Host(name.to_owned()));
        let foreign = Err(Refusal::CrossSite);
        for (headers, expected) in [
            (&[][..], Ok(())),
            (&[("host", "127.0.0.1:8360")], Ok(())),
            (&[("host", "[::1]:8360")], Ok(())),
            (&[("host", "LocalHost")], Ok(())),
            (&[("host", "rebound.example:8360")], host("rebound.example:8360")),
            (&[("host", "localhost.example")], host("localhost.example")),
            (&[("host", "localhost:1"), ("origin", "http://localhost:1")], Ok(())),
            (&[("host", "localhost:1"), ("origin", "http://localhost:2")], foreign.clone()),
            (&[("host", "localhost:1"), ("origin", "null")], foreign.clone()),
            (&[("host", "localhost:1"), ("sec-fetch-site", "cross-site")], foreign.clone()),
            (&[("host", "localhost:1"), ("sec-fetch-site", "same-site")], foreign.clone()),
            (&[("host", "localhost:1"), ("sec-fetch-site", "none")], Ok(())),
            // Behind a proxy the name that the page has is another one than this server has.
            (
                &[("host", "127.0.0.1:1"), ("sec-fetch-site", "same-origin"), ("origin", "https://draughts.example")],
                Ok(()),
            ),
        ] {
            let pairs =
                headers.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
            assert_eq!(check(&pairs.collect(), true), expected, "{headers:?}");
        }
        let elsewhere = HeaderMap::from_iter([(HOST, HeaderValue::from_static("draughts.example"))]);
        assert_eq!(check(&elsewhere, false), Ok(()));
    }
}
