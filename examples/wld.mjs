// Reads win/loss/draw tables in the format described in docs/table-format.md. Requires only Node.
// Usage: node wld.mjs FILE FEN...
// Prints one line for each FEN: "win", "loss" or "draw" for the side to move, or "error" and the reason. The line is
// "capture" if the side to move must capture. Tables do not contain the values of such positions.

import { readFileSync } from "node:fs";

const BLOCK = 2048; // number of positions in a block
const GROUP = 32 * BLOCK; // number of positions in a group
const RESULTS = ["draw", "win", "loss"];
// The sets of squares are 0: White's men, 1: Black's men, 2: White's kings, 3: Black's kings.
const TURNED = [1, 0, 3, 2];

// Columns and rows of the board, properties, and variants. Properties of the squares: a = all squares are used, not
// only the dark ones; m = mirrored, with a dark corner on the right; r = square 1 is at the bottom right. Properties of
// captures: o = along rows and columns, and without a also along diagonals; b = men capture backwards; f = kings
// capture from a distance; k = men do not capture kings; ? = captures are optional.
const BOARDS = `8 8 - english casual; 8 8 ? english-optional casual-optional; 8 8 mk italian; 8 8 f czech; 8 8 rf thai;
  8 8 mrf spanish portuguese; 8 8 bf russian brazilian pool unified-pool; 8 8 mbf jamaican; 10 8 bf spantsiretti;
  8 8 aof turkish armenian; 10 10 bf international killer losing breakthrough; 10 10 obf frisian frysk;
  12 12 bf canadian; 12 12 mbf srilankan; 14 14 bf dumm`;

const check = (isRight, reason) => { if (!isRight) throw new Error(reason); };
const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
const choose = (of, chosen) => (chosen === 0 ? 1 : (choose(of - 1, chosen - 1) * of) / chosen);

const TABLE = Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
const crc32 = (bytes) => ~bytes.reduce((crc, byte) => TABLE[(crc ^ byte) & 255] ^ (crc >>> 8), ~0) >>> 0;

/** A win/loss/draw file. `tables` has the numbers of pieces in the four sets as keys, such as "0,0,2,1". */
export class WldFile {
  /** Opens a file with these bytes, a `Uint8Array`. */
  constructor(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const number = (at) => view.getUint32(at, true);
    const text = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
    check(bytes.length >= 18 && text(0, 8) === "SOFFTWLD", "not a win/loss/draw table file");
    const version = view.getUint16(8, true);
    check(version === 2, `unsupported version ${version}`);
    const end = 14 + number(10);
    const isWhole = (from, to) => to + 4 <= bytes.length && crc32(bytes.subarray(from, to)) === number(to);
    check(isWhole(0, end), "the header is damaged");
    let [at, groups] = [15 + bytes[14], 0];
    [this.bytes, this.view, this.variant] = [bytes, view, text(15, at)];
    const name = this.variant.replace(/^(killer|losing)-/, "");
    const boards = BOARDS.split(";").map((line) => line.trim().split(/\s+/));
    const board = boards.find((words) => words.slice(3).includes(name));
    check(board, `unknown variant ${this.variant}`);
    [this.columns, this.rows, this.rules] = [+board[0], +board[1], board[2]];
    this.rowLength = this.rules.includes("a") ? this.columns : this.columns / 2;
    this.squares = this.rowLength * this.rows;
    const material = [4, 6, 5, 7].map((offset) => bytes[at + offset]);
    const turned = TURNED.map((set) => material[set]);
    at += 9;
    [this.tables, this.directory] = [new Map(), end + 4];
    for (const pieces of String(turned) === String(material) ? [material] : [material, turned]) {
      const table = this.parseTable(pieces, at);
      this.tables.set(String(pieces), { ...table, firstGroup: groups });
      groups += Math.ceil(table.size / GROUP);
      at = table.end;
    }
    const directoryEnd = this.directory + 8 * groups;
    check(at === end && isWhole(this.directory, directoryEnd), "the directory is damaged");
    this.starts = [directoryEnd + 4]; // the start of each group, and the end of the file
    for (let i = 0; i < groups; i++) this.starts.push(this.starts[i] + number(this.directory + 8 * i));
    check(this.starts[groups] === bytes.length, `the file should have ${this.starts[groups]} bytes`);
  }

  /** Parses the part of the header that describes a table, from offset `at`. */
  parseTable(pieces, at) {
    const sizes = [0, 8, 16, 24].map((offset) => Number(this.view.getBigUint64(at + offset, true)));
    const [order, count] = [this.bytes.subarray(at + 32, at + 36), this.view.getUint16(at + 72, true)];
    at += 74;
    // Men cannot stand on their promotion row. Kings are placed on the squares without men.
    const [forMen, free] = [this.squares - this.rowLength, this.squares - pieces[0] - pieces[1]];
    const places = [forMen, forMen, free, free - pieces[2]];
    check(sizes.every((size, set) => size === choose(places[set], pieces[set])), "the sizes of the digits are wrong");
    const values = [[0], [1], [2]];
    for (const end = at + 3 * count; at < end; at += 3) {
      const pair = this.view.getUint16(at, true) | (this.bytes[at + 2] << 16);
      values.push([...values[pair & 0xfff], ...values[pair >> 12]]);
    }
    const lengths = values.map((_, symbol) => (this.bytes[at + (symbol >> 1)] >> (4 * (symbol & 1))) & 15);
    // The values of each symbol. The key is a 1 bit and the Huffman code.
    const codes = new Map();
    for (let [length, code] = [1, 0]; length < 16; length++) {
      code <<= 1;
      lengths.forEach((other, symbol) => other === length && codes.set((1 << length) | code++, values[symbol]));
    }
    const size = sizes.reduce((one, other) => one * other);
    return { sizes, size, order, codes, end: at + ((values.length + 1) >> 1) };
  }

