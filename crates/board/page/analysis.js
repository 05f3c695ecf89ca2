// Analysis of the position on the board, annotation of the whole game, and the search for a win.
import { button, byId, element, notice, select } from "./dom.js";
import { Lines, whiteScore } from "./engine.js";
import { remarkText } from "./reasons.js";
import { lossOf } from "./report.js";
import { Team } from "./team.js";
import { Threat } from "./threat.js";
import { BAD_GLYPHS } from "./tree.js";
import { scoreText, share, shortNumber, shortScore, t } from "./words.js";

/** Minimum loss in cp for a blunder, a mistake and a dubious move, with the glyph of each. */
const BAD = [[100, 4], [50, 2], [25, 6]];
/** Search time for a position of an annotated game, and for other short searches. */
const ANNOTATION_MS = 400;
/** Maximum number of moves of a line that are shown: in one row, and in several rows if there is only one line. */
const [MAX_MOVES, MAX_WRAPPED_MOVES] = [14, 30];
/** Maximum number of moves of a better line that are added to the game. */
const MAX_BETTER = 8;

/** Formats a score for the evaluation bar, in about four characters. */
const barScore = (score) => ("cp" in score ? (Math.abs(score.cp) / 100).toFixed(1) : "#" + Object.values(score)[0]);

export class Analysis {
  constructor(app) {
    this.app = app;
    this.on = false;
    this.lines = [];
    this.last = 0;
    this.finding = null;
    this.threat = new Threat(app);
  }

  build() {
    const { app } = this;
    const home = byId("analysis");
    home.hidden = !app.host.has;
    if (home.hidden) return;
    this.switch = element("button", { type: "button", class: "switch", "data-key": "analyse", "aria-pressed": String(this.on), onclick: () => this.toggle() }, t("analyse"));
    const counts = [1, 2, 3, 4, 5].map((n) => [n, n]);
    const lines = select(t("lines"), counts, app.settings.lines, (value) => {
      app.set("lines", Number(value));
      this.restart();
    });
    this.figures = element("p", { class: "figures", "aria-live": "off" });
    this.chances = element("div", { class: "chances", role: "img" });
    this.list = element("ol", { class: "lines", "aria-label": t("lines") });
    const within = select(t("findWin"), [3, 5, 8, 12, 20, 40].map((n) => [n, t("winWithin", { n })]), app.settings.within, (value) => app.set("within", Number(value)));
    within.firstChild.className = "unseen";
    // Which buttons are useful depends on whether the game has moves.
    this.start = element("button", { type: "button", "data-key": "playStart", onclick: () => app.play.ask() }, t("playTitle"));
    this.ofGame = [button("annotate", () => this.annotate()), button("practise", () => app.play.begin(false, app.position?.side))];
    const tools = element("div", { class: "tools" }, this.start, ...this.ofGame, element("span", { class: "pair" }, button("findWin", () => this.findWin()), within));
    const [threat, threatLine] = this.threat.build();
    home.replaceChildren(element("div", { class: "head" }, this.switch, threat, lines), threatLine, this.figures, this.chances, this.list, tools);
    this.drawTools();
    this.drawLines();
  }

  /** Shows the buttons that are useful for the game on the board. */
  drawTools() {
    const { tree, board } = this.app;
    if (!this.start) return;
    const hasMoves = tree.root.children.length > 0;
    const [annotate, practise] = this.ofGame;
    annotate.hidden = !hasMoves;
    practise.hidden = !hasMoves && tree.root.position === board.position;
    this.start.hidden = !practise.hidden;
  }

  toggle(on = !this.on) {
    if (on && (this.app.play.on || this.app.exercise)) return;
    this.on = on;
    this.busy = null;
    this.find(null);
    this.switch?.setAttribute("aria-pressed", String(on));
    this.lines = [];
    if (on) this.restart();
    else {
      this.app.talk.cancel();
      this.drawLines();
    }
  }

  /**
   * Called when the position changes. The old lines stay visible in grey until new lines arrive, so that the layout
   * does not jump.
   */
  grow() {
    this.lines = [];
    if (this.threat.node !== this.app.tree.current) this.threat.clear();
    if (this.finding && this.finding !== this.app.tree.current) this.find(null);
    this.drawTools();
    this.drawLines();
  }

