//! An engine process and its pipes.
//!
//! Separate threads serve the pipes, so an engine that does not read or write cannot block a game. The line queue is
//! bounded: an engine that prints too much has to wait, and memory use stays small.

use super::answer::EngineFault;
use super::machine::bind;
use super::usage::{Usage, group};
use super::{Program, Stop};
use crossbeam_channel::{Receiver, Sender, at, bounded, select, unbounded};
use parking_lot::Mutex;
use process_wrap::std::{ChildWrapper, CommandWrap};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

const READ_AHEAD: usize = 256;

/// Maximum length of a line in bytes. Longer lines arrive in pieces.
const MAX_LINE: u64 = 1 << 16;

/// Maximum length of a quoted error message.
const MAX_ERROR_CHARS: usize = 200;

/// Maximum time to wait for the last line of standard error, which child processes of the engine may keep open.
const LAST_ERROR: Duration = Duration::from_millis(100);

/// Interval between checks for the exit of a process.
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(2);

static START: Mutex<()> = Mutex::new(());

/// Runs `work` while no process is being started. On Unix, a child process keeps all files and sockets of this process
/// open until it executes its program, even if this process closes them in the meantime.
pub(super) fn between_starts<T>(work: impl FnOnce() -> T) -> T {
    let _held = START.lock();
    work()
}

/// A running engine. When this value is dropped, the engine and its child processes are killed.
pub(super) struct Process {
    name: String,
    child: Box<dyn ChildWrapper>,
    /// The input of the engine, or `None` after the input has been closed.
    input: Option<Sender<String>>,
    lines: Receiver<(Instant, String)>,
    /// Receives the last line of standard error when the engine has closed it.
    last_error: Receiver<String>,
    /// IDs of the engine's processes, as of the last time they were listed.
    group: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoLine {
    Timeout,
    Closed,
    Stopped,
}

impl Process {
    /// Starts `program`. If `has_answers` is false, the output of the program is only logged, because the engine uses a
    /// different connection for its answers.
    pub(super) fn start(name: &str, program: &Program, cores: &[usize], has_answers: bool) -> io::Result<Self> {
        let (first, arguments) = program.words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = CommandWrap::with_new(first, |command| {
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            if let Some(directory) = &program.directory {
                command.current_dir(directory);
            }
        });
        keep_together(&mut command);
        let mut child = between_starts(|| command.spawn())?;
        if !cores.is_empty() {
            // Pin the process before it starts threads, which inherit its cores.
            bind(child.id(), cores)?;
        }
        let (input, texts) = unbounded();
        if let Some(pipe) = child.stdin().take() {
            serve(name, "input", move || write_texts(pipe, &texts))?;
        }
        let (sender, lines) = bounded(READ_AHEAD);
        if let Some(pipe) = child.stdout().take() {
            let (log, owned) = (log_lines(name), name.to_owned());
            let take = move |line| {
                let read = Instant::now();
                log::debug!("< {owned}: {line}");
                sender.send((read, line)).is_ok()
            };
            serve(name, "output", move || if has_answers { read_lines(pipe, take) } else { read_lines(pipe, log) })?;
        }
        let (error_sender, last_error) = bounded(1);
        if let Some(pipe) = child.stderr().take() {
            let log = log_lines(name);
            serve(name, "errors", move || {
                let mut last = String::new();
                read_lines(pipe, |line| {
                    if !line.trim().is_empty() {
                        last.clone_from(&line);
                    }
                    log(line)
                });
                if !last.is_empty() {
                    drop(error_sender.send(last));
                }
            })?;
        }
        let group = vec![child.id()];
        Ok(Self { name: name.to_owned(), child, input: Some(input), lines, last_error, group })
    }

    pub(super) fn find_group(&mut self) {
        self.group = group(self.child.id());
    }

    pub(super) fn usage(&self) -> Usage {
        Usage::measure(&self.group)
    }

    /// Writes `text`, which consists of one or more lines. If the engine has exited, this is not noticed until the
    /// match waits for an answer.
    pub(super) fn send(&self, mut text: String) {
        text.lines().for_each(|line| log::debug!("> {}: {line}", self.name));
        text.push('\n');
        if let Some(input) = &self.input
            && input.send(text).is_err()
        {
            log::debug!("{} no longer reads its input", self.name);
        }
    }

    pub(super) fn waiting_line(&self) -> Option<(Instant, String)> {
        self.lines.try_recv().ok()
    }

    /// Returns the next line and the time at which it was read.
    pub(super) fn line(&self, deadline: Instant, stop: &Stop) -> Result<(Instant, String), NoLine> {
        if stop.is_stopped() {
            return Err(NoLine::Stopped);
        }
        // A line that has already arrived counts even after the deadline.
        if let Some(line) = self.waiting_line() {
            return Ok(line);
        }
        select! {
            recv(self.lines) -> line => line.map_err(|_| NoLine::Closed),
            recv(stop.receiver()) -> _ => Err(NoLine::Stopped),
            recv(at(deadline)) -> _ => Err(NoLine::Timeout),
        }
    }

    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Returns the fault of a process that has exited with `status`.
    pub(super) fn crash(&self, status: String) -> EngineFault {
        let last_error = self.last_error.recv_timeout(LAST_ERROR).ok();
        let text = last_error.map(|line| line.chars().filter(|c| !c.is_control()).take(MAX_ERROR_CHARS).collect());
        EngineFault::Crash { status, last_error: text }
    }

