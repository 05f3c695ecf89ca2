// Measures the search speed of each module of the package in Chromium, relative to the program. All searches take turns
// in one run, and their CPU time is measured, so that other processes on this machine matter little.
// Usage: node speed.mjs CHROMIUM PACKAGE PROGRAM [ROUNDS [MODULE...]]
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { median } from "../wasm/talk.mjs";
import { serve } from "./server.mjs";
import { check, launch } from "./visitor.mjs";

const [path, folder, program, rounds = 5, ...names] = process.argv.slice(2);
const modules = names.length ? names : ["soffio-jspi", "soffio"];
const VARIANTS = ["English", "International"];
const NODES = [3e6, 5e6];
/** Searched once per variant before anything is measured, so that the browser has compiled the whole module. */
const WARM_UP = 2e6;
/** Clock ticks per second in /proc. */
const TICKS = 100;

const setUp = (variant) => ["setoption name Hash value 64", `setoption name UCI_Variant value ${variant}`, "ucinewgame", "isready"];

/** The program, with the CPU seconds that it has used. */
function native() {
  const child = spawn(program);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const seconds = () => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  };
  const request = async (sent, start) => {
    child.stdin.write(`${sent.join("\n")}\n`);
    const found = [];
    do found.push((await lines.next()).value);
    while (!found.at(-1).startsWith(start));
    return found;
  };
  return { name: "program", seconds, request, end: () => child.kill() };
}

/** A worker on a page of its own, which loads the given module, with the CPU seconds of the page's process. */
async function worker(name) {
  const server = await serve([folder, fileURLToPath(new URL("../wasm", import.meta.url))], (asked) => (asked.endsWith(".wasm") ? `/${name}.wasm` : asked));
  const browser = await launch(path);
  const page = await browser.newPage();
  await page.goto(`${server.address}talk.mjs`);
  await page.evaluate(async () => {
    const { Talk } = await import("/talk.mjs");
    globalThis.talk = await Talk.begin("/soffio-worker.js");
  });
  const cdp = await browser.newBrowserCDPSession();
  const seconds = async () => {
    const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
    return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  const request = (sent, start) => page.evaluate(async ([lines, until]) => {
    lines.forEach((line) => talk.send(line));
    return talk.until(until);
  }, [sent, start]);
  return { name, seconds, request, end: () => Promise.all([browser.close(), server.stop()]) };
}

/** Searches the start position, and returns the CPU seconds and the node count of the last complete iteration. */
async function search({ request, seconds }, variant, nodes) {
  await request(setUp(variant), "readyok");
  const before = await seconds();
  const lines = await request([`go nodes ${nodes}`], "bestmove");
  const took = (await seconds()) - before;
  return { took, counted: Number(lines.map((line) => / nodes (\d+)/.exec(line)?.[1]).filter(Boolean).at(-1)) };
}

const engines = [native(), ...(await Promise.all(modules.map(worker)))];
for (const engine of engines) for (const variant of VARIANTS) await search(engine, variant, WARM_UP);
for (const variant of VARIANTS) {
  for (const nodes of NODES) {
    const speeds = engines.map(() => []);
    for (let round = 0; round < rounds; round += 1) {
      const counts = new Set();
      for (const [at, engine] of engines.entries()) {
        const found = await search(engine, variant, nodes);
        speeds[at].push(nodes / found.took);
        counts.add(found.counted);
      }
      check(counts.size === 1, `${variant}: node counts ${[...counts]}`);
    }
    const [own, ...others] = speeds.map(median);
    const text = others.map((speed, at) => `${modules[at]} ${(speed / 1e6).toFixed(2)} (${(speed / own).toFixed(2)})`);
    console.log(`${variant}, ${nodes / 1e6} million nodes, millions per second: program ${(own / 1e6).toFixed(2)}, ${text.join(", ")}`);
  }
}
await Promise.all(engines.map(({ end }) => end()));
