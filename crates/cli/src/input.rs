//! Reads input from files or standard input (`-`), in any encoding.

use anyhow::{Result, bail, ensure};
use clap::Args;
use same_file::Handle;
use soffio::notation::pdn::{PdnText, ReadGame, TextEncoding, decode, for_each_game};
use soffio_support::with_path::WithPath;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf, is_separator};

const STANDARD_INPUT: &str = "-";

const BUFFER: usize = 1 << 16;

pub fn is_standard_input(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT)
}

/// Fails if the command would read what it writes: if `input` and `output` are the same regular file. Without `output`,
/// the command writes to standard output.
pub fn ensure_not_output(input: &Path, output: Option<&Path>) -> Result<()> {
    // A pipe must not be opened, because that takes its content. A file that does not exist is reported later.
    let of_path = |path: &Path| if path.is_file() { Handle::from_path(path).ok() } else { None };
    let handle = if is_standard_input(input) { Handle::stdin().ok() } else { of_path(input) };
    let Some(handle) = handle.filter(|handle| handle.as_file().metadata().is_ok_and(|found| found.is_file())) else {
        return Ok(());
    };
    let written = output.map_or_else(|| Handle::stdout().ok(), of_path);
    let name = output.map_or_else(|| "standard output".into(), |path| path.display().to_string());
    ensure!(written != Some(handle), "{}: the input file is also the output ({name})", input.display());
    Ok(())
}

/// Fails like [`ensure_not_output`] if one of `inputs` is also one of `outputs`.
pub fn ensure_none_is_output<'a>(
    inputs: impl IntoIterator<Item = &'a Path>,
    outputs: impl IntoIterator<Item = &'a Path> + Clone,
) -> Result<()> {
    let check = |input| outputs.clone().into_iter().try_for_each(|output| ensure_not_output(input, Some(output)));
    inputs.into_iter().try_for_each(check)
}

pub fn open(path: &Path) -> Result<Box<dyn BufRead + Send>> {
    ensure_not_output(path, None)?;
    if is_standard_input(path) {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, io::stdin())));
    }
    Ok(Box::new(BufReader::with_capacity(BUFFER, File::open(path).with_path(path)?)))
}

pub fn read(path: &Path) -> Result<Vec<u8>> {
    ensure_not_output(path, None)?;
    if !is_standard_input(path) {
        return fs::read(path).with_path(path);
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Calls `visit` for each game in a file. If no encoding is given, the encoding is guessed from the whole file.
pub fn for_each_game_of(
    path: &Path,
    encoding: EncodingArguments,
    mut visit: impl FnMut(ReadGame<'_>) -> Result<()>,
) -> Result<()> {
    let open = || File::open(path).with_path(path);
    // The guess requires an additional pass over the input, which is possible only for a regular file.
    let guess = || TextEncoding::detect(BufReader::new(open()?)).with_path(path);
    let encoding = match encoding.encoding {
        None if path.is_file() => Some(guess()?),
        given => given,
    };
    let mut input = BufReader::new(open()?);
    // A folder can be opened but not read.
    input.fill_buf().with_path(path)?;
    for_each_game(input, encoding, |game, _| visit(game))
}

/// The encoding of the input files.
#[derive(Clone, Copy, Debug, Args)]
pub struct EncodingArguments {
    /// Encoding of input that is not UTF-8, such as cp1251, cp866, koi8-r, latin2, utf-16le or utf-16be
    /// [default: detected, otherwise Latin-1]
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<TextEncoding>,
}

impl EncodingArguments {
    pub fn decode(self, bytes: &[u8]) -> PdnText {
        self.encoding.map_or_else(|| decode(bytes), |encoding| encoding.decode(bytes))
    }
}

/// Adds `number` to a file name: `games.svg` becomes `games-7.svg`.
pub fn numbered_path(path: &Path, number: usize) -> Result<PathBuf> {
    let ends_with_separator = path.as_os_str().as_encoded_bytes().last().is_some_and(|&byte| is_separator(byte.into()));
    let name = path.file_stem().filter(|_| !ends_with_separator && !path.is_dir());
    let Some(name) = name else { bail!("{}: expected a file, not a folder", path.display()) };
    let mut name = name.to_owned();
    name.push(format!("-{number}"));
    Ok(path.with_file_name(name).with_added_extension(path.extension().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_several_games_are_numbered() {
        assert_eq!(numbered_path(Path::new("a/games.svg"), 7).unwrap(), Path::new("a/games-7.svg"));
        assert_eq!(numbered_path(Path::new("games"), 7).unwrap(), Path::new("games-7"));
        for folder in ["no/", "/", "..", "", env!("CARGO_MANIFEST_DIR")] {
            assert!(numbered_path(Path::new(folder), 7).is_err(), "{folder}");
        }
        #[cfg(unix)]
        {
            use std::ffi::OsStr;
            use std::os::unix::ffi::OsStrExt;
            let path = |name: &'static [u8]| Path::new(OsStr::from_bytes(name));
            assert_eq!(numbered_path(path(b"o\xfe.pdn"), 7).unwrap(), path(b"o\xfe-7.pdn"));
        }
    }
}
