// Uses the board in the same way as a user, and reports the results. STEPS=name,name runs only the named steps.
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import * as feel from "./habits.mjs";
import { collections, iterations, links, manyPositions, ownGames, playing, positions, reloads, replaced, results, tabs } from "./kept.mjs";
import * as study from "./study.mjs";
import { Visitor, check, launch } from "./visitor.mjs";
import * as visits from "./visits.mjs";
import { foreign, translations } from "./words.mjs";

const [program, chromium, folder, worker] = process.argv.slice(2);
const VARIANTS = ["english", "russian", "international", "turkish"];
const PLIES = 24;
const GAMES = 700;
const STOPS = 100;

const file = (name) => `${folder}/${name}`;
const root = new URL("../..", import.meta.url).pathname;
const run = (...words) => {
  const { input = "" } = typeof words.at(-1) === "object" ? words.pop() : {};
  return execFileSync(program, words, { input, stdio: ["pipe", "pipe", "pipe"], maxBuffer: 1 << 28 });
};

/** State of the random number generator. Every run uses the same numbers. */
let seed = 35;
const random = (below) => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed % below;
};

async function games(visitor) {
  for (const variant of VARIANTS) {
    for (const by of ["drag", "click", "keys"]) {
      await visitor.open(variant);
      if (by === "click") await visitor.page.keyboard.press("f");
      let played = 0;
      while (played < PLIES) {
        const ways = await visitor.ask(() => soffio.position.ways);
        if (!ways.length || (await visitor.ask(() => soffio.position.status.state)) !== "playing") break;
        const way = ways[random(ways.length)];
        await visitor.play(way, by);
        played += 1;
        const [text, shown, known] = await visitor.ask(() => [soffio.tree.current.text, soffio.view.state.position, soffio.position.position]);
        check(shown === known, `${variant} ${way.text}: the board shows ${shown} instead of ${known}`);
        const same = ways.filter((other) => other.text === text)[0];
        check(same && same.number === way.number, `${variant} by ${by}: ${text} was played instead of ${way.text}`);
      }
      const listed = await visitor.page.locator("#moves .move:not(.start)").count();
      check(listed === played, `${listed} moves are listed instead of ${played}`);
      const live = await visitor.page.textContent("#live");
      check(live.length > 5, `nothing was said after a move: ${live}`);
    }
  }
  await visitor.ask(() => soffio.set("flipped", false));
}

/** Tests that the squares along the path select a capture among several with the same origin and destination. */
async function ambiguous(visitor) {
  await visitor.open("international", "W:WK48:B19,20,29,30,38,39");
  const ways = await visitor.ask(() => soffio.position.ways);
  const ends = new Map();
  ways.forEach((way) => ends.set(way.route.at(-1), (ends.get(way.route.at(-1)) || new Set()).add(way.number)));
  const way = ways.find(({ route }) => ends.get(route.at(-1)).size > 1) || ways[0];
  await visitor.play(way, "click");
  const text = await visitor.ask(() => soffio.tree.current.text);
  check(ways.find((known) => known.text === text).number === way.number, `${text} instead of ${way.text}`);
}

async function everyVariant(visitor) {
  const names = await visitor.ask(() => [...soffio.rules.boards.keys()]);
  check(names.length === 32, `${names.length} variants`);
  for (const name of names) {
    await visitor.page.selectOption("#variant", name);
    await visitor.page.waitForFunction((variant) => soffio.tree.variant === variant && soffio.position, name);
    const [squares, pieces, ways] = await visitor.ask(() => [document.querySelectorAll(".ground .dark").length, document.querySelectorAll(".piece").length, soffio.position.ways.length]);
    check(squares > 30 && pieces > 9 && ways > 0, `${name}: ${squares} squares, ${pieces} pieces, ${ways} moves`);
  }
}

