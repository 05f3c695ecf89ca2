//! Soffio: a draughts engine for every variant.
//!
//! A program needs a [`Variant`], a [`Game`], an [`Engine`], [`Limits`] and the [`Answer`]. Here an engine plays a game
//! against itself, printed in the variant's notation:
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
//! A [`Game`] has positions and [`Move`]s as values. A [`WrittenGame`] adds notation, for FEN and moves as text:
//!
//! ```
//! use soffio::{FenRecord, MoveRecord, Variant, WrittenGame};
//!
//! let start: FenRecord = "W:W31,K50:B18,19,22".parse()?;
//! let mut game = WrittenGame::at(Variant::International, Some(&start))?;
//! assert_eq!(game.legal_moves(), ["50x6", "50x11", "50x17"]);
//! let capture: MoveRecord = "50x17".parse()?;
//! game.play(&[capture])?;
//! assert_eq!(game.fen().to_string(), "B:WK17,31:B18,19");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layers
//!
//! Each layer uses only the previous ones: [`color`], [`board`], [`rules`], [`position`], [`game`]; [`notation`],
//! [`eval`]; [`search`]; [`plain`], [`book`], [`engine`] and [`wire`]; [`session`], the text protocol.
//!
//! The library also compiles for `wasm32-unknown-unknown`, which has no clock and no threads: an engine created by
//! [`Engine::in_turns`] gets the time from its caller and takes [`turns`] with it.
#![deny(missing_docs)]

pub mod board;
pub mod book;
pub mod checksummed_file;
pub mod clock;
pub mod color;
pub mod engine;
pub mod eval;
pub mod game;
pub mod hub;
pub mod lock;
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
