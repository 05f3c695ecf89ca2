// The board: shows the game and handles the user's actions.
import { Analysis } from "./analysis.js";
import { BoardView } from "./board.js";
import { Books } from "./book.js";
import { Curve, summary } from "./curve.js";
import { announce, button, byId, checkbox, dialog, element, notice, select, translate } from "./dom.js";
import { EngineTalk } from "./engine.js";
import { Files } from "./files.js";
import { makeHost } from "./host.js";
import { MoveInput } from "./input.js";
import { MoveList } from "./moves.js";
import { PlayAgainst } from "./play.js";
import { Puzzles } from "./puzzle.js";
import { Rules } from "./rules.js";
import { Session } from "./session.js";
import { SetUp } from "./setup.js";
import { linked, load, merge } from "./store.js";
import { GameTree } from "./tree.js";
import { languages, resultText, setLanguage, statusText, t, variantName } from "./words.js";

const DEFAULTS = {
  language: "", appearance: "system", colours: "wood", names: "usual", flipped: false, arrows: true, targets: true, motion: true,
  lines: 1, within: 8, hash: 32, threads: 1, play: { side: "white", level: "medium", time: "none" },
};

class App {
  constructor(start) {
    this.start = start;
    this.settings = load("settings", DEFAULTS);
    setLanguage(this.settings.language);
    this.host = makeHost(start, { line: (line) => this.talk?.receive(line), trap: () => this.trapped(), failed: (fault) => notice(fault, "wrong"), lost: () => this.lost() });
    this.rules = new Rules(this.host);
    this.talk = new EngineTalk(this.host);
    this.view = new BoardView(byId("board"));
    this.curve = new Curve(this);
    this.moves = new MoveList(this);
    this.play = new PlayAgainst(this);
    this.puzzles = new Puzzles(this);
    this.setUp = new SetUp(this);
    this.books = new Books(this);
    this.files = new Files(this);
    this.session = new Session(this);
    this.input = new MoveInput(this.view, {
      ways: () => (this.puzzles.on ? this.puzzles.ways : this.position?.ways || []), play: (way) => (this.puzzles.on ? this.puzzles.play(way) : this.playWay(way)), wrong: (from, to) => this.wrongMove(from, to),
      square: (at) => this.setUp.click(at), isSetup: () => this.setUp.on,
      forced: () => this.position?.forced && !this.play.isEngines, marks: () => this.marks(),
    });
  }

  async begin() {
    await this.rules.loadBoards();
    this.tree = new GameTree({ variant: "english", letters: false, fen: "", position: this.rules.boards.get("english").position });
    this.board = this.rules.boards.get("english");
    this.view.setBoard(this.board, { letters: false, flipped: false, names: "shown" });
    this.analysis = new Analysis(this);
    this.analysis.build();
    this.drawFrame();
    await this.openFirst();
    document.addEventListener("keydown", (event) => this.key(event));
    byId("entry").addEventListener("submit", (event) => this.typed(event));
    addEventListener("hashchange", () => this.openLinked().catch((error) => notice(error.message, "wrong")));
    addEventListener("pagehide", () => this.session.keep());
    document.addEventListener("visibilitychange", () => document.hidden && this.session.keep());
    addEventListener("beforeunload", (event) => this.session.keep() || event.preventDefault());
  }

  /** Chooses the first game: the state before a reload, a link, a game of the page, the last game, or a new one. */
  async openFirst() {
    const isBack = this.session.restore();
    if (isBack && this.session.wrong !== location.hash) return;
    let fault = "";
    const isOpen = await this.openLinked().catch((error) => {
      fault = error.message;
      return false;
    });
    if (isOpen) return;
    if (isBack) return notice(fault, "wrong");
    if (this.start.games.length) this.loadOwn(0);
    else if (!this.session.restoreLast()) await this.newGame("english");
    if (fault) notice(fault, "wrong");
  }

