// Messages from the rules and remarks on bad moves, which are in English, in the selected language.
import { isEnglish, t } from "./words.js";

/**
 * Each entry contains a pattern for the end of a message, the key of its translation, and the placeholders for the
 * groups. The first pattern that matches is used.
 */
const REASONS = [
  [/there are no pieces on the board$/, "emptyBoard"],
  [/\ba (\S+) man on (\S+) stands on its promotion row$/, "onPromotionRow", "side", "square"],
  [/too many pieces: (\S+) has (\d+); at most (\d+) are possible$/, "tooMany", "side", "n", "most"],
  [/(?:impossible move count for the|moves of a) \S+ king .*$|ending age .* is too low: .*$/, "wrongCounters"],
  [/(\S+)(?: pieces)?: the list is missing$/, "listMissing", "side"],
  [/two pieces on (\S+)$/, "twoPieces", "square"],
  [/square (\S+) (?:is not )?on the \S+ board$/, "noSquare", "square"],
  [/(\S+) is a light square$/, "lightSquare", "square"],
  [/no legal move$/, "noMove"],
  [/no piece of the side to move on (\S+)$/, "noOwnPiece", "square"],
  [/(\S+) is occupied$/, "occupied", "square"],
  [/ambiguous: (.+)$/, "ambiguous", "moves"],
  [/a capture is compulsory: (.+)$/, "compulsory", "moves"],
  [/the capture must continue: (.+)$/, "mustGoOn", "move"],
  [/must capture (\d+) pieces$/, "mustTakeMost", "n"],
  [/must capture with a king$/, "mustTakeKing"],
  [/must capture pieces of higher value: (.+)$/, "mustTakeValue", "move"],
  [/must capture a king sooner$/, "mustTakeKingSooner"],
  [/must capture (a king|\d+)(?: kings)?$/, "mustTakeKings", "n"],
  [/a man cannot capture a king$/, "manTakesKing"],
  [/a man cannot capture backwards$/, "manTakesBack"],
  [/a man cannot move backwards$/, "manMovesBack"],
  [/(\S+)-(\S+) does not capture a piece$/, "takesNothing", "from", "to"],
  [/the path to (\S+) is (.+)$/, "otherPath", "square", "moves"],
  [/the king must stop directly behind the last captured piece: (.+)$/, "kingMustStop", "moves"],
  [/the king on (\S+) has made (\d+) moves in a row; a different piece must move$/, "kingMustWait", "square", "n"],
  [/the piece on (\S+) cannot move$/, "pieceBlocked", "square"],
  [/the piece on (\S+) cannot reach (\S+)$/, "cannotGo", "from", "to"],
  [/expected .+, found the end at column \d+$/, "textEnds"],
  [/(?:expected .+, found|number too large:|out of range:|given twice:|the range runs backwards:|more squares than any board has:) '?(.+?)'?(?: at column \d+)?$/, "notReadable", "text"],
  [/unknown variant (?:or game type )?'(.*)'$/, "unknownVariant", "name"],
  [/the variant cannot be guessed from the moves$/, "noVariant"],
  [/no game found$/, "noGame"],
  [/variations are nested too deeply for a file$/, "nestedTooDeep"],
  [/unrecognised text, kept as is: '(.*)'$/, "noteUnknown", "text"],
  [/misquoted tag value, corrected: '(.*)'$/, "noteQuotes", "text"],
  [/unclosed comment, closed: '(.*)'$/, "noteComment", "text"],
  [/braces in a comment, replaced by brackets: '(.*)'$/, "noteBraces", "text"],
  [/a remark, kept as a comment: '(.*)'$/, "noteRemark", "text"],
  [/unclosed variation, closed: '(.*)'$/, "noteVariation", "text"],
  [/an unusual result, kept as is: '(.*)'$/, "noteResult", "text"],
  [/a result outside the game, .*: '(.*)'$/, "noteOtherResult", "text"],
  [/details that do not match the game type, ignored: '(.*)'$/, "noteGameType", "text"],
  [/(?:a move|a wrong move number, ignored|a move without a separator, read as .*|a move that names only .*|characters from another alphabet, .*|an unknown move|unusual marks, .*|a capture written jump by jump, .*|not a move, kept as if it were one): '(.*)'$/, "noteNotation", "text"],
  [/the engine cannot be loaded: (.+)$/, "notLoaded", "reason"],
  [/cannot load \S+\.weights: (.+); positions are evaluated by material alone$/, "noWeights", "reason"],
];
/** The number of the move and the move to which a message refers. */
const MOVE = /(?:^|: )(?:(\d\S*) )?(?:variation: )?move (\S+)(?: \(.*?\))?: /;

