// The score graph of a line.
import { byId, drawn, element } from "./dom.js";
import { symbols } from "./tree.js";
import { scoreText, share, t } from "./words.js";

const HEIGHT = 60;
/** Glyphs of moves that have a dot in the graph, and the CSS classes of the dots. */
const DOTS = { 2: "mistake", 4: "blunder", 6: "dubious" };

export class Curve {
  constructor(app) {
    this.app = app;
    const home = byId("curve");
    home.addEventListener("click", (event) => this.line?.[this.at(event)] && app.go(this.line[this.at(event)]));
    home.addEventListener("pointermove", (event) => this.tell(this.at(event)));
    home.addEventListener("pointerleave", () => this.tell(-1));
  }

  draw() {
    const home = byId("curve");
    const { tree } = this.app;
    this.line = [tree.root, ...tree.line()];
    const scored = this.line.map((node, at) => [at, node.score]).filter(([, score]) => score);
    // During the analysis, the space for the graph is reserved from the beginning, so that the moves stay in place.
    home.hidden = scored.length < 2 && (!this.app.analysis?.on || this.line.length < 3);
    home.classList.toggle("waiting", scored.length < 2);
    if (home.hidden) return home.replaceChildren();
    const width = Math.max(this.line.length - 1, 1);
    const y = (score) => HEIGHT * (1 - share(score));
    const x = (at) => (at / width) * 100;
    const svg = drawn("svg", { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
    const current = this.line.indexOf(tree.current);
    const at = t("moveNumber", { n: current }) + ": " + scoreText(tree.current.score);
    svg.append(drawn("title", {}, t("curve")), drawn("desc", {}, t("curveHelp", { at })));
    // Each stretch without a gap is drawn separately, because a position without a score must not look won or lost.
    const stretches = [];
    for (const [index, score] of scored) {
      if (stretches.at(-1)?.at(-1)[0] === index - 1) stretches.at(-1).push([index, score]);
      else stretches.push([[index, score]]);
    }
    for (const stretch of stretches) {
      const points = stretch.map(([index, score]) => `${x(index)},${y(score).toFixed(1)}`).join(" ");
      const [from, to] = [x(stretch[0][0]), x(stretch.at(-1)[0])];
      svg.append(drawn("rect", { class: "black", x: from, y: 0, width: to - from, height: HEIGHT }));
      svg.append(drawn("polygon", { class: "area", points: `${from},${HEIGHT} ${points} ${to},${HEIGHT}` }), drawn("polyline", { class: "line", points }));
    }
    svg.append(drawn("line", { class: "middle", x1: 0, x2: 100, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
    svg.append(drawn("line", { class: "now", x1: x(current), x2: x(current), y1: 0, y2: HEIGHT }));
    this.line.forEach((node, index) => {
      const bad = node.score && node.glyphs.find((glyph) => DOTS[glyph]);
      if (bad) svg.append(drawn("path", { class: "dot " + DOTS[bad], d: `M${x(index)} ${y(node.score)}h0` }));
    });
    this.tip = element("div", { class: "tip", hidden: true, "aria-hidden": "true" });
    home.replaceChildren(svg, this.tip);
  }

  /** Returns the index in the line under the pointer. */
  at(event) {
    const box = byId("curve").getBoundingClientRect();
    return Math.round(((event.clientX - box.left) / box.width) * (this.line.length - 1));
  }

  /** Shows a move and its score in the tooltip; -1 hides the tooltip. */
  tell(at) {
    const node = this.line?.[at];
    if (!this.tip) return;
    this.tip.hidden = !node;
    if (!node) return;
    const move = node.parent ? this.app.tree.number(node) + " " + node.text + symbols(node) : t("startPosition");
    this.tip.textContent = `${move}  ${scoreText(node.score)}`;
    const part = at / Math.max(1, this.line.length - 1);
    this.tip.style.left = `${part * 100}%`;
    this.tip.style.transform = `translateX(${-part * 100}%)`;
  }
}