  /** Starts the analysis of the position on the board if analysis is on. */
  async restart() {
    this.lines = [];
    const { app } = this;
    const node = app.tree.current;
    if (app.play.on || app.exercise) return this.drawLines();
    if (this.threat.on && this.threat.node !== node) {
      this.drawLines();
      await this.threat.find(node);
      if (node !== app.tree.current) return;
    }
    this.drawFinder();
    if (this.hasEnded) return this.end(node);
    if (!this.on) return this.drawLines();
    const side = node.position[0] === "W" ? "white" : "black";
    const job = { game: app.tree.upTo(node), go: "infinite", options: { ...this.options, MultiPV: app.settings.lines } };
    const moves = new Set(app.position?.ways.map(({ number }) => number)).size;
    const found = (this.found = new Lines(Math.min(app.settings.lines, moves || 1)));
    const { error, replaced } = await app.talk.search({ ...job, info: (info) => info.pv.length && info.score && found.take(info) && this.hear(found, node, side) });
    if (!replaced && found.finish()) this.hear(found, node, side);
    if (error) notice(error, "wrong");
  }

  /** Whether the game has ended in the position on the board. */
  get hasEnded() {
    const { position } = this.app;
    return Boolean(position) && position.status.state !== "playing";
  }

  /**
   * Shows a position in which the game has ended. A draw scores 0.00, whatever the search reported, because the search
   * does not see the earlier positions.
   */
  end(node) {
    const { app } = this;
    if (this.on) app.talk.cancel();
    if (app.position.status.state === "drawn" && (this.on || node.score)) {
      node.score = { cp: 0 };
      app.curve.draw();
      app.moves.drawScore(node);
    }
    this.drawLines();
  }

  /** The engine's options for an analysis with one line. */
  get options() {
    return { ...this.app.engineOptions(), MultiPV: 1, UCI_AnalyseMode: "true", Level: "full", UCI_LimitStrength: "false" };
  }

  /**
   * Searches the position after the moves of `game`, in which `side` is to move, for a short time. Returns the score
   * from White's point of view and the best line, in addition to the result of the search. `talk` is the engine. If the
   * game has ended, there is no search.
   */
  async evaluate(game, side, talk = this.app.talk) {
    const found = { score: null, pv: [] };
    // An invalid position has no status. The search reports the reason.
    const { status = {} } = await this.app.rules.position(game).catch(() => ({}));
    if (status.state === "won") return { ...found, score: { [status.winner]: 0 } };
    if (status.state === "drawn") return { ...found, score: { cp: 0 } };
    const answer = await talk.search({ game, options: this.options, go: `movetime ${ANNOTATION_MS}`, info: (info) => {
      found.score = whiteScore(info.score, side) || found.score;
      if (info.pv.length) found.pv = info.pv;
    } });
    return { ...answer, ...found };
  }

  hear(found, node, side) {
    if (!this.on || found !== this.found || node !== this.app.tree.current) return;
    this.lines = found.lines.map((info) => ({ ...info, white: whiteScore(info.score, side), wdl: info.wdl && (side === "white" ? info.wdl : info.wdl.toReversed()) }));
    node.score = this.lines[0].white;
    // Redraws at most ten times per second.
    if (!this.due) this.due = setTimeout(() => this.drawSoon(), Math.max(0, 100 - (performance.now() - this.last)));
  }

  drawSoon() {
    this.due = null;
    this.last = performance.now();
    this.drawLines();
    this.app.curve.draw();
    this.app.moves.drawScore(this.app.tree.current);
  }

  drawLines() {
    this.drawBar();
    this.app.drawArrows();
    if (!this.list) return;
    const best = this.lines[0];
    const figures = !best ? "" : [t("depth", { n: best.depth }), t("nodes", { n: shortNumber(best.nodes || 0) }), t("speed", { n: shortNumber(best.nps || 0) }),
      best.tbhits ? t("inTables", { n: shortNumber(best.tbhits) }) : ""].filter(Boolean).join(" · ");
    const { list, chances } = this;
    const isOld = this.on && !best && !this.hasEnded;
    for (const part of [list, chances, this.figures]) part.classList.toggle("old", isOld);
    list.style.setProperty("--rows", this.app.settings.lines);
    list.classList.toggle("single", this.app.settings.lines === 1);
    list.hidden = chances.hidden = this.figures.hidden = !this.on && !best;
    if (isOld && list.childElementCount) return;
    this.figures.textContent = figures || (this.on && !this.hasEnded ? t("analysing") + " …" : "");
    this.drawChances(best?.wdl);
    const focused = list.contains(document.activeElement);
    if (!focused) list.replaceChildren(...this.lines.filter(Boolean).map((line, at, all) => this.lineRow(line, all.length > 1 ? at + 1 : "")));
  }

