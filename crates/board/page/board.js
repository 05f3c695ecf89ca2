// Draws the board as an SVG image. A square is given by its index in numeric order, and is ten units wide.
import { drawn } from "./dom.js";

const UNIT = 10;
/** Returns the width of the border in units. Two digits of the smallest size fit on the border of any board. */
const edgeOf = ({ width }) => width * 0.46;
const DURATION = 220;
const MIN_PX = 11;

/** Returns the grain of the wooden board and the highlight of the glossy pieces. The style shows or hides them. */
function textures() {
  const stop = (offset, color, opacity) => drawn("stop", { offset, "stop-color": color, "stop-opacity": opacity });
  const line = (d, opacity) => drawn("path", { d, fill: "none", stroke: "#3a1d06", "stroke-width": 0.3, "stroke-opacity": opacity });
  return drawn("defs", {},
    drawn("pattern", { id: "grain", width: 30, height: 17, patternUnits: "userSpaceOnUse" },
      line("M0 2q8-1.6 15 0t15 0", 0.12), line("M0 4.4q10 1.4 17 0.2t13-0.2", 0.08), line("M0 7.6q6 1.8 14 0.6t16-0.6", 0.13), line("M0 10.1q9-1.2 16-0.3t14 0.3", 0.07), line("M0 13.2q7-1.5 15 0.4t15-0.4", 0.11), line("M0 15.4q11 1 18 0t12 0", 0.07)),
    drawn("radialGradient", { id: "shine", cx: 0.36, cy: 0.28, r: 0.8 }, stop(0, "#fff", 0.62), stop(0.35, "#fff", 0.14), stop(0.62, "#000", 0), stop(1, "#000", 0.3)));
}

/** Draws a piece, given by its letter, around the origin. */
export function pieceOf(letter) {
  const king = letter === letter.toUpperCase();
  const color = letter.toLowerCase() === "w" ? "white" : "black";
  const piece = drawn("g", { class: `piece ${color}` });
  const disc = (dy) => [drawn("circle", { class: "side", cy: dy + 0.55, r: 4 }), drawn("circle", { class: "top", cy: dy, r: 4 })];
  piece.append(...disc(0));
  if (king) {
    piece.append(...disc(-0.9));
    piece.append(drawn("path", { class: "crown", d: "M-2.2 0.7 L-2.5 -2.6 L-1.1 -1.3 L0 -3.3 L1.1 -1.3 L2.5 -2.6 L2.2 0.7 Z" }));
  } else {
    piece.append(drawn("circle", { class: "ring", r: 2.7 }), drawn("circle", { class: "ring", r: 1.4 }));
  }
  piece.append(drawn("circle", { class: "shine", fill: "url(#shine)", cy: king ? -0.9 : 0, r: 3.9 }));
  return piece;
}

export class BoardView {
  constructor(home) {
    this.home = home;
    this.svg = drawn("svg", { "aria-hidden": "true", focusable: "false" });
    home.append(this.svg);
    new ResizeObserver(() => this.fitNumbers()).observe(this.svg);
    this.layers = {};
    this.board = null;
    this.state = { position: "", highlights: [], arrows: [], paths: [] };
  }

  /** Draws the empty board of a variant. */
  setBoard(board, { letters, flipped, names }) {
    const key = [board.name, letters, flipped, names].join();
    if (key === this.key) return;
    this.key = key;
    Object.assign(this, { board, letters, flipped, names });
    const { width, height } = board;
    const rim = names === "none" ? 0.6 : edgeOf(board);
    this.svg.setAttribute("viewBox", `${-rim} ${-rim} ${width * UNIT + 2 * rim} ${height * UNIT + 2 * rim}`);
    document.documentElement.style.setProperty("--ratio", (width * UNIT + 2 * rim) / (height * UNIT + 2 * rim));
    this.home.classList.toggle("turned", flipped);
    const ground = drawn("g", { class: "ground" });
    ground.append(textures());
    ground.append(drawn("rect", { class: "rim", x: -rim, y: -rim, width: width * UNIT + 2 * rim, height: height * UNIT + 2 * rim, rx: 1.2 }));
    ground.append(drawn("rect", { class: board.full ? "dark" : "light", x: 0, y: 0, width: width * UNIT, height: height * UNIT }));
    const numbers = drawn("g", { class: "numbers" });
    board.squares.forEach((square, at) => {
      const [x, y] = this.corner(at);
      ground.append(drawn("rect", { class: board.full ? "dark lined" : "dark", x, y, width: UNIT, height: UNIT }));
      // The squares at the edges have their numbers on the rim.
      if (names === "all" && !letters && !this.borderPosition(at)) numbers.append(drawn("text", { class: "number", "data-name": at, x: x + 0.6, y: y + 0.5 }, square[2]));
    });
    ground.append(drawn("rect", { class: "grain", fill: "url(#grain)", x: -rim, y: -rim, width: width * UNIT + 2 * rim, height: height * UNIT + 2 * rim, rx: 1.2 }));
    if (names !== "none") ground.append(...(letters ? this.edgeNames() : this.edgeNumbers()));
    this.layers = { ground };
    for (const name of ["marks", "numbers", "paths", "pieces", "arrows", "signs", "cursor"]) this.layers[name] = drawn("g", { class: name });
    this.layers.numbers = numbers;
    this.svg.replaceChildren(...Object.values(this.layers));
    this.fitNumbers();
  }

