// One instance of the engine, which handles the messages of a worker and sends replies. The build copies this file into
// the classic worker and the module worker.

/** Size in bytes of the buffer for the stack of a suspended search. The deepest search needs a tenth of it. */
const FRAMES = 1 << 20;

/** Maximum time in milliseconds to load a weights file. */
const PATIENCE = 20_000;

/** Returns the name of the fastest module that this browser can run. */
const moduleName = () => (WebAssembly.Suspending ? "soffio-jspi.wasm" : "soffio.wasm");

/** Calls `act` when the messages that have already arrived have been handled, sooner than a timer would. */
const afterMessages = (() => {
  // In Node, a message that a worker sends to itself overtakes messages from others.
  if (typeof setImmediate === "function") return setImmediate;
  const { port1, port2 } = new MessageChannel();
  let next;
  port1.onmessage = () => next();
  return (act) => {
    next = act;
    port2.postMessage(null);
  };
})();

/**
 * Runs `work` in a module that the browser can suspend (JavaScript Promise Integration). `wait` receives whether to
 * wait for input, and a function that resumes the module.
 */
class SuspendingRunner {
  constructor(wait) {
    this.pause = new WebAssembly.Suspending((untilInput) => new Promise((resume) => wait(untilInput, resume)));
  }

  attach(exports) {
    this.run = WebAssembly.promising(exports.work);
  }
}

/** Runs `work` in a module that asyncify has rewritten, so that it can save its stack, return, and be called again. */
class RewrittenRunner {
  #wait;
  #exports;
  #frames;
  #untilInput;

  constructor(wait) {
    this.#wait = wait;
    this.pause = (untilInput) => this.#pause(untilInput);
  }

  attach(exports) {
    this.#exports = exports;
    this.#frames = exports.frames(FRAMES);
    new Uint32Array(exports.memory.buffer, this.#frames, 2).set([this.#frames + 8, this.#frames + FRAMES]);
  }

  /** Returns a promise that is fulfilled when `work` is done. */
  run() {
    return new Promise((resolve, reject) => this.#advance(resolve, reject));
  }

  #advance(resolve, reject) {
    try {
      this.#exports.work();
      if (this.#exports.asyncify_get_state() !== 1) return resolve();
      this.#exports.asyncify_stop_unwind();
    } catch (error) {
      return reject(error);
    }
    this.#wait(this.#untilInput, () => {
      this.#exports.asyncify_start_rewind(this.#frames);
      this.#advance(resolve, reject);
    });
  }

  /** Called by `work` twice per pause: when it is suspended, and when it is resumed. */
  #pause(untilInput) {
    if (this.#exports.asyncify_get_state() === 2) {
      this.#exports.asyncify_stop_rewind();
    } else {
      this.#untilInput = untilInput;
      new Uint32Array(this.#exports.memory.buffer, this.#frames, 1)[0] = this.#frames + 8;
      this.#exports.asyncify_start_unwind(this.#frames);
    }
  }
}

/** Loads weights files, each only once unless it cannot be used. */
class Weights {
  #load;
  #files = new Map();
  #failed = new Set();

  /** `load` receives the name of a file, and whether caches must not be used because an earlier attempt failed. */
  constructor(load) {
    this.#load = load;
  }

  file(name) {
    if (!this.#files.has(name)) {
      const file = this.#load(name, this.#failed.has(name));
      this.#files.set(name, file);
      file.catch(() => this.drop(name));
    }
    return this.#files.get(name);
  }

  /** Makes the next call of `file` load the file again. */
  drop(name) {
    this.#files.delete(name);
    this.#failed.add(name);
  }
}

class Engine {
  #say;
  #close;
  #weights;
  #runner;
  #exports;
  /** Whether there is work, which may be waiting for its weights. */
  #isWorking = false;
  #isRunning = false;
  #isOver = false;
  /** Resumes the suspended work. */
  #resume = null;
  #waitsForInput = false;
  /** The lines that wait for weights, because the first of them evaluates the position. */
  #held = null;
  /** Lets the work start without the weights that are being loaded. */
  #skipWeights = null;
  /** The weights file of the selected variant, if it has not been loaded. */
  #chosen = null;
  #fault = "";
  #answer = "";
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();

