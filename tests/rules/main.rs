//! What sets each variant apart, on small positions. International, English and Italian draughts, whose rules are
//! numbered article by article, have files of their own.

#[path = "../common/mod.rs"]
mod common;

mod brazilian;
mod breakthrough;
mod czech;
mod frisian;
mod killer;
mod losing;
mod pool;
mod russian;
mod spanish;
mod thai;
mod turkish;
