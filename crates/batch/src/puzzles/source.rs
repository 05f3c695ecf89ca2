//! Reads the sources of puzzles one game at a time: game records, self-play games, and records from `soffio batch`.

use super::record::position;
use crate::batch::{InputForm, MAX_RECORD_BYTES, RawRequest, RequestSubject, Requests};
use anyhow::{Context, Result, ensure};
use serde::de::IgnoredAny;
use soffio::engine::{Value, value_of_evaluation};
use soffio::notation::pdn::decode;
use soffio::notation::{FenRecord, GameError, WrittenGame};
use soffio::rules::Variant;
use soffio::shard::Shard;
use soffio_analysis::annotate::PlayableGame;
use soffio_support::json::fault;
use soffio_support::record::{ReadRecord, input_hash};
use soffio_support::stdio::{next_line, skip_byte_order_mark};
use soffio_training::data::{DataHeader, DataReader, TRUNCATED, TrainingGame};
use std::collections::HashMap;
use std::fmt::Display;
use std::io::{self, BufRead, Cursor, Read};

/// Maximum number of bytes to read when detecting the form of the input.
const MAX_FIRST_LINE: u64 = 16 << 20;

/// What an input contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceForm {
    SelfPlay,
    /// Records from `soffio batch`.
    Records,
    /// Puzzles from `soffio puzzles`.
    Puzzles,
    /// Game records in PDN.
    Games,
}

/// An input and its form, which is detected from the first line that is not blank.
pub struct SourceInput {
    pub form: SourceForm,
    pub input: Box<dyn BufRead + Send>,
}

impl SourceInput {
    pub fn new(mut input: Box<dyn BufRead + Send>) -> io::Result<Self> {
        // The bytes of byte order marks and of blanks, in UTF-8 and in UTF-16.
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0 | 0xef | 0xbb | 0xbf | 0xfe | 0xff);
        let (mut start, mut begin) = (Vec::new(), 0);
        let mut first = input.by_ref().take(MAX_FIRST_LINE);
        while first.read_until(b'\n', &mut start)? > 0
            && start.get(begin..).is_some_and(|line| line.iter().all(is_blank))
        {
            begin = start.len();
        }
        let form = if DataHeader::begins(&start) {
            SourceForm::SelfPlay
        } else {
            let line = decode(&start).text;
            SourceForm::from_line(line.trim_matches(|c: char| c.is_whitespace() || "\u{feff}\u{fffd}".contains(c)))
        };
        Ok(Self { form, input: Box::new(Cursor::new(start).chain(input)) })
    }
}

impl SourceForm {
    fn from_line(line: &str) -> Self {
        let of = |has: &dyn Fn(&str) -> bool| match has("solution") || has("puzzles") {
            true => Self::Puzzles,
            false => Self::Records,
        };
        match serde_json::from_str::<HashMap<String, IgnoredAny>>(line) {
            Ok(fields) => of(&|name| fields.contains_key(name)),
            // A damaged line is reported as such, and not as a game. A comment in PDN can begin with a brace, too.
            Err(_) if begins_object(line) => of(&|name| line.contains(&format!("\"{name}\""))),
            Err(_) => Self::Games,
        }
    }
}

/// Returns whether `line` begins with a brace and the name of a field.
fn begins_object(line: &str) -> bool {
    let name = line.strip_prefix('{').and_then(|rest| rest.trim_start().strip_prefix('"'));
    name.and_then(|name| name.split_once('"')).is_some_and(|(_, rest)| rest.trim_start().starts_with(':'))
}

#[derive(Clone, Debug)]
pub struct SourcePosition {
    pub game: WrittenGame,
    /// Score from the point of view of the side to move, or `None` if the source contains no score.
    pub value: Option<Value>,
    /// Static evaluation, or `None` if the source contains none. If the previous position is unknown, a jump in the
    /// score is measured from this evaluation.
    pub quiet_value: Option<Value>,
    /// Whether the previous element of the list is the position one ply earlier.
    pub follows: bool,
    pub ply: usize,
}

#[derive(Clone, Debug, Default)]
pub struct GameSource {
    pub id: String,
    pub hash: String,
    pub steps: Vec<SourcePosition>,
    /// The error at which reading stopped, or `None` if all positions were read.
    pub fault: Option<String>,
}

/// Parses the line with this number. The line is `None` if it is longer than [`MAX_RECORD_BYTES`].
fn read_record(number: usize, line: Option<Vec<u8>>) -> Result<ReadRecord, RawInput> {
    let broken = |reason: &dyn Display| RawInput::Broken(format!("line {number}"), format!("not a record: {reason}"));
    let line = line.ok_or_else(|| broken(&"the line is too long"))?;
    serde_json::from_slice(&line).map_err(|error| broken(&fault(&error)))
}

