//! Counts the connections per client address, so that one address cannot use up all connections.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

/// Divisor of the number of connections that gives the default limit per address.
const SHARE: u32 = 8;

pub struct Visitors {
    most: u32,
    /// Whether the limit also applies to loopback addresses.
    is_for_all: bool,
    counts: Mutex<HashMap<IpAddr, u32>>,
}

impl Visitors {
    /// Limits each address to `most` connections. If `most` is `None`, the limit is an eighth of `connections` and does
    /// not apply to loopback addresses, because a proxy may be running there.
    pub fn new(most: Option<u32>, connections: u32) -> Self {
        let usual = (connections / SHARE).max(1);
        Self { most: most.unwrap_or(usual), is_for_all: most.is_some(), counts: Mutex::default() }
    }

    pub fn most(&self) -> u32 {
        self.most
    }

    /// Counts a connection from `address` until the returned visit is dropped. Returns `None` if the address has
    /// reached its limit. Connections to a Unix socket have no address and are not limited.
    pub fn enter(self: &Arc<Self>, address: Option<IpAddr>) -> Option<Visit> {
        let limited = address.filter(|address| self.is_for_all || !address.to_canonical().is_loopback());
        let Some(address) = limited.map(network) else { return Some(Visit(None)) };
        let mut counts = self.counts.lock();
        let count = counts.entry(address).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Visit(Some((Arc::clone(self), address))))
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

pub struct Visit(Option<(Arc<Visitors>, IpAddr)>);

impl Drop for Visit {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn entered(visitors: &Arc<Visitors>, addresses: &[&str]) -> Vec<Option<Visit>> {
        addresses.iter().map(|address| visitors.enter(Some(address.parse().unwrap()))).collect()
    }

    #[test]
    fn each_address_has_its_limit() {
        let visitors = Arc::new(Visitors::new(None, 16));
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
        let visits = entered(&Arc::new(Visitors::new(None, 1)), &[local, local].concat());
        assert!(visits.iter().all(Option::is_some));
        let visitors = Arc::new(Visitors::new(Some(1), 512));
        let is_in: Vec<_> = entered(&visitors, &local).iter().map(Option::is_some).collect();
        assert_eq!(is_in, [true, true, false]);
        assert!(visitors.enter(None).is_some(), "a Unix socket has no address");
    }
}
