// The report on a game: accuracy and average loss of each side by phase, computed from the scores of its positions.
import { byId, button, element } from "./dom.js";
import { BAD_GLYPHS, SYMBOLS } from "./tree.js";
import { share, t } from "./words.js";

/** Scores are clamped to this many cp, so that moves in decided positions count little. */
const DECIDED = 300;
/** Decay constant of the accuracy of a move: 100 % times exp(-SHARPNESS * loss), with the loss in expected points. */
const SHARPNESS = 4.4;
/**
 * Limits of the phases, as fractions of the initial number of pieces: the opening lasts above the first, and the
 * endgame begins at the second.
 */
const [OPENING, ENDGAME] = [0.75, 0.4];
const PHASES = ["opening", "middleGame", "endgame"];
/** The numbers of bad moves in the last row: the key of the text, and the glyph. */
const COUNTED = [["blunders", 4], ["mistakes", 2], ["dubiousMoves", 6]];

/** Whether a node is a move. A position can also be set up between two moves. */
export const isMove = (node) => !node.text.startsWith("/");

/** Returns the side that made the move of a node. */
export const moverOf = (node) => (node.parent.position[0] === "W" ? "white" : "black");

/** Returns how many cp a move from `before` to `after` has lost, or null if a score is missing. */
export function lossOf(before, after) {
  if (!before.score || !after.score) return null;
  const bounded = (score) => ("cp" in score ? Math.max(-DECIDED, Math.min(DECIDED, score.cp)) : "white" in score ? DECIDED : -DECIDED);
  return (before.position[0] === "W" ? 1 : -1) * (bounded(before.score) - bounded(after.score));
}

function accuracyOf(node) {
  const lost = (moverOf(node) === "white" ? 1 : -1) * (share(node.parent.score) - share(node.score));
  return 100 * Math.exp(-SHARPNESS * Math.max(0, lost));
}

function phaseOf(position, board) {
  const count = (text) => text.slice(1).replaceAll("e", "").length;
  const part = count(position) / count(board.position);
  return part > OPENING ? "opening" : part > ENDGAME ? "middleGame" : "endgame";
}

/** Returns the figures of each side: `moves` by phase, each with its loss and its accuracy, and counts of bad moves. */
function reportOn(tree, board) {
  const side = () => ({ moves: { opening: [], middleGame: [], endgame: [] }, counts: { 4: 0, 2: 0, 6: 0 } });
  const report = { white: side(), black: side() };
  for (const node of tree.line(tree.root).filter(isMove)) {
    const { moves, counts } = report[moverOf(node)];
    node.glyphs.forEach((glyph) => glyph in counts && (counts[glyph] += 1));
    const loss = lossOf(node.parent, node);
    if (loss !== null) moves[phaseOf(node.parent.position, board)].push({ loss: Math.max(0, loss), accuracy: accuracyOf(node) });
  }
  return report;
}

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const accuracyText = (moves) => (moves.length ? t("percent", { n: Math.round(mean(moves.map(({ accuracy }) => accuracy))) }) : t("unsaid"));
const lossText = (moves) => (moves.length ? (mean(moves.map(({ loss }) => loss)) / 100).toFixed(2) : t("unsaid"));

export class Report {
  constructor(app) {
    this.app = app;
    const box = byId("report-box");
    box.open = app.settings.report;
    box.addEventListener("toggle", () => box.open === app.settings.report || app.set("report", box.open));
  }

  draw() {
    const { app } = this;
    const report = reportOn(app.tree, app.board);
    const sides = ["white", "black"];
    const all = (side) => PHASES.flatMap((phase) => report[side].moves[phase]);
    const marked = (side) => Object.values(report[side].counts).some(Boolean);
    const box = byId("report-box");
    // Scores that arrive during the analysis do not open the report, so that the layout does not jump.
    if (box.hidden && app.analysis?.on) return;
    const known = sides.flatMap(all).length;
    box.hidden = !sides.some(marked) && (known < 2 || 2 * known < app.tree.line(app.tree.root).length);
    if (box.hidden) return;
    const row = (name, cell) => element("tr", {}, element("th", { scope: "row" }, name), ...sides.map((side) => element("td", {}, ...[cell(side)].flat())));
    const phase = (name) => (side) => {
      const moves = report[side].moves[name];
      return moves.length ? `${accuracyText(moves)} (${lossText(moves)})` : t("unsaid");
    };
    const has = (name) => sides.some((side) => report[side].moves[name].length);
    const count = (side) => ([key, glyph]) => element("span", { class: "count-of", title: t(key) }, element("b", { class: `bad-${glyph}`, "aria-hidden": "true" }, SYMBOLS[glyph]), element("span", { class: "unseen" }, t(key)), ` ${report[side].counts[glyph]}`);
    const counts = row(t("mistakes"), (side) => COUNTED.map(count(side)));
    const phases = PHASES.filter(has);
    const table = element("table", {}, element("thead", {}, element("tr", {}, element("td", {}), ...sides.map((side) => element("th", { scope: "col" }, t(side))))),
      element("tbody", {}, row(t("accuracy"), (side) => accuracyText(all(side))), row(t("averageLoss"), (side) => lossText(all(side))), ...(phases.length > 1 ? phases : []).map((name) => row(t(name), phase(name))), counts));
    const learn = app.host.has ? sides.filter((side) => app.learn.mistakes(side).length).map((side) => this.learnButton(side)) : [];
    const tools = [this.nextButton(), ...learn].filter(Boolean);
    byId("report").replaceChildren(table, ...(tools.length ? [element("div", { class: "tools" }, ...tools)] : []));
  }

  /** Returns a button that leads from one bad move of the game to the next, or null if there are no bad moves. */
  nextButton() {
    const { app } = this;
    const isBad = ({ glyphs }) => glyphs.some((glyph) => BAD_GLYPHS.includes(glyph));
    return app.tree.line().some(isBad) ? button("nextMistake", () => app.nextBad()) : null;
  }

  learnButton(side) {
    return element("button", { type: "button", "data-key": "learn", "data-side": side, onclick: () => this.app.learn.begin(side) }, t("learnFrom", { side: t(side) }));
  }
}
