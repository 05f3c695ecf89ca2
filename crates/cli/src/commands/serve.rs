//! `soffio serve`: answers requests in the format of `soffio batch` over HTTP.

use super::search_arguments::SearchArguments;
use crate::progress::on_signal;
use crate::values::{integer, variant};
use clap::Args;
use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use soffio::rules::Variant;
use soffio::stop::Stop;
use soffio_batch::batch::{BatchAnswer, BatchEngine, RawRequest};
use soffio_serve::{Address, LineService, LineServiceSettings, Out, Server, ServerSettings};
use soffio_support::record::RecordFailure;
use std::convert::Infallible;
use std::num::{NonZeroU16, NonZeroUsize};
use std::time::Duration;
use std::{io, thread};

#[derive(Debug, Args)]
pub struct ServeArguments {
    /// Address and port to listen on, or unix:PATH for a Unix domain socket
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8360")]
    listen: Address,
    /// Variant for requests that do not name one
    #[arg(long, value_parser = variant)]
    variant: Option<Variant>,
    #[command(flatten)]
    search: SearchArguments,
    /// Number of engines, each with one thread [default: number of cores]
    #[arg(long, value_name = "N", value_parser = integer::<NonZeroU16>(1..=u16::MAX.into()))]
    threads: Option<NonZeroU16>,
    /// Maximum number of waiting requests (0 to 65535); further requests get status 503
    #[arg(long, default_value_t = 256, value_parser = integer::<u16>(0..=u16::MAX.into()))]
    queue: u16,
    /// Maximum number of open connections (1 to 65536); further connections wait
    #[arg(long, default_value_t = 512, value_parser = integer::<u32>(1..=65536))]
    connections: u32,
    /// Maximum number of connections per client address or IPv6 /64 network (1 to 65536); further ones get status 429
    /// [default: one eighth of --connections; unlimited for loopback addresses]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65536))]
    per_address: Option<u32>,
    /// Maximum size of a request body in KiB (1 to 1048576)
    #[arg(long, value_name = "KIB", default_value_t = 1024, value_parser = integer::<u32>(1..=1_048_576))]
    body: u32,
    /// Maximum size of a line in a request body in KiB (1 to 1048576)
    #[arg(long, value_name = "KIB", default_value_t = 64, value_parser = integer::<u32>(1..=1_048_576))]
    line: u32,
    /// Maximum time per line in seconds (1 to 86400); a line that takes longer gets an error record
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = integer::<u64>(1..=86_400))]
    line_timeout: u64,
    /// Maximum time in seconds to wait for requests in progress after a termination signal (0 to 86400)
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = integer::<u64>(0..=86_400))]
    grace: u64,
}

pub fn serve(arguments: &ServeArguments) -> anyhow::Result<()> {
    let settings = arguments.search.engine_settings(arguments.variant);
    let usual = LineServiceSettings::default();
    let lines_settings = LineServiceSettings {
        engines: arguments.threads.map_or(usual.engines, NonZeroUsize::from),
        queue: arguments.queue.into(),
        max_body_bytes: arguments.body as usize * 1024,
        max_line_bytes: arguments.line as usize * 1024,
        ..usual
    };
    let timeout = Duration::from_secs(arguments.line_timeout);
    // Bind before starting the engines, so that an address already in use is reported immediately.
    let server = Server::bind(
        &arguments.listen,
        ServerSettings {
            connections: arguments.connections,
            per_address: arguments.per_address,
            grace: Duration::from_secs(arguments.grace),
            ..ServerSettings::default()
        },
    )
    .map_err(|error| anyhow::anyhow!("{}: {error}", arguments.listen))?;
    let lines = LineService::start(&lines_settings, move || {
        let mut engine = BatchEngine::new(settings.clone()).map_err(io::Error::other)?;
        let watch = WorkTimer::start(timeout)?;
        Ok(move |line: &[u8], number: usize, gone: &soffio_serve::Cancellation, out: &mut Out| {
            let stop = Stop::new();
            let signal = stop.clone();
            gone.on_cancel(move || signal.stop());
            let (id, input_hash, request) = RawRequest::from_line(number as u64, line.to_owned()).read();
            let answer = match request {
                Ok(request) => watch.during(&stop, || engine.answer_request(&request, number as u64, &stop)),
                Err(failure) => Some(BatchAnswer::failed(failure)),
            };
            let answer = answer.unwrap_or_else(|| {
                let error = format!("no answer within {} s", timeout.as_secs());
                let (input_hash, line) = (Some(input_hash), Some(number as u64));
                BatchAnswer::failed(RecordFailure { input_hash, line, ..RecordFailure::new(id, error) })
            });
            answer.lines().for_each(out);
        })
    })?;
    let shutdown = server.shutdown();
    on_signal(move || shutdown.advance())?;
    println!("listening on {}", server.address);
    lines.serve(server)?;
    Ok(())
}

/// A thread that stops a search that takes too long.
struct WorkTimer(Sender<(Stop, crossbeam_channel::Receiver<Infallible>)>);

impl WorkTimer {
    fn start(timeout: Duration) -> io::Result<Self> {
        let (sender, work) = bounded::<(Stop, crossbeam_channel::Receiver<Infallible>)>(1);
        thread::Builder::new().name("watch".to_owned()).spawn(move || {
            for (stop, end) in work {
                if end.recv_timeout(timeout) == Err(RecvTimeoutError::Timeout) {
                    stop.stop();
                }
            }
        })?;
        Ok(Self(sender))
    }

    fn during<T>(&self, stop: &Stop, work: impl FnOnce() -> T) -> T {
        let (end, over) = bounded(0);
        // This cannot fail, because the thread runs as long as this sender exists.
        let _ = self.0.send((stop.clone(), over));
        let done = work();
        drop(end);
        done
    }
}