  /** Draws the probabilities of a White win, a draw and a Black win as a bar. */
  drawChances(wdl) {
    const parts = (wdl || []).map((permille) => Math.round(permille / 10));
    const [w, d, l] = parts;
    this.chances.setAttribute("aria-label", wdl ? t("wdl", { w, d, l }) : t("unsaid"));
    this.chances.title = wdl ? t("wdl", { w, d, l }) : "";
    this.chances.replaceChildren(...parts.map((percent, at) => element("span", { class: "wdl"[at], style: `flex-grow:${percent}` }, percent > 7 ? t("percent", { n: percent }) : "")));
  }

  /** Returns the row of a line. `number` is the number of its arrow, or empty if there is only one arrow. */
  lineRow(line, number) {
    const moves = line.pv.slice(0, number ? MAX_MOVES : MAX_WRAPPED_MOVES).map((move, at) =>
      element("button", { type: "button", class: "pv", title: t("lineToTree", { move }), onclick: () => this.app.playLine(line.pv.slice(0, at + 1)) }, move));
    return element("li", {}, element("span", { class: "number-of", "aria-hidden": "true" }, number), element("span", { class: "score", title: scoreText(line.white) }, shortScore(line.white)), element("span", { class: "pvs" }, ...moves));
  }

  drawBar() {
    const { score } = this.app.tree.current;
    const bar = byId("evaluation");
    bar.style.setProperty("--white", `${(share(score) * 100).toFixed(1)}%`);
    bar.setAttribute("aria-label", t("evaluationOf", { score: scoreText(score) }));
    bar.title = scoreText(score);
    bar.classList.toggle("unknown", !score);
    const ahead = share(score) < 0.5 ? "black" : "white";
    bar.replaceChildren(...(score ? [element("span", { class: `ahead-${ahead}`, "aria-hidden": "true" }, barScore(score))] : []));
    bar.classList.toggle("turned", this.app.settings.flipped);
  }

  /** Returns arrows for the first moves of the best lines, if those moves are legal in this position. */
  arrows() {
    return [...this.threat.arrows(), ...(this.app.settings.arrows ? this.lineArrows() : [])];
  }

  lineArrows() {
    if (!this.lines.length) return this.gameArrows();
    const way = (text) => this.app.position?.ways.find((known) => known.text === text);
    const shown = this.lines.filter(Boolean).map((line, at) => ({ way: way(line.pv[0]), label: at + 1 })).filter(({ way: found }) => found);
    return shown.reverse().map(({ way: { route }, label }) => ({ route, kind: label === 1 ? "best" : "other", label: shown.length > 1 ? String(label) : "" }));
  }

  /**
   * Returns an arrow for the next move of the game, and one for the better move if the next move is bad. In a game that
   * is not part of the page, only bad moves have arrows.
   */
  gameArrows() {
    const { app } = this;
    const [next, ...others] = app.tree.current.children;
    if (!next || this.on || app.play.on) return [];
    const bad = next.glyphs.some((glyph) => BAD_GLYPHS.includes(glyph));
    if (!bad && !app.start.games.length) return [];
    const better = bad && others.length ? [{ route: others.at(-1).route, kind: "said green", label: "" }] : [];
    return [...better, { route: next.route, kind: bad ? "said red" : "best", label: "" }];
  }

