// Wraps a worker as an object for a page or for a program in Node.

/** Creates a worker with the same interface in a browser and in Node. */
async function makeWorker(address) {
  if (typeof Worker !== "undefined") {
    const worker = new Worker(address, { type: String(address).endsWith(".mjs") ? "module" : "classic" });
    return {
      listen: (take, fail) => {
        worker.onmessage = (event) => take(event.data);
        worker.onerror = (event) => fail(event.message);
      },
      send: (message) => worker.postMessage(message),
      end: () => worker.terminate(),
    };
  }
  const { Worker: Thread } = await import("node:worker_threads");
  const worker = new Thread(address);
  return {
    listen: (take, fail) => worker.on("message", take).on("error", (error) => fail(error.message)),
    send: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
  };
}

export class Soffio {
  #address;
  #onLine;
  #onRestart;
  #worker = null;
  /** Messages to send once the worker exists. */
  #unsent = [];
  #calls = new Map();
  #lastCall = 0;
  #isHeard = false;

  constructor({ onLine, onRestart = () => {}, worker = new URL("./soffio-worker.js", import.meta.url) }) {
    [this.#onLine, this.#onRestart, this.#address] = [onLine, onRestart, worker];
    this.#begin();
  }

  send(line) {
    this.#post(line);
  }

  call(request) {
    return new Promise((resolve, reject) => {
      this.#lastCall += 1;
      this.#calls.set(this.#lastCall, { resolve, reject });
      this.#post({ call: this.#lastCall, request });
    });
  }

  terminate() {
    this.#address = null;
    this.#end("the engine was ended");
  }

  #post(message) {
    if (this.#worker) this.#worker.send(message);
    else if (this.#address) this.#unsent.push(message);
  }

  async #begin() {
    const worker = await makeWorker(this.#address);
    if (!this.#address) return worker.end();
    this.#worker = worker;
    worker.listen(
      (message) => this.#take(message),
      (message) => this.#fail(message),
    );
    this.#unsent.splice(0).forEach((message) => worker.send(message));
  }

  #take(message) {
    if (message.fault !== undefined) return this.#fail(message.fault);
    this.#isHeard = true;
    if (typeof message === "string") return this.#onLine(message);
    this.#calls.get(message.reply)?.resolve(message.response);
    this.#calls.delete(message.reply);
  }

  /**
   * Replaces a failed worker with a new one, and frees its memory. A worker that has never answered is not replaced,
   * because a new one would also fail.
   */
  #fail(fault) {
    if (!this.#address) return;
    const canRestart = this.#isHeard;
    this.#isHeard = false;
    this.#end(fault);
    if (canRestart) this.#begin();
    else this.#address = null;
    this.#onRestart(fault, canRestart);
  }

  #end(reason) {
    this.#worker?.end();
    this.#worker = null;
    this.#unsent = [];
    for (const { reject } of this.#calls.values()) reject(new Error(reason));
    this.#calls.clear();
  }
}
