// Browser storage and links. Settings and games are shared by all tabs, and the state of a tab is stored for that tab
// only. The links contain a position or a game. Browsers may deny storage to a page that is opened from disk.
const PREFIX = "soffio-board-";

export function load(name, otherwise, store = () => localStorage) {
  try {
    const text = store().getItem(PREFIX + name);
    return text === null ? otherwise : { ...otherwise, ...JSON.parse(text) };
  } catch {
    return otherwise;
  }
}

/** Returns false if storage is unavailable or full. */
export function save(name, value, store = () => localStorage) {
  try {
    store().setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Changes some fields of a stored object. The other fields, which other tabs may have changed, are kept. */
export function merge(name, fields) {
  return save(name, { ...load(name, {}), ...fields });
}

export function forget(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Storage is unavailable, so there is nothing to remove.
  }
}

/** Returns the names of the stored items that begin with `start`. */
export function keptNames(start) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + start)).map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** Returns a 32-bit checksum of a text. */
export function checksum(text) {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum;
}

export const ofTab = () => sessionStorage;

/** Returns a link to a position, `{variant, fen}`, or to a game, `{pdn}`. */
export function linkTo(what) {
  const words = new URLSearchParams(what);
  return location.href.split("#")[0] + "#" + words.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
}

/**
 * Parses the fragment of the address: a position, a game, or an embedded game (by its index from 0) with a ply. Returns
 * null if there is no link, and `{}` if the link is invalid.
 */
export function linked() {
  const hash = location.hash.slice(1);
  // `#board` is the link that skips to the board.
  if (!hash || hash === "board") return null;
  const game = /^game-(\d+)-ply-(\d+)$/.exec(hash);
  if (game) return { game: Number(game[1]) - 1, ply: Number(game[2]) };
  const words = new URLSearchParams(hash);
  if (words.get("pdn")) return { pdn: words.get("pdn") };
  const variant = words.get("variant");
  return variant ? { variant, fen: words.get("fen") || "" } : {};
}
