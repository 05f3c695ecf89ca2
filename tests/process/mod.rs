//! Runs the engine in the same way as its users do: as a process that reads and writes lines.
#![allow(dead_code, reason = "each test program uses a different part of it")]

pub mod referee;

use soffio::rules::Variant;
use std::ffi::OsStr;
use std::fmt::Debug;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum time to wait for a line before the test fails. It is far longer than any expected answer takes.
pub const TIMEOUT: Duration = Duration::from_secs(600);

/// The environment variable that names the folder for solved endgame tables.
pub const SOLVED_TABLES: &str = "SOFFIO_TABLES";

/// Returns a command that runs `program` and connects its standard streams to pipes. Engines that it starts do not use
/// the user's folder for solved endgame tables.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env(SOLVED_TABLES, "").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Returns a [`command`] that runs the program with `arguments`.
pub fn program(arguments: &[&str]) -> Command {
    let mut command = command(env!("CARGO_BIN_EXE_soffio"));
    command.args(arguments);
    command
}

/// Runs `command` with `input`, which the command need not read. Panics if the command hangs.
#[track_caller]
pub fn output(mut command: Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = command.spawn().expect("the program can be started");
    let (mut pipe, input) = (child.stdin.take(), input.as_ref().to_vec());
    thread::spawn(move || pipe.as_mut().map(|pipe| pipe.write_all(&input)));
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    // Even on a busy machine, only a command that hangs takes this long.
    receiver.recv_timeout(TIMEOUT * 5).expect("the program ends").expect("its output can be read")
}

/// Runs `command` with `input`. Returns its standard output, its standard error, and whether it succeeded.
#[track_caller]
pub fn run_to_end(command: Command, input: impl AsRef<[u8]>) -> (String, String, bool) {
    let Output { status, stdout, stderr } = output(command, input);
    let text = |bytes| String::from_utf8(bytes).expect("the output is text");
    (text(stdout), text(stderr), status.success())
}

/// Runs the program in the folder `place` with the words of `line` and with `input`, like [`run_to_end`].
#[track_caller]
pub fn run_in(place: &Path, line: &str, input: impl AsRef<[u8]>) -> (String, String, bool) {
    let mut command = program(&line.split_whitespace().collect::<Vec<_>>());
    command.current_dir(place);
    run_to_end(command, input)
}

/// Sends SIGTERM to `child`. A background process of a shell without job control would ignore SIGINT.
pub fn terminate(child: &Child) {
    assert!(command("kill").arg(child.id().to_string()).status().expect("the kill command exists").success());
}

/// A running engine, which is killed when this value is dropped.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
}

impl Engine {
    pub fn start() -> Self {
        Self::started(&[])
    }

    pub fn started(arguments: &[&str]) -> Self {
        Self::run(env!("CARGO_BIN_EXE_soffio"), arguments)
    }

    /// Starts the engine by running `program` with `arguments`. The program may be a shell that executes the engine.
    pub fn run(program: &str, arguments: &[&str]) -> Self {
        let mut child = command(program)
            .args(arguments)
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the engine can be started");
        let output = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        let (sender, lines) = channel();
        // A separate thread reads the output, so that the time to wait for a line can be limited.
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        Self { input: child.stdin.take(), child, lines }
    }

    /// Starts the engine with options such as `("Hash", "16")`, and asserts that it accepts them.
    pub fn with_options(options: &[(&str, &str)]) -> Self {
        let mut engine = Self::start();
        for (name, value) in options {
            engine.send(&format!("setoption name {name} value {value}"));
        }
        let answers = engine.request("isready", "readyok");
        assert!(!answers.iter().any(|line| line.starts_with("error")), "{answers:?}");
        engine
    }

    /// Starts the engine with the rules of `variant` and further options. `variant` may be a variant that users cannot
    /// select by name.
    pub fn playing(variant: Variant, options: &[(&str, &str)]) -> Self {
        let leads_there = |listed: &Variant| *listed == variant || listed.with_optional_capture() == Some(variant);
        let listed = Variant::listed().find(leads_there).expect("an option leads to every variant");
        let forced = if listed == variant { "true" } else { "false" };
        Self::with_options(&[&[("Forced Capture", forced), ("UCI_Variant", listed.name())], options].concat())
    }

    /// Writes `line` and a line break in a single call. `line` may consist of several lines. Returns the time before
    /// the write.
    pub fn send(&mut self, line: &str) -> Instant {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Writes `bytes` unchanged. Returns the time before the write.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Instant {
        let before = Instant::now();
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the engine reads");
        input.flush().expect("the engine reads");
        before
    }

    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// Returns the next line and the time at which it arrived, or `None` if no line arrives within `time` or the output
    /// has ended.
    pub fn line_within(&mut self, time: Duration) -> Option<(Instant, String)> {
        self.lines.recv_timeout(time).ok()
    }

    /// Returns the lines up to the first line that starts with `last`, and the time at which that line arrived.
    #[track_caller]
    pub fn until(&mut self, last: &str) -> (Instant, Vec<String>) {
        let mut lines = Vec::new();
        loop {
            let Some((instant, line)) = self.line_within(TIMEOUT) else { panic!("no line {last}... after {lines:?}") };
            let is_last = line.starts_with(last);
            lines.push(line);
            if is_last {
                return (instant, lines);
            }
        }
    }

    /// Writes `line`. Returns the lines up to the first line that starts with `last`.
    #[track_caller]
    pub fn request(&mut self, line: &str, last: &str) -> Vec<String> {
        self.send(line);
        self.until(last).1
    }

    /// Asserts that the engine prints nothing but the answer to `isready`.
    #[track_caller]
    pub fn assert_silent(&mut self) {
        assert_eq!(self.request("isready", "readyok"), ["readyok"]);
    }

    /// Returns all remaining lines up to the end of the output.
    #[track_caller]
    pub fn rest(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(TIMEOUT) {
                Ok((_, line)) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => return lines,
                Err(RecvTimeoutError::Timeout) => panic!("the output does not end after {lines:?}"),
            }
        }
    }

    /// Returns the exit status of the engine, and asserts that the engine exits within `time`.
    #[track_caller]
    pub fn exit_within(&mut self, time: Duration) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the engine is a child of the test") {
                return status;
            }
            assert!(started.elapsed() < time, "the engine does not end");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Returns the number of threads in the process, or `None` if the system does not report it.
    pub fn threads(&self) -> Option<usize> {
        Some(fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?.count())
    }

    /// Returns the resident memory in KiB, or `None` if the system does not report it. The program file is not counted,
    /// because the part of it that is resident depends on the system's page cache.
    pub fn resident_kib(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("RssAnon:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // The process may already have exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn beginning<'a>(lines: &'a [String], start: &str) -> Vec<&'a str> {
    lines.iter().map(String::as_str).filter(|line| line.starts_with(start)).collect()
}

/// Parses the word that follows the word `name` in `line`.
#[track_caller]
pub fn field<T: std::str::FromStr<Err: Debug>>(line: &str, name: &str) -> T {
    let word = line.split_whitespace().skip_while(|&word| word != name).nth(1);
    word.unwrap_or_else(|| panic!("no {name} in {line}")).parse().unwrap_or_else(|_| panic!("{name} in {line}"))
}
