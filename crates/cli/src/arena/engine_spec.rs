//! An engine as the command line describes it.

use super::time_text::{BareNumber, read_time};
use super::{Control, ControlError, DxpPeer, LineProtocol, Link, Program};
use crate::dxp::with_port;
use crate::pairs::{Pair, PairError};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How to reach an engine, and how it plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name in tables and game records.
    pub name: String,
    /// How it is started or found, and what it speaks.
    pub link: Link,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
    /// What limits its moves.
    pub control: Control,
    /// By how much a move may exceed its time; that of the match when it is left out.
    pub margin: Option<Duration>,
    /// Whether it thinks while its opponent does.
    pub ponders: bool,
    /// Whether every game has a new process.
    pub restarts: bool,
}

/// Why words do not describe an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecError {
    /// A word is not of the form key=value, or its value is not what is expected.
    Pair(PairError),
    /// There is no such key.
    UnknownKey(String),
    /// A value is not possible here.
    Value {
        /// Its key.
        key: String,
        /// What is wrong.
        problem: String,
    },
    /// Something is missing.
    Missing(&'static str),
}

impl SpecError {
    fn value(key: &str, problem: impl Into<String>) -> Self {
        Self::Value { key: key.to_owned(), problem: problem.into() }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pair(error) => error.fmt(f),
            Self::UnknownKey(key) => write!(
                f,
                "'{key}' is not known, only cmd, addr, name, proto, dir, tc, st, movetime, timemargin, nodes, depth, \
                 ponder, restart and option.<name>"
            ),
            Self::Value { key, problem } => write!(f, "{key}: {problem}"),
            Self::Missing(what) => write!(f, "{what} is missing"),
        }
    }
}

impl std::error::Error for SpecError {}

impl From<PairError> for SpecError {
    fn from(error: PairError) -> Self {
        Self::Pair(error)
    }
}

/// What an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Lines(LineProtocol),
    Dxp,
}

/// An engine of which some words have been read.
struct Draft {
    name: Option<String>,
    command: Option<Vec<String>>,
    address: Option<String>,
    directory: Option<PathBuf>,
    protocol: Protocol,
    options: Vec<(String, String)>,
    control: Control,
    margin: Option<Duration>,
    ponders: bool,
    restarts: bool,
}

/// Options that change the rules, which are those of the match.
const RULES: [&str; 3] = ["UCI_Variant", "Forced Capture", "variant"];

const LIMIT: &str = "a limit for its moves: tc, st, movetime, nodes or depth";
const DXP_LIMIT: &str = "a limit for its moves: tc, st or movetime";

impl EngineSpec {
    /// The engine that the words `key=value` describe; `common` gives what they leave out.
    ///
    /// # Errors
    /// When a word cannot be read, there is no way to the engine or no limit for its moves, or they ask for something that
    /// its protocol does not have.
    pub fn parse<S: AsRef<str>>(words: &[S], common: &[S]) -> Result<Self, SpecError> {
        let mut draft = Draft {
            name: None,
            command: None,
            address: None,
            directory: None,
            protocol: Protocol::Lines(LineProtocol::Native),
            options: Vec::new(),
            control: Control::default(),
            margin: None,
            ponders: false,
            restarts: false,
        };
        common.iter().try_for_each(|word| draft.set(word.as_ref()))?;
        let shared_control = std::mem::take(&mut draft.control);
        let shared_options = std::mem::take(&mut draft.options);
        words.iter().try_for_each(|word| draft.set(word.as_ref()))?;
        if draft.control.is_empty() {
            draft.control = shared_control;
        }
        match draft.protocol {
            Protocol::Lines(_) => {
                let own = std::mem::replace(&mut draft.options, shared_options);
                own.into_iter().for_each(|(name, value)| draft.set_option(name, value));
            }
            // Options that all engines have in common are dropped; those of its own are refused.
            Protocol::Dxp => draft.check_dxp()?,
        }
        draft.finish()
    }
}

/// The words of a command line, as a shell splits them.
#[cfg(not(windows))]
fn command_words(text: &str) -> Option<Vec<String>> {
    shlex::split(text)
}

/// The words of a command line, as programs for Windows split it: a backslash separates folders and is no escape.
#[cfg(windows)]
fn command_words(text: &str) -> Option<Vec<String>> {
    Some(winsplit::split(text))
}

