// Builds a page that uses the package with each bundler, and loads the package from another site. Tests that the engine
// answers on each of these pages without any configuration.
// Usage: node bundlers.mjs CHROMIUM PACKAGE FOLDER
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { check, launch } from "./visitor.mjs";

const [path, source, folder] = process.argv.slice(2);
const require = createRequire(new URL("bundlers/package.json", import.meta.url));
const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".html": "text/html", ".wasm": "application/wasm" };
const script = (from) => `import { Soffio } from "${from}";
const lines = (globalThis.lines = []);
const engine = new Soffio({ onLine: (line) => lines.push(line), onRestart: (fault) => lines.push("fault " + fault) });
engine.send("setoption name UCI_Variant value English");
engine.send("go depth 5");
`;
const markup = (kind, file) => `<!DOCTYPE html>\n<link rel="icon" href="data:,">\n<script ${kind} src="${file}"></script>\n`;

/** Serves a folder to pages of any site, and returns its address. */
async function serve(root) {
  const server = createServer((request, response) => {
    const name = new URL(request.url, "http://localhost").pathname.replace(/\/$/, "/index.html");
    let file = null;
    try {
      file = readFileSync(root + name);
    } catch {
      // The answer is 404.
    }
    response.writeHead(file ? 200 : 404, { "Content-Type": TYPES[extname(name)] ?? "text/plain", "Access-Control-Allow-Origin": "*" }).end(file ?? "");
  });
  await new Promise((begun) => server.listen(0, "127.0.0.1", begun));
  return { server, address: `http://127.0.0.1:${server.address().port}` };
}

const builds = {
  async vite(root, out) {
    const { build } = await import("./bundlers/node_modules/vite/dist/node/index.js");
    await build({ root, logLevel: "error", build: { outDir: out } });
  },
  async webpack(root, out) {
    const run = require("webpack");
    await new Promise((resolve, reject) => run({ mode: "production", context: root, entry: "./main.js", output: { path: out } }, (error, stats) => (error || stats.hasErrors() ? reject(error || new Error(stats.toString("errors-only"))) : resolve())));
    writeFileSync(`${out}/index.html`, markup("defer", "main.js"));
  },
  async esbuild(root, out) {
    await require("esbuild").build({ entryPoints: [`${root}/main.js`], bundle: true, format: "esm", outfile: `${out}/main.js`, logLevel: "error" });
    // esbuild does not copy files that a script names, so a site has to copy them.
    const files = ["soffio-worker.mjs", "soffio.wasm", "soffio-jspi.wasm", "weights"];
    for (const name of files) cpSync(`${root}/node_modules/soffio-wasm/${name}`, `${out}/${name}`, { recursive: true });
    writeFileSync(`${out}/index.html`, markup('type="module"', "main.js"));
  },
  async "another site"(root, out) {
    mkdirSync(out);
    const { server, address } = await serve(`${root}/node_modules/soffio-wasm`);
    writeFileSync(`${out}/main.js`, script(`${address}/soffio.mjs`));
    writeFileSync(`${out}/index.html`, markup('type="module"', "main.js"));
    return server;
  },
};

const root = `${folder}/bundlers`;
rmSync(root, { recursive: true, force: true });
mkdirSync(`${root}/node_modules`, { recursive: true });
const installed = `${root}/node_modules/soffio-wasm`;
cpSync(source, installed, { recursive: true });
writeFileSync(`${root}/package.json`, '{ "private": true, "type": "module" }\n');
writeFileSync(`${root}/main.js`, script("soffio-wasm"));
writeFileSync(`${root}/index.html`, markup('type="module"', "./main.js"));
const browser = await launch(path);
for (const [name, build] of Object.entries(builds)) {
  const out = `${root}/${name.replace(" ", "-")}`;
  const other = await build(root, out);
  const { server, address } = await serve(out);
  const page = await browser.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.goto(`${address}/`);
  await page.waitForFunction(() => globalThis.lines?.some((line) => /^(bestmove|fault)/.test(line)), null, { timeout: 60000 }).catch(() => {});
  const [last, missing] = await page.evaluate(() => [globalThis.lines?.at(-1), globalThis.lines?.find((line) => line.includes("cannot load"))]);
  check(/^bestmove \d/.test(last) && !missing && !faults.length, `${name}: ${last}; ${missing}; ${faults.join("; ")}`);
  console.log(`the package with ${name}: ${last}`);
  await page.close();
  for (const used of [server, other]) used?.close();
}
await browser.close();
