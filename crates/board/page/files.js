// Import and export of games and positions: clipboard, files, drag and drop, and links.
import { Archive } from "./archive.js";
import { Books } from "./book.js";
import { Collection } from "./collection.js";
import { animation } from "./gif.js";
import { announce, button, byId, dialog, drawn, element, notice, question, sign } from "./dom.js";
import { checksum, linkTo } from "./store.js";
import { t, variantName } from "./words.js";

const MAX_FILE_BYTES = 256 << 20;
/** Maximum number of notes on unusual text that are shown when a game is opened. */
const MAX_NOTES = 3;
/** Pixels per unit of the board, which is a tenth of a square. */
const PNG_SCALE = 10;
/** Minimum width of the border of a picture in units, which leaves space for the disc of the side to move. */
const MIN_BORDER = 3;
/** Width of an animation in pixels, and how long a position and the last position are shown, in 1/100 s. */
const GIF_WIDTH = 480;
const [GIF_DELAY, GIF_LAST_DELAY] = [100, 400];
/** Whether links to the page work only on this computer. */
const isLocal = () => location.protocol === "file:" || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);
/** Matches a text that contains only a FEN. A game can also begin with a FEN. */
const IS_FEN = /^(?:\[FEN\s*)?"?([WB]\s*:\s*[WB][^"[\]]*)"?\]?$/i;

/** Decodes a file in one of the encodings that are common for game records. */
export function decode(bytes) {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  // Without a byte order mark, UTF-16 is detected by the zero in its first character.
  if ((first === 0xff && second === 0xfe) || (first && second === 0)) return new TextDecoder("utf-16le").decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second)) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