/// Returns whether the position of `next` directly follows the position of `last` in the same game.
fn follows(last: &ReadRecord, next: &ReadRecord) -> bool {
    let is_next = next.ply.is_some() && next.ply == last.ply.map(|ply| ply + 1);
    is_next && next.input_hash == last.input_hash
}

/// A game that has not been parsed yet. This allows threads to parse games in parallel.
pub struct RawSource {
    name: String,
    input: RawInput,
}

enum RawInput {
    SelfPlay(Variant, TrainingGame),
    Pdn(RawRequest),
    Records(Vec<ReadRecord>),
    Broken(String, String),
}

impl RawSource {
    /// Returns the games in `input`. Game records are read in the form `games`. Fails if the games belong to a variant
    /// other than `variant`.
    pub fn all_of(
        name: String,
        SourceInput { form, mut input }: SourceInput,
        variant: Option<Variant>,
        games: InputForm,
    ) -> Result<impl Iterator<Item = io::Result<Self>>> {
        let inputs: Box<dyn Iterator<Item = io::Result<RawInput>> + Send> = if form == SourceForm::SelfPlay {
            let mut file = DataReader::new(input)?;
            let identity = &file.header.identity;
            let of =
                Variant::called(&identity.variant).with_context(|| format!("unknown variant {}", identity.variant))?;
            ensure!(
                *identity == soffio::rules::Identity::for_variant(of),
                "the games were generated under a different version of the {of} rules: generate them again"
            );
            ensure!(
                variant.is_none_or(|variant| variant == of),
                "the input contains {of} games: omit --variant or use --variant {of}"
            );
            let broken = |error: &dyn Display| RawInput::Broken("end".to_owned(), error.to_string());
            let next = move || match file.next() {
                Some(game) => Some(game.map_or_else(|error| broken(&error), |game| RawInput::SelfPlay(of, game))),
                None => std::mem::take(&mut file.is_truncated).then(|| broken(&TRUNCATED)),
            };
            Box::new(std::iter::from_fn(next).map(Ok))
        } else {
            skip_byte_order_mark(&mut input)?;
            if form == SourceForm::Records {
                Box::new(games_of_records(input))
            } else {
                Box::new(Requests::new(input, games, Shard::ALL).map(|raw| raw.map(RawInput::Pdn)))
            }
        };
        Ok(inputs.map(move |input| Ok(Self { name: name.clone(), input: input? })))
    }

    /// Parses the game. The variant is `variant` if the source does not name one.
    pub fn read(&self, variant: Option<Variant>) -> GameSource {
        let mut source = GameSource::default();
        let read = match &self.input {
            RawInput::SelfPlay(variant, game) => {
                source.id = format!("{}/{}", self.name, game.number);
                source.self_play(*variant, game)
            }
            RawInput::Pdn(raw) => {
                let (id, hash, request) = raw.read();
                (source.id, source.hash) = (format!("{}/{id}", self.name), hash);
                request
                    .map_err(|failure| failure.error)
                    .and_then(|request| source.pdn(request.subject(variant).map_err(|error| error.to_string())?))
            }
            RawInput::Records(game) => source.records(&self.name, game, variant),
            RawInput::Broken(id, error) => {
                source.id = format!("{}/{id}", self.name);
                Err(error.clone())
            }
        };
        source.fault = read.err().or(source.fault);
        if source.hash.is_empty() {
            source.hash = input_hash(&source.id);
        }
        source
    }
}

/// Groups records of consecutive positions into games.
fn games_of_records(mut file: impl BufRead) -> impl Iterator<Item = io::Result<RawInput>> {
    let is_blank = |line: &io::Result<Option<Vec<u8>>>| matches!(line, Ok(Some(line)) if line.trim_ascii().is_empty());
    let lines = std::iter::from_fn(move || next_line(&mut file, MAX_RECORD_BYTES).transpose());
    let lines = (1..).zip(lines).filter(move |(_, line)| !is_blank(line));
    let mut positions = lines.map(|(number, line)| Ok(read_record(number, line?))).peekable();
    std::iter::from_fn(move || {
        let mut game = match positions.next()? {
            Ok(Ok(first)) => vec![first],
            Ok(Err(broken)) => return Some(Ok(broken)),
            Err(error) => return Some(Err(error)),
        };
        let is_next = |game: &[ReadRecord], next: &io::Result<_>| matches!((next, game.last()), (Ok(Ok(next)), Some(last)) if follows(last, next));
        while let Some(Ok(Ok(next))) = positions.next_if(|next| is_next(&game, next)) {
            game.push(next);
        }
        Some(Ok(RawInput::Records(game)))
    })
}

