// Runs the dialogues in tests/dialogues with the worker. Usage: node dialogues.mjs WORKER

import { readdirSync, readFileSync } from "node:fs";
import { check, Talk } from "./talk.mjs";

/** Features that a worker lacks: an end of input, threads, files. */
const LEFT_OUT = /^!end|Threads|threads|File|Path|table-path/m;

const folder = new URL("../dialogues/", import.meta.url);

function pattern(line) {
  // `*` stands for any text, and `#` for a number.
  const parts = line.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("#", "\\d+"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}

async function runDialogue(address, text, isHub) {
  const talk = await Talk.begin(address);
  let skips = false;
  // The program takes the Hub protocol from its command line, the worker from the first line.
  if (isHub && !/^> hub$/m.test(text)) {
    talk.send("hub");
    while ((await talk.next()) !== "wait");
  }
  for (const [index, line] of text.replace(/\n$/, "").split("\n").entries()) {
    if (line.startsWith("#")) continue;
    if (line === "...") skips = true;
    else if (line.startsWith("> ")) talk.send(line.slice(2).replaceAll("\\t", "\t").replaceAll("\\r", "\r"));
    else {
      for (;;) {
        const found = await talk.next();
        if (pattern(line).test(found)) break;
        const isOfLongSearch = found.startsWith("info depth ");
        check(skips || isOfLongSearch, `line ${index + 1}: expected ${line}, found ${found}`);
      }
      skips = false;
    }
  }
  talk.send("quit");
  await talk.worker.ended;
  const rest = await talk.next({ patience: 0, mayFail: true });
  check(skips || rest === null, `at the end: ${rest}`);
}

const address = process.argv[2];
let [held, left] = [0, 0];
for (const part of ["", "hub/"]) {
  for (const name of readdirSync(new URL(part, folder)).filter((name) => name.endsWith(".txt"))) {
    const text = readFileSync(new URL(part + name, folder), "utf8");
    if (LEFT_OUT.test(text.replace(/^param .*|^option .*/gm, ""))) {
      left += 1;
      continue;
    }
    await runDialogue(address, text, part === "hub/").catch((error) => check(false, `${part}${name}: ${error.message}`));
    held += 1;
  }
}
check(held > 60 && left < 12, `only ${held} dialogues passed, ${left} skipped`);
console.log(`${held} dialogues passed, ${left} skipped: they need an end of input, threads or files`);
