// The last part of the classic worker. In Node, it is loaded by `node:worker_threads`.
if (typeof importScripts === "undefined") {
  const { readFile } = require("node:fs/promises");
  const { join } = require("node:path");
  const load = async () => WebAssembly.compile(await readFile(join(__dirname, moduleName())));
  const loadWeights = (name) => readFile(join(__dirname, "weights", name));
  serve(load, loadWeights, messages(require("node:worker_threads").parentPort));
} else {
  const address = (name) => new URL(name, self.location.href);
  const loadWeights = async (name, isAgain) => fetchWeights(address(`weights/${name}`), isAgain);
  serve(() => fetchModule(address(moduleName())), loadWeights, messages(null));
}
