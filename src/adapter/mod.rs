//! Protocols of other programs: Hub, which most draughts GUIs speak, and DXP, which engines speak over a network.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod dxp;
mod hub;

pub use hub::Hub;