  /** Returns the value with this number. */
  value(table, number) {
    const [group, block] = [Math.floor(number / GROUP), Math.floor((number % GROUP) / BLOCK)];
    const entry = table.firstGroup + group;
    const data = this.bytes.subarray(this.starts[entry], this.starts[entry + 1]);
    check(crc32(data) === this.view.getUint32(this.directory + 8 * entry + 4, true), `group ${group} is damaged`);
    if (data.length === 1) return RESULTS[data[0]];
    const size = Math.min(GROUP, table.size - group * GROUP);
    let [lengths, at] = [[], 0]; // the lengths of the blocks in bits
    for (let position = 0; position < size; position += BLOCK) {
      let [bits, shift] = [0, 0];
      for (; data[at] & 0x80; at++, shift += 7) bits |= (data[at] & 0x7f) << shift;
      lengths.push(bits | (data[at++] << shift));
    }
    const first = 8 * at + sum(lengths.slice(0, block));
    let [values, code] = [[], 1];
    for (let bit = first; bit < first + lengths[block]; bit++) {
      code = (code << 1) | ((data[bit >> 3] >> (7 - (bit & 7))) & 1);
      if (table.codes.has(code)) {
        values.push(...table.codes.get(code));
        code = 1;
      }
    }
    check(values.length === Math.min(BLOCK, size - block * BLOCK), `block ${block} of group ${group} is damaged`);
    return RESULTS[values[number % BLOCK]];
  }

  /** Parses a FEN. Returns the places of the four sets, on a board that is rotated if Black is to move. */
  sets(fen) {
    const [side, ...fields] = fen.trim().toUpperCase().replace(/[ "]|\.$/g, "").split(":");
    check(side === "W" || side === "B", "expected W or B");
    const sets = [[], [], [], []];
    for (const field of fields.filter((field) => /^[WB]/.test(field))) {
      for (const item of field.slice(1).split(",").filter(Boolean)) {
        const match = /^(K?)([0-9]+)(?:-([0-9]+))?$/.exec(item);
        check(match, `${item}: not a square number`);
        const set = sets[2 * match[1].length + (field[0] === side ? 0 : 1)];
        for (let i = Number(match[2]); i <= Number(match[3] ?? match[2]); i++) set.push(this.place(i, side));
      }
    }
    check(new Set(sets.flat()).size === sets.flat().length, "two pieces stand on the same square");
    const [front, back] = [this.rowLength, this.squares - this.rowLength];
    check(sets[0].every((p) => p >= front) && sets[1].every((p) => p < back), "a man stands on its promotion row");
    return sets.map((places) => places.sort((one, other) => one - other));
  }

  /** Returns the place of a square, counted from 0 at the top left of the board, with `side` at the bottom. */
  place(number, side) {
    check(number >= 1 && number <= this.squares, `${number}: no such square`);
    const place = this.rules.includes("r") === (side === "B") ? number - 1 : this.squares - number;
    const column = place % this.rowLength;
    return place - column + (this.rules.includes("m") ? this.rowLength - 1 - column : column);
  }

  /** Returns whether the side to move can capture. */
  canCapture(sets) {
    const has = (rule) => this.rules.includes(rule);
    const width = this.columns / this.rowLength; // of a step along a row or column
    // Returns the set on a square, -1 for a free square, and nothing outside the board.
    const setAt = (row, column) => {
      if (row < 0 || row >= this.rows || column < 0 || column >= this.columns) return undefined;
      return sets.findIndex((set) => set.includes(row * this.rowLength + Math.floor(column / width)));
    };
    const captures = (set, place, [down, right]) => {
      let row = Math.floor(place / this.rowLength);
      let column = (place % this.rowLength) * width + ((row + 1) % width);
      const next = () => setAt((row += down), (column += right));
      let victim = next();
      while (victim === -1 && set === 2 && has("f")) victim = next();
      return (victim === 1 || (victim === 3 && (set === 2 || !has("k")))) && next() === -1;
    };
    const steps = has("a") ? [] : [[-1, -1], [-1, 1], [1, -1], [1, 1]];
    if (has("o")) steps.push([-width, 0], [0, -width], [0, width], [width, 0]);
    const ofMen = steps.filter(([down]) => down <= 0 || has("b"));
    const some = (set, steps) => sets[set].some((place) => steps.some((step) => captures(set, place, step)));
    return some(0, ofMen) || some(2, steps);
  }

  /** Returns "win", "loss" or "draw", or "capture" if the side to move must capture. */
  probe(fen) {
    const sets = this.sets(fen);
    const table = this.tables.get(String(sets.map((places) => places.length)));
    check(table, "the file is for a different material");
    if (!this.rules.includes("?") && this.canCapture(sets)) return "capture";
    let number = 0;
    for (const set of table.order) {
      const taken = set < 2 ? [] : sets.slice(0, set).flat();
      const skipped = (place) => (set === 0 ? this.rowLength : taken.filter((other) => other < place).length);
      number = number * table.sizes[set] + sum(sets[set].map((place, i) => choose(place - skipped(place), i + 1)));
    }
    return this.value(table, number);
  }
}

if (process.argv[1]?.endsWith("wld.mjs")) {
  const file = new WldFile(readFileSync(process.argv[2]));
  for (const fen of process.argv.slice(3)) {
    try {
      console.log(file.probe(fen));
    } catch (error) {
      console.log("error", error.message);
      process.exitCode = 1;
    }
  }
}
