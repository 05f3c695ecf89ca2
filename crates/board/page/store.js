// What browsers keep for the page: settings and games for all tabs, the state of a tab for that tab alone; and the part of the address
// that names a position or a game. A file from disk may be refused all of it.
const PREFIX = "soffio-board-";

export function load(name, otherwise, store = () => localStorage) {
  try {
    const text = store().getItem(PREFIX + name);
    return text === null ? otherwise : { ...otherwise, ...JSON.parse(text) };
  } catch {
    return otherwise;
  }
}

/** Returns false if the browser keeps nothing or has no space left. */
export function save(name, value, store = () => localStorage) {
  try {
    store().setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Changes fields of an object that other tabs change too. */
export function merge(name, fields) {
  return save(name, { ...load(name, {}), ...fields });
}

export function forget(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Nothing is kept here.
  }
}

/** The names of what is kept that begin with `start`. */
export function keptNames(start) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + start)).map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

export const ofTab = () => sessionStorage;

/** The link to a position, `{variant, fen}`, or to a game, `{pdn}`. */
export function linkTo(what) {
  const words = new URLSearchParams(what);
  return location.href.split("#")[0] + "#" + words.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
}

/** What the address names: a position, a game, a game of the page (from 0) and a ply of it, null for nothing, and `{}` for what is no link. */
export function linked() {
  const hash = location.hash.slice(1);
  // The link of the page to its own board.
  if (!hash || hash === "board") return null;
  const game = /^game-(\d+)-ply-(\d+)$/.exec(hash);
  if (game) return { game: Number(game[1]) - 1, ply: Number(game[2]) };
  const words = new URLSearchParams(hash);
  if (words.get("pdn")) return { pdn: words.get("pdn") };
  const variant = words.get("variant");
  return variant ? { variant, fen: words.get("fen") || "" } : {};
}
