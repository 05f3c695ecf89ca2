//! An engine as described on the command line: how to reach it and how it plays.

use super::LineProtocol;
use super::answer::EngineFault;
use super::control::{BareNumber, ClockControl, Control, read_time};
use crate::dxp::address;
use anyhow::{Result, anyhow, bail, ensure};
use soffio::system::reason;
use soffio_support::key_value::KeyValue;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// A program that is started for the match and uses a line protocol.
    Pipes { protocol: LineProtocol, program: Program },
    /// A program that uses DXP over TCP.
    Dxp(DxpPeer),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Name of the program, followed by its arguments.
    pub words: Vec<String>,
    pub directory: Option<PathBuf>,
}

impl Program {
    pub(super) fn not_started(&self, error: &io::Error) -> EngineFault {
        EngineFault::NotStarted { problem: format!("cannot start {}: {}", self.words.join(" "), reason(error)) }
    }
}

/// Where an engine listens for DXP connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DxpPeer {
    /// A program that is started for the match. A free local port replaces `{port}` in its arguments.
    Started(Program),
    /// `host:port` of an engine that is already running.
    Address(String),
}

impl DxpPeer {
    pub(super) const PORT: &'static str = "{port}";
}

impl Link {
    pub(super) fn words(&self) -> &[String] {
        match self {
            Self::Pipes { program, .. } | Self::Dxp(DxpPeer::Started(program)) => &program.words,
            Self::Dxp(DxpPeer::Address(address)) => std::slice::from_ref(address),
        }
    }

    /// Returns true if the engine is already running. Only one game at a time can use it.
    pub fn is_shared(&self) -> bool {
        matches!(self, Self::Dxp(DxpPeer::Address(_)))
    }

    fn default_name(&self) -> String {
        let first = self.words().first().map_or("", String::as_str);
        let stem = Path::new(first).file_stem().filter(|_| !self.is_shared());
        stem.map_or_else(|| first.to_owned(), |stem| stem.to_string_lossy().into_owned())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    pub name: String,
    pub link: Link,
    pub options: Vec<(String, String)>,
    pub control: Control,
    /// Margin for this engine, or `None` to use the margin of the match.
    pub margin: Option<Duration>,
    pub ponders: bool,
    pub restarts: bool,
}

#[derive(Default)]
struct Draft {
    name: Option<String>,
    command: Option<Vec<String>>,
    arguments: Vec<String>,
    address: Option<String>,
    directory: Option<PathBuf>,
    /// The line protocol, or `None` for DXP.
    protocol: Option<LineProtocol>,
    options: Vec<(String, String)>,
    limits: EngineLimits,
    margin: Option<Duration>,
    ponders: bool,
    restarts: bool,
}

/// Limits of an engine. A limit is `None` if it is not given. `Some(None)` represents `inf`, which removes a limit that
/// is set for all engines.
#[derive(Clone, Default)]
struct EngineLimits {
    clock: Option<Option<ClockControl>>,
    move_time: Option<Option<Duration>>,
    nodes: Option<Option<u64>>,
    depth: Option<Option<u8>>,
}

fn time(pair: &KeyValue<'_>, bare: BareNumber) -> Result<Duration> {
    read_time(pair.value, bare).map_err(|error| anyhow!("{}: {error}", pair.key))
}

impl EngineLimits {
    fn set(&mut self, pair: &KeyValue<'_>) -> Result<()> {
        let is_limited = pair.value != "inf";
        let move_time = |bare| {
            let time = time(pair, bare)?;
            ensure!(!time.is_zero(), "{}: must be more than 0", pair.key);
            Ok(time)
        };
        let count = || pair.parse("a number of at least 1", |&number: &u64| number > 0);
        let clock = || pair.value.parse().map_err(|error| anyhow!("{}: {error}", pair.key));
        let depth = || pair.parse("a number from 1 to 255", |&depth: &u8| depth > 0);
        match pair.key {
            "tc" => self.clock = Some(is_limited.then(clock).transpose()?),
            "st" => self.move_time = Some(is_limited.then(|| move_time(BareNumber::Seconds)).transpose()?),
            "movetime" => self.move_time = Some(is_limited.then(|| move_time(BareNumber::Milliseconds)).transpose()?),
            "nodes" => self.nodes = Some(is_limited.then(count).transpose()?),
            _ => self.depth = Some(is_limited.then(depth).transpose()?),
        }
        Ok(())
    }