  /** Opens what the address contains. Returns false if it contains nothing; throws a sentence if it is invalid. */
  async openLinked() {
    const link = linked();
    if (!link) return false;
    try {
      if ("game" in link && this.start.games[link.game]) this.loadOwn(link.game, link.ply);
      else if (link.variant) await this.openPosition(link.variant, link.fen);
      else throw new Error(t("notHere"));
      return true;
    } catch (error) {
      this.session.wrong = location.hash;
      throw new Error(t("badLink", { link: location.hash.slice(0, 60), reason: error.message }));
    }
  }

  lettersOf(board) {
    const { names } = this.settings;
    return names === "letters" || (names === "usual" && board.letters);
  }

  async newGame(variant) {
    await this.openPosition(variant, "");
  }

  /** Begins a game at a position. Throws a sentence with the reason if it is invalid, and then changes nothing. */
  async openPosition(variant, fen) {
    const board = await this.rules.board(variant);
    const letters = this.lettersOf(board);
    const shown = await this.rules.position({ variant: board.name, letters, fen: fen || null, moves: [] });
    const tree = new GameTree({ variant: board.name, letters, fen: shown.fen, position: shown.position });
    if (fen) tree.tags.push(["FEN", shown.fen]);
    this.setTree(tree);
    this.session.say("");
  }

  /** Shows a game, and reports the parts that could not be read. */
  loadTree(data, from) {
    this.setTree(GameTree.from(data), from);
    const faults = [...(data.guess ? [t("guessed")] : []), ...(data.faults || [])];
    this.session.say(faults.join(" "), data.faults?.length ? "wrong" : "");
  }

  /** Shows game `number` of the page, counted from 0, after `ply` moves. */
  loadOwn(number, ply = 0) {
    const game = this.start.games[number];
    if (!game) return;
    this.loadTree(game, { own: number });
    const line = [this.tree.root, ...this.tree.line()];
    this.go(line[Math.min(ply, line.length - 1)]);
  }

  /** Shows a game; `own` is its number on the page, `list` its file's games, and `play` the settings of a game against the engine, if any. */
  setTree(tree, { own, list, play = null } = {}) {
    this.session.leave(own, list);
    if (this.play.on) this.play.stop();
    if (this.setUp.on) this.setUp.leave();
    this.own = own;
    this.tree = Object.assign(tree, { list });
    if (play) this.play.resume(play);
    this.board = this.rules.boards.get(tree.variant);
    byId("variant").value = tree.variant;
    this.puzzles.take(tree);
    this.moves.draw();
    this.refresh();
  }

  /** Changes the game with `change`, and shows it. */
  change(change) {
    change();
    this.tree.touched = true;
    this.redraw();
  }

  redraw() {
    this.moves.draw();
    this.refresh();
  }

  go(node, { animate = false } = {}) {
    if (this.play.on || this.puzzles.on) return;
    this.tree.current = node;
    this.moves.markCurrent();
    this.refresh({ animate });
    if (this.own !== undefined && this.tree.isMain(node)) history.replaceState(null, "", `#game-${this.own + 1}-ply-${node.ply}`);
  }

  /** Shows the current position. */
  async refresh({ animate = false } = {}) {
    const node = this.tree.current;
    const { flipped, names } = this.settings;
    this.view.setBoard(this.board, { letters: this.tree.letters, flipped, names: names === "none" ? "none" : "shown" });
    this.view.show(node.position, { route: node.route, animate: animate && this.settings.motion });
    this.position = null;
    this.input.showTargets = this.settings.targets;
    this.input.reset();
    this.view.arrows([]);
    this.curve.draw();
    this.drawFacts();
    this.drawPlayers();
    this.books.draw();
    this.analysis.lines = [];
    this.analysis.drawLines();
    byId("board").setAttribute("aria-label", t("boardOf", { variant: variantName(this.board) }));
    this.keepSoon();
    if (!this.host.has) return this.sayTurn(null);
    try {
      const position = await this.rules.position(this.tree.upTo(node));
      if (node !== this.tree.current) return;
      this.position = position;
      this.sayTurn(position);
      this.books.draw();
      this.input.reset();
      if (this.play.on) this.play.turn();
      else this.analysis.restart();
    } catch (error) {
      notice(error.message, "wrong");
    }
  }

