// Arrows and squares that the user draws with the right mouse button. They are stored in the comment of the move.
import { byId } from "./dom.js";

const LETTERS = { green: "G", red: "R", blue: "B", yellow: "Y" };

const colourOf = ({ shiftKey, altKey }) => (shiftKey ? (altKey ? "yellow" : "red") : altKey ? "blue" : "green");

/** Returns a comment with its marks replaced by `marks`. */
function withMarks(comment, marks) {
  const names = ({ mark: [colour, from, to] }) => LETTERS[colour] + from + (to ? "-" + to : "");
  const command = (name, some) => (some.length ? `[%${name} ${some.map(names).join(",")}]` : "");
  const rest = (comment || "").replace(/\s*\[%c(sl|al)\b[^\]]*\]/g, "").trim();
  return [rest, command("csl", marks.filter(({ mark }) => !mark[2])), command("cal", marks.filter(({ mark }) => mark[2]))].filter(Boolean).join(" ") || null;
}

export class Pen {
  constructor(app) {
    Object.assign(this, { app, from: -1 });
    const board = byId("board");
    board.addEventListener("contextmenu", (event) => event.preventDefault());
    board.addEventListener("pointerdown", (event) => {
      this.from = event.button === 2 && !app.setUp.on && !app.exercise ? this.squareOf(event) : -1;
      if (this.from >= 0) board.setPointerCapture(event.pointerId);
    });
    board.addEventListener("pointerup", (event) => {
      const to = this.squareOf(event);
      if (this.from >= 0 && to >= 0) this.draw(this.from, to, colourOf(event));
      this.from = -1;
    });
  }

  squareOf(event) {
    return this.app.view.squareAt(event.clientX, event.clientY);
  }

  /** Draws a mark. If the same mark is already there, removes it, or changes its colour if the colours differ. */
  draw(from, to, colour) {
    const { app } = this;
    const node = app.tree.current;
    const mark = [colour, app.view.name(from), from === to ? null : app.view.name(to)];
    const marks = node.parts.filter((part) => part.mark);
    const isSame = (part) => part.mark[1] === mark[1] && (part.mark[2] || null) === mark[2];
    const others = marks.filter((part) => !isSame(part));
    const isGone = marks.some((part) => isSame(part) && part.mark[0] === colour);
    app.undo.remember();
    const now = isGone ? others : [...others, { mark }];
    node.comment = withMarks(node.comment, now);
    node.parts = [...node.parts.filter((part) => !part.mark), ...now];
    app.tree.touched = true;
    app.moves.draw();
    app.input.draw();
    app.drawArrows();
    app.keepSoon();
  }
}
