// The state that survives a reload, and the part of the address that carries a position. A file from disk may be refused the store.
const PREFIX = "soffio-board-";

export function load(name, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : { ...otherwise, ...JSON.parse(text) };
  } catch {
    return otherwise;
  }
}

export function save(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Without a store, or with a full one, the page still works.
  }
}

/** The link to a position. */
export function linkTo(game) {
  const words = new URLSearchParams({ variant: game.variant, fen: game.fen });
  return location.href.split("#")[0] + "#" + words.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
}

/** The position that the address carries, if it does. */
export function linked() {
  const words = new URLSearchParams(location.hash.slice(1));
  const variant = words.get("variant");
  return variant ? { variant, fen: words.get("fen") || "" } : null;
}