  sayTurn(position) {
    const { current } = this.tree;
    const side = current.position[0] === "W" ? "white" : "black";
    const turn = position ? statusText(position) : t("toMove", { side: t(side) });
    byId("turn").textContent = turn;
    announce((current.text ? t("after", { move: current.text }) + ": " : "") + turn);
  }

  /** Plays a legal move. If it is not the user's move, keeps the notice next to the board. */
  async playWay(way, { isUsers = true } = {}) {
    const from = this.tree.current;
    try {
      const [after] = await this.rules.line(this.tree.upTo(from), [way.text]);
      if (this.tree.current !== from) return;
      this.play.moved();
      this.tree.current = this.tree.add(from, after);
      this.tree.touched = true;
      this.moves.draw();
      if (isUsers) notice("");
      this.refresh({ animate: true });
    } catch (error) {
      notice(error.message, "wrong");
    }
  }

  /** Adds a line from the engine to the game. */
  async playLine(line) {
    if (this.play.on || this.puzzles.on) return;
    let node = this.tree.current;
    const moves = await this.rules.line(this.tree.upTo(node), line).catch(() => []);
    for (const move of moves) node = this.tree.add(node, move);
    this.tree.touched = true;
    this.moves.draw();
    this.go(node, { animate: moves.length === 1 });
  }

  /** Shows why the squares are not a legal move. */
  async wrongMove(from, to) {
    if (this.play.isEngines) return;
    const names = to < 0 ? null : `${this.view.name(from)}-${this.view.name(to)}`;
    if (!names || !this.host.has) return;
    await this.rules.line(this.tree.upTo(), [names]).catch((error) => notice(error.message, "wrong"));
  }

  /** Plays a move that was typed. */
  async typed(event) {
    event.preventDefault();
    const field = byId("entry-text");
    const text = field.value.trim();
    if (!text || !this.host.has) return;
    try {
      const [after] = await this.rules.line(this.tree.upTo(), [text]);
      const way = this.position.ways.find((known) => known.text === after.text);
      field.value = "";
      if (way && !this.play.isEngines) await this.playWay(way);
    } catch (error) {
      notice(error.message, "wrong");
    }
  }

  /** Shows the last move, and the marks from the file. */
  marks() {
    const { current } = this.tree;
    const marks = current.route.length ? [["last", current.route[0]], ["last", current.route.at(-1)]] : [];
    for (const part of current.parts) if (part.mark && !part.mark[2]) marks.push(["said " + part.mark[0], this.view.named(part.mark[1])]);
    return marks.filter(([, at]) => at >= 0);
  }

  drawArrows() {
    const said = this.tree.current.parts.filter((part) => part.mark?.[2]).map(({ mark }) => ({ route: [this.view.named(mark[1]), this.view.named(mark[2])], kind: "said " + mark[0], label: "" }));
    this.view.arrows([...said.filter(({ route }) => !route.includes(-1)), ...(this.puzzles.on ? [] : this.analysis.arrows())]);
  }

