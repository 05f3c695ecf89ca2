//! Requests: a JSON object that names a position or a game, and how it is to be searched.

use anyhow::{Context, Result, anyhow, ensure};
use derive_more::Display;
use serde_json::Value;
use soffio::engine::Limits;
use soffio::notation::pdn::{GameRecord, Guesses, PdnMove, PdnReader};
use soffio::notation::{FenRecord, MoveRecord, WrittenGame, printable};
use soffio::rules::Variant;
use soffio_support::json::Fields;
use soffio_support::record::{Failure, RequestLimits, START, input_hash};
use soffio_support::stdio::MARK;
use std::num::{NonZeroU8, NonZeroU16, NonZeroU64};
use std::sync::Arc;

/// The longest time for a position in milliseconds: a day.
const LONGEST_TIME: u64 = 86_400_000;

/// Most lines that can be asked for.
const MOST_LINES: u64 = 256;

/// The names of the fields of a request.
const FIELDS: [&str; 9] = ["id", "variant", "fen", "moves", "pdn", "plies", "limits", "multipv", "searchmoves"];

/// A request for a judgement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The name of the records; without it by the number of the request.
    pub id: Option<Id>,
    /// The game; without it the one of the settings.
    pub variant: Option<String>,
    /// The position, or that where `moves` begin; without it the start position.
    pub fen: Option<String>,
    /// Moves to the position, with which repetitions and draws by counts are known.
    pub moves: Option<Moves>,
    /// The text of a game in Portable Draughts Notation, all of whose positions are judged.
    pub pdn: Option<String>,
    /// True if `moves` are a game, all of whose positions are judged.
    pub plies: bool,
    /// The limits of the search of each position; without any those of the settings.
    pub limits: RequestLimits,
    /// Lines that are found for each position; without it as many as the settings say.
    pub multipv: Option<NonZeroU16>,
    /// The only moves of the position to look at.
    pub searchmoves: Option<Moves>,
    /// What the other games of the file show of the variant of `pdn`.
    pub guesses: Arc<Guesses>,
}

/// A text or a whole number.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
pub enum Id {
    Text(String),
    Number(i64),
}

impl Id {
    /// Takes the field with the name of a request.
    fn take(fields: &mut Fields) -> Result<Option<Self>> {
        fields.take("id", "a text or a whole number", |value| match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            value => value.as_i64().map(Self::Number),
        })
    }
}

/// Some moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moves {
    List(Vec<String>),
    /// With spaces between them.
    Text(String),
}

impl Moves {
    /// Takes the moves of the field `name`.
    fn take(fields: &mut Fields, name: &str) -> Result<Option<Self>> {
        fields.take(name, "a list of moves, or a text with spaces between them", |value| match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Array(moves) => {
                let texts = moves.iter().map(|mv| mv.as_str().map(str::to_owned));
                texts.collect::<Option<_>>().map(Self::List)
            }
            _ => None,
        })
    }

    fn texts(&self) -> Vec<&str> {
        match self {
            Self::List(moves) => moves.iter().map(String::as_str).collect(),
            Self::Text(moves) => moves.split_whitespace().collect(),
        }
    }

    /// The moves, as far as they can be read.
    fn records(&self) -> Result<Vec<MoveRecord>> {
        let record = |text: &str| text.parse().map_err(|error| anyhow!("move {}: {error}", printable(text.chars())));
        self.texts().into_iter().map(record).collect()
    }
}

/// The subject of a request.
#[derive(Clone, Debug)]
pub enum Subject {
    /// The current position of this game.
    Position(Box<WrittenGame>),
    /// All positions of this game, which is of the variant if its tags do not say another one.
    Game { record: Box<GameRecord>, variant: Option<Variant>, is_guess: bool },
}

/// `text` without a byte order mark before it.
fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// The limits with these fields.
fn limits(mut fields: Fields) -> Result<RequestLimits> {
    let limits = RequestLimits {
        depth: fields.number("depth", 1..=u8::MAX.into())?.and_then(|plies| NonZeroU8::new(plies as u8)),
        nodes: fields.number("nodes", 1..=u64::MAX)?.and_then(NonZeroU64::new),
        movetime: fields.number("movetime", 1..=LONGEST_TIME)?.and_then(NonZeroU64::new),
    };
    fields.end(&["depth", "nodes", "movetime"])?;
    Ok(limits)
}

impl Request {
    /// The request that the line `text` makes.
    ///
    /// # Errors
    /// When it is no JSON object of the right form, or a number is out of its range.
    pub fn read(text: &str) -> Result<Self> {
        let mut fields = Fields::parse(without_mark(text))?;
        let limits = fields.object("limits")?.map(limits).transpose()?.unwrap_or_default();
        let multipv = fields.number("multipv", 1..=MOST_LINES)?;
        let request = Self {
            id: Id::take(&mut fields)?,
            variant: fields.text("variant")?,
            fen: fields.text("fen")?,
            moves: Moves::take(&mut fields, "moves")?,
            pdn: fields.text("pdn")?,
            plies: fields.take("plies", "true or false", Value::as_bool)?.unwrap_or_default(),
            limits,
            multipv: multipv.and_then(|lines| NonZeroU16::new(lines as u16)),
            searchmoves: Moves::take(&mut fields, "searchmoves")?,
            guesses: Arc::default(),
        };
        fields.end(&FIELDS)?;
        Ok(request)
    }

