//! Reads requests from a file or standard input: lines of JSON, or the games in a PDN file.

use super::{BatchRequest, Id};
use soffio::notation::pdn::{GameRecord, Guesses, PdnReader, TextEncoding, decode};
use soffio::shard::Shard;
use soffio_support::of_file::about;
use soffio_support::record::{RecordFailure, input_hash};
use soffio_support::stdio::{next_line, skip_mark};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

/// Maximum length of a request in bytes.
const MAX_REQUEST_BYTES: usize = 16 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputForm {
    Json,
    /// Games in PDN. If no encoding is given, the encoding of each game is guessed.
    Pdn(Option<TextEncoding>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawRequest {
    /// The line number of a JSON request or the number of a game, counted from 1.
    pub number: u64,
    /// The number of the first line of the request, counted from 1.
    pub line: u64,
    /// The bytes of the request, or `None` if the request is too long.
    bytes: Option<Vec<u8>>,
    form: InputForm,
    /// Variant guesses for games that do not name a variant, based on the other games in the file.
    guesses: Arc<Guesses>,
}

impl InputForm {
    pub fn of(path: &Path, encoding: Option<TextEncoding>) -> io::Result<Self> {
        let is_pdn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdn"));
        if is_pdn { Self::games(path, encoding) } else { Ok(Self::Json) }
    }

    /// Creates the input form for a PDN file. If `encoding` is `None`, it is guessed from the whole file.
    pub fn games(path: &Path, encoding: Option<TextEncoding>) -> io::Result<Self> {
        // Only a regular file can be read twice.
        if encoding.is_some() || !path.is_file() {
            return Ok(Self::Pdn(encoding));
        }
        let guessed = File::open(path).and_then(|file| TextEncoding::of(BufReader::new(file)));
        Ok(Self::Pdn(Some(guessed.map_err(|error| about(path, &error))?)))
    }
}

impl RawRequest {
    pub fn read(&self) -> (String, String, Result<BatchRequest, RecordFailure>) {
        let (text, request) = self.text();
        match request {
            Ok(request) => (request.name(self.number), input_hash(&request.text()), Ok(request)),
            Err(error) => {
                let failure = BatchRequest::failure(&text, self.line, error);
                (failure.id.clone(), failure.input_hash.clone().unwrap_or_default(), Err(failure))
            }
        }
    }

    /// Returns the text of the request, which is empty for a game, and the parsed request.
    fn text(&self) -> (String, Result<BatchRequest, String>) {
        let Some(bytes) = &self.bytes else {
            return (String::new(), Err(format!("the request is longer than {} MiB", MAX_REQUEST_BYTES >> 20)));
        };
        match self.form {
            InputForm::Json => match std::str::from_utf8(bytes) {
                Ok(text) => (text.to_owned(), BatchRequest::read(text).map_err(|error| error.to_string())),
                Err(_) => (String::from_utf8_lossy(bytes).into_owned(), Err("the line is not UTF-8".to_owned())),
            },
            InputForm::Pdn(encoding) => {
                let text = encoding.map_or_else(|| decode(bytes), |encoding| encoding.decode(bytes)).text;
                // Normalise the game as `soffio annotate` does, so that the records of both commands contain the same
                // hash of the input.
                let mut games = PdnReader::new(&text);
                let text = match (games.next(), games.next()) {
                    (Some(game), None) => game.record.to_string(),
                    _ => text,
                };
                let id = Some(Id::Text(self.number.to_string()));
                let guesses = Arc::clone(&self.guesses);
                (String::new(), Ok(BatchRequest { id, pdn: Some(text), guesses, ..BatchRequest::default() }))
            }
        }
    }

    fn game(&self) -> Option<GameRecord> {
        let text = decode(self.bytes.as_ref()?).text;
        Some(PdnReader::new(&text).next()?.record)
    }
}

/// The lines of a game that have been read so far, and the number of its first line.
#[derive(Debug)]
struct PendingGame {
    bytes: Vec<u8>,
    begin: u64,
}

#[derive(Debug)]
pub struct Requests<R> {
    input: R,
    form: InputForm,
    shard: Shard,
    lines: u64,
    games: u64,
    game: PendingGame,
    has_moves: bool,
    ahead: VecDeque<io::Result<RawRequest>>,
    guesses: Option<Arc<Guesses>>,
    is_over: bool,
}

impl<R: BufRead> Requests<R> {
    pub fn new(input: R, form: InputForm, shard: Shard) -> Self {
        let (game, ahead) = (PendingGame { bytes: Vec::new(), begin: 1 }, VecDeque::new());
        Self { input, form, shard, lines: 0, games: 0, game, has_moves: false, ahead, guesses: None, is_over: false }
    }

    /// Returns the next line without its line ending, `Some(None)` if it is too long, or `None` at the end of the
    /// input.
    fn line(&mut self) -> io::Result<Option<Option<Vec<u8>>>> {
        if self.lines == 0 {
            skip_mark(&mut self.input)?;
        }
        let line = next_line(&mut self.input, MAX_REQUEST_BYTES)?;
        self.lines += u64::from(line.is_some());
        Ok(line)
    }

    fn next_line(&mut self) -> io::Result<Option<RawRequest>> {
        while let Some(bytes) = self.line()? {
            let is_blank = bytes.as_ref().is_some_and(|bytes| bytes.iter().all(u8::is_ascii_whitespace));
            if !is_blank && self.shard.has(self.lines - 1) {
                return Ok(Some(self.request(self.lines, self.lines, bytes)));
            }
        }
        Ok(None)
    }

    fn request(&self, number: u64, line: u64, bytes: Option<Vec<u8>>) -> RawRequest {
        let guesses = self.guesses.clone().unwrap_or_default();
        RawRequest { number, line, bytes, form: self.form, guesses }
    }

    /// Returns the next game in the shard, or `None` at the end of the input. The first call reads ahead to guess the
    /// variant of games that do not name one.
    fn next_of_shard(&mut self) -> io::Result<Option<RawRequest>> {
        let guesses = match &self.guesses {
            Some(guesses) => Arc::clone(guesses),
            None => {
                while self.ahead.len() < Guesses::MAX_GAMES
                    && self.ahead.back().is_none_or(Result::is_ok)
                    && let Some(game) = self.next_game().transpose()
                {
                    self.ahead.push_back(game);
                }
                let games: Vec<_> = self.ahead.iter().flatten().filter_map(RawRequest::game).collect();
                Arc::clone(self.guesses.insert(Arc::new(Guesses::new(&games))))
            }
        };
        while let Some(game) = self.ahead.pop_front().or_else(|| self.next_game().transpose()).transpose()? {
            if self.shard.has(game.number - 1) {
                return Ok(Some(RawRequest { guesses, ..game }));
            }
        }
        Ok(None)
    }

    fn next_game(&mut self) -> io::Result<Option<RawRequest>> {
        loop {
            // A line that is too long makes its game too long.
            let line = self.line()?.map(|line| line.unwrap_or_else(|| vec![b'x'; MAX_REQUEST_BYTES + 1]));
            let is_tag = line.as_ref().is_some_and(|line| is_tag(line));
            if line.is_none() || (is_tag && self.has_moves) {
                let next = PendingGame { bytes: Vec::new(), begin: self.lines };
                let PendingGame { bytes: game, begin } = std::mem::replace(&mut self.game, next);
                if !game.iter().all(u8::is_ascii_whitespace) {
                    self.games += 1;
                    if let Some(line) = line {
                        self.add(&line, true);
                    }
                    let bytes = Some(game).filter(|game| game.len() <= MAX_REQUEST_BYTES);
                    return Ok(Some(self.request(self.games, begin, bytes)));
                }
            }
            let Some(line) = line else { return Ok(None) };
            self.add(&line, is_tag);
        }
    }

    fn add(&mut self, line: &[u8], is_tag: bool) {
        let is_blank = line.iter().all(u8::is_ascii_whitespace);
        if is_blank && self.game.bytes.is_empty() {
            self.game.begin = self.lines + 1;
            return;
        }
        self.has_moves = !is_tag && (self.has_moves || !is_blank);
        // One byte more than the maximum is enough to detect that the game is too long.
        if self.game.bytes.len() <= MAX_REQUEST_BYTES {
            self.game.bytes.extend_from_slice(line);
            self.game.bytes.push(b'\n');
        }
    }
}

impl<R: BufRead> Iterator for Requests<R> {
    type Item = io::Result<RawRequest>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = match self.form {
            InputForm::Json => self.next_line(),
            InputForm::Pdn(_) => self.next_of_shard(),
        };
        self.is_over = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

/// Returns true for a tag such as `[Event "..."]`. A command in a comment is not a tag; it begins with `[%`.
fn is_tag(line: &[u8]) -> bool {
    let rest = line.trim_ascii().strip_prefix(b"[").unwrap_or_default();
    rest.first().is_some_and(u8::is_ascii_alphabetic) && rest.contains(&b'"')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(text: &str, form: InputForm, shard: Shard) -> Vec<(u64, u64, String)> {
        let text_of = |raw: &RawRequest| String::from_utf8(raw.bytes.clone().unwrap_or_default()).unwrap();
        let requests = Requests::new(text.as_bytes(), form, shard).map(Result::unwrap);
        requests.map(|raw| (raw.number, raw.line, text_of(&raw))).collect()
    }

    #[test]
    fn lines_are_numbered_and_shards_share_them() {
        let text = "a\n\n  \nb\r\nc";
        let all = requests(text, InputForm::Json, Shard::ALL);
        assert_eq!(all, [(1, 1, "a".into()), (4, 4, "b\r".into()), (5, 5, "c".into())]);
        let parts = ["1/2", "2/2"].map(|part| requests(text, InputForm::Json, part.parse().unwrap()));
        assert_eq!(parts.map(|part| part.iter().map(|request| request.0).collect::<Vec<_>>()), [vec![1, 5], vec![4]]);
    }

    #[test]
    fn a_byte_order_mark_before_the_first_line_is_skipped() {
        let lines = requests("\u{feff}a\nb", InputForm::Json, Shard::ALL);
        assert_eq!(lines, [(1, 1, "a".into()), (2, 2, "b".into())]);
        let games = requests("\u{feff}[Event \"a\"]\n[Site \"b\"]\n\n1. 11-15 *\n", InputForm::Pdn(None), Shard::ALL);
        assert!(games.len() == 1 && games[0].2.starts_with("[Event"), "{games:?}");
    }

    #[test]
    fn an_overlong_line_is_refused_and_the_next_one_accepted() {
        let text = format!("{}\n{{}}\n", "x".repeat(MAX_REQUEST_BYTES + 1));
        let read: Vec<_> = Requests::new(text.as_bytes(), InputForm::Json, Shard::ALL).map(Result::unwrap).collect();
        assert_eq!(read[0].text().1, Err("the request is longer than 16 MiB".to_owned()));
        assert_eq!(read[1].text(), ("{}".to_owned(), Ok(BatchRequest::default())));
        let read: Vec<_> = Requests::new(&b"\xff\n"[..], InputForm::Json, Shard::ALL).map(Result::unwrap).collect();
        assert_eq!(read[0].text().1, Err("the line is not UTF-8".to_owned()));
    }

    #[test]
    fn tags_after_moves_start_a_new_game() {
        let text = "\n[Event \"a\"]\n[Site \"b\"]\n\n1. 11-15 {[%eval 1]\n[%clk 0:01]} 22-18 *\n\n[Event \"c\"]\n\n1. 9-14 *\n";
        let games = requests(text, InputForm::Pdn(None), Shard::ALL);
        assert_eq!(games.iter().map(|game| (game.0, game.1)).collect::<Vec<_>>(), [(1, 2), (2, 8)]);
        assert!(games[0].2.contains("[%clk") && games[1].2.starts_with("[Event \"c\"]"), "{games:?}");
        let second = requests(text, InputForm::Pdn(None), "2/2".parse().unwrap());
        assert_eq!(second, games[1..]);
        assert!(requests(" \n", InputForm::Pdn(None), Shard::ALL).is_empty());
    }

    #[test]
    fn games_beyond_the_read_ahead_are_read_too() {
        let games = Guesses::MAX_GAMES as u64 + 3;
        let text: String = (1..=games).map(|game| format!("[Event \"{game}\"]\n\n1. 11-15 *\n\n")).collect();
        let numbers =
            |shard: Shard| requests(&text, InputForm::Pdn(None), shard).iter().map(|game| game.0).collect::<Vec<_>>();
        assert_eq!(numbers(Shard::ALL), (1..=games).collect::<Vec<_>>());
        assert_eq!(numbers("2/50".parse().unwrap()), [2, 52, 102]);
    }
}
