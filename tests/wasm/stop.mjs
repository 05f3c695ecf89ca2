// Measures how soon `stop` is answered. Usage: node stop.mjs WORKER [SEARCHES]

import { Chance, median, sleep, Talk } from "./talk.mjs";

const [address, searches = 100] = process.argv.slice(2);
const [chance, delays] = [new Chance(2), []];
for (const variant of ["English", "International", "Turkish", "Canadian"]) {
  const talk = await Talk.begin(address, `setoption name UCI_Variant value ${variant}`, "isready");
  await talk.until("readyok");
  for (let number = 0; number < searches / 4; number += 1) {
    talk.send("go infinite");
    await sleep(50 + chance.below(200));
    const sent = performance.now();
    await talk.request("stop", "bestmove");
    delays.push(performance.now() - sent);
  }
  talk.end();
}
console.log(`stop: median ${median(delays).toFixed(1)} ms, worst ${Math.max(...delays).toFixed(1)} ms of ${delays.length}`);
