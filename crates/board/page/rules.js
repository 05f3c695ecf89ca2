// Requests to the rules, which the host answers. Positions are cached.
import { reasonText } from "./reasons.js";
import { t } from "./words.js";

const MAX_KEPT = 400;

export class Rules {
  constructor(host) {
    this.host = host;
    this.kept = new Map();
    this.boards = new Map();
  }

  /** Sends a request and returns the response. If the response is an error, throws an error with its message. */
  async ask(request) {
    const text = JSON.stringify(request);
    let answer = JSON.parse(await this.host.call(text));
    if (answer.error === "trap") answer = JSON.parse(await this.host.call(text));
    if (["trap", "lost", "noEngine"].includes(answer.error)) throw new Error(t(answer.error === "trap" ? "trapped" : answer.error));
    if (answer.error) throw new Error(reasonText(answer.error));
    return answer;
  }

  async loadBoards() {
    const boards = await this.ask({ do: "variants" });
    this.boards = new Map(boards.map((board) => [board.name, board]));
  }

  /** Returns the board of a variant, whose name can have any spelling. Throws an error if there is no such variant. */
  async board(name) {
    const { variant } = this.boards.has(name) ? { variant: name } : await this.position({ variant: name, letters: null, fen: null, moves: [] });
    return this.boards.get(variant);
  }

  /** Returns the position after the moves of a game, with its legal moves. */
  position(game) {
    const request = { do: "position", ...game };
    const key = JSON.stringify(request);
    if (!this.kept.has(key)) {
      if (this.kept.size >= MAX_KEPT) this.kept.delete(this.kept.keys().next().value);
      const asked = this.ask(request);
      this.kept.set(key, asked);
      asked.catch(() => this.kept.delete(key));
    }
    return this.kept.get(key);
  }

  /** Returns the moves of a line, each with the position after it. */
  line(game, line) {
    return this.ask({ do: "line", ...game, line });
  }
}
