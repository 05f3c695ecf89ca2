//! Requests: a JSON object that names a position or a game, and how it is to be searched.

use crate::record::{Failure, RequestLimits, input_hash};
use anyhow::{Context, Result, anyhow, ensure};
use derive_more::Display;
use serde::Deserialize;
use soffio::engine::Limits;
use soffio::notation::pdn::{GameRecord, Guesses, PdnMove, PdnReader};
use soffio::notation::{FenRecord, MoveRecord, WrittenGame, printable};
use soffio::rules::Variant;
use std::num::NonZeroU16;
use std::sync::Arc;

/// The longest time for a position in milliseconds: a day.
const LONGEST_TIME: u64 = 86_400_000;

/// Most lines that can be asked for.
const MOST_LINES: u16 = 256;

/// The name of the start position in place of its FEN.
const START: &str = "startpos";

/// A request for a judgement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
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
    #[serde(default)]
    pub plies: bool,
    /// The limits of the search of each position; without any those of the settings.
    #[serde(default)]
    pub limits: RequestLimits,
    /// Lines that are found for each position; without it as many as the settings say.
    pub multipv: Option<NonZeroU16>,
    /// The only moves of the position to look at.
    pub searchmoves: Option<Moves>,
    /// What the other games of the file show of the variant of `pdn`.
    #[serde(skip)]
    pub(crate) guesses: Arc<Guesses>,
}

/// A text or a whole number.
#[derive(Clone, Debug, Display, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "id: expected a text or a whole number")]
pub enum Id {
    Text(String),
    Number(i64),
}

/// Some moves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "moves: expected a list of moves, or a text with spaces between them")]
pub enum Moves {
    List(Vec<String>),
    /// With spaces between them.
    Text(String),
}

impl Moves {
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

impl Request {
    /// The request that the line `text` makes.
    ///
    /// # Errors
    /// When it is no JSON object of the right form, or a number is out of its range.
    pub fn read(text: &str) -> Result<Self> {
        // It is one line of many: that it is the first one says nothing.
        let broken = |error: serde_json::Error| anyhow!(error.to_string().replace(" at line 1 column ", " at column "));
        let request: Self = serde_json::from_str(text).map_err(broken)?;
        let is_short = request.limits.movetime.is_none_or(|time| time.get() <= LONGEST_TIME);
        ensure!(is_short, "movetime: at most {LONGEST_TIME}");
        ensure!(request.multipv.is_none_or(|lines| lines.get() <= MOST_LINES), "multipv: at most {MOST_LINES}");
        Ok(request)
    }

    /// The name that the line `text` gives its records, if so much of it can be read.
    pub fn id_of(text: &str) -> Option<String> {
        #[derive(Deserialize)]
        struct Named {
            id: Id,
        }
        serde_json::from_str::<Named>(text).ok().map(|named| named.id.to_string())
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