  /** Keeps the square numbers at a size of at least `MIN_PX` pixels, however small the board is. */
  fitNumbers() {
    const scale = this.svg.getScreenCTM()?.a || 1;
    this.svg.style.setProperty("--least-number", `${(MIN_PX / scale).toFixed(2)}px`);
  }

  /** Returns the letters and digits along the edges. The letters can be on either axis. */
  edgeNames() {
    const { squares, width, height } = this.board;
    const out = edgeOf(this.board) / 2;
    const texts = [];
    const along = (count, index, place) => {
      for (let n = 0; n < count; n += 1) {
        const names = squares.filter((square) => square[index] === n).map((square) => square[3]);
        const letters = new Set(names.map((name) => name[0]));
        const text = letters.size === 1 && names.length > 1 ? names[0][0] : names[0]?.slice(1);
        const at = (this.flipped ? count - 1 - n : n) * UNIT + UNIT / 2;
        texts.push(...place(at).map(([x, y]) => drawn("text", { class: "edge", x, y }, text || "")));
      }
    };
    along(width, 1, (x) => [[x, -out], [x, height * UNIT + out]]);
    along(height, 0, (y) => [[-out, y], [width * UNIT + out, y]]);
    return texts;
  }

  /** Returns the numbers of the squares at the edges, drawn outside the board next to their squares. */
  edgeNumbers() {
    return this.board.squares.flatMap((square, at) => {
      const place = this.borderPosition(at);
      return place ? [drawn("text", { class: "edge", x: place[0], y: place[1] }, square[2])] : [];
    });
  }

  /** Returns where the number of a square at the edge is shown on the border, or null for the other squares. */
  borderPosition(at) {
    const { width, height } = this.board;
    const out = edgeOf(this.board) / 2;
    const [x, y] = this.middle(at);
    if (y < UNIT) return [x, -out];
    if (y > (height - 1) * UNIT) return [x, height * UNIT + out];
    if (x < UNIT) return [-out, y];
    return x > (width - 1) * UNIT ? [width * UNIT + out, y] : null;
  }

  /** Returns the top left corner of a square. */
  corner(at) {
    const [row, column] = this.board.squares[at];
    const { width, height } = this.board;
    return this.flipped ? [(width - 1 - column) * UNIT, (height - 1 - row) * UNIT] : [column * UNIT, row * UNIT];
  }

  middle(at) {
    const [x, y] = this.corner(at);
    return [x + UNIT / 2, y + UNIT / 2];
  }

  name(at) {
    return this.board.squares[at][this.letters ? 3 : 2];
  }

  named(name) {
    return this.board.squares.findIndex((square) => square[2] === name || square[3] === name);
  }

