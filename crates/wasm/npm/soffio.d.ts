/** What an engine needs to know. */
export interface SoffioOptions {
  /** Called with each line that the engine says, in its order. */
  onLine(line: string): void;
  /**
   * Called after a fault. With `isRunning` a new worker has taken the place of the old one; it knows nothing of what was sent before:
   * send the options, the position and `go` again. Without, the worker could not be loaded, and nothing runs.
   */
  onRestart?(fault: string, isRunning: boolean): void;
  /** The worker's script, if it is not `soffio-worker.js` beside this module. */
  worker?: string | URL;
}

/** The engine in a worker: lines in, lines out, in the native protocol, or in Hub if the first line is `hub`. */
export class Soffio {
  constructor(options: SoffioOptions);
  /** Sends a line, or several. */
  send(line: string): void;
  /** Asks for what is not about a conversation: JSON in, JSON out. Rejected when the worker ends before it answers. */
  call(request: string): Promise<string>;
  /** Ends the worker, whatever it does, and gives its memory back. */
  terminate(): void;
}

/** What a worker is sent: a line, or a call. */
export type ToWorker = string | { call: number; request: string };

/** What a worker says: a line, the answer to a call, or why it cannot go on. After a fault it takes nothing any more. */
export type FromWorker = string | { reply: number; response: string } | { fault: string };
