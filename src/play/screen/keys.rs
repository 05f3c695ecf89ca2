//! The key map of the board.

use super::cursor::Direction;
use crate::play::{Order, Span, ViewCommand};
use crate::rules::Color;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key means while the board has the keyboard.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    /// Moves the cursor.
    Move(Direction),
    /// Chooses the square under the cursor.
    Choose,
    /// Gives up the move that was begun.
    Drop,
    /// Begins, goes on or pauses.
    StartOrPause,
    /// Something that the game does.
    Order(Order),
    /// Shows the game in another way.
    View(ViewCommand),
    /// Makes the delay longer or shorter by this many milliseconds.
    Delay(i64),
    /// Opens the line for typing with this text.
    Type(String),
    /// Opens the settings of a player.
    Player(Color),
    /// Opens the settings of the game.
    Game,
    /// Shows the keys.
    Help,
    /// Leaves, after a question if something is not saved.
    Leave,
    /// Leaves at once.
    LeaveNow,
}

/// What `key` means; nothing if it means nothing.
pub(super) fn action(key: KeyEvent) -> Option<Action> {
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('c') if is_control => Action::LeaveNow,
        _ if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => return None,
        KeyCode::Up => Action::Move(Direction::Up),
        KeyCode::Down => Action::Move(Direction::Down),
        KeyCode::Left => Action::Move(Direction::Left),
        KeyCode::Right => Action::Move(Direction::Right),
        KeyCode::Enter => Action::Choose,
        KeyCode::Esc => Action::Drop,
        KeyCode::Char(' ') => Action::StartOrPause,
        KeyCode::Char('u') | KeyCode::Backspace => Action::Order(Order::Undo(Span::Turn)),
        KeyCode::Char('U') => Action::Order(Order::Undo(Span::All)),
        KeyCode::Char('r') => Action::Order(Order::Redo(Span::Turn)),
        KeyCode::Char('R') => Action::Order(Order::Redo(Span::All)),
        KeyCode::Char('a') => Action::Order(Order::Restart),
        KeyCode::Char('h') => Action::Order(Order::Hint),
        KeyCode::Char('p') => Action::Order(Order::PlayForMe),
        KeyCode::Char('x') => Action::Order(Order::Swap),
        KeyCode::Char('f') => Action::View(ViewCommand::Flip),
        KeyCode::Char('n') => Action::View(ViewCommand::Numbers(None)),
        KeyCode::Char('t') => Action::View(ViewCommand::Thoughts(None)),
        KeyCode::Char('+') => Action::Delay(100),
        KeyCode::Char('-') => Action::Delay(-100),
        KeyCode::Char('w') => Action::Player(Color::White),
        KeyCode::Char('b') => Action::Player(Color::Black),
        KeyCode::Char('g') => Action::Game,
        KeyCode::Char('s') => Action::Type("save ".to_owned()),
        KeyCode::Char('l') => Action::Type("load ".to_owned()),
        KeyCode::Char('e') => Action::Type("fen ".to_owned()),
        KeyCode::Char(':' | '/') => Action::Type(String::new()),
        // No command begins with a digit, but most moves do.
        KeyCode::Char(digit @ '0'..='9') => Action::Type(digit.to_string()),
        KeyCode::Char('?') | KeyCode::F(1) => Action::Help,
        KeyCode::Char('q') => Action::Leave,
        _ => return None,
    })
}
