// A list of any length, of which only the visible rows exist in the page.
import { element } from "./dom.js";

/** Rows above and below the visible part that are also drawn. */
const SPARE = 6;

export class LongList {
  /** `row` creates the element of an item. All rows have the height of the style `--row-height`, which is in pixels. */
  constructor(row) {
    Object.assign(this, { row, items: [], shown: new Map() });
    this.inner = element("ol", {});
    this.home = element("div", { class: "games long", onscroll: () => this.draw() }, this.inner);
    new ResizeObserver(() => this.draw()).observe(this.home);
  }

  /** Replaces the items. Rows whose item keeps its index are kept. */
  set(items) {
    this.items = items;
    this.height ||= parseFloat(getComputedStyle(this.home).getPropertyValue("--row-height"));
    this.inner.style.height = `${items.length * this.height}px`;
    this.draw();
  }

  draw() {
    const { home, inner, items, shown, height } = this;
    if (!height) return;
    const first = Math.max(0, Math.floor(home.scrollTop / height) - SPARE);
    const last = Math.min(items.length, Math.ceil((home.scrollTop + home.clientHeight) / height) + SPARE);
    for (const [at, { item, made }] of shown) {
      if (at >= first && at < last && items[at] === item) continue;
      made.remove();
      shown.delete(at);
    }
    for (let at = first; at < last; at += 1) {
      if (shown.has(at)) continue;
      const made = this.row(items[at]);
      made.style.top = `${at * height}px`;
      made.setAttribute("aria-setsize", items.length);
      made.setAttribute("aria-posinset", at + 1);
      const next = [...shown.keys()].filter((other) => other > at).sort((one, other) => one - other)[0];
      inner.insertBefore(made, shown.get(next)?.made ?? null);
      shown.set(at, { item: items[at], made });
    }
  }
}
