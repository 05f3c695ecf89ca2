//! Learning from games: the files that games are kept in.

pub mod data;
