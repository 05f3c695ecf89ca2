// The last part of the classic worker. In Node, it is loaded by `node:worker_threads`.
if (typeof importScripts === "undefined") {
  const { readFile } = require("node:fs/promises");
  const { join } = require("node:path");
  const load = async () => WebAssembly.compile(await readFile(join(__dirname, moduleName())));
  serve(load, messages(require("node:worker_threads").parentPort));
} else {
  serve(() => fetchModule(new URL(moduleName(), self.location.href)), messages(null));
}
