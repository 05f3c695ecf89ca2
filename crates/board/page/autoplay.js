// Plays through a game automatically.
import { byId } from "./dom.js";

const STEP_MS = 1500;

export class Autoplay {
  constructor(app) {
    Object.assign(this, { app, timer: null });
  }

  toggle() {
    if (this.timer) this.stop();
    else if (this.canStep) {
      this.app.step("next");
      this.timer = setInterval(() => (this.canStep ? this.app.step("next") : this.stop()), STEP_MS);
    }
    this.draw();
  }

  get canStep() {
    const { tree, exercise, setUp } = this.app;
    return !exercise && !setUp.on && tree.current.children.length > 0;
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.draw();
  }

  draw() {
    byId("controls").querySelector('[data-key="autoplay"]')?.setAttribute("aria-pressed", String(this.timer !== null));
  }
}
