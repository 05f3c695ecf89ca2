//! Shutdown of a server.

use std::sync::Arc;
use tokio::sync::SetOnce;

/// Shuts down a server. All clones share one state.
#[derive(Clone, Debug, Default)]
pub struct Shutdown(Arc<ShutdownStages>);

#[derive(Debug, Default)]
struct ShutdownStages {
    begun: SetOnce<()>,
    forced: SetOnce<()>,
}

impl Shutdown {
    /// Begins the shutdown. The server stops accepting connections, but still answers the requests that it has
    /// admitted.
    pub fn begin(&self) {
        // Setting the value fails if the shutdown has already begun.
        let _ = self.0.begun.set(());
    }

    pub async fn wait(&self) {
        self.0.begun.wait().await;
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.0.begun.initialized()
    }

    pub(crate) async fn wait_for_forced_shutdown(&self) {
        self.0.forced.wait().await;
    }

    /// Begins the shutdown or, if it has already begun, closes all connections immediately.
    pub fn advance(&self) {
        if self.0.begun.set(()).is_ok() {
            log::info!("shutting down");
        } else {
            log::info!("shutting down immediately");
            let _ = self.0.forced.set(());
        }
    }
}
