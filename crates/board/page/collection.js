// A collection of games from one text. The text is read in parts, the games are listed as they arrive, and the list is
// filtered immediately.
import { dialog, element } from "./dom.js";
import { Finder } from "./finder.js";
import { LongList } from "./list.js";
import { reasonText } from "./reasons.js";
import { isKnown, resultText, t, variantName } from "./words.js";

/**
 * Length of the first part of a text, in characters. Each further part is four times as long as the previous one, up to
 * `MAX_PART`.
 */
const FIRST_PART = 150000;
const MAX_PART = 4000000;
/** A search text that consists of moves, such as `11-15 23-19`, finds the games that begin with them. */
const IS_OPENING = /^(?:\w{1,3}[-x]\w{1,3}(?:\s+|$))+$/;

/**
 * Splits a text into parts, between games. Guessing the variant takes time for each part, so later parts are longer.
 */
function* partsOf(text) {
  let [begin, length] = [0, FIRST_PART];
  for (const { index } of text.matchAll(/\n[ \t\r]*\n(?=\[[A-Z]\w* ")/g)) {
    if (index - begin < length) continue;
    yield text.slice(begin, index) + "\n\n";
    begin = index;
    length = Math.min(4 * length, MAX_PART);
  }
  yield text.slice(begin);
}

/** Returns a test for the games that a search text describes. */
function matching(words) {
  const text = words.trim().toLowerCase();
  if (IS_OPENING.test(text)) {
    const opening = text.split(/\s+/).join(" ");
    return (game) => game.opening.startsWith(opening);
  }
  const parts = text.split(/\s+/);
  return ({ key }) => parts.every((part) => key.includes(part));
}

export class Collection {
  /** `id` is the name of the collection in the archive. */
  constructor(app, id) {
    Object.assign(this, { app, id, games: [], isWhole: false, shown: null });
  }

  /**
   * Reads the games in `text`. Calls `begun` after the first part. Throws an error if the first part contains no game.
   */
  async read(text, begun) {
    const { rules } = this.app;
    const parts = partsOf(text);
    let isFirst = true;
    for (let next = parts.next(); !next.done; isFirst = false) {
      const part = next.value;
      next = parts.next();
      const before = this.games.length;
      try {
        const { games } = await rules.ask({ do: "games", text: part });
        let end = 0;
        for (const game of games) {
          const begin = end;
          end += game.length;
          this.add({ ...game, number: before + game.number, text: part.slice(begin, end) });
        }
      } catch (error) {
        if (isFirst) throw error;
        this.add({ number: before + 1, white: "", black: "", event: "", date: "", result: "*", opening: "", plies: 0, error: error.message });
      }
      this.isWhole = Boolean(next.done);
      if (isFirst) begun();
      this.shown?.();
    }
  }

  add(game) {
    const board = this.app.rules.boards.get(game.variant);
    const result = game.result === "*" ? "" : resultText(game.result, board || this.app.rules.boards.get(game.guess));
    const facts = [result, game.event, game.date, t("plies", { n: game.plies }), board ? variantName(board) : ""];
    const row = { ...game, title: this.title(game), facts: facts.filter(isKnown).join(" · ") };
    row.key = `${row.title} ${row.facts}`.toLowerCase();
    this.games.push(row);
  }

  title(game) {
    const players = isKnown(game.white) || isKnown(game.black) ? `${game.white || "?"} – ${game.black || "?"}` : "";
    return [t("gameOf", { n: game.number }), players].filter(Boolean).join(": ");
  }

  /** Shows a list of the games to choose from. `open` returns whether the game could be opened. */
  choose(open) {
    const message = element("p", { class: "said wrong", role: "alert" });
    const row = (game) => {
      const next = "ply" in game ? [game.next ? t("nextMove", { move: game.next }) : t("last")] : [];
      const facts = [...next, game.facts].filter(Boolean).join(" · ");
      return element("li", {}, element("button", { type: "button", onclick: async () => (await open(game, message)) && box.close() }, element("span", {}, game.title), element("small", { title: [game.opening, ...(game.notes || []).map(reasonText)].join("\n") }, facts)));
    };
    const list = new LongList(row);
    const filter = element("input", { type: "search", "aria-label": t("filter"), placeholder: t("filterHelp"), oninput: () => {
      list.home.scrollTop = 0;
      show();
    } });
    const progress = element("p", { class: "said", role: "status" });
    const show = () => {
      const words = filter.value.trim();
      const games = finder.found ?? this.games;
      const found = words ? games.filter(matching(words)) : [...games];
      const count = finder.found ? finder.summary(found) : words ? t("foundGames", { n: found.length }) : "";
      progress.textContent = !this.isWhole && !finder.found ? t("readingGames") : count;
      list.set(found);
    };
    const finder = new Finder(this.app, this, show);
    const box = dialog(t("gamesTitle", { n: this.games.length }), element("div", { class: "search" }, filter, finder.home), progress, message, list.home);
    box.classList.add("wide");
    box.addEventListener("close", () => {
      finder.stop();
      this.shown = null;
    });
    this.shown = () => {
      box.querySelector("h2").textContent = t("gamesTitle", { n: this.games.length });
      show();
    };
    this.shown();
    filter.focus();
  }
}
