// Requests the rules from the host, and caches positions.
import { t } from "./words.js";

const MOST_KEPT = 400;

export class Rules {
  constructor(host) {
    this.host = host;
    this.kept = new Map();
    this.boards = new Map();
  }

  /** Sends a request; an answer with an error becomes an exception with its sentence. */
  async request(request) {
    const text = JSON.stringify(request);
    let answer = JSON.parse(await this.host.call(text));
    if (answer.error === "trap") answer = JSON.parse(await this.host.call(text));
    if (answer.error) throw new Error(["trap", "lost", "noEngine"].includes(answer.error) ? t(answer.error === "trap" ? "trapped" : answer.error) : answer.error);
    return answer;
  }

  async loadBoards() {
    const boards = await this.request({ do: "variants" });
    this.boards = new Map(boards.map((board) => [board.name, board]));
  }

  /** Returns the board of the variant `name` in any spelling. Throws a sentence if there is none. */
  async board(name) {
    const { variant } = this.boards.has(name) ? { variant: name } : await this.position({ variant: name, letters: null, fen: null, moves: [] });
    return this.boards.get(variant);
  }

  /** Returns the position after `moves`, with its legal moves. */
  position(game) {
    const request = { do: "position", ...game };
    const key = JSON.stringify(request);
    if (!this.kept.has(key)) {
      if (this.kept.size >= MOST_KEPT) this.kept.delete(this.kept.keys().next().value);
      const answer = this.request(request);
      this.kept.set(key, answer);
      answer.catch(() => this.kept.delete(key));
    }
    return this.kept.get(key);
  }

  /** Returns the positions along a line. */
  line(game, line) {
    return this.request({ do: "line", ...game, line });
  }
}