  /**
   * Creates an engine from `module`. It passes lines and responses to `say`, and calls `close` when its session ends.
   * `loadWeights` returns the content of a weights file.
   */
  static async start(module, { say, close, loadWeights }) {
    const engine = new Engine();
    [engine.#say, engine.#close, engine.#weights] = [say, close, new Weights(loadWeights)];
    const isRewritten = WebAssembly.Module.exports(module).some(({ name }) => name === "asyncify_get_state");
    const wait = (untilInput, resume) => engine.#wait(untilInput, resume);
    engine.#runner = isRewritten ? new RewrittenRunner(wait) : new SuspendingRunner(wait);
    const imports = {
      now: () => performance.now(),
      emit: (address, length) => say(engine.#text(address, length)),
      fault: (address, length) => (engine.#fault = engine.#text(address, length)),
      answer: (address, length) => (engine.#answer = engine.#text(address, length)),
      pause: engine.#runner.pause,
    };
    const { exports } = await WebAssembly.instantiate(module, { soffio: imports });
    engine.#exports = exports;
    exports.start();
    engine.#runner.attach(exports);
    engine.#chosen = engine.#missingWeights();
    return engine;
  }

  /** Handles a message: lines, or a call `{call, request}`. After a failure, messages are ignored. */
  take(message) {
    if (typeof message === "string") message.split(/\r?\n/).forEach((line) => this.#takeLine(line));
    else if (typeof message?.request === "string") {
      this.#guard(() => {
        this.#exports.call(this.#write(message.request));
        this.#say({ reply: message.call, response: this.#answer });
      });
    }
  }

  #takeLine(line) {
    this.#guard(() => {
      if (this.#held) this.#held.push(line);
      else if (!this.#isRunning && this.#exports.must_wait(this.#write(line))) this.#held = [line];
      else this.#handle(line);
      if (/^\s*(stop|quit)\b/i.test(line)) this.#skipWeights?.();
      if (this.#waitsForInput) this.#continue();
      else if (!this.#isWorking) this.#work();
    });
  }

  #handle(line) {
    this.#exports.take(this.#write(line));
    if (this.#isRunning) return;
    const chosen = this.#missingWeights();
    if (chosen === this.#chosen) return;
    this.#chosen = chosen;
    // Loads the weights before a search needs them, unless another variant is selected at once. A failure is reported
    // when the search loads them again.
    if (chosen) setTimeout(() => chosen === this.#chosen && this.#weights.file(chosen).catch(() => {}));
  }

  #missingWeights() {
    return this.#exports.lacks_weights() ? this.#answer : null;
  }

  #guard(act) {
    if (this.#isOver) return;
    try {
      act();
      if (!this.#isWorking && this.#exports.is_over()) this.#end();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#say({ fault: this.#fault || String(error) });
  }

  #end() {
    this.#isOver = true;
    this.#close();
  }

  /** Runs all work, after loading the weights that it needs. */
  async #work() {
    this.#isWorking = true;
    try {
      while (!this.#isOver && this.#exports.has_work()) {
        while (this.#exports.needs_weights()) await this.#loadWeights(this.#answer);
        this.#release();
        this.#isRunning = true;
        await this.#runner.run();
        this.#isRunning = false;
      }
    } catch (error) {
      return this.#fail(error);
    }
    this.#isWorking = false;
    this.#guard(() => {});
  }

  /** Loads the weights that the next work needs. Without them, the work evaluates only material. */
  async #loadWeights(name) {
    const skipped = new Promise((skip) => (this.#skipWeights = () => skip(null)));
    const [bytes, reason] = await Promise.race([this.#weights.file(name), skipped]).then(
      (bytes) => [bytes, ""],
      (error) => [null, error.message || String(error)],
    );
    this.#skipWeights = null;
    if (!bytes) this.#exports.give_up_weights(this.#write(reason));
    else if (!this.#exports.take_weights(this.#put(bytes))) this.#weights.drop(name);
  }

  /** Handles the lines that waited for weights. */
  #release() {
    const [first, ...rest] = this.#held ?? [];
    this.#held = null;
    // The weights of the first line have been loaded, or cannot be loaded.
    if (first !== undefined) this.#handle(first);
    rest.forEach((line) => this.#takeLine(line));
  }

  #wait(untilInput, resume) {
    [this.#waitsForInput, this.#resume] = [untilInput, resume];
    if (!untilInput) afterMessages(() => this.#continue());
  }

  #continue() {
    const resume = this.#resume;
    [this.#waitsForInput, this.#resume] = [false, null];
    if (!this.#isOver) resume();
  }

  /** Writes `text` into the module and returns its length. */
  #write(text) {
    return this.#put(this.#encoder.encode(text));
  }

  /** Writes `bytes` into the module and returns their number. */
  #put(bytes) {
    const address = this.#exports.allocate(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes);
    return bytes.length;
  }

  #text(address, length) {
    return this.#decoder.decode(new Uint8Array(this.#exports.memory.buffer, address, length));
  }
}

/**
 * Starts an engine with the module that `load` returns, and passes the messages from `listen` to it. `loadWeights`
 * returns the content of a weights file, and `close` ends the worker.
 */
function serve(load, loadWeights, { listen, say, close }) {
  const early = [];
  let engine = null;
  listen((message) => (engine ? engine.take(message) : early.push(message)));
  // A failure to find the address of the module is reported in the same way as a failure to load the module.
  Promise.resolve()
    .then(load)
    .then((module) => Engine.start(module, { say, close, loadWeights }))
    .then((started) => {
      engine = started;
      early.splice(0).forEach((message) => engine.take(message));
    })
    .catch((error) => say({ fault: `the engine cannot be loaded: ${error.message ?? error}` }));
}

/**
 * Returns the functions that exchange a worker's messages: for Node if `parentPort` is given, otherwise for a browser.
 */
function messages(parentPort) {
  if (parentPort) {
    return {
      listen: (take) => parentPort.on("message", take),
      say: (message) => parentPort.postMessage(message),
      close: () => parentPort.close(),
    };
  }
  return {
    listen: (take) => (self.onmessage = (event) => take(event.data)),
    say: (message) => self.postMessage(message),
    close: () => self.close(),
  };
}

async function fetchBytes(address, options) {
  const response = await fetch(address, options);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`.trim());
  return new Uint8Array(await response.arrayBuffer());
}

/** Loads a module over the network, even if the server declares a content type other than `application/wasm`. */
async function fetchModule(address) {
  return WebAssembly.compile(await fetchBytes(address));
}

/** Loads a weights file over the network. If `isAgain` is true, a copy in the browser's cache is not used. */
async function fetchWeights(address, isAgain) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), PATIENCE);
  try {
    return await fetchBytes(address, { signal: controller.signal, cache: isAgain ? "reload" : "default" });
  } catch (error) {
    if (controller.signal.aborted) throw new Error(`${address}: no answer within ${PATIENCE / 1000} s`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
