//! `soffio book`: opening books are grown, asked, shown, checked, put together, brought in and given out.

use super::book_files::{
    BooksArguments, ExportArguments, ImportArguments, MergeBooksArguments, ProbeArguments, ShowArguments, export,
    import, merge, probe, show, stat, verify,
};
use super::book_grow::{GrowArguments, grow};
use anyhow::Result;
use clap::Subcommand;

/// The parts of `soffio book`.
#[derive(Debug, Subcommand)]
pub enum BookCommand {
    /// Grow a book by drop-out expansion. The same command goes on where it was interrupted, and the book depends on the plan alone:
    /// variant, positions, nodes, breadth, round and openings.
    Grow(Box<GrowArguments>),
    /// Answer positions: FENs come on standard input, one a line, and each gets a line with the moves of the book.
    Probe(ProbeArguments),
    /// Print a book as a tree of moves with their scores.
    Show(ShowArguments),
    /// Print what books say of themselves, and count their positions.
    Stat(BooksArguments),
    /// Check books: every record whole, legal, reached by a line, and backed up right.
    Verify(BooksArguments),
    /// Put books of one variant together: of two scores that with more plies behind it counts, and all are backed up again.
    Merge(MergeBooksArguments),
    /// Make a book of games or of rows of text.
    Import(ImportArguments),
    /// Print a book as rows of text, or its lines as games.
    Export(ExportArguments),
}

/// Does what `command` says. Returns whether all was well.
///
/// # Errors
/// When a file cannot be read or written, or a book is damaged.
pub fn run_book(command: &BookCommand) -> Result<bool> {
    match command {
        BookCommand::Grow(arguments) => grow(arguments),
        BookCommand::Probe(arguments) => probe(arguments),
        BookCommand::Show(arguments) => show(arguments),
        BookCommand::Stat(arguments) => stat(arguments),
        BookCommand::Verify(arguments) => verify(arguments),
        BookCommand::Merge(arguments) => merge(arguments),
        BookCommand::Import(arguments) => import(arguments),
        BookCommand::Export(arguments) => export(arguments),
    }
}
