// Compares the sizes of the modules with docs/browser.md. Usage: node sizes.mjs PACKAGE
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { check } from "./talk.mjs";

/** Maximum relative difference from the sizes on the page. */
const TOLERANCE = 0.1;

const module = readFileSync(`${process.argv[2]}/soffio.wasm`);
const sizes = [module.length, gzipSync(module, { level: 9 }).length].map((bytes) => bytes / 1e6);
const page = readFileSync(new URL("../../docs/browser.md", import.meta.url), "utf8");
const row = /^\| size of `soffio.wasm`.*\| ([\d.]+) MB, ([\d.]+) MB with gzip/m.exec(page);
check(row, "docs/browser.md has no row with the sizes");
const measured = `${sizes[0].toFixed(1)} MB, ${sizes[1].toFixed(1)} MB with gzip`;
sizes.forEach((size, at) => check(Math.abs(size / Number(row[at + 1]) - 1) <= TOLERANCE, `docs/browser.md: ${row[0]} should say ${measured}`));
console.log(`soffio.wasm: ${measured}, as docs/browser.md says`);
