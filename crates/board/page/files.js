// Imports and exports games and positions: paste, file, drop, links.
import { Books } from "./book.js";
import { announce, button, byId, dialog, element, notice } from "./dom.js";
import { linkTo } from "./store.js";
import { resultText, t, variantName } from "./words.js";

const LARGEST = 32 << 20;
const IS_FEN = /^\s*(\[FEN\s*)?"?[WB]\s*:\s*[WB]/i;

/** Decodes a file in one of the encodings that game records use. */
export function decode(bytes) {
  const mark = new Uint8Array(bytes.slice(0, 2));
  if (mark[0] === 0xff && mark[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (mark[0] === 0xfe && mark[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
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

  openDialog() {
    const text = element("textarea", { rows: 8, class: "code", "aria-label": t("text"), spellcheck: "false" });
    const file = element("input", { type: "file", accept: ".pdn,.fen,.txt,.pgn,.book", onchange: async () => {
      if (file.files[0] && (await this.read(file.files[0], said))) box.close();
    } });
    const said = element("p", { class: "said wrong", role: "alert" });
    const show = async () => (await this.take(text.value, said)) && box.close();
    const box = dialog(t("openTitle"), element("p", {}, t("openHelp")), text, said,
      element("div", { class: "actions" }, button("show", show), element("label", { class: "field" }, element("span", {}, t("file")), file)),
      ...this.app.session.list(() => box.close()));
    text.focus();
  }

  async read(file, said) {
    if (file.size > LARGEST) return this.wrong(t("tooLarge", { name: file.name }), said);
    const bytes = await file.arrayBuffer();
    if (Books.isBook(bytes)) return this.takeBook(file.name, bytes, said);
    const text = decode(bytes);
    if (text.includes("\0")) return this.wrong(t("notThisFile", { name: file.name }), said);
    return this.take(text, said);
  }

  takeBook(name, bytes, said) {
    try {
      this.app.books.take(name, bytes);
      return true;
    } catch (error) {
      return this.wrong(error.message, said);
    }
  }

  /** Opens a text that is a position or contains games; shows the reason if it is neither. Returns whether it was opened. */
  async take(text, said) {
    if (!text?.trim()) return false;
    try {
      if (IS_FEN.test(text)) {
        const fen = text.trim().replace(/^\[FEN\s*/i, "").replace(/^"|"\]?$/g, "");
        await this.app.openPosition(this.app.tree.variant, fen);
        return true;
      }
      const { games } = await this.app.rules.request({ do: "games", text });
      this.list = { games };
      this.app.drawFrame();
      if (games.length === 1) return await this.open(games[0], said);
      this.choose();
      return true;
    } catch (error) {
      return this.wrong(error.message, said);
    }
  }

  wrong(sentence, said) {
    if (said) said.textContent = sentence;
    else notice(sentence, "wrong");
    return false;
  }

  async open(game, said) {
    try {
      const tree = await this.app.rules.request({ do: "open", text: game.text, otherwise: game.guess });
      this.app.loadTree(tree, { list: this.list });
      announce(t("opened", { what: this.title(game) }));
      return true;
    } catch (error) {
      return this.wrong(error.message, said);
    }
  }

  title(game) {
    const players = game.white || game.black ? `${game.white || "?"} – ${game.black || "?"}` : "";
    return [t("gameOf", { n: game.number }), players].filter(Boolean).join(": ");
  }

  /** Shows a list of the games to choose from. */
  choose() {
    if (!this.list) return this.openDialog();
    const { games, guess } = this.list;
    const list = element("ol", { class: "games" });
    const said = element("p", { class: "said wrong", role: "alert" });
    const row = (game) => {
      const { boards } = this.app.rules;
      const board = boards.get(game.variant);
      const result = game.result === "*" ? "" : resultText(game.result, board || boards.get(guess));
      const facts = [board ? variantName(board) : "", game.event, game.date, t("plies", { n: game.plies }), result];
      const small = element("small", { title: (game.notes || []).join("\n") }, facts.filter(Boolean).join(" · "));
      return element("li", {}, element("button", { type: "button", onclick: async () => (await this.open(game, said)) && box.close() }, element("span", {}, this.title(game)), small));
    };
    const rows = games.map((game) => [`${this.title(game)} ${game.event} ${game.date} ${game.result}`.toLowerCase(), row(game)]);
    const filter = element("input", { type: "search", "aria-label": t("filter"), placeholder: t("filter"), oninput: () => {
      const words = filter.value.toLowerCase().split(/\s+/);
      rows.forEach(([text, node]) => (node.hidden = !words.every((word) => text.includes(word))));
    } });
    list.append(...rows.map(([, node]) => node));
    const box = dialog(t("gamesTitle", { n: games.length }), filter, said, list);
  }

  /** Returns the game as text. */
  async pdn() {
    const tree = this.app.tree.toJson();
    return (await this.app.rules.request({ do: "write", ...tree })).text;
  }

  save() {
    const { app } = this;
    const shown = element("textarea", { rows: 6, class: "code", readonly: true, "aria-label": t("text") });
    const said = element("p", { class: "said", role: "status" });
    const copy = (make) => async () => {
      try {
        shown.value = await make();
        shown.select();
        await navigator.clipboard.writeText(shown.value);
        said.textContent = t("copied");
      } catch (error) {
        said.textContent = shown.value ? t("copyFailed") : error.message;
      }
    };
    const fen = () => app.position?.fen || app.tree.fen;
    const box = dialog(t("saveTitle"),
      element("div", { class: "form" },
        button("copyFen", copy(fen)), button("copyPdn", copy(() => this.pdn())), button("copyLink", copy(() => linkTo({ variant: app.tree.variant, fen: fen() }))),
        button("savePdn", async () => this.download("game.pdn", "text/plain", await this.pdn())), button("savePicture", () => this.download("board.svg", "image/svg+xml", this.picture()))),
      shown, said);
    return box;
  }

  download(name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    element("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  /** Returns the board as a standalone picture with its current colours. */
  picture() {
    const copy = this.app.view.svg.cloneNode(true);
    const originals = [...this.app.view.svg.querySelectorAll("*")];
    [...copy.querySelectorAll("*")].forEach((node, at) => {
      const style = getComputedStyle(originals[at]);
      for (const name of ["fill", "stroke", "stroke-width", "opacity", "font-size", "font-family", "text-anchor", "dominant-baseline"]) {
        node.setAttribute(name, style.getPropertyValue(name));
      }
    });
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(copy);
  }
}
