// Draws the curve of a line's scores.
import { byId, drawn } from "./dom.js";
import { scoreText, share, t } from "./words.js";

const HEIGHT = 60;

export class Curve {
  constructor(app) {
    this.app = app;
    byId("curve").addEventListener("click", (event) => this.click(event));
  }

  draw() {
    const home = byId("curve");
    const { tree } = this.app;
    this.line = [tree.root, ...tree.line()];
    const scored = this.line.map((node, at) => [at, node.score]).filter(([, score]) => score);
    home.hidden = scored.length < 2;
    if (home.hidden) return home.replaceChildren();
    const width = Math.max(this.line.length - 1, 1);
    const y = (score) => HEIGHT * (1 - share(score));
    const points = scored.map(([at, score]) => `${(at / width) * 100},${y(score).toFixed(1)}`);
    const svg = drawn("svg", { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
    const current = this.line.indexOf(tree.current);
    const at = t("moveNumber", { n: current }) + ": " + scoreText(tree.current.score);
    svg.append(drawn("title", {}, t("curve")), drawn("desc", {}, t("curveHelp", { at })));
    svg.append(drawn("polygon", { class: "area", points: `${points[0].split(",")[0]},${HEIGHT} ${points.join(" ")} ${points.at(-1).split(",")[0]},${HEIGHT}` }));
    svg.append(drawn("line", { class: "middle", x1: 0, x2: 100, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
    svg.append(drawn("polyline", { class: "line", points: points.join(" ") }));
    this.line.forEach((node, index) => {
      if (node.glyphs.some((glyph) => glyph === 2 || glyph === 4) && node.score) {
        svg.append(drawn("line", { class: "bad", x1: (index / width) * 100, x2: (index / width) * 100, y1: 0, y2: HEIGHT }));
      }
    });
    svg.append(drawn("line", { class: "now", x1: (current / width) * 100, x2: (current / width) * 100, y1: 0, y2: HEIGHT }));
    home.replaceChildren(svg);
  }

  click(event) {
    const box = byId("curve").getBoundingClientRect();
    const at = Math.round(((event.clientX - box.left) / box.width) * (this.line.length - 1));
    if (this.line[at]) this.app.go(this.line[at]);
  }
}

/** Returns in words how many bad moves each side made in the main line. */
export function summary(tree) {
  const counts = { white: { b: 0, m: 0, d: 0 }, black: { b: 0, m: 0, d: 0 } };
  for (const node of tree.line(tree.root)) {
    // The side that made a move is the opposite of the side to move after it.
    const side = node.position[0] === "W" ? "black" : "white";
    const kind = { 4: "b", 2: "m", 6: "d" };
    node.glyphs.forEach((glyph) => kind[glyph] && (counts[side][kind[glyph]] += 1));
  }
  const row = (side) => t("blundersRow", { side: t(side), ...counts[side] });
  const any = Object.values(counts).some(({ b, m, d }) => b + m + d);
  return any ? [row("white"), row("black")] : [];
}
