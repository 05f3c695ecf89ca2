//! Takes over the terminal, restores it no matter how the program ends, and reads its input.

use crossbeam_channel::{Receiver, after, bounded, never, select, unbounded};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseEvent,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, is_raw_mode_enabled,
};
use ratatui::{Frame, Terminal};
use std::io::{self, Stdout, Write};
use std::mem::{self, ManuallyDrop};
use std::panic;
use std::thread::{self, ThreadId};
use std::time::Instant;

/// The terminal in raw mode. It is restored when this value is dropped or, after a panic, before the panic is reported.
pub(crate) struct Screen {
    /// Not dropped at the end: if the terminal is gone, the destructor can neither show the cursor nor report this, and
    /// panics. [`leave`] shows the cursor.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
    input: Receiver<Event>,
    ending: Receiver<()>,
}

pub(crate) enum ScreenEvent<N> {
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// Ctrl-Z was pressed; the caller must call [`Screen::suspend`].
    Suspend,
    Received(N),
    /// A timeout or a resize of the terminal. The next redraw queries the new size.
    Wakeup,
}

impl Screen {
    pub(crate) fn take() -> io::Result<Self> {
        let ending = ending_signal()?;
        before_panics_of(thread::current().id(), || restore(&mut io::stdout()));
        let screen = || Ok(Self { terminal: open_terminal()?, input: read_terminal()?, ending });
        screen().inspect_err(|_| restore(&mut io::stdout()))
    }

    /// Returns the terminal to the shell and stops the process. Takes the terminal back when the shell continues the
    /// process.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        restore(&mut io::stdout());
        stop_this_job()?;
        drop(ManuallyDrop::into_inner(mem::replace(&mut self.terminal, open_terminal()?)));
        Ok(())
    }

    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.terminal.draw(draw).map(drop)
    }

    /// Waits for an event until `due`, or without a limit if `due` is `None`. Returns `None` if the terminal is gone or
    /// the process received a signal.
    pub(crate) fn next<N>(&self, events: &Receiver<N>, due: Option<Instant>) -> Option<ScreenEvent<N>> {
        let due = due.map_or_else(never, |at| after(at.saturating_duration_since(Instant::now())));
        select! {
            recv(self.input) -> event => match event.ok()? {
                Event::Key(key) if is_suspension(key) => Some(ScreenEvent::Suspend),
                Event::Key(key) if key.kind != KeyEventKind::Release => Some(ScreenEvent::Key(key)),
                Event::Mouse(mouse) => Some(ScreenEvent::Mouse(mouse)),
                _ => Some(ScreenEvent::Wakeup),
            },
            recv(events) -> event => Some(event.map_or(ScreenEvent::Wakeup, ScreenEvent::Received)),
            recv(self.ending) -> _ => None,
            recv(due) -> _ => Some(ScreenEvent::Wakeup),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore(&mut io::stdout());
    }
}

/// Restores the terminal unless it has already been restored. Ignores errors, because nothing can be done about them.
fn restore(output: &mut impl Write) {
    if is_raw_mode_enabled().unwrap_or(true) {
        leave(output);
        let _ = disable_raw_mode();
    }
}

fn open_terminal() -> io::Result<ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>> {
    enable_raw_mode()?;
    enter(&mut io::stdout())?;
    Terminal::new(CrosstermBackend::new(io::stdout())).map(ManuallyDrop::new)
}

fn enter(output: &mut impl Write) -> io::Result<()> {
    execute!(output, EnterAlternateScreen, EnableMouseCapture)
}

/// Returns true for Ctrl-Z on Unix. In raw mode the terminal reports the key instead of suspending the process.
fn is_suspension(key: KeyEvent) -> bool {
    let is_z = matches!(key.code, KeyCode::Char('z' | 'Z'));
    cfg!(unix) && is_z && key.modifiers == KeyModifiers::CONTROL && key.kind == KeyEventKind::Press
}

/// Stops all processes of this job until the shell continues them, as Ctrl-Z does outside raw mode.
fn stop_this_job() -> io::Result<()> {
    #[cfg(unix)]
    rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
    Ok(())
}

fn leave(output: &mut impl Write) {
    let _ = execute!(output, DisableMouseCapture, LeaveAlternateScreen, Show);
}

/// Runs `restore` before a panic in the drawing thread `owner` is reported. A panic in any other thread arrives as an
/// event and does not end the game, so it is only logged.
fn before_panics_of(owner: ThreadId, restore: impl Fn() + Send + Sync + 'static) {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == owner {
            restore();
            report(info);
        } else {
            log::error!("{info}");
        }
    }));
}

fn ending_signal() -> io::Result<Receiver<()>> {
    let (sender, ending) = bounded(1);
    ctrlc::set_handler(move || {
        let _ = sender.try_send(());
    })
    .map_err(io::Error::other)?;
    Ok(ending)
}

fn read_terminal() -> io::Result<Receiver<Event>> {
    let (sender, input) = unbounded();
    let read = || event::read().inspect_err(|error| log::error!("cannot read from the terminal: {error}"));
    let send_events = move || while read().is_ok_and(|event| sender.send(event).is_ok()) {};
    thread::Builder::new().name("terminal".to_owned()).spawn(send_events)?;
    Ok(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    /// This test does not run on Windows, where mouse capture needs a console.
    #[cfg(not(windows))]
    #[test]
    fn leaving_restores_the_terminal() {
        let mut entered = Vec::new();
        enter(&mut entered).unwrap();
        let mut left = Vec::new();
        leave(&mut left);
        let (entered, left) = (String::from_utf8(entered).unwrap(), String::from_utf8(left).unwrap());
        let set = |text: &str, end: char| -> Vec<String> {
            let codes = text.split("\x1b[?").filter_map(|code| code.strip_suffix(end));
            let mut codes: Vec<_> = codes.map(str::to_owned).collect();
            codes.sort();
            codes
        };
        let entered = set(&entered, 'h');
        assert!(entered.contains(&"1049".to_owned()) && entered.contains(&"1000".to_owned()), "{entered:?}");
        assert_eq!(set(&left, 'l'), entered);
        assert_eq!(set(&left, 'h'), ["25"]);
    }

    #[cfg(unix)]
    #[test]
    fn ctrl_z_suspends() {
        let key = |code, modifiers| is_suspension(KeyEvent::new(code, modifiers));
        assert!(key(KeyCode::Char('z'), KeyModifiers::CONTROL) && !key(KeyCode::Char('z'), KeyModifiers::NONE));
        assert!(!key(KeyCode::Char('c'), KeyModifiers::CONTROL));
    }

    #[test]
    fn a_panic_in_the_drawing_thread_is_reported_on_a_restored_terminal() {
        let calls = Arc::new(Mutex::new(Vec::new()));
        let record = |word: &'static str| {
            let calls = Arc::clone(&calls);
            move || calls.lock().unwrap().push(word)
        };
        let outer = panic::take_hook();
        let report = record("report");
        panic::set_hook(Box::new(move |_| report()));
        before_panics_of(thread::current().id(), record("restore"));
        let own = panic::catch_unwind(|| panic!("of this thread"));
        let other = thread::spawn(|| panic!("of a different thread")).join();
        panic::set_hook(outer);
        assert!(own.is_err() && other.is_err());
        assert_eq!(*calls.lock().unwrap(), ["restore", "report"]);
    }
}
