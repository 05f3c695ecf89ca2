//! Opens and writes book files.

use crate::progress::print_line;
use anyhow::{Context, Result, bail};
use clap::Args;
use soffio::book::{Book, BookHeader, Graph, key, write};
use soffio::game::Game;
use soffio::rules::{Identity, Variant};
use soffio_support::output_file::OutputFile;
use soffio_support::with_path::WithPath;
use soffio_support::words::counted;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

pub(super) fn open(path: &Path) -> Result<(Book, Variant)> {
    let opened = || {
        let book = Book::open(path)?;
        let name = &book.header().identity.variant;
        let variant = Variant::called(name).with_context(|| format!("unknown variant {name:?}"))?;
        book.header().check_variant(variant)?;
        anyhow::Ok((book, variant))
    };
    opened().with_path(path)
}

/// Opens a book and verifies all its records.
pub(super) fn open_verified(path: &Path) -> Result<(Book, Variant)> {
    let (book, variant) = open(path)?;
    book.all_moves().map(drop).with_path(path)?;
    Ok((book, variant))
}

pub(super) fn open_graph(path: &Path) -> Result<(Book, Graph)> {
    let (book, variant) = open(path)?;
    let graph = Graph::from_books(variant, std::slice::from_ref(&book)).with_path(path)?;
    Ok((book, graph))
}

const UNKNOWN_AUTHOR: &str = "unknown";

const DEFAULT_LICENCE: &str = "CC0-1.0";

/// The output file of a book, and the metadata in its header.
#[derive(Clone, Debug, Args)]
pub(super) struct OutArguments {
    /// Output file for the book
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Author to record in the book [default: unknown, or the authors of the merged books]
    #[arg(long)]
    author: Option<String>,
    /// SPDX licence identifier to record in the book [default: CC0-1.0, or the licence of the merged books]
    #[arg(long)]
    licence: Option<String>,
    /// Overwrite existing output files
    #[arg(long)]
    pub(super) overwrite: bool,
}

impl OutArguments {
    pub(super) fn reserve(&self) -> io::Result<OutputFile> {
        OutputFile::new(&self.out, self.overwrite)
    }

    /// Adds the authors and the licence of `books` if no others are given.
    pub(super) fn for_merged(&self, books: &[Book]) -> Result<Self> {
        let distinct = |value: fn(&BookHeader) -> &str| {
            let mut values: Vec<_> = books.iter().map(|book| value(book.header())).collect();
            let mut seen = HashSet::new();
            values.retain(|value| seen.insert(*value));
            values
        };
        let mut authors = distinct(|header| &header.author);
        authors.retain(|author| *author != UNKNOWN_AUTHOR);
        let licence = match (&self.licence, distinct(|header| &header.licence).as_slice()) {
            (Some(given), _) => Some(given.clone()),
            (None, [licence]) => Some((*licence).to_owned()),
            (None, []) => None,
            (None, licences) => bail!("the books have different licences ({}): use --licence", licences.join(", ")),
        };
        let authors = Some(authors.join(", ")).filter(|authors| !authors.is_empty());
        Ok(Self { author: self.author.clone().or(authors), licence, ..self.clone() })
    }

    fn author(&self) -> &str {
        self.author.as_deref().unwrap_or(UNKNOWN_AUTHOR)
    }

    fn licence(&self) -> &str {
        self.licence.as_deref().unwrap_or(DEFAULT_LICENCE)
    }

    /// Returns whether the output file already exists with the same metadata and contains moves for every expanded
    /// position of `graph`.
    pub(super) fn has(&self, graph: &Graph, (nodes, plan): (u64, &str)) -> bool {
        let Ok((book, known)) = open_graph(&self.out) else { return false };
        let head = book.header();
        let is_same =
            (head.nodes, &*head.plan, &*head.author, &*head.licence) == (nodes, plan, self.author(), self.licence());
        let mut inner = graph.nodes().iter().filter(|node| !node.is_leaf());
        let is_of_game = known.variant() == graph.variant();
        is_same && is_of_game && inner.all(|node| !book.moves(node.key).is_empty())
    }

    /// Writes `graph` to the output file. `roots` are the positions, other than the start position, from which the book
    /// begins.
    pub(super) fn write(
        &self,
        reservation: OutputFile,
        graph: &Graph,
        (nodes, plan): (u64, String),
        roots: Vec<String>,
    ) -> Result<()> {
        // The function `soffio::book::write` creates the file and moves it into place.
        drop(reservation);
        let header = BookHeader {
            identity: Identity::for_variant(graph.variant()),
            author: self.author().to_owned(),
            licence: self.licence().to_owned(),
            engine: concat!("soffio ", env!("CARGO_PKG_VERSION")).to_owned(),
            nodes,
            plan,
            roots,
        };
        let records = graph.records();
        let (positions, moves) = (counted(graph.nodes().len(), "position"), counted(records.len(), "move"));
        write(&self.out, &header, records).with_path(&self.out)?;
        print_line(&format!("{}: {positions}, {moves}", self.out.display()));
        Ok(())
    }

    /// Writes `graph` to the output file, using the roots of the graph as the roots of the book.
    pub(super) fn write_all(&self, reservation: OutputFile, graph: &Graph, made: (u64, String)) -> Result<()> {
        let start = key(&Game::new(graph.variant()));
        let roots = graph.roots().into_iter().filter_map(|id| graph.nodes().get(id)).filter(|node| node.key != start);
        self.write(reservation, graph, made, roots.map(|node| node.fen.clone()).collect())
    }
}
