//! The `soffio` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    soffio_cli::command_line::run(std::env::args_os().collect()).into()
}
