// The threat: the move that the side that is not to move would play if it were its turn.
import { element } from "./dom.js";
import { scoreText, t } from "./words.js";

export class Threat {
  constructor(app) {
    Object.assign(this, { app, on: false, node: null, route: null, text: "" });
  }

  build() {
    this.switch = element("button", { type: "button", "data-key": "threat", title: t("threatHelp"), "aria-pressed": String(this.on), onclick: () => this.toggle() }, t("threat"));
    this.line = element("p", { class: "threat", hidden: !this.on, "aria-live": "polite" }, this.text);
    return [this.switch, this.line];
  }

  toggle(on = !this.on) {
    const { app } = this;
    if (on && (app.play.on || app.exercise)) return;
    this.on = on;
    this.clear();
    this.switch.setAttribute("aria-pressed", String(on));
    this.line.hidden = !on;
    app.drawArrows();
    if (on) app.analysis.restart();
  }

  clear() {
    Object.assign(this, { node: null, route: null });
    this.say(this.on ? "…" : "");
  }

  say(text) {
    this.text = text;
    if (this.line) this.line.textContent = text;
  }

  /** Searches the position of `node` with the other side to move. The caller starts the analysis again afterwards. */
  async find(node) {
    const { app } = this;
    this.clear();
    this.node = node;
    if (app.position?.status.state !== "playing") return this.say(t("noThreat"));
    const { variant, letters } = app.tree;
    const side = app.position.side === "white" ? "black" : "white";
    const game = { variant, letters, fen: side[0].toUpperCase() + app.position.fen.slice(1), moves: [] };
    const { pv, score, replaced } = await app.analysis.evaluate(game, side);
    const [move] = pv.length && !replaced ? await app.rules.line(game, pv.slice(0, 1)).catch(() => []) : [];
    if (this.node !== node) return;
    if (replaced) this.node = null;
    this.route = move?.route;
    this.say(move ? t("threatIs", { move: move.text, score: scoreText(score) }) : t("noThreat"));
    app.drawArrows();
  }

  arrows() {
    return this.route ? [{ route: this.route, kind: "said red", label: "" }] : [];
  }
}
