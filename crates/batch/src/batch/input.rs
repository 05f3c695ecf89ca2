//! Reads requests from a file or standard input: lines of JSON, or the games in a PDN file.

use super::{BatchRequest, Id};
use soffio::notation::pdn::{GameRecord, Guesses, PdnGames, TextEncoding};
use soffio::shard::Shard;
use soffio_support::record::{RecordFailure, input_hash};
use soffio_support::stdio::{next_line, skip_byte_order_mark};
use soffio_support::with_path::about;
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
    /// Games in PDN. If no encoding is given, the encoding of each block of games is guessed.
    Pdn(Option<TextEncoding>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawRequest {
    /// The line number of a JSON request or the number of a game, counted from 1.
    pub number: u64,
    /// The number of the first line of the request, counted from 1.
    pub line: u64,
    content: RequestContent,
    /// Variant guesses for games that do not name a variant, based on the other games in the file.
    guesses: Arc<Guesses>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum RequestContent {
    /// The bytes of a line, or `None` if the line is too long.
    Line(Option<Vec<u8>>),
    /// A game and its text in the file.
    Game(Box<GameRecord>, String),
}

impl InputForm {
    pub fn for_path(path: &Path, encoding: Option<TextEncoding>) -> io::Result<Self> {
        let is_pdn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdn"));
        if is_pdn { Self::games(path, encoding) } else { Ok(Self::Json) }
    }

    /// Creates the input form for a PDN file. If `encoding` is `None`, it is guessed from the whole file.
    pub fn games(path: &Path, encoding: Option<TextEncoding>) -> io::Result<Self> {
        // Only a regular file can be read twice.
        if encoding.is_some() || !path.is_file() {
            return Ok(Self::Pdn(encoding));
        }
        let guessed = File::open(path).and_then(|file| TextEncoding::detect(BufReader::new(file)));
        Ok(Self::Pdn(Some(guessed.map_err(|error| about(path, &error))?)))
    }
}

impl RawRequest {
    /// Creates the request in the JSON line `bytes`.
    pub fn from_line(number: u64, bytes: Vec<u8>) -> Self {
        let (content, guesses) = (RequestContent::Line(Some(bytes)), Arc::default());
        Self { number, line: number, content, guesses }
    }

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

    /// Returns the text of the game in the file, or `None` if the request is a line of JSON.
    pub fn source(&self) -> Option<&str> {
        match &self.content {
            RequestContent::Game(_, source) => Some(source),
            RequestContent::Line(_) => None,
        }
    }

    /// Returns the text of the request, which is empty for a game, and the parsed request.
    fn text(&self) -> (String, Result<BatchRequest, String>) {
        match &self.content {
            RequestContent::Line(None) => {
                (String::new(), Err(format!("the request is longer than {} MiB", MAX_REQUEST_BYTES >> 20)))
            }
            RequestContent::Line(Some(bytes)) => match std::str::from_utf8(bytes) {
                Ok(text) => (text.to_owned(), BatchRequest::read(text).map_err(|error| error.to_string())),
                Err(_) => (String::from_utf8_lossy(bytes).into_owned(), Err("the line is not UTF-8".to_owned())),
            },
            RequestContent::Game(record, _) => {
                // Normalise the game as `soffio annotate` does, so that the records of both commands contain the same
                // hash of the input.
                let (id, pdn) = (Some(Id::Text(self.number.to_string())), Some(record.to_string()));
                let guesses = Arc::clone(&self.guesses);
                (String::new(), Ok(BatchRequest { id, pdn, guesses, ..BatchRequest::default() }))
            }
        }
    }

    fn game(&self) -> Option<&GameRecord> {
        match &self.content {
            RequestContent::Game(record, _) => Some(record),
            RequestContent::Line(_) => None,
        }
    }
}

/// The games that have been read from a PDN file but not returned yet.
#[derive(Debug)]
struct PendingGames {
    games: PdnGames,
    ahead: VecDeque<RawRequest>,
    /// The error at which reading stopped.
    fault: Option<io::Error>,
}

impl PendingGames {
    /// Reads games until there are at least `count` games in `ahead`, or no further games can be read.
    fn fill(&mut self, count: usize, input: &mut impl BufRead) {
        while self.ahead.len() < count && self.fault.is_none() {
            let ahead = &mut self.ahead;
            let read = self.games.read_from(input, Guesses::MAX_GAMES, |game, _| {
                let text = game.on_own_lines().into_owned();
                ahead.push_back(RawRequest {
                    number: game.number as u64,
                    line: game.location.line as u64,
                    content: RequestContent::Game(Box::new(game.record), text),
                    guesses: Arc::default(),
                });
                io::Result::Ok(())
            });
            match read {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => self.fault = Some(error),
            }
        }
    }
}

#[derive(Debug)]
pub struct Requests<R> {
    input: R,
    form: InputForm,
    shard: Shard,
    lines: u64,
    games: PendingGames,
    /// The guesses for games, or `None` before the first game has been read.
    guesses: Option<Arc<Guesses>>,
    is_over: bool,
}

impl<R: BufRead> Requests<R> {
    pub fn new(input: R, form: InputForm, shard: Shard) -> Self {
        let encoding = match form {
            InputForm::Pdn(encoding) => encoding,
            InputForm::Json => None,
        };
        let games = PendingGames { games: PdnGames::new(encoding), ahead: VecDeque::new(), fault: None };
        Self { input, form, shard, lines: 0, games, guesses: None, is_over: false }
    }

    /// Returns the next line in the shard that is not blank.
    fn next_line(&mut self) -> io::Result<Option<RawRequest>> {
        if self.lines == 0 {
            skip_byte_order_mark(&mut self.input)?;
        }
        while let Some(bytes) = next_line(&mut self.input, MAX_REQUEST_BYTES)? {
            self.lines += 1;
            let is_blank = bytes.as_ref().is_some_and(|bytes| bytes.iter().all(u8::is_ascii_whitespace));
            if !is_blank && self.shard.contains(self.lines - 1) {
                let (number, content) = (self.lines, RequestContent::Line(bytes));
                return Ok(Some(RawRequest { number, line: number, content, guesses: Arc::default() }));
            }
        }
        Ok(None)
    }

    /// Returns the next game in the shard, or `None` at the end of the input. The first call reads ahead to guess the
    /// variant of games that do not name one.
    fn next_game(&mut self) -> io::Result<Option<RawRequest>> {
        if self.guesses.is_none() {
            self.games.fill(Guesses::MAX_GAMES, &mut self.input);
        }
        let ahead = &self.games.ahead;
        let first_games = || Arc::new(Guesses::new(ahead.iter().filter_map(RawRequest::game)));
        let guesses = Arc::clone(self.guesses.get_or_insert_with(first_games));
        loop {
            self.games.fill(1, &mut self.input);
            match self.games.ahead.pop_front() {
                Some(game) if self.shard.contains(game.number - 1) => return Ok(Some(RawRequest { guesses, ..game })),
                Some(_) => {}
                None => {
                    let has_no_game = self.games.games.has_no_game();
                    let without_game = || has_no_game.then(|| io::Error::other("no games found"));
                    return self.games.fault.take().or_else(without_game).map_or(Ok(None), Err);
                }
            }
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
            InputForm::Pdn(_) => self.next_game(),
        };
        self.is_over = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(text: &str, form: InputForm, shard: Shard) -> Vec<(u64, u64, String)> {
        let text_of = |raw: &RawRequest| match &raw.content {
            RequestContent::Line(bytes) => String::from_utf8(bytes.clone().unwrap_or_default()).unwrap(),
            RequestContent::Game(_, source) => source.clone(),
        };
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
    fn an_overlong_line_is_rejected_and_the_next_one_accepted() {
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
        let blank = Requests::new(" \n".as_bytes(), InputForm::Pdn(None), Shard::ALL);
        let errors: Vec<_> = blank.map(|read| read.map(drop).map_err(|error| error.to_string())).collect();
        assert_eq!(errors, [Err("no games found".to_owned())]);
    }

    #[test]
    fn games_beyond_the_read_ahead_are_read_too() {
        let games = Guesses::MAX_GAMES as u64 + 3;
        let text: String = (1..=games).map(|game| format!("[Event \"{game}\"]\n\n1. 11-15 *\n\n")).collect();
        let numbers =
            |shard: Shard| requests(&text, InputForm::Pdn(None), shard).iter().map(|game| game.0).collect::<Vec<_>>();
        assert_eq!(numbers(Shard::ALL), (1..=games).collect::<Vec<_>>());
        assert_eq!(numbers("2/50".parse().unwrap()), [2, 52, 102]);
        let lines: Vec<_> = requests(&text.replace('\n', "\r"), InputForm::Pdn(None), Shard::ALL);
        assert!(lines.iter().all(|&(number, line, _)| line == 4 * number - 3), "carriage returns end lines, too");
    }
}
