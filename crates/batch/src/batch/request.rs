//! Parses requests. A request is a JSON object that contains a position or a game, and specifies how to search it.

use anyhow::{Context, Result, anyhow, ensure};
use derive_more::Display;
use serde_json::Value;
use soffio::engine::{Limits, MAX_DEPTH, MAX_LINES};
use soffio::notation::pdn::{GameRecord, Guesses, PdnMove, PdnReader};
use soffio::notation::{FenRecord, GameError, MoveRecord, WrittenGame, printable};
use soffio::rules::Variant;
use soffio_support::json::Fields;
use soffio_support::record::{RecordFailure, RequestLimits, START, input_hash};
use soffio_support::stdio::BYTE_ORDER_MARK;
use std::num::{NonZeroU8, NonZeroU16, NonZeroU64};
use std::sync::Arc;

/// Maximum search time for a position in milliseconds: one day.
pub const MAX_MOVE_TIME: u64 = 86_400_000;

const FIELDS: [&str; 9] = ["id", "variant", "fen", "moves", "pdn", "plies", "limits", "multipv", "searchmoves"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchRequest {
    /// ID of the request; defaults to its number.
    pub id: Option<Id>,
    /// Name of the variant; defaults to the variant in the settings.
    pub variant: Option<String>,
    /// FEN of the position, or of the position in which `moves` begin; defaults to the start position.
    pub fen: Option<String>,
    /// Moves that lead to the position. They are needed to detect repetitions and draws by move count.
    pub moves: Option<Moves>,
    /// A game in PDN. All its positions are analysed.
    pub pdn: Option<String>,
    /// Whether `moves` is a whole game. If so, all its positions are analysed.
    pub plies: bool,
    pub limits: RequestLimits,
    pub multipv: Option<NonZeroU16>,
    pub searchmoves: Option<Moves>,
    /// Guesses for the variant of `pdn`, based on the other games in the file.
    pub guesses: Arc<Guesses>,
}

#[derive(Clone, Debug, Display, PartialEq, Eq)]
pub enum Id {
    Text(String),
    Number(i64),
}

impl Id {
    fn take(fields: &mut Fields) -> Result<Option<Self>> {
        fields.take("id", "a string or an integer", |value| match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            value => value.as_i64().map(Self::Number),
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moves {
    List(Vec<String>),
    Text(String),
}

impl Moves {
    fn take(fields: &mut Fields, name: &str) -> Result<Option<Self>> {
        fields.take(name, "a list of moves, or a string of moves separated by spaces", |value| match value {
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

    pub(super) fn to_list(&self) -> Vec<String> {
        self.texts().into_iter().map(str::to_owned).collect()
    }

    fn records(&self) -> Result<Vec<MoveRecord>> {
        let record = |text: &str| {
            PdnMove::new(text).record().map_err(|error| anyhow!("move {}: {error}", printable(text.chars())))
        };
        self.texts().into_iter().map(record).collect()
    }
}

#[derive(Clone, Debug)]
pub enum RequestSubject {
    /// The current position of this game.
    Position(Box<WrittenGame>),
    /// All positions of a game. `variant` applies if no tag names a variant.
    Game { record: Box<GameRecord>, variant: Option<Variant>, is_guess: bool },
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

fn limits(mut fields: Fields) -> Result<RequestLimits> {
    let limits = RequestLimits {
        depth: fields.number("depth", 1..=MAX_DEPTH.into())?.and_then(|plies| NonZeroU8::new(plies as u8)),
        nodes: fields.number("nodes", 1..=u64::MAX)?.and_then(NonZeroU64::new),
        movetime: fields.number("movetime", 1..=MAX_MOVE_TIME)?.and_then(NonZeroU64::new),
    };
    fields.end(&["depth", "nodes", "movetime"])?;
    Ok(limits)
}

impl BatchRequest {
    pub fn read(text: &str) -> Result<Self> {
        let mut fields = Fields::parse(without_mark(text))?;
        let limits = fields.object("limits")?.map(limits).transpose()?.unwrap_or_default();
        let multipv = fields.number("multipv", 1..=MAX_LINES)?;
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

    /// Returns the ID in the line `text`, or `None` if it has no ID or cannot be parsed.
    fn id_of(text: &str) -> Option<String> {
        let mut fields = Fields::parse_any(without_mark(text)).ok()?;
        Id::take(&mut fields).ok()?.map(|id| id.to_string())
    }

    pub(super) fn failure(text: &str, line: u64, error: impl ToString) -> RecordFailure {
        let id = Self::id_of(text).unwrap_or_else(|| line.to_string());
        RecordFailure { input_hash: Some(input_hash(text)), line: Some(line), ..RecordFailure::new(id, error) }
    }

    pub fn position(fen: &str) -> Self {
        Self { fen: Some(fen.to_owned()), ..Self::default() }
    }

    pub fn name(&self, number: u64) -> String {
        self.id.as_ref().map_or_else(|| number.to_string(), ToString::to_string)
    }

    /// Returns the text that is hashed for the records: the FEN and the moves after it, or the text of the game.
    pub fn text(&self) -> String {
        let start = self.fen.as_deref().unwrap_or(START);
        match (&self.pdn, &self.moves) {
            (Some(pdn), _) => pdn.clone(),
            (None, Some(moves)) => format!("{start} moves {}", moves.texts().join(" ")),
            (None, None) => start.to_owned(),
        }
    }

    /// Returns the position or the game. The variant is `default_variant` if the request does not name one. Fails if
    /// the request contains neither a position nor a game, if it contains both, or if the position or game is invalid.
    pub fn subject(&self, default_variant: Option<Variant>) -> Result<RequestSubject> {
        let unknown = |name: &String| anyhow!("unknown variant {}", printable(name.chars()));
        let named = |name: &String| Variant::any_named(name).ok_or_else(|| unknown(name));
        let variant = self.variant.as_ref().map(named).transpose()?.or(default_variant);
        if let Some(pdn) = &self.pdn {
            let is_alone = self.fen.is_none() && self.moves.is_none();
            ensure!(is_alone, "pdn cannot be combined with fen or moves");
            let games: Vec<_> = PdnReader::new(pdn).collect();
            let [game] =
                <[_; 1]>::try_from(games).map_err(|games| anyhow!("pdn: expected one game, found {}", games.len()))?;
            let record = Box::new(game.record);
            if let (Some(name), Some(requested), Ok(Some(played))) = (&self.variant, variant, record.variant()) {
                ensure!(requested == played, "the variant of the game is {played}, not {name}");
            }
            let is_named = variant.is_some() || record.variant() != Ok(None);
            let guess = if is_named { None } else { self.guesses.variant(&record) };
            return Ok(RequestSubject::Game { record, variant: variant.or(guess), is_guess: guess.is_some() });
        }
        ensure!(self.fen.is_some() || self.moves.is_some(), "expected one of the fields fen, moves and pdn");
        let variant = variant.context("no variant given: add the field variant")?;
        let fen = self.fen.as_deref().filter(|&fen| fen != START);
        if self.plies {
            let mut record = GameRecord::default();
            if let Some(fen) = fen {
                record.set_tag("FEN", fen.to_owned());
            }
            record.moves = self.moves.iter().flat_map(Moves::texts).map(PdnMove::new).collect();
            return Ok(RequestSubject::Game { record: Box::new(record), variant: Some(variant), is_guess: false });
        }
        let start = fen.map(str::parse::<FenRecord>).transpose().map_err(GameError::from)?;
        let mut game = WrittenGame::from_start(variant, start.as_ref()).map_err(GameError::from)?;
        if let Some(moves) = &self.moves {
            game.play(&moves.records()?)?;
        }
        Ok(RequestSubject::Position(Box::new(game)))
    }

    /// Returns the search limits of the request, with the search restricted to `searchmoves`.
    pub fn search_limits(&self, game: &WrittenGame, usual: &Limits) -> Result<Limits> {
        let records = self.searchmoves.as_ref().map(Moves::records).transpose()?.unwrap_or_default();
        Ok(Limits { root_moves: game.resolve(&records)?, ..usual.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_before_a_request_is_skipped() {
        let request = r#"{"id": 7, "fen": "startpos"}"#;
        let read = BatchRequest::read(&format!("{BYTE_ORDER_MARK}{request}")).unwrap();
        assert_eq!(read, BatchRequest::read(request).unwrap());
        assert_eq!(BatchRequest::id_of(&format!("{BYTE_ORDER_MARK}{request}")).as_deref(), Some("7"));
    }

    #[test]
    fn a_duplicate_field_does_not_hide_the_id() {
        let failure = BatchRequest::failure(r#"{"id": "d", "fen": "startpos", "fen": "startpos"}"#, 3, "");
        assert_eq!(failure.id, "d");
    }
}
