//! The weights that the program brings along.

use super::file::WeightsFile;
use std::sync::OnceLock;

const FILE: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/weights/tavla.weights"));

/// The weights of the program, with the note of their file. They are read once.
pub fn embedded() -> &'static WeightsFile {
    static READ: OnceLock<WeightsFile> = OnceLock::new();
    READ.get_or_init(|| WeightsFile::parse(FILE).expect("the file is part of the program, and a test reads it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_can_be_read_and_says_where_it_comes_from() {
        assert!(embedded().note.contains("games"));
    }
}
