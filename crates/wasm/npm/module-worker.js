// The last part of the module worker. In Node, it is loaded by `node:worker_threads`. The build adds `WEIGHTS`, the
// addresses of the weights files.

/** The addresses of the modules. Bundlers recognise exactly these expressions, and then include the modules. */
const MODULES = {
  "soffio.wasm": new URL("./soffio.wasm", import.meta.url),
  "soffio-jspi.wasm": new URL("./soffio-jspi.wasm", import.meta.url),
};

/** Starts the worker in Node, whose packages bundlers must not look for. */
async function serveInNode(address) {
  const [files, threads] = ["node:fs/promises", "node:worker_threads"];
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files);
  const { parentPort } = await import(/* webpackIgnore: true */ /* @vite-ignore */ threads);
  serve(async () => WebAssembly.compile(await readFile(address)), (name) => readFile(WEIGHTS[name]), messages(parentPort));
}

if (typeof WorkerGlobalScope === "undefined") serveInNode(MODULES[moduleName()]);
else serve(() => fetchModule(MODULES[moduleName()]), async (name, isAgain) => fetchWeights(WEIGHTS[name], isAgain), messages(null));
