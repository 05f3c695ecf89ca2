//! Lines over HTTP, for a program that has few engines and many clients that ask little.
//!
//! The package knows HTTP and nothing of what the lines say. It has two parts, and either can be used without the other:
//!
//! - [`Lines`] answers `POST /batch`. A body of lines is answered by a stream of lines, in order, each as soon as it is there. What
//!   answers a line is a [`Worker`]; each has a thread of its own, and all requests share them. A queue with a limit stands
//!   before them. `GET /health` and `GET /metrics` tell how it goes. A client that has only closed its writing side gets its
//!   answer; the request of a client that has gone is cancelled.
//! - [`Server`] serves any [`axum::Router`] on a TCP address or a Unix socket until the process is asked to end, with limits on
//!   connections, on those of one address and on clients that are slow, and keeps pages of other sites away.
//!
//! ```no_run
//! use soffio_serve::{Lines, LinesSettings, Out, Server, ServerSettings, Stop};
//!
//! let shout = |line: &str, _number: usize, _stop: &Stop, out: &mut Out| out(line.to_uppercase());
//! let lines = Lines::start(&LinesSettings::default(), move || Ok(shout))?;
//! let server = Server::bind(&"127.0.0.1:8360".parse()?, ServerSettings::default())?;
//! eprintln!("listening on {}", server.address);
//! lines.serve(server)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Other services
//!
//! A program that serves something else (pages, a call, a WebSocket) makes a router with [`axum`], which this package shows so that
//! both mean the same version, and gives it to [`Server::run`]; `lines.router().merge(...)` serves both. A conversation over a
//! WebSocket ends when [`Server::ending`] says so: a router that is made after the server was bound can keep an [`Ending`], and its
//! conversations wait for [`Ending::wait`] beside their next message. Those that do not are cut off after
//! [`ServerSettings::grace`]. The runtime has one thread, so work belongs on threads of the program's own, or into
//! `tokio::task::spawn_blocking`.
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![warn(missing_docs)]

mod address;
mod client;
mod guard;
mod lines;
mod metrics;
mod queue;
mod server;
mod stop;
mod visitors;

pub use address::{Address, AddressError};
pub use axum;
pub use lines::{Lines, LinesSettings};
pub use queue::{Out, Worker};
pub use server::{Server, ServerSettings};
pub use stop::{Ending, Stop};
