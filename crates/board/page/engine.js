// Communication with the engine. Only one job runs at a time; the next job starts when the previous one has ended.
import { notice } from "./dom.js";
import { reasonText } from "./reasons.js";

/** Parses an `info` line. */
function readInfo(line) {
  const words = line.split(" ");
  const info = { pv: [] };
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at];
    if (word === "string") return { string: words.slice(at + 1).join(" "), pv: [] };
    if (word === "pv") {
      info.pv = words.slice(at + 1);
      break;
    } else if (word === "score") {
      info.score = { [words[at + 1]]: Number(words[at + 2]) };
      at += 2;
    } else if (word === "wdl") {
      info.wdl = words.slice(at + 1, at + 4).map(Number);
      at += 3;
    } else if (word === "lowerbound" || word === "upperbound") info.bound = word;
    else if (word === "currmove") info.currmove = words[(at += 1)];
    else info[word] = Number(words[(at += 1)]);
  }
  return info;
}

/** Converts the score of an `info` line to White's point of view. */
export function whiteScore(score, side) {
  if (!score) return null;
  const white = side === "white";
  if ("cp" in score) return { cp: white ? score.cp : -score.cp };
  if ("win" in score) return { [white ? "white" : "black"]: score.win };
  return { [white ? "black" : "white"]: score.loss };
}

/** The lines of the last complete iteration. Lines of different iterations are never mixed. */
export class Lines {
  /** `expected` is the number of lines that the engine will report. */
  constructor(expected) {
    Object.assign(this, { expected, lines: [], next: [] });
  }

  /** Adds an `info` that contains a line. Returns whether there is something new to show. */
  take(info) {
    const rank = info.multipv || 1;
    if (info.bound) {
      // Before the first iteration is complete, a bound is better than nothing.
      if (rank > 1 || this.lines.some((line) => !line.bound)) return false;
      this.lines = [info];
      return true;
    }
    const isShort = rank === 1 && this.finish();
    if (rank === 1) this.next = [info];
    else if (rank === this.next.length + 1 && info.depth === this.next[0].depth) this.next.push(info);
    return (this.next.length >= this.expected && this.finish()) || isShort;
  }

  /**
   * Completes the iteration with the lines that have arrived, even if there are fewer than expected. Returns whether
   * there are any.
   */
  finish() {
    if (!this.next.length) return false;
    [this.lines, this.next] = [this.next, []];
    return true;
  }
}

export class EngineConnection {
  constructor(host) {
    this.host = host;
    this.forget();
    this.next = null;
    this.running = null;
  }

  /** Resets the recorded options, because the engine is a new one that has not received them. */
  forget() {
    this.options = {};
    this.known = new Set();
    if (this.host.has) this.host.send("uci");
  }

  hear(line) {
    if (line.startsWith("option name ")) this.known.add(line.slice(12).split(" type ")[0]);
    // Without the weights of the game, the engine still searches, but evaluates only material.
    else if (line.startsWith("info string cannot load ")) notice(reasonText(line.slice(12)), "wrong");
    else if (line.startsWith("info ")) this.running?.info?.(readInfo(line));
    else if (line.startsWith("bestmove ")) this.end(line.split(" ")[1]);
    else if (line.startsWith("error ") && this.running) this.end(null, reasonText(line.slice(6)));
  }

  end(move, error) {
    const job = this.running;
    this.running = null;
    job?.done(move === "none" ? null : move, error);
    this.begin();
  }

  /**
   * Starts a search and stops the previous one. A job contains `game` (`variant`, `letters`, `fen` and `moves`),
   * `options`, `go` (such as `infinite`), and the callback `info`. Resolves to `{move, error, replaced}`.
   */
  search(job) {
    return new Promise((resolve) => {
      this.next?.done(null, null, true);
      this.next = { ...job, done: (move, error, replaced = false) => resolve({ move, error, replaced }) };
      if (this.running) this.stop();
      else this.begin();
    });
  }

  /** Stops the running search, which still returns its move. */
  stop() {
    if (this.running && !this.running.stopped) {
      this.running.stopped = true;
      this.host.send("stop");
    }
  }

  /** Stops the running search and discards the queued one. */
  cancel() {
    this.next?.done(null, null, true);
    this.next = null;
    this.stop();
  }

  begin() {
    const job = this.next;
    if (!job || this.running) return;
    this.next = null;
    this.running = job;
    const { variant, letters, fen, moves } = job.game;
    const optional = variant.endsWith("-optional");
    this.set("UCI_Variant", variant.replace(/-optional$/, ""));
    if (optional || "Forced Capture" in this.options) this.set("Forced Capture", String(!optional));
    this.set("Notation", letters ? "algebraic" : "numeric");
    if (this.known.has("UCI_ShowWDL")) this.set("UCI_ShowWDL", "true");
    for (const [name, value] of Object.entries(job.options || {})) this.set(name, String(value));
    this.host.send(`position fen ${fen}${moves.length ? " moves " + moves.join(" ") : ""}`);
    this.host.send("go " + job.go);
  }

  set(name, value) {
    if (this.options[name] === value) return;
    if (name === "UCI_Variant") delete this.options["Forced Capture"];
    this.options[name] = value;
    this.host.send(`setoption name ${name} value ${value}`);
  }

  /** Called after a trap: restarts the interrupted search on the new engine. */
  restarted() {
    const job = this.running;
    this.running = null;
    this.forget();
    if (job && !job.stopped && !this.next) this.next = job;
    else job?.done(null, null, true);
    this.begin();
  }
}
