// Tests that the worker loads the weights of a game on demand, and what it does without them.
// Usage: node weights.mjs PACKAGE FOLDER. FOLDER is for a damaged copy of the package.
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { check, Talk } from "./talk.mjs";

const [source, folder] = process.argv.slice(2);
const STALLED = { preload: fileURLToPath(new URL("stalled-weights.cjs", import.meta.url)) };
const WORKERS = ["soffio-worker.js", "soffio-worker.mjs"];

const isMissing = (line) => line.includes("cannot load ");
const choose = (variant) => `setoption name UCI_Variant value ${variant}`;

/** Returns what the worker reports about weights during a search, and its last line. */
async function search(talk) {
  const lines = await talk.request("go depth 3", "bestmove");
  return [lines.filter(isMissing), lines.at(-1)];
}

// The page of the board stores the same files for use without a network.
const files = readdirSync(`${source}/weights`);
const list = readFileSync(new URL("../../crates/board/page/sw.js", import.meta.url), "utf8");
const stored = [.../const WEIGHTS = \[([^\]]*)\]/.exec(list)[1].matchAll(/"([^"]+)"/g)].map(([, name]) => `${name}.weights`);
check(files.join() === stored.join(), "crates/board/page/sw.js does not name these weights:", files);

rmSync(folder, { recursive: true, force: true });
cpSync(source, folder, { recursive: true });
const damaged = (name) => `${folder}/weights/${name}.weights`;
for (const name of WORKERS) {
  rmSync(damaged("english"), { force: true });
  writeFileSync(damaged("russian"), readFileSync(`${source}/weights/russian.weights`).subarray(0, 9000));
  writeFileSync(damaged("thai"), "<!DOCTYPE html>");
  copyFileSync(`${source}/weights/czech.weights`, damaged("turkish"));

  const talk = await Talk.begin(`${folder}/${name}`);
  for (const [variant, reason] of [
    ["English", "ENOENT"],
    ["Russian", "the file should have"],
    ["Thai", "not a weights file"],
    ["Turkish", "the weights are for a different variant"],
  ]) {
    await talk.request(choose(variant), "info string variant");
    for (let time = 0; time < 2; time += 1) {
      const [missing, last] = await search(talk);
      const expected = `info string cannot load ${variant.toLowerCase()}.weights: `;
      check(missing.length === 1 && missing[0].startsWith(expected) && missing[0].includes(reason), variant, missing);
      check(/^bestmove \S+-/.test(last), variant, last);
    }
    const lines = await talk.request("eval", "eval ");
    check(lines.some((line) => line.startsWith("term material ")), lines);
  }
  // A file that can be loaded again is used.
  copyFileSync(`${source}/weights/russian.weights`, damaged("russian"));
  talk.send(choose("Russian"));
  check((await search(talk))[0].length === 0, "the repaired weights are not used");
  check((await talk.request("eval", "eval ")).some((line) => line.startsWith("term network ")), "the evaluation has no network");
  talk.end();

  // `eval` waits for the weights, also within a message of several lines, and `stop` does not.
  const first = await Talk.begin(`${source}/${name}`, `${choose("International")}\r\neval`, choose("English"), "eval");
  const terms = [...(await first.until("eval ")), ...(await first.until("eval "))].filter((line) => line.startsWith("term network "));
  check(terms.length === 2, terms);
  first.end();
  if (name.endsWith(".mjs")) continue;
  const stalled = await Talk.begin({ address: `${source}/${name}`, ...STALLED }, "go infinite", "eval", "isready");
  const found = await stalled.request("stop", "bestmove");
  check(found.includes("readyok") && !found.some(isMissing), found);
  stalled.send("bench");
  await stalled.request("stop", "info string bench stopped");
  stalled.end();
}
console.log(`the weights of ${files.length} games are loaded on demand; missing and damaged files are reported`);
