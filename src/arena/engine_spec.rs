//! An engine as the command line describes it.

use super::control::seconds;
use super::{Control, ControlError, Protocol};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How to start an engine, and how it plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name in tables and game records.
    pub name: String,
    /// Program and arguments, at least one word.
    pub command: Vec<String>,
    /// Where it runs; here when it is left out.
    pub directory: Option<PathBuf>,
    /// What it speaks.
    pub protocol: Protocol,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
    /// What limits its moves.
    pub control: Control,
}

/// Why words do not describe an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecError {
    /// A word is not of the form key=value.
    NotAPair(String),
    /// There is no such key.
    UnknownKey(String),
    /// A value cannot be read.
    Value {
        /// Its key.
        key: String,
        /// What is expected and found.
        problem: String,
    },
    /// Something is missing.
    Missing(&'static str),
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAPair(word) => write!(f, "expected key=value, found '{word}'"),
            Self::UnknownKey(key) => {
                write!(
                    f,
                    "'{key}' is not known, only cmd, name, proto, dir, tc, movetime, nodes, depth and option.<name>"
                )
            }
            Self::Value { key, problem } => write!(f, "{key}: {problem}"),
            Self::Missing(what) => write!(f, "{what} is missing"),
        }
    }
}

impl std::error::Error for SpecError {}

impl EngineSpec {
    /// The engine that the words `key=value` describe; what `common` says holds for what they leave out.
    ///
    /// # Errors
    /// When a word cannot be read, or there is no command or no limit for its moves.
    pub fn parse<S: AsRef<str>>(words: &[S], common: &[S]) -> Result<Self, SpecError> {
        let mut spec = Self {
            name: String::new(),
            command: Vec::new(),
            directory: None,
            protocol: Protocol::default(),
            options: Vec::new(),
            control: Control::default(),
        };
        common.iter().try_for_each(|word| spec.set(word.as_ref()))?;
        let shared = std::mem::take(&mut spec.control);
        words.iter().try_for_each(|word| spec.set(word.as_ref()))?;
        if spec.control.is_empty() {
            spec.control = shared;
        }
        let Some(program) = spec.command.first() else { return Err(SpecError::Missing("cmd")) };
        if spec.control.is_empty() {
            return Err(SpecError::Missing("a limit for its moves: tc, movetime, nodes or depth"));
        }
        if spec.name.is_empty() {
            let path = PathBuf::from(program);
            spec.name = path.file_stem().map_or_else(|| program.clone(), |stem| stem.to_string_lossy().into_owned());
        }
        Ok(spec)
    }

    fn set(&mut self, word: &str) -> Result<(), SpecError> {
        let (key, value) = word.split_once('=').ok_or_else(|| SpecError::NotAPair(word.to_owned()))?;
        let wrong = |problem: String| SpecError::Value { key: key.to_owned(), problem };
        let time = |error: ControlError| wrong(error.to_string());
        match key {
            "cmd" => {
                let words = shlex::split(value).filter(|words| !words.is_empty());
                self.command = words.ok_or_else(|| wrong("expected a program with its arguments".to_owned()))?;
            }
            "name" => {
                let is_name = !value.is_empty() && !value.contains(|c: char| c.is_control() || c == '"');
                self.name = is_name.then(|| value.to_owned()).ok_or_else(|| wrong("expected a name".to_owned()))?;
            }
            "proto" => self.protocol = value.parse().map_err(wrong)?,
            "dir" => self.directory = Some(PathBuf::from(value)),
            "tc" => self.control.clock = Some(value.parse().map_err(time)?),
            "movetime" => self.control.move_time = Some(positive(seconds(value).map_err(time)?).map_err(wrong)?),
            "nodes" => self.control.nodes = Some(count(value).map_err(wrong)?),
            "depth" => {
                let depth = count(value).map_err(wrong)?;
                self.control.depth = Some(u8::try_from(depth).unwrap_or(u8::MAX));
            }
            _ => {
                let option = key.strip_prefix("option.").filter(|name| !name.is_empty());
                let name = option.ok_or_else(|| SpecError::UnknownKey(key.to_owned()))?;
                if value.contains(char::is_control) {
                    return Err(wrong("expected a value of one line".to_owned()));
                }
                self.options.retain(|(known, _)| known != name);
                self.options.push((name.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }
}

fn count(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| format!("expected a number of at least 1, found '{text}'"))
}

fn positive(time: Duration) -> Result<Duration, String> {
    if time.is_zero() { Err("expected more than 0 seconds".to_owned()) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(words: &[&str]) -> String {
        EngineSpec::parse(words, &[]).unwrap_err().to_string()
    }

    #[test]
    fn an_engine_is_read_with_what_all_have_in_common() {
        let words = ["cmd='my engine' --quick", "option.Hash=16", "option.Clear Hash=", "dir=/x", "tc=10+0.1"];
        let spec = EngineSpec::parse(&words, &["option.Hash=8", "nodes=7", "option.A=b=c"]).unwrap();
        assert_eq!(spec.command, ["my engine", "--quick"]);
        assert_eq!(spec.name, "my engine");
        assert_eq!(spec.directory, Some(PathBuf::from("/x")));
        let options = [("A", "b=c"), ("Hash", "16"), ("Clear Hash", "")];
        assert_eq!(spec.options, options.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(spec.control.to_string(), "10+0.1 s", "a limit of its own replaces the common ones");
        assert_eq!(EngineSpec::parse(&["cmd=./a.out"], &["nodes=7"]).unwrap().control.nodes, Some(7));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        assert_eq!(error(&["tc=1"]), "cmd is missing");
        assert_eq!(error(&["cmd=a"]), "a limit for its moves: tc, movetime, nodes or depth is missing");
        assert_eq!(error(&["cmd"]), "expected key=value, found 'cmd'");
        assert_eq!(error(&["cmd='a"]), "cmd: expected a program with its arguments");
        assert_eq!(error(&["cmd="]), "cmd: expected a program with its arguments");
        assert_eq!(error(&["cmd=a", "nodes=0"]), "nodes: expected a number of at least 1, found '0'");
        assert_eq!(error(&["cmd=a", "movetime=0"]), "movetime: expected more than 0 seconds");
        assert_eq!(error(&["cmd=a", "tc=fast"]), "tc: expected seconds such as 10 or 0.5, found 'fast'");
        assert_eq!(error(&["cmd=a", "proto=uci"]), "proto: expected native or hub, found 'uci'");
        assert!(error(&["cmd=a", "option.=1"]).starts_with("'option.' is not known"));
        assert!(error(&["cmd=a", "hash=1"]).starts_with("'hash' is not known, only cmd"));
    }
}
