// A web server for the files of some folders, on a free port of this machine.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";

const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json", ".wasm": "application/wasm" };

/** Serves each path from the first folder that contains it. `rename` maps the requested path to the path of a file. */
export async function serve(folders, rename = (path) => path) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = rename(pathname.replace(/\/$/, "/index.html"));
    const files = await Promise.all(folders.map((at) => readFile(at + name).catch(() => null)));
    const file = files.find(Boolean);
    response.writeHead(file ? 200 : 404, { "Content-Type": TYPES[extname(name)] ?? "text/plain" }).end(file ?? "");
  });
  await new Promise((begun) => server.listen(0, "127.0.0.1", begun));
  const stop = () => new Promise((closed) => {
    server.close(closed);
    server.closeAllConnections();
  });
  return { address: `http://127.0.0.1:${server.address().port}/`, stop };
}