impl Draft {
    fn set(&mut self, word: &str) -> Result<(), SpecError> {
        let pair = Pair::read(word, "key=value")?;
        let Pair { key, value } = pair;
        let wrong = |problem: String| SpecError::value(key, problem);
        let time = |bare: BareNumber| read_time(value, bare).map_err(|error| wrong(error.to_string()));
        match key {
            "cmd" => {
                let words = command_words(value).filter(|words| !words.is_empty());
                self.command = Some(words.ok_or_else(|| wrong("expected a program with its arguments".to_owned()))?);
            }
            "addr" => {
                let is_address = !value.is_empty() && !value.contains(char::is_whitespace);
                let address = is_address.then(|| with_port(value));
                self.address = Some(address.ok_or_else(|| wrong("expected host:port".to_owned()))?);
            }
            "name" => {
                let is_name = !value.is_empty() && !value.contains(|c: char| c.is_control() || c == '"');
                self.name = Some(is_name.then(|| value.to_owned()).ok_or_else(|| wrong("expected a name".to_owned()))?);
            }
            "proto" => {
                self.protocol = match value {
                    "native" => Protocol::Lines(LineProtocol::Native),
                    "hub" => Protocol::Lines(LineProtocol::Hub),
                    "dxp" => Protocol::Dxp,
                    _ => return Err(pair.wrong("native, hub or dxp").into()),
                }
            }
            "dir" => self.directory = Some(PathBuf::from(value)),
            "tc" => {
                let clock = value.parse().map_err(|error: ControlError| wrong(error.to_string()))?;
                self.control.clock = Some(clock);
            }
            "st" => self.control.move_time = Some(positive(time(BareNumber::Seconds)?).map_err(wrong)?),
            "movetime" => self.control.move_time = Some(positive(time(BareNumber::Milliseconds)?).map_err(wrong)?),
            "timemargin" => self.margin = Some(time(BareNumber::Milliseconds)?),
            "ponder" => self.ponders = switch(&pair)?,
            "restart" => self.restarts = switch(&pair)?,
            "nodes" => self.control.nodes = Some(count(&pair)?),
            "depth" => self.control.depth = Some(u8::try_from(count(&pair)?).unwrap_or(u8::MAX)),
            _ => {
                let option = key.strip_prefix("option.").filter(|name| !name.is_empty());
                let name = option.ok_or_else(|| SpecError::UnknownKey(key.to_owned()))?;
                if value.contains(char::is_control) {
                    return Err(wrong("expected a value of one line".to_owned()));
                }
                if RULES.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                    return Err(wrong("the rules are those of the match, --variant and --optional-capture".to_owned()));
                }
                self.set_option(name.to_owned(), value.to_owned());
            }
        }
        Ok(())
    }

    fn set_option(&mut self, name: String, value: String) {
        self.options.retain(|(known, _)| *known != name);
        self.options.push((name, value));
    }

    /// Refuses what DXP does not have.
    fn check_dxp(&self) -> Result<(), SpecError> {
        if let Some((name, _)) = self.options.first() {
            return Err(SpecError::value(
                &format!("option.{name}"),
                "DXP has no options, the command can have arguments",
            ));
        }
        if self.ponders {
            return Err(SpecError::value("ponder", "DXP cannot ask for it, an engine thinks on as it likes"));
        }
        for (key, is_set) in [("nodes", self.control.nodes.is_some()), ("depth", self.control.depth.is_some())] {
            if is_set {
                return Err(SpecError::value(
                    key,
                    "DXP cannot ask for it, the limits of its moves are tc, st and movetime",
                ));
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<EngineSpec, SpecError> {
        let Self { name, command, address, directory, protocol, options, control, margin, ponders, restarts } = self;
        let program = command.map(|words| Program { words, directory });
        let link = match (protocol, program, address) {
            (_, Some(_), Some(_)) => {
                return Err(SpecError::value("addr", "an engine that is started with cmd has no other address"));
            }
            (Protocol::Lines(_), None, Some(_)) => {
                return Err(SpecError::value("addr", "only engines that speak DXP have one: proto=dxp"));
            }
            (Protocol::Lines(_), None, None) => return Err(SpecError::Missing("cmd")),
            (Protocol::Dxp, None, None) => return Err(SpecError::Missing("cmd or addr")),
            (Protocol::Lines(protocol), Some(program), None) => Link::Pipes { protocol, program },
            (Protocol::Dxp, Some(program), None) => {
                if !program.words.iter().any(|word| word.contains(DxpPeer::PORT)) {
                    let problem = format!("expected {} where the port of DXP belongs", DxpPeer::PORT);
                    return Err(SpecError::value("cmd", problem));
                }
                Link::Dxp(DxpPeer::Started(program))
            }
            (Protocol::Dxp, None, Some(address)) => Link::Dxp(DxpPeer::Address(address)),
        };
        if control.is_empty() {
            return Err(SpecError::Missing(if protocol == Protocol::Dxp { DXP_LIMIT } else { LIMIT }));
        }
        let name = name.unwrap_or_else(|| default_name(&link));
        Ok(EngineSpec { name, link, options, control, margin, ponders, restarts })
    }
}

/// The name of the program, or the address.
fn default_name(link: &Link) -> String {
    let first = link.words().first().map_or("", String::as_str);
    if link.is_shared() {
        return first.to_owned();
    }
    Path::new(first).file_stem().map_or_else(|| first.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn count(pair: &Pair<'_>) -> Result<u64, PairError> {
    pair.parse("a number of at least 1", |&number| number > 0)
}

fn switch(pair: &Pair<'_>) -> Result<bool, PairError> {
    match pair.value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(pair.wrong("on or off")),
    }
}

fn positive(time: Duration) -> Result<Duration, String> {
    if time.is_zero() { Err("expected more than 0".to_owned()) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(words: &[&str]) -> String {
        EngineSpec::parse(words, &[]).unwrap_err().to_string()
    }

    #[cfg(windows)]
    #[test]
    fn a_program_is_found_by_its_path() {
        let words = command_words(r#""C:\My Engines\scan.exe" hub"#);
        assert_eq!(words, Some(vec![r"C:\My Engines\scan.exe".to_owned(), "hub".to_owned()]));
    }

    #[test]
    fn an_engine_is_read_with_what_all_have_in_common() {
        let words = ["cmd=\"my engine\" --quick", "option.Hash=16", "option.Clear Hash=", "dir=/x", "tc=10+0.1"];
        let spec = EngineSpec::parse(&words, &["option.Hash=8", "nodes=7", "option.A=b=c"]).unwrap();
        let program =
            Program { words: ["my engine", "--quick"].map(str::to_owned).to_vec(), directory: Some("/x".into()) };
        assert_eq!(spec.link, Link::Pipes { protocol: LineProtocol::Native, program });
        assert_eq!(spec.name, "my engine");
        let options = [("A", "b=c"), ("Hash", "16"), ("Clear Hash", "")];
        assert_eq!(spec.options, options.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(
            spec.control.to_string(),
            "10 s a game and 100 ms more after each move",
            "a limit of its own replaces the common ones"
        );
        assert_eq!(EngineSpec::parse(&["cmd=./a.out"], &["nodes=7"]).unwrap().control.nodes, Some(7));
    }

    #[test]
    fn every_time_says_what_it_counts() {
        let read = |words: &[&str]| EngineSpec::parse(&[&["cmd=a"], words].concat(), &[]).unwrap();
        let move_time = |word: &str| read(&[word]).control.move_time.unwrap().as_millis();
        assert_eq!(["st=0.1", "movetime=100", "movetime=100ms", "movetime=0.1s", "st=100ms"].map(move_time), [100; 5]);
        assert_eq!(read(&["st=1", "timemargin=50"]).margin, Some(Duration::from_millis(50)));
        let both = EngineSpec::parse(&["cmd=a", "timemargin=1s"], &["st=1", "timemargin=50"]).unwrap();
        assert_eq!(both.margin, Some(Duration::from_secs(1)), "its own margin counts");
    }

    #[test]
    fn an_engine_of_dxp_is_started_with_a_port_or_has_an_address() {
        let words = ["cmd=a --listen {port}", "proto=dxp", "tc=60"];
        let spec = EngineSpec::parse(&words, &["option.Hash=8", "nodes=7"]).unwrap();
        let program = Program { words: ["a", "--listen", "{port}"].map(str::to_owned).to_vec(), directory: None };
        assert_eq!((spec.link, spec.name.as_str()), (Link::Dxp(DxpPeer::Started(program)), "a"));
        assert_eq!((spec.options, spec.control.nodes), (Vec::new(), None), "what DXP does not have is for the others");
        let spec = EngineSpec::parse(&["addr=there", "proto=dxp", "movetime=1"], &[]).unwrap();
        assert_eq!((spec.link, &*spec.name), (Link::Dxp(DxpPeer::Address("there:27531".into())), "there:27531"));

        assert_eq!(error(&["cmd=a", "proto=dxp", "tc=60"]), "cmd: expected {port} where the port of DXP belongs");
        assert_eq!(error(&["proto=dxp", "tc=60"]), "cmd or addr is missing");
        assert_eq!(error(&["addr=", "proto=dxp"]), "addr: expected host:port");
        assert_eq!(error(&["addr=a", "tc=60"]), "addr: only engines that speak DXP have one: proto=dxp");
        assert_eq!(
            error(&["addr=a", "cmd=a", "proto=dxp", "tc=60"]),
            "addr: an engine that is started with cmd has no other address"
        );
        assert_eq!(error(&["addr=a", "proto=dxp"]), "a limit for its moves: tc, st or movetime is missing");
        let cannot_ask = "depth: DXP cannot ask for it, the limits of its moves are tc, st and movetime";
        assert_eq!(error(&["addr=a", "proto=dxp", "tc=60", "depth=4"]), cannot_ask);
        let cannot_ponder = "ponder: DXP cannot ask for it, an engine thinks on as it likes";
        assert_eq!(error(&["addr=a", "proto=dxp", "tc=60", "ponder=on"]), cannot_ponder);
        let common = EngineSpec::parse(&["addr=a", "proto=dxp"], &["depth=4"]).unwrap_err().to_string();
        assert_eq!(common, cannot_ask);
        assert_eq!(
            error(&["addr=a", "proto=dxp", "tc=60", "option.Hash=1"]),
            "option.Hash: DXP has no options, the command can have arguments"
        );
    }

    #[test]
    fn errors_say_what_is_wrong() {
        assert_eq!(error(&["tc=1"]), "cmd is missing");
        assert_eq!(error(&["cmd=a"]), "a limit for its moves: tc, st, movetime, nodes or depth is missing");
        assert_eq!(error(&["cmd"]), "expected key=value, found 'cmd'");
        // Programs for Windows take an open quotation mark as one that ends with the line.
        #[cfg(not(windows))]
        assert_eq!(error(&["cmd='a"]), "cmd: expected a program with its arguments");
        assert_eq!(error(&["cmd="]), "cmd: expected a program with its arguments");
        assert_eq!(error(&["cmd=a", "nodes=0"]), "nodes: expected a number of at least 1, found '0'");
        assert_eq!(error(&["cmd=a", "movetime=0"]), "movetime: expected more than 0");
        assert_eq!(error(&["cmd=a", "ponder=yes"]), "ponder: expected on or off, found 'yes'");
        assert_eq!(error(&["cmd=a", "st=0"]), "st: expected more than 0");
        let whole =
            "movetime: expected whole milliseconds such as 100, or a time with its unit such as 100ms, 0.1s or 1m";
        assert_eq!(error(&["cmd=a", "movetime=0.1"]), format!("{whole}, found '0.1'"));
        assert_eq!(
            error(&["cmd=a", "tc=fast"]),
            "tc: expected seconds such as 10 or 0.5, or a time with its unit such as 100ms, 2s or 1m, found 'fast'"
        );
        assert_eq!(error(&["cmd=a", "proto=uci"]), "proto: expected native, hub or dxp, found 'uci'");
        assert!(error(&["cmd=a", "option.=1"]).starts_with("'option.' is not known"));
        assert!(error(&["cmd=a", "hash=1"]).starts_with("'hash' is not known, only cmd"));
        for option in ["UCI_Variant", "forced capture", "variant"] {
            let word = format!("option.{option}=false");
            let expected =
                format!("option.{option}: the rules are those of the match, --variant and --optional-capture");
            assert_eq!(error(&["cmd=a", &word]), expected);
        }
    }
}
