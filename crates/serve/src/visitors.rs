//! The addresses that a server can listen on, and the limit on connections per client address. The limit prevents a
//! single address from using all connections.

use derive_more::Display;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// The default limit per address is the maximum number of connections divided by this number.
const ADDRESS_LIMIT_DIVISOR: u32 = 8;

pub struct ConnectionLimiter {
    limit: u32,
    /// Whether the limit also applies to loopback addresses.
    is_for_all: bool,
    counts: Mutex<HashMap<IpAddr, u32>>,
}

impl ConnectionLimiter {
    /// Limits each address to `limit` connections. If `limit` is `None`, the limit is an eighth of `connections`, and
    /// does not apply to loopback addresses, because a proxy may be running there.
    pub fn new(limit: Option<u32>, connections: u32) -> Self {
        let usual = (connections / ADDRESS_LIMIT_DIVISOR).max(1);
        Self { limit: limit.unwrap_or(usual), is_for_all: limit.is_some(), counts: Mutex::default() }
    }

    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Counts a connection from `address` until the returned guard is dropped. Returns `None` if the address has
    /// reached its limit. Connections to a Unix socket have no address and are not limited.
    pub fn enter(self: &Arc<Self>, address: Option<IpAddr>) -> Option<ConnectionGuard> {
        let limited = address.filter(|address| self.is_for_all || !address.to_canonical().is_loopback());
        let Some(address) = limited.map(network) else { return Some(ConnectionGuard(None)) };
        let mut counts = self.counts.lock();
        let count = counts.entry(address).or_default();
        if *count >= self.limit {
            return None;
        }
        *count += 1;
        Some(ConnectionGuard(Some((Arc::clone(self), address))))
    }
}

/// Returns the network whose connections are counted together. For IPv6 this is a /64 network, which usually belongs to
/// a single client.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address => address,
    }
}

pub struct ConnectionGuard(Option<(Arc<ConnectionLimiter>, IpAddr)>);

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        let Some((visitors, address)) = &self.0 else { return };
        let mut counts = visitors.counts.lock();
        if let Some(count) = counts.get_mut(address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(address);
            }
        }
    }
}

const UNIX: &str = "unix:";

/// An address to listen on, parsed from an IP address with a port, `localhost:PORT`, or `unix:PATH`.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
pub enum Address {
    /// A TCP address. If the port is 0, the system picks a port.
    #[display("http://{_0}")]
    Tcp(SocketAddr),
    #[display("{UNIX}{}", _0.display())]
    Unix(PathBuf),
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |text: &str| {
            format!(
                "'{text}' is not an address to listen on: expected an address with a port, such as 127.0.0.1:8360 or \
                 [::1]:8360, or unix:PATH"
            )
        };
        match text.strip_prefix(UNIX) {
            Some("") => Err(wrong(text)),
            Some(path) => Ok(Self::Unix(path.into())),
            None => {
                let text = text.strip_prefix("localhost:").map_or(text.to_owned(), |port| format!("127.0.0.1:{port}"));
                text.parse().map(Self::Tcp).map_err(|_| wrong(&text))
            }
        }
    }
}

impl Address {
    /// Returns whether this is a TCP address that is reachable only from this machine. Pages of other sites that are
    /// open in a browser on this machine must not be able to use such a server.
    pub(crate) fn is_loopback(&self) -> bool {
        // An IPv4 address may be mapped to an IPv6 address.
        matches!(self, Self::Tcp(address) if address.ip().to_canonical().is_loopback())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entered(visitors: &Arc<ConnectionLimiter>, addresses: &[&str]) -> Vec<Option<ConnectionGuard>> {
        addresses.iter().map(|address| visitors.enter(Some(address.parse().unwrap()))).collect()
    }

    #[test]
    fn each_address_has_its_limit() {
        let visitors = Arc::new(ConnectionLimiter::new(None, 16));
        let addresses =
            ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8::3"];
        let visits = entered(&visitors, &addresses);
        let is_in: Vec<_> = visits.iter().map(Option::is_some).collect();
        assert_eq!(is_in, [true, true, false, true, true, true, false]);
        drop(visits);
        assert!(visitors.counts.lock().is_empty());
    }

    #[test]
    fn loopback_addresses_are_limited_only_by_request() {
        let local = ["127.0.0.1", "::1", "::ffff:127.0.0.1"];
        let visits = entered(&Arc::new(ConnectionLimiter::new(None, 1)), &[local, local].concat());
        assert!(visits.iter().all(Option::is_some));
        let visitors = Arc::new(ConnectionLimiter::new(Some(1), 512));
        let is_in: Vec<_> = entered(&visitors, &local).iter().map(Option::is_some).collect();
        assert_eq!(is_in, [true, true, false]);
        assert!(visitors.enter(None).is_some(), "a Unix socket has no address");
    }

    #[test]
    fn addresses_are_parsed() {
        for (text, expected, is_loopback) in [
            ("127.0.0.1:8360", Some("http://127.0.0.1:8360"), true),
            ("localhost:8360", Some("http://127.0.0.1:8360"), true),
            ("[::1]:0", Some("http://[::1]:0"), true),
            ("[::ffff:127.0.0.1]:80", Some("http://[::ffff:127.0.0.1]:80"), true),
            ("0.0.0.0:80", Some("http://0.0.0.0:80"), false),
            ("unix:/run/soffio", Some("unix:/run/soffio"), false),
            ("unix:", None, false),
            ("8360", None, false),
            ("localhost:x", None, false),
            ("127.0.0.1:65536", None, false),
            ("example.org:80", None, false),
            ("", None, false),
        ] {
            let address = text.parse::<Address>();
            assert_eq!(address.as_ref().ok().map(ToString::to_string).as_deref(), expected, "{text}");
            assert_eq!(address.is_ok_and(|address| address.is_loopback()), is_loopback, "{text}");
        }
    }
}
