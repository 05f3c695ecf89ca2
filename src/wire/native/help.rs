//! The list of commands for people at a shell, made from the tables that the commands are read with.

use super::{go, parse};

/// Width of the column of commands.
const COLUMN: usize = 44;

/// How the help shows a command or parameter: the arguments after its name, and, if it ends a line of the help, the
/// description of all commands on that line.
#[derive(Clone, Copy)]
pub(super) struct Shown(pub(super) &'static str, pub(super) Option<&'static str>);

impl Shown {
    /// `name` with what follows it.
    pub(super) fn usage(self, name: &str) -> String {
        let Self(arguments, _) = self;
        format!("{name} {arguments}").trim_end().to_owned()
    }
}

/// What `help` prints.
pub(super) fn help() -> String {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut add = |text: &str, separator: &str, Shown(_, end): Shown| {
        line.push_str(text);
        match end {
            None => line.push_str(separator),
            Some(meaning) => {
                lines.push(format!("{:COLUMN$}{meaning}", std::mem::take(&mut line)).trim_end().to_owned())
            }
        }
        end.is_some()
    };
    for (usage, shown) in parse::shown() {
        add(&usage, if usage == GO { " " } else { ", " }, shown);
        if usage == GO {
            let mut is_new = false;
            for (usage, shown) in go::shown() {
                is_new = add(&format!("{}[{usage}]", if is_new { "   " } else { "" }), " ", shown);
            }
        }
    }
    lines.join("\n")
}

/// The command whose parameters have a table of their own.
const GO: &str = "go";
