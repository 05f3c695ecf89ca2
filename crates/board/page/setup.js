// The position editor: pieces are placed by clicking or painting, moved by dragging, or read from a FEN.
import { pieceOf } from "./board.js";
import { button, byId, drawn, element, notice, select } from "./dom.js";
import { t } from "./words.js";

const PALETTE = [["w", "whiteMan"], ["W", "whiteKing"], ["b", "blackMan"], ["B", "blackKing"], ["e", "eraser"]];
/** The piece that the right button places, for each selected piece. */
const OTHER = { w: "b", W: "B", b: "w", B: "W", e: "e" };
/** Minimum distance of a drag, in pixels. */
const FAR = 5;

export class SetUp {
  constructor(app) {
    Object.assign(this, { app, on: false, brush: "w", stroke: null });
    const board = byId("board");
    board.addEventListener("pointerdown", (event) => this.down(event));
    board.addEventListener("pointermove", (event) => this.move(event));
    board.addEventListener("pointerup", (event) => this.up(event));
    board.addEventListener("pointercancel", () => this.cancelStroke());
  }

  /** Begins with a position. `known` is a position with its FEN, which also contains the draw counters. */
  begin(position = this.app.tree.current.position, known = this.app.position) {
    const { app } = this;
    app.analysis.toggle(false);
    app.play.leave();
    app.learn.leave();
    this.on = true;
    this.position = position;
    this.known = known && { position: known.position, fen: known.fen };
    scrollTo(0, 0);
    this.draw();
    this.put(position);
  }

  draw() {
    const home = byId("setup");
    home.hidden = !this.on;
    document.body.classList.toggle("setting-up", this.on);
    if (!this.on) return home.replaceChildren();
    const brush = ([letter, key]) => {
      const sign = drawn("svg", { class: "brush", viewBox: "-5 -5.6 10 10.6", "aria-hidden": "true" }, letter === "e" ? drawn("circle", { class: "no-piece", r: 4 }) : pieceOf(letter));
      return element("button", { type: "button", class: "brush-button", "aria-pressed": String(this.brush === letter), "aria-label": t(key), title: t(key), onclick: () => {
        this.brush = letter;
        this.draw();
      } }, sign, element("span", { class: "name" }, t(key)));
    };
    this.message = element("p", { class: "said", role: "status" });
    this.fen = element("input", { class: "code setup-fen", "aria-label": t("fen"), title: t("fen"), spellcheck: "false", autocomplete: "off", onchange: () => this.read(this.fen.value) });
    const fill = (position) => () => this.put(position());
    const side = select(t("side"), [["W", t("toMove", { side: t("white") })], ["B", t("toMove", { side: t("black") })]], this.position[0], (letter) => this.put(letter + this.position.slice(1)));
    side.firstChild.className = "unseen";
    this.side = side.querySelector("select");
    home.replaceChildren(
      element("h2", {}, t("setUpTitle")), element("p", { class: "setup-help" }, t("setUpHelp"), element("span", { class: "with-mouse" }, " " + t("setUpRight"))),
      element("div", { class: "palette", role: "group" }, ...PALETTE.map(brush)),
      element("div", { class: "tools" }, side,
        button("clearBoard", fill(() => this.position[0] + "e".repeat(this.app.board.squares.length))), button("startBoard", fill(() => this.app.board.position)), button("flip", () => this.app.flip())),
      this.fen, this.message,
      element("div", { class: "actions" }, button("done", () => this.done()), button("cancel", () => this.leave())));
    this.sayLegal();
  }

  squareOf(event) {
    return this.app.view.squareAt(event.clientX, event.clientY);
  }

