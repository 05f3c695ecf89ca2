// The texts in the selected language.
import { en } from "./texts/en.js";
import { de } from "./texts/de.js";
import { fr } from "./texts/fr.js";
import { it } from "./texts/it.js";
import { nl } from "./texts/nl.js";
import { pl } from "./texts/pl.js";
import { pt } from "./texts/pt.js";
import { ru } from "./texts/ru.js";
import { tr } from "./texts/tr.js";

export const languages = { en, de, fr, it, nl, pl, pt, ru, tr };
let texts = en;

export function setLanguage(code) {
  texts = languages[code] || languages[(navigator.language || "en").slice(0, 2)] || en;
  document.documentElement.lang = texts.code;
}

export const isEnglish = () => texts === en;

/** Returns the text `key`, in which each `{name}` is replaced by its value. */
export function t(key, values = {}) {
  const text = texts[key] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export function variantName(board) {
  const capitalised = (name) => name[0].toUpperCase() + name.slice(1).replaceAll("-", " ");
  const named = (name) => texts.variants[name] || en.variants[name] || capitalised(name);
  return board.optional ? t("optionalCapture", { variant: named(board.optional) }) : named(board.name);
}

/** Formats a number with few digits, such as 1.20 M. */
export function shortNumber(n) {
  if (n >= 1e9) return (n / 1e9).toFixed(2) + " G";
  if (n >= 1e6) return (n / 1e6).toFixed(2) + " M";
  return n >= 1e4 ? Math.round(n / 1e3) + " k" : String(n);
}

/** Formats a score from White's point of view, in units of 100 cp or as the number of moves to a win. */
export function scoreText(score) {
  if (!score) return t("unsaid");
  if ("cp" in score) return (score.cp > 0 ? "+" : score.cp < 0 ? "−" : "") + (Math.abs(score.cp) / 100).toFixed(2);
  const side = "white" in score ? "white" : "black";
  return score[side] ? t("winsIn", { side: t(side), n: score[side] }) : t("hasWon", { side: t(side) });
}

/** Like `scoreText`, but short enough for narrow places. */
export function shortScore(score) {
  if (!score || "cp" in score) return scoreText(score);
  const side = "white" in score ? "white" : "black";
  return t(side).slice(0, 1) + "#" + score[side];
}

const RESULTS = { "1-0": 0, "2-0": 0, "0-1": 1, "0-2": 1, "1/2-1/2": "draw", "1-1": "draw", "0-0": "bothLost" };

/** Whether a tag has a known value; `?`, `-`, `*` and dots are placeholders. */
export const isKnown = (text) => !/^[?\-.* ]*$/.test(text);

/** Describes a result in words. `1-0` is a win for the side that moves first, which is Black in some variants. */
export function resultText(result, board) {
  const known = RESULTS[result];
  if (known === undefined || !board) return result;
  const starts = board.starts === "white" ? ["white", "black"] : ["black", "white"];
  return `${typeof known === "string" ? t(known) : t("hasWon", { side: t(starts[known]) })} (${result})`;
}

/** Describes the result of a game in words, with the spelling of its record, such as `2-0`. */
export function gameResultText(tree, board) {
  const written = [tree.ending, tree.tag("Result")].find((text) => text && RESULTS[text] === RESULTS[tree.result]);
  return resultText(written ?? tree.result, board);
}

/** Returns White's share of the evaluation bar, from 0 to 1. */
export function share(score) {
  if (!score) return 0.5;
  if ("white" in score) return 1;
  if ("black" in score) return 0;
  // A score of 100 cp corresponds to 75 % of the points.
  return 1 / (1 + 3 ** (-score.cp / 100));
}

/** Describes the status of a position in a sentence. */
export function statusText(position) {
  const { status, side, forced } = position;
  if (status.state === "won") return t("won", { side: t(status.winner), reason: t(status.reason) });
  if (status.state === "drawn") return t("drawn", { reason: t(status.reason, { n: status.moves }) });
  const turn = t(forced ? "toMoveTakes" : "toMove", { side: t(side) });
  const left = status.countdown;
  return left != null && left <= 5 ? turn + ". " + t("countdown", { n: left }) : turn;
}
