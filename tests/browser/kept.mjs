// Tests that no game is lost when it is replaced, when the page is reloaded, or when several tabs are open. Also tests
// invalid links.
import { Visitor, check } from "./visitor.mjs";

const moves = (visitor) => visitor.ask(() => soffio.tree.line(soffio.tree.root).map(({ text }) => text).join(" "));
const notice = async (visitor, words) => visitor.page.waitForFunction((text) => document.getElementById("notice").textContent.includes(text), words);

/** Plays the first `count` legal moves. */
async function playOn(visitor, count) {
  for (let n = 0; n < count; n += 1) await visitor.play((await visitor.ask(() => soffio.position.ways))[0], "click");
}

/** Waits until the page has saved its state. */
const keep = (visitor) => visitor.page.waitForTimeout(500);

async function reload(visitor) {
  await visitor.page.reload();
  await visitor.settle();
}

/** Tests that one click restores the game, whatever has replaced it. */
export async function replaced(visitor, { file }) {
  const { page } = visitor;
  const link = (hash) => visitor.ask((text) => (location.hash = text), hash);
  const replacing = {
    "the key ↓ in the list of variants": async () => {
      await page.focus("#variant");
      await page.keyboard.press("ArrowDown");
    },
    "a new game": () => page.click("#menu [data-key=new]"),
    "a position that is pasted": () => visitor.paste("W:W31,K32:B1,2"),
    "a game that is pasted": () => visitor.paste("[GameType \"21\"]\n\n1. 9-14 22-18 *"),
    "a file that is dropped": () => visitor.drop([...Buffer.from("[GameType \"25\"]\n\n1. c3-d4 d6-c5 *")], "game.pdn"),
    "a link": () => link("#variant=turkish&fen=W:Wa3:Bd7"),
    "a game against the engine": async () => {
      await page.click("#menu [data-key=play]");
      await page.click("dialog [data-key=begin]");
    },
    "a game from here": async () => {
      await page.keyboard.press("ArrowLeft");
      await page.click("#menu [data-key=play]");
      await page.click("dialog [data-key=fromHere]");
    },
    "a position that is set up": async () => {
      await page.click("#menu [data-key=setUp]");
      await page.click("#setup [data-key=clearBoard]");
      for (const [brush, at] of [[0, 28], [2, 4]]) {
        await page.locator(".brush-button").nth(brush).click();
        await visitor.click(at);
      }
      await page.waitForFunction(() => !document.querySelector("#setup .said").classList.contains("wrong"));
      await page.click("#setup [data-key=done]");
    },
  };
  await visitor.open("english");
  await playOn(visitor, 3);
  await page.fill("#remarks textarea", "my remark");
  await page.focus("#moves");
  const before = await moves(visitor);
  for (const [what, replace] of Object.entries(replacing)) {
    const old = await visitor.ask(() => soffio.tree.root.position && (window.before = soffio.tree));
    check(old, what);
    await replace();
    await page.waitForFunction(() => soffio.tree !== window.before);
    await notice(visitor, "replaced");
    if (what === "a link") {
      await visitor.picture(file("replaced.png"));
      await visitor.isAccessible("a replaced game");
    }
    await page.click("#notice [data-key=undo]");
    await page.waitForFunction((text) => soffio.tree.line(soffio.tree.root).map((node) => node.text).join(" ") === text, before);
    check(await visitor.ask(() => soffio.tree.line(soffio.tree.root).some(({ comment }) => comment === "my remark")), `${what}: the remark`);
    check(!(await visitor.ask(() => soffio.play.on)), `${what}: nobody plays`);
  }
  // A second undo redoes the replacement, and Ctrl+Z does the same as the button.
  await page.focus("#moves");
  await page.keyboard.press("Control+z");
  await page.waitForFunction((text) => soffio.tree.line(soffio.tree.root).map((node) => node.text).join(" ") !== text, before);
  await page.keyboard.press("Control+z");
  check((await moves(visitor)) === before, "a redo");
  // Without the notice, the game can be found among the earlier games.
  await visitor.open("russian");
  await playOn(visitor, 1);
  await page.click("#menu [data-key=open]");
  await visitor.picture(file("earlier.png"));
  await visitor.isAccessible("earlier games");
  await page.locator("dialog .games button", { hasText: "moves: 3" }).first().click();
  check((await moves(visitor)) === before, "an earlier game");
  // There is nothing to undo if a game of the same list is opened, because the list still contains the previous game.
  await visitor.paste("[White \"a\"]\n[GameType \"21\"]\n\n1. 9-14 22-18 *\n\n[White \"b\"]\n[GameType \"21\"]\n\n1. 11-15 *\n\n");
  await page.locator("dialog .games button").first().click();
  await page.waitForFunction(() => soffio.tree.tag("White") === "a");
  await page.click("#menu [data-key=gamesOf]");
  await page.locator("dialog .games button").last().click();
  await page.waitForFunction(() => soffio.tree.tag("White") === "b");
  check(!(await page.locator("#notice [data-key=undo]").count()), "nothing to undo between games of a list");
  await page.click("#menu [data-key=open]");
  await page.locator("dialog .games button", { hasText: "moves: 3" }).first().click();
  check((await moves(visitor)) === before, "an earlier game after a list");
  // Several empty boards in succession do not displace the game.
  await page.focus("#variant");
  for (let n = 0; n < 3; n += 1) {
    await page.keyboard.press("ArrowDown");
    await page.waitForTimeout(200);
  }
  await page.click("#notice [data-key=undo]");
  await page.waitForFunction((text) => soffio.tree.line(soffio.tree.root).map((node) => node.text).join(" ") === text, before);
  check(!(await page.locator("#notice [data-key=undo]").count()), "an empty board is nothing to bring back");
}

