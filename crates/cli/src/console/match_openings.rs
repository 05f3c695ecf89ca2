//! The openings of a match.

use super::match_arguments::{GenerateSettings, MatchArguments, OpeningSource, Order};
use crate::arena::{Generator, Judge, Opening, built_in, read_openings};
use fastrand::Rng;
use soffio::engine::{Engine, Limits, Setting, Value};
use soffio::notation::{MoveRecord, WrittenGame};
use soffio::rules::Variant;
use std::fs;
use std::io::{self, Write};

/// Size in MiB of the table of a search that judges an opening.
const TABLE_MIB: usize = 1;

/// The default seed of the order of generated openings.
const SEED: u64 = 1;

/// Up to `count` openings of `variant`, of which there is at least one.
///
/// # Errors
/// When there are none, or no memory or threads to make them.
pub(super) fn openings(arguments: &MatchArguments, variant: Variant, count: usize) -> io::Result<Vec<Opening>> {
    let (order, seed) = (arguments.order(), arguments.seed.unwrap_or(SEED));
    let first = arguments.start as usize - 1;
    let source = arguments.opening_source();
    let mut openings = match &source {
        OpeningSource::Start => vec![Opening::default()],
        // These come in a random order, and in no other.
        &OpeningSource::Generate(settings) if order == Order::Random => {
            generate(variant, settings, count.saturating_add(first), seed)?
        }
        &OpeningSource::Generate(settings) => {
            let mut openings = generate(variant, settings, usize::MAX, seed)?;
            openings.sort_by_cached_key(ToString::to_string);
            openings
        }
        OpeningSource::BuiltIn(name) => {
            built_in(variant, name.as_deref()).map_err(|error| invalid(error.to_string()))?
        }
        OpeningSource::File(path) => {
            let wrong = |problem: String| invalid(format!("{}: {problem}", path.display()));
            let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
            let openings = read_openings(&text, arguments.plies.map(usize::from));
            openings.map_err(|error| wrong(error.to_string()))?
        }
    };
    if order == Order::Random && !matches!(source, OpeningSource::Generate(_)) {
        Rng::with_seed(seed).shuffle(&mut openings);
    }
    if first >= openings.len() {
        return Err(invalid(format!("--start {}: there are {} openings", arguments.start, openings.len())));
    }
    openings.rotate_left(first);
    openings.truncate(count);
    Ok(openings)
}

/// Prints all openings of `variant` that `settings` make, in the order of the lines, each on a line as files have them.
///
/// # Errors
/// When there are none, or no memory or threads to make them.
pub fn print_openings(variant: Variant, settings: GenerateSettings, most: Option<usize>) -> io::Result<()> {
    let mut lines: Vec<_> =
        generate(variant, settings, most.unwrap_or(usize::MAX), SEED)?.iter().map(ToString::to_string).collect();
    lines.sort();
    let mut output = io::stdout().lock();
    let most = most.map(|most| format!(" --most {most}")).unwrap_or_default();
    writeln!(output, "# {} openings: soffio openings {variant} {settings}{most}", lines.len())?;
    lines.iter().try_for_each(|line| writeln!(output, "{line}"))
}

fn generate(variant: Variant, settings: GenerateSettings, count: usize, seed: u64) -> io::Result<Vec<Opening>> {
    let GenerateSettings { plies, margin, depth, start } = settings;
    let generator = Generator { variant, plies, margin, seed, start };
    let openings = generator.openings(count, &mut SearchJudge::new(variant, depth)?);
    openings.map_err(|error| invalid(format!("openings: {error}")))
}

fn invalid(problem: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, problem)
}

/// Judges positions by a search of fixed depth, with a fresh table for each, so that a value does not depend on the searches
/// before it.
struct SearchJudge {
    game: WrittenGame,
    engine: Engine,
    depth: u8,
}

impl SearchJudge {
    fn new(variant: Variant, depth: u8) -> io::Result<Self> {
        let mut engine = Engine::new();
        engine.apply(Setting::Hash(TABLE_MIB)).map_err(io::Error::other)?;
        Ok(Self { game: WrittenGame::new(variant), engine, depth })
    }

    fn search(&mut self, opening: &Opening) -> Option<Value> {
        let records = opening.moves.iter().map(|text| text.parse::<MoveRecord>());
        let records = records.collect::<Result<Vec<_>, _>>().ok()?;
        self.game.set_position(opening.start.as_ref(), &records).ok()?;
        self.engine.forget();
        let limits = Limits { depth: Some(self.depth), ..self.engine.limits() };
        let answer = self.engine.go(self.game.game(), limits).ok()?;
        answer.best.is_some().then_some(answer.value)
    }
}

impl Judge for SearchJudge {
    fn value(&mut self, opening: &Opening) -> Option<i32> {
        match self.search(opening)? {
            Value::Centimen(value) => Some(i32::from(value)),
            Value::Win(_) | Value::Loss(_) => None,
        }
    }
}