    /// The name that the line `text` gives its records, if so much of it can be read.
    pub fn id_of(text: &str) -> Option<String> {
        let mut fields = Fields::parse(without_mark(text)).ok()?;
        Id::take(&mut fields).ok()?.map(|id| id.to_string())
    }

    /// The reason why there is no record for `text`, the line with the number `line`.
    pub(super) fn failure(text: &str, line: u64, error: impl ToString) -> Failure {
        let id = Self::id_of(text).unwrap_or_else(|| line.to_string());
        Failure { input_hash: Some(input_hash(text)), line: Some(line), ..Failure::new(id, error) }
    }

    /// A request for the position `fen`.
    pub fn position(fen: &str) -> Self {
        Self { fen: Some(fen.to_owned()), ..Self::default() }
    }

    /// The name of its records; `number` is the number of the request.
    pub fn name(&self, number: u64) -> String {
        self.id.as_ref().map_or_else(|| number.to_string(), ToString::to_string)
    }

    /// The text whose hash the records have: the FEN, the moves after it, or the text of the game.
    pub fn text(&self) -> String {
        let start = self.fen.as_deref().unwrap_or(START);
        match (&self.pdn, &self.moves) {
            (Some(pdn), _) => pdn.clone(),
            (None, Some(moves)) => format!("{start} moves {}", moves.texts().join(" ")),
            (None, None) => start.to_owned(),
        }
    }

    /// The position or game that it is about, of the variant `otherwise` if it names none.
    ///
    /// # Errors
    /// When it names none or two, or one that is impossible.
    pub fn subject(&self, otherwise: Option<Variant>) -> Result<Subject> {
        let unknown = |name: &String| anyhow!("variant {} is not known", printable(name.chars()));
        let named = |name: &String| Variant::named(name).ok_or_else(|| unknown(name));
        let variant = self.variant.as_ref().map(named).transpose()?.or(otherwise);
        if let Some(pdn) = &self.pdn {
            let is_alone = self.fen.is_none() && self.moves.is_none();
            ensure!(is_alone, "a game in pdn has its position and its moves there");
            let games: Vec<_> = PdnReader::new(pdn).collect();
            let [game] = <[_; 1]>::try_from(games)
                .map_err(|games| anyhow!("pdn: {} games where one is expected", games.len()))?;
            let record = Box::new(game.map_err(|error| anyhow!("pdn: {error}"))?.record);
            let is_named = variant.is_some() || record.variant() != Ok(None);
            let guess = if is_named { None } else { self.guesses.variant(&record) };
            return Ok(Subject::Game { record, variant: variant.or(guess), is_guess: guess.is_some() });
        }
        ensure!(self.fen.is_some() || self.moves.is_some(), "expected one of fen, moves and pdn");
        let variant = variant.context("nothing says which variant it is")?;
        let fen = self.fen.as_deref().filter(|&fen| fen != START);
        if self.plies {
            let mut record = GameRecord::default();
            if let Some(fen) = fen {
                record.set_tag("FEN", fen.to_owned());
            }
            record.moves = self.moves.iter().flat_map(Moves::texts).map(PdnMove::new).collect();
            return Ok(Subject::Game { record: Box::new(record), variant: Some(variant), is_guess: false });
        }
        let start = fen.map(str::parse::<FenRecord>).transpose().map_err(|error| anyhow!("fen {error}"))?;
        let mut game = WrittenGame::at(variant, start.as_ref()).map_err(|error| anyhow!("fen {error}"))?;
        if let Some(moves) = &self.moves {
            game.play(&moves.records()?)?;
        }
        Ok(Subject::Position(Box::new(game)))
    }

    /// The limits that it sets for the search of the position of `game`, in place of `usual`.
    ///
    /// # Errors
    /// When a move that it names is not legal.
    pub fn search_limits(&self, game: &WrittenGame, usual: &Limits) -> Result<Limits> {
        let records = self.searchmoves.as_ref().map(Moves::records).transpose()?.unwrap_or_default();
        Ok(Limits { root_moves: game.meant(&records)?, ..usual.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_before_a_request_is_skipped() {
        let request = r#"{"id": 7, "fen": "startpos"}"#;
        let read = Request::read(&format!("{MARK}{request}")).unwrap();
        assert_eq!(read, Request::read(request).unwrap());
        assert_eq!(Request::id_of(&format!("{MARK}{request}")).as_deref(), Some("7"));
    }
}
