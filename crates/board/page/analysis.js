// Analyses the position on the board, the whole game, and problems.
import { button, byId, element, notice, select } from "./dom.js";
import { Lines, whiteScore } from "./engine.js";
import { scoreText, share, shortNumber, t } from "./words.js";

/** Minimum losses in 1/100 man of a dubious move, a mistake and a blunder; scores are clamped to three men. */
const BAD = [[100, 4], [50, 2], [25, 6]];
const DECIDED = 300;
const JUDGED_MS = 400;

export class Analysis {
  constructor(app) {
    this.app = app;
    this.on = false;
    this.lines = [];
    this.last = 0;
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
    this.list = element("ol", { class: "lines", "aria-label": t("lines") });
    const within = select(t("findWin"), [3, 5, 8, 12, 20, 40].map((n) => [n, t("winWithin", { n })]), app.settings.within, (value) => app.set("within", Number(value)));
    within.firstChild.className = "unseen";
    const tools = element("div", { class: "tools" }, button("judge", () => this.annotateGame()), button("findWin", () => this.findWin()), within);
    home.replaceChildren(element("div", { class: "head" }, this.switch, lines), this.figures, this.list, tools);
    this.drawLines();
  }

  toggle(on = !this.on) {
    this.on = on;
    this.busy = null;
    this.switch?.setAttribute("aria-pressed", String(on));
    this.lines = [];
    if (on) this.restart();
    else {
      this.app.talk.cancel();
      this.drawLines();
    }
  }

  /** Starts the analysis of the position on the board, if analysis is on. */
  async restart() {
    this.lines = [];
    if (!this.on || this.app.play?.on) return this.drawLines();
    const { app } = this;
    const node = app.tree.current;
    if (app.position?.status.state === "won") {
      app.talk.cancel();
      return this.drawLines();
    }
    const side = node.position[0] === "W" ? "white" : "black";
    const job = { game: app.tree.upTo(node), go: "infinite", options: { ...app.engineOptions(), MultiPV: app.settings.lines, UCI_AnalyseMode: "true", Level: "full", UCI_LimitStrength: "false" } };
    const moves = new Set(app.position?.ways.map(({ number }) => number)).size;
    const found = (this.found = new Lines(Math.min(app.settings.lines, moves || 1)));
    const { error, replaced } = await app.talk.search({ ...job, info: (info) => info.pv.length && info.score && found.take(info) && this.receive(found, node, side) });
    if (!replaced && found.finish()) this.receive(found, node, side);
    if (error) notice(error, "wrong");
  }

  receive(found, node, side) {
    if (!this.on || found !== this.found || node !== this.app.tree.current) return;
    this.lines = found.lines.map((info) => ({ ...info, white: whiteScore(info.score, side), wdl: info.wdl && (side === "white" ? info.wdl : info.wdl.toReversed()) }));
    node.score = this.lines[0].white;
    // Draw at most ten times a second.
    if (!this.due) this.due = setTimeout(() => this.drawSoon(), Math.max(0, 100 - (performance.now() - this.last)));
  }

  drawSoon() {
    this.due = null;
    this.last = performance.now();
    this.drawLines();
    this.app.curve.draw();
  }

  drawLines() {
    this.drawBar();
    this.app.drawArrows();
    if (!this.list) return;
    const best = this.lines[0];
    const figures = !best ? "" : [t("depth", { n: best.depth }), t("nodes", { n: shortNumber(best.nodes || 0) }), t("speed", { n: shortNumber(best.nps || 0) }),
      best.tbhits ? t("inTables", { n: shortNumber(best.tbhits) }) : "", best.wdl ? this.wdl(best.wdl) : ""].filter(Boolean).join(" · ");
    this.figures.textContent = figures || (this.on ? t("analysing") + " …" : "");
    const focused = this.list.contains(document.activeElement);
    if (!focused) {
      this.list.replaceChildren(...this.lines.filter(Boolean).map((line) => this.lineRow(line)));
      this.list.hidden = !this.lines.length;
    }
  }

  wdl(wdl) {
    const [w, d, l] = wdl.map((permille) => Math.round(permille / 10));
    return t("wdl", { w, d, l });
  }

  lineRow(line) {
    const moves = line.pv.slice(0, 14).map((move, at) =>
      element("button", { type: "button", class: "pv", title: t("lineToTree", { move }), onclick: () => this.app.playLine(line.pv.slice(0, at + 1)) }, move));
    return element("li", {}, element("span", { class: "score" }, scoreText(line.white)), element("span", { class: "pvs" }, ...moves));
  }

  drawBar() {
    const { score } = this.app.tree.current;
    const bar = byId("evaluation");
    bar.style.setProperty("--white", `${(share(score) * 100).toFixed(1)}%`);
    bar.setAttribute("aria-label", t("evaluationOf", { score: scoreText(score) }));
    bar.title = scoreText(score);
    bar.classList.toggle("unknown", !score);
    bar.classList.toggle("turned", this.app.settings.flipped);
  }

