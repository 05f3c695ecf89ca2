//! The game on the terminal of the process, and the thread that thinks.

use super::app::App;
use crate::screen::{Screen, ending_signal, read_terminal};
use crate::tavla_play::Table;
use crate::tavla_play::thoughts::{Task, Thoughts};
use crossbeam_channel::{Sender, select, unbounded};
use ratatui::crossterm::event::Event;
use soffio::stop::Stop;
use std::io;
use std::thread;

/// A choice of the program: the number of its work, and what it has found.
type Found = (u64, Option<Thoughts>);

/// Plays at `table` on the terminal until the person leaves, the terminal is gone, or the process is told to end.
///
/// # Errors
/// When there is no terminal to draw on, or the system has no more threads.
pub fn run_screen(table: Table) -> io::Result<()> {
    let ending = ending_signal()?;
    let mut screen = Screen::take()?;
    let input = read_terminal()?;
    let (sender, found) = unbounded::<Found>();
    let mut app = App::new(table);
    let mut stop = Stop::new();
    let mut work = app.work();
    while !app.is_over() {
        if app.work() != work {
            work = app.work();
            // What was being thought of is not wanted any more.
            stop.stop();
            stop = Stop::new();
        }
        if let Some((number, task)) = app.take_task() {
            begin(number, task, stop.clone(), sender.clone())?;
        }
        screen.terminal.draw(|frame| app.draw(frame))?;
        select! {
            recv(input) -> event => match event {
                Ok(Event::Key(key)) => app.key(key),
                Ok(Event::Mouse(mouse)) => app.mouse(mouse),
                // The next drawing queries the size.
                Ok(_) => {}
                // The terminal is gone.
                Err(_) => break,
            },
            recv(found) -> message => {
                if let Ok((number, thoughts)) = message {
                    app.found(number, thoughts);
                }
            }
            recv(ending) -> _ => break,
        }
    }
    stop.stop();
    Ok(())
}

/// Lets a thread work on `task`.
fn begin(number: u64, task: Task, stop: Stop, sender: Sender<Found>) -> io::Result<()> {
    let work = move || {
        let found = task.run(&stop);
        // When the person has left, nobody wants to know.
        let _ = sender.send((number, found));
    };
    thread::Builder::new().name("thinking".to_owned()).spawn(work).map(drop)
}