    fn is_timed(&self) -> bool {
        matches!(self.clock, Some(Some(_))) || matches!(self.move_time, Some(Some(_)))
    }

    /// Combines an engine's limits with the limits for all engines. A limit for all engines applies only if the engine
    /// does not set a limit of the same kind. The clock and the time per move count as one kind.
    fn or(self, common: Self) -> Control {
        let (clock, move_time) = if self.is_timed() { (None, None) } else { (common.clock, common.move_time) };
        Control {
            clock: self.clock.or(clock).flatten(),
            move_time: self.move_time.or(move_time).flatten(),
            nodes: self.nodes.or(common.nodes).flatten(),
            depth: self.depth.or(common.depth).flatten(),
        }
    }
}

/// Names of the options that change the rules. The match itself sets these options.
const RULES: [&str; 3] = ["UCI_Variant", "Forced Capture", "variant"];

impl EngineSpec {
    /// Parses the `key=value` words of an engine. `common` contains the words that apply to all engines.
    pub fn parse<S: AsRef<str>>(words: &[S], common: &[S]) -> Result<Self> {
        let mut draft = Draft { protocol: Some(LineProtocol::Native), ..Draft::default() };
        common.iter().try_for_each(|word| draft.set(word.as_ref()))?;
        let (mut common, shared_options) = (std::mem::take(&mut draft.limits), std::mem::take(&mut draft.options));
        words.iter().try_for_each(|word| draft.set(word.as_ref()))?;
        let is_dxp = draft.protocol.is_none();
        if is_dxp && (draft.limits.is_timed() || common.is_timed()) {
            (common.nodes, common.depth) = (None, None);
        }
        let control = std::mem::take(&mut draft.limits).or(common);
        if is_dxp {
            // Options for all engines do not apply to DXP, but an option for this engine is an error.
            draft.check_dxp(&control)?;
        } else {
            let own = std::mem::replace(&mut draft.options, shared_options);
            own.into_iter().for_each(|(name, value)| draft.set_option(name, value));
        }
        draft.finish(control)
    }
}

#[cfg(not(windows))]
pub fn command_words(text: &str) -> Option<Vec<String>> {
    shlex::split(text)
}

/// Splits a command line into words by the Windows rules, where a backslash is a path separator.
#[cfg(windows)]
pub fn command_words(text: &str) -> Option<Vec<String>> {
    Some(winsplit::split(text))
}

impl Draft {
    fn set(&mut self, word: &str) -> Result<()> {
        let pair = KeyValue::read(word, "key=value")?;
        let KeyValue { key, value } = pair;
        let wrong = |problem: &str| anyhow!("{key}: {problem}");
        let switch = || match value {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err(pair.wrong("on or off")),
        };
        match key {
            "cmd" => {
                let words = command_words(value).filter(|words| !words.is_empty());
                self.command = Some(words.ok_or_else(|| wrong("expected a program and its arguments"))?);
            }
            "args" => {
                let words = command_words(value).ok_or_else(|| wrong("unclosed quotation mark"))?;
                self.arguments.extend(words);
            }
            "arg" => self.arguments.push(value.to_owned()),
            "addr" => self.address = Some(address(value).map_err(|error| wrong(&error.to_string()))?),
            "name" => {
                let is_name = !value.is_empty() && !value.contains(|c: char| c.is_control() || c == '"');
                ensure!(is_name, wrong("expected a name without quotation marks or control characters"));
                self.name = Some(value.to_owned());
            }
            "proto" => {
                self.protocol = match value {
                    "native" => Some(LineProtocol::Native),
                    "hub" => Some(LineProtocol::Hub),
                    "dxp" => None,
                    _ => return Err(pair.wrong("native, hub or dxp")),
                }
            }
            "dir" => self.directory = Some(PathBuf::from(value)),
            "tc" | "st" | "movetime" | "nodes" | "depth" => self.limits.set(&pair)?,
            "timemargin" => self.margin = Some(time(&pair, BareNumber::Milliseconds)?),
            "ponder" => self.ponders = switch()?,
            "restart" => self.restarts = switch()?,
            _ => {
                let Some(name) = key.strip_prefix("option.").filter(|name| !name.is_empty()) else {
                    bail!(
                        "unknown key '{key}'; expected cmd, arg, args, addr, name, proto, dir, tc, st, movetime, \
                         timemargin, nodes, depth, ponder, restart or option.<name>"
                    );
                };
                ensure!(!value.contains(char::is_control), wrong("must not contain control characters"));
                let is_rule = RULES.iter().any(|known| known.eq_ignore_ascii_case(name));
                ensure!(!is_rule, wrong("set it for the whole match with --variant and --optional-capture"));
                self.set_option(name.to_owned(), value.to_owned());
            }
        }
        Ok(())
    }

