// Serves the board's page with the worker of the package, as a web server does, and tests that the page can be installed
// and that it works without the server after the first visit.
// Usage: node offline.mjs CHROMIUM PACKAGE
import { fileURLToPath } from "node:url";
import { serve } from "./server.mjs";
import { Visitor, check, launch } from "./visitor.mjs";

const [path, folder] = process.argv.slice(2);
const server = await serve([fileURLToPath(new URL("../../crates/board/page", import.meta.url)), folder]);
const browser = await launch(path);
try {
  const visitor = await Visitor.come(browser, server.address);
  const { page } = visitor;
  await visitor.ask(() => navigator.serviceWorker.ready.then(() => true));
  const cdp = await visitor.context.newCDPSession(page);
  const { installabilityErrors } = await cdp.send("Page.getInstallabilityErrors");
  // Each visitor has a private profile, which cannot install anything.
  const faults = installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito");
  check(!faults.length, `the page cannot be installed: ${JSON.stringify(faults)}`);
  const { errors } = await cdp.send("Page.getAppManifest");
  check(!errors.length, `the manifest is wrong: ${JSON.stringify(errors)}`);
  await server.stop();
  await page.reload();
  await visitor.settle();
  await page.click("[data-key=analyse]");
  await page.waitForFunction(() => soffio.analysis.lines[0]?.depth > 4);
  // A game that was not opened before needs weights that only the service worker has.
  const said = await visitor.ask(async () => {
    const worker = new Worker("soffio-worker.js");
    const lines = [];
    const ended = new Promise((end) => (worker.onmessage = ({ data }) => lines.push(data) && String(data).startsWith("bestmove") && end()));
    worker.postMessage("setoption name UCI_Variant value Turkish\ngo depth 5");
    await ended;
    worker.terminate();
    return lines.filter((line) => line.includes("cannot load"));
  });
  check(!said.length, said.join("; "));
  const kept = await visitor.ask(async () => (await (await caches.open("soffio-board")).keys()).length);
  console.log(`the board works without its server: ${kept} files are stored`);
  await visitor.context.close();
} finally {
  await browser.close();
  await server.stop();
}
