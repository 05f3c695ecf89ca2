// The move list with variations and comments, and the controls that edit it.
import { button, byId, element, select } from "./dom.js";
import { openingName } from "./openings.js";
import { remarkText } from "./reasons.js";
import { gameResultText, isKnown, resultText, shortScore, t } from "./words.js";
import { SYMBOLS, symbols } from "./tree.js";

/** Returns the text of a comment. */
function commentText(parts) {
  return parts.map((part) => {
    if (part.text) return remarkText(part.text) ?? part.text;
    if (part.clock) return part.clock[0] ? t("clockOf", { side: t(part.clock[0]), time: part.clock[1] }) : t("clock", { time: part.clock[1] });
    if (part.moveTime) return t("moveTime", { time: part.moveTime });
    if (part.gameTime) return t("gameTime", { time: part.gameTime });
    // Scores are shown next to the moves.
    return "";
  }).filter(Boolean).join(" · ");
}

export class MoveList {
  constructor(app) {
    this.app = app;
    // The current move stays visible if the list becomes smaller.
    new ResizeObserver(() => this.buttons && this.scroll()).observe(byId("moves"));
  }

  draw() {
    const { tree } = this.app;
    const home = byId("moves");
    this.buttons = new Map();
    const start = this.moveButton(tree.root, t("startPosition"), "start");
    const opening = isKnown(tree.tag("Opening")) ? tree.tag("Opening") : openingName(tree, this.app.board);
    if (opening) start.append(element("span", { class: "opening" }, `${t("opening")}: ${opening}`));
    const rows = [start];
    if (tree.root.comment) rows.push(this.comment(tree.root.parts));
    let side = tree.firstPly;
    let due = true;
    const put = (...cells) => rows.push(...cells);
    for (let at = tree.root; at.children.length; at = at.children[0]) {
      const [node, ...others] = at.children;
      if (due || side === 0) put(element("span", { class: "n" }, tree.number(node).replace("…", ".")));
      if (due && side === 1) put(element("span", { class: "gap" }, "…"));
      put(this.moveButton(node));
      side = 1 - side;
      const comment = this.comment(node.parts);
      due = Boolean(comment || others.length);
      if (due && side === 1) put(element("span", { class: "gap" }));
      if (comment) rows.push(comment);
      for (const other of others) rows.push(this.variation(other));
    }
    if (!tree.root.children.length) rows.push(element("p", { class: "none" }, t("noMoves")));
    else if (tree.result !== "*") rows.push(element("p", { class: "result" }, gameResultText(tree, this.app.board)));
    home.replaceChildren(...rows.filter(Boolean));
    this.markCurrent();
  }

  comment(parts) {
    const text = commentText(parts);
    return text ? element("p", { class: "comment" }, text) : null;
  }

  /** Returns the line that begins with `first` as running text. */
  variation(first) {
    const { tree } = this.app;
    const box = element("div", { class: "variation", role: "group", "aria-label": t("variation") });
    if (first.before) box.append(element("span", { class: "comment" }, first.before), " ");
    let due = true;
    for (let node = first; node; node = node.children[0]) {
      const number = tree.number(node);
      if (due || !number.endsWith("…")) box.append(element("span", { class: "n" }, number), " ");
      box.append(this.moveButton(node), " ");
      const comment = commentText(node.parts);
      if (comment) box.append(element("span", { class: "comment" }, comment), " ");
      const others = node === first ? [] : node.parent.children.slice(1);
      others.forEach((other) => box.append(this.variation(other)));
      due = Boolean(comment || others.length);
    }
    return box;
  }

  moveButton(node, text = node.text + symbols(node), kind = "") {
    const score = node.score && node.parent ? element("span", { class: "score" }, shortScore(node.score)) : null;
    const made = element("button", { type: "button", class: "move " + kind, onclick: () => this.app.go(node) }, text, score);
    this.buttons.set(node, made);
    return made;
  }

  /** Updates the score of a move during the analysis. */
  drawScore(node) {
    const made = this.buttons.get(node);
    if (!made || !node.parent || !node.score) return;
    made.querySelector(".score")?.remove();
    made.append(element("span", { class: "score" }, shortScore(node.score)));
  }

  markCurrent() {
    const home = byId("moves");
    home.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const made = this.buttons.get(this.app.tree.current);
    if (!made) return;
    made.setAttribute("aria-current", "true");
    this.scroll();
    this.drawRemarks();
  }

  /** Scrolls the list so that the current move is visible. */
  scroll() {
    const home = byId("moves");
    const made = this.buttons.get(this.app.tree.current);
    if (!made) return;
    const [top, bottom] = [made.offsetTop, made.offsetTop + made.offsetHeight];
    if (top < home.scrollTop || bottom > home.scrollTop + home.clientHeight) home.scrollTop = top - home.clientHeight / 2;
  }

  /**
   * Draws the controls for the comment, the glyph and the place in the tree of the current move, and for the result.
   */
  drawRemarks() {
    const { app } = this;
    const node = app.tree.current;
    // A comment that is being typed must not be redrawn.
    if (this.remarked === node && document.activeElement?.matches("#remarks textarea")) return;
    this.remarked = node;
    const text = element("textarea", { rows: 2, "aria-label": t("comment"), placeholder: t("comment"), oninput: () => this.type(node, text.value), onchange: () => this.say(node, text.value) });
    text.value = node.comment || "";
    const tools = element("div", { class: "tools" });
    if (node.parent) {
      const options = [["0", t("glyph0")], ...Object.entries(SYMBOLS).map(([glyph, sign]) => [glyph, `${sign}  ${t("glyph" + glyph)}`])];
      const own = node.glyphs.find((glyph) => SYMBOLS[glyph]) || 0;
      tools.append(select(t("glyphs"), options, own, (value) => this.sign(node, Number(value))));
      if (!app.tree.isMain(node)) tools.append(button("promote", () => app.change(() => app.tree.promote(node))));
      if (!app.play.on) tools.append(button("remove", () => this.remove(node)));
    }
    const results = [["*", t("unfinished")], ...["1-0", "1/2-1/2", "0-1"].map((result) => [result, resultText(result, app.board)])];
    if (!results.some(([result]) => result === app.tree.result)) results.push([app.tree.result, resultText(app.tree.result, app.board)]);
    tools.append(select(t("result"), results, app.tree.result, (value) => app.change(() => (app.tree.result = value))));
    byId("remarks").replaceChildren(text, tools);
  }

  /** Stores a comment while it is being typed. */
  type(node, text) {
    if (this.typed !== node) this.app.undo.remember();
    this.typed = node;
    node.comment = text.trim() || null;
    node.parts = node.comment ? [{ text: node.comment }] : [];
    this.app.tree.touched = true;
    this.app.keepSoon();
  }

  async say(node, text) {
    this.typed = null;
    node.comment = text.trim() || null;
    node.parts = node.comment ? await this.app.rules.ask({ do: "comment", text: node.comment }).catch(() => [{ text: node.comment }]) : [];
    this.app.tree.touched = true;
    this.app.redraw();
  }

  sign(node, glyph) {
    this.app.change(() => {
      node.glyphs = node.glyphs.filter((known) => !SYMBOLS[known]);
      if (glyph) node.glyphs.push(glyph);
    });
  }

  remove(node) {
    if (!(node.children.length || node.comment) || confirm(t("removeAsk"))) this.app.change(() => this.app.tree.remove(node));
  }
}
