// Tests what a first visitor does without reading the documents: plays a game on a phone, finds the mistake in a game,
// sets up a diagram, compares two moves, and sends a game to a friend.
import { Visitor, check } from "./visitor.mjs";

const PHONE = { viewport: { width: 375, height: 800 }, hasTouch: true, isMobile: true };
const GAME = "[White \"Ann\"]\n[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 22-17 3. 9-14 25-22 4. 14-18 *";

const noticed = (page, words) => page.waitForFunction((text) => document.getElementById("notice").textContent.includes(text), words);
const inView = (page, selector) => page.evaluate((name) => {
  const { top, bottom, left, right } = document.querySelector(name).getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && bottom > top;
}, selector);

async function paste(visitor) {
  await visitor.open("english");
  await visitor.paste(GAME);
  await visitor.page.waitForFunction(() => soffio.tree.line(soffio.tree.root).length === 7 && soffio.position);
}

/** Opens the page on a phone, where `act` uses it. */
async function onPhone({ context }, address, act, options = PHONE) {
  const visitor = await Visitor.come(context.browser(), address, options);
  await act(visitor, visitor.page);
  await visitor.leave();
}

/** Tests that a first visit begins with the draughts of the language, unless a variant has been chosen. */
export async function firstVariant(visitor, { address }) {
  for (const [locale, variant] of [["it-IT", "italian"], ["ru-RU", "russian"], ["nl-NL", "international"], ["pt-BR", "brazilian"], ["tr-TR", "turkish"], ["de-DE", "international"], ["pl-PL", "english"], ["en-GB", "english"]]) {
    await onPhone(visitor, address, async (phone, page) => {
      check((await phone.ask(() => soffio.tree.variant)) === variant, `${locale} begins with ${await phone.ask(() => soffio.tree.variant)}`);
      await page.selectOption("#variant", "frisian");
      await page.waitForFunction(() => soffio.tree.variant === "frisian" && soffio.position);
      const other = await phone.context.newPage();
      await other.goto(address);
      await other.waitForFunction(() => window.soffio?.position);
      check((await other.evaluate(() => soffio.tree.variant)) === "frisian", "the chosen variant wins");
      await other.close();
    }, { ...PHONE, locale });
  }
}

/** Tests that a game is offered on the first screen of a phone, and that its result stays visible. */
export async function firstGame(visitor, { address }) {
  await onPhone(visitor, address, async (phone, page) => {
    await phone.open("english");
    check(await inView(page, "#analysis [data-key=playStart]"), "a game is offered");
    check(!(await page.isVisible("[data-key=annotate]")) && !(await page.isVisible("[data-key=practise]")), "an empty game has no mistakes");
    await page.tap("#analysis [data-key=playStart]");
    check((await page.locator("dialog [data-key=fromHere]").count()) === 0, "there is no other position to play from");
    const levels = await page.locator("dialog select").nth(1).locator("option").allTextContents();
    check(levels.includes("Medium"), `levels: ${levels}`);
    await page.tap("dialog [data-key=begin]");
    await page.waitForFunction(() => soffio.play.on && soffio.position?.side === "white" && !soffio.play.isEngines);
    check((await phone.ask(() => getComputedStyle(document.getElementById("evaluation")).visibility)) === "hidden", "a game has no evaluation");
    await page.tap("#play [data-key=resign]");
    await page.tap("dialog [data-key=resign]");
    await page.waitForFunction(() => document.querySelector("#play h2")?.textContent === "Black has won: resignation.");
    check(await inView(page, "#play [data-key=rematch]"), "a rematch is offered");
    check(await page.isVisible("[data-key=annotate]"), "the game can be checked for mistakes");
    await phone.menu("play");
    check((await page.locator("dialog [data-key=fromHere]").count()) === 1, "the position can be played on");
    await page.keyboard.press("Escape");
  });
}

