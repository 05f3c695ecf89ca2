// The search of a collection for the games in which the position on the board occurs.
import { button, element, select } from "./dom.js";
import { t } from "./words.js";

/** Length of the games that are searched in one request, in characters. */
const PART = 300000;
/** Number of next moves in the summary. */
const MAX_NEXT = 4;
/** Interval in milliseconds at which a search waits for more games while the collection is being read. */
const WAIT_MS = 100;

export class Finder {
  /** Searches `collection`, and calls `changed` whenever there is something new to show. */
  constructor(app, collection, changed) {
    /** The games that have been found, with the `ply` of the position and the `next` move; null if all games are shown. */
    this.found = null;
    Object.assign(this, { app, collection, changed, job: null, fault: "" });
    const modes = [["all", t("allGames")], ["position", t("withPosition")], ["pieces", t("withPieces")]];
    this.stopper = button("stop", () => this.stop());
    this.home = element("div", { class: "finder" }, select(t("gamesShown"), modes, "all", (mode) => this.begin(mode)), this.stopper);
    this.stopper.hidden = true;
  }

  stop() {
    this.job = null;
    this.stopper.hidden = true;
    this.changed();
  }

  /** Searches all games, including the games that are added to the collection meanwhile. */
  async begin(mode) {
    const { app, collection } = this;
    const job = (this.job = { done: 0 });
    this.fault = "";
    this.found = mode === "all" ? null : [];
    if (mode === "all") return this.stop();
    this.stopper.hidden = false;
    const asked = { do: "find", variant: app.board.name, position: app.seen, partial: mode === "pieces" };
    this.changed();
    while (this.job === job && (job.done < collection.games.length || !collection.isWhole)) {
      const games = this.next();
      const playable = games.filter(({ text, variant, guess }) => text && (variant ?? guess ?? asked.variant) === asked.variant);
      try {
        const { found } = playable.length ? await app.rules.ask({ ...asked, games: playable.map(({ text }) => text) }) : { found: [] };
        if (!games.length) await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
        if (this.job !== job) return;
        this.found.push(...found.map(({ index, ply, next }) => ({ ...playable[index], ply, next })));
        job.done += games.length;
      } catch (error) {
        this.fault = error.message;
        break;
      }
      this.changed();
    }
    if (this.job === job) this.stop();
  }

  /** Returns the games of the next request. */
  next() {
    const { games } = this.collection;
    const begin = this.job.done;
    let [end, length] = [begin, 0];
    for (; end < games.length && length < PART; end += 1) length += games[end].text?.length ?? 0;
    return games.slice(begin, end);
  }

  /** Describes the progress of the search, or the moves that were played next in the games. */
  summary(games) {
    if (this.fault) return this.fault;
    const words = t("foundGames", { n: games.length });
    if (this.job) return `${words} · ${t("searchedGames", { n: this.job.done, all: this.collection.games.length })}`;
    const counts = new Map();
    for (const { next } of games) if (next) counts.set(next, (counts.get(next) || 0) + 1);
    const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, MAX_NEXT);
    return [words, ...most.map(([move, n]) => `${move} (${n})`)].join(" · ");
  }
}
