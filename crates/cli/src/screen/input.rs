//! What comes to a program on a terminal: keys, clicks, sizes, and the signal to end.

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use ratatui::crossterm::event::{self, Event};
use std::io;
use std::thread;

/// A channel with a message when the process is told to end.
pub(crate) fn ending_signal() -> io::Result<Receiver<()>> {
    let (sender, ending) = bounded(1);
    // One signal is enough: more of them find the channel full.
    ctrlc::set_handler(move || {
        let _ = sender.try_send(());
    })
    .map_err(io::Error::other)?;
    Ok(ending)
}

/// Keys, clicks and sizes of the terminal, read by a thread that lives as long as the process.
pub(crate) fn read_terminal() -> io::Result<Receiver<Event>> {
    let (sender, input) = unbounded();
    thread::Builder::new().name("terminal".to_owned()).spawn(move || send_events(&sender))?;
    Ok(input)
}

fn send_events(sender: &Sender<Event>) {
    loop {
        let sent = match event::read() {
            Ok(event) => sender.send(event),
            Err(error) => {
                log::error!("the terminal cannot be read: {error}");
                return;
            }
        };
        if sent.is_err() {
            return;
        }
    }
}
