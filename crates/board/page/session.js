// The games of a tab: the state that a reload restores, the game that was last replaced, and the earlier games of all
// tabs.
import { button, element, notice } from "./dom.js";
import { checksum, forget, keptNames, load, ofTab, save } from "./store.js";
import { GameTree } from "./tree.js";
import { resultText, t, variantName } from "./words.js";

/** Maximum number of earlier games that are stored. */
const MAX_EARLIER_GAMES = 30;
const GAME = "game-";

/** Size in characters above which a game does not displace earlier games from the store. */
const LARGE = 1 << 20;

export class Session {
  constructor(app) {
    this.app = app;
    const own = app.start.games.length ? "-" + checksum(JSON.stringify(app.start.games)) : "";
    this.tab = "tab-" + location.pathname + own;
    /** Name under which the game on the board is stored among the earlier games, once it is there. */
    this.id = null;
    /** Name and time of the earlier game from which the game on the board was restored. */
    this.from = null;
    /** The game that was last replaced by another one. */
    this.replaced = null;
    /** The fragment of the address, if it could not be opened. */
    this.wrong = null;
    /** The embedded games that were changed, by index. */
    this.edited = {};
  }

  /** Returns the game on the board with everything that is needed to resume it. */
  snapshot() {
    const { tree, play, own } = this.app;
    return { game: tree.toJson(), play: play.toJson(), own: own ?? null, touched: Boolean(tree.touched), id: this.id, time: Date.now() };
  }

  /** Returns whether a snapshot contains no input: neither moves, nor a comment, nor a different start position. */
  isEmpty({ game: { variant, nodes, comment, position } }) {
    return !nodes.length && !comment && position === this.app.rules.boards.get(variant).position;
  }

  /** Stores the game on the board. Returns false if closing the page would lose changes. */
  keep() {
    const { app } = this;
    if (!app.tree) return true;
    const now = this.snapshot();
    if (app.own === undefined && app.tree.touched) this.keepEarlier(now);
    const { on, position, known } = app.setUp;
    return save(this.tab, { ...now, id: this.id, setUp: on ? position : null, known: on ? known : null, list: app.files.listId, edited: this.edited, link: location.hash, wrong: this.wrong }, ofTab) || !app.tree.touched;
  }

  /**
   * Stores a game among the earlier games. It replaces the game from which it was restored, unless another tab has
   * changed that game.
   */
  keepEarlier(now) {
    if (this.isEmpty(now)) return;
    if (!this.id) {
      if (this.from && load(this.from.id, {}).time === this.from.time) forget(this.from.id);
      this.id = GAME + now.time.toString(36) + Math.random().toString(36).slice(2, 6);
      this.earlier().slice(MAX_EARLIER_GAMES - 1).forEach(({ id }) => forget(id));
    }
    while (!save(this.id, { ...now, id: this.id })) {
      const oldest = this.earlier().at(-1);
      if (!oldest || JSON.stringify(now).length > LARGE) return;
      forget(oldest.id);
    }
  }

  /** Returns the games of this and other tabs except the game on the board, most recent first. */
  earlier() {
    const games = keptNames(GAME).filter((name) => name !== this.id).map((name) => load(name, { time: 0 }));
    return games.filter(({ game }) => game?.nodes && this.app.rules.boards.has(game.variant)).sort((one, other) => other.time - one.time);
  }

  /** Restores the state of the tab before a reload. Returns false if there is none, or if the address has changed. */
  restore() {
    const { app } = this;
    const state = load(this.tab, null, ofTab);
    if (!state?.game?.nodes || state.link !== location.hash || !app.rules.boards.has(state.game.variant)) return false;
    this.edited = state.edited || {};
    this.wrong = state.wrong;
    Object.assign(app.start.games, this.edited);
    this.show(state);
    if (state.setUp) app.setUp.begin(state.setUp, state.known);
    app.files.unread = state.list || null;
    app.frame.draw();
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

  /** Stores the game on the board before another game replaces it. */
  leave(own, list) {
    const { app } = this;
    if (!app.tree) return;
    const now = this.snapshot();
    if (app.own !== undefined) {
      if (app.tree.touched) this.edited[app.own] = app.start.games[app.own] = now.game;
    } else if (app.tree.touched) this.keepEarlier(now);
    const isNeighbour = app.own !== undefined ? own !== undefined : list && list === app.tree.list && !app.tree.touched;
    if (isNeighbour) this.replaced = null;
    // An empty board does not displace the game that it has replaced.
    else if (!this.isEmpty(now)) this.replaced = { ...now, id: this.id };
    this.id = null;
    this.from = null;
  }

  /** Shows a message about the new game. If a game was replaced, the message has an undo button. */
  say(text, kind = "") {
    if (this.replaced) notice([text, t("replaced")].filter(Boolean).join(" "), kind, this.undoButton());
    else notice(text, kind);
  }

  /** Swaps the game on the board and the game that it has replaced. */
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

  /** Returns the earlier games as list elements. Calls `done` when a game has been chosen. */
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
