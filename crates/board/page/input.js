// Move input by dragging, clicking and keyboard. An ambiguous capture is entered square by square.
import { announce, notice } from "./dom.js";
import { t } from "./words.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const PIECES = { w: "whiteMan", W: "whiteKing", b: "blackMan", B: "blackKing", e: "empty" };

export class MoveInput {
  /**
   * `on.ways` returns the legal paths, `on.play` plays one, `on.wrong` receives squares that do not form a legal move,
   * and `on.square` can intercept a click.
   */
  constructor(view, on) {
    Object.assign(this, { view, on, clicked: [], pool: null, cursor: -1, held: null, showTargets: true });
    const home = view.home;
    home.addEventListener("pointerdown", (event) => this.down(event));
    home.addEventListener("pointermove", (event) => this.drag(event));
    home.addEventListener("pointerup", (event) => this.up(event));
    home.addEventListener("pointercancel", () => this.drop());
    home.addEventListener("keydown", (event) => this.key(event));
    // The cursor and the focus ring around the board are only shown for keyboard input.
    home.addEventListener("pointerdown", () => this.byPointer(true), { capture: true });
    home.addEventListener("focus", () => home.classList.contains("by-pointer") || this.goTo(this.cursor < 0 ? this.firstSquare() : this.cursor, false));
    home.addEventListener("blur", () => {
      view.setCursor(-1);
      home.classList.remove("by-pointer");
    });
  }

  byPointer(is) {
    this.view.home.classList.toggle("by-pointer", is);
    if (is) this.view.setCursor(-1);
  }

  reset() {
    this.clicked = [];
    this.pool = null;
    this.held = null;
    this.draw();
  }

  get ways() {
    return this.pool || this.on.ways();
  }

  /** Returns the possible landing squares after each step of a path. The last step ends on the destination. */
  stops(way) {
    return way.stops || way.route.slice(1).map((at) => [at]);
  }

  /** Returns the paths that pass through the squares in `clicked`, in this order. */
  candidates(clicked) {
    return this.ways.filter((way) => {
      if (way.route[0] !== clicked[0]) return false;
      const stops = this.stops(way);
      let next = 0;
      return clicked.slice(1).every((at) => {
        while (next < stops.length && !stops[next].includes(at)) next += 1;
        next += 1;
        return next <= stops.length;
      });
    });
  }

  click(at) {
    if (at < 0) return this.reset();
    if (this.on.square?.(at)) return;
    if (!this.clicked.length) return this.takeUp(at);
    const possible = this.candidates([...this.clicked, at]);
    if (!possible.length) {
      const from = this.clicked[0];
      if (at === from) {
        announce(t("letGo"));
        return this.reset();
      }
      this.reset();
      if (this.ways.some((way) => way.route[0] === at)) return this.takeUp(at);
      this.on.wrong(from, at);
      return;
    }
    const moves = (ways) => new Set(ways.map((way) => way.number));
    const ending = possible.filter((way) => way.route.at(-1) === at);
    if (moves(ending).size === 1) return this.play(ending[0]);
    if (moves(possible).size === 1) return this.play(possible[0]);
    if (ending.length) {
      this.pool = ending;
      notice(t("severalWays"));
    } else {
      this.clicked.push(at);
      announce(this.describe(at));
    }
    this.draw();
  }

  takeUp(at) {
    const possible = this.ways.filter((way) => way.route[0] === at);
    if (!possible.length) {
      if (this.view.piece(at) !== "e") this.on.wrong(at, -1);
      return;
    }
    this.clicked = [at];
    const targets = [...new Set(possible.map((way) => this.view.name(way.route.at(-1))))];
    announce(t("takenUp", { square: this.view.name(at) }) + ": " + t("canGoTo") + " " + targets.join(", "));
    this.draw();
  }

  play(way) {
    this.clicked = [];
    this.pool = null;
    this.on.play(way);
  }

  /** Marks the squares that can be chosen. */
  draw() {
    const marks = this.on.isSetup?.() ? [] : this.on.marks?.() || [];
    let paths = [];
    if (this.clicked.length) {
      const possible = this.candidates(this.clicked);
      marks.push(...this.clicked.map((at) => ["chosen", at]));
      if (this.showTargets) {
        const targets = new Set(possible.flatMap((way) => (this.pool ? this.stops(way).slice(0, -1).flat() : [way.route.at(-1)])));
        targets.forEach((at) => marks.push(["target", at]));
      }
      paths = possible.filter((way) => way.taken.length);
    } else if (this.showTargets && !this.on.isSetup?.() && this.on.forced?.()) {
      new Set(this.ways.map((way) => way.route[0])).forEach((at) => marks.push(["must", at]));
    }
    this.view.mark(marks);
    this.view.showPaths(paths);
  }