/** Tests that the search for mistakes leads to each of them, and shows it on the board with the better move. */
export async function firstMistake(visitor, { address }) {
  const { page } = visitor;
  await paste(visitor);
  const place = () => visitor.ask(() => document.querySelector("[data-key=findWin]").getBoundingClientRect().left);
  const before = await place();
  await page.click("[data-key=annotate]");
  await page.waitForFunction(() => document.querySelector("[data-key=annotate]").textContent === "Stop");
  check((await place()) === before, "the buttons stay where they are");
  await noticed(page, "The game is annotated.");
  const all = await visitor.ask(() => soffio.tree.line(soffio.tree.root).filter(({ glyphs }) => glyphs.some((glyph) => [2, 4, 6].includes(glyph))).map(({ ply }) => ply));
  check(all.length, "there are mistakes");
  await page.click("#notice [data-key=nextMistake]");
  const shown = [];
  for (const [at, ply] of all.entries()) {
    if (at) await page.click("#report [data-key=nextMistake]");
    await page.waitForFunction((n) => soffio.tree.current.ply === n - 1 && soffio.position, ply);
    shown.push(await visitor.ask(() => [...document.querySelectorAll(".arrows .arrow")].map((arrow) => arrow.classList[2]).join()));
  }
  check(shown.every((arrows) => arrows === "green,red"), `arrows: ${shown.join(" ")}`);
  await page.click("#report [data-key=nextMistake]");
  await page.waitForFunction((n) => soffio.tree.current.ply === n - 1, all[0]);
  await page.click("#controls [data-key=next]");
  const [sign, glyphs] = await visitor.ask(() => [document.querySelector(".sign-mark")?.textContent, document.querySelector("#moves [aria-current]").textContent]);
  check(sign && glyphs.includes(sign), `${sign} on the board, ${glyphs} in the list`);
  await visitor.isAccessible("a mistake");
  await page.keyboard.press("Home");
  check((await page.locator(".sign-mark").count()) === 0, "the start position has no mark");
  check((await page.locator(".arrows .arrow").count()) === 0, "good moves have no arrows");
  await onPhone(visitor, address, async (phone, screen) => {
    await paste(phone);
    await phone.ask(() => soffio.change(() => soffio.tree.root.children[0].glyphs.push(4)));
    check(!(await screen.isVisible("#report")), "the report does not push the moves out of view");
    await screen.tap("#report-box summary");
    await phone.ask(() => document.querySelector("#report [data-key=nextMistake]").scrollIntoView());
    await screen.tap("#report [data-key=nextMistake]");
    check(await inView(screen, "#board svg"), "the board is in view");
  });
}

/** Tests that setting up a diagram fits on a phone, and that the FEN shows what is on the board, legal or not. */
export async function firstDiagram(visitor, { address, file }) {
  await onPhone(visitor, address, async (phone, page) => {
    await phone.open("english");
    await phone.ask(() => scrollTo(0, 300));
    await phone.menu("setUp");
    for (const selector of [".top h1", "#board svg", ".brush-button", "#setup .said", "#setup [data-key=done]"]) check(await inView(page, selector), `${selector} is in view`);
    check(!(await page.isVisible(".with-mouse")), "a phone has no right button");
    await page.tap("#setup [data-key=clearBoard]");
    await page.waitForFunction(() => document.querySelector(".setup-fen").value === "B:W:B");
    const tap = async (name) => page.touchscreen.tap(...(await phone.place(await phone.ask((text) => soffio.view.named(text), name))));
    await page.locator(".brush-button").nth(1).tap();
    await tap("18");
    await page.waitForFunction(() => document.querySelector(".setup-fen").value === "B:WK18:B");
    await page.locator(".brush-button").nth(2).tap();
    await tap("3");
    await page.waitForFunction(() => document.querySelector(".setup-fen").value === "B:WK18:B3");
    check((await page.locator(".brush .piece").count()) === 4, "the brushes are pieces");
    await page.tap("#setup [data-key=flip]");
    check(await phone.ask(() => soffio.settings.flipped), "the board is turned");
    await phone.isAccessible("a diagram");
    await phone.picture(file("diagram.png"));
    await page.tap("#setup [data-key=done]");
    await page.waitForFunction(() => soffio.position?.fen.startsWith("B:WK18:B3"));
    check(await inView(page, "#player-top"), "the whole board is in view");
    await phone.ask(() => soffio.flip());
  });
}

