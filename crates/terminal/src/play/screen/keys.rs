//! The key bindings of the board, and the list of keys.

use crate::play::grid::{Arrow, DOWN, LEFT, RIGHT, UP};
use crate::play::{GameCommand, Span, ViewCommand};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use soffio::rules::Color;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    Move(Arrow),
    Choose,
    Drop,
    StartOrPause,
    Command(GameCommand),
    View(ViewCommand),
    /// Changes the delay by this many milliseconds.
    Delay(i64),
    Type(String),
    Player(Color),
    Game,
    Help,
    Leave,
    LeaveNow,
}

/// Returns the action of `key`, or `None` if the key has no action.
///
/// The key bindings are the same in all variants. A command letter always works with Ctrl. It also works on its own,
/// unless a square name can start with this letter.
pub(super) fn action(key: KeyEvent) -> Option<Action> {
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    if key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    Some(match key.code {
        KeyCode::Char(letter) if is_control => return of_letter(letter.to_ascii_lowercase()),
        _ if is_control => return None,
        KeyCode::Up => Action::Move(UP),
        KeyCode::Down => Action::Move(DOWN),
        KeyCode::Left => Action::Move(LEFT),
        KeyCode::Right => Action::Move(RIGHT),
        KeyCode::Enter => Action::Choose,
        KeyCode::Esc => Action::Drop,
        KeyCode::F(1) => Action::Help,
        KeyCode::Backspace => Action::Command(GameCommand::Undo(Span::Turn)),
        KeyCode::Char(first) if begins_square(first) => Action::Type(first.to_string()),
        KeyCode::Char(' ') => Action::StartOrPause,
        KeyCode::Char('U') => Action::Command(GameCommand::Undo(Span::All)),
        KeyCode::Char('R') => Action::Command(GameCommand::Redo(Span::All)),
        KeyCode::Char('+') => Action::Delay(100),
        KeyCode::Char('-') => Action::Delay(-100),
        KeyCode::Char(':' | '/') => Action::Type(String::new()),
        KeyCode::Char('?') => Action::Help,
        KeyCode::Char(letter) => return of_letter(letter),
        _ => return None,
    })
}

/// Returns true if a square name can start with `first`. Names start with a digit or with a letter up to `l`; larger
/// boards use numbers.
fn begins_square(first: char) -> bool {
    first.is_ascii_digit() || matches!(first.to_ascii_lowercase(), 'a'..='l')
}

fn of_letter(letter: char) -> Option<Action> {
    Some(match letter {
        'u' => Action::Command(GameCommand::Undo(Span::Turn)),
        'r' => Action::Command(GameCommand::Redo(Span::Turn)),
        'a' => Action::Command(GameCommand::Restart),
        'h' => Action::Command(GameCommand::Hint),
        'p' => Action::Command(GameCommand::PlayForMe),
        'x' => Action::Command(GameCommand::Swap),
        'f' => Action::View(ViewCommand::Flip),
        'n' => Action::View(ViewCommand::Numbers(None)),
        't' => Action::View(ViewCommand::Thoughts(None)),
        'v' => Action::View(ViewCommand::Evaluation(None)),
        'w' => Action::Player(Color::White),
        'b' => Action::Player(Color::Black),
        'g' => Action::Game,
        's' => Action::Type("save ".to_owned()),
        'l' => Action::Type("load ".to_owned()),
        'e' => Action::Type("fen ".to_owned()),
        'q' => Action::Leave,
        'c' => Action::LeaveNow,
        _ => return None,
    })
}

pub(super) const KEYS: &str = "\
arrows, Enter   move the cursor, choose a square; or click
a-l, digits     type a move (c3-d4, 22-18)
:               type a command (: help)
Esc             cancel the move, close this
Space           start, pause, resume
u U, r R        undo, all; redo, all
^H, p           hint; let the engine move for you
w, ^B           set the player of White, Black
x, ^A           swap sides, restart
^G              variant, captures, time control, delay
+ -             engine delay
^F, n, t, v     flip, numbers, thoughts, evaluation
s, ^L, ^E       save, load, set up from a FEN
q, ^C, ^Z       quit, quit without asking, suspend
                ^ is Ctrl; other letters work with it too

○ ♔ white   ● ♚ black   • where the piece can go";

#[cfg(test)]
mod tests {
    use super::*;
    use soffio::rules::Variant;

    fn with(letter: char, modifiers: KeyModifiers) -> Option<Action> {
        action(KeyEvent::new(KeyCode::Char(letter), modifiers))
    }

    #[test]
    fn the_name_of_every_square_of_every_variant_begins_a_move() {
        for &variant in Variant::ALL {
            let spec = variant.spec();
            for square in spec.shape.all_squares() {
                let name = spec.square_name(square).to_string();
                for first in [name.chars().next().unwrap(), name.to_uppercase().chars().next().unwrap()] {
                    assert_eq!(with(first, KeyModifiers::NONE), Some(Action::Type(first.to_string())), "{variant}");
                }
            }
        }
    }

    #[test]
    fn letters_are_commands_only_with_ctrl() {
        let mut alone = String::new();
        for letter in 'a'..='z' {
            let command = with(letter, KeyModifiers::CONTROL);
            let plain = with(letter, KeyModifiers::NONE);
            if plain != Some(Action::Type(letter.to_string())) {
                assert_eq!(plain, command, "{letter}");
                alone.extend(command.map(|_| letter));
            }
        }
        assert_eq!(alone, "npqrstuvwx");
        assert_eq!(with('C', KeyModifiers::CONTROL), Some(Action::LeaveNow));
        assert_eq!(with('c', KeyModifiers::ALT), None);
    }
}
