// A session with a worker, in Node and in a browser.

const isNode = typeof process !== "undefined";

/**
 * Starts a worker from the package: a classic one, or a module worker if `address` ends in `.mjs`. In Node, a script
 * can be loaded first: `{address, preload}`.
 */
async function spawn(worker) {
  const { address, preload } = worker.address ? worker : { address: worker };
  if (!isNode) {
    const made = new Worker(address, { type: String(address).endsWith(".mjs") ? "module" : "classic" });
    return {
      send: (message) => made.postMessage(message),
      listen: (take) => (made.onmessage = (event) => take(event.data)),
      end: () => made.terminate(),
    };
  }
  const threads = await import("node:worker_threads");
  // Without the options of this process: `--input-type` does not apply to files.
  const thread = new threads.Worker(address, { execArgv: preload ? ["--require", preload] : [] });
  return {
    send: (message) => thread.postMessage(message),
    listen: (take) => thread.on("message", take),
    end: () => thread.terminate(),
    ended: new Promise((end) => thread.once("exit", end)),
  };
}

export class Talk {
  #messages = [];
  #waiting = null;

  static async begin(address, ...lines) {
    const talk = new Talk();
    talk.worker = await spawn(address);
    talk.worker.listen((message) => talk.#take(message));
    lines.forEach((line) => talk.send(line));
    return talk;
  }

  send(line) {
    this.worker.send(line);
  }

  #take(message) {
    this.#messages.push(message);
    this.#waiting?.();
  }

  /** Returns the next message. After `patience` ms without one, returns nothing if `mayFail`, otherwise throws. */
  async next({ patience = 60_000, mayFail = false } = {}) {
    const end = performance.now() + patience;
    while (!this.#messages.length) {
      const left = end - performance.now();
      if (left <= 0) {
        if (mayFail) return null;
        throw new Error("no message arrived");
      }
      await new Promise((wake) => {
        const timer = setTimeout(wake, left);
        this.#waiting = () => (clearTimeout(timer), wake());
      });
      this.#waiting = null;
    }
    const message = this.#messages.shift();
    if (message?.fault) throw new Error(`fault: ${message.fault}`);
    return message;
  }

  /** Returns the messages up to one that starts with `start`. */
  async until(start, options) {
    const found = [];
    for (;;) {
      found.push(await this.next(options));
      if (found.at(-1).startsWith?.(start)) return found;
    }
  }

  /** Sends `line`, and returns the messages up to one that starts with `start`. */
  request(line, start, options) {
    this.send(line);
    return this.until(start, options);
  }

  end() {
    return this.worker.end();
  }
}

export function check(holds, ...details) {
  if (!holds) throw new Error(details.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" "));
}

/** Random numbers, the same in every run. */
export class Chance {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** Returns a number from 0 to `bound` - 1. */
  below(bound) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * bound);
  }

  of(list) {
    return list[this.below(list.length)];
  }
}

export const sleep = (ms) => new Promise((wake) => setTimeout(wake, ms));

export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1];
}
