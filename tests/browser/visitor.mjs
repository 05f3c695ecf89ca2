// A simulated user of the board, who clicks, types and reads the page.
import { chromium } from "playwright-core";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export const launch = (path) => chromium.launch({ executablePath: path, args: FLAGS });

export function check(is, what) {
  if (!is) throw new Error(what);
}

export class Visitor {
  static async come(browser, address, options = {}) {
    const visitor = new Visitor();
    visitor.context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
    visitor.page = await visitor.context.newPage();
    visitor.faults = [];
    const origin = address.startsWith("file:") ? "file:" : new URL(address).origin;
    visitor.page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !/^(blob|data):/.test(url)) visitor.faults.push(`request ${url}`);
    });
    visitor.page.on("console", (message) => message.type() === "error" && visitor.faults.push(`console ${message.text()}`));
    visitor.page.on("pageerror", (error) => visitor.faults.push(`error ${error.stack}`));
    await visitor.page.goto(address);
    await visitor.settle();
    return visitor;
  }

  async leave() {
    check(!this.faults.length, this.faults.join("\n"));
    await this.context.close();
  }

  ask(what, value) {
    return this.page.evaluate(what, value);
  }

  /** Waits until the page has received the legal moves. */
  async settle() {
    await this.page.waitForFunction(() => window.soffio?.tree && (soffio.position || !soffio.host.has));
    await this.ask(() => (document.getElementById("remarks-box").open = true));
  }

  async open(variant, fen = "") {
    await this.ask(([name, text]) => soffio.openPosition(name, text), [variant, fen]);
    await this.settle();
  }

  /** Chooses an item from the menu, which may be hidden behind a button. */
  async menu(key) {
    if (await this.page.isVisible("#menu-button")) await this.page.click("#menu-button");
    await this.page.click(`#menu [data-key=${key}]`);
  }

  /** Returns the game as JSON, with its fields sorted by name. */
  async game() {
    const isObject = (value) => value && typeof value === "object" && !Array.isArray(value);
    const sorted = (_, value) => (isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value);
    return JSON.stringify(await this.ask(() => soffio.tree.toJson()), sorted);
  }

  /** Returns the coordinates of the centre of a square on the screen. */
  async place(at) {
    return this.ask((square) => {
      const [x, y] = soffio.view.middle(square);
      const point = new DOMPoint(x, y).matrixTransform(soffio.view.svg.getScreenCTM());
      return [point.x, point.y];
    }, at);
  }

  async drag(from, to) {
    await this.page.mouse.move(...(await this.place(from)));
    await this.page.mouse.down();
    await this.page.mouse.move(...(await this.place(to)), { steps: 4 });
    await this.page.mouse.up();
  }

  async click(at) {
    await this.page.mouse.click(...(await this.place(at)));
  }

  /** Moves the cursor to a square with the arrow keys. */
  async walk(at) {
    for (let step = 0; step < 60; step += 1) {
      const key = await this.ask((square) => {
        const { cursor, view } = soffio.input;
        if (cursor === square) return null;
        const [row, column] = view.board.squares[Math.max(cursor, 0)];
        const [toRow, toColumn] = view.board.squares[square];
        const sign = view.flipped ? -1 : 1;
        if (row !== toRow) return (toRow - row) * sign > 0 ? "ArrowDown" : "ArrowUp";
        return (toColumn - column) * sign > 0 ? "ArrowRight" : "ArrowLeft";
      }, at);
      if (!key) return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`the keys do not lead to square ${at}`);
  }

  /** Plays a move by `drag`, `click` or `keys`. An ambiguous move is entered square by square. */
  async play(way, by) {
    const before = await this.ask(() => soffio.tree.path().length);
    const done = async () => (await this.ask(() => soffio.tree.path().length)) > before;
    if (by === "keys") {
      // The board must gain the focus to show its cursor.
      await this.ask(() => document.activeElement?.blur());
      await this.page.focus("#board");
    }
    const use = async (at) => {
      if (by !== "keys") return this.click(at);
      await this.walk(at);
      await this.page.keyboard.press("Enter");
    };
    const to = way.route.at(-1);
    if (by === "drag" && to !== way.route[0]) await this.drag(way.route[0], to);
    else {
      await use(way.route[0]);
      await use(to);
    }
    await this.page.waitForTimeout(15);
    // The squares along the path distinguish moves with the same origin and destination.
    for (const at of way.route.slice(1)) {
      if (await this.ask(() => !soffio.input.clicked.length)) break;
      await use(at);
      await this.page.waitForTimeout(10);
    }
    await this.page.waitForFunction((count) => soffio.tree.path().length > count && soffio.position, before, { timeout: 5000 });
    check(await done(), `${way.text} was not played`);
  }

  async paste(text) {
    await this.ask((words) => {
      document.activeElement?.blur();
      const data = new DataTransfer();
      data.setData("text", words);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }, text);
  }

  /** Drops `content` on the board: as a file if `name` is given, otherwise as text. */
  async drop(content, name) {
    // A long array of numbers would take many seconds to reach the page.
    const sent = name ? Buffer.from(content).toString("base64") : content;
    await this.ask(({ sent, name }) => {
      const data = new DataTransfer();
      if (name) data.items.add(new File([Uint8Array.from(atob(sent), (char) => char.charCodeAt(0))], name));
      else data.setData("text", sent);
      const board = document.getElementById("board");
      const over = new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true });
      // If the page did not cancel this event, the browser would open the file instead of the page.
      if (board.dispatchEvent(over)) throw new Error("nothing can be dropped on the board");
      if (board.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))) {
        throw new Error("what is dropped is left to the browser");
      }
    }, { sent, name });
  }

  notice() {
    return this.page.textContent("#notice");
  }

  async fits() {
    const width = await this.ask(() => document.documentElement.scrollWidth);
    check(width <= this.page.viewportSize().width, `the page is ${width} pixels wide`);
  }

  /** Records the serious accessibility faults that axe finds. */
  async isAccessible(where) {
    // The page's security policy blocks external scripts, but not scripts that a browser tool evaluates.
    await this.ask(AXE);
    const found = await this.ask(() => axe.run(document, { resultTypes: ["violations"] }));
    const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    const words = serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + " " + node.failureSummary).join("\n  ")}`);
    // `leave` reports all faults together at the end.
    if (serious.length) this.faults.push(`${where}: ${words.join("\n")}`);
  }

  picture(path) {
    return this.page.screenshot({ path, fullPage: true });
  }
}