/** Tests that a reload keeps moves after a link, a comment that is being typed, and a position that is being set up. */
export async function reloads(visitor, { address }) {
  const { page } = visitor;
  await page.goto("about:blank");
  await page.goto(`${address}#variant=english&fen=B:W21,22,23,24,K30:B1,2,3,4,K9`);
  await visitor.settle();
  check((await moves(visitor)) === "" && (await visitor.ask(() => soffio.tree.fen.startsWith("B:W21"))), "the link is opened");
  await playOn(visitor, 2);
  await page.click("#remarks textarea");
  await page.keyboard.type("half a rem");
  const before = await visitor.game();
  check(before.includes("half a rem"), before);
  await reload(visitor);
  check((await visitor.game()) === before, `after a reload:\n${await visitor.game()}\n${before}`);
  check((await page.inputValue("#remarks textarea")) === "half a rem", "the comment is there");
  await page.click("#menu [data-key=setUp]");
  await page.click("#setup [data-key=clearBoard]");
  await visitor.click(5);
  const position = await visitor.ask(() => soffio.setUp.position);
  await reload(visitor);
  check((await visitor.ask(() => soffio.setUp.on && soffio.setUp.position)) === position, "the editor stays open");
  await page.click("#setup [data-key=cancel]");
  check((await visitor.game()) === before, "and the game is still there");
  // In another tab, the same link opens the position without moves.
  const other = await visitor.context.newPage();
  await other.goto(`${address}#variant=english&fen=B:W21,22,23,24,K30:B1,2,3,4,K9`);
  await other.waitForFunction(() => window.soffio?.position);
  check((await other.evaluate(() => soffio.tree.root.children.length)) === 0, "another tab has no moves");
  await other.close();
}

/** Tests that a game against the engine continues after a reload with the same clocks and the same level. */
export async function playing(visitor) {
  const { page } = visitor;
  await visitor.open("english");
  await page.click("#menu [data-key=play]");
  await page.locator("dialog select").nth(0).selectOption("black");
  await page.locator("dialog select").nth(1).selectOption("elo 1200");
  await page.locator("dialog select").nth(2).selectOption("5+3");
  await page.click("dialog [data-key=begin]");
  const turn = () => page.waitForFunction(() => soffio.position && soffio.play.on && !soffio.play.isEngines, null, { timeout: 20000 });
  await turn();
  await playOn(visitor, 1);
  await turn();
  await page.waitForTimeout(1500);
  const state = () => visitor.ask(() => ({ ...soffio.play.toJson(), white: soffio.tree.tag("White"), moves: soffio.tree.path().length }));
  const before = await state();
  check(before.left.black < 303000 - 1000, `the clock has run: ${JSON.stringify(before)}`);
  await page.goto("about:blank");
  await page.waitForTimeout(3000);
  await page.goBack();
  await visitor.settle();
  await turn();
  const after = await state();
  const lost = before.left.black - after.left.black;
  check(lost >= 0 && lost < 2500, `the clock stood still while the page was closed: ${lost} ms`);
  check(after.left.white === before.left.white, "and so did that of the engine");
  for (const name of ["side", "level", "white", "moves"]) check(after[name] === before[name], `${name}: ${after[name]} instead of ${before[name]}`);
  check((await page.locator(".player .clock").count()) === 2, "clocks are shown");
  await playOn(visitor, 1);
  await turn();
  check((await state()).moves === before.moves + 2, "the engine has answered");
  // Reload the page while the engine is to move.
  await visitor.ask(() => soffio.playMove(soffio.position.ways[0]));
  await reload(visitor);
  await turn();
  check((await state()).moves === before.moves + 4, "the engine has answered after the reload");
  // If the game is replaced, the replacement can be undone, and the game then continues.
  await visitor.paste("W:W31,K32:B1,2");
  await notice(visitor, "replaced");
  check(!(await visitor.ask(() => soffio.play.on)), "the other game is not played");
  await page.click("#notice [data-key=undo]");
  await turn();
  check((await state()).level === "elo 1200", "the game goes on");
  await page.click("#play [data-key=resign]");
  await page.click("dialog [data-key=resign]");
  await page.waitForFunction(() => !soffio.play.on);
}

