//! The addresses that a server can listen on.

use derive_more::Display;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

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
