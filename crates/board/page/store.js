// Stores data in the browser: settings and games for all tabs, and the state of each tab; parses the part of the address that
// names a position or a game. Browsers may refuse all storage to a page opened from disk.
const PREFIX = "soffio-board-";

export function load(name, otherwise, store = () => localStorage) {
  try {
    const text = store().getItem(PREFIX + name);
    return text === null ? otherwise : { ...otherwise, ...JSON.parse(text) };
  } catch {
    return otherwise;
  }
}

/** Writes to the store. Returns false if the browser stores nothing or has no space left. */
export function save(name, value, store = () => localStorage) {
  try {
    store().setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Changes fields of an object that other tabs also change. */
export function merge(name, fields) {
  return save(name, { ...load(name, {}), ...fields });
}

export function forget(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Storage is not available.
  }
}

/** Returns the stored keys that begin with `start`. */
export function keptNames(start) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + start)).map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

export const ofTab = () => sessionStorage;

/** Returns the link to a position. */
export function linkTo(game) {
  const words = new URLSearchParams({ variant: game.variant, fen: game.fen });
  return location.href.split("#")[0] + "#" + words.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
}

/** Parses the address: a position, a game of the page (from 0) and a ply in it; null if it is empty, `{}` if it is invalid. */
export function linked() {
  const hash = location.hash.slice(1);
  // This is the page's link to its own board.
  if (!hash || hash === "board") return null;
  const game = /^game-(\d+)-ply-(\d+)$/.exec(hash);
  if (game) return { game: Number(game[1]) - 1, ply: Number(game[2]) };
  const words = new URLSearchParams(hash);
  const variant = words.get("variant");
  return variant ? { variant, fen: words.get("fen") || "" } : {};
}
