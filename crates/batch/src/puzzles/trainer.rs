//! Lets a user solve puzzles interactively. The trainer takes input lines, returns text, and records which puzzles were
//! solved on the first attempt.

use super::collection::task;
use super::record::{PuzzleRecord, position};
use serde::{Deserialize, Serialize};
use soffio::notation::{MoveRecord, WrittenGame};
use soffio_support::words::counted;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Display;

const HELP: &str = "a move, hint (the piece that moves), solution, skip, board, score, quit";

/// An attempted puzzle, which is stored as a line of the score file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PuzzleAttempt {
    pub id: String,
    /// Whether the puzzle was solved on the first attempt, without a wrong move or a hint.
    pub solved: bool,
}

struct Current {
    puzzle: PuzzleRecord,
    game: WrittenGame,
    played: usize,
    is_clean: bool,
}

pub struct PuzzleTrainer {
    current: Option<Current>,
    left: VecDeque<PuzzleRecord>,
    all: usize,
    /// Maps the ID of each attempted puzzle to whether it was solved on the first attempt.
    tried: BTreeMap<String, bool>,
    output: String,
    /// Whether no puzzles are left, or the user has quit.
    pub is_over: bool,
}

impl PuzzleTrainer {
    pub fn new(puzzles: Vec<PuzzleRecord>, attempts: Vec<PuzzleAttempt>) -> Self {
        let tried: BTreeMap<_, _> = attempts.into_iter().rev().map(|attempt| (attempt.id, attempt.solved)).collect();
        let all = puzzles.len();
        let left = puzzles.into_iter().filter(|puzzle| !tried.contains_key(&puzzle.id)).collect();
        let mut trainer = Self { current: None, left, all, tried, output: String::new(), is_over: false };
        trainer.next();
        trainer
    }

    pub fn output(&mut self) -> String {
        std::mem::take(&mut self.output)
    }

    /// Executes an input line. Returns the attempt if the line decides whether the puzzle counts as solved.
    pub fn line(&mut self, line: &str) -> Option<PuzzleAttempt> {
        match line.trim() {
            "" => None,
            "help" => self.print(HELP),
            "quit" => {
                self.is_over = true;
                None
            }
            "score" => self.show_score(),
            "board" => self.show_board(),
            "hint" => self.hint(),
            "solution" => self.solution(),
            "skip" => {
                let skipped = self.current.take().map(|current| current.puzzle);
                self.left.extend(skipped);
                self.next()
            }
            text => self.play(text),
        }
    }

    fn print(&mut self, text: impl Display) -> Option<PuzzleAttempt> {
        self.output += &format!("{text}\n");
        None
    }

    fn show_score(&mut self) -> Option<PuzzleAttempt> {
        let (tried, all) = (self.tried.len(), self.all);
        let solved = self.tried.values().filter(|&&solved| solved).count();
        self.print(format_args!("{solved} of {tried} solved on the first attempt, {}", counted(all, "puzzle")))
    }

    fn show_board(&mut self) -> Option<PuzzleAttempt> {
        let Some(Current { puzzle, game, .. }) = &self.current else { return None };
        let task = task(puzzle, game.side());
        let text = format!("{}{}\n{task}, difficulty {}", game.drawing(), game.fen(), puzzle.difficulty);
        self.print(text)
    }

    /// Presents the next puzzle, or the score if no puzzles are left. Invalid puzzles were rejected when they were
    /// loaded.
    fn next(&mut self) -> Option<PuzzleAttempt> {
        self.current = self.left.pop_front().and_then(|puzzle| {
            let game = position(&puzzle.variant, &puzzle.fen).ok()?;
            Some(Current { puzzle, game, played: 0, is_clean: true })
        });
        if self.current.is_some() {
            return self.show_board();
        }
        self.is_over = true;
        self.print("no puzzles left");
        self.show_score()
    }

    /// Returns the next move of the solution, or `None` if the solution is complete.
    fn expected(current: &Current) -> Option<MoveRecord> {
        current.puzzle.solution.get(current.played)?.parse().ok()
    }

    fn play(&mut self, text: &str) -> Option<PuzzleAttempt> {
        let current = self.current.as_mut()?;
        let read = text.parse::<MoveRecord>().map_err(|error| error.to_string());
        let mut after = current.game.clone();
        let played = read.and_then(|record| after.play_record(&record).map_err(|error| error.to_string()));
        if let Err(error) = played {
            return self.print(format_args!("error {text}: {error}; {HELP}"));
        }
        let mut expected = current.game.clone();
        let is_right = Self::expected(current).is_some_and(|record| expected.play_record(&record).is_ok())
            && expected.game().key() == after.game().key();
        if !is_right {
            self.print(format_args!("{text} is not the solution"));
            return self.fail();
        }
        (current.game, current.played) = (after, current.played + 1);
        let Some(reply) = Self::expected(current) else { return self.finish("solved") };
        let answer = current.puzzle.solution.get(current.played).cloned().unwrap_or_default();
        if current.game.play_record(&reply).is_err() {
            return self.finish("solved");
        }
        current.played += 1;
        self.print(format_args!("correct; the reply is {answer}"));
        self.show_board()
    }

    fn hint(&mut self) -> Option<PuzzleAttempt> {
        let current = self.current.as_ref()?;
        let mut game = current.game.clone();
        let sequence = game.play_record(&Self::expected(current)?).ok()?;
        let square = current.game.spec().square_name(sequence.from);
        self.print(format_args!("move the piece on {square}"));
        self.fail()
    }

    fn solution(&mut self) -> Option<PuzzleAttempt> {
        let current = self.current.as_ref()?;
        let text = current.puzzle.solution.get(current.played..).unwrap_or_default().join(" ");
        self.print(text);
        let attempt = self.fail();
        self.finish("shown");
        attempt
    }

    /// Records that the current puzzle was not solved on the first attempt. Returns the attempt, or `None` if this has
    /// already been recorded.
    fn fail(&mut self) -> Option<PuzzleAttempt> {
        let current = self.current.as_mut()?;
        let was_clean = std::mem::replace(&mut current.is_clean, false);
        let id = current.puzzle.id.clone();
        was_clean.then(|| self.keep(id, false))
    }

    fn finish(&mut self, word: &str) -> Option<PuzzleAttempt> {
        let current = self.current.take()?;
        self.print(word);
        let attempt = current.is_clean.then(|| self.keep(current.puzzle.id, true));
        self.show_score();
        self.next();
        attempt
    }

    fn keep(&mut self, id: String, solved: bool) -> PuzzleAttempt {
        self.tried.insert(id.clone(), solved);
        PuzzleAttempt { id, solved }
    }
}
