// The games of a tab: what a reload brings back, the game before the one on the board, and earlier games of all tabs.
import { button, element, notice } from "./dom.js";
import { forget, keptNames, load, ofTab, save } from "./store.js";
import { GameTree } from "./tree.js";
import { resultText, t, variantName } from "./words.js";

/** Earlier games that are kept. */
const MOST = 30;
const GAME = "game-";

/** Larger games do not push earlier ones out of the store. */
const LARGE = 1 << 20;

/** A number of 32 bits for a text. */
function checksum(text) {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum;
}

export class Session {
  constructor(app) {
    this.app = app;
    const own = app.start.games.length ? "-" + checksum(JSON.stringify(app.start.games)) : "";
    this.tab = "tab-" + location.pathname + own;
    /** The name of the game on the board among the earlier games, once it is there. */
    this.id = null;
    /** The earlier game that the one on the board is made of: name and time. */
    this.from = null;
    /** The game that another one has replaced. */
    this.replaced = null;
    /** The address, if it could not be opened. */
    this.wrong = null;
    /** Games of the page that were changed, by their number. */
    this.edited = {};
  }

  /** The game on the board, and all that is needed to go on with it. */
  snapshot() {
    const { tree, play, own } = this.app;
    return { game: tree.toJson(), play: play.toJson(), own: own ?? null, touched: Boolean(tree.touched), id: this.id, time: Date.now() };
  }

  /** Whether a snapshot has nothing that somebody has put in. */
  isEmpty({ game: { variant, nodes, comment, position } }) {
    return !nodes.length && !comment && position === this.app.rules.boards.get(variant).position;
  }

  /** Keeps the game on the board. Returns false if it would be lost with the page. */
  keep() {
    const { app } = this;
    if (!app.tree) return true;
    const now = this.snapshot();
    if (app.own === undefined && app.tree.touched) this.keepEarlier(now);
    const setUp = app.setUp.on ? app.setUp.position : null;
    return save(this.tab, { ...now, id: this.id, setUp, edited: this.edited, link: location.hash, wrong: this.wrong }, ofTab) || !app.tree.touched;
  }

  /** Keeps a game among the earlier ones, in the place of the one that it is made of unless that was changed by another tab. */
  keepEarlier(now) {
    if (this.isEmpty(now)) return;
    if (!this.id) {
      if (this.from && load(this.from.id, {}).time === this.from.time) forget(this.from.id);
      this.id = GAME + now.time.toString(36) + Math.random().toString(36).slice(2, 6);
      this.earlier().slice(MOST - 1).forEach(({ id }) => forget(id));
    }
    while (!save(this.id, { ...now, id: this.id })) {
      const oldest = this.earlier().at(-1);
      if (!oldest || JSON.stringify(now).length > LARGE) return;
      forget(oldest.id);
    }
  }

  /** The games of this and of other tabs, without the one on the board, the last one first. */
  earlier() {
    const games = keptNames(GAME).filter((name) => name !== this.id).map((name) => load(name, { time: 0 }));
    return games.filter(({ game }) => game?.nodes && this.app.rules.boards.has(game.variant)).sort((one, other) => other.time - one.time);
  }

  /** Brings back what was there before a reload, or the last game of a browser that was closed. Returns whether there was one. */
  restore() {
    const { app } = this;
    const state = load(this.tab, null, ofTab);
    if (!state?.game?.nodes || state.link !== location.hash || !app.rules.boards.has(state.game.variant)) return false;
    this.edited = state.edited || {};
    this.wrong = state.wrong;
    Object.assign(app.start.games, this.edited);
    this.show(state);
    if (state.setUp) app.setUp.begin(state.setUp);
    return true;
  }

  restoreLast() {
    const [last] = this.earlier();
    if (last) this.show(last);
    return Boolean(last);
  }

  show({ game, play, own, touched, id, time }) {
    const tree = GameTree.from(game);
    tree.touched = touched;
    this.app.setTree(tree, { own: own ?? undefined, play });
    this.from = id && { id, time };
  }

  /** Called before another game takes the place of the one on the board. */
  leave(own, list) {
    const { app } = this;
    if (!app.tree) return;
    const now = this.snapshot();
    if (app.own !== undefined) {
      if (app.tree.touched) this.edited[app.own] = app.start.games[app.own] = now.game;
    } else if (app.tree.touched) this.keepEarlier(now);
    const isNeighbour = app.own !== undefined ? own !== undefined : list && list === app.tree.list && !app.tree.touched;
    if (isNeighbour) this.replaced = null;
    // An empty board does not take the place of the game that was replaced by it.
    else if (!this.isEmpty(now)) this.replaced = { ...now, id: this.id };
    this.id = null;
    this.from = null;
  }

  /** Says something about the game that is on the board now, and offers the one before it. */
  say(text, kind = "") {
    if (this.replaced) notice([text, t("replaced")].filter(Boolean).join(" "), kind, this.undoButton());
    else notice(text, kind);
  }

  /** Puts the game that was replaced and the one on the board in the place of each other. */
  undo() {
    const { replaced } = this;
    if (!replaced) return;
    this.replaced = null;
    this.show(replaced);
    notice(t("restored"), "", this.replaced && this.undoButton());
  }

  undoButton() {
    return button("undo", () => this.undo());
  }

  /** The earlier games as a list; `done` is called when one was chosen. */
  list(done) {
    const games = this.earlier();
    const row = (kept) => {
      const tree = GameTree.from(kept.game);
      const board = this.app.rules.boards.get(tree.variant);
      const line = tree.line(tree.root);
      const players = tree.tag("White") || tree.tag("Black") ? `${tree.tag("White") || "?"} – ${tree.tag("Black") || "?"}` : line.slice(0, 4).map(({ text }) => text).join(" ") || tree.fen;
      const facts = [variantName(board), t("plies", { n: line.length }), tree.result === "*" ? "" : resultText(tree.result, board), new Date(kept.time).toLocaleString(document.documentElement.lang)];
      return element("li", {}, element("button", { type: "button", onclick: () => {
        this.show(kept);
        this.say("");
        done();
      } }, element("span", {}, players), element("small", {}, facts.filter(Boolean).join(" · "))));
    };
    return games.length ? [element("h2", {}, t("earlier")), element("ol", { class: "games" }, ...games.map(row))] : [];
  }
}
