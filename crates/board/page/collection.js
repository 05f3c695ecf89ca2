// A collection of games from one text. The text is read in parts, the games are listed as they arrive, and the list is
// filtered immediately.
import { dialog, element } from "./dom.js";
import { isKnown, resultText, t, variantName } from "./words.js";

/**
 * Length of the first part of a text, in characters. Each further part is four times as long as the previous one, up to
 * `LONGEST_PART`.
 */
const FIRST_PART = 150000;
const LONGEST_PART = 4000000;
/** Number of games that are listed at a time. Scrolling adds more. */
const PAGE = 60;

/**
 * Splits a text into parts, between games. Guessing the variant takes time for each part, so later parts are longer.
 */
export function partsOf(text) {
  const parts = [];
  let [begin, length] = [0, FIRST_PART];
  for (const { index } of text.matchAll(/\n[ \t\r]*\n(?=\[[A-Z]\w* ")/g)) {
    if (index - begin < length) continue;
    parts.push(text.slice(begin, index) + "\n\n");
    begin = index;
    length = Math.min(4 * length, LONGEST_PART);
  }
  return [...parts, text.slice(begin)];
}

export class Collection {
  constructor(app) {
    Object.assign(this, { app, games: [], isWhole: false, shown: null });
  }

  /**
   * Reads the games in `text`. Calls `begun` after the first part. Throws an error if the first part contains no game.
   */
  async read(text, begun) {
    const { rules } = this.app;
    const parts = partsOf(text);
    for (const [at, part] of parts.entries()) {
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
        if (!at) throw error;
        this.add({ number: before + 1, white: "", black: "", event: "", date: "", result: "*", plies: 0, error: error.message });
      }
      this.isWhole = at === parts.length - 1;
      if (!at) begun();
      this.shown?.();
    }
  }

  add(game) {
    const board = this.app.rules.boards.get(game.variant);
    const result = game.result === "*" ? "" : resultText(game.result, board || this.app.rules.boards.get(game.guess));
    const facts = [board ? variantName(board) : "", game.event, game.date, t("plies", { n: game.plies }), result];
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
    const list = element("ol", { class: "games", onscroll: () => list.scrollTop + 2 * list.clientHeight > list.scrollHeight && more() });
    const said = element("p", { class: "said wrong", role: "alert" });
    const row = (game) => element("li", {}, element("button", { type: "button", onclick: async () => (await open(game, said)) && box.close() }, element("span", {}, game.title), element("small", { title: (game.notes || []).join("\n") }, game.facts)));
    const filter = element("input", { type: "search", "aria-label": t("filter"), placeholder: t("filter"), oninput: () => {
      find();
      list.replaceChildren();
      more();
    } });
    const progress = element("p", { class: "said", role: "status" });
    let found = [];
    const more = () => list.append(...found.slice(list.childElementCount, list.childElementCount + PAGE).map(row));
    const find = () => {
      const words = filter.value.toLowerCase().split(/\s+/);
      found = this.games.filter(({ key }) => words.every((word) => key.includes(word)));
    };
    const box = dialog(t("gamesTitle", { n: this.games.length }), filter, progress, said, list);
    box.addEventListener("close", () => (this.shown = null));
    this.shown = () => {
      box.querySelector("h2").textContent = t("gamesTitle", { n: this.games.length });
      progress.textContent = this.isWhole ? "" : t("readingGames");
      find();
      if (list.childElementCount < PAGE) more();
    };
    this.shown();
  }
}
