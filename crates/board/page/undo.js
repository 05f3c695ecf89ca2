// Steps back through the changes of the game on the board.
import { GameTree } from "./tree.js";

const MOST_STEPS = 60;

export class Undo {
  constructor(app) {
    Object.assign(this, { app, past: [] });
  }

  /** Another game has no past. */
  clear() {
    this.past = [];
  }

  /** Called before each change. */
  remember() {
    this.past.push(JSON.stringify(this.app.tree.toJson()));
    if (this.past.length > MOST_STEPS) this.past.shift();
  }

  /** Takes the last change back. Returns false without one. */
  back() {
    const { app } = this;
    if (!this.past.length || app.play.on) return false;
    // Whoever annotates the game stops.
    app.analysis.busy = null;
    app.tree = Object.assign(GameTree.from(JSON.parse(this.past.pop())), { list: app.tree.list, touched: true });
    app.redraw();
    return true;
  }
}
