// Puzzles: the user plays the moves of the solution one by one, and the page replies. Also offers hints and the
// solution, and counts the puzzles that were solved on the first attempt.
import { button, byId, element, notice } from "./dom.js";
import { load, merge } from "./store.js";
import { t } from "./words.js";

const REPLY_MS = 500;
const TASKS = { win: "puzzleWin", draw: "puzzleDraw", gain: "puzzleGain" };

export class Puzzles {
  constructor(app) {
    this.app = app;
    this.kept = "puzzles-" + app.start.title;
    /** Maps the name of each attempted puzzle to its result: true if it was solved without a mistake or a hint. */
    this.results = load(this.kept, {});
    this.tree = null;
  }

  /** Whether the game on the board is an unsolved puzzle, whose moves are hidden. */
  get on() {
    return this.tree !== null && this.tree === this.app.tree && !this.done;
  }

  /** Starts a puzzle if the opened game is one. */
  take(tree) {
    this.tree = tree.ways.length ? tree : null;
    this.done = false;
    this.clean = true;
    if (this.tree) tree.current = tree.root;
    this.draw();
  }

  get name() {
    return this.tree.tag("Site");
  }

  /** The legal paths in the position; empty if the opponent is to move. */
  get ways() {
    const { current } = this.tree;
    return current.ply % 2 ? [] : this.tree.ways[current.ply / 2] || [];
  }

  get expected() {
    return this.tree.current.children[0];
  }

  /** Checks a move. It is correct if it is the move of the solution, along any of its paths. */
  play(way) {
    const { app, expected } = this;
    const known = this.ways.find(({ text }) => text === expected?.text);
    if (way.number !== known?.number) {
      this.fail();
      notice(t("puzzleWrong"), "wrong");
      return app.input.reset();
    }
    notice(t("puzzleRight"));
    this.move(expected);
    if (expected.children.length) setTimeout(() => app.tree.current === expected && this.on && this.move(expected.children[0]), REPLY_MS);
    else this.finish(t("puzzleSolved"));
  }

  move(node) {
    this.app.tree.current = node;
    this.app.refresh({ animate: true });
  }

  fail() {
    this.clean = false;
    this.keep(false);
  }

  keep(result) {
    if (!(this.name in this.results)) {
      this.results[this.name] = result;
      merge(this.kept, { [this.name]: result });
    }
    this.draw();
  }

  hint() {
    const { app, expected } = this;
    if (!expected || !this.ways.length) return;
    this.fail();
    notice(t("hintPiece", { square: app.view.name(expected.route[0]) }));
  }

  tryAgain() {
    const { app, tree } = this;
    notice("");
    this.take(tree);
    app.redraw();
  }

  solution() {
    this.fail();
    this.finish("");
  }

  /** Ends the puzzle and shows its moves. */
  finish(text) {
    if (this.clean) this.keep(true);
    this.done = true;
    notice(text);
    this.app.moves.draw();
    this.draw();
  }

  draw() {
    const home = byId("puzzle");
    home.hidden = !this.tree;
    byId("game").hidden = this.on;
    document.body.classList.toggle("solving", this.on);
    if (!this.tree) return;
    const { app } = this;
    const side = this.tree.root.position[0] === "W" ? "white" : "black";
    const tried = Object.values(this.results);
    const step = (by) => (app.start.games[app.own + by] ? [button(by > 0 ? "nextPuzzle" : "previousPuzzle", () => app.loadOwn(app.own + by))] : []);
    home.replaceChildren(
      element("h2", {}, t("puzzleOf", { n: app.own + 1, all: app.start.games.length })),
      element("p", { class: "task" }, t(TASKS[this.tree.tag("Goal")] || "puzzleWin", { side: t(side) })),
      ...(tried.length ? [element("p", {}, t("puzzleScore", { right: tried.filter(Boolean).length, tried: tried.length }))] : []),
      element("div", { class: "tools" }, ...(this.on ? [button("hint", () => this.hint()), button("solution", () => this.solution())] : [button("tryAgain", () => this.tryAgain())]), ...step(-1), ...step(1), ...(this.on ? [button("flip", () => app.flip())] : [])));
  }
}