/** Tests that each tab keeps its own game, and that changes of settings in any tab are kept. */
export async function tabs(visitor, { address }) {
  const first = visitor.page;
  await visitor.open("english");
  await playOn(visitor, 2);
  const mine = await moves(visitor);
  await keep(visitor);
  const second = await visitor.context.newPage();
  await second.goto(address);
  await second.waitForFunction(() => window.soffio?.position);
  await second.evaluate(() => soffio.openPosition("russian", ""));
  await second.waitForFunction(() => soffio.tree.variant === "russian" && soffio.position);
  await second.evaluate(() => soffio.playMove(soffio.position.ways[0]));
  await second.waitForFunction(() => soffio.tree.current.text);
  await second.evaluate(() => soffio.set("within", 12));
  // The browser shares the storage between tabs with a short delay.
  await first.waitForFunction(() => JSON.parse(localStorage.getItem("soffio-board-settings")).within === 12);
  await visitor.ask(() => soffio.set("lines", 3));
  const theirs = await second.evaluate(() => soffio.tree.current.text);
  await second.waitForTimeout(500);
  await reload(visitor);
  check((await moves(visitor)) === mine, `the first tab has ${await moves(visitor)} instead of ${mine}`);
  await second.reload();
  await second.waitForFunction(() => window.soffio?.position);
  check((await second.evaluate(() => soffio.tree.current.text)) === theirs, "the second tab has its own game");
  const settings = await second.evaluate(() => [soffio.settings.within, soffio.settings.lines].join());
  check(settings === "12,3", `settings of both tabs are kept: ${settings}`);
  await second.close();
  // A new tab starts with the most recent game, and lists the game of the other tab as an earlier game.
  const third = await visitor.context.newPage();
  await third.goto(address);
  await third.waitForFunction(() => window.soffio?.position);
  const all = await third.evaluate(() => [soffio.tree, ...soffio.session.earlier().map(({ game }) => game)].map((game) => (game.nodes ? game.nodes.map(({ text }) => text) : game.line(game.root).map(({ text }) => text)).join(" ")));
  check(all.includes(mine) && all.includes(theirs), `${all.join(" | ")} have not both ${mine} and ${theirs}`);
  await third.close();
  await first.bringToFront();
  await visitor.ask(() => {
    soffio.set("within", 8);
    soffio.set("lines", 1);
  });
}

/** Tests that links accept every spelling of a variant, and that the page reports why a link is invalid. */
export async function links(visitor, { address, file }) {
  const { page } = visitor;
  const go = async (hash) => {
    await page.goto("about:blank");
    await page.goto(address + hash);
    await visitor.settle();
  };
  for (const [name, variant] of [["Russian", "russian"], ["CHECKERS", "english"], ["25", "russian"], ["killer-russian", "killer-russian"]]) {
    await go(`#variant=${name}`);
    check((await visitor.ask(() => soffio.tree.variant)) === variant, `${name} is ${variant}`);
    check((await visitor.notice()).indexOf("Cannot open") < 0, await visitor.notice());
  }
  await visitor.open("english");
  await playOn(visitor, 2);
  const before = await moves(visitor);
  for (const hash of ["#variant=chess", "#variant=russian&fen=W:Wz9:Ba1", "#variant=", "#fen=W:W1:B2", "#nonsense", "#game-99-ply-3", "#variant=russian&fen=hello"]) {
    await visitor.ask((text) => (location.hash = text), hash);
    await notice(visitor, `Cannot open the link ${hash}: `);
    check((await moves(visitor)) === before, `${hash} changed the game`);
    await go(hash);
    await notice(visitor, `Cannot open the link ${hash}: `);
    check(await visitor.ask(() => document.getElementById("notice").classList.contains("wrong")), hash);
    await visitor.ask(() => history.replaceState(null, "", location.pathname));
    if ((await moves(visitor)) !== before) await visitor.ask((text) => soffio.session.show(soffio.session.earlier().find(({ game }) => game.nodes.map((node) => node.text).join(" ") === text)), before);
  }
  await visitor.picture(file("bad-link.png"));
  await page.goto(address);
}

