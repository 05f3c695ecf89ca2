//! Functions that are shared by several of Soffio's programs.

pub mod json;
pub mod key_value;
pub mod log_file;
pub mod output_file;
pub mod record;
pub mod stdio;
pub mod with_path;
pub mod words;