/** Tests that moves can be compared: lines are numbered like their arrows, and moves get their score at once. */
export async function firstComparison(visitor) {
  const { page } = visitor;
  await visitor.open("english");
  await visitor.ask(() => {
    soffio.set("lines", 3);
    soffio.analysis.build();
    soffio.analysis.toggle(true);
  });
  await page.waitForFunction(() => document.querySelectorAll("#analysis .lines li").length === 3 && document.querySelectorAll(".arrow .label").length === 3);
  check((await page.locator(".lines .number-of").allTextContents()).join() === "1,2,3", "the lines are numbered");
  for (const move of ["12-16", "9-13"]) {
    await page.fill("#entry-text", move);
    await page.keyboard.press("Enter");
    await page.waitForFunction((text) => soffio.tree.current.text === text && document.querySelector("#moves [aria-current] .score")?.textContent, move);
    await page.click("#controls [data-key=previous]");
    await page.waitForFunction(() => !soffio.tree.current.parent && soffio.position);
  }
  check((await page.locator("#moves .move .score").count()) === 2, "both moves have a score");
  // The move on the board stays visible when the lines take space from the list.
  await visitor.ask(() => soffio.analysis.toggle(false));
  await page.setViewportSize({ width: 1280, height: 700 });
  await visitor.paste("[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 *");
  await page.waitForFunction(() => soffio.tree.variant === "international" && soffio.tree.root.children.length && soffio.position);
  await page.keyboard.press("End");
  await visitor.ask(() => {
    soffio.set("lines", 5);
    soffio.analysis.build();
    soffio.analysis.toggle(true);
  });
  await page.waitForFunction(() => soffio.analysis.lines.length);
  await page.waitForTimeout(300);
  const [move, list] = await visitor.ask(() => ["#moves [aria-current]", "#moves"].map((name) => document.querySelector(name).getBoundingClientRect().toJSON()));
  check(move.top >= list.top - 1 && move.bottom <= list.bottom + 1, `the move at ${move.top} is not in the list from ${list.top} to ${list.bottom}`);
  await visitor.ask(() => {
    soffio.analysis.toggle(false);
    soffio.set("lines", 1);
    soffio.analysis.build();
  });
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** Tests that a game can be sent from a phone: by its text, because links to a local page work on no other device. */
export async function firstFriend(visitor, { address }) {
  await onPhone(visitor, address, async (phone, page) => {
    await paste(phone);
    await phone.ask(() => (navigator.share = async (what) => (window.sent = what)));
    await phone.menu("share");
    check(await inView(page, "dialog [data-key=sendGame]"), "the game can be sent");
    check(!(await page.isVisible("dialog textarea")), "nothing has been copied yet");
    check((await page.textContent("dialog .note")).includes("only on this computer"), "the links are local");
    await page.tap("dialog [data-key=sendGame]");
    await page.waitForFunction(() => window.sent);
    check((await phone.ask(() => window.sent.text)).includes("[White \"Ann\"]") && !(await phone.ask(() => window.sent.url)), "the text of the game is sent");
    await phone.isAccessible("share");
    await page.tap("dialog [data-key=copyPdn]");
    await page.waitForFunction(() => document.querySelector("dialog textarea").value.includes("11-15"));
    check(await page.isVisible("dialog textarea"), "the copied text is shown");
    await page.keyboard.press("Escape");
    await phone.menu("open");
    check(await inView(page, "dialog .file-button"), "a file can be chosen");
    await page.keyboard.press("Escape");
  });
}

/** Tests that no square has two numbers, and that marks do not cover them. */
export async function numbers(visitor) {
  for (const variant of ["english", "international", "frisian"]) {
    await visitor.open(variant);
    const [names, squares] = await visitor.ask(() => [[...document.querySelectorAll("#board .edge, #board .number")].map((node) => node.textContent), soffio.board.squares.length]);
    check(names.length === squares && new Set(names).size === squares, `${variant}: ${names.length} numbers for ${squares} squares`);
  }
  const order = await visitor.ask(() => [...soffio.view.svg.children].map((layer) => layer.getAttribute("class")));
  check(order.indexOf("numbers") > order.indexOf("marks"), `layers: ${order}`);
}

/** Tests that a connection to the program that never opens is reported. */
export async function blocked(visitor, { address }) {
  if (!address.startsWith("http")) return;
  const page = await visitor.context.newPage();
  await page.addInitScript(() => {
    window.WebSocket = class extends EventTarget {
      static OPEN = 1;
      static CONNECTING = 0;
      readyState = 3;
      constructor() {
        super();
        setTimeout(() => this.onclose?.(), 50);
      }
      close() {}
    };
  });
  await page.goto(address);
  await noticed(page, "The engine is not responding.");
  await page.close();
}

/** Tests a page with a single puzzle: its task fits on a phone, and it offers neither other puzzles nor the moves. */
export async function onePuzzle(browser, address) {
  for (const viewport of [PHONE.viewport, { width: 800, height: 375 }, { width: 1280, height: 800 }]) {
    const visitor = await Visitor.come(browser, address, { ...PHONE, viewport });
    const { page } = visitor;
    check(await inView(page, "#puzzle [data-key=solution]"), `${viewport.width}: the task is in view`);
    check((await page.locator("#puzzle [data-key=nextPuzzle], #puzzle [data-key=previousPuzzle]").count()) === 0, "there are no other puzzles");
    check(!(await page.isVisible("#controls")) && !(await page.textContent("#puzzle")).includes("0 of 0"), "nothing useless is shown");
    if (viewport.width === 375) check(await visitor.ask(() => document.getElementById("title").scrollWidth <= document.getElementById("title").clientWidth), "the title is not cut");
    await visitor.fits();
    await visitor.isAccessible("a puzzle");
    await visitor.ask(() => {
      const [{ route }] = soffio.puzzles.ways;
      soffio.input.on.wrong(route[0], route[0]);
    });
    check(/ cannot go to /.test(await visitor.notice()) && (await visitor.ask(() => soffio.puzzles.clean)), "an illegal move is not an attempt");
    await page.tap("#puzzle [data-key=solution]");
    check((await page.isVisible("#controls")) && (await page.isVisible("#moves")), "the solution is shown");
    await page.tap("#puzzle [data-key=tryAgain]");
    check(!(await page.isVisible("#moves")) && (await page.isVisible("#puzzle [data-key=hint]")), "the puzzle can be tried again");
    await visitor.leave();
  }
}