  drawPlayers() {
    const { flipped } = this.settings;
    const side = (name) => {
      const left = this.play.clock(name);
      const pieces = this.tree.current.position.slice(1);
      const count = [...pieces].filter((letter) => letter.toLowerCase() === name[0]).length;
      const name_ = this.tree.tag(name === "white" ? "White" : "Black") || t(name);
      const seconds = left === null ? null : Math.ceil(left / 1000);
      const clock = seconds === null ? null : element("span", { class: "clock" }, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
      return [element("span", { class: "disc " + name, role: "img", "aria-label": t(name) }), element("span", { class: "who" }, name_), element("span", { class: "count" }, `× ${count}`), clock].filter(Boolean);
    };
    byId("player-top").replaceChildren(...side(flipped ? "white" : "black"));
    byId("player-bottom").replaceChildren(...side(flipped ? "black" : "white"));
    const turn = this.tree.current.position[0] === "W" ? "white" : "black";
    byId("player-top").classList.toggle("turn-now", (turn === "white") === flipped);
    byId("player-bottom").classList.toggle("turn-now", (turn === "white") !== flipped);
  }

  drawFacts() {
    const said = (name) => (/^[?\-.* ]*$/.test(this.tree.tag(name)) ? "" : this.tree.tag(name));
    const facts = [said("Event"), said("Round"), said("Date"), this.tree.result === "*" ? "" : resultText(this.tree.result, this.board)].filter(Boolean).join(" · ");
    byId("facts").replaceChildren(...[facts, ...summary(this.tree)].filter(Boolean).map((text) => element("p", {}, text)));
  }

  setTag(name, value) {
    this.tree.tags = this.tree.tags.filter(([known]) => known !== name);
    this.tree.tags.push([name, value]);
  }

  engineOptions() {
    return { Hash: this.settings.hash, ...(this.start.engine === "server" && { Threads: this.settings.threads }) };
  }

  set(name, value) {
    this.settings[name] = value;
    merge("settings", { [name]: value });
  }

  keepSoon() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.session.keep(), 300);
  }

  trapped() {
    notice(t("trapped"), "wrong");
    this.talk.restarted();
  }

  lost() {
    notice(t("lost"), "wrong");
  }

  flip() {
    this.set("flipped", !this.settings.flipped);
    this.refresh();
  }

  step(where) {
    const { tree } = this;
    const { current } = tree;
    const target = { first: tree.root, previous: current.parent, next: current.children[0], last: tree.line().at(-1) }[where];
    if (target) this.go(target, { animate: where === "next" });
  }

  /** Goes to the position before the next bad move of the line, or before the previous one. */
  stepToBad(forwards) {
    const line = [this.tree.root, ...this.tree.line()];
    const at = line.indexOf(this.tree.current);
    const isBad = (node) => node.children[0]?.glyphs.some((glyph) => [2, 4, 6].includes(glyph));
    const target = forwards ? line.find((node, place) => place > at && isBad(node)) : line.slice(0, at).reverse().find(isBad);
    if (target) this.go(target);
  }

  key(event) {
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.target.closest("input, textarea, dialog")) this.session.undo();
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select, dialog")) return;
    const steps = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", PageUp: "previous", PageDown: "next" };
    if (steps[event.key]) this.step(steps[event.key]);
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") this.stepToBad(event.key === "ArrowDown");
    else if (event.key === "f" || event.key === "F") this.flip();
    else if (this.own !== undefined && /^[nNpP]$/.test(event.key)) this.loadOwn(this.own + (/n/i.test(event.key) ? 1 : -1));
    else if ((event.key === "a" || event.key === "A") && this.host.has) this.analysis.toggle();
    else return;
    event.preventDefault();
  }

  /** Creates what does not change with the game: menus, buttons, texts. */
  drawFrame() {
    const { settings } = this;
    document.documentElement.dataset.appearance = settings.appearance;
    document.documentElement.dataset.colours = settings.colours;
    translate();
    const engine = this.host.has;
    const variants = byId("variant");
    variants.replaceChildren(...[...this.rules.boards.values()].map((board) => element("option", { value: board.name }, variantName(board))));
    variants.value = this.tree.variant;
    variants.disabled = !engine;
    variants.onchange = () => this.newGame(variants.value);
    const games = this.start.games;
    byId("menu").replaceChildren(...(engine ? [button("new", () => this.newGame(this.tree.variant)), button("play", () => this.play.openDialog()), button("open", () => this.files.openDialog()), button("setUp", () => this.setUp.begin()), button("share", () => this.files.save())] : []),
      ...(games.length > 1 || this.files.list ? [button("gamesOf", () => (this.files.list ? this.files.choose() : this.chooseGame()))] : []), button("settings", () => this.askSettings()));
    byId("controls").replaceChildren(button("first", () => this.step("first")), button("previous", () => this.step("previous")), button("next", () => this.step("next")), button("last", () => this.step("last")), button("flip", () => this.flip()));
    byId("entry").hidden = false;
    byId("entry").classList.toggle("no-entry", !engine);
    byId("remarks").hidden = !engine;
    byId("footer").replaceChildren(element("p", {}, engine ? t("keys") : t("noEngine") + " " + t("keys")), element("p", {}, t("about", { version: this.start.version })));
    if (this.start.title) byId("title").textContent = this.start.title;
  }


  /** Shows the games that the page came with. */
  chooseGame() {
    const row = (game, at) => {
      const tag = (name) => game.tags.find(([known]) => known === name)?.[1] || "?";
      return element("li", {}, element("button", { type: "button", onclick: () => {
        box.close();
        this.loadOwn(at);
      } }, element("span", {}, `${at + 1}. ${tag("White")} – ${tag("Black")}`), element("small", {}, game.result === "*" ? "" : resultText(game.result, this.rules.boards.get(game.variant)))));
    };
    const box = dialog(t("gamesTitle", { n: this.start.games.length }), element("ol", { class: "games" }, ...this.start.games.map(row)));
  }

  askSettings() {
    const { settings } = this;
    const change = (name, read = (value) => value) => (value) => {
      this.set(name, read(value));
      setLanguage(settings.language);
      this.drawFrame();
      this.analysis.build();
      this.moves.draw();
      this.refresh();
    };
    const names = (value) => {
      change("names")(value);
      if (this.host.has) this.rename();
    };
    dialog(t("settingsTitle"), element("div", { class: "form" },
      select(t("language"), [["", t("system")], ...Object.values(languages).map(({ code, name }) => [code, name])], settings.language, change("language")),
      select(t("appearance"), ["system", "light", "dark"].map((name) => [name, t(name)]), settings.appearance, change("appearance")),
      select(t("colours"), ["wood", "green", "slate", "print"].map((name) => [name, t(name)]), settings.colours, change("colours")),
      select(t("names"), [["usual", t("asUsual")], ["numbers", t("numbers")], ["letters", t("letters")], ["none", t("unsaid")]], settings.names, names),
      ...(this.host.has ? [select(t("hash"), [16, 32, 64, 128, 256].map((n) => [n, n]), settings.hash, change("hash", Number))] : []),
      ...(this.start.engine === "server" ? [select(t("threads"), [1, 2, 4, 8, 16].map((n) => [n, n]), settings.threads, change("threads", Number))] : []),
      checkbox(t("arrows"), settings.arrows, change("arrows")), checkbox(t("targets"), settings.targets, change("targets")), checkbox(t("motion"), settings.motion, change("motion"))));
  }

  /** Changes the notation of the squares: writes the game and reads it again. */
  async rename() {
    const letters = this.lettersOf(this.board);
    if (letters === this.tree.letters) return;
    const data = this.tree.toJson();
    const rest = async (node, moves) => {
      for (const child of node.children) {
        const [{ text }] = await this.rules.line({ variant: data.variant, letters, fen: data.fen, moves }, [child.text]);
        child.text = text;
        await rest(child, [...moves, text]);
      }
    };
    const { fen } = await this.rules.position({ variant: data.variant, letters, fen: data.fen, moves: [] });
    await rest(this.tree.root, []);
    Object.assign(this.tree, { letters, fen });
    this.redraw();
  }
}

const app = new App(JSON.parse(byId("start")?.textContent || '{"engine":"worker","games":[],"title":"Soffio","version":""}'));
app.begin();
globalThis.soffio = app;