  down(event) {
    const at = this.on ? this.squareOf(event) : -1;
    if (at < 0 || event.button === 1) return;
    event.preventDefault();
    const board = byId("board");
    board.focus({ preventScroll: true });
    board.setPointerCapture(event.pointerId);
    const brush = event.button === 2 ? OTHER[this.brush] : this.brush;
    const piece = this.position[at + 1];
    this.stroke = { at, x: event.clientX, y: event.clientY, letter: piece === brush ? "e" : brush, isDrag: event.button === 0 && brush !== "e" && piece !== "e", isMoved: false };
    if (!this.stroke.isDrag) this.place(at, this.stroke.letter);
  }

  move(event) {
    const { stroke } = this;
    if (!stroke) return;
    if (stroke.isDrag) {
      stroke.isMoved ||= Math.hypot(event.clientX - stroke.x, event.clientY - stroke.y) > FAR;
      if (stroke.isMoved) this.app.view.hold(stroke.at, event.clientX, event.clientY);
      return;
    }
    const at = this.squareOf(event);
    if (at >= 0 && at !== stroke.at) this.place(at, stroke.letter);
    stroke.at = at;
  }

  up(event) {
    const { stroke } = this;
    this.stroke = null;
    if (!stroke?.isDrag) return;
    const to = this.squareOf(event);
    const piece = this.position[stroke.at + 1];
    if (!stroke.isMoved) return this.place(stroke.at, stroke.letter);
    // A piece that is dropped outside the board is removed.
    const without = this.with(this.position, stroke.at, "e");
    this.put(to < 0 ? without : this.with(without, to, piece));
  }

  cancelStroke() {
    this.stroke = null;
    if (this.on) this.app.view.show(this.position);
  }

  with(position, at, letter) {
    return position.slice(0, at + 1) + letter + position.slice(at + 2);
  }

  place(at, letter) {
    if (this.position[at + 1] !== letter) this.put(this.with(this.position, at, letter));
  }

  /**
   * Places the selected piece on a square chosen with the keyboard, or removes it if it is already there. Returns false
   * if no position is being set up.
   */
  click(at) {
    if (!this.on) return false;
    this.place(at, this.position[at + 1] === this.brush ? "e" : this.brush);
    return true;
  }

  put(position) {
    const { app } = this;
    this.position = position;
    this.side.value = position[0];
    app.view.show(position);
    app.input.reset();
    app.drawPlayers();
    app.sayTurn(null);
    app.keepSoon();
    this.check();
  }

  /** Reads the position from a FEN. */
  async read(fen) {
    const { variant, letters } = this.app.tree;
    try {
      this.known = await this.app.rules.position({ variant, letters, fen, moves: [] });
      this.put(this.known.position);
    } catch (error) {
      this.answer = { error: error.message };
      this.sayLegal();
    }
  }

  async check() {
    const { variant, letters } = this.app.tree;
    const { position } = this;
    const answer = await this.app.rules.ask({ do: "place", variant, letters, position }).catch((error) => ({ error: error.message }));
    if (position !== this.position) return;
    // The board alone has no draw counters and no move number.
    this.answer = position === this.known?.position ? { ...answer, fen: this.known.fen } : answer;
    if (this.on) this.fen.value = answer.fen ?? this.plainFen();
    this.sayLegal();
  }

  /** Returns the FEN of a position that is not legal yet. */
  plainFen() {
    const { view } = this.app;
    const names = (side) => [...this.position.slice(1)].flatMap((letter, at) => (letter.toLowerCase() !== side ? [] : [(letter === letter.toUpperCase() ? "K" : "") + view.name(at)])).join(",");
    return `${this.position[0]}:W${names("w")}:B${names("b")}`;
  }

  sayLegal() {
    if (!this.on || !this.answer) return;
    const { error } = this.answer;
    this.message.textContent = error ?? t("legal");
    this.message.classList.toggle("wrong", Boolean(error));
  }

  async done() {
    await this.check();
    if (this.answer.error) return notice(this.message.textContent, "wrong");
    this.on = false;
    scrollTo(0, 0);
    this.draw();
    this.app.openPosition(this.app.tree.variant, this.answer.fen);
  }

  leave() {
    this.on = false;
    this.draw();
    this.app.refresh();
  }
}
