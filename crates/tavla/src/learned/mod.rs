//! What was learned from games of the engine against itself.

mod bear_off;
mod embedded;
mod estimate;
mod evaluator;
mod features;
mod file;
mod inputs;
mod lookahead;
mod network;
mod rollout;
mod temporal;

pub use bear_off::BearOff;
pub use embedded::embedded;
pub use estimate::Estimate;
pub use evaluator::{CONTACT_UNITS, RACE_UNITS, Weights, certain};
pub use file::{WeightsError, WeightsFile};
pub use inputs::INPUTS;
pub use lookahead::{Judge, Judged, MAX_PLIES};
pub use network::Network;
pub use rollout::{Rollout, roll_out};
pub use temporal::{Learner, Schedule};