    pub(super) fn exit_within(&mut self, time: Duration) -> Option<String> {
        let deadline = Instant::now() + time;
        loop {
            match self.child.inner_mut().try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < deadline => thread::sleep(EXIT_POLL_INTERVAL),
                Ok(None) => return None,
                Err(error) => return Some(error.to_string()),
            }
        }
    }

    /// Closes the input, gives the process `time` to exit, and kills the remaining processes of its group.
    pub(super) fn end(&mut self, time: Duration) {
        self.close_input();
        let deadline = Instant::now() + time;
        // A process that is still writing must not be blocked by a full pipe.
        while let Some(left) = deadline.checked_duration_since(Instant::now()) {
            if self.lines.recv_timeout(left.min(EXIT_POLL_INTERVAL))
                == Err(crossbeam_channel::RecvTimeoutError::Disconnected)
                || self.exit_within(Duration::ZERO).is_some()
            {
                break;
            }
        }
        self.exit_within(deadline.saturating_duration_since(Instant::now()));
        // Killing fails if the process has already exited.
        if let Err(error) = self.child.start_kill() {
            log::trace!("cannot kill an engine: {error}");
        }
        if let Err(error) = self.child.wait() {
            log::warn!("cannot wait for an engine: {error}");
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Puts the engine into a process group, which can be killed as a whole. As a consequence, Ctrl-C in a terminal reaches
/// only this program.
#[cfg(unix)]
fn keep_together(command: &mut CommandWrap) {
    command.wrap(process_wrap::std::ProcessGroup::leader());
}

/// Puts the engine into a job, which can be killed as a whole, and into a process group, so that Ctrl-C in a console
/// reaches only this program.
#[cfg(windows)]
fn keep_together(command: &mut CommandWrap) {
    use process_wrap::std::{CreationFlags, JobObject};
    use windows::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;
    command.wrap(CreationFlags(CREATE_NEW_PROCESS_GROUP)).wrap(JobObject);
}

fn log_lines(name: &str) -> impl Fn(String) -> bool + Send + 'static {
    let name = name.to_owned();
    move |line| {
        log::info!("{name}: {line}");
        true
    }
}

fn serve(name: &str, pipe: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(format!("{name} {pipe}")).spawn(work).map(drop)
}

fn write_texts(mut pipe: impl Write, texts: &Receiver<String>) {
    for text in texts {
        if pipe.write_all(text.as_bytes()).and_then(|()| pipe.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(pipe: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut pipe = BufReader::new(pipe);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match pipe.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                // Invalid UTF-8 becomes U+FFFD, which is never part of a valid answer.
                let line = String::from_utf8_lossy(&bytes);
                if !take(line.trim_end_matches(['\n', '\r']).to_owned()) {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::fs;

    fn start(script: &str) -> Process {
        let words = ["sh", "-c", script].map(str::to_owned).to_vec();
        Process::start("sh", &Program { words, directory: None }, &[], true).unwrap()
    }

    fn next_within(process: &Process, time: Duration, stop: &Stop) -> Result<String, NoLine> {
        process.line(Instant::now() + time, stop).map(|(_, line)| line)
    }

    fn next(process: &Process) -> Result<String, NoLine> {
        next_within(process, Duration::from_secs(20), &Stop::new())
    }

    fn state(pid: &str) -> Option<char> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        text.rsplit(") ").next()?.chars().next()
    }

    #[test]
    fn a_dropped_process_is_killed_with_its_children_and_reaped() {
        let process = start("sleep 1000 & echo $! $$; wait");
        let line = next(&process).unwrap();
        let (child, own) = line.split_once(' ').unwrap();
        assert!(state(child).is_some() && state(own).is_some(), "{line}");
        drop(process);
        assert_eq!(state(own), None, "the process was reaped");
        let started = Instant::now();
        while !matches!(state(child), None | Some('Z')) {
            assert!(started.elapsed() < Duration::from_secs(20), "the child is still running");
            thread::sleep(EXIT_POLL_INTERVAL);
        }
    }

    #[test]
    fn an_engine_that_does_not_read_blocks_nothing() {
        let process = start("sleep 1000");
        for _ in 0..100 {
            process.send("x".repeat(100_000));
        }
        assert_eq!(next_within(&process, Duration::from_millis(20), &Stop::new()), Err(NoLine::Timeout));
    }

    #[test]
    fn lines_ends_deadlines_and_signals_end_waiting() {
        let process = start("echo one; echo two; exec sleep 1000");
        assert_eq!((next(&process), next(&process)), (Ok("one".to_owned()), Ok("two".to_owned())));
        let stop = Stop::new();
        stop.stop();
        assert_eq!(next_within(&process, Duration::from_secs(20), &stop), Err(NoLine::Stopped));
        let mut process = start("printf 'no end'");
        assert_eq!((next(&process), next(&process)), (Ok("no end".to_owned()), Err(NoLine::Closed)));
        assert_eq!(process.exit_within(Duration::from_secs(20)).as_deref(), Some("exit status: 0"));
    }

    #[test]
    fn excessive_output_waits_for_the_reader() {
        let process = start("yes");
        assert_eq!(next(&process).as_deref(), Ok("y"));
        thread::sleep(Duration::from_millis(50));
        assert!(process.lines.len() <= READ_AHEAD);
    }
}
