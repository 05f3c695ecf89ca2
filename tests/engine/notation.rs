//! Tests of the text formats for positions and moves, with example files and round trips.

mod corpora;
mod games;
mod guesses;
mod records;
mod replays;
mod round_trips;

use soffio::notation::{FenRecord, MoveRecord, full_path, resolve};
use soffio::position::Setup;
use soffio::rules::Variant;

/// Parses the position in `fen`, or returns the error message.
fn setup(variant: Variant, fen: &str) -> Result<Setup, String> {
    let record: FenRecord = fen.parse().map_err(text)?;
    let setup = record.to_setup(variant.spec()).map_err(text)?;
    setup.check(variant.spec()).map_err(text)?;
    Ok(setup)
}

/// Returns the full path of the move that `written` stands for, or the error message.
fn resolved(variant: Variant, setup: &Setup, written: &str) -> Result<String, String> {
    let record: MoveRecord = written.parse().map_err(text)?;
    resolve(variant.spec(), setup, &record).map(|sequence| full_path(variant.spec(), &sequence)).map_err(text)
}

fn text(error: impl std::error::Error) -> String {
    error.to_string()
}
