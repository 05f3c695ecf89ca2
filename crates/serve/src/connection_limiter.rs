//! The limit on connections per client address, which prevents a single address from using all connections.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
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
        let Some((limiter, address)) = &self.0 else { return };
        let mut counts = limiter.counts.lock();
        if let Some(count) = counts.get_mut(address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entered(limiter: &Arc<ConnectionLimiter>, addresses: &[&str]) -> Vec<Option<ConnectionGuard>> {
        addresses.iter().map(|address| limiter.enter(Some(address.parse().unwrap()))).collect()
    }

    #[test]
    fn each_address_has_its_limit() {
        let limiter = Arc::new(ConnectionLimiter::new(None, 16));
        let addresses =
            ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8::3"];
        let guards = entered(&limiter, &addresses);
        let is_in: Vec<_> = guards.iter().map(Option::is_some).collect();
        assert_eq!(is_in, [true, true, false, true, true, true, false]);
        drop(guards);
        assert!(limiter.counts.lock().is_empty());
    }

    #[test]
    fn loopback_addresses_are_limited_only_by_request() {
        let local = ["127.0.0.1", "::1", "::ffff:127.0.0.1"];
        let guards = entered(&Arc::new(ConnectionLimiter::new(None, 1)), &[local, local].concat());
        assert!(guards.iter().all(Option::is_some));
        let limiter = Arc::new(ConnectionLimiter::new(Some(1), 512));
        let is_in: Vec<_> = entered(&limiter, &local).iter().map(Option::is_some).collect();
        assert_eq!(is_in, [true, true, false]);
        assert!(limiter.enter(None).is_some(), "a Unix socket has no address");
    }
}
