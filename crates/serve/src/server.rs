//! The HTTP server, which passes requests to a router until it is shut down.

use crate::address::Address;
use crate::client::{Connection, Socket};
use crate::connection_limiter::{ConnectionGuard, ConnectionLimiter};
use crate::guard::{Guard, guard};
use crate::rejection::Rejection;
use crate::shutdown::Shutdown;
use axum::Router;
use axum::middleware::from_fn_with_state;
use http_body_util::BodyExt;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use prometheus::IntCounterVec;
use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, TcpListener};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

/// Pause after a failed `accept`, and time limit for sending a rejection.
const FAILURE_DELAY: Duration = Duration::from_millis(50);

/// Size in bytes of the read buffer for request heads, and of the write buffer for responses.
const BUFFER: usize = 1 << 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerSettings {
    /// Maximum number of concurrent connections. Further connections wait.
    pub connections: u32,
    /// Maximum number of connections per client address (per /64 network for IPv6). Further connections receive status
    /// 429. `None` stands for an eighth of [`Self::connections`], with no limit for loopback addresses.
    pub per_address: Option<u32>,
    /// Time limit for receiving the head of a request, and for an idle connection.
    pub head_time: Duration,
    /// Time limit for sending to a client that does not read.
    pub write_time: Duration,
    /// Time limit for answers that are not finished when the shutdown begins.
    pub grace: Duration,
}

impl Default for ServerSettings {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            connections: 512,
            per_address: None,
            head_time: seconds(30),
            write_time: seconds(60),
            grace: seconds(10),
        }
    }
}

/// A server that is bound to its address but does not answer requests yet.
#[derive(Debug)]
pub struct Server {
    listener: Listener,
    /// The address of the server. If the system picked the port, the address contains the actual port.
    pub address: Address,
    settings: ServerSettings,
    shutdown: Shutdown,
    pub(crate) rejections: Option<IntCounterVec>,
}

#[derive(Debug)]
enum Listener {
    Tcp(TcpListener),
    #[cfg(unix)]
    Unix(unix::UnixSocket),
}

impl Server {
    pub fn bind(address: &Address, settings: ServerSettings) -> io::Result<Self> {
        let (listener, address) = match address {
            Address::Tcp(address) => {
                let listener = TcpListener::bind(address)?;
                listener.set_nonblocking(true)?;
                let address = Address::Tcp(listener.local_addr()?);
                (Listener::Tcp(listener), address)
            }
            #[cfg(unix)]
            Address::Unix(path) => (Listener::Unix(unix::UnixSocket::bind(path)?), address.clone()),
            #[cfg(not(unix))]
            Address::Unix(_) => {
                return Err(io::Error::new(io::ErrorKind::Unsupported, "this system does not support Unix sockets"));
            }
        };
        Ok(Self { listener, address, settings, shutdown: Shutdown::default(), rejections: None })
    }

    pub fn shutdown(&self) -> Shutdown {
        self.shutdown.clone()
    }

    /// Serves `router` until [`Shutdown::begin`]. The server then stops accepting connections, and answers in progress
    /// may continue for [`ServerSettings::grace`]. [`Shutdown::advance`] ends them immediately.
    pub fn run(self, router: Router) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(self.serve(router))
        // The remaining connections end when the runtime is dropped.
    }

    async fn serve(self, router: Router) -> io::Result<()> {
        let Self { listener, address, settings, shutdown, rejections } = self;
        let guard_state = Guard { is_local: address.is_loopback(), rejections: rejections.clone() };
        let connect = Connect {
            router: router.layer(from_fn_with_state(guard_state, guard)),
            places: Arc::new(Semaphore::new(settings.connections as usize)),
            limiter: Arc::new(ConnectionLimiter::new(settings.per_address, settings.connections)),
            settings,
            shutdown,
            rejections,
        };
        match listener {
            Listener::Tcp(listener) => {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                let accept = async || {
                    let (stream, address) = listener.accept().await?;
                    // Sends each line at once instead of filling packets (Nagle's algorithm).
                    stream.set_nodelay(true)?;
                    Ok((stream, Some(address.ip())))
                };
                connect.all(accept).await;
            }
            #[cfg(unix)]
            Listener::Unix(socket) => {
                let listener = tokio::net::UnixListener::from_std(socket.listener()?)?;
                connect.all(async || Ok((listener.accept().await?.0, None))).await;
            }
        }
        let all_gone = connect.places.acquire_many(connect.settings.connections);
        tokio::select! {
            _ = timeout(connect.settings.grace, all_gone) => (),
            () = connect.shutdown.wait_for_forced_shutdown() => (),
        }
        Ok(())
    }
}

struct Connect {
    router: Router,
    settings: ServerSettings,
    places: Arc<Semaphore>,
    limiter: Arc<ConnectionLimiter>,
    shutdown: Shutdown,
    rejections: Option<IntCounterVec>,
}

