// Reads opening books of any variant, in the format described in docs/book-format.md. Has no dependencies, and runs in
// browsers and in Node.

export function key(position) {
  let result = 0xcbf29ce484222325n;
  for (const letter of position) {
    result = BigInt.asUintN(64, (result ^ BigInt(letter.charCodeAt(0))) * 0x100000001b3n);
  }
  return result;
}

const TABLE = Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
const crc32 = (bytes) => ~bytes.reduce((sum, byte) => TABLE[(sum ^ byte) & 255] ^ (sum >>> 8), ~0) >>> 0;

export class Book {
  constructor(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const reject = (why) => { throw new Error(why); };
    const text = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
    if (bytes.length < 18 || text(0, 8) !== "SOFFBOOK") reject("not an opening book");
    if (view.getUint16(8, true) !== 1) reject("unsupported version");
    const end = 14 + view.getUint32(10, true);
    if (end + 4 > bytes.length || crc32(bytes.subarray(0, end)) !== view.getUint32(end, true)) reject("the header is damaged");
    const lines = text(14, end).split("\n").map((line) => [line.split(" ", 1)[0], line.slice(line.indexOf(" ") + 1)]);
    this.roots = lines.filter(([name]) => name === "root").map(([, value]) => value);
    this.header = Object.fromEntries(lines.filter(([name]) => name && name !== "root"));
    [this.view, this.start, this.count] = [view, end + 4, Number(this.header.records)];
    const sums = this.start + 16 * this.count;
    if (bytes.length !== sums + 4 * Math.ceil(this.count / 64)) reject("the file is incomplete or too long");
    for (let block = 0; 64 * block < this.count; block++) {
      const from = this.start + 1024 * block;
      const sum = crc32(bytes.subarray(from, Math.min(from + 1024, sums)));
      if (sum !== view.getUint32(sums + 4 * block)) reject("the records are damaged");
    }
  }

  moves(position) {
    const wanted = key(position);
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.view.getBigUint64(this.start + 16 * middle) < wanted) low = middle + 1;
      else high = middle;
    }
    const found = [];
    for (let at = this.start + 16 * low; low < this.count && this.view.getBigUint64(at) === wanted; low++, at += 16) {
      const score = this.view.getInt16(at + 10);
      found.push({
        index: this.view.getUint16(at + 8),
        score: Math.abs(score) <= 32000 ? score : null,
        weight: this.view.getUint16(at + 12),
        depth: this.view.getUint8(at + 14),
        flags: this.view.getUint8(at + 15),
      });
    }
    return found;
  }
}
