//! DXP, the DamExchange protocol: its messages, and the connection over which they go.
//!
//! Two modules use it: the adapter, in which this engine plays, and the arena, which asks other engines for moves.

mod message;
mod peer;
mod placement;

pub(crate) use message::{Answer, BackAnswer, Message, MessageError, Reason, Request};
pub(crate) use peer::{Incoming, Peer};
pub(crate) use placement::{Placement, carries};

/// The port of DXP.
const PORT: u16 = 27531;

/// The address with the port of DXP if it names none. One of IPv6 has brackets.
pub(crate) fn with_port(address: &str) -> String {
    let has_port = address.rsplit_once(':').is_some_and(|(host, _)| !host.contains(':') || host.ends_with(']'));
    if has_port { address.to_owned() } else { format!("{address}:{PORT}") }
}
