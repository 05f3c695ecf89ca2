//! The list of keys.

use crate::screen::popup;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// The keys, and what they do.
const KEYS: &str = "\
arrows, Enter   move the cursor, choose a square; or click
a-l, digits     type a move (c3-d4, 22-18)
:               type a command (: help)
Esc             give up the move, close this
Space           start, pause, go on
u U, r R        undo, all; redo, all
^H, p           hint; the engine plays for you
w, ^B           who plays White, Black
x, ^A           swap sides, begin again
^G              variant, captures, time control, delay
+ -             delay of the engine
^F, n, t, v     flip, numbers, thoughts, evaluation
s, ^L, ^E       save, load, set up a FEN
q, ^C           leave, leave at once
                ^ is Ctrl; other letters work with it too

○ ♔ white   ● ♚ black   • where the piece can go";

/// Draws the list of keys.
pub(super) fn draw(area: Rect, buffer: &mut Buffer) {
    popup("Keys", KEYS.lines().map(Line::raw).collect(), 0, area, buffer);
}
