// The service worker of a board that a web server provides: after the first visit, the board works without a network.
// Requests go to the network first, so that an update of the server is never mixed with older files.
const CACHE = "soffio-board";
/** The weights of all games, so that every game can be analysed without a network. They are stored last. */
const WEIGHTS = [
  "armenian", "brazilian", "breakthrough", "canadian", "casual-optional", "casual", "czech", "dumm",
  "english-optional", "english", "frisian", "frysk", "international", "italian", "killer-brazilian", "killer-russian",
  "killer", "losing-brazilian", "losing-english", "losing-italian", "losing-russian", "losing", "pool", "russian",
  "spanish", "spantsiretti", "thai", "turkish",
].map((name) => `weights/${name}.weights`);
/** The module that the worker of this browser loads. */
const MODULE = WebAssembly.Suspending ? "soffio-jspi.wasm" : "soffio.wasm";
const FILES = ["./", "style.css", "main.js", "manifest.webmanifest", "icon.svg", "soffio-worker.js", MODULE, ...WEIGHTS];

/** Stores the files of the board, including all modules that its scripts import. */
async function keepFiles() {
  const cache = await caches.open(CACHE);
  const waiting = FILES.map((name) => new URL(name, self.registration.scope).href);
  for (const address of waiting) {
    const response = await fetch(address).catch(() => null);
    if (!response?.ok) continue;
    await cache.put(address, response.clone());
    if (!/\.m?js$/.test(address) || address.endsWith("soffio-worker.js")) continue;
    for (const [, name] of (await response.text()).matchAll(/^import .* from "(\.[^"]+)";$/gm)) {
      const { href } = new URL(name, address);
      if (!waiting.includes(href)) waiting.push(href);
    }
  }
}

/** Answers from the network, or from the cache if there is no network. */
async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: request.mode === "navigate" });
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("install", (event) => event.waitUntil(keepFiles().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === self.location.origin) event.respondWith(answer(event.request));
});
