//! The list of keys.

use super::popup::popup;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// The keys, and what they do.
const KEYS: &str = "\
arrows, Enter   move the cursor, choose a square; or click
digits, :       type a move (22-18, c3-d4) or a command (: help)
Esc             give up the move, close this
Space           start, pause, go on
u U, r R        undo, all; redo, all
h, p            hint; the engine plays for you
w, b            who plays White, Black
x, a            swap sides, begin again
g               variant, captures, delay
+ -             delay of the engine
f, n, t         flip, numbers, thoughts of the engine
s, l, e         save, load, set up a FEN
q, Ctrl-C       leave, leave at once

○ ♔ white   ● ♚ black   • where the piece can go";

/// Draws the list of keys.
pub(super) fn draw(area: Rect, buffer: &mut Buffer) {
    popup("Keys", KEYS.lines().map(Line::raw).collect(), 0, area, buffer);
}
