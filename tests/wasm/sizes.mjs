// Compares the sizes of the modules with docs/browser.md. Usage: node sizes.mjs PACKAGE
import { readdirSync, readFileSync, statSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { check } from "./talk.mjs";

/** Maximum relative difference from the sizes on the page. */
const TOLERANCE = 0.1;

/** Maximum size of a module in MB. */
const LARGEST = 2.6;

const module = readFileSync(`${process.argv[2]}/soffio.wasm`);
const sizes = [module.length, gzipSync(module, { level: 9 }).length].map((bytes) => bytes / 1e6);
const page = readFileSync(new URL("../../docs/browser.md", import.meta.url), "utf8");
const row = /^\| size of `soffio.wasm`.*\| ([\d.]+) MB, ([\d.]+) MB with gzip/m.exec(page);
check(row, "docs/browser.md has no row with the sizes");
const measured = `${sizes[0].toFixed(1)} MB, ${sizes[1].toFixed(1)} MB with gzip`;
sizes.forEach((size, at) => check(Math.abs(size / Number(row[at + 1]) - 1) <= TOLERANCE, `docs/browser.md: ${row[0]} should say ${measured}`));
for (const name of readdirSync(process.argv[2]).filter((name) => name.endsWith(".wasm"))) {
  const megabytes = statSync(`${process.argv[2]}/${name}`).size / 1e6;
  check(megabytes <= LARGEST, `${name} has ${megabytes.toFixed(1)} MB, more than ${LARGEST} MB`);
}
console.log(`soffio.wasm: ${measured}, as docs/browser.md says`);