  /** Searches each position of the line for a short time with all cores, and adds glyphs to bad moves. */
  async annotate() {
    const { app } = this;
    if (app.play.on) return;
    if (this.busy) return (this.busy = null);
    this.toggle(false);
    this.threat.toggle(false);
    const mine = (this.busy = {});
    const line = [app.tree.root, ...app.tree.line()];
    const best = new Map();
    const control = byId("analysis").querySelector('[data-key="annotate"]');
    // Keeps the neighbouring buttons in place when the label changes.
    control.style.minWidth = `${control.offsetWidth}px`;
    control.textContent = t("stop");
    app.undo.remember();
    const team = new Team(app, line, (node, talk) => this.evaluate(app.tree.upTo(node), node.position[0] === "W" ? "white" : "black", talk));
    for (const [at, node] of line.entries()) {
      notice(t("annotating", { n: at, all: line.length - 1 }), "busy");
      const { score, pv, replaced } = await team.answer(at);
      if (this.busy !== mine || replaced) break;
      best.set(node, pv);
      node.score = score;
      const better = at ? await this.better(line[at - 1], node, best) : [];
      if (at && this.markLoss(line[at - 1], node, better)) await this.addBetterLine(line[at - 1], node, better, best);
      app.curve.draw();
    }
    team.close();
    const whole = this.busy === mine;
    this.busy = null;
    control.textContent = t("annotate");
    app.tree.touched = true;
    app.redraw();
    const next = app.report.nextButton();
    notice(whole ? t("annotated") : "", "", next);
  }

  /** Returns the best line, or an empty list if the best move was played. */
  async better(before, node, best) {
    const line = (best.get(before) || []).slice(0, MAX_BETTER);
    const moves = await this.app.rules.line(this.app.tree.upTo(before), line).catch(() => []);
    return moves[0]?.text === node.text ? [] : moves;
  }

  /** Adds a glyph to a bad move. The best move is not bad, even if a deeper search has lowered the score. */
  markLoss(before, node, better) {
    const loss = lossOf(before, node);
    if (loss === null) return false;
    const glyph = better.length ? BAD.find(([least]) => loss >= least)?.[1] : null;
    node.glyphs = node.glyphs.filter((known) => !BAD_GLYPHS.includes(known));
    if (glyph) node.glyphs.push(glyph);
    return Boolean(glyph);
  }

  /** Adds the better line as a variation, and explains in the comment why the move is bad. */
  async addBetterLine(before, node, better, best) {
    const { app } = this;
    let at = before;
    for (const move of better) at = app.tree.add(at, move);
    before.children.find(({ text }) => text === better[0].text).score ??= before.score;
    await this.addExplanation(before, node, best);
  }

  /** Writes the explanation into the comment of a bad move, and removes the previous explanation. */
  async addExplanation(before, node, best) {
    const { app } = this;
    const asked = { do: "explain", ...app.tree.upTo(before), played: node.text, better: best.get(before) || [], reply: best.get(node) || [], before: before.score, after: node.score };
    const { text: remark } = await app.rules.ask(asked).catch(() => ({}));
    if (!remark) return;
    const text = remarkText(remark) ?? remark;
    const old = node.parts.find((part) => part.why)?.text;
    const own = old ? (node.comment || "").replace(old, "").trim() : node.comment || "";
    node.comment = [own, text].filter(Boolean).join(" ");
    node.parts = [...node.parts.filter((part) => !part.why), { text, why: true }];
  }

  /** Sets the position in which a win is searched for; null cancels the search. */
  find(node) {
    if (this.finding && !node) {
      this.app.talk.cancel();
      notice("");
    }
    this.finding = node;
    this.drawFinder();
  }

  drawFinder() {
    const control = byId("analysis").querySelector('[data-key="findWin"]');
    if (!control) return;
    control.textContent = t(this.finding ? "stop" : "findWin");
    control.disabled = this.hasEnded;
  }

  /** Runs `go win`, which finds the shortest win or proves that there is none within the chosen number of moves. */
  async findWin() {
    const { app } = this;
    if (app.play.on) return;
    if (this.finding) return this.find(null);
    this.toggle(false);
    this.threat.toggle(false);
    const n = app.settings.within;
    const node = app.tree.current;
    const side = node.position[0] === "W" ? "white" : "black";
    let last = null;
    let message = "";
    this.find(node);
    notice(t("itThinks"), "busy");
    const { move, replaced } = await app.talk.search({ game: app.tree.upTo(node), options: this.options, go: `win ${n}`, info: (info) => {
      if (info.string) message = info.string;
      else if (info.pv.length) last = info;
    } });
    if (this.finding !== node) return;
    this.finding = null;
    this.drawFinder();
    if (replaced) return notice("");
    const won = last?.score?.win;
    if (message.startsWith("no win") || !move) notice(t("noWin", { n }));
    else if (message.startsWith("undecided")) notice(t("undecided", { n }));
    else if (won) {
      node.score = whiteScore(last.score, side);
      this.lines = [{ ...last, white: node.score }];
      this.drawLines();
      notice(t("foundWin", { n: won, move }));
    }
  }
}