    fn set_option(&mut self, name: String, value: String) {
        self.options.retain(|(known, _)| *known != name);
        self.options.push((name, value));
    }

    fn check_dxp(&self, control: &Control) -> Result<()> {
        if let Some((name, _)) = self.options.first() {
            bail!("option.{name}: DXP has no options; use command-line arguments instead");
        }
        ensure!(!self.ponders, "ponder: not supported by DXP; the engine decides whether to ponder");
        for (key, is_set) in [("nodes", control.nodes.is_some()), ("depth", control.depth.is_some())] {
            ensure!(!is_set, "{key}: not supported by DXP; use tc, st or movetime");
        }
        Ok(())
    }

    fn finish(self, control: Control) -> Result<EngineSpec> {
        let Self { name, command, arguments, address, directory, protocol, options, margin, .. } = self;
        ensure!(command.is_some() || arguments.is_empty(), "args: requires cmd");
        let program = command.map(|words| Program { words: [words, arguments].concat(), directory });
        let link = match (protocol, program, address) {
            (_, Some(_), Some(_)) => bail!("addr: cannot be combined with cmd"),
            (Some(_), None, Some(_)) => bail!("addr: requires proto=dxp"),
            (Some(_), None, None) => bail!("cmd is missing"),
            (None, None, None) => bail!("cmd or addr is missing"),
            (Some(protocol), Some(program), None) => Link::Pipes { protocol, program },
            (None, Some(program), None) => {
                let has_port = program.words.iter().any(|word| word.contains(DxpPeer::PORT));
                ensure!(has_port, "cmd must contain {}, the placeholder for the DXP port", DxpPeer::PORT);
                Link::Dxp(DxpPeer::Started(program))
            }
            (None, None, Some(address)) => Link::Dxp(DxpPeer::Address(address)),
        };
        let limits = match link {
            Link::Pipes { .. } => "tc, st, movetime, nodes or depth",
            Link::Dxp(_) => "tc, st or movetime",
        };
        ensure!(!control.is_empty(), "no move limit given: set {limits}");
        let name = name.unwrap_or_else(|| link.default_name());
        Ok(EngineSpec { name, link, options, control, margin, ponders: self.ponders, restarts: self.restarts })
    }
}

#[cfg(all(test, windows))]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_by_its_path() {
        let words = command_words(r#""C:\My Engines\scan.exe" hub"#);
        assert_eq!(words, Some(vec![r"C:\My Engines\scan.exe".to_owned(), "hub".to_owned()]));
    }
}
