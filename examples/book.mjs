// Prints what an opening book has for positions, which come on standard input as Hub writes them, one a line.
// Usage: node book.mjs FILE <positions
import { readFileSync, writeFileSync } from "node:fs";
import { Book } from "../crates/board/page/book-reader.mjs";

const book = new Book(readFileSync(process.argv[2]));
const lines = readFileSync(0, "utf8").split("\n").filter(Boolean).map((line) => book.moves(line));
const text = ({ index, score, weight, depth, flags }) => [index, score ?? "none", weight, depth, flags].join(" ");
writeFileSync(1, [book.header.variant, ...lines.map((moves) => moves.map(text).join(", "))].join("\n") + "\n");
