// Runs every long command in a worker that suspends itself whenever it can, and compares the output with that of a
// worker that is seldom suspended. A function that cannot be suspended would end the worker.
// Usage: node pauses.mjs WORKER
import { fileURLToPath } from "node:url";
import { check, Talk } from "./talk.mjs";

const address = process.argv[2];
const HASTY = { preload: fileURLToPath(new URL("hasty-clock.cjs", import.meta.url)) };

const choose = (variant) => `setoption name UCI_Variant value ${variant}`;
/** Each case consists of lines and the beginning of the last line of output. */
const CASES = [
  ...["English", "Turkish", "International", "Canadian"].flatMap((variant) => [
    [[choose(variant), "perft 6"], "perft"],
    [[choose(variant), "divide 6"], "perft"],
    [[choose(variant), "go perft 5"], "perft"],
    [[choose(variant), "perft 5 all"], "perft"],
    [[choose(variant), "go depth 12"], "bestmove"],
    [[choose(variant), "go win 4"], "bestmove"],
  ]),
  // The search first solves endgame tables, including those of the main road.
  [[choose("Russian"), "position fen W:WKc3,Kd4,Kf4:BKb8", "go nodes 4194304"], "bestmove"],
  [[choose("International"), "position fen W:WK1,K2:BK50", "go nodes 4194304"], "bestmove"],
  [[choose("English"), "position fen B:WK1:BK31,K32", "probe"], "probe"],
  [[choose("English"), "bench"], "bench"],
  [["hub", "init", "level depth=12", "go think"], "done"],
  [["hub", "init", "level depth=12", "go analyze"], "done"],
];

/** Adds a case for every value of the options that select the search and the evaluation. */
async function playerCases() {
  const talk = await Talk.begin(address);
  const options = await talk.request("uci", "uciok");
  talk.end();
  return ["Player", "Eval", "Level"].flatMap((name) => {
    const [, ...values] = options.find((line) => line.startsWith(`option name ${name} `)).split(" var ");
    check(values.length > 4, `the option ${name} has only the values ${values}`);
    return values.map((value) => [[choose("English"), "setoption name Seed value 1", `setoption name ${name} value ${value}`, "go depth 6"], "bestmove"]);
  });
}

/** Returns the output, without the lines and words that depend on the clock. */
async function output(worker, [lines, end]) {
  const talk = await Talk.begin(worker, ...lines);
  const found = await talk.until(end, { patience: 120_000 }).catch((error) => check(false, lines.join("; "), error.message));
  talk.end();
  return found.filter((line) => !/currmove|(lower|upper)bound/.test(line)).map((line) => line.replace(/\b(time|nps|hashfull)[ =]\S+/g, "")).join("\n");
}

const cases = [...CASES, ...(await playerCases())];
for (const one of cases) {
  const [rare, often] = [await output(address, one), await output({ address, ...HASTY }, one)];
  check(rare === often, `${one[0].join("; ")}:\n${often}\ninstead of\n${rare}`);
}
console.log(`${cases.length} long commands, suspended whenever possible, with the same output`);
