// The application: connects the parts of the page and handles its events.
import { Analysis } from "./analysis.js";
import { Autoplay } from "./autoplay.js";
import { BoardView } from "./board.js";
import { Books } from "./book.js";
import { Curve } from "./curve.js";
import { announce, byId, element, notice } from "./dom.js";
import { EngineConnection } from "./engine.js";
import { Fields } from "./fields.js";
import { Files } from "./files.js";
import { Frame } from "./frame.js";
import { makeHost } from "./host.js";
import { MoveInput } from "./input.js";
import { Learn } from "./learn.js";
import { MoveList } from "./moves.js";
import { Pen } from "./pen.js";
import { PlayAgainst } from "./play.js";
import { Puzzles } from "./puzzle.js";
import { reasonText } from "./reasons.js";
import { Report } from "./report.js";
import { Rules } from "./rules.js";
import { Session } from "./session.js";
import { SetUp } from "./setup.js";
import { Sounds } from "./sound.js";
import { linked, load, merge } from "./store.js";
import { BAD_GLYPHS, GameTree, SYMBOLS } from "./tree.js";
import { Undo } from "./undo.js";
import { gameResultText, isKnown, setLanguage, statusText, t, variantName } from "./words.js";

/** Scroll distance of the mouse wheel for one move, in pixels. */
const WHEEL_STEP = 40;

/** The variant for a first visit, by language. In all other languages, it is English draughts. */
const OF_LANGUAGE = { de: "international", fr: "international", it: "italian", nl: "international", pt: "brazilian", ru: "russian", tr: "turkish" };

/** On a phone, the report would push the moves out of view. */
const isPhone = matchMedia("(max-width: 34rem)").matches;
const DEFAULTS = {
  language: "", variant: "", appearance: "system", colours: "wood", names: "usual", flipped: false, pieces: "classic", arrows: true, targets: true, motion: true, sound: true, inner: true, remarks: false, report: !isPhone,
  lines: 1, within: 8, hash: 32, threads: 1, play: { side: "white", level: "medium", time: "none" },
};

/** Whether the next move of the line is bad. */
const leadsToBad = (node) => node.children[0]?.glyphs.some((glyph) => BAD_GLYPHS.includes(glyph));

class App {
  constructor(start) {
    this.start = start;
    this.settings = load("settings", DEFAULTS);
    setLanguage(this.settings.language);
    this.host = makeHost(start, { line: (line) => this.talk?.hear(line), trap: () => this.trapped(), failed: (fault) => notice(reasonText(fault), "wrong"), lost: () => this.lost() });
    this.rules = new Rules(this.host);
    this.talk = new EngineConnection(this.host);
    this.view = new BoardView(byId("board"));
    this.curve = new Curve(this);
    this.moves = new MoveList(this);
    this.play = new PlayAgainst(this);
    this.puzzles = new Puzzles(this);
    this.learn = new Learn(this);
    this.report = new Report(this);
    this.setUp = new SetUp(this);
    this.books = new Books(this);
    this.files = new Files(this);
    this.fields = new Fields(this);
    this.frame = new Frame(this);
    this.undo = new Undo(this);
    this.pen = new Pen(this);
    this.sounds = new Sounds(this);
    this.autoplay = new Autoplay(this);
    this.session = new Session(this);
    this.input = new MoveInput(this.view, {
      ways: () => (this.exercise ? this.exercise.ways : this.isBack ? [] : this.position?.ways || []), play: (way) => (this.exercise ? this.exercise.play(way) : this.playMove(way)), wrong: (from, to) => this.wrongMove(from, to),
      square: (at) => this.setUp.click(at), isSetup: () => this.setUp.on,
      forced: () => this.position?.forced && !this.play.isEngines && !this.isBack, marks: () => this.marks(),
    });
  }

  async begin() {
    await this.rules.loadBoards();
    this.tree = new GameTree({ variant: "english", letters: false, fen: "", position: this.rules.boards.get("english").position });
    this.board = this.rules.boards.get("english");
    this.view.setBoard(this.board, { letters: false, flipped: false, names: "shown" });
    this.analysis = new Analysis(this);
    this.analysis.build();
    this.frame.draw();
    await this.openFirst();
    document.addEventListener("keydown", (event) => this.key(event));
    byId("board").addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    byId("entry").addEventListener("submit", (event) => this.typed(event));
    addEventListener("hashchange", () => this.openLinked().catch((error) => notice(error.message, "wrong")));
    addEventListener("pagehide", () => this.session.keep());
    document.addEventListener("visibilitychange", () => document.hidden && this.session.keep());
    addEventListener("beforeunload", (event) => this.session.keep() || event.preventDefault());
  }

