//! How long an engine may think about a move.

use soffio::engine;
use std::num::{NonZeroU8, NonZeroU64};
use std::time::Duration;

/// The time for a move in milliseconds where nothing else limits it.
const DEFAULT_TIME: u64 = 1000;

/// What limits the search for one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveLimits {
    depth: Option<NonZeroU8>,
    nodes: Option<NonZeroU64>,
    milliseconds: Option<NonZeroU64>,
}

/// The limits with one of them read from a text; `None` when the text is no possible value.
type Read = fn(MoveLimits, &str) -> Option<MoveLimits>;

/// The limits by their names in the specification of a player, with their possible values and parsers.
const NAMED: [(&str, &str, Read); 3] = [
    ("depth", "a depth from 1 to 255", |limits, text| Some(MoveLimits { depth: Some(text.parse().ok()?), ..limits })),
    ("nodes", "a number of at least 1", |limits, text| Some(MoveLimits { nodes: Some(text.parse().ok()?), ..limits })),
    ("movetime", "milliseconds, at least 1", |limits, text| {
        Some(MoveLimits { milliseconds: Some(text.parse().ok()?), ..limits })
    }),
];

impl MoveLimits {
    /// Sets the limit `name` to `value`, if there is a limit of this name.
    ///
    /// # Errors
    /// When it cannot have this value: says what is expected.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Option<Result<(), &'static str>> {
        let (_, expected, read) = NAMED.into_iter().find(|(known, ..)| known.eq_ignore_ascii_case(name))?;
        Some(read(*self, value).map(|limits| *self = limits).ok_or(expected))
    }

    /// The limits of a search for which none were given.
    pub(super) fn usual() -> Self {
        Self { milliseconds: NonZeroU64::new(DEFAULT_TIME), ..Self::default() }
    }

    /// `limits` with these added, or the default one where neither these nor a clock limit the search.
    pub(super) fn limit(self, limits: engine::Limits) -> engine::Limits {
        let is_limited = self != Self::default() || limits.clock.is_some();
        if !is_limited {
            return Self::usual().limit(limits);
        }
        engine::Limits {
            depth: self.depth.map(NonZeroU8::get),
            nodes: self.nodes.map(NonZeroU64::get),
            move_time: self.milliseconds.map(|number| Duration::from_millis(number.get())),
            ..limits
        }
    }
}
