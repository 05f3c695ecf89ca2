// A game against the engine: levels, clocks, take-back, hint.
import { announce, button, byId, dialog, element, notice, question, select } from "./dom.js";
import { whiteScore } from "./engine.js";
import { share, t } from "./words.js";

/** The levels, and how many plies each looks ahead; 0 for no limit. */
const LEVELS = new Map([["easy", 2], ["medium", 3], ["hard", 4], ["expert", 5], ["god", 6], ["full", 0]]);
const RATINGS = [800, 1200, 1600, 2000, 2400];
/** Time controls: minutes per game, and increment in seconds per move. */
const TIMES = { none: null, "1+1": [1, 1], "5+3": [5, 3], "15+10": [15, 10], "60+0": [60, 0] };
const WITHOUT_CLOCK_MS = 1500;
/** The engine declines a draw before this ply. */
const EARLIEST_DRAW = 40;

const sideOf = (node) => (node.position[0] === "W" ? "white" : "black");

export class PlayAgainst {
  constructor(app) {
    this.app = app;
    this.on = false;
    /** The last finished game, for which a rematch is offered while it is on the board. */
    this.ended = null;
    setInterval(() => this.tick(), 200);
  }

  ask() {
    const { app } = this;
    const chosen = app.settings.play;
    const set = (name) => (value) => app.set("play", { ...app.settings.play, [name]: value });
    const help = element("p", { class: "level-help", role: "status" });
    const describe = (level) => (help.textContent = t(level.startsWith("elo") ? "ratingHelp" : LEVELS.get(level) ? "levelHelp" : "fullHelp", { n: LEVELS.get(level) }));
    describe(chosen.level);
    const levels = [...[...LEVELS.keys()].map((level) => [level, t(level)]), ...RATINGS.map((n) => [`elo ${n}`, t("rating", { n })])];
    const times = Object.entries(TIMES).map(([name, time]) => [name, !time ? t("noClock") : time[1] ? t("minutesPlus", { n: time[0], s: time[1] }) : t("minutes", { n: time[0] })]);
    const begin = (fresh) => () => {
      box.close();
      this.begin(fresh);
    };
    const box = dialog(t("playTitle"),
      element("div", { class: "form" },
        select(t("yourSide"), [["white", t("white")], ["black", t("black")], ["chance", t("chance")]], chosen.side, set("side")),
        select(t("level"), levels, chosen.level, (value) => {
          set("level")(value);
          describe(value);
        }),
        help,
        select(t("time"), times, chosen.time, set("time"))),
      element("div", { class: "actions" }, button("begin", begin(true)), ...(app.seen === app.board.position ? [] : [button("fromHere", begin(false))])));
  }

  async begin(fresh, side = this.app.settings.play.side) {
    const { app } = this;
    const { level, time } = app.settings.play;
    app.analysis.toggle(false);
    if (fresh) await app.newGame(app.tree.variant);
    else {
      app.setTree(app.tree.cut());
      app.session.say("");
    }
    this.side = side === "chance" ? (Math.random() < 0.5 ? "white" : "black") : side;
    this.level = level;
    this.time = TIMES[time];
    this.left = this.time && { white: this.time[0] * 60000, black: this.time[0] * 60000 };
    /** The remaining times when each position of the game was reached, by ply. */
    this.times = [];
    this.on = true;
    this.due = null;
    /** The last score of the engine, from White's point of view. */
    this.score = null;
    app.set("flipped", this.side === "black");
    const engine = "Soffio (" + (level.startsWith("elo") ? t("rating", { n: level.slice(4) }) : t(level)) + ")";
    app.setTag("White", this.side === "white" ? t("you") : engine);
    app.setTag("Black", this.side === "black" ? t("you") : engine);
    app.tree.touched = true;
    this.draw();
    // `refresh` calls `turn` when the legal moves are known.
    app.refresh();
  }

  /** Returns the state that `resume` needs, or null if no game is in progress. */
  toJson() {
    if (!this.on) return null;
    const { side, level, time, times, score } = this;
    return { side, level, time, times, score, left: this.left && { white: this.clock("white"), black: this.clock("black") } };
  }

  /** Resumes a game. Its clocks did not run in the meantime. */
  resume({ side, level, time, left, times = [], score = null }) {
    Object.assign(this, { side, level, time, left, times, score, on: true, running: null, due: null });
    this.app.tree.current = this.head;
    this.draw();
  }

  draw() {
    const home = byId("play");
    const hasEnded = !this.on && this.ended !== null && this.ended === this.app.tree;
    home.hidden = !this.on && !hasEnded;
    document.body.classList.toggle("playing", this.on);
    byId("analysis").hidden = this.on || !this.app.host.has;
    if (hasEnded) home.replaceChildren(element("h2", {}, this.outcome), element("div", { class: "actions" }, button("rematch", () => this.begin(true, this.other))));
    else if (!this.on) home.replaceChildren();
    else home.replaceChildren(element("div", { class: "tools" }, button("takeBack", () => this.takeBack()), button("hint", () => this.hint()), button("offerDraw", () => this.offerDraw()), button("resign", () => this.resign()), button("endPlay", () => this.leave())));
  }