const WON = {
  en: "White has won (0-1)", de: "Weiß hat gewonnen (0-1)", fr: "Les Blancs ont gagné (0-1)", it: "Bianco ha vinto (0-1)", nl: "Wit heeft gewonnen (0-1)",
  pl: "Białe wygrały (0-1)", pt: "As Brancas venceram (0-1)", ru: "Белые: победа (0-1)", tr: "Beyaz kazandı (0-1)",
};

/** Tests that results are shown in words in every language. In English draughts, `0-1` is a win for White. */
export async function results(visitor, { file }) {
  const { page } = visitor;
  const game = (result) => `[White "Ann"]\n[Black "Ben"]\n[GameType "21"]\n[Result "${result}"]\n\n1. 11-15 23-19 ${result}\n\n`;
  for (const [language, words] of Object.entries(WON)) {
    await visitor.ask((code) => soffio.set("language", code), language);
    await reload(visitor);
    await visitor.paste(game("0-1") + game("1/2-1/2"));
    const row = page.locator("dialog .games button").first();
    check((await row.textContent()).includes(words), await row.textContent());
    await row.click();
    await page.waitForFunction(() => soffio.tree.result === "0-1");
    for (const place of ["#facts", "#moves .result", "#remarks option:checked >> nth=-1"]) {
      const text = await page.locator(place).textContent();
      check(text.includes(words), `${place} says ${text} instead of ${words}`);
    }
  }
  await visitor.ask(() => soffio.set("language", "en"));
  await reload(visitor);
  await visitor.picture(file("result.png"));
  await visitor.paste(game("1/2-1/2"));
  await page.waitForFunction(() => document.querySelector("#moves .result")?.textContent === "draw (1/2-1/2)");
  await visitor.paste("[GameType \"20\"]\n\n1. 32-28 19-23 0-1");
  await page.waitForFunction(() => document.querySelector("#moves .result")?.textContent === "Black has won (0-1)");
  for (const tag of ["", "[Result \"2-0\"]\n"]) {
    await visitor.open("international");
    await visitor.paste(`[GameType "20"]\n${tag}\n1. 32-28 19-23 2-0`);
    await page.waitForFunction(() => document.querySelector("#moves .result")?.textContent === "White has won (2-0)");
  }
  await page.locator("#remarks select").last().selectOption("0-1");
  await page.waitForFunction(() => document.querySelector("#moves .result")?.textContent === "Black has won (0-1)");
}

/** Tests that the page never shows lines of two iterations together, whatever the order in which they arrive. */
export async function iterations(visitor) {
  await visitor.open("russian");
  const found = await visitor.ask(async () => {
    const { analysis, settings } = soffio;
    soffio.set("lines", 3);
    const seen = [];
    const draw = analysis.drawLines;
    analysis.drawLines = function () {
      seen.push(this.lines.map(({ depth, pv }) => `${depth} ${pv[0]}`));
      draw.call(this);
    };
    // The test sends the engine's output itself.
    const send = soffio.host.send;
    soffio.host.send = () => {};
    const search = analysis.toggle(true) ?? null;
    const line = (depth, rank, move, more = "") => soffio.talk.hear(`info depth ${depth} seldepth 9 multipv ${rank} score cp ${10 - rank} ${more}nodes 10 nps 10 hashfull 0 tbhits 0 time 1 pv ${move}`.replace("  ", " "));
    const pause = () => new Promise((resolve) => setTimeout(resolve, 150));
    const [a, b, c, d] = ["c3-b4", "c3-d4", "e3-f4", "g3-h4"];
    for (const script of [[[1, 1, a, "lowerbound "]], [[1, 1, a], [1, 2, b], [1, 3, c]], [[2, 1, b]], [[2, 2, c, "upperbound "]], [[2, 2, a]], [[2, 3, d]], [[3, 2, d, "lowerbound "]], [[3, 1, d], [3, 2, c], [3, 3, b]]]) {
      script.forEach((words) => line(...words));
      await pause();
    }
    soffio.talk.hear("bestmove c3-b4");
    soffio.host.send = send;
    analysis.drawLines = draw;
    analysis.toggle(false);
    return [search, seen];
  });
  const shown = [...new Set(found[1].map(String))].filter(Boolean);
  const expected = ["1 c3-b4", "1 c3-b4,1 c3-d4,1 e3-f4", "2 c3-d4,2 c3-b4,2 g3-h4", "3 g3-h4,3 e3-f4,3 c3-d4"];
  check(JSON.stringify(shown) === JSON.stringify(expected), `the page showed ${JSON.stringify(shown)}`);
  await visitor.ask(() => soffio.set("lines", 1));
}

