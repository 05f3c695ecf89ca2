//! The line mode on standard input and output.

use super::Dialogue;
use crate::play::{Game, View};
use crate::stdio::read_standard_input;
use crossbeam_channel::{Receiver, after, never, select};
use soffio::engine::Event;
use soffio::session::Input;
use std::io::{self, IsTerminal, Write};
use std::time::Instant;

/// What standard error says of a game that was left without asking anybody.
pub const LOST: &str = "soffio: the game was not saved; \"save FILE\" before the end of the input saves it";

/// Plays `game` in lines until the person leaves, or the input ends and the engine has made its move. `events` are those of
/// the engine.
///
/// # Errors
/// When output cannot be written because its reader has gone, or the system has no more threads.
pub fn run_lines(game: Game, view: View, events: &Receiver<Event>) -> io::Result<()> {
    let mut lines = read_standard_input()?;
    let mut output = io::stdout().lock();
    let mut dialogue = Dialogue::new(game, view, io::stdin().is_terminal());
    loop {
        output.write_all(dialogue.output().as_bytes())?;
        output.flush()?;
        if dialogue.is_over() {
            if dialogue.has_lost_moves() {
                eprintln!("{LOST}");
            }
            return Ok(());
        }
        let due = dialogue.deadline().map_or_else(never, |at| after(at.saturating_duration_since(Instant::now())));
        select! {
            recv(lines) -> input => match input {
                Ok((Input::Line(line), now)) => dialogue.line(&line, now),
                Ok((Input::TooLong(most), now)) => dialogue.too_long(most, now),
                Ok((Input::End, _)) | Err(_) => {
                    dialogue.end();
                    lines = never();
                }
            },
            recv(events) -> event => if let Ok(event) = event { dialogue.event(event, Instant::now()) },
            recv(due) -> _ => dialogue.tick(Instant::now()),
        }
    }
}