impl GameSource {
    /// Returns the variant of the first position, or `None` if there is no position.
    pub fn variant(&self) -> Option<Variant> {
        self.steps.first().map(|step| step.game.variant())
    }

    fn self_play(&mut self, variant: Variant, game: &TrainingGame) -> Result<(), String> {
        let mut last = None;
        for record in &game.positions {
            let fen = FenRecord::from_setup(variant.spec(), &record.setup());
            let position =
                WrittenGame::from_start(variant, Some(&fen)).map_err(|error| GameError::from(error).to_string())?;
            let follows = last.is_some_and(|last: u16| last.checked_add(1) == Some(record.ply));
            last = Some(record.ply);
            let value = record.score.map(|score| value_of_evaluation(position.game(), score));
            self.steps.push(SourcePosition {
                game: position,
                value,
                quiet_value: None,
                follows,
                ply: record.ply.into(),
            });
        }
        Ok(())
    }

    fn pdn(&mut self, subject: RequestSubject) -> Result<(), String> {
        let RequestSubject::Game { record, variant, .. } = subject else { return Ok(()) };
        let parts = PlayableGame::parts(&record, variant).map_err(|error| error.to_string())?;
        for part in parts.iter().rev() {
            let mut position = part.played().clone();
            for index in (0..=part.moves().len()).rev() {
                self.steps.push(SourcePosition {
                    game: position.clone(),
                    value: None,
                    quiet_value: None,
                    follows: index > 0,
                    ply: part.first_ply() + index,
                });
                if index > 0 {
                    position.undo(1).map_err(|error| error.to_string())?;
                }
            }
        }
        self.steps.reverse();
        self.fault = parts.iter().find_map(PlayableGame::mistake).map(ToString::to_string);
        Ok(())
    }

    fn records(&mut self, name: &str, game: &[ReadRecord], variant: Option<Variant>) -> Result<(), String> {
        let Some(first) = game.first() else { return Ok(()) };
        let end = first.ply.map(|ply| format!("/{ply}"));
        let id = end.and_then(|end| first.id.strip_suffix(end.as_str())).unwrap_or(&first.id);
        self.id = format!("{name}/{id}");
        self.hash = first.input_hash.clone().unwrap_or_default();
        for record in game {
            if let Some(error) = &record.error {
                return Err(error.clone());
            }
            let named = record.variant.as_deref().or(variant.map(|variant| variant.name()));
            let (Some(variant), Some(fen)) = (named, &record.fen) else {
                return Err("the record has no field fen or no variant".to_owned());
            };
            self.steps.push(SourcePosition {
                game: position(variant, fen)?,
                value: record.lines.first().map(|line| line.score),
                quiet_value: record.static_value,
                follows: !self.steps.is_empty(),
                ply: record.ply.unwrap_or_default(),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_that_of_the_first_line() {
        let form = |bytes: &'static [u8]| SourceInput::new(Box::new(bytes)).unwrap().form;
        for (bytes, expected) in [
            (&b"SOFFDATA\x01"[..], SourceForm::SelfPlay),
            (b"{\"id\":\"a\",\"fen\":\"x\"}\n", SourceForm::Records),
            (b"\xef\xbb\xbf\n \r\n{ \"solution\" : []}", SourceForm::Puzzles),
            (b"{\"id\":\"a\",\"puzzles\":[]}\n", SourceForm::Puzzles),
            (b"\xff\xfe{\0\"\0p\0u\0z\0z\0l\0e\0s\0\"\0:\x001\0}\0\n\0", SourceForm::Puzzles),
            (b"{\"id\":\"a\",\"solution\":[\n{}", SourceForm::Puzzles),
            (b"{\"id\":\"a\",\n", SourceForm::Records),
            (b"{Exported}\n[White \"a\"]\n", SourceForm::Games),
            (b"{\n{}\n", SourceForm::Games),
            (b"", SourceForm::Games),
        ] {
            assert_eq!(form(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn an_overlong_line_is_not_a_record() {
        let long = io::repeat(b' ').take(MAX_RECORD_BYTES as u64 + 1);
        let read = games_of_records(io::BufReader::new(long)).next().unwrap().unwrap();
        assert!(matches!(read, RawInput::Broken(_, error) if error == "not a record: the line is too long"));
    }

    #[test]
    fn the_first_line_is_read_again() {
        let SourceInput { mut input, .. } = SourceInput::new(Box::new(&b"\na\nb\n"[..])).unwrap();
        let mut text = String::new();
        input.read_to_string(&mut text).unwrap();
        assert_eq!(text, "\na\nb\n");
    }
}
