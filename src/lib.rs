//! Soffio: a draughts engine for every variant.
//!
//! The main types are [`Variant`], [`Game`], [`Engine`], [`Limits`] and [`Answer`]. In this example, an engine plays a
//! game against itself and prints each move, its score and the principal variation in the notation of the variant:
//!
//! ```
//! use soffio::{Engine, EngineError, Limits, Status, Variant, WrittenGame};
//!
//! let mut game = WrittenGame::new(Variant::English);
//! let mut engine = Engine::new();
//! while let Status::Playing { .. } = game.status() {
//!     let answer = engine.go(game.game(), Limits { depth: Some(4), ..engine.limits() })?;
//!     let best = answer.best.expect("a game in progress has a legal move");
//!     println!("{}, {}: {}", game.text(best), answer.value, game.line_text(&answer.line).join(" "));
//!     game.play_found(best);
//! }
//! println!("{:?}", game.status());
//! # assert!(game.game().ply() > 20);
//! # Ok::<(), EngineError>(())
//! ```
//!
//! A [`Game`] represents moves as [`Move`] values. A [`WrittenGame`] adds notation, so that it can read and write FEN
//! and moves as text:
//!
//! ```
//! use soffio::{FenRecord, MoveRecord, Variant, WrittenGame};
//!
//! let start: FenRecord = "W:W31,K50:B18,19,22".parse()?;
//! let mut game = WrittenGame::from_start(Variant::International, Some(&start))?;
//! assert_eq!(game.legal_moves(), ["50x6", "50x11", "50x17"]);
//! let capture: MoveRecord = "50x17".parse()?;
//! game.play(&[capture])?;
//! assert_eq!(game.fen().to_string(), "B:WK17,31:B18,19");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layers
//!
//! The library is organised in layers, and each layer uses only the layers below it. The lowest layers are [`score`],
//! [`board`], [`rules`], [`position`] and [`game`]. They are followed by [`notation`], [`eval`] and [`tables`], then
//! [`search`], then [`plain`], [`book`], [`engine`] and [`wire`], and finally [`session`], which implements the native
//! protocol and Hub.
//!
//! The library also compiles for `wasm32-unknown-unknown`, which has neither a clock nor threads. On this target, an
//! engine created with [`Engine::in_turns`] gets the time from its caller and shares a thread with it (see [`turns`]).
#![deny(missing_docs)]

pub mod board;
pub mod book;
pub mod checksummed_file;
pub mod clock;
pub mod engine;
pub mod eval;
pub mod files;
pub mod game;
pub mod lock;
mod memory;
pub mod notation;
pub mod plain;
pub mod pool;
pub mod position;
pub mod rules;
pub mod score;
pub mod search;
pub mod session;
pub mod shard;
pub mod stop;
pub mod system;
pub mod tables;
pub mod turns;
pub mod wire;

pub use engine::{Answer, Engine, EngineError, Limits, Report, Status, Value};
pub use game::{Game, Move};
pub use notation::{FenRecord, MoveRecord, WrittenGame};
pub use rules::{Color, Variant};