export class Files {
  constructor(app) {
    this.app = app;
    this.list = null;
    /** The name of the stored collection of this tab, if it has not been read since the page was reloaded. */
    this.unread = null;
    this.archive = new Archive();
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) this.read(file);
      else this.take(event.dataTransfer.getData("text"));
    });
    document.addEventListener("paste", (event) => {
      if (!event.target.closest?.("input, textarea")) this.take(event.clipboardData.getData("text"));
    });
  }

  ask() {
    const text = element("textarea", { rows: 8, class: "code", "aria-label": t("text"), spellcheck: "false" });
    const file = element("input", { type: "file", class: "unseen", accept: ".pdn,.fen,.txt,.pgn,.book", onchange: async () => {
      if (file.files[0] && (await this.read(file.files[0], message))) box.close();
    } });
    const message = element("p", { class: "said wrong", role: "alert" });
    const show = async () => (await this.take(text.value, message)) && box.close();
    const stored = element("div", { class: "stored" });
    const box = dialog(t("openTitle"), element("p", {}, t("openHelp")), text, message,
      element("div", { class: "actions" }, button("show", show), element("label", { class: "file-button" }, t("chooseFile"), file)),
      stored, ...this.app.session.list(() => box.close()));
    text.focus();
    this.showArchive(stored, () => box.close());
  }

  async read(file, message) {
    if (file.size > MAX_FILE_BYTES) return this.wrong(t("tooLarge", { name: file.name }), message);
    const bytes = await file.arrayBuffer();
    if (Books.isBook(bytes)) return this.takeBook(file.name, bytes, message);
    const text = decode(bytes);
    if (text.includes("\0")) return this.wrong(t("notThisFile", { name: file.name }), message);
    return this.take(text, message, file.name);
  }

  /** Lists the stored collections in `home`. Calls `done` when one has been chosen. */
  async showArchive(home, done) {
    const all = await this.archive.all();
    const row = ({ id, name, count, time }) => {
      const open = async () => {
        done();
        if (await this.restore(id)) this.choose();
      };
      const remove = async () => {
        await this.archive.forget(id);
        this.showArchive(home, done);
      };
      const facts = [t("gamesTitle", { n: count }), new Date(time).toLocaleString(document.documentElement.lang)].join(" · ");
      const label = t("removeCollection", { name: name || t("pastedGames") });
      return element("li", { class: "removable" }, element("button", { type: "button", onclick: open }, element("span", {}, name || t("pastedGames")), element("small", {}, facts)), element("button", { type: "button", class: "sign", "aria-label": label, title: label, onclick: () => question(`${label}?`, "delete", remove) }, sign("close")));
    };
    home.replaceChildren(...(all.length ? [element("h2", {}, t("collections")), element("ol", { class: "games" }, ...all.map(row))] : []));
  }

  /** Makes a stored collection the list of this tab. Reports an error if it is no longer stored. */
  async restore(id) {
    if (this.list?.id === id) return true;
    const text = await this.archive.text(id);
    if (!text) return this.wrong(t("goneCollection"));
    const list = new Collection(this.app, id);
    try {
      await new Promise((begun, failed) => list.read(text, begun).catch(failed));
    } catch (error) {
      return this.wrong(error.message);
    }
    this.use(list);
    return true;
  }

  use(list) {
    Object.assign(this, { list, unread: null });
    this.app.frame.draw();
    this.app.keepSoon();
  }

  takeBook(name, bytes, message) {
    try {
      this.app.books.take(name, bytes);
      return true;
    } catch (error) {
      return this.wrong(error.message, message);
    }
  }

  /**
   * Opens a text that is a position or contains games. Reports an error if it is neither. Returns whether the text was
   * opened.
   */
  async take(text, message, name = "") {
    if (!text?.trim()) return false;
    try {
      const [, fen] = IS_FEN.exec(text.trim()) || [];
      if (fen) return await this.takePosition(fen);
      const id = `${text.length}-${checksum(text)}`;
      const list = new Collection(this.app, id);
      // The rest is read while the list is already visible.
      await new Promise((begun, failed) => {
        const keep = () => list.games.length > 1 && this.archive.keep({ id, name, count: list.games.length }, text).catch(() => notice(t("notStored"), "wrong"));
        list.read(text, begun).then(keep, failed);
      });
      if (list.isWhole && list.games.length === 1) return await this.open(list.games[0], message);
      this.use(list);
      this.choose();
      return true;
    } catch (error) {
      return this.wrong(error.message, message);
    }
  }

  async takePosition(fen) {
    const { app } = this;
    try {
      await app.openPosition(app.tree.variant, fen);
    } catch (error) {
      if (!(await this.offer(fen))) throw error;
    }
    return true;
  }

  wrong(sentence, message) {
    if (message) message.textContent = sentence;
    else notice(sentence, "wrong");
    return false;
  }

  async open(game, message, list) {
    try {
      const tree = await this.app.rules.ask({ do: "open", text: game.text, default_variant: game.guess });
      const notes = (game.notes || []).slice(0, MAX_NOTES);
      this.app.loadTree({ ...tree, faults: [...(tree.faults || []), ...notes] }, { list });
      this.app.goToPly(game.ply ?? 0);
      announce(t("opened", { what: game.title }));
      return true;
    } catch (error) {
      return this.wrong(error.message, message);
    }
  }

  /** The name of the collection of this tab. */
  get listId() {
    return this.list?.id ?? this.unread;
  }

  /** Shows the list of games to choose from. */
  async choose() {
    if (this.unread) await this.restore(this.unread);
    this.unread = null;
    if (!this.list) return this.ask();
    const { list } = this;
    list.choose((game, message) => this.open(game, message, list));
  }

  /**
   * Offers the variants whose boards have enough squares for a position that does not fit on the current board. Returns
   * false if there are none.
   */
  async offer(fen) {
    const { app } = this;
    const highest = Math.max(0, ...(fen.match(/\d+/g) || []).map(Number));
    if (highest <= app.board.squares.length) return false;
    const boards = [];
    for (const board of app.rules.boards.values()) {
      const fits = board.squares.length >= highest && !board.optional && (await app.rules.position({ variant: board.name, letters: false, fen, moves: [] }).catch(() => null));
      if (fits) boards.push(board);
    }
    if (!boards.length) return false;
    const row = (board) => element("li", {}, element("button", { type: "button", onclick: async () => {
      await app.openPosition(board.name, fen);
      box.close();
    } }, variantName(board)));
    const box = dialog(t("otherBoards", { n: highest }), element("ol", { class: "games" }, ...boards.map(row)));
    return true;
  }

  /** Returns the game as PDN. */
  async pdn() {
    const tree = this.app.tree.toJson();
    return (await this.app.rules.ask({ do: "write", ...tree })).text;
  }

  save() {
    const { app } = this;
    const shown = element("textarea", { rows: 3, class: "code", readonly: true, hidden: true, "aria-label": t("text") });
    const message = element("p", { class: "said", role: "status" });
    const copy = (make) => async () => {
      try {
        shown.value = await make();
        shown.hidden = false;
        shown.select();
        await navigator.clipboard.writeText(shown.value);
        message.textContent = t("copied");
      } catch (error) {
        message.textContent = shown.value ? t("copyFailed") : error.message;
      }
    };
    const fen = () => app.position?.fen || app.tree.fen;
    const saveGif = async () => {
      message.textContent = t("makingGif");
      const image = await this.animation((n, all) => (message.textContent = `${t("makingGif")} ${t("percent", { n: Math.round((100 * n) / all) })}`));
      this.download("game.gif", "image/gif", image);
      message.textContent = "";
    };
    const link = async () => linkTo({ pdn: await this.pdn() });
    const group = (key, ...buttons) => element("section", { class: "group" }, element("h3", {}, t(key)), element("div", { class: "choices" }, ...buttons));
    const box = dialog(t("saveTitle"),
      group("game",
        ...(navigator.share ? [button("sendGame", () => this.send(message))] : []), button("copyGameLink", copy(link)), button("copyPdn", copy(() => this.pdn())), button("savePdn", async () => this.download("game.pdn", "text/plain", await this.pdn()))),
      ...(isLocal() ? [element("p", { class: "note" }, t("localLink"))] : []),
      group("position",
        button("copyLink", copy(() => linkTo({ variant: app.tree.variant, fen: fen() }))), button("copyFen", copy(fen))),
      group("picture",
        button("savePng", async () => this.download("board.png", "image/png", await this.bitmap())), button("savePicture", () => this.download("board.svg", "image/svg+xml", this.picture())),
        ...(app.tree.line().length ? [button("saveGif", saveGif)] : [])),
      shown, message);
    box.classList.add("wide");
    return box;
  }

  /** Opens the share menu of the system: with a link to the game, or with its text if the link leads nowhere. */
  async send(message) {
    try {
      const pdn = await this.pdn();
      await navigator.share({ title: t("game"), ...(isLocal() ? { text: pdn } : { url: linkTo({ pdn }) }) });
    } catch (error) {
      // The user may also close the menu.
      if (error.name !== "AbortError") message.textContent = error.message;
    }
  }

  download(name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    element("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  /** Draws an SVG picture of the board on a canvas of the given width; without it, in the size of the picture. */
  async drawn(picture, wide) {
    const image = new Image();
    image.src = "data:image/svg+xml," + encodeURIComponent(picture);
    await image.decode();
    const scale = (wide ?? image.naturalWidth) / image.naturalWidth;
    const canvas = element("canvas", { width: Math.round(image.naturalWidth * scale), height: Math.round(image.naturalHeight * scale) });
    canvas.getContext("2d", { willReadFrequently: true }).drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas;
  }

  /**
   * Returns the line through the current move as an animated GIF. Calls `progress` with the number of positions drawn
   * so far and the total.
   */
  async animation(progress) {
    const { app } = this;
    const { view } = app;
    const pictures = [app.tree.root, ...app.tree.line()].map((node) => {
      view.show(node.position);
      view.mark(node.route.length ? [["last", node.route[0]], ["last", node.route.at(-1)]] : []);
      view.arrows([]);
      view.sign(-1, "");
      return this.picture();
    });
    // The browser has not painted any of these positions.
    view.show(app.seen);
    app.input.draw();
    app.drawArrows();
    app.drawSign();
    const images = [];
    let canvas = null;
    for (const picture of pictures) {
      canvas = await this.drawn(picture, GIF_WIDTH);
      images.push(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data);
      progress(images.length, pictures.length);
    }
    return animation(canvas.width, canvas.height, images, images.map((_, at) => (at < images.length - 1 ? GIF_DELAY : GIF_LAST_DELAY)));
  }

  /** Returns the board as a PNG image. */
  async bitmap() {
    const canvas = await this.drawn(this.picture());
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  /**
   * Returns the board as a standalone SVG image with its current colours. A disc on the right rim, above or below the
   * squares, shows the side to move.
   */
  picture() {
    const { view } = this.app;
    const copy = view.svg.cloneNode(true);
    const originals = [...view.svg.querySelectorAll("*")];
    [...copy.querySelectorAll("*")].forEach((node, at) => {
      const style = getComputedStyle(originals[at]);
      node.toggleAttribute("hidden", style.display === "none" && !node.closest("defs"));
      for (const name of ["fill", "stroke", "stroke-width", "opacity", "font-size", "font-family", "text-anchor", "dominant-baseline"]) {
        node.setAttribute(name, style.getPropertyValue(name));
      }
    });
    const { viewBox } = view.svg;
    const more = Math.max(0, MIN_BORDER + viewBox.baseVal.x);
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => viewBox.baseVal[name] + (name.length > 1 ? 2 * more : -more));
    copy.setAttribute("viewBox", [x, y, width, height].join(" "));
    for (const edge of copy.querySelectorAll(".rim, .grain")) Object.entries({ x, y, width, height }).forEach(([name, value]) => edge.setAttribute(name, value));
    const side = view.state.position[0] === "W" ? "white" : "black";
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const cy = (side === "white") === view.flipped ? y / 2 : height + y * 1.5;
    copy.append(drawn("circle", { class: "to-move", cx: width + x * 1.5, cy, r: -x * 0.34, fill: colour(`--p-${side}`), stroke: colour("--b-rim-ink"), "stroke-width": 0.3 }));
    copy.setAttribute("width", width * PNG_SCALE);
    copy.setAttribute("height", height * PNG_SCALE);
    copy.querySelectorAll("[hidden]").forEach((node) => node.remove());
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(copy);
  }
}
