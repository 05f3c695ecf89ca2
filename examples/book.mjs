// Prints the moves of an opening book for positions, which are read from standard input in Hub notation, one per line.
// Usage: node book.mjs FILE <positions
import { readFileSync, writeFileSync } from "node:fs";
import { Book } from "../crates/board/page/book-reader.mjs";

const book = new Book(readFileSync(process.argv[2]));
const lines = readFileSync(0, "utf8").split("\n").filter(Boolean).map((line) => book.moves(line));
const text = ({ index, score, weight, depth, flags }) => [index, score ?? "none", weight, depth, flags].join(" ");
writeFileSync(1, [book.header.variant, ...lines.map((moves) => moves.map(text).join(", "))].join("\n") + "\n");
