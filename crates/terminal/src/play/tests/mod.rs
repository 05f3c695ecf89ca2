//! Tests that drive the model with simulated time, as the front ends do. See also `tests/dialogues/play`.

pub(super) mod files;
mod lines;
mod time;

use super::command::{GameCommand, Span};
use super::lines::Dialogue;
use super::{GameChoice, GameEvent, Phase, PlayCommand, PlayGame, PlayView};
use crossbeam_channel::{Receiver, unbounded};
use soffio::engine::Event;
use soffio::rules::{Color, Variant};
use std::time::{Duration, Instant};

/// Maximum time for an engine reply in these tests.
pub(super) const TIMEOUT: Duration = Duration::from_secs(600);

pub(super) fn game(variant: Variant, white: &str, black: &str) -> (PlayGame, Receiver<Event>) {
    let (sender, events) = unbounded();
    let players = [white, black].map(|player| player.parse().unwrap());
    (PlayGame::new(GameChoice::new(variant), players, sender).unwrap(), events)
}

struct Driver {
    game: PlayGame,
    events: Receiver<Event>,
    now: Instant,
}

impl Driver {
    fn new(variant: Variant, white: &str, black: &str) -> Self {
        let (game, events) = game(variant, white, black);
        Self { game, events, now: Instant::now() }
    }

    fn after(&mut self, milliseconds: u64) -> &mut Self {
        self.now += Duration::from_millis(milliseconds);
        self
    }

    fn send(&mut self, line: &str) -> Result<String, String> {
        let command = match PlayCommand::read(line).map_err(|error| error.to_string())? {
            Some(PlayCommand::Game(command)) => command,
            other => panic!("{other:?}"),
        };
        self.game.execute(command, self.now).map_err(|error| error.to_string())
    }

