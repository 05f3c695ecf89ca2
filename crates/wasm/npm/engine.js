// One instance of the engine, which handles the messages of a worker and sends replies. The build copies this file into
// the classic worker and the module worker.

/** Size in bytes of the buffer for the stack of a suspended search. The deepest search needs a tenth of it. */
const FRAMES = 1 << 20;

/** A module with a 128-bit instruction. Browsers without SIMD reject it. */
const WITH_SIMD = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);

/** Returns the name of the module that this browser can run. */
function moduleName() {
  return WebAssembly.validate(WITH_SIMD) ? "soffio.wasm" : "soffio-plain.wasm";
}

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

class Engine {
  #say;
  #close;
  #exports;
  #frames;
  #isWorking = false;
  #isOver = false;
  /** Why `work` is suspended: "look" lets the event loop run, and "input" waits for a message. */
  #pausedFor = null;
  #fault = "";
  #answer = "";
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();

  /**
   * Creates an engine from `module`. It passes lines and responses to `say`, and calls `close` when its session ends.
   */
  static async start(module, { say, close }) {
    const engine = new Engine();
    [engine.#say, engine.#close] = [say, close];
    const imports = {
      now: () => performance.now(),
      say: (address, length) => say(engine.#text(address, length)),
      fault: (address, length) => (engine.#fault = engine.#text(address, length)),
      answer: (address, length) => (engine.#answer = engine.#text(address, length)),
      pause: (untilInput) => engine.#pause(untilInput),
    };
    const { exports } = await WebAssembly.instantiate(module, { soffio: imports });
    engine.#exports = exports;
    exports.start();
    const address = exports.frames(FRAMES);
    new Uint32Array(exports.memory.buffer, address, 2).set([address + 8, address + FRAMES]);
    engine.#frames = address;
    return engine;
  }

  /** Handles a message: a line, or a call `{call, request}`. After a failure, messages are ignored. */
  take(message) {
    if (this.#isOver) return;
    this.#guard(() => {
      if (typeof message === "string") {
        this.#exports.take(this.#write(message));
      } else if (typeof message?.request === "string") {
        this.#exports.call(this.#write(message.request));
        this.#say({ reply: message.call, response: this.#answer });
      }
      if (this.#pausedFor === "input") this.#resume();
      else if (!this.#isWorking) this.#work();
    });
  }

  #guard(act) {
    if (this.#isOver) return;
    try {
      act();
      if (this.#isWorking || !this.#exports.is_over()) return;
      this.#close();
    } catch (error) {
      this.#say({ fault: this.#fault || String(error) });
    }
    this.#isOver = true;
  }

  #work() {
    if (!this.#exports.has_work()) return;
    this.#isWorking = true;
    this.#goOn();
  }

  /** Runs `work` until it is done or suspended. */
  #goOn() {
    this.#exports.work();
    if (this.#exports.asyncify_get_state() !== 1) {
      this.#isWorking = false;
      return;
    }
    this.#exports.asyncify_stop_unwind();
    if (this.#pausedFor === "look") afterMessages(() => this.#guard(() => this.#resume()));
  }

  #resume() {
    this.#exports.asyncify_start_rewind(this.#frames);
    this.#goOn();
  }

  /** Called by `work` twice per pause: when it is suspended, and when it is resumed. */
  #pause(untilInput) {
    if (this.#exports.asyncify_get_state() === 2) {
      this.#exports.asyncify_stop_rewind();
      this.#pausedFor = null;
    } else {
      this.#pausedFor = untilInput ? "input" : "look";
      new Uint32Array(this.#exports.memory.buffer, this.#frames, 1)[0] = this.#frames + 8;
      this.#exports.asyncify_start_unwind(this.#frames);
    }
  }

  /** Writes `text` into the module and returns its length. */
  #write(text) {
    const bytes = this.#encoder.encode(text);
    const address = this.#exports.room(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes);
    return bytes.length;
  }

  #text(address, length) {
    return this.#decoder.decode(new Uint8Array(this.#exports.memory.buffer, address, length));
  }
}

/**
 * Starts an engine with the module that `load` returns, and passes the messages from `listen` to it. `close` ends the
 * worker.
 */
function serve(load, { listen, say, close }) {
  const early = [];
  let engine = null;
  listen((message) => (engine ? engine.take(message) : early.push(message)));
  // A failure to find the address of the module is reported in the same way as a failure to load the module.
  Promise.resolve()
    .then(load)
    .then((module) => Engine.start(module, { say, close }))
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

/** Loads a module over the network, even if the server declares a content type other than `application/wasm`. */
async function fetchModule(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