  down(event) {
    if (event.button || this.on.isSetup?.()) return;
    const at = this.view.squareAt(event.clientX, event.clientY);
    this.wasChosen = this.clicked[0] === at;
    const own = at >= 0 && this.ways.some((way) => way.route[0] === at);
    if (own && !this.clicked.slice(1).length && !this.pool && !(this.clicked.length && this.candidates([...this.clicked, at]).length)) {
      event.preventDefault();
      this.view.home.focus({ preventScroll: true });
      if (!this.wasChosen) this.takeUp(at);
      this.held = { at, x: event.clientX, y: event.clientY, moved: false };
      this.view.home.setPointerCapture(event.pointerId);
    } else {
      this.held = { at: -1, clicked: at };
    }
  }

  drag(event) {
    if (!this.held || this.held.at < 0) return;
    const far = Math.hypot(event.clientX - this.held.x, event.clientY - this.held.y) > 5;
    if (far || this.held.moved) {
      this.held.moved = true;
      this.view.hold(this.held.at, event.clientX, event.clientY);
    }
  }

  up(event) {
    const held = this.held;
    this.held = null;
    if (!held) return;
    const at = this.view.squareAt(event.clientX, event.clientY);
    if (held.at < 0) {
      if (at === held.clicked) this.click(at);
      else if (at >= 0 && held.clicked >= 0 && this.view.piece(held.clicked) !== "e" && !this.clicked.length) this.on.wrong(held.clicked, at);
      return;
    }
    if (held.moved) this.view.release(held.at);
    if (at !== held.at && held.moved) this.click(at);
    else if (this.wasChosen) {
      // A capture can end on its origin.
      if (this.candidates([held.at, held.at]).length) this.click(held.at);
      else this.reset();
    }
  }

  drop() {
    if (this.held?.at >= 0) this.view.release(this.held.at);
    this.held = null;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isHidden = this.view.home.classList.contains("by-pointer");
    if (this.cursor < 0) this.cursor = this.clicked[0] ?? this.firstSquare();
    if (STEPS[event.key]) {
      // After a click, the keys ← and → step through the game until a different key shows the cursor.
      if (isHidden && STEPS[event.key][1] && !this.on.isSetup?.()) return;
      this.byPointer(false);
      this.goTo(this.neighbour(...STEPS[event.key]));
    } else if (event.key === "Enter" || event.key === " ") {
      this.byPointer(false);
      if (isHidden) this.goTo(this.cursor);
      else this.click(this.cursor);
    } else if (event.key === "Escape") {
      this.reset();
      announce(t("letGo"));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  firstSquare() {
    const ways = this.ways;
    return ways.length ? ways[0].route[0] : 0;
  }

  /** Returns the nearest playable square in a direction from the cursor, as seen by the player. */
  neighbour(rows, columns) {
    const { squares } = this.view.board;
    const sign = this.view.flipped ? -1 : 1;
    const [row, column] = squares[Math.max(0, this.cursor)];
    const wanted = squares.map((square, at) => ({ at, down: (square[0] - row) * sign, right: (square[1] - column) * sign }));
    const ahead = wanted.filter(({ down, right }) => (rows ? down * rows === 1 && Math.abs(right) <= 1 : down === 0 && right * columns > 0));
    const order = (a, b) => (rows ? Math.abs(a.right) - Math.abs(b.right) || this.lean(a, b) : Math.abs(a.right) - Math.abs(b.right));
    return ahead.sort(order)[0]?.at ?? this.cursor;
  }

  /**
   * Breaks ties between two squares so that the cursor zigzags between two columns: a step up and a step down lead back
   * to the same square.
   */
  lean(a, b) {
    const column = this.view.board.squares[Math.max(0, this.cursor)][1];
    return (column % 2 ? 1 : -1) * (a.right - b.right) * (this.view.flipped ? -1 : 1);
  }

  goTo(at, say = true) {
    this.cursor = at;
    this.view.setCursor(at);
    if (say) announce(this.describe(at));
  }

  describe(at) {
    const words = [this.view.name(at), t(PIECES[this.view.piece(at)])];
    if (this.clicked.length) {
      if (this.clicked[0] !== at && this.candidates([...this.clicked, at]).length) words.push(t("canGoTo"));
    } else if (this.ways.some((way) => way.route[0] === at)) {
      words.push(t(this.on.forced?.() ? "mustTake" : "canMove"));
    }
    return words.join(", ");
  }
}
