//! The mode `annotate`: games from a file, judged.

use super::annotate_arguments::AnnotateArguments;
use super::annotate_page::Page;
use super::annotate_progress::Progress;
use super::score_plot::score_curve;
use crate::annotate::{Analysis, Analyst, AnnotateError, PlayableGame, Summary, annotate};
use crate::notation::pdn::{GameRecord, Games, PdnText, ReadGame, decode};
use crate::stop::Stop;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// Annotates the games that `arguments` name, and says on standard error how each was played. Returns whether all of
/// them could be read and judged.
///
/// # Errors
/// When there are no such games, or files cannot be read or written.
pub fn annotate_games(arguments: &AnnotateArguments) -> io::Result<bool> {
    let file = read(&arguments.file)?;
    let (games, last) = count(&file, arguments);
    let name = arguments.file.display();
    match (games, last) {
        (_, 0) => return Err(io::Error::other(format!("{name}: there is no game in it"))),
        (0, last) => return Err(io::Error::other(format!("{name}: there is no such game, the last is {last}"))),
        _ => {}
    }
    let output: Box<dyn Write> = match &arguments.out {
        None => Box::new(io::stdout()),
        Some(path) => {
            let created = OpenOptions::new().write(true).create_new(true).open(path);
            Box::new(created.map_err(|error| of_file(path, &error))?)
        }
    };
    let stop = Stop::new();
    let on_signal = stop.clone();
    ctrlc::set_handler(move || on_signal.stop()).map_err(io::Error::other)?;
    let mut work = Work {
        arguments,
        file: &file,
        analyst: Analyst::new(arguments.effort(), arguments.thresholds(), stop),
        progress: Progress::new(games),
        output,
        page: Page::default(),
        games,
        done: 0,
    };
    let finished = work.annotate_all()?;
    work.finish(finished)?;
    Ok(work.done == games)
}

/// The error `problem` with the file `path`.
fn of_file(path: &Path, problem: &dyn ToString) -> io::Error {
    io::Error::other(format!("{}: {}", path.display(), problem.to_string()))
}

/// The text of the file `path`; that of standard input if it is a hyphen.
fn read(path: &Path) -> io::Result<PdnText> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().read_to_end(&mut bytes)?;
    } else {
        bytes = fs::read(path).map_err(|error| of_file(path, &error))?;
    }
    Ok(decode(&bytes))
}

/// How many games of the file are asked for, and how many it has.
fn count(file: &PdnText, arguments: &AnnotateArguments) -> (usize, usize) {
    let numbers = Games::new(&file.text).map(|game| game.map_or_else(|error| error.game, |game| game.number));
    numbers.fold((0, 0), |(asked_for, _), number| (asked_for + usize::from(arguments.is_asked_for(number)), number))
}

/// The games of a file on their way.
struct Work<'a> {
    arguments: &'a AnnotateArguments,
    file: &'a PdnText,
    analyst: Analyst,
    progress: Progress,
    output: Box<dyn Write>,
    page: Page,
    /// Games that are asked for.
    games: usize,
    /// Games that were judged.
    done: usize,
}

impl Work<'_> {
    /// Annotates all games; returns whether none was left out because of a signal.
    fn annotate_all(&mut self) -> io::Result<bool> {
        for game in Games::new(&self.file.text) {
            let number = game.as_ref().map_or_else(|error| error.game, |game| game.number);
            if !self.arguments.is_asked_for(number) {
                continue;
            }
            match game {
                Err(error) => self.say_fault(&error),
                Ok(game) => {
                    if !self.annotate_one(game)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Annotates a game and writes it; as it was if it cannot be played. Returns false when a signal came before.
    fn annotate_one(&mut self, game: ReadGame) -> io::Result<bool> {
        let ReadGame { number, mut record, place, moves } = game;
        self.progress.game(moves.len() + 1);
        match self.analyse(&record) {
            Ok(analysis) => {
                self.draw(number, &record, &analysis)?;
                let title = title(number, &record);
                if record.moves.is_empty() {
                    self.progress.say(&format!("{title}: no moves"));
                } else {
                    annotate(&mut record, &analysis);
                    self.progress.say(&format!("{title}: {}", Summary::from(&analysis)));
                }
                self.done += 1;
            }
            Err(AnnotateError::Stopped) => return Ok(false),
            Err(error @ AnnotateError::Engine(_)) => return Err(io::Error::other(error)),
            Err(error) => {
                let place = error.move_index().and_then(|index| moves.get(index)).copied().unwrap_or(place);
                let hint = if error == AnnotateError::NoVariant { " (--variant)" } else { "" };
                self.say_fault(&format!("game {number}, {place}: {error}{hint}"));
            }
        }
        self.output.write_all(&self.file.encode(&record.to_string()))?;
        self.output.flush()?;
        Ok(true)
    }

    fn analyse(&mut self, record: &GameRecord) -> Result<Analysis, AnnotateError> {
        let game = PlayableGame::new(record, self.arguments.variant)?;
        self.analyst.analyse(game, &mut || self.progress.position())
    }

    fn draw(&mut self, number: usize, record: &GameRecord, analysis: &Analysis) -> io::Result<()> {
        let file = self.arguments.curve_file(number, self.games == 1);
        if file.is_none() && self.arguments.html.is_none() {
            return Ok(());
        }
        let title = title(number, record);
        let curve = score_curve(&title, analysis).map_err(io::Error::other)?;
        if let Some(path) = file {
            fs::write(&path, &curve).map_err(|error| of_file(&path, &error))?;
        }
        self.page.add(&title, record, analysis, &curve);
        Ok(())
    }

    fn say_fault(&self, fault: &dyn ToString) {
        self.progress.say(&format!("{}: {}", self.arguments.file.display(), fault.to_string()));
    }

    /// Writes the page, and says what is missing.
    fn finish(&mut self, finished: bool) -> io::Result<()> {
        if let Some(path) = &self.arguments.html {
            let page = self.page.text(&self.arguments.file.display().to_string());
            fs::write(path, page).map_err(|error| of_file(path, &error))?;
        }
        if self.done < self.games {
            let why = if finished { "the others cannot be read" } else { "then stopped" };
            self.progress.say(&format!("{} of {} games annotated, {why}", self.done, self.games));
        }
        Ok(())
    }
}

/// What a game is called: its number, players and result.
fn title(number: usize, record: &GameRecord) -> String {
    let name = |tag: &str| record.tag(tag).filter(|name| !name.is_empty()).unwrap_or("?").to_owned();
    format!("game {number}, {} - {}, {}", name("White"), name("Black"), record.result_text())
}
