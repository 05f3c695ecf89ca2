// Sends random lines, which the worker must survive. Usage: node fuzz.mjs WORKER [LINES]

import { Chance, check, Talk } from "./talk.mjs";

const [address, lines = 100_000] = process.argv.slice(2);
const WORDS =
  `uci isready ucinewgame setoption name value UCI_Variant English Russian Turkish International Italian Frisian Dumm Canadian
  MultiPV 3 Hash 1 Level easy position startpos fen moves W:W31,K50:B18,19,22 B:WK4:BK29 W:W21-32:B1-12 11-15 23-19 32-28 c3-d4
  go depth 2 nodes 500 movetime 1 infinite ponder win 3 wtime btime 10 stop ponderhit perft divide all move undo redo d legal eval
  probe status wait help -1 99999999999 é \u{1f600} x : - hub init pos pos=W level depth=1 think analyze ping new-game set-param
  name=variant value=bt`.split(/\s+/);

const chance = new Chance(1);
const line = () => Array.from({ length: chance.below(9) }, () => chance.of(WORDS)).join(" ");
for (const hub of [false, true]) {
  const talk = await Talk.begin(address, hub ? "hub" : "uci");
  const [ping, pong] = hub ? ["ping", "pong"] : ["isready", "readyok"];
  for (let sent = 0; sent < lines / 2; sent += 1) {
    // A line that uses too much memory or time is not a fault.
    const text = line().replace(/perft|divide|Hash|infinite/g, (word) => (chance.below(50) ? "d" : word));
    talk.send(/^(perft|divide)|Hash/.test(text) ? "d" : text);
    if (chance.below(20) === 0) talk.send("stop");
    if (sent % 500 === 499) {
      talk.send("stop");
      await talk.request(ping, pong);
    }
  }
  talk.send("stop");
  check((await talk.request(ping, pong)).length, "the worker answers");
  talk.end();
}
console.log(`${lines} random lines, none of which ended the worker`);
