// Runs the workers of the package on a page in Chromium, and sends them the lines of a client like that of lidraughts.
// Also tests that a worker searches although the weights never arrive.
// Usage: node client.mjs CHROMIUM PACKAGE
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, launch } from "./visitor.mjs";

const [path, folder] = process.argv.slice(2);
const FOLDERS = { client: fileURLToPath(new URL("../wasm", import.meta.url)), npm: folder, stalled: folder };
const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

const server = createServer(async (request, response) => {
  const [, place, ...names] = request.url.split("/");
  const name = names.join("/");
  if (place === "stalled" && name.endsWith(".weights")) return;
  const file = name && FOLDERS[place] ? await readFile(join(FOLDERS[place], name)).catch(() => null) : "<!DOCTYPE html>";
  response.writeHead(file === null ? 404 : 200, { "Content-Type": TYPES[extname(name ?? "")] ?? "text/html" }).end(file);
});
await new Promise((begun) => server.listen(0, "127.0.0.1", begun));
const browser = await launch(path);
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/`);
for (const worker of ["soffio-worker.js", "soffio-worker.mjs"]) {
  const said = await page.evaluate(async (name) => {
    const { replay, summary } = await import("/client/lidraughts.mjs");
    return summary(await replay(`/npm/${name}`));
  }, worker);
  console.log(`a client of lidraughts in Chromium with ${worker}, stop: ${said}`);
}
const lines = await page.evaluate(async () => {
  const { Talk } = await import("/client/talk.mjs");
  const talk = await Talk.begin("/stalled/soffio-worker.js");
  return talk.request("go depth 3", "bestmove");
});
check(/cannot load .*: no answer within 20 s/.test(lines[0]) && /^bestmove \d/.test(lines.at(-1)), lines);
console.log("a worker whose weights never arrive searches without them");
await browser.close();
server.closeAllConnections();
server.close();
