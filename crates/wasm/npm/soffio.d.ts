/** Options for an engine. */
export interface SoffioOptions {
  /** Called with each line from the engine, in order. */
  onLine(line: string): void;
  /**
   * Called after a failure. If `isRunning` is true, a new worker without any state has replaced the old one: send the
   * options, the position and `go` again. If it is false, the worker could not be loaded, and no engine is running.
   */
  onRestart?(fault: string, isRunning: boolean): void;
  /**
   * The worker script, if it is not `soffio-worker.mjs` next to this module. It can be on another site that permits
   * this, for example on a CDN, but only the module worker finds its files there.
   */
  worker?: string | URL;
}

/** The engine in a worker: it receives and sends lines in the native protocol, or in Hub if the first line is `hub`. */
export class Soffio {
  constructor(options: SoffioOptions);
  /** Sends one or more lines. */
  send(line: string): void;
  /**
   * Sends a JSON request outside the line protocol, and resolves to the JSON response. The promise is rejected if the
   * worker ends before it answers.
   */
  call(request: string): Promise<string>;
  /** Terminates the worker at once and frees its memory. */
  terminate(): void;
}

/** A message to a worker: a line, or a call. */
export type ToWorker = string | { call: number; request: string };

/**
 * A message from a worker: a line, the response to a call, or the reason for a failure. After a failure, the worker
 * ignores messages.
 */
export type FromWorker = string | { reply: number; response: string } | { fault: string };
