//! The server: connections over HTTP, each answered by a router, until the process is asked to end.

use crate::address::Address;
use crate::guard::guard;
use crate::stop::Ending;
use axum::Router;
use axum::middleware::from_fn_with_state;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

/// How long to wait before the next try when the system has no more connections.
const AFTER_A_FAILURE: Duration = Duration::from_millis(50);

/// Bytes of the head of a request that are read, and of an answer that are written ahead.
const BUFFER: usize = 1 << 16;

/// Limits of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerSettings {
    /// Connections at one time; others wait.
    pub connections: u32,
    /// How long the head of a request may take, and how long a connection is kept without one.
    pub head_time: Duration,
    /// How long a client may take nothing of what is sent to it.
    pub write_time: Duration,
    /// How long answers may go on when the server ends.
    pub grace: Duration,
}

impl Default for ServerSettings {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { connections: 512, head_time: seconds(30), write_time: seconds(60), grace: seconds(10) }
    }
}

/// A server that listens and has not begun to answer.
#[derive(Debug)]
pub struct Server {
    listener: Listener,
    /// Where it listens; a port that the system picked stands there.
    pub address: Address,
    settings: ServerSettings,
    ending: Ending,
}

#[derive(Debug)]
enum Listener {
    Tcp(TcpListener),
    #[cfg(unix)]
    Unix(unix::Socket),
}

impl Server {
    /// Listens at `address`.
    ///
    /// # Errors
    /// When the system refuses, or another process listens there.
    pub fn bind(address: &Address, settings: ServerSettings) -> io::Result<Self> {
        let (listener, address) = match address {
            Address::Tcp(address) => {
                let listener = TcpListener::bind(address)?;
                listener.set_nonblocking(true)?;
                let address = Address::Tcp(listener.local_addr()?);
                (Listener::Tcp(listener), address)
            }
            #[cfg(unix)]
            Address::Unix(path) => (Listener::Unix(unix::Socket::bind(path)?), address.clone()),
            #[cfg(not(unix))]
            Address::Unix(_) => {
                return Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no Unix sockets"));
            }
        };
        Ok(Self { listener, address, settings, ending: Ending::default() })
    }

    /// Says when it ends, and can end it.
    pub fn ending(&self) -> Ending {
        self.ending.clone()
    }

    /// Answers requests by `router` until the process gets SIGINT or SIGTERM or [`Ending::begin`] is called. Then nobody is let
    /// in any more, answers may go on for [`ServerSettings::grace`], and a second signal ends them at once.
    ///
    /// # Errors
    /// When the system gives no runtime, or does not tell of signals.
    pub fn run(self, router: Router) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(self.serve(router))
        // Connections that are still there end with the runtime.
    }

    async fn serve(self, router: Router) -> io::Result<()> {
        let Self { listener, address, settings, ending } = self;
        ending.listen_to_signals()?;
        let settings = Arc::new(settings);
        let router = router.layer(from_fn_with_state(address.is_loopback(), guard));
        let places = Arc::new(Semaphore::new(settings.connections as usize));
        let connect =
            Connect { router, settings: Arc::clone(&settings), places: Arc::clone(&places), ending: ending.clone() };
        match listener {
            Listener::Tcp(listener) => {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                let accept = async || {
                    let (stream, _) = listener.accept().await?;
                    // Lines go out as they come, not when a packet is full.
                    stream.set_nodelay(true)?;
                    Ok(stream)
                };
                connect.all(accept).await;
            }
            #[cfg(unix)]
            Listener::Unix(socket) => {
                let listener = tokio::net::UnixListener::from_std(socket.listener()?)?;
                connect.all(async || Ok(listener.accept().await?.0)).await;
            }
        }
        let all_gone = places.acquire_many(settings.connections);
        tokio::select! {
            _ = timeout(settings.grace, all_gone) => (),
            () = ending.wait_for_impatience() => (),
        }
        Ok(())
    }
}

/// The state that connections have in common.
struct Connect {
    router: Router,
    settings: Arc<ServerSettings>,
    places: Arc<Semaphore>,
    ending: Ending,
}

impl Connect {
    /// Serves all connections that `accept` gives until the server ends.
    async fn all<S: AsyncRead + AsyncWrite + Send + 'static>(&self, mut accept: impl AsyncFnMut() -> io::Result<S>) {
        let accept_all = async {
            loop {
                // The semaphore is never closed.
                let Ok(place) = Arc::clone(&self.places).acquire_owned().await else { return };
                match accept().await {
                    Ok(stream) => self.one(stream, place),
                    Err(error) => {
                        log::warn!("no connection: {error}");
                        sleep(AFTER_A_FAILURE).await;
                    }
                }
            }
        };
        tokio::select! {
            () = accept_all => (),
            () = self.ending.wait() => (),
        }
    }

    /// Serves one connection.
    fn one<S: AsyncRead + AsyncWrite + Send + 'static>(&self, stream: S, place: OwnedSemaphorePermit) {
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(self.settings.write_time));
        let service = TowerToHyperService::new(self.router.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.settings.head_time)
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(Box::pin(stream)), service)
            .with_upgrades();
        let ending = self.ending.clone();
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            let end = tokio::select! {
                end = connection.as_mut() => end,
                () = ending.wait() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = end {
                log::debug!("a connection ended: {error}");
            }
            drop(place);
        });
    }
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::path::{Path, PathBuf};

    /// A Unix socket, whose file goes with it.
    #[derive(Debug)]
    pub struct Socket {
        listener: UnixListener,
        path: PathBuf,
    }

    impl Socket {
        /// Listens at `path`, where a process that did not end well may have left a socket.
        pub fn bind(path: &Path) -> io::Result<Self> {
            let listener = UnixListener::bind(path).or_else(|error| {
                let is_left = error.kind() == io::ErrorKind::AddrInUse
                    && UnixStream::connect(path).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
                if is_left { std::fs::remove_file(path).and_then(|()| UnixListener::bind(path)) } else { Err(error) }
            })?;
            listener.set_nonblocking(true)?;
            Ok(Self { listener, path: path.to_owned() })
        }

        /// A handle to the socket itself.
        pub fn listener(&self) -> io::Result<UnixListener> {
            self.listener.try_clone()
        }
    }

    impl Drop for Socket {
        fn drop(&mut self) {
            if let Err(error) = std::fs::remove_file(&self.path) {
                log::warn!("the socket {} stays: {error}", self.path.display());
            }
        }
    }
}
