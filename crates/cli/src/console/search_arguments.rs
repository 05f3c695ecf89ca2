//! The arguments of commands that search positions.

use crate::batch::RequestLimits;
use clap::Args;
use std::num::{NonZeroU8, NonZeroU64};
use std::path::PathBuf;

/// Milliseconds for a position when nothing else limits the search.
const MOVE_TIME: NonZeroU64 = NonZeroU64::new(500).unwrap();

/// The limits of a search, and what the engine works with.
#[derive(Clone, Debug, Args)]
pub(super) struct SearchArguments {
    /// Milliseconds for a position; 500 if nothing else limits the search.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
    /// Plies that a position is searched.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..))]
    depth: Option<u8>,
    /// Positions that are searched for one.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=33_554_432))]
    pub(super) hash: u32,
    /// Use the endgame tables in this folder (`soffio tables build` makes them), beside those of few pieces that are made in
    /// memory.
    #[arg(long, value_name = "DIR")]
    pub(super) tables: Option<PathBuf>,
}

impl SearchArguments {
    /// The limits of the search of a position.
    pub(super) fn limits(&self) -> RequestLimits {
        let Self { movetime, depth, nodes, .. } = *self;
        let limits = RequestLimits {
            depth: depth.and_then(NonZeroU8::new),
            nodes: nodes.and_then(NonZeroU64::new),
            movetime: movetime.and_then(NonZeroU64::new),
        };
        if limits.is_empty() { RequestLimits { movetime: Some(MOVE_TIME), ..limits } } else { limits }
    }
}
