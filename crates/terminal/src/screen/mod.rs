//! The parts of the terminal screens that all games share: terminal, command line, boxes and colours.

mod entry;
mod layout;
mod terminal;
pub(crate) mod theme;

pub(crate) use entry::{Focus, InputState, KeyOutcome, popup};
pub(crate) use layout::{ScreenLayout, Sizes};
pub(crate) use terminal::{Screen, ScreenEvent};

/// Compares screens, as text, with the files in `tests/screens`.
///
/// If `SOFFIO_WRITE_SCREENS=1` is set, the files are rewritten. Review the differences.
#[cfg(test)]
pub(crate) mod written {
    use ratatui::buffer::{Buffer, Cell};
    use std::path::Path;

    pub(crate) fn text(buffer: &Buffer) -> String {
        let line = |cells: &[Cell]| cells.iter().map(Cell::symbol).collect::<String>().trim_end().to_owned() + "\n";
        buffer.content().chunks(buffer.area.width.into()).map(line).collect()
    }

    #[track_caller]
    pub(crate) fn assert_same(name: &str, screen: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/screens").join(format!("{name}.txt"));
        if std::env::var_os("SOFFIO_WRITE_SCREENS").is_some() {
            std::fs::write(&path, screen).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(screen == expected, "{name} is\n{screen}\nand was\n{expected}");
    }
}
