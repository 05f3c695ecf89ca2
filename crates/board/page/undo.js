// Undoes changes to the game on the board.
import { GameTree } from "./tree.js";

const MAX_STEPS = 60;

export class Undo {
  constructor(app) {
    Object.assign(this, { app, past: [] });
  }

  clear() {
    this.past = [];
  }

  /** Records the game. Called before each change. */
  remember() {
    this.past.push(JSON.stringify(this.app.tree.toJson()));
    if (this.past.length > MAX_STEPS) this.past.shift();
  }

  /** Undoes the last change. Returns false if there is none, or during a game against the engine. */
  back() {
    const { app } = this;
    if (!this.past.length || app.play.on) return false;
    // Stops the annotation of the game.
    app.analysis.busy = null;
    app.tree = Object.assign(GameTree.from(JSON.parse(this.past.pop())), { list: app.tree.list, starts: app.tree.starts, touched: true });
    app.redraw();
    return true;
  }
}
