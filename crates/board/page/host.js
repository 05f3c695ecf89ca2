// The host that provides the engine and the rules: a worker, the program that serves the page, or none. Lines are sent
// in both directions; `call` sends a JSON request and returns the JSON response.

/** Creates the host that `start` names. It calls `on.line`, `on.trap`, `on.failed` and `on.lost`. */
export function makeHost(start, on) {
  if (start.engine === "worker") return new WorkerHost(() => inlineWorker(), on);
  if (start.engine === "server") return new ServerHost(on);
  return new NoHost(start);
}

function inlineWorker() {
  const text = document.getElementById("worker")?.textContent;
  if (!text) return new Worker("soffio-worker.js");
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return new Worker(address);
}

class WorkerHost {
  constructor(make, on) {
    Object.assign(this, { make, on, has: true, waiting: new Map(), last: 0 });
    this.begin();
  }

  begin() {
    this.worker = this.make();
    this.isHeard = false;
    this.worker.onmessage = ({ data }) => {
      if (data.fault !== undefined) return this.fail(data.fault);
      this.isHeard = true;
      if (typeof data === "string") this.on.line(data);
      else if (data.reply !== undefined) {
        this.waiting.get(data.reply)?.(data.response);
        this.waiting.delete(data.reply);
      }
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.fail(event.message);
    };
  }

  /**
   * Restarts the worker. A worker that has never answered would only fail again, so its failure is reported instead.
   */
  fail(fault) {
    if (this.isHeard) return this.restart();
    this.waiting.forEach((answer) => answer(JSON.stringify({ error: fault })));
    this.waiting.clear();
    this.on.failed(fault);
  }

  /**
   * Replaces the worker after a trap, when its memory can no longer be trusted. Pending calls return the error `trap`,
   * and can be repeated with the new worker.
   */
  restart() {
    this.worker.terminate();
    const open = [...this.waiting.values()];
    this.waiting.clear();
    open.forEach((answer) => answer(JSON.stringify({ error: "trap" })));
    this.begin();
    this.on.trap();
  }

  close() {
    this.worker.terminate();
  }

  send(line) {
    this.worker.postMessage(line);
  }

  call(request) {
    return new Promise((answer) => {
      this.last += 1;
      this.waiting.set(this.last, answer);
      this.worker.postMessage({ call: this.last, request });
    });
  }
}

class ServerHost {
  constructor(on) {
    Object.assign(this, { on, has: true, unsent: [] });
    this.begin();
  }

  begin() {
    this.socket = new WebSocket(location.href.replace(/^http/, "ws").replace(/[#?].*/, "").replace(/[^/]*$/, "lines"));
    this.socket.onopen = () => {
      this.unsent.splice(0).forEach((line) => this.socket.send(line));
      // After a reconnection, the server uses a new engine.
      if (this.isAgain) this.on.trap();
      this.isAgain = true;
    };
    this.socket.onmessage = ({ data }) => data.split("\n").filter(Boolean).forEach((line) => this.on.line(line));
    this.socket.onclose = () => {
      if (this.isClosed) return;
      this.on.lost();
      setTimeout(() => this.begin(), 2000);
    };
  }

  restart() {
    this.socket.close();
  }

  close() {
    this.isClosed = true;
    this.socket.close();
  }

  send(line) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(line);
    else if (this.socket.readyState === WebSocket.CONNECTING) this.unsent.push(line);
  }

  async call(request) {
    try {
      const answer = await fetch("call", { method: "POST", body: request, headers: { "content-type": "application/json" } });
      return await answer.text();
    } catch {
      return JSON.stringify({ error: "lost" });
    }
  }
}

class NoHost {
  constructor(start) {
    this.has = false;
    this.variants = JSON.stringify(start.variants || []);
  }

  send() {}
  restart() {}

  async call(request) {
    return request.includes('"variants"') ? this.variants : JSON.stringify({ error: "noEngine" });
  }
}
