//! Processes lines over HTTP. A few engines can serve many clients with short requests.
//!
//! This crate does not interpret the lines. It has two parts, which can be used separately:
//!
//! - [`LineService`] answers `POST /batch`. The body of the request contains lines; the response is a stream of lines
//!   in the same order, each sent as soon as it is available. Every [`LineWorker`] has its own thread, and all requests
//!   share the workers through a bounded queue. `GET /health` and `GET /metrics` report the state of the service. A
//!   client that has only closed its writing side still receives its answer, but the request of a client that has
//!   disconnected is cancelled.
//! - [`Server`] serves any [`axum::Router`] on a TCP address or a Unix socket until [`Shutdown::begin`]. It limits the
//!   number of connections in total and per address, disconnects slow clients, and rejects requests from pages of other
//!   sites.
//!
//! ```no_run
//! use soffio_serve::{LineService, LineServiceSettings, Out, Server, ServerSettings, Cancellation};
//!
//! let echo = |line: &[u8], _number: usize, _cancellation: &Cancellation, out: &mut Out| {
//!     out(String::from_utf8_lossy(line).into_owned());
//! };
//! let lines = LineService::start(&LineServiceSettings::default(), move || Ok(echo))?;
//! let server = Server::bind(&"127.0.0.1:8360".parse()?, ServerSettings::default())?;
//! eprintln!("listening on {}", server.address);
//! lines.serve(server)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Other services
//!
//! To serve other content, such as pages or WebSockets, build a router with [`axum`] and pass it to [`Server::run`].
//! This crate re-exports `axum`, so that the versions match. `lines.router().merge(...)` serves both the lines and the
//! other content. Handlers of long conversations should also await [`Shutdown::wait`] on the [`Shutdown`] from
//! [`Server::shutdown`]; otherwise the conversations are cut off after [`ServerSettings::grace`]. The runtime has a
//! single thread, so run blocking work on other threads or in `tokio::task::spawn_blocking`.
#![forbid(unsafe_code)]

mod address;
mod cancellation;
mod client;
mod connection_limiter;
mod guard;
mod lines;
mod metrics;
mod queue;
mod rejection;
mod server;
mod shutdown;

pub use address::Address;
pub use axum;
pub use cancellation::Cancellation;
pub use lines::{LineService, LineServiceSettings};
pub use queue::{LineWorker, Out};
pub use server::{Server, ServerSettings};
pub use shutdown::Shutdown;
