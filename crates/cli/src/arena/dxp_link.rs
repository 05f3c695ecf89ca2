//! Connections with engines that listen for DXP.

use super::player::NoAnswer;
use super::process::{Process, between_starts};
use super::{DxpPeer, Fault, Program, Stop};
use crossbeam_channel::RecvTimeoutError;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// How long one attempt to connect may take.
const ATTEMPT: Duration = Duration::from_secs(2);

/// Time between two attempts.
const PAUSE: Duration = Duration::from_millis(10);

/// How long an engine that runs already may take until it waits for the next connection.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Starts `program` as the engine `name`, on these `cores`, with a free port put into its arguments. Returns the address where it will wait.
pub(super) fn start_program(name: &str, program: &Program, cores: &[usize]) -> Result<(Process, String), Fault> {
    let port = free_port().map_err(|error| Fault::not_started(program, &error))?;
    let with_port = |word: &String| word.replace(DxpPeer::PORT, &port.to_string());
    let program = Program { words: program.words.iter().map(with_port).collect(), ..program.clone() };
    let process = Process::start_silent(name, &program, cores).map_err(|error| Fault::not_started(&program, &error))?;
    Ok((process, SocketAddr::from((Ipv4Addr::LOCALHOST, port)).to_string()))
}

/// A free port of this machine. Nobody listens at it any more: a child that had the listener too would take the connection that is
/// meant for the engine.
fn free_port() -> io::Result<u16> {
    between_starts(|| Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port()))
}

/// Connects with the engine that waits at `address`, or will do so soon: at most after `stall` if it is the `process`.
///
/// # Errors
/// When it does not, or the match is being stopped.
pub(super) fn connect(
    address: &str,
    mut process: Option<&mut Process>,
    stall: Duration,
    stop: &Stop,
) -> Result<TcpStream, NoAnswer> {
    let timeout = if process.is_some() { stall } else { stall.min(TIMEOUT) };
    let deadline = Instant::now() + timeout;
    loop {
        let error = match attempt(address) {
            Ok(stream) => return Ok(stream),
            Err(error) => error,
        };
        if let Some(status) = process.as_mut().and_then(|process| process.exit_within(Duration::ZERO)) {
            return Err(Fault::Crash { status }.into());
        }
        if Instant::now() > deadline {
            return Err(Fault::NotStarted { problem: format!("no connection with {address}: {error}") }.into());
        }
        if stop.receiver().recv_timeout(PAUSE) == Err(RecvTimeoutError::Disconnected) {
            return Err(NoAnswer::Stopped);
        }
    }
}

fn attempt(address: &str) -> io::Result<TcpStream> {
    let mut error = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, ATTEMPT) {
            // Where no program listens yet at a port of this machine, an attempt to connect can be given that port
            // itself, and connect to itself.
            Ok(stream) if stream.local_addr()? == stream.peer_addr()? => {}
            Ok(stream) => return Ok(stream),
            Err(found) => error = found,
        }
    }
    Err(error)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn nobody_listens_at_a_free_port_while_other_engines_are_started() {
        let program = Program { words: vec!["true".to_owned()], directory: None };
        let starts = || (0..200).for_each(|_| drop(Process::start_silent("true", &program, &[]).unwrap()));
        let connections = thread::scope(|scope| {
            let starting = [scope.spawn(starts), scope.spawn(starts)];
            let mut connections = 0;
            while !starting.iter().all(|thread| thread.is_finished()) {
                let port = free_port().unwrap();
                connections += usize::from(attempt(&format!("127.0.0.1:{port}")).is_ok());
            }
            connections
        });
        assert_eq!(connections, 0);
    }
}
