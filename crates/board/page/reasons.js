// Translations of the most frequent error messages from the rules, which are in English.
import { isEnglish, t } from "./words.js";

/**
 * Each entry contains a pattern for the end of a message, the key of its translation, and the placeholders for the
 * groups.
 */
const REASONS = [
  [/there is no piece on the board$/, "emptyBoard"],
  [/\ba (white|black) man on (\S+) stands on its promotion row$/, "onPromotionRow", "side", "square"],
  [/too many pieces: (white|black) has (\d+), at most (\d+) are possible$/, "tooMany", "side", "n", "most"],
  [/a capture is compulsory: (.+)$/, "compulsory", "moves"],
  [/the capture must go on: (.+)$/, "mustGoOn", "move"],
  [/must take (\d+) pieces$/, "mustTakeMost", "n"],
  [/the piece on (\S+) cannot move$/, "pieceBlocked", "square"],
  [/the piece on (\S+) cannot reach (\S+)$/, "cannotGo", "from", "to"],
];

/** Translates a message from the rules into the selected language. Returns null if there is no translation. */
export function reasonText(sentence) {
  if (isEnglish()) return sentence.replace(/^fen /, "FEN: ");
  for (const [pattern, key, ...names] of REASONS) {
    const found = pattern.exec(sentence);
    if (found) return t(key, Object.fromEntries(names.map((name, at) => [name, name === "side" ? t(found[at + 1]) : found[at + 1].replaceAll(" or ", " / ")])));
  }
  return null;
}