    fn play(&mut self, lines: &[&str]) -> &mut Self {
        for line in lines {
            self.send(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            self.settle();
        }
        self
    }

    fn settle(&mut self) -> &mut Self {
        while self.game.is_busy() {
            match self.game.move_at() {
                Some(at) => {
                    self.now = self.now.max(at);
                    self.game.tick(self.now);
                }
                None => self.event(),
            }
        }
        self
    }

    fn event(&mut self) {
        let event = self.events.recv_timeout(TIMEOUT).unwrap();
        self.game.event(event, self.now);
    }

    fn moves(&self) -> Vec<&str> {
        self.game.record.played().iter().map(|ply| ply.text.as_str()).collect()
    }

    fn fen(&self) -> String {
        self.game.record.board.fen().to_string()
    }
}

#[test]
fn many_moves_are_undone_and_redone() {
    let mut driver = Driver::new(Variant::International, "human", "human");
    let mut fens = vec![driver.fen()];
    for ply in 0..40 {
        let legal = driver.game.record.legal();
        let mv = legal[(ply * 7) % legal.len()].text.clone();
        driver.play(&[&mv]);
        fens.push(driver.fen());
    }
    for ply in (0..40).rev() {
        driver.play(&["undo"]);
        assert_eq!(driver.fen(), fens[ply]);
    }
    driver.play(&["redo 25"]);
    assert_eq!(driver.fen(), fens[25]);
    assert_eq!(driver.send("redo 16"), Err("only 15 moves can be redone".to_owned()));
    assert_eq!(driver.send("undo 26"), Err("only 25 moves can be undone".to_owned()));
    assert_eq!(driver.fen(), fens[25]);
    driver.play(&["redo all"]);
    assert_eq!(driver.fen(), fens[40]);
    driver.play(&["undo 30", "undo all"]);
    assert_eq!(driver.fen(), fens[0]);
    driver.play(&["restart", "redo all", "restart"]);
    assert_eq!((driver.fen(), driver.game.phase), (fens[0].clone(), Phase::Ready));
    // A new move discards the undone moves.
    driver.play(&["redo 3", "undo"]);
    let mv = driver.game.record.legal()[0].text.clone();
    driver.play(&[&mv]);
    assert!(driver.game.record.undone().is_empty());
}

#[test]
fn a_pause_a_swap_or_a_move_stops_the_search() {
    let mut driver = Driver::new(Variant::Italian, "human", "movetime=60000");
    driver.send("21-17").unwrap();
    assert!(driver.game.is_busy() && driver.game.engine_is_to_move());
    assert_eq!(driver.send("22-18"), Err("it is black's turn, and black is played by the engine".to_owned()));
    driver.send("pause").unwrap();
    driver.settle().after(5000);
    assert_eq!((driver.moves(), driver.game.phase), (vec!["21-17"], Phase::Paused));
    assert_eq!(driver.game.time_used(Color::Black, driver.now), Duration::ZERO);
    driver.send("start").unwrap();
    driver.play(&["swap"]);
    assert_eq!((driver.moves(), driver.game.engine_is_to_move()), (vec!["21-17"], false));
    // After a swap it may be the engine's turn.
    let mut driver = Driver::new(Variant::Italian, "human", "level=easy");
    driver.play(&["21-17", "swap"]);
    assert_eq!((driver.moves().len(), driver.game.record.side()), (3, Color::Black));
    // If the human player moves while the engine searches for that move, the search result is discarded.
    let mut driver = Driver::new(Variant::Italian, "human", "level=easy");
    driver.send("play").unwrap();
    assert_eq!(driver.send("hint"), Err("the engine is thinking about your move".to_owned()));
    driver.play(&["21-17"]);
    assert_eq!((driver.moves().len(), driver.moves()[0]), (2, "21-17"));
}

#[test]
fn engine_moves_respect_the_delay() {
    let mut driver = Driver::new(Variant::Italian, "human", "level=easy");
    driver.play(&["delay 1500"]);
    driver.send("21-17").unwrap();
    while driver.game.deadline().is_none() {
        driver.event();
    }
    assert_eq!(driver.game.deadline(), Some(driver.now + Duration::from_millis(1500)));
    let now = driver.after(1499).now;
    driver.game.tick(now);
    assert_eq!(driver.moves().len(), 1);
    let now = driver.after(1).now;
    driver.game.tick(now);
    assert_eq!(driver.moves().len(), 2);
    assert_eq!(driver.game.time_used(Color::Black, driver.now), Duration::from_millis(1500));
}

#[test]
fn time_counts_for_the_side_to_move() {
    let mut driver = Driver::new(Variant::Italian, "human", "human");
    driver.after(9000).play(&["21-17"]).after(2000).play(&["10-13"]).after(3000);
    let used = |driver: &Driver| {
        [Color::White, Color::Black].map(|color| driver.game.time_used(color, driver.now).as_millis())
    };
    assert_eq!(used(&driver), [3000, 2000]);
    driver.play(&["pause"]).after(7000);
    assert_eq!(used(&driver), [3000, 2000]);
    driver.play(&["start"]).after(1000);
    assert_eq!(used(&driver), [4000, 2000]);
    driver.play(&["17x10"]).after(500);
    assert_eq!(used(&driver), [4000, 2500]);
    driver.play(&["undo 2"]).after(100);
    assert_eq!(used(&driver), [0, 100]);
    driver.play(&["redo 1"]);
    assert_eq!(used(&driver), [0, 2000]);
}

#[test]
fn a_player_with_excessive_settings_is_rejected() {
    // Some systems promise more memory than they have.
    soffio::system::set_available_memory(|| Some(1 << 30));
    let mut driver = Driver::new(Variant::English, "human", "level=easy");
    let refused = driver.game.execute(GameCommand::Player(Color::White, "hash=33554432".parse().unwrap()), driver.now);
    assert_eq!(refused.unwrap_err().to_string(), "option Hash: cannot allocate a table of 33554432 MiB");
    assert!(driver.game.player(Color::White).is_human());
}

#[test]
fn random_commands_leave_a_playable_game() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut driver = Driver::new(Variant::English, "human", "level=easy");
    for _ in 0..400 {
        let command = match random.u8(0..17) {
            0..=4 => {
                let legal = driver.game.record.legal();
                let Some(mv) = legal.get(random.usize(0..legal.len().max(1))) else { continue };
                GameCommand::Move(mv.text.parse().unwrap())
            }
            5 => GameCommand::Undo(Span::Turn),
            6 => GameCommand::Undo(Span::Plies(random.usize(0..4))),
            7 => GameCommand::Redo(Span::Turn),
            8 => GameCommand::Redo(Span::Plies(random.usize(0..4))),
            9 => GameCommand::Start,
            10 => GameCommand::Pause,
            11 => GameCommand::Swap,
            12 => GameCommand::PlayForMe,
            13 => GameCommand::Hint,
            14 => {
                let player = ["human", "level=easy", "depth=1"][random.usize(0..3)];
                GameCommand::Player(Color::White, player.parse().unwrap())
            }
            15 => GameCommand::TimeControl(["0.01", "5+3", "off"][random.usize(0..3)].parse().ok()),
            _ => GameCommand::Restart,
        };
        // Many commands are rejected here. A rejected command must not change anything.
        let before = (driver.fen(), driver.game.phase, driver.game.is_busy());
        if driver.game.execute(command, driver.now).is_err() {
            assert_eq!((driver.fen(), driver.game.phase, driver.game.is_busy()), before);
        }
        if random.bool() {
            driver.settle();
            assert!(!driver.game.engine_is_to_move());
        }
        let fault = driver.game.game_events().find(|event| matches!(event, GameEvent::Fault(_)));
        assert_eq!(fault, None);
    }
}

#[test]
fn random_lines_never_break_the_line_mode() {
    let plain = "undo redo all start pause restart swap hint play white black human depth=1 computer level=easy \
        nodes=9 delay 0 1 -1 99999999999999999999 variant english frisian turkish capture optional forced fen \
        W:WK1:BK32 B:W31:BK2,3 W:W:B load /no/such/folder/file board on off moves history status flip \
        numbers thoughts eval tc 5+3 0.001 help 22-18 11-15 a3-b4 x 1x , =";
    let others = ["save /no/such/folder/file", "replace /no/such/folder/file", "\"", "é\u{0}\u{1b}[2J", "\u{202e}"];
    let words: Vec<_> = plain.split_whitespace().chain(others).collect();
    let mut random = fastrand::Rng::with_seed(11);
    let (game, events) = game(Variant::English, "human", "depth=1");
    let mut dialogue = Dialogue::new(game, PlayView::default(), false);
    let mut now = Instant::now();
    for _ in 0..500 {
        let line: Vec<_> = (0..random.usize(0..4)).map(|_| words[random.usize(0..words.len())]).collect();
        dialogue.line(&line.join(" "), now);
        now += Duration::from_millis(random.u64(0..50));
        dialogue.tick(now);
        events.try_iter().for_each(|event| dialogue.event(event, now));
        // The output must not contain escape sequences.
        assert!(!dialogue.output().contains('\u{1b}'));
    }
    dialogue.line("pause", now);
    dialogue.line("quit", now);
    while !dialogue.is_over() {
        dialogue.event(events.recv_timeout(TIMEOUT).unwrap(), now);
    }
}
