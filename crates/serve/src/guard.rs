//! Protects a local server against browser requests from other sites.

use crate::rejection::Rejection;
use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use prometheus::IntCounterVec;
use std::net::IpAddr;

#[derive(Clone)]
pub struct Guard {
    /// Whether the server listens on a loopback address. If so, requests for other host names are rejected to prevent
    /// DNS rebinding.
    pub is_local: bool,
    pub rejections: Option<IntCounterVec>,
}

/// Rejects cross-origin browser requests, requests whose Host header violates RFC 9112, section 3.2, and, on a local
/// server, requests for other host names.
pub async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    match check(&request, guard.is_local) {
        Ok(()) => next.run(request).await,
        Err(rejection) => {
            rejection.counted(guard.rejections.as_ref());
            rejection.into_response()
        }
    }
}

fn check<B>(request: &axum::http::Request<B>, is_local: bool) -> Result<(), Rejection> {
    let headers = request.headers();
    let text = |name| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let mut hosts = headers.get_all(HOST).iter();
    let (named, other) = (hosts.next(), hosts.next());
    if other.is_some() || named.is_none() && request.version() > Version::HTTP_10 {
        return Err(Rejection::Hosts);
    }
    if let Some(named) = named
        && !is_host(named)
    {
        return Err(Rejection::NoHost(printable(&String::from_utf8_lossy(named.as_bytes()))));
    }
    // The host of an absolute request target takes precedence over the Host header.
    let host = request.uri().authority().map(|target| target.as_str().into()).or_else(|| text(HOST.as_str()));
    if let Some(host) = &host
        && is_local
        && !is_own_name(host)
    {
        return Err(Rejection::Host(printable(host)));
    }
    // Browsers send Sec-Fetch-Site only to trustworthy addresses such as https and localhost. If it is missing, Origin
    // decides.
    let is_foreign = match text("sec-fetch-site").as_deref() {
        Some(site) => site == "cross-site" || site == "same-site",
        None => text(ORIGIN.as_str()).is_some_and(|origin| {
            let authority = origin.split_once("://").map(|(_, authority)| authority);
            authority.is_none() || authority != host.as_deref()
        }),
    };
    if is_foreign { Err(Rejection::CrossSite) } else { Ok(()) }
}

fn is_host(value: &HeaderValue) -> bool {
    let is_authority = |text: &str| text.parse::<Authority>().is_ok() && !text.contains('@');
    value.is_empty() || value.to_str().is_ok_and(is_authority)
}

fn printable(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect()
}

fn is_own_name(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_from_other_sites_are_rejected() {
        let host = |name: &str| Err(Rejection::Host(name.to_owned()));
        let foreign = Err(Rejection::CrossSite);
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
            // Behind a proxy, the host of the page differs from the host of the server.
            (
                &[("host", "127.0.0.1:1"), ("sec-fetch-site", "same-origin"), ("origin", "https://draughts.example")],
                Ok(()),
            ),
        ] {
            let mut request = Request::new(axum::body::Body::empty());
            for (name, value) in headers {
                request.headers_mut().insert(*name, HeaderValue::from_static(value));
            }
            *request.version_mut() = Version::HTTP_10;
            assert_eq!(check(&request, true), expected, "{headers:?}");
        }
        let elsewhere = axum::http::Request::builder().header(HOST, "draughts.example").body(()).unwrap();
        assert_eq!(check(&elsewhere, false), Ok(()));
        assert_eq!(check(&elsewhere, true), host("draughts.example"));
    }
}
