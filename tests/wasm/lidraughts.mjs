// The lines that a client like that of lidraughts sends, and how it parses the output.

import { check, median, sleep, Talk } from "./talk.mjs";

/** The lines that the client parses; it ignores all others. */
const INFO = /^info depth=(\d+) mean-depth=\S+ score=(\S+) nodes=(\d+) time=(\S+) (?:nps=\S+ )?pv="?([0-9\-xX\s]+)"?/;

const START = `W${"b".repeat(20)}${"e".repeat(10)}${"w".repeat(20)}`;
const FRYSK = `W${"b".repeat(5)}${"e".repeat(40)}${"w".repeat(5)}`;
const SMALL = `W${"b".repeat(12)}${"e".repeat(8)}${"w".repeat(12)}`;

/** Returns a board with this many squares and these pieces: `{46: "W", 5: "b"}`. */
const board = (side, squares, pieces) =>
  side + Array.from({ length: squares }, (_, index) => pieces[index + 1] ?? "e").join("");

const GAMES = [
  { variant: "normal", tables: 3, positions: [`pos=${START}`, `pos=${START} moves="32-28 19-23"`] },
  { variant: "frisian", tables: 3, positions: [`pos=${START}`, `pos=${FRYSK}`] },
  { variant: "frisian", tables: 3, positions: [`pos=${board("W", 50, { 28: "W", 5: "B", 45: "w" })} wolf="W28=2 B5=1"`] },
  { variant: "frysk", positions: [`pos=${FRYSK} moves="46-41 5-10"`] },
  { variant: "losing", tables: 3, positions: [`pos=${START}`] },
  { variant: "bt", tables: 4, positions: [`pos=${START} moves="33-29"`] },
  { variant: "russian", positions: [`pos=${SMALL}`] },
  { variant: "brazilian", positions: [`pos=${SMALL}`] },
  { variant: "english", positions: [`pos=${SMALL.replace("W", "B")}`] },
  { variant: "italian", positions: [`pos=${SMALL}`] },
  { variant: "turkish", positions: [`pos=W${"e".repeat(8)}${"b".repeat(16)}${"e".repeat(16)}${"w".repeat(16)}${"e".repeat(8)}`] },
];

/** Positions in which the side to move wins, and the number of moves that the client must read from the score. */
const WINS = [
  { variant: "normal", position: `pos=${board("W", 50, { 32: "w", 27: "b" })}`, moves: 1 },
  { variant: "bt", position: `pos=${board("W", 50, { 7: "w", 45: "b" })}`, moves: 1 },
];

/** Ends a search: `stop` is answered with `done` within 300 ms, or the client terminates the worker. */
async function stop(talk) {
  const sent = performance.now();
  await talk.request("stop", "done");
  return performance.now() - sent;
}

/** Returns what the client reads from the last line that it parses: moves until the win, or the score in cp. */
function read(lines) {
  const found = lines.map((line) => INFO.exec(line)).filter(Boolean).at(-1);
  check(found, "no line could be parsed", lines);
  const score = Math.round(parseFloat(found[2]) * 100);
  const ply = (bound) => (score > 0 ? bound - score : -(bound + score));
  const win = (plies) => Math.sign(score) * Math.round((plies + (plies % 2)) / 2);
  const size = Math.abs(score);
  return {
    depth: Number(found[1]),
    score: size > 8000 ? null : score,
    win: size > 9000 ? win(ply(10_000)) : size > 8000 ? win(ply(9000)) : null,
    moves: found[5].split(" "),
  };
}

/** Starts like the client: without waiting for `wait` or `ready`. */
function begin(address, { variant, tables }) {
  const lines = ["hub", "set-param name=tt-size value=22", `set-param name=variant value=${variant}`];
  if (tables) lines.push(`set-param name=bb-size value=${tables}`);
  return Talk.begin(address, ...lines, "init");
}

/** Replays everything; returns the time from `stop` to `done`, in ms. */
export async function replay(address, { depth = 10, analysis = 400 } = {}) {
  const delays = [];
  for (const game of GAMES) {
    const talk = await begin(address, game);
    for (const position of game.positions) {
      const sent = [`pos ${position}`, "level move-time=90", `level depth=${depth}`, "go analyze"];
      sent.forEach((line) => talk.send(line));
      const lines = await talk.until("done");
      check(!lines.some((line) => line.startsWith("error")), game.variant, lines);
      const found = read(lines);
      check(found.depth === depth || found.win, game.variant, found);
      check(lines.at(-1).startsWith(`done move=${found.moves[0]}`), game.variant, lines.at(-1));
      [`pos ${position}`, "level infinite", "go analyze"].forEach((line) => talk.send(line));
      await sleep(analysis);
      delays.push(await stop(talk));
    }
    talk.end();
  }
  for (const { variant, position, moves } of WINS) {
    const talk = await begin(address, { variant, tables: 4 });
    [`pos ${position}`, "level infinite", "go analyze"].forEach((line) => talk.send(line));
    await sleep(300);
    talk.send("stop");
    const found = read(await talk.until("done"));
    check(found.win === moves, variant, position, found);
    talk.end();
  }
  return delays;
}

/** Summarises a list of delays. */
export function summary(delays) {
  return `median ${median(delays).toFixed(1)} ms, worst ${Math.max(...delays).toFixed(1)} ms of ${delays.length}`;
}