impl Connect {
    async fn all<S: Socket + Unpin>(&self, mut accept: impl AsyncFnMut() -> io::Result<(S, Option<IpAddr>)>) {
        let accept_all = async {
            loop {
                // `acquire_owned` fails only if the semaphore is closed, which never happens.
                let Ok(place) = Arc::clone(&self.places).acquire_owned().await else { return };
                match accept().await {
                    Ok((stream, address)) => match self.limiter.enter(address) {
                        Some(guard) => self.serve_connection(stream, (place, guard)),
                        None => self.reject(stream).await,
                    },
                    Err(error) => {
                        log::warn!("cannot accept a connection: {error}");
                        sleep(FAILURE_DELAY).await;
                    }
                }
            }
        };
        tokio::select! {
            () = accept_all => (),
            () = self.shutdown.wait() => (),
        }
    }

    /// Serves one connection, which holds `place` until the connection ends.
    fn serve_connection<S: Socket>(&self, stream: S, place: (OwnedSemaphorePermit, ConnectionGuard)) {
        let stream = Connection::new(stream, self.settings.write_time, self.shutdown.clone());
        let (client, router) = (stream.clone(), TowerToHyperService::new(self.router.clone()));
        let service = service_fn(move |mut request: Request<Incoming>| {
            let inside = client.enter();
            request.extensions_mut().insert(client.clone());
            let response = router.call(request);
            async move {
                let response = response.await?;
                inside.answered(response.status());
                let body = |body: axum::body::Body| {
                    // Keeps the guard alive until the body is dropped.
                    body.map_frame(move |frame| {
                        let _ = &inside;
                        frame
                    })
                };
                Ok::<_, Infallible>(response.map(body))
            }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.settings.head_time)
            .max_buf_size(BUFFER)
            .half_close(true)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let shutdown = self.shutdown.clone();
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            let end = tokio::select! {
                end = connection.as_mut() => end,
                () = shutdown.wait() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = end {
                log::debug!("connection closed: {error}");
            }
            drop(place);
        });
    }

    /// Sends status 429 to a connection that exceeds the limit for its address, and closes the connection.
    async fn reject(&self, mut stream: impl Socket + Unpin) {
        let rejection = Rejection::Address(self.limiter.limit());
        let status = rejection.counted(self.rejections.as_ref());
        let text = format!("{rejection}\n");
        let length = text.len();
        let head = format!("HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}");
        let answer = format!("{head}\r\nConnection: close\r\n\r\n{text}");
        // The answer fits into the send buffer, which is empty. If the client has disconnected, the answer is lost.
        let write = poll_fn(|context| Pin::new(&mut stream).poll_write(context, answer.as_bytes()));
        let _ = timeout(FAILURE_DELAY, write).await;
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::{Metadata, remove_file, symlink_metadata};
    use std::io;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::path::{Path, PathBuf};

    /// A listening Unix socket, whose file is removed when the socket is dropped.
    #[derive(Debug)]
    pub struct UnixSocket {
        listener: UnixListener,
        path: PathBuf,
        file: (u64, u64),
    }

    fn number(metadata: &Metadata) -> (u64, u64) {
        (metadata.dev(), metadata.ino())
    }

    /// Removes the socket at `path`. Returns an error if a process is listening on it, or if `path` is not a socket.
    fn remove_dead(path: &Path) -> io::Result<()> {
        let in_use = |reason| io::Error::new(io::ErrorKind::AddrInUse, reason);
        let connected = symlink_metadata(path)?.file_type().is_socket().then(|| UnixStream::connect(path));
        match connected {
            Some(Ok(_)) => Err(in_use("another process is listening there")),
            // The type of the file has been checked above, because connecting to a regular file fails with the same
            // error.
            Some(Err(error)) if error.kind() == io::ErrorKind::ConnectionRefused => remove_file(path),
            _ => Err(in_use("the file exists and is not a stale socket; remove it or choose another name")),
        }
    }

    impl UnixSocket {
        /// Listens on `path` and replaces a socket left behind by a crashed process.
        pub fn bind(path: &Path) -> io::Result<Self> {
            let listener = UnixListener::bind(path).or_else(|error| {
                let is_taken = error.kind() == io::ErrorKind::AddrInUse;
                if is_taken { remove_dead(path).and_then(|()| UnixListener::bind(path)) } else { Err(error) }
            })?;
            listener.set_nonblocking(true)?;
            let file = number(&symlink_metadata(path)?);
            Ok(Self { listener, path: path.to_owned(), file })
        }

        pub fn listener(&self) -> io::Result<UnixListener> {
            self.listener.try_clone()
        }
    }

    impl Drop for UnixSocket {
        fn drop(&mut self) {
            let removed = symlink_metadata(&self.path).and_then(|found| {
                // Another process may have replaced the file in the meantime.
                if number(&found) == self.file { remove_file(&self.path) } else { Ok(()) }
            });
            if let Err(error) = removed {
                log::warn!("cannot remove the socket {}: {error}", self.path.display());
            }
        }
    }
}
