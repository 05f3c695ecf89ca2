//! How a match reaches an engine.

use super::LineProtocol;
use std::path::PathBuf;

/// How a match reaches an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// Lines through the pipes of a program that is started for the match.
    Pipes {
        /// What it speaks.
        protocol: LineProtocol,
        /// The program.
        program: Program,
    },
    /// DXP over a connection.
    Dxp(DxpPeer),
}

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program and its arguments, at least one word.
    pub words: Vec<String>,
    /// Where it runs; here when it is left out.
    pub directory: Option<PathBuf>,
}

/// Where an engine waits for a connection of DXP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DxpPeer {
    /// At the port of this machine that takes the place of `{port}` in the arguments of a program that is started for the
    /// match.
    Started(Program),
    /// At this address, `host:port`, where it runs already.
    Address(String),
}

impl DxpPeer {
    /// What the number of the port is put for.
    pub(super) const PORT: &'static str = "{port}";
}

impl Link {
    /// The program that is started, or the address, in words.
    pub(super) fn words(&self) -> &[String] {
        match self {
            Self::Pipes { program, .. } | Self::Dxp(DxpPeer::Started(program)) => &program.words,
            Self::Dxp(DxpPeer::Address(address)) => std::slice::from_ref(address),
        }
    }

    /// Whether the engine runs already, so that there is only one of it.
    pub fn is_shared(&self) -> bool {
        matches!(self, Self::Dxp(DxpPeer::Address(_)))
    }
}