/** Tests that changes to games embedded in the page are kept when another game is opened and after a reload. */
export async function ownGames(browser, address) {
  const visitor = await Visitor.come(browser, `${address}#game-2-ply-1`);
  const { page } = visitor;
  const before = await moves(visitor);
  await page.fill("#remarks textarea", "mine");
  await page.focus("#moves");
  await page.keyboard.press("p");
  await page.waitForFunction(() => soffio.own === 0);
  await page.keyboard.press("n");
  await page.waitForFunction(() => soffio.own === 1);
  check((await visitor.ask(() => soffio.tree.root.children[0].comment)) === "mine", "the comment is there in the same visit");
  await page.keyboard.press("p");
  await reload(visitor);
  check((await visitor.ask(() => soffio.own)) === 0, "the page shows the same game");
  await page.keyboard.press("n");
  check((await visitor.ask(() => soffio.tree.root.children[0].comment)) === "mine" && (await moves(visitor)) === before, "and after a reload");
  await visitor.ask(() => (location.hash = "#game-1-ply-2"));
  await page.waitForFunction(() => soffio.own === 0 && soffio.tree.path().length === 2);
  await visitor.ask(() => (location.hash = "#game-77-ply-2"));
  await notice(visitor, "Cannot open the link #game-77-ply-2: ");
  await visitor.leave();
}


/** Tests that a collection survives other games and a reload, that it can be opened again, and that it can be deleted. */
export async function collections(visitor, { file }) {
  const { page } = visitor;
  const text = (name) => [1, 2, 3].map((n) => `[White "${name} ${n}"]\n[Black "x"]\n[GameType "21"]\n\n1. 11-15 23-19 *\n\n`).join("");
  const first = () => page.locator("dialog .games.long button").first().textContent();
  const stored = (count) => page.waitForFunction(async (n) => (await soffio.files.archive.all()).length === n, count);
  await visitor.ask(async () => {
    for (const { id } of await soffio.files.archive.all()) await soffio.files.archive.forget(id);
  });
  await visitor.drop([...Buffer.from(text("Ann"))], "club.pdn");
  await page.waitForSelector("dialog .games.long button");
  await page.keyboard.press("Escape");
  await stored(1);
  await visitor.paste("[White \"Single\"]\n[GameType \"20\"]\n\n1. 32-28 *");
  await page.waitForFunction(() => soffio.tree.tag("White") === "Single");
  await page.click("#menu [data-key=gamesOf]");
  check((await first()).includes("Ann 1"), "a single game does not replace the collection");
  await page.keyboard.press("Escape");
  await keep(visitor);
  await reload(visitor);
  await page.click("#menu [data-key=gamesOf]");
  await page.waitForSelector("dialog .games.long button");
  check((await first()).includes("Ann 1"), "the collection is there after a reload");
  await page.locator("dialog .games.long button").nth(2).click();
  await page.waitForFunction(() => soffio.tree.tag("White") === "Ann 3");
  await visitor.paste(text("Ben"));
  await page.waitForSelector("dialog .games.long button");
  await page.keyboard.press("Escape");
  await stored(2);
  await page.click("#menu [data-key=open]");
  await page.waitForSelector("dialog .removable");
  await visitor.picture(file("collections.png"));
  await visitor.isAccessible("collections");
  check((await page.locator("dialog .removable").allTextContents()).join().includes("club.pdn"), "the file's name");
  await page.locator("dialog .removable button", { hasText: "club.pdn" }).first().click();
  await page.waitForSelector("dialog .games.long button");
  check((await first()).includes("Ann 1"), "the first collection is back");
  await page.keyboard.press("Escape");
  await page.click("#menu [data-key=open]");
  await page.locator("dialog .removable", { hasText: "club.pdn" }).locator("button").nth(1).click();
  await page.click("dialog [data-key=delete]");
  await stored(1);
}

