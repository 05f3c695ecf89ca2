// Wraps a worker as an object for a page or for a program in Node.

/** The address of this module. With a variable, bundlers do not mistake the worker for a file to be copied unchanged. */
const here = import.meta.url;

/** Creates a worker in a browser. `address` is `null` for the worker of this package. */
function browserWorker(address) {
  const own = address ?? new URL("soffio-worker.mjs", here);
  const { origin, href } = new URL(own, location.href);
  const isModule = href.endsWith(".mjs");
  if (origin !== location.origin && /^https?:/.test(href)) {
    // Browsers reject workers from other sites, for example from a CDN, but a local worker may import their scripts.
    const text = isModule ? `import ${JSON.stringify(href)};` : `importScripts(${JSON.stringify(href)});`;
    return new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), { type: isModule ? "module" : "classic" });
  }
  if (address) return new Worker(address, { type: isModule ? "module" : "classic" });
  // Bundlers recognise exactly this expression, and then include the worker.
  return new Worker(new URL("./soffio-worker.mjs", import.meta.url), { type: "module" });
}

/** Creates a worker with the same interface in a browser and in Node. */
async function makeWorker(address) {
  if (typeof Worker !== "undefined") {
    const worker = browserWorker(address);
    return {
      listen: (take, fail) => {
        worker.onmessage = (event) => take(event.data);
        worker.onerror = (event) => {
          event.preventDefault();
          fail(event.message ?? `the worker cannot be loaded${address ? ": " + address : ""}`);
        };
      },
      send: (message) => worker.postMessage(message),
      end: () => worker.terminate(),
    };
  }
  const threads = "node:worker_threads";
  const { Worker: Thread } = await import(/* webpackIgnore: true */ /* @vite-ignore */ threads);
  const worker = new Thread(address ?? new URL("soffio-worker.mjs", here));
  return {
    listen: (take, fail) => worker.on("message", take).on("error", (error) => fail(error.message)),
    send: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
  };
}

export class Soffio {
  /** The address of the worker; `null` for the worker of this package. */
  #address;
  #isEnded = false;
  #onLine;
  #onRestart;
  #worker = null;
  /** Messages to send once the worker exists. */
  #unsent = [];
  #calls = new Map();
  #lastCall = 0;
  #isHeard = false;

  constructor({ onLine, onRestart = () => {}, worker = null }) {
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
    this.#isEnded = true;
    this.#end("the engine was terminated");
  }

  #post(message) {
    if (this.#worker) this.#worker.send(message);
    else if (!this.#isEnded) this.#unsent.push(message);
  }

  async #begin() {
    const worker = await makeWorker(this.#address).catch((error) => this.#fail(error.message));
    if (!worker) return;
    if (this.#isEnded) return worker.end();
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
    if (this.#isEnded) return;
    const canRestart = this.#isHeard;
    this.#isHeard = false;
    this.#end(fault);
    if (canRestart) this.#begin();
    else this.#isEnded = true;
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
