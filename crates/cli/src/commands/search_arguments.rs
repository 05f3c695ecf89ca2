//! The search arguments that several commands share.

use crate::values::{depth, hash, integer};
use clap::Args;
use soffio::rules::Variant;
use soffio_batch::batch::{BatchEngineSettings, MAX_MOVE_TIME, RequestLimits};
use std::num::{NonZeroU8, NonZeroU64};
use std::path::PathBuf;

/// Time per position in milliseconds if no other limit is given.
const MOVE_TIME: NonZeroU64 = NonZeroU64::new(500).unwrap();

/// The search limits, the hash size and the endgame tables.
#[derive(Clone, Debug, Args)]
pub(super) struct SearchArguments {
    /// Time per position in milliseconds (1 to 86400000) [default: 500 if no other limit is given]
    #[arg(long, value_name = "MS", value_parser = integer::<NonZeroU64>(1..=MAX_MOVE_TIME))]
    movetime: Option<NonZeroU64>,
    /// Maximum search depth in plies (1 to 127)
    #[arg(long, value_parser = depth::<NonZeroU8>())]
    depth: Option<NonZeroU8>,
    /// Maximum number of nodes per position (at least 1)
    #[arg(long, value_parser = integer::<NonZeroU64>(1..=u64::MAX))]
    nodes: Option<NonZeroU64>,
    /// Transposition table size in MiB (1 to 33554432)
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = hash())]
    pub(super) hash: usize,
    /// Folder with endgame tables to use in the search (see `soffio tables build`)
    #[arg(long, value_name = "DIR")]
    pub(super) tables: Option<PathBuf>,
}

impl SearchArguments {
    pub(super) fn limits(&self) -> RequestLimits {
        let Self { movetime, depth, nodes, .. } = *self;
        let limits = RequestLimits { depth, nodes, movetime };
        if limits.is_empty() { RequestLimits { movetime: Some(MOVE_TIME), ..limits } } else { limits }
    }

    pub(super) fn engine_settings(&self, variant: Option<Variant>) -> BatchEngineSettings {
        let (limits, hash, tables) = (self.limits(), self.hash, self.tables.clone());
        BatchEngineSettings { variant, limits, hash, tables, ..BatchEngineSettings::default() }
    }
}