/** Tests that the games with the position on the board, or with its pieces, are found. */
export async function positions(visitor, { file }) {
  const { page } = visitor;
  const game = (name, text) => `[White "${name}"]\n[Black "x"]\n[GameType "21"]\n\n${text} *\n\n`;
  const count = (n) => page.waitForFunction((number) => !soffio.files.list.shown || document.querySelectorAll("dialog .games.long button").length === number, n);
  await visitor.open("english");
  await visitor.paste(game("Ann", "1. 9-13 22-18 2. 10-14 18x9") + game("Ben", "1. 10-14 22-18 2. 9-13") + game("Cy", "1. 9-13 22-17 2. 13x22"));
  await page.waitForSelector("dialog .games.long button");
  await page.keyboard.press("Escape");
  for (const move of ["9-13", "22-18", "10-14"]) {
    await page.fill("#entry-text", move);
    await page.keyboard.press("Enter");
    await page.waitForFunction((text) => soffio.tree.current.text === text && soffio.position, move);
  }
  await visitor.menu("gamesOf");
  await count(3);
  await page.selectOption(".finder select", "position");
  await count(2);
  const rows = await page.locator("dialog .games.long button").allTextContents();
  check(rows[0].includes("Ann") && rows[0].includes("next: 18x9") && rows[1].includes("Last position"), rows.join("; "));
  check((await page.textContent("dialog .said[role=status]")) === "Games found: 2 · 18x9 (1)", "the summary");
  await visitor.picture(file("positions.png"));
  await visitor.isAccessible("games with a position");
  await page.locator("dialog .games.long button").first().click();
  await page.waitForFunction(() => soffio.tree.tag("White") === "Ann" && soffio.tree.current.ply === 3);
  // A position that is being set up: any game in which the man on 13 and the man on 17 stand at the same time.
  await visitor.menu("setUp");
  await page.click("#setup [data-key=clearBoard]");
  await page.locator(".brush-button").nth(0).click();
  await visitor.click(16);
  await page.locator(".brush-button").nth(2).click();
  await visitor.click(12);
  await visitor.menu("gamesOf");
  await page.selectOption(".finder select", "pieces");
  await count(1);
  check((await page.locator("dialog .games.long button").allTextContents()).join().includes("Cy"), "the game with both men");
  await page.selectOption(".finder select", "all");
  await count(3);
  await page.keyboard.press("Escape");
  await page.click("#setup [data-key=cancel]");
}

/** Tests that a large collection is searched for a position quickly, and that the search can be stopped. */
export async function manyPositions(visitor) {
  const { page } = visitor;
  const game = (n) => `[White "Player ${n}"]\n[GameType "21"]\n\n1. 11-15 23-18 2. 8-11 27-23 3. 4-8 23-19 4. 10-14 19x10 5. 14x23 26x19 6. 7x14 24-20 7. 6-10 ${n % 4 ? "28-24" : "22-17"} *\n\n`;
  const [games, rest] = [8688, 5000];
  await visitor.open("english");
  await visitor.paste(Array.from({ length: games }, (_, n) => game(n)).join(""));
  await page.waitForFunction((n) => soffio.files.list?.isWhole && soffio.files.list.games.length === n, games, { timeout: 60000 });
  await page.locator("dialog .games.long button").first().click();
  await page.waitForFunction(() => soffio.tree.tag("White") === "Player 0");
  await visitor.ask(() => soffio.goToPly(13));
  await visitor.menu("gamesOf");
  const begun = Date.now();
  await page.selectOption(".finder select", "position");
  await page.waitForFunction((n) => document.querySelector("dialog .said[role=status]").textContent.startsWith(`Games found: ${n} · 28-24 (`), games, { timeout: 60000 });
  const took = Date.now() - begun;
  check((await page.textContent("dialog .said[role=status]")).includes(`22-17 (${games / 4})`), "the next moves");
  await page.selectOption(".finder select", "pieces");
  await page.click(".finder [data-key=stop]");
  await page.locator(".finder [data-key=stop]").waitFor({ state: "hidden" });
  const words = await page.textContent("dialog .said[role=status]");
  check(parseInt(words.replace(/\D*/, ""), 10) < rest + games, `the search was not stopped: ${words}`);
  await page.keyboard.press("Escape");
  return `${games} games are searched for a position in ${took} ms`;
}
