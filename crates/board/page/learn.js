// Learning from mistakes: the user looks for a better move in each position where a side of the game has played badly.
import { button, byId, element, notice } from "./dom.js";
import { isMove, lossOf, moverOf } from "./report.js";
import { BAD_GLYPHS } from "./tree.js";
import { t } from "./words.js";

/** A move that loses less than this many cp is accepted. It would not be marked in the game either. */
const ACCEPTED = 25;

export class Learn {
  constructor(app) {
    Object.assign(this, { app, on: false, nodes: [], at: 0, isSolved: false });
  }

  /** Returns the bad moves of a side in the main line for which the game contains a better move. */
  mistakes(side) {
    const { tree } = this.app;
    return tree.line(tree.root).filter((node) => isMove(node) && moverOf(node) === side && node.glyphs.some((glyph) => BAD_GLYPHS.includes(glyph)) && this.betterThan(node));
  }

  /** Returns the better move, which is the last variation: an annotation adds it at the end. */
  betterThan(node) {
    return node.parent.children.slice(1).at(-1);
  }

  begin(side) {
    const { app } = this;
    app.analysis.toggle(false);
    app.autoplay.stop();
    Object.assign(this, { on: true, nodes: this.mistakes(side) });
    this.show(0);
  }

  get node() {
    return this.nodes[this.at];
  }

  /** The moves that the user can play. There are none once the exercise is solved. */
  get ways() {
    return this.isSolved || this.isChecking ? [] : this.app.position?.ways || [];
  }

  show(at) {
    Object.assign(this, { at, isSolved: false, isChecking: false });
    notice("");
    this.go(this.node.parent);
  }

  go(node, animate = false) {
    this.app.tree.current = node;
    this.draw();
    this.app.refresh({ animate });
  }

  /** Checks a move. It is correct if it is a variation of the game, or if the engine finds that it loses little. */
  async play(way) {
    const { app, node } = this;
    const before = node.parent;
    if (way.text === node.text) return this.wrong(t("learnSame", { move: way.text }));
    const better = this.betterThan(node);
    if (way.text === better.text) return this.solve(better, t("puzzleRight"));
    this.isChecking = true;
    notice(t("checkingMove"), "busy");
    const game = app.tree.upTo(before);
    const side = moverOf(node) === "white" ? "black" : "white";
    const { score, error, replaced } = await app.analysis.evaluate({ ...game, moves: [...game.moves, way.text] }, side);
    if (!this.on || this.node !== node || this.isSolved) return;
    this.isChecking = false;
    const loss = lossOf(before, { score });
    if (loss === null) this.wrong(error || (replaced ? "" : t("noEngine")));
    else if (loss < ACCEPTED) this.solve(better, t("learnAlso", { move: way.text, better: better.text }));
    else this.wrong(t("learnWrong", { move: way.text, n: (loss / 100).toFixed(2) }));
  }

  wrong(text) {
    notice(text, "wrong");
    this.app.input.reset();
  }

  solve(better, text) {
    this.isSolved = true;
    notice(text);
    this.go(better, true);
  }

  leave() {
    if (!this.on) return;
    this.on = false;
    this.draw();
  }

  close() {
    const { node } = this;
    this.leave();
    this.app.go(node);
  }

  draw() {
    const home = byId("learn");
    home.hidden = !this.on;
    document.body.classList.toggle("learning", this.on);
    if (!this.on) return home.replaceChildren();
    const { node, at, nodes } = this;
    const isLast = at === nodes.length - 1;
    const better = this.betterThan(node);
    const tools = [
      ...(this.isSolved ? [] : [button("solution", () => this.solve(better, t("better", { move: better.text })))]),
      ...(isLast ? [] : [button("nextMistake", () => this.show(at + 1))]),
      button("endLearning", () => this.close()),
      button("flip", () => this.app.flip()),
    ];
    home.replaceChildren(
      element("h2", {}, t("mistakeOf", { n: at + 1, all: nodes.length })),
      element("p", {}, t(this.isSolved ? "learnBetter" : "learnTask", { move: `${this.app.tree.number(node)} ${node.text}`, better: better.text, side: t(moverOf(node)) })),
      ...(this.isSolved && isLast ? [element("p", {}, t("learnEnd"))] : []),
      element("div", { class: "tools" }, ...tools));
  }
}