async function lines(visitor) {
  await visitor.open("russian");
  await visitor.page.selectOption("#analysis .head select", "4");
  await visitor.page.click("[data-key=analyse]");
  await visitor.page.waitForFunction(() => soffio.analysis.lines.length === 4 && soffio.analysis.lines.every((line) => line?.depth >= 8), null, { timeout: 60000 });
  await visitor.page.waitForTimeout(300);
  const mixed = await visitor.ask(async () => {
    for (const end = performance.now() + 2000; performance.now() < end; await new Promise(requestAnimationFrame)) {
      const { lines } = soffio.analysis;
      const moves = new Set(lines.map(({ pv }) => pv[0]));
      if (moves.size !== 4 || new Set(lines.map(({ depth }) => depth)).size !== 1) return JSON.stringify(lines);
    }
    return "";
  });
  check(!mixed, `lines of two iterations: ${mixed}`);
  check((await visitor.page.locator("#analysis .lines li").count()) === 4, "four lines are shown");
  check((await visitor.page.locator(".arrows .arrow").count()) === 4, "four arrows are drawn");
  const figures = await visitor.page.textContent(".figures");
  check(/depth \d+ · .* nodes · /.test(figures), `the figures are ${figures}`);
  const chances = await visitor.page.getAttribute(".chances", "aria-label");
  check(/White \d+ %/.test(chances), `the chances are ${chances}`);
  await visitor.picture(file("analysis.png"));
  await visitor.page.selectOption("#analysis .head select", "1");
  await visitor.page.waitForFunction(() => document.querySelectorAll("#analysis .lines li").length === 1 && !document.querySelector(".lines.old"));
  const [line, moves] = await visitor.ask(() => [".lines li", ".pvs"].map((name) => document.querySelector(name).getBoundingClientRect().width));
  check(moves > line / 2, `the moves of the only line have ${moves} of ${line} pixels`);
  await visitor.page.click("[data-key=analyse]");
  await visitor.page.locator("#analysis .lines").waitFor({ state: "hidden" });
}

/** Measures how long the engine takes to answer `stop`, in milliseconds. */
async function stops(visitor) {
  await visitor.open("international");
  const times = await visitor.ask(async (count) => {
    const found = [];
    for (let n = 0; n < count; n += 1) {
      const answer = soffio.talk.search({ game: soffio.tree.upTo(), go: "infinite", options: { MultiPV: 1 } });
      await new Promise((resolve) => setTimeout(resolve, 20 + (n * 7) % 60));
      const begun = performance.now();
      soffio.talk.stop();
      const { move } = await answer;
      if (!move) throw new Error("no move");
      found.push(performance.now() - begun);
    }
    return found.sort((a, b) => a - b);
  }, STOPS);
  const median = times[STOPS / 2];
  check(median <= 50, `stop takes ${median} ms`);
  return `stop: median ${median.toFixed(1)} ms, worst ${times.at(-1).toFixed(1)} ms of ${STOPS}`;
}

async function manyGames(visitor) {
  const text = readFileSync(file("games.pdn"), "utf8");
  const begun = Date.now();
  await visitor.paste(text);
  await visitor.page.waitForFunction((count) => soffio.files.list?.isWhole && soffio.files.list.games.length === count, GAMES, { timeout: 60000 });
  const took = Date.now() - begun;
  await visitor.page.fill("dialog input[type=search]", `game ${GAMES - 1}`);
  await visitor.page.click("dialog .games li button");
  await visitor.page.locator("dialog").waitFor({ state: "detached" });
  const moves = await visitor.page.locator("#moves .move:not(.start)").count();
  check(moves > 10, `${moves} moves`);
  const written = await visitor.ask(() => soffio.files.pdn());
  check(written.includes("[White ") && written.length > 200, written);
  return `${GAMES} games (${Math.round(text.length / 1000)} kB) are listed ${took} ms after they were pasted`;
}

