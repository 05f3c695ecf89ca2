//! The game on the terminal of the process.

use super::App;
use crate::play::{Game, View};
use crate::screen::{Screen, ending_signal, read_terminal};
use crossbeam_channel::{Receiver, after, never, select};
use ratatui::crossterm::event::Event;
use soffio::engine::Event as Found;
use std::io;
use std::time::Instant;

/// Plays `game` on the terminal until the person leaves, the terminal is gone, or the process is told to end. `events` are
/// those of the engine.
///
/// # Errors
/// When there is no terminal to draw on, or the system has no more threads.
pub fn run_screen(game: Game, view: View, events: &Receiver<Found>) -> io::Result<()> {
    let ending = ending_signal()?;
    let mut screen = Screen::take()?;
    let input = read_terminal()?;
    let mut app = App::new(game, view);
    while !app.is_over() {
        screen.terminal.draw(|frame| app.draw(frame, Instant::now()))?;
        let due = app.deadline(Instant::now());
        let due = due.map_or_else(never, |at| after(at.saturating_duration_since(Instant::now())));
        select! {
            recv(input) -> event => match event {
                Ok(event) => take(&mut app, event),
                // The terminal is gone.
                Err(_) => break,
            },
            recv(events) -> event => {
                // A search reports faster than one can read: all pending events are drawn at once.
                event.into_iter().chain(events.try_iter()).for_each(|event| app.event(event, Instant::now()));
            }
            recv(ending) -> _ => break,
            recv(due) -> _ => app.tick(Instant::now()),
        }
    }
    Ok(())
}

fn take(app: &mut App, event: Event) {
    match event {
        Event::Key(key) => app.key(key, Instant::now()),
        Event::Mouse(mouse) => app.mouse(mouse, Instant::now()),
        // The next drawing queries the size.
        Event::Resize(..) | Event::FocusGained | Event::FocusLost | Event::Paste(_) => {}
    }
}
