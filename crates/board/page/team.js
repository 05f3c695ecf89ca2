// Several engines that evaluate the positions of a game at the same time, one per core.
import { EngineConnection } from "./engine.js";
import { makeHost } from "./host.js";

/** Maximum number of engines, each of which has its own memory. */
const MAX_ENGINES = 4;

export class Team {
  /** Begins to evaluate `jobs`. `evaluate` evaluates one of them with an engine. */
  constructor(app, jobs, evaluate) {
    this.queue = [...jobs.keys()];
    this.answers = jobs.map(() => {
      const answer = {};
      answer.promise = new Promise((resolve) => (answer.resolve = resolve));
      return answer;
    });
    Object.assign(this, { app, jobs, evaluate, helpers: [], isMainBusy: false });
    const engines = Math.min(MAX_ENGINES, Math.floor((navigator.hardwareConcurrency || 1) / app.threads), jobs.length);
    while (this.helpers.length < engines - 1) this.helpers.push(this.helper());
    this.work(app.talk);
    for (const { talk } of this.helpers) this.work(talk);
  }

  helper() {
    const lose = () => {
      made.talk.isLost = true;
      made.talk.end(null);
    };
    const made = { host: makeHost(this.app.start, { line: (line) => made.talk?.hear(line), trap: () => made.talk?.restarted(), failed: lose, lost: lose }) };
    made.talk = new EngineConnection(made.host);
    return made;
  }

  async work(talk) {
    const isMain = talk === this.app.talk;
    if (isMain) this.isMainBusy = true;
    while (this.queue.length) {
      const at = this.queue.shift();
      const answer = await this.evaluate(this.jobs[at], talk);
      if (!talk.isLost) this.answers[at].resolve(answer);
      else {
        // The page's own engine evaluates the position instead.
        this.queue.unshift(at);
        if (!this.isMainBusy) this.work(this.app.talk);
        return;
      }
    }
    if (isMain) this.isMainBusy = false;
  }

  /** Waits for the evaluation of a job. */
  answer(at) {
    return this.answers[at].promise;
  }

  close() {
    this.queue = [];
    this.helpers.forEach(({ host }) => host.close());
  }
}