  get options() {
    const rating = this.level.startsWith("elo");
    return { ...this.app.engineOptions(), MultiPV: 1, UCI_AnalyseMode: "false", Level: rating ? "full" : this.level, UCI_LimitStrength: String(rating), ...(rating && { UCI_Elo: this.level.slice(4) }) };
  }

  get other() {
    return this.side === "white" ? "black" : "white";
  }

  /** The last position of the game, even if an earlier one is shown. */
  get head() {
    const { tree } = this.app;
    return tree.line(tree.root).at(-1) || tree.root;
  }

  /** Whether the engine is to move. */
  get isEngines() {
    return this.on && sideOf(this.head) !== this.side;
  }

  resign() {
    question(t("resignAsk"), "resign", () => this.on && this.end(this.other, t("resignation")));
  }

  /** Ends the game in a draw if the engine does not consider itself better. */
  offerDraw() {
    if (this.isEngines) return notice(t("itThinks"));
    const white = share(this.score);
    const isFair = this.score && (this.side === "white" ? white >= 0.5 : white <= 0.5);
    if (isFair && this.head.ply >= EARLIEST_DRAW) this.end(null, t("agreement"));
    else notice(t("drawDeclined"));
  }

  limits() {
    if (!this.left) return `movetime ${WITHOUT_CLOCK_MS}`;
    const ms = (side) => Math.max(1, Math.round(this.left[side]));
    return `wtime ${ms("white")} btime ${ms("black")} winc ${this.time[1] * 1000} binc ${this.time[1] * 1000}`;
  }

  /**
   * Called after each move. Ends the game if the position is final; otherwise, starts the clock of the side to move,
   * and lets the engine search if it is to move.
   */
  async turn() {
    const { app } = this;
    const node = this.head;
    if (!this.on || app.tree.current !== node) return;
    const { status, side, ways } = app.position;
    if (status.state !== "playing") {
      this.end(status.winner || null, t(status.reason, { n: status.moves }));
      return;
    }
    // Redrawing a position does not restart the clock or the search.
    if (this.due === node) return;
    this.due = node;
    if (this.left) this.times[node.ply] ??= { ...this.left };
    this.running = side;
    this.since = performance.now();
    if (!this.isEngines) return announce(t("yourTurn"));
    const { move, error, replaced } = await app.talk.search({ game: app.tree.upTo(node), options: this.options, go: this.limits(), info: ({ score }) => (this.score = whiteScore(score, side) || this.score) });
    if (replaced || !this.on || this.head !== node) return;
    if (error) notice(error, "wrong");
    const way = ways.find((known) => known.text === move);
    if (way) app.playMove(way, { isUsers: false, from: node });
  }

  /** Subtracts the time used for a move from the clock of the side that has moved, and adds the increment. */
  moved() {
    if (!this.on) return;
    if (this.left && this.running) this.left[this.running] += this.time[1] * 1000 - (performance.now() - this.since);
    this.running = null;
  }

  /** Returns the remaining time of a side in milliseconds, or null without a clock. */
  clock(side) {
    if (!this.left || !this.on) return null;
    return Math.max(0, this.left[side] - (this.running === side ? performance.now() - this.since : 0));
  }

  tick() {
    if (!this.on || !this.left || !this.running) return;
    this.app.drawPlayers();
    if (this.clock(this.running) === 0) this.end(this.running === "white" ? "black" : "white", t("timeOver"));
  }

  takeBack() {
    const { app } = this;
    app.talk.cancel();
    let node = this.head;
    do node = node.parent || node;
    while (node.parent && sideOf(node) !== this.side);
    Object.assign(this, { running: null, due: null });
    if (this.left) this.left = { ...(this.times[node.ply] ?? this.left) };
    this.times.length = Math.min(this.times.length, node.ply + 1);
    app.tree.current = node;
    node.children = [];
    app.tree.touched = true;
    app.redraw();
  }

  async hint() {
    const { app } = this;
    if (this.isEngines || app.isBack) return;
    const node = app.tree.current;
    const { move } = await app.talk.search({ game: app.tree.upTo(node), options: { ...this.options, Level: "full", UCI_LimitStrength: "false" }, go: "movetime 500" });
    if (!move || app.tree.current !== node) return;
    notice(t("hintIs", { move }));
    const way = app.position.ways.find((known) => known.text === move);
    if (way) app.view.arrows([{ route: way.route, kind: "best", label: "" }]);
  }

  end(winner, reason) {
    const { app } = this;
    const starts = app.board.starts;
    this.ended = app.tree;
    app.tree.touched = true;
    app.tree.result = !winner ? "1/2-1/2" : winner === starts ? "1-0" : "0-1";
    /** How the last game has ended, which stays visible while that game is on the board. */
    this.outcome = winner ? t("won", { side: t(winner), reason }) : t("drawn", { reason });
    notice(this.outcome);
    app.sounds.play("end");
    this.leave();
  }

  leave() {
    this.stop();
    this.app.redraw();
  }

  /** Ends the game without redrawing the board. */
  stop() {
    this.on = false;
    this.running = null;
    this.app.talk.cancel();
    this.draw();
  }
}
