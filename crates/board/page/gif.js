// Writes animated GIF images. Each frame contains only the rectangle that differs from the previous frame.

/** Number of colours of an image. */
const COLOURS = 256;
/** Codes of the compression: the first code after the colours, the end, and the limit of the table. */
const [CLEAR, END, MAX_CODES] = [COLOURS, COLOURS + 1, 4096];

/** Compresses colour numbers with LZW, in blocks of at most 255 bytes. */
function compressed(pixels) {
  const bytes = [];
  let [buffer, filled, size, table, next] = [0, 0, 9, new Map(), END + 1];
  const put = (code) => {
    buffer |= code << filled;
    for (filled += size; filled >= 8; filled -= 8) {
      bytes.push(buffer & 255);
      buffer >>>= 8;
    }
  };
  put(CLEAR);
  let prefix = pixels[0];
  for (let at = 1; at < pixels.length; at += 1) {
    const key = (prefix << 8) | pixels[at];
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    put(prefix);
    prefix = pixels[at];
    if (next === MAX_CODES) {
      put(CLEAR);
      [size, table, next] = [9, new Map(), END + 1];
      continue;
    }
    if (next === 1 << size) size += 1;
    table.set(key, next);
    next += 1;
  }
  put(prefix);
  // The code after the last entry of the table can need one more bit.
  if (next === 1 << size && size < 12) size += 1;
  put(END);
  if (filled) bytes.push(buffer & 255);
  const blocks = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255);
    blocks.push(block.length, ...block);
  }
  return [8, ...blocks, 0];
}

/** The most frequent colours of some images, which are given as RGBA bytes. Other colours become the nearest one. */
class Palette {
  constructor(images) {
    const counts = new Map();
    for (const image of images) for (const colour of new Uint32Array(image.buffer)) counts.set(colour, (counts.get(colour) || 0) + 1);
    const sorted = [...counts].sort((one, other) => other[1] - one[1]).slice(0, COLOURS);
    this.colours = sorted.map(([colour]) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255]);
    this.numbers = new Map(sorted.map(([colour], at) => [colour, at]));
  }

  number(colour) {
    if (!this.numbers.has(colour)) {
      const [red, green, blue] = [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
      let [best, least] = [0, Infinity];
      this.colours.forEach(([r, g, b], at) => {
        const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
        if (distance < least) [best, least] = [at, distance];
      });
      this.numbers.set(colour, best);
    }
    return this.numbers.get(colour);
  }

  bytes() {
    return Array.from({ length: COLOURS }, (_, at) => this.colours[at] || [0, 0, 0]).flat();
  }
}

/** Returns the rectangle in which two images differ, or a single pixel if they are equal. */
function changed(before, after, width) {
  let [left, right, top, bottom] = [width, -1, -1, -1];
  for (let at = 0; at < after.length; at += 1) {
    if (before && before[at] === after[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    if (top < 0) top = y;
    [left, right, bottom] = [Math.min(left, x), Math.max(right, x), y];
  }
  return right < 0 ? [0, 0, 1, 1] : [left, top, right - left + 1, bottom - top + 1];
}

/** Returns an endless animation of images of `width` by `height` pixels, given as RGBA bytes with delays in 1/100 s. */
export function animation(width, height, images, delays) {
  // The first and the last image contain all colours of a game.
  const palette = new Palette([images[0], images.at(-1)]);
  const word = (value) => [value & 255, value >> 8];
  const parts = [[...new TextEncoder().encode("GIF89a"), ...word(width), ...word(height), 0xf7, 0, 0], palette.bytes(),
    [0x21, 0xff, 11, ...new TextEncoder().encode("NETSCAPE2.0"), 3, 1, 0, 0, 0]];
  let before = null;
  images.forEach((image, number) => {
    const after = new Uint32Array(image.buffer);
    const [x, y, wide, high] = changed(before, after, width);
    const pixels = new Uint8Array(wide * high);
    for (let row = 0; row < high; row += 1) {
      for (let column = 0; column < wide; column += 1) pixels[row * wide + column] = palette.number(after[(y + row) * width + x + column]);
    }
    parts.push([0x21, 0xf9, 4, 4, ...word(delays[number]), 0, 0], [0x2c, ...word(x), ...word(y), ...word(wide), ...word(high), 0], compressed(pixels));
    before = after;
  });
  return new Blob([...parts.map((part) => Uint8Array.from(part)), Uint8Array.of(0x3b)], { type: "image/gif" });
}
