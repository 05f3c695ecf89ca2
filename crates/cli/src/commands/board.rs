//! `soffio board`: serves the analysis board with an engine to a browser, or writes the board to a file.

use crate::input::ensure_none_is_output;
use crate::progress::on_signal;
use crate::values::integer;
use anyhow::{Context, Result, anyhow};
use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use clap::Args;
use crossbeam_channel::{Sender, unbounded};
use soffio::session::Input;
use soffio::system::reason;
use soffio_board::{Host, call, page};
use soffio_serve::{Address, Server, ServerSettings, Shutdown};
use soffio_support::output_file::OutputFile;
use soffio_support::stdio::{InputLines, converse};
use soffio_support::with_path::WithPath;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, thread};
use tokio::sync::mpsc;

#[derive(Clone, Debug, Args)]
pub struct BoardArguments {
    /// Local port to listen on (0 to 65535); 0 lets the system choose a free port
    #[arg(long, default_value_t = 8361, value_parser = integer::<u16>(0..=u16::MAX.into()))]
    port: u16,
    /// Do not open a browser
    #[arg(long)]
    no_browser: bool,
    /// Write the board and its engine to an HTML file that works offline, instead of starting a server
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Engine script to include in the --out file: soffio-single.js from the npm package [default: the script installed
    /// with the program]
    #[arg(long, value_name = "FILE", requires = "out")]
    worker: Option<PathBuf>,
    /// Overwrite the output file if it exists
    #[arg(long, requires = "out")]
    overwrite: bool,
}

const TITLE: &str = "Soffio";

/// Maximum size of a request in bytes. It is large enough for a file with many thousands of games.
const MAX_REQUEST_BYTES: usize = 64 << 20;

pub fn show_board(arguments: &BoardArguments) -> Result<()> {
    if let Some(path) = &arguments.out {
        ensure_none_is_output(arguments.worker.as_deref(), [path.as_path()])?;
        let file = OutputFile::new(path, arguments.overwrite)?;
        let worker = board_worker(arguments.worker.as_deref())?;
        return Ok(file.write(page(TITLE, &[], Host::Worker(&worker)).as_bytes())?);
    }
    let address = Address::Tcp(([127, 0, 0, 1], arguments.port).into());
    let busy = |error| anyhow!("{address}: {}; choose another port with --port", reason(error));
    let server = Server::bind(&address, ServerSettings::default()).map_err(busy)?;
    let place = server.address.to_string();
    println!("Analysis board: {place} (press Ctrl+C to stop)");
    if !arguments.no_browser && open::that_detached(&place).is_err() {
        println!("Could not open a browser: open this address manually");
    }
    let (shutdown, router) = (server.shutdown(), router(server.shutdown()));
    on_signal(move || shutdown.advance())?;
    Ok(server.run(router)?)
}

fn router(shutdown: Shutdown) -> Router {
    // The page must not be cached, because a different version of the program may serve a different page.
    let shown = async || ([(CACHE_CONTROL, "no-store")], Html(page(TITLE, &[], Host::Server)));
    Router::new()
        .route("/", get(shown))
        .route("/call", post(answer).layer(axum::extract::DefaultBodyLimit::max(MAX_REQUEST_BYTES)))
        .route("/lines", get(lines))
        .with_state(shutdown)
}

async fn answer(request: String) -> Response {
    let answer = tokio::task::spawn_blocking(move || call(&request)).await;
    // A panic during a request is reported in the same way as an invalid request.
    let answer = answer.unwrap_or_else(|error| serde_json::json!({ "error": error.to_string() }).to_string());
    ([(CONTENT_TYPE, "application/json")], answer).into_response()
}

async fn lines(upgrade: WebSocketUpgrade, State(shutdown): State<Shutdown>) -> Response {
    upgrade.on_upgrade(move |socket| serve_engine(socket, shutdown))
}

/// Runs an engine for one connection until the client disconnects, the engine exits or the server shuts down.
async fn serve_engine(mut socket: WebSocket, shutdown: Shutdown) {
    let (to_engine, heard) = unbounded();
    let (said, mut to_page) = mpsc::unbounded_channel();
    if let Err(error) = start_engine(heard, said) {
        drop(socket.send(Message::text(format!("error board {error}"))).await);
        return;
    }
    loop {
        tokio::select! {
            () = shutdown.wait() => break,
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => forward_line(&to_engine, text.as_str()),
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => {}
            },
            text = to_page.recv() => match text {
                Some(text) => if socket.send(Message::text(text)).await.is_err() { break },
                None => break,
            },
        }
    }
    // Stop the search, which might otherwise never end.
    forward_line(&to_engine, "stop\nquit");
}

fn forward_line(engine: &Sender<(Input, Instant)>, text: &str) {
    for line in text.lines() {
        // Sending fails if the engine has exited.
        drop(engine.send((line.into(), Instant::now())));
    }
}

fn start_engine(lines: InputLines, page: mpsc::UnboundedSender<String>) -> io::Result<()> {
    let work = move || {
        // This fails only if the page has been closed.
        drop(converse(&lines, PageWriter { page, text: Vec::new() }));
    };
    thread::Builder::new().name("board".to_owned()).spawn(work).map(drop)
}

/// A writer that sends the buffered text to the page at every flush.
struct PageWriter {
    page: mpsc::UnboundedSender<String>,
    text: Vec<u8>,
}

impl Write for PageWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.text).into_owned();
        self.text.clear();
        self.page.send(text).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// File name of the engine script. The program looks for it next to its executable and in the folders where packages
/// install shared files.
const NAME: &str = "soffio-single.js";

fn places() -> Vec<PathBuf> {
    let program = std::env::current_exe().and_then(fs::canonicalize).ok();
    let folder = program.as_deref().and_then(Path::parent);
    let from = |path: &str| folder.map(|folder| folder.join(path).join(NAME));
    [from("."), from("../share/soffio"), from("../../../share/soffio")].into_iter().flatten().collect()
}

pub(super) fn has_board_worker() -> bool {
    places().iter().any(|path| path.exists())
}

pub(super) fn board_worker(path: Option<&Path>) -> Result<String> {
    let found = path.map(Path::to_owned).or_else(|| places().into_iter().find(|path| path.exists()));
    let path = found.with_context(|| {
        format!(
            "{NAME} not found next to the program: build it with `crates/wasm/build` in a checkout (needs rustup, Node \
             and npm), then pass `--worker dist/npm/{NAME}`"
        )
    })?;
    fs::read_to_string(&path).with_path(&path)
}
