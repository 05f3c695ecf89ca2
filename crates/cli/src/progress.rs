//! Shows the progress of long jobs, and handles their interruption.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::Mutex;
use soffio::stop::Stop;
use soffio_support::words::duration;
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

/// Interval between progress lines when the output is not a terminal.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// Minimum interval between two updates of a progress bar. More frequent updates would slow down the work, because
/// formatting a message can take longer than the step that it reports.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// Exit status after a second interrupt.
const INTERRUPTED: i32 = 130;

/// A progress bar with a message or, if the output is not a terminal, a line at regular intervals.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// Time of the last report, or `None` if the first report is due immediately.
    last_report: Mutex<Option<Instant>>,
}

impl Progress {
    pub fn new() -> Self {
        let bar = io::stderr().is_terminal().then(|| bar(ProgressDrawTarget::stderr()));
        Self { bar, last_report: Mutex::new(Some(Instant::now())) }
    }

    /// Creates a progress bar on standard output. The first report is not delayed.
    pub fn on_output() -> Self {
        let bar = io::stdout().is_terminal().then(|| bar(ProgressDrawTarget::stdout()));
        Self { bar, last_report: Mutex::new(None) }
    }

    /// Updates the bar if an update is due. If the output is not a terminal, returns the line to print instead.
    pub fn line(&self, (done, all): (u64, u64), text: impl FnOnce() -> String) -> Option<String> {
        let mut last_report = self.last_report.lock();
        let pause = if self.bar.is_some() { REDRAW_INTERVAL } else { REPORT_INTERVAL };
        if last_report.is_some_and(|instant| instant.elapsed() < pause) {
            return None;
        }
        *last_report = Some(Instant::now());
        let Some(bar) = &self.bar else { return Some(text()) };
        bar.set_length(all);
        bar.set_position(done);
        bar.set_message(text());
        None
    }

    pub fn show(&self, steps: (u64, u64), text: impl FnOnce() -> String) {
        if let Some(line) = self.line(steps, text) {
            self.print_line(&line);
        }
    }

    pub fn print_line(&self, line: &str) {
        self.with_lines(|| print_line(line));
    }

    pub fn with_lines<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(target: ProgressDrawTarget) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {msg}");
    ProgressBar::with_draw_target(None, target).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// The progress of a job whose steps are counted by its worker threads.
pub struct TablesProgress {
    pub progress: Progress,
    total: u64,
    pub done: AtomicU64,
    part: Mutex<String>,
    started: Instant,
}

impl TablesProgress {
    pub fn new(total: u64) -> Self {
        let (done, part, started) = (AtomicU64::new(0), Mutex::default(), Instant::now());
        Self { progress: Progress::new(), total, done, part, started }
    }

    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let (working, is_over) = channel::<()>();
        let report = move || {
            while is_over.recv_timeout(REDRAW_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                self.progress.show((self.done.load(Relaxed), self.total), || self.text());
            }
        };
        thread::scope(|scope| {
            // If the thread cannot be started, no progress is reported.
            drop(thread::Builder::new().name("progress".to_owned()).spawn_scoped(scope, report));
            let result = work();
            drop(working);
            result
        })
    }

    pub fn part(&self, name: String) {
        *self.part.lock() = name;
    }

    fn text(&self) -> String {
        let (done, total) = (self.done.load(Relaxed) as f64, self.total.max(1) as f64);
        let left = self.started.elapsed().as_secs_f64() * (total - done) / done;
        // The conversion fails before the first step is complete, because the estimate is not finite.
        let left = Duration::try_from_secs_f64(left).map(|left| format!(", {} left", duration(left)));
        let part = self.part.lock();
        format!("{part}: {:.1} % done{}", 100.0 * done / total, left.unwrap_or_default())
    }
}

pub fn print_line(line: &str) {
    // It is not an error if standard error is closed.
    drop(writeln!(io::stderr(), "{line}"));
}

pub fn or_cores(requested: Option<NonZeroUsize>) -> NonZeroUsize {
    requested.unwrap_or_else(|| available_parallelism().unwrap_or(NonZeroUsize::MIN))
}

/// Returns a stop signal that is set by Ctrl+C. A second Ctrl+C exits the process, because a process that waits for
/// input does not check the signal.
pub fn stop_on_signal() -> Result<Stop, ctrlc::Error> {
    let stop = Stop::new();
    let signalled = stop.clone();
    on_signal(move || {
        if signalled.is_stopped() {
            std::process::exit(INTERRUPTED);
        }
        signalled.stop();
    })?;
    Ok(stop)
}

/// Output of a command that is interrupted by a stop signal. Writing then fails, so no incomplete file remains.
pub struct StoppableOutput<W> {
    pub output: W,
    pub stop: Stop,
}

impl<W: Write> Write for StoppableOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.is_stopped() {
            return Err(io::Error::other(NOTHING_WRITTEN));
        }
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

const NOTHING_WRITTEN: &str = "interrupted: nothing was written";

/// Fails if the command was interrupted before it has written its output.
pub fn ensure_not_stopped(stop: &Stop) -> anyhow::Result<()> {
    anyhow::ensure!(!stop.is_stopped(), NOTHING_WRITTEN);
    Ok(())
}

/// Calls `handler` for each SIGINT, SIGTERM and SIGHUP. A signal that this process has inherited as ignored stays
/// ignored: `nohup` ignores SIGHUP, and a shell without job control ignores SIGINT in background processes.
pub fn on_signal(handler: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    #[cfg(unix)]
    let mut ignored = vec![libc::SIGHUP, libc::SIGINT];
    #[cfg(unix)]
    ignored.retain(|&signal| ignore(signal));
    ctrlc::set_handler(handler)?;
    #[cfg(unix)]
    for signal in ignored {
        ignore(signal);
    }
    Ok(())
}

/// Ignores `signal`. Returns whether it was already ignored.
#[cfg(unix)]
#[allow(unsafe_code)]
fn ignore(signal: libc::c_int) -> bool {
    // SAFETY: ignoring a signal installs no code that could run when the signal arrives.
    unsafe { libc::signal(signal, libc::SIG_IGN) == libc::SIG_IGN }
}

/// Returns the last words of the final line that a resumable run prints.
pub fn end_of_run(is_whole: bool) -> &'static str {
    if is_whole { "done" } else { "interrupted: run the same command to resume" }
}
