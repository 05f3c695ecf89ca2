//! Keeps pages of other sites, which a browser on this machine may show, from using a server on it.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::refusal::Refusal;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;

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
