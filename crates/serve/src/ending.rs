//! The end of a server, which begins with a signal to the process.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::io;
use std::sync::Arc;
use tokio::sync::watch::{Sender, channel};

/// How far the end has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Running,
    Ending,
    Impatient,
}

/// Says when a server ends. Clones share it.
#[derive(Clone, Debug)]
pub struct Ending(Arc<Sender<Stage>>);

impl Ending {
    pub(crate) fn new() -> Self {
        Self(Arc::new(channel(Stage::Running).0))
    }

    /// Begins the end: nobody is let in any more, and who is inside is answered.
    pub fn begin(&self) {
        self.0.send_if_modified(|stage| {
            let is_first = *stage == Stage::Running;
            *stage = (*stage).max(Stage::Ending);
            is_first
        });
    }

    /// Waits until the end begins.
    pub async fn wait(&self) {
        self.reach(Stage::Ending).await;
    }

    /// Waits until the process was asked a second time to end.
    pub(crate) async fn wait_for_impatience(&self) {
        self.reach(Stage::Impatient).await;
    }

    async fn reach(&self, stage: Stage) {
        // The sender lives in `self`, so waiting cannot fail.
        let _ = self.0.subscribe().wait_for(|now| *now >= stage).await;
    }

    /// Begins the end when the process gets SIGINT or SIGTERM, and hurries it with the second one.
    ///
    /// # Errors
    /// When the system refuses to tell of signals.
    pub(crate) fn listen_to_signals(&self) -> io::Result<()> {
        let mut signals = Signals::new()?;
        let ending = self.clone();
        tokio::spawn(async move {
            signals.next().await;
            log::info!("the server ends");
            ending.begin();
            signals.next().await;
            ending.0.send_replace(Stage::Impatient);
        });
        Ok(())
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => (),
            _ = self.terminate.recv() => (),
        }
    }
}

#[cfg(windows)]
struct Signals {
    interrupt: tokio::signal::windows::CtrlC,
    terminate: tokio::signal::windows::CtrlBreak,
}

#[cfg(windows)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::windows::{ctrl_break, ctrl_c};
        Ok(Self { interrupt: ctrl_c()?, terminate: ctrl_break()? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => (),
            _ = self.terminate.recv() => (),
        }
    }
}
