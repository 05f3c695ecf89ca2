// The sentences of the rules that occur most often, in the language in use. The rules have them in English.
import { isEnglish, t } from "./words.js";

/** The end of a sentence, the text that says the same, and what its placeholders stand for. */
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

/** A sentence of the rules in the language in use; null for one that has no text. */
export function reasonText(sentence) {
  if (isEnglish()) return sentence.replace(/^fen /, "FEN: ");
  for (const [pattern, key, ...names] of REASONS) {
    const found = pattern.exec(sentence);
    if (found) return t(key, Object.fromEntries(names.map((name, at) => [name, name === "side" ? t(found[at + 1]) : found[at + 1].replaceAll(" or ", " / ")])));
  }
  return null;
}