  /** Returns the playable square at a point in the window, or -1 if there is none. */
  squareAt(clientX, clientY) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return this.board.squares.findIndex((_, at) => {
      const [x, y] = this.corner(at);
      return point.x >= x && point.x < x + UNIT && point.y >= y && point.y < y + UNIT;
    });
  }

  /** Returns the letter of the piece on a square, or `e` if the square is empty. */
  piece(at) {
    return this.state.position[at + 1] || "e";
  }

  /** Draws the pieces. With `animate`, the piece that has just moved along `route` is animated. */
  show(position, { route = [], animate = false } = {}) {
    this.state.position = position;
    const pieces = [];
    for (let at = 0; at < this.board.squares.length; at += 1) {
      if (this.piece(at) !== "e") pieces.push(this.drawPiece(at, this.piece(at)));
    }
    this.layers.pieces.replaceChildren(...pieces);
    // Hides the numbers under pieces, because a half-hidden number is unreadable.
    for (const number of this.svg.querySelectorAll("[data-name]")) number.toggleAttribute("hidden", this.piece(Number(number.dataset.name)) !== "e");
    if (animate && route.length > 1) this.animate(route);
  }

  drawPiece(at, letter) {
    const piece = pieceOf(letter);
    piece.setAttribute("data-at", at);
    piece.setAttribute("transform", `translate(${this.middle(at)})`);
    return piece;
  }

  pieceNode(at) {
    return this.layers.pieces.querySelector(`[data-at="${at}"]`);
  }

  animate(route) {
    const node = this.pieceNode(route.at(-1));
    if (!node || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.layers.pieces.append(node);
    const frames = route.map((at) => ({ transform: `translate(${this.middle(at).map((v) => v + "px").join()})` }));
    node.animate(frames, { duration: DURATION * Math.min(3, 0.6 + 0.4 * (route.length - 1)), easing: "ease-in-out" });
  }

  /** Moves a piece that is being dragged to a point in the window. */
  hold(at, clientX, clientY) {
    const node = this.pieceNode(at);
    if (!node) return;
    const point = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    node.classList.add("held");
    this.layers.pieces.append(node);
    node.setAttribute("transform", `translate(${point.x} ${point.y - 1})`);
  }

  release(at) {
    const node = this.pieceNode(at);
    node?.classList.remove("held");
    node?.setAttribute("transform", `translate(${this.middle(at)})`);
  }

  /** Marks squares, each given as `[kind, at]`, where `kind` is a CSS class. */
  mark(marks) {
    this.layers.marks.replaceChildren(...marks.map(([kind, at]) => {
      const [x, y] = this.corner(at);
      if (kind === "target") return drawn("circle", { class: kind, cx: x + 5, cy: y + 5, r: this.piece(at) === "e" ? 1.5 : 4.6 });
      if (kind === "must") return drawn("path", { class: kind, d: `M${x + 0.7} ${y + 3}v-2.3h2.3M${x + 7} ${y + 0.7}h2.3v2.3M${x + 9.3} ${y + 7}v2.3h-2.3M${x + 3} ${y + 9.3}h-2.3v-2.3` });
      return drawn("rect", { class: kind, x: x + 0.35, y: y + 0.35, width: UNIT - 0.7, height: UNIT - 0.7 });
    }));
  }

  /** Shows the paths of captures: a line along the squares of `route`, and crosses on the captured pieces. */
  showPaths(ways) {
    const parts = ways.flatMap(({ route, taken }) => [
      drawn("polyline", { points: route.map((at) => this.middle(at).join()).join(" ") }),
      ...taken.map((at) => {
        const [x, y] = this.middle(at);
        return drawn("path", { class: "taken", d: `M${x - 1.6} ${y - 1.6}l3.2 3.2m0 -3.2l-3.2 3.2` });
      }),
    ]);
    this.layers.paths.replaceChildren(...parts);
    this.svg.append(this.layers.paths);
  }

  /** Draws arrows, each given as `{route, kind, label}`. */
  arrows(arrows) {
    this.layers.arrows.replaceChildren(...arrows.flatMap(({ route, kind, label }) => {
      if (route.length < 2) return [];
      const points = route.map((at) => this.middle(at));
      const [x, y] = points.at(-1);
      const [fromX, fromY] = points.at(-2);
      const length = Math.hypot(x - fromX, y - fromY) || 1;
      const [dx, dy] = [(x - fromX) / length, (y - fromY) / length];
      const shaft = [...points.slice(0, -1), [x - 3 * dx, y - 3 * dy]];
      const tip = `M${x} ${y}L${x - 3.4 * dx - 2 * dy} ${y - 3.4 * dy + 2 * dx}L${x - 3.4 * dx + 2 * dy} ${y - 3.4 * dy - 2 * dx}Z`;
      const group = drawn("g", { class: "arrow " + kind }, drawn("polyline", { points: shaft.map((p) => p.join()).join(" ") }), drawn("path", { d: tip }));
      if (label) {
        const [lx, ly] = [points[0][0] + 3.1 * Math.sign(points[1][0] - points[0][0]), points[0][1] + 3.1 * Math.sign(points[1][1] - points[0][1])];
        group.append(drawn("circle", { class: "label", cx: lx, cy: ly, r: 1.7 }), drawn("text", { x: lx, y: ly }, label));
      }
      return [group];
    }));
  }

  /** Shows the mark of a move, such as `??`, at the corner of the square `at`; an empty text shows none. */
  sign(at, text, kind) {
    if (!text) return this.layers.signs.replaceChildren();
    const [x, y] = this.corner(at);
    const [cx, cy] = [Math.min(x + 8.8, this.board.width * UNIT - 2), Math.max(y + 1.2, 2)];
    this.layers.signs.replaceChildren(drawn("g", { class: "sign-mark " + kind }, drawn("circle", { cx, cy, r: 2.4 }), drawn("text", { x: cx, y: cy }, text)));
  }

  /** Shows the keyboard cursor on a square; -1 hides it. */
  setCursor(at) {
    if (at < 0) return this.layers.cursor?.replaceChildren();
    const [x, y] = this.corner(at);
    this.layers.cursor.replaceChildren(drawn("rect", { x: x + 0.5, y: y + 0.5, width: UNIT - 1, height: UNIT - 1, rx: 0.8 }));
  }
}
