// Checks that the worker plays the same moves as the program at a fixed depth, with the same number of nodes.
// Usage: node moves.mjs WORKER PROGRAM [POSITIONS] [DEPTH]

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Chance, check, Talk } from "./talk.mjs";

const [address, path, positions = 100, depth = 7] = process.argv.slice(2);
const program = spawn(path);
const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();

/** Returns the program's output for `line`, up to a line that starts with `start`. */
async function requestProgram(line, start) {
  program.stdin.write(`${line}\n`);
  const found = [];
  do found.push((await lines.next()).value);
  while (!found.at(-1).startsWith(start));
  return found;
}

/** Returns the nodes and the move of an answer. */
function result(lines) {
  const nodes = lines.map((line) => / nodes (\d+)/.exec(line)?.[1]).filter(Boolean);
  return `${nodes.at(-1)} ${lines.at(-1)}`;
}

const talk = await Talk.begin(address);
const variants = /^option name UCI_Variant .*/m
  .exec((await talk.request("uci", "uciok")).join("\n"))[0]
  .split(" var ")
  .slice(1)
  .filter((name) => name !== "tavla");
await requestProgram("uci", "uciok");
const chance = new Chance(35);
for (const variant of variants) {
  for (let number = 0; number < positions; number += 1) {
    talk.send(`setoption name UCI_Variant value ${variant}`);
    const played = [];
    for (let ply = chance.below(60); ply > 0; ply -= 1) {
      talk.send(["position startpos", ...(played.length ? ["moves", ...played] : [])].join(" "));
      const legal = (await talk.request("legal", "legal")).at(-1).split(" ").slice(1);
      if (legal.length === 0 || legal[0] === "none") break;
      played.push(chance.of(legal));
    }
    played.pop();
    const position = ["position startpos", ...(played.length ? ["moves", ...played] : [])].join(" ");
    const setup = [`setoption name UCI_Variant value ${variant}`, "ucinewgame", position];
    setup.forEach((line) => (talk.send(line), program.stdin.write(`${line}\n`)));
    const [own, theirs] = [await talk.request(`go depth ${depth}`, "bestmove"), await requestProgram(`go depth ${depth}`, "bestmove")];
    check(result(own) === result(theirs), variant, position, result(own), result(theirs));
  }
}
console.log(`${positions} positions in each of ${variants.length} variants: the same moves and nodes at depth ${depth}`);
talk.end();
program.kill();