  /**
   * Opens the first game: the state before a reload, a link, the first embedded game, the most recent game, or a new
   * one.
   */
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
    else if (!this.session.restoreLast()) await this.newGame(this.settings.variant || OF_LANGUAGE[document.documentElement.lang] || "english");
    if (fault) notice(fault, "wrong");
  }

  /**
   * Opens the game or position in the address. Returns false if there is none, and throws an error if the link is
   * invalid.
   */
  async openLinked() {
    const link = linked();
    if (!link) return false;
    try {
      if ("game" in link && this.start.games[link.game]) this.loadOwn(link.game, link.ply);
      else if (link.pdn) this.loadTree(await this.rules.ask({ do: "open", text: link.pdn }));
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

  /**
   * Starts a game from a position. If the position is invalid, throws an error with a message for the user and changes
   * nothing.
   */
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
    const faults = [...(data.guess ? [t("guessed")] : []), ...(data.faults || []).map(reasonText)];
    this.session.say(faults.join(" "), data.faults?.length ? "wrong" : "");
  }

  /** Shows an embedded game, given by its index from 0, after its first `ply` moves. */
  loadOwn(number, ply = 0) {
    const game = this.start.games[number];
    if (!game) return;
    this.loadTree(game, { own: number });
    this.goToPly(ply);
  }

  /** Shows the position after the first `ply` moves of the main line. */
  goToPly(ply) {
    const line = [this.tree.root, ...this.tree.line(this.tree.root)];
    this.go(line[Math.min(ply, line.length - 1)]);
  }

  /**
   * Puts a game on the board. `own` is its index among the embedded games, `list` is the collection that contains it,
   * and `play` is the state of a game against the engine, which is resumed.
   */
  setTree(tree, { own, list, play = null } = {}) {
    this.session.leave(own, list);
    this.autoplay.stop();
    if (this.play.on) this.play.stop();
    this.learn.leave();
    if (this.setUp.on) this.setUp.leave();
    this.own = own;
    this.tree = Object.assign(tree, { list, starts: this.rules.boards.get(tree.variant).starts });
    if (play) this.play.resume(play);
    this.undo.clear();
    this.play.draw();
    this.board = this.rules.boards.get(tree.variant);
    byId("variant").value = tree.variant;
    this.puzzles.take(tree);
    this.moves.draw();
    this.refresh();
  }

  /** Calls `change` to modify the game, and shows the result. The change can be undone. */
  change(change) {
    this.undo.remember();
    change();
    this.tree.touched = true;
    this.redraw();
  }

  redraw() {
    this.moves.draw();
    this.refresh();
  }

  go(node, { animate = false } = {}) {
    if (this.exercise) return;
    this.tree.current = node;
    this.moves.markCurrent();
    this.refresh({ animate });
    if (this.own !== undefined && this.tree.isMain(node)) history.replaceState(null, "", `#game-${this.own + 1}-ply-${node.ply}`);
  }

  /** The unsolved puzzle or the exercise on the board, which receives the moves; null if there is none. */
  get exercise() {
    return this.puzzles.on ? this.puzzles : this.learn.on ? this.learn : null;
  }

  /** Whether an earlier position of a game against the engine is shown. */
  get isBack() {
    return this.play.on && this.tree.current !== this.play.head;
  }

  /** The displayed position, which may be a position that is being set up. */
  get seen() {
    return this.setUp.on ? this.setUp.position : this.tree.current.position;
  }

  /** Shows the current position. */
  async refresh({ animate = false } = {}) {
    const node = this.tree.current;
    const { flipped, names, inner } = this.settings;
    this.view.setBoard(this.board, { letters: this.tree.letters, flipped, names: names === "none" ? "none" : inner ? "all" : "edge" });
    this.view.show(this.seen, { route: node.route, animate: animate && this.settings.motion });
    this.drawSign();
    if (animate) this.sounds.play(node.taken.length ? "capture" : "move");
    this.position = null;
    this.input.showTargets = this.settings.targets;
    this.input.reset();
    this.view.arrows([]);
    this.curve.draw();
    this.drawFacts();
    this.drawPlayers();
    this.books.draw();
    this.analysis.grow();
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
    const side = this.seen[0] === "W" ? "white" : "black";
    const turn = position ? statusText(position) : t("toMove", { side: t(side) });
    byId("turn").textContent = turn;
    announce((current.text ? t("after", { move: current.text }) + ": " : "") + turn);
  }

  /**
   * Plays a move along a legal path. If the move is not the user's, the notice stays visible, because the user may be
   * viewing an earlier position.
   */
  async playMove(way, { isUsers = true, from = this.tree.current } = {}) {
    try {
      const [after] = await this.rules.line(this.tree.upTo(from), [way.text]);
      if ((isUsers ? this.tree.current : this.play.head) !== from) return;
      if (!this.play.on && !from.children.some(({ text }) => text === after.text)) this.undo.remember();
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
    if (this.play.on || this.exercise) return;
    let node = this.tree.current;
    const moves = await this.rules.line(this.tree.upTo(node), line).catch(() => []);
    this.undo.remember();
    for (const move of moves) node = this.tree.add(node, move);
    this.tree.touched = true;
    this.moves.draw();
    this.go(node, { animate: moves.length === 1 });
  }

  /** Explains why a piece cannot move, or why it cannot move to the square `to` (-1 for none). */
  async wrongMove(from, to) {
    const { position } = this;
    const square = this.view.name(from);
    if (this.puzzles.on) return to < 0 ? undefined : notice(t("cannotGo", { from: square, to: this.view.name(to) }));
    if (!this.host.has || !position) return;
    const isOwn = this.view.piece(from).toLowerCase() === position.side[0];
    if (this.isBack) return notice(t("lookingBack"), "wrong");
    if (position.status.state === "playing" && this.play.isEngines) return notice(t("itThinks"));
    if (position.status.state !== "playing" || !isOwn) return notice(statusText(position), "wrong");
    const canMove = position.ways.some(({ route }) => route[0] === from);
    if (to >= 0) {
      await this.rules.line(this.tree.upTo(), [`${square}-${this.view.name(to)}`]).catch((error) => notice(error.message, "wrong"));
    } else if (!canMove) notice(t(position.forced ? "mustCapture" : "pieceBlocked", { square }), "wrong");
  }

  /** Plays a move that was typed. */
  async typed(event) {
    event.preventDefault();
    const field = byId("entry-text");
    const text = field.value.trim();
    if (!text || !this.host.has) return;
    if (this.isBack) return notice(t("lookingBack"), "wrong");
    if (this.play.isEngines) return notice(t("itThinks"));
    try {
      const [after] = await this.rules.line(this.tree.upTo(), [text]);
      const way = this.position.ways.find((known) => known.text === after.text);
      field.value = "";
      if (way) await this.playMove(way);
    } catch (error) {
      notice(error.message, "wrong");
    }
  }

  /** Returns the marks for the last move and the marked squares in its comment. */
  marks() {
    const { current } = this.tree;
    const marks = current.route.length ? [["last", current.route[0]], ["last", current.route.at(-1)]] : [];
    for (const part of current.parts) if (part.mark && !part.mark[2]) marks.push(["said " + part.mark[0], this.view.named(part.mark[1])]);
    return marks.filter(([, at]) => at >= 0);
  }

  drawArrows() {
    const said = this.tree.current.parts.filter((part) => part.mark?.[2]).map(({ mark }) => ({ route: [this.view.named(mark[1]), this.view.named(mark[2])], kind: "said " + mark[0], label: "" }));
    this.view.arrows([...said.filter(({ route }) => !route.includes(-1)), ...(this.exercise ? [] : this.analysis.arrows())]);
  }

  /** Shows the mark of the last move on its square, as in the list of moves. */
  drawSign() {
    const { glyphs, route } = this.tree.current;
    const glyph = this.setUp.on || !route.length ? undefined : glyphs.find((known) => known in SYMBOLS);
    this.view.sign(route.at(-1), SYMBOLS[glyph] ?? "", BAD_GLYPHS.includes(glyph) ? "bad-" + glyph : "fine");
  }

  drawPlayers() {
    const { flipped } = this.settings;
    const side = (name) => {
      const left = this.play.clock(name);
      const pieces = this.seen.slice(1);
      const count = [...pieces].filter((letter) => letter.toLowerCase() === name[0]).length;
      const player = this.tree.tag(name === "white" ? "White" : "Black");
      const isThinking = this.play.isEngines && name !== this.play.side;
      const seconds = left === null ? null : Math.ceil(left / 1000);
      const clock = seconds === null ? null : element("span", { class: "clock" }, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
      return [element("span", { class: "disc " + name, role: "img", "aria-label": t(name) }), element("span", { class: "who" }, isKnown(player) ? player : t(name)), isThinking ? element("span", { class: "thinking", role: "img", "aria-label": t("itThinks") }) : null, element("span", { class: "count" }, `× ${count}`), clock].filter(Boolean);
    };
    byId("player-top").replaceChildren(...side(flipped ? "white" : "black"));
    byId("player-bottom").replaceChildren(...side(flipped ? "black" : "white"));
    const turn = this.seen[0] === "W" ? "white" : "black";
    byId("player-top").classList.toggle("turn-now", (turn === "white") === flipped);
    byId("player-bottom").classList.toggle("turn-now", (turn === "white") !== flipped);
  }

  drawFacts() {
    const said = (name) => (isKnown(this.tree.tag(name)) ? this.tree.tag(name) : "");
    const facts = [said("Event"), said("Round"), said("Date"), this.tree.result === "*" ? "" : gameResultText(this.tree, this.board)].filter(Boolean).join(" · ");
    byId("facts").replaceChildren(...(facts ? [element("p", {}, facts)] : []));
    this.report.draw();
  }

  setTag(name, value) {
    this.tree.tags = this.tree.tags.filter(([known]) => known !== name);
    this.tree.tags.push([name, value]);
  }

  /** The number of threads of an engine, which can be chosen only in the program. */
  get threads() {
    return this.start.engine === "server" ? this.settings.threads : 1;
  }

  engineOptions() {
    return { Hash: this.settings.hash, ...(this.start.engine === "server" && { Threads: this.threads }) };
  }

  set(name, value) {
    this.settings[name] = value;
    merge("settings", { [name]: value });
  }

  keepSoon() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => {
      this.session.keep();
      this.fields.draw();
    }, 300);
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

  /** Goes to the position before the next move of the line with a bad glyph, or before the previous such move. */
  stepToBad(forwards) {
    const line = [this.tree.root, ...this.tree.line()];
    const at = line.indexOf(this.tree.current);
    const target = forwards ? line.find((node, place) => place > at && leadsToBad(node)) : line.slice(0, at).reverse().find(leadsToBad);
    if (target) this.go(target);
  }

  /**
   * Goes to the next bad move like `stepToBad`. After the last bad move, the first one follows. On a phone, the button
   * is below the board, which is scrolled into view.
   */
  nextBad() {
    const { current } = this.tree;
    byId("board").scrollIntoView({ block: "nearest" });
    this.stepToBad(true);
    if (this.tree.current !== current) return;
    const first = [this.tree.root, ...this.tree.line()].find(leadsToBad);
    if (first) this.go(first);
  }

  wheel(event) {
    if (event.ctrlKey || this.setUp.on) return;
    event.preventDefault();
    this.turned = (this.turned || 0) + event.deltaY * (event.deltaMode ? WHEEL_STEP : 1);
    if (Math.abs(this.turned) < WHEEL_STEP) return;
    this.step(this.turned > 0 ? "next" : "previous");
    this.turned = 0;
  }

  key(event) {
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.target.closest("input, textarea, dialog") && !this.setUp.on && !this.learn.on) {
      // The browser would also undo the last change of a text field, and move the focus there.
      event.preventDefault();
      if (!this.undo.back()) this.session.undo();
    }
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select, dialog")) return;
    const steps = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", PageUp: "previous", PageDown: "next" };
    if (steps[event.key]) this.step(steps[event.key]);
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") this.stepToBad(event.key === "ArrowDown");
    else if (event.key === "?") this.frame.help();
    else if (event.key === "f" || event.key === "F") this.flip();
    else if (this.own !== undefined && /^[nNpP]$/.test(event.key)) this.loadOwn(this.own + (/n/i.test(event.key) ? 1 : -1));
    else if ((event.key === "t" || event.key === "T") && this.host.has) this.analysis.threat.toggle();
    else if ((event.key === "a" || event.key === "A") && this.host.has) this.analysis.toggle();
    else return;
    event.preventDefault();
  }

  /** Rewrites all moves of the game with the selected square names (numbers or letters). */
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
    this.undo.clear();
    this.redraw();
  }
}

const embedded = byId("start")?.textContent;
// On a web server, the page has no embedded data. It can then be installed, and works without a network.
if (!embedded) navigator.serviceWorker?.register("sw.js").catch(() => {});
const app = new App(JSON.parse(embedded || '{"engine":"worker","games":[],"title":"Soffio","version":""}'));
app.begin();
globalThis.soffio = app;
