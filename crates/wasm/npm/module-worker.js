// The last part of the module worker. In Node, it is loaded by `node:worker_threads`.
const address = new URL(moduleName(), import.meta.url);
if (typeof self === "undefined" || typeof process !== "undefined") {
  const { readFile } = await import("node:fs/promises");
  const { parentPort } = await import("node:worker_threads");
  serve(async () => WebAssembly.compile(await readFile(address)), messages(parentPort));
} else {
  serve(() => fetchModule(address), messages(null));
}
