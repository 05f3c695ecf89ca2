// Opening books: the book moves in the position on the board.
import { Book } from "./book-reader.mjs";
import { byId, element, notice } from "./dom.js";
import { whiteScore } from "./engine.js";
import { scoreText, t, variantName } from "./words.js";

const MAGIC = "SOFFBOOK";
/** The largest score that is not a win or a loss, and the code of an immediate win. */
const [MAX_CP, WIN] = [30000, 32000];

function readScore(code) {
  if (code === null || Math.abs(code) <= MAX_CP) return code === null ? null : { cp: code };
  return { [code > 0 ? "win" : "loss"]: Math.ceil((WIN - Math.abs(code)) / 2) };
}

export class Books {
  constructor(app) {
    this.app = app;
    /** The opened books, by variant. */
    this.books = new Map();
  }

  static isBook(bytes) {
    return new TextDecoder().decode(bytes.slice(0, MAGIC.length)) === MAGIC;
  }

  /**
   * Opens the book in the file `name`. If the book cannot be used, throws an error with a message for the user and
   * changes nothing.
   */
  take(name, bytes) {
    let book = null;
    try {
      book = new Book(new Uint8Array(bytes));
    } catch {
      throw new Error(t("brokenBook", { name }));
    }
    const board = this.app.rules.boards.get(book.header.variant);
    if (!board) throw new Error(t("brokenBook", { name }));
    this.books.set(board.name, book);
    notice(t("bookOpened", { variant: variantName(board), n: book.count }));
    this.draw();
  }

  /** Returns the book moves in the position on the board, best first. */
  moves() {
    const { app } = this;
    const node = app.tree.current;
    if (!app.position || app.exercise) return [];
    const side = app.position.side;
    const found = (this.books.get(app.tree.variant)?.moves(node.position) || []).toSorted((one, other) => (other.score ?? -WIN) - (one.score ?? -WIN));
    const whole = found.reduce((sum, { weight }) => sum + weight, 0) || 1;
    return found.flatMap(({ index, score, weight }) => {
      const way = app.position.ways.find(({ number }) => number === index);
      return way ? [{ way, score: whiteScore(readScore(score), side), part: Math.round((100 * weight) / whole) }] : [];
    });
  }

  draw() {
    const home = byId("book");
    const moves = this.app.play.on ? [] : this.moves();
    home.hidden = !moves.length;
    const row = ({ way, score, part }) => element("li", {}, element("span", { class: "score" }, scoreText(score)),
      element("span", { class: "pvs" }, element("button", { type: "button", class: "pv", onclick: () => this.app.playMove(way) }, way.text), ` ${t("percent", { n: part })}`));
    home.replaceChildren(element("h2", {}, t("book")), element("ol", { class: "lines", "aria-label": t("book") }, ...moves.map(row)));
  }
}