/** Returns the value of a placeholder in the selected language. */
const VALUES = {
  side: (side) => t(side.toLowerCase()),
  n: (n) => (n === "a king" ? "1" : n),
  moves: (moves) => moves.replaceAll(" or ", " / "),
  men: menText,
};

function filled([pattern, key, ...names], text) {
  const found = pattern.exec(text);
  if (!found) return null;
  const values = names.map((name, at) => [name, (VALUES[name] ?? String)(found[at + 1])]);
  return values.some(([, value]) => value === null) ? null : t(key, Object.fromEntries(values));
}

/** Returns the first translation of `text` in a table, or null if there is none. */
function translated(table, text) {
  for (const entry of table) {
    const sentence = filled(entry, text);
    if (sentence !== null) return sentence;
  }
  return null;
}

/** Translates a message from the rules into the selected language. */
export function reasonText(message) {
  const reason = translated(REASONS, message);
  // Without a translation, an English page shows the original message, and the other pages show a general one.
  if (reason === null) return isEnglish() ? message.replace(/^fen /, "FEN: ") : t("refused");
  const [, number, move] = MOVE.exec(message) || [];
  return [[number, move].filter(Boolean).join(" "), reason].filter(Boolean).join(": ");
}

const LINE = "([a-z]?\\d\\S*(?: \\S+)*)";
const MEN = "(.+?)";
/** The clauses of a remark, in the form of `REASONS`. Only earlier versions wrote "by force". */
const CLAUSES = [
  ["gives the win away", "givesWin"],
  ["gives the draw away", "givesDraw"],
  [`lets (\\S+) make a king: ${LINE}`, "whyKing", "side", "line"],
  [`allows the shot ${LINE}, which gains ${MEN}`, "whyShot", "line", "men"],
  [`loses ${MEN} by force: ${LINE}`, "whyForced", "men", "line"],
  [`loses ${MEN}: ${LINE}`, "whyLoses", "men", "line"],
  ["the score falls by ([\\d.]+)", "whyScoreFalls", "n"],
  // Files that were annotated in November 2026 contain this clause.
  ["it costs ([\\d.]+) men", "whyScoreFalls", "n"],
  ["the chance of winning falls from (\\d+) to (\\d+) %", "whyWinFalls", "from", "to"],
  ["the chance of losing rises from (\\d+) to (\\d+) %", "whyLossRises", "from", "to"],
  [`${LINE} wins in (\\d+)`, "planWins", "line", "n"],
  [`${LINE} gains ${MEN}`, "planGains", "line", "men"],
  [`${LINE} makes a king`, "planKing", "line"],
  [`${LINE} exchanges ${MEN}`, "planExchange", "line", "men"],
  [`${LINE} sacrifices ${MEN}`, "planSacrifice", "line", "men"],
  [`${LINE} brings the piece on (\\S+) to (\\S+)`, "planWalk", "line", "from", "to"],
  [`${LINE} is better`, "planBetter", "line"],
].map(([pattern, ...rest]) => [new RegExp(`^${pattern}$`), ...rest]);
/** The result that a move gives away, in front of the reason. */
const GIVEN_AWAY = /^(gives the (?:win|draw) away): (?=.)/;

function menText(text) {
  const several = /^(\d+) (men|pieces)$/.exec(text);
  if (several) return t(several[2] === "men" ? "severalMen" : "severalPieces", { n: several[1] });
  return { "a man": t("oneMan"), "a piece": t("onePiece") }[text] ?? null;
}

/**
 * Translates a remark that explains why a move is bad. Returns null if `text` is a different text, such as a comment by
 * the user.
 */
export function remarkText(text) {
  const given = GIVEN_AWAY.exec(text);
  const clauses = text.slice(given?.[0].length ?? 0).split("; ").map((clause) => translated(CLAUSES, clause));
  if (clauses.includes(null)) return null;
  return [given && translated(CLAUSES, given[1]), clauses.join("; ")].filter(Boolean).join(": ");
}
