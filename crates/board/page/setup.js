// Lets the user set up positions.
import { button, byId, element, notice, select } from "./dom.js";
import { t } from "./words.js";

const PALETTE = [["w", "whiteMan"], ["W", "whiteKing"], ["b", "blackMan"], ["B", "blackKing"], ["e", "eraser"]];

export class SetUp {
  constructor(app) {
    this.app = app;
    this.on = false;
    this.brush = "w";
  }

  begin(position = this.app.tree.current.position) {
    const { app } = this;
    app.analysis.toggle(false);
    app.play.leave();
    this.on = true;
    this.position = position;
    this.draw();
    this.put(position);
  }

  draw() {
    const home = byId("setup");
    home.hidden = !this.on;
    if (!this.on) return home.replaceChildren();
    const brush = ([letter, key]) => {
      const sign = element("span", { class: "brush " + letter, "aria-hidden": "true" });
      return element("button", { type: "button", class: "brush-button", "aria-pressed": String(this.brush === letter), onclick: () => {
        this.brush = letter;
        this.draw();
      } }, sign, t(key));
    };
    this.said = element("p", { class: "said", role: "status" });
    const fill = (position) => () => this.put(position);
    home.replaceChildren(
      element("h2", {}, t("setUpTitle")), element("p", {}, t("setUpHelp")),
      element("div", { class: "palette", role: "group" }, ...PALETTE.map(brush)),
      element("div", { class: "tools" },
        select(t("side"), [["W", t("white")], ["B", t("black")]], this.position[0], (side) => this.put(side + this.position.slice(1))),
        button("clearBoard", fill(this.position[0] + "e".repeat(this.app.board.squares.length))), button("startBoard", fill(this.app.board.position))),
      this.said,
      element("div", { class: "actions" }, button("done", () => this.done()), button("cancel", () => this.leave())));
    this.sayLegal();
  }

  /** Puts the chosen piece on a square. */
  click(at) {
    if (!this.on) return false;
    const letter = this.position[at + 1] === this.brush ? "e" : this.brush;
    this.put(this.position.slice(0, at + 1) + letter + this.position.slice(at + 2));
    return true;
  }

  put(position) {
    this.position = position;
    this.app.view.show(position);
    this.app.keepSoon();
    this.check();
  }

  async check() {
    const { variant, letters } = this.app.tree;
    const { position } = this;
    const answer = await this.app.rules.request({ do: "place", variant, letters, position }).catch((error) => ({ error: error.message }));
    if (position !== this.position) return;
    this.answer = answer;
    this.sayLegal();
  }

  sayLegal() {
    if (!this.on || !this.answer) return;
    this.said.textContent = this.answer.error || t("legal");
    this.said.classList.toggle("wrong", Boolean(this.answer.error));
  }

  async done() {
    await this.check();
    if (this.answer.error) return notice(this.answer.error, "wrong");
    this.on = false;
    this.draw();
    this.app.openPosition(this.app.tree.variant, this.answer.fen);
  }

  leave() {
    this.on = false;
    this.draw();
    this.app.refresh();
  }
}