async function wrongInput(visitor) {
  await visitor.open("english");
  const before = await visitor.ask(() => JSON.stringify(soffio.tree.toJson()));
  for (const text of ["W:W99:B1", "W:W5:B6,zz", "some words", "[GameType \"21\"]\n\n1. 1-32 *"]) {
    await visitor.ask(() => (document.getElementById("notice").textContent = ""));
    await visitor.paste(text);
    await visitor.page.waitForFunction(() => document.getElementById("notice").textContent.length > 5);
    check((await visitor.ask(() => JSON.stringify(soffio.tree.toJson()))) === before, `${text} changed the game`);
  }
  await visitor.paste("[Event \"x\"]\n[GameType \"21\"]\n1. 11-15 foo *");
  await visitor.page.waitForFunction(() => /Unrecognised.*: foo/.test(document.getElementById("notice").textContent));
  await visitor.open("english");
  writeFileSync(file("picture.bin"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
  await visitor.page.click("#menu [data-key=open]");
  await visitor.page.setInputFiles("dialog input[type=file]", file("picture.bin"));
  await visitor.page.waitForFunction(() => document.querySelector("dialog .said").textContent.includes("picture.bin"));
  await visitor.page.keyboard.press("Escape");
  await visitor.page.fill("#entry-text", "1-30");
  await visitor.page.keyboard.press("Enter");
  await visitor.page.waitForFunction(() => document.getElementById("notice").textContent.includes("1-30"));
  await visitor.page.fill("#entry-text", "11-15");
  await visitor.page.keyboard.press("Enter");
  await visitor.page.waitForFunction(() => soffio.tree.current.text === "11-15");
}

async function drops(visitor) {
  const bytes = (text, encoding = "utf8") => [...Buffer.from(text, encoding)];
  const game = (name) => `[White "${name}"]\n[GameType "21"]\n\n1. 11-15 23-19 2. 8-11 *\n`;
  for (const [name, encoding] of [["André", "utf8"], ["José", "latin1"]]) {
    await visitor.drop(bytes(game(name), encoding), "game.pdn");
    await visitor.page.waitForFunction(async (wanted) => (await soffio.files.pdn()).includes(`[White "${wanted}"]`), name);
  }
  await visitor.drop("W:W31,K32:B18,19");
  await visitor.page.waitForFunction(() => soffio.tree.root.children.length === 0 && soffio.position);
  const before = await visitor.ask(() => JSON.stringify(soffio.tree.toJson()));
  for (const [content, said] of [[[0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3], "picture.png"], [bytes("some words"), ""]]) {
    await visitor.ask(() => (document.getElementById("notice").textContent = ""));
    await visitor.drop(content, "picture.png");
    await visitor.page.waitForFunction((part) => document.getElementById("notice").textContent.length > 5 && document.getElementById("notice").textContent.includes(part), said);
    check((await visitor.ask(() => JSON.stringify(soffio.tree.toJson()))) === before, "what cannot be read changed the game");
  }
}

/**
 * Tests that a book can be opened by dropping it on the board, that its moves are listed and can be played with a
 * click, and that a damaged book changes nothing.
 */
async function books(visitor) {
  await visitor.open("english");
  const bytes = [...readFileSync(`${root}/books/english.book`)];
  await visitor.drop(bytes, "english.book");
  await visitor.page.waitForFunction(() => document.querySelectorAll("#book li").length > 3);
  const first = await visitor.page.textContent("#book li button");
  const known = run("book", "probe", `${root}/books/english.book`, { input: "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12\n" }).toString();
  check(known.startsWith(first), `${first} is the best move of the book: ${known}`);
  await visitor.page.click("#book li button");
  await visitor.page.waitForFunction((text) => soffio.tree.current.text === text, first);
  await visitor.page.waitForFunction(() => document.querySelectorAll("#book li").length > 0);
  await visitor.picture(file("book.png"));
  bytes[bytes.length - 3] ^= 1;
  await visitor.drop(bytes, "english.book");
  await visitor.page.waitForFunction(() => document.getElementById("notice").textContent.includes("english.book"));
  await visitor.open("turkish");
  await visitor.page.waitForFunction(() => document.getElementById("book").hidden);
}

async function tree(visitor) {
  const unplayed = '/FEN "W:W31:B20"/ {look here} 1. 31-27 99-98 {why} *';
  await visitor.paste(`[GameType "20"]\n\n${unplayed}`);
  await visitor.page.waitForFunction(() => soffio.tree.lead);
  const kept = await visitor.ask(() => soffio.files.pdn());
  check(kept.includes(unplayed), kept);
  await visitor.paste("[GameType \"21\"]\n\n{start} 1. 11-15 {good} (1. 9-14 22-18) 23-19 2. 8-11 *");
  await visitor.page.waitForFunction(() => soffio.tree.root.children.length === 2);
  await visitor.page.click(".variation .move");
  await visitor.page.click("[data-key=promote]");
  check((await visitor.ask(() => soffio.tree.root.children[0].text)) === "9-14", "the variation is the main line");
  await visitor.page.selectOption("#remarks select", "4");
  await visitor.page.fill("#remarks textarea", "a remark");
  await visitor.page.focus("#moves");
  await visitor.page.waitForFunction(() => document.getElementById("moves").textContent.includes("a remark"));
  const written = await visitor.ask(() => soffio.files.pdn());
  check(written.includes("1. 9-14 $4 {a remark} (1. 11-15 {good} 23-19"), written);
}

async function reload(visitor) {
  await visitor.page.waitForTimeout(500);
  const before = await visitor.game();
  await visitor.page.reload();
  await visitor.settle();
  const after = await visitor.game();
  check(before === after, `after a reload:\n${after}\n${before}`);
}

async function setUp(visitor) {
  await visitor.open("russian");
  await visitor.page.click("#menu [data-key=setUp]");
  await visitor.page.click("#setup [data-key=clearBoard]");
  await visitor.page.waitForFunction(() => document.querySelector("#setup .said").classList.contains("wrong"));
  await visitor.page.locator(".brush-button").nth(1).click();
  await visitor.click(await visitor.ask(() => soffio.view.named("c3")));
  await visitor.page.locator(".brush-button").nth(2).click();
  await visitor.click(await visitor.ask(() => soffio.view.named("f6")));
  await visitor.page.waitForFunction(() => !document.querySelector("#setup .said").classList.contains("wrong"));
  await visitor.picture(file("set-up.png"));
  await visitor.page.click("#setup [data-key=done]");
  await visitor.page.waitForFunction(() => soffio.position?.fen.startsWith("W:WKc3:Bf6"));
  await visitor.page.click("[data-key=findWin]");
  await visitor.page.waitForFunction(() => /Win in \d+/.test(document.getElementById("notice").textContent), null, { timeout: 30000 });
}

async function link(visitor, address) {
  await visitor.page.goto(`${address}#variant=turkish&fen=B:Wa3,Kd4:Bd7`);
  await visitor.page.waitForFunction(() => soffio.tree.variant === "turkish" && soffio.position?.side === "black");
}

async function againstEngine(visitor) {
  await visitor.open("english");
  await visitor.page.click("#menu [data-key=play]");
  await visitor.page.locator("dialog select").nth(0).selectOption("black");
  await visitor.page.locator("dialog select").nth(1).selectOption("easy");
  await visitor.page.locator("dialog select").nth(2).selectOption("5+3");
  await visitor.page.click("dialog [data-key=begin]");
  const turns = async () => visitor.page.waitForFunction(() => soffio.position && !soffio.play.isEngines && soffio.position.side === soffio.play.side, null, { timeout: 20000 });
  await turns();
  for (let n = 0; n < 3; n += 1) {
    await visitor.play((await visitor.ask(() => soffio.position.ways))[0], "click");
    await turns();
  }
  const plies = await visitor.ask(() => soffio.tree.path().length);
  check(plies >= 6, `${plies} moves`);
  check((await visitor.page.locator(".player .clock").count()) === 2, "clocks are shown");
  await visitor.picture(file("play.png"));
  await visitor.page.click("#play [data-key=hint]");
  await visitor.page.waitForFunction(() => document.getElementById("notice").textContent.includes("Hint: "));
  await visitor.page.click("#play [data-key=takeBack]");
  await visitor.page.waitForFunction((count) => soffio.tree.path().length === count - 2, plies);
  await visitor.page.click("#play [data-key=resign]");
  await visitor.page.click("dialog [data-key=cancel]");
  check(await visitor.ask(() => soffio.play.on), "nobody has resigned");
  await visitor.page.click("#play [data-key=resign]");
  await visitor.page.click("dialog [data-key=resign]");
  await visitor.page.waitForFunction(() => soffio.tree.result === "0-1" && !soffio.play.on);
  await visitor.page.click("#play [data-key=rematch]");
  await visitor.page.waitForFunction(() => soffio.play.on && soffio.play.side === "white" && soffio.play.level === "easy");
  await visitor.page.click("#play [data-key=endPlay]");
}

/** Tests that the page reports a WebAssembly trap, and still answers the pending request. */
async function trap(visitor) {
  await visitor.open("international");
  await visitor.page.click("[data-key=analyse]");
  await visitor.page.waitForFunction(() => soffio.analysis.lines[0]?.depth > 4);
  await visitor.ask(() => {
    soffio.analysis.lines = [];
    if (soffio.host.worker) soffio.host.worker.dispatchEvent(new ErrorEvent("error", { cancelable: true }));
    else soffio.host.restart();
  });
  await visitor.page.waitForFunction(() => document.getElementById("notice").textContent.length > 10);
  await visitor.page.waitForFunction(() => soffio.analysis.lines[0]?.depth > 4, null, { timeout: 20000 });
  await visitor.page.click("[data-key=analyse]");
}

async function looks(browser, address) {
  for (const [name, options] of [["desk", {}], ["desk-dark", { colorScheme: "dark" }], ["phone", { viewport: { width: 375, height: 812 } }], ["phone-dark", { viewport: { width: 375, height: 812 }, colorScheme: "dark" }]]) {
    const visitor = await Visitor.come(browser, address, options);
    await visitor.open("international", "W:W28,K46,33:B22,23,12,13,K5");
    await visitor.fits();
    await visitor.isAccessible(name);
    await visitor.picture(file(`${name}.png`));
    for (const menu of ["play", "open", "share", "settings"]) {
      await visitor.menu(menu);
      await visitor.isAccessible(`${name} ${menu}`);
      await visitor.fits();
      await visitor.page.keyboard.press("Escape");
    }
    await visitor.menu("setUp");
    await visitor.isAccessible(`${name} set up`);
    await visitor.page.click("#setup [data-key=cancel]");
    for (const language of ["de", "fr", "it", "nl", "pl", "pt", "tr", "ru"]) {
      await visitor.menu("settings");
      await visitor.page.locator("dialog select").nth(0).selectOption(language);
      await visitor.page.keyboard.press("Escape");
      await visitor.fits();
      check((await visitor.page.getAttribute("html", "lang")) === language, language);
    }
    await visitor.picture(file(`${name}-ru.png`));
    await visitor.leave();
  }
}

/** Tests annotated games in a file that does not contain the engine. */
async function annotated(browser) {
  const text = readFileSync(file("games.pdn"), "utf8");
  writeFileSync(file("two.pdn"), text.split(/\n\n(?=\[)/).slice(0, 2).join("\n\n") + "\n\n");
  run("annotate", file("two.pdn"), "--depth", "6", "--html", file("annotated.html"), "--out", file("annotated.pdn"), "--overwrite", "--no-engine");
  const address = pathToFileURL(file("annotated.html")).href;
  const visitor = await Visitor.come(browser, `${address}#game-2-ply-3`);
  check((await visitor.ask(() => [soffio.own, soffio.tree.path().length].join())) === "1,3", "the address leads to the position");
  await visitor.page.keyboard.press("p");
  for (let ply = 1; ply <= 5; ply += 1) {
    await visitor.page.keyboard.press("ArrowRight");
    check((await visitor.ask(() => location.hash)) === `#game-1-ply-${ply}`, "the address names the position");
    check((await visitor.page.locator(".arrows .arrow").count()) >= 1, "the move that comes is shown");
  }
  check((await visitor.page.locator("#curve svg").count()) === 1, "there is a curve");
  await visitor.fits();
  await visitor.isAccessible("annotated games");
  await visitor.picture(file("annotated.png"));
  await visitor.leave();
}

/** Tests a page with one puzzle. */
async function puzzle(browser) {
  const game = "[GameType \"20\"]\n[FEN \"B:W24,29,31,32,33,36,37,39:B8,9,13,14,16,18,22,26\"]\n\n1... 14-19 2. 39-34 19x28 3. 32x14 *\n";
  writeFileSync(file("puzzle.html"), run("puzzles", "--html", "--nodes", "8000", "-", { input: game }));
  await visits.onePuzzle(browser, pathToFileURL(file("puzzle.html")).href);
}

async function all(browser, address, where) {
  const visitor = await Visitor.come(browser, address);
  const { layouts, ...feelings } = feel;
  const { onePuzzle, ...tasks } = visits;
  const steps = { games, ambiguous, everyVariant, lines, stops, manyGames, wrongInput, drops, books, tree, reload, setUp, againstEngine, trap, link: () => link(visitor, address), iterations, replaced, reloads, playing, tabs, collections, positions, manyPositions, links, results, foreign, ...feelings, ...study, ...tasks };
  for (const [name, step] of Object.entries(steps)) {
    if (process.env.STEPS && !process.env.STEPS.split(",").includes(name)) continue;
    const begun = Date.now();
    try {
      const said = await step(visitor, { address, file });
      console.log(`${where}: ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)${said ? ": " + said : ""}`);
    } catch (error) {
      await visitor.picture(file(`failed-${name}.png`)).catch(() => {});
      throw new Error(`${where}: ${name}: ${error.stack}\n${visitor.faults.join("\n")}`);
    }
  }
  await visitor.leave();
  if (process.env.STEPS) return;
  console.log(`${where}: boards of ${await layouts(browser, address)} pixels`);
  await looks(browser, address);
  console.log(`${where}: looks, accessibility`);
}

// This takes a minute and a half on two cores, but only in the first run.
if (!existsSync(file("games.pdn"))) {
  run("match", "--engine", "name=a", "--engine", "name=b", "--each", `cmd=${program}`, "nodes=200", "--variant", "english", "--games", String(GAMES), "--pdn", file("games.pdn"));
}
const server = spawn(program, ["board", "--no-browser", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
const browser = await launch(chromium);
try {
  console.log(`translations: ${await translations(folder)}`);
  const address = await new Promise((resolve) => server.stdout.on("data", (data) => resolve(/http:\S+/.exec(data)[0] + "/")));
  await all(browser, address, "served");
  await annotated(browser);
  console.log("annotated games");
  await puzzle(browser);
  console.log("a puzzle");
  if (worker) {
    run("board", "--out", file("board.html"), "--worker", worker, "--overwrite");
    const size = readFileSync(file("board.html")).length;
    check(size <= 5 << 20, `the file has ${size} bytes`);
    console.log(`from disk: one file of ${(size / (1 << 20)).toFixed(2)} MiB`);
    await all(browser, pathToFileURL(file("board.html")).href, "from disk");
    // Annotated games in a file that contains the engine, which the program finds in its own folder.
    mkdirSync(file("bin"), { recursive: true });
    copyFileSync(program, file("bin/soffio"));
    copyFileSync(worker, file("bin/soffio-single.js"));
    execFileSync(file("bin/soffio"), ["annotate", file("two.pdn"), "--depth", "4", "--html", file("own.html"), "--out", file("annotated.pdn"), "--overwrite"], { stdio: "pipe" });
    await ownGames(browser, pathToFileURL(file("own.html")).href);
    console.log("changes of annotated games");
  }
} finally {
  server.kill();
  await browser.close();
}