  /** Returns arrows for the best lines: their first moves that are legal in the position. */
  arrows() {
    if (!this.app.settings.arrows) return [];
    if (!this.lines.length) return this.app.start.games.length ? this.gameArrows() : [];
    const way = (text) => this.app.position?.ways.find((known) => known.text === text);
    const shown = this.lines.filter(Boolean).map((line, at) => ({ way: way(line.pv[0]), label: at + 1 })).filter(({ way: found }) => found);
    return shown.reverse().map(({ way: { route }, label }) => ({ route, kind: label === 1 ? "best" : "other", label: shown.length > 1 ? String(label) : "" }));
  }

  /** Returns arrows for the next move of the game, and for the better move. */
  gameArrows() {
    const [next, ...others] = this.app.tree.current.children;
    if (!next) return [];
    const bad = next.glyphs.some((glyph) => [2, 4, 6].includes(glyph));
    const better = bad && others.length ? [{ route: others.at(-1).route, kind: "said green", label: "" }] : [];
    return [...better, { route: next.route, kind: bad ? "said red" : "best", label: "" }];
  }

  /** Searches each position of the line briefly, and marks the bad moves. */
  async annotateGame() {
    const { app } = this;
    if (this.busy) return (this.busy = null);
    this.toggle(false);
    const mine = (this.busy = {});
    const line = [app.tree.root, ...app.tree.line()];
    const best = new Map();
    const control = byId("analysis").querySelector('[data-key="judge"]');
    control.textContent = t("stop");
    for (const [at, node] of line.entries()) {
      notice(t("judging", { n: at, all: line.length - 1 }));
      const side = node.position[0] === "W" ? "white" : "black";
      let score = null;
      const options = { ...app.engineOptions(), MultiPV: 1, UCI_AnalyseMode: "true", Level: "full", UCI_LimitStrength: "false" };
      const answer = await app.talk.search({ game: app.tree.upTo(node), options, go: `movetime ${JUDGED_MS}`, info: (info) => {
        score = whiteScore(info.score, side) || score;
        if (info.pv.length) best.set(node, info.pv);
      } });
      if (this.busy !== mine || answer.replaced) break;
      // If there are no legal moves, the game has ended.
      if (!answer.move && !answer.error) {
        const { status } = await app.rules.position(app.tree.upTo(node));
        if (status.winner) score = { [status.winner]: 0 };
      }
      node.score = score;
      if (at && this.markLoss(line[at - 1], node)) await this.sayWhy(line[at - 1], node, best);
      app.curve.draw();
    }
    const whole = this.busy === mine;
    this.busy = null;
    control.textContent = t("judge");
    app.change(() => {});
    notice(whole ? t("judged") : "");
  }

  markLoss(before, node) {
    const bounded = (score) => ("cp" in score ? Math.max(-DECIDED, Math.min(DECIDED, score.cp)) : "white" in score ? DECIDED : -DECIDED);
    if (!before.score || !node.score) return false;
    const sign = before.position[0] === "W" ? 1 : -1;
    const loss = sign * (bounded(before.score) - bounded(node.score));
    const glyph = BAD.find(([least]) => loss >= least)?.[1];
    node.glyphs = node.glyphs.filter((known) => ![2, 4, 6].includes(known));
    if (glyph) node.glyphs.push(glyph);
    return Boolean(glyph);
  }

  /** Explains in the comment why a move is bad; replaces the previous explanation. */
  async sayWhy(before, node, best) {
    const { app } = this;
    const request = { do: "explain", ...app.tree.upTo(before), played: node.text, better: best.get(before) || [], reply: best.get(node) || [], before: before.score, after: node.score };
    const { text } = await app.rules.request(request).catch(() => ({}));
    if (!text) return;
    const old = node.parts.find((part) => part.why)?.text;
    const own = old ? (node.comment || "").replace(old, "").trim() : node.comment || "";
    node.comment = [own, text].filter(Boolean).join(" ");
    node.parts = [...node.parts.filter((part) => !part.why), { text, why: true }];
  }

  /** Runs `go win`, which finds the shortest win or proves that there is none. */
  async findWin() {
    const { app } = this;
    this.toggle(false);
    const n = app.settings.within;
    const node = app.tree.current;
    const side = node.position[0] === "W" ? "white" : "black";
    let last = null;
    let said = "";
    notice(t("itThinks"));
    const options = { ...app.engineOptions(), MultiPV: 1, Level: "full", UCI_LimitStrength: "false" };
    const { move, replaced } = await app.talk.search({ game: app.tree.upTo(node), options, go: `win ${n}`, info: (info) => {
      if (info.string) said = info.string;
      else if (info.pv.length) last = info;
    } });
    if (replaced || node !== app.tree.current) return;
    const won = last?.score?.win;
    if (said.startsWith("no win") || !move) notice(t("noWin", { n }));
    else if (said.startsWith("undecided")) notice(t("undecided", { n }));
    else if (won) {
      node.score = whiteScore(last.score, side);
      this.lines = [{ ...last, white: node.score }];
      this.drawLines();
      notice(t("foundWin", { n: won, move }));
    }
  }
}
