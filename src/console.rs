//! The modes of the command line that print a result and end.

use crate::engine::{BenchResult, CaptureOrder, EngineError, Event, PerftRequest, Signal, bench as run_bench, open};
use crate::notation::FenRecord;
use crate::protocol::Reply;
use crate::rules::Variant;
use crossbeam_channel::unbounded;
use std::io::{self, Write};
use std::time::Duration;

/// Counts the sequences of `depth` moves from `fen`, or from the start position, and prints the line that `perft`
/// prints in the protocol.
///
/// # Errors
/// When `fen` is no position of the variant, or the output cannot be written.
pub fn perft(variant: Variant, depth: u8, fen: Option<&str>, all: bool) -> io::Result<()> {
    let invalid = |error: EngineError| io::Error::new(io::ErrorKind::InvalidInput, error);
    let (sender, events) = unbounded();
    let mut engine = open(variant, sender)?;
    if let Some(fen) = fen {
        let record = fen.parse::<FenRecord>().map_err(|error| invalid(EngineError::Fen(error)))?;
        engine.set_position(Some(&record), &[]).map_err(invalid)?;
    }
    let order = if all { CaptureOrder::Counted } else { CaptureOrder::Merged };
    engine.perft(PerftRequest { depth, order, by_move: false });
    for event in events {
        if let Event::Perft { depth, count: Some(count), time, .. } = event {
            return print(&Reply::Perft { depth, count, time });
        }
        if event.is_last() {
            break;
        }
    }
    Err(io::Error::other("the count was broken off"))
}

/// Searches the fixed positions and prints the lines that `bench` prints in the protocol.
///
/// # Errors
/// When the output cannot be written.
pub fn bench() -> io::Result<()> {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    let mut result = Ok(());
    run_bench(&Signal::default(), &mut |part: BenchResult| {
        nodes += part.nodes;
        time += part.time;
        let line = print(&Reply::BenchVariant { name: part.variant.name(), nodes: part.nodes, time: part.time });
        result = std::mem::replace(&mut result, Ok(())).and(line);
    });
    result?;
    print(&Reply::Bench { nodes, time })
}

fn print(reply: &Reply) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{reply}")
}
