// Tests the usability of the board: the pointer, the messages, the layout, setting up positions, games and collections.
import { Visitor, check } from "./visitor.mjs";

const noticed = (page, words) => page.waitForFunction((text) => document.getElementById("notice").textContent.includes(text), words);
const named = (visitor, name) => visitor.ask((text) => soffio.view.named(text), name);
const dragTo = async (visitor, from, to) => visitor.drag(await named(visitor, from), await named(visitor, to));

/** Tests that the focus ring and the cursor appear only when the keyboard is used. */
export async function pointer(visitor) {
  const { page } = visitor;
  await visitor.open("english");
  const state = () => visitor.ask(() => [document.querySelectorAll(".cursor rect").length, getComputedStyle(document.getElementById("board")).outlineStyle].join());
  await visitor.click(await named(visitor, "11"));
  check((await state()) === "0,none", `after a click: ${await state()}`);
  await page.keyboard.press("ArrowUp");
  check((await state()).startsWith("1,"), "the keyboard shows a cursor");
  await visitor.click(await named(visitor, "11"));
  check((await state()) === "0,none", `after keys and a click: ${await state()}`);
  await visitor.play((await visitor.ask(() => soffio.position.ways))[0], "drag");
  for (const [key, ply] of [["ArrowLeft", 0], ["ArrowRight", 1]]) {
    await page.keyboard.press(key);
    await page.waitForFunction((count) => soffio.tree.current.ply === count && soffio.position, ply);
  }
  check((await state()) === "0,none", `after a drag, the keys step through the game: ${await state()}`);
  await page.keyboard.press("Enter");
  check((await state()).startsWith("1,"), "Enter shows the cursor");
}

/** Tests that a message on the player's strip explains why a piece cannot move, or why a drag to a square is illegal. */
export async function sentences(visitor) {
  const { page } = visitor;
  await visitor.open("english", "W:W22,30,31:B1,18,19,27");
  const over = async (words) => {
    await noticed(page, words);
    const [notice, board] = await visitor.ask(() => ["notice", "board"].map((id) => document.getElementById(id).getBoundingClientRect().toJSON()));
    check(notice.top >= 0 && notice.bottom <= board.top + 1 && notice.width > 50, `the notice stands at ${notice.top} to ${notice.bottom}`);
    await visitor.ask(() => soffio.input.reset());
  };
  await visitor.click(await named(visitor, "30"));
  await over("The piece on 30 cannot move now: a different capture is compulsory.");
  await visitor.click(await named(visitor, "19"));
  await over("White to move");
  await dragTo(visitor, "30", "26");
  await over("30-26");
  await visitor.open("english");
  await visitor.click(await named(visitor, "1"));
  await over("The piece on 1 cannot move.");
  await dragTo(visitor, "11", "18");
  await over("11-18");
  await dragTo(visitor, "11", "15");
  await page.waitForFunction(() => document.getElementById("notice").textContent === "");
}

const GAME = "[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 *";

/** Starts the analysis of a game with five lines. */
async function analyseGame(visitor) {
  const { page } = visitor;
  await visitor.paste(GAME);
  await page.waitForFunction(() => soffio.tree.variant === "international" && soffio.tree.root.children.length && soffio.position);
  await visitor.ask(() => {
    soffio.set("lines", 5);
    soffio.analysis.build();
    soffio.analysis.toggle(true);
  });
  // The lines must be on the page: when they first appear, the panels move.
  await page.waitForFunction(() => document.querySelectorAll("#analysis .lines li").length === 5, null, { timeout: 20000 });
  await visitor.ask(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Steps through the game, and returns the layout shift. The list of moves must stay where it is. */
async function stepThrough(visitor) {
  const { page } = visitor;
  await visitor.ask(() => {
    window.shifts = [];
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shifts.push(entry.value))).observe({ type: "layout-shift", buffered: false });
  });
  const tops = new Set();
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press("ArrowRight");
    for (let look = 0; look < 6; look += 1) {
      tops.add(await visitor.ask(() => Math.round(document.getElementById("moves").getBoundingClientRect().top)));
      await page.waitForTimeout(50);
    }
  }
  const shift = (await visitor.ask(() => window.shifts)).reduce((sum, value) => sum + value, 0);
  check(tops.size === 1, `the moves stand at ${[...tops]}`);
  check(shift < 0.05, `layout shift ${shift}`);
  return shift;
}

/** Tests that the layout stays fixed when the user steps through a game with five lines of analysis. */
export async function steady(visitor) {
  await analyseGame(visitor);
  const shift = await stepThrough(visitor);
  await visitor.ask(() => {
    soffio.analysis.toggle(false);
    soffio.set("lines", 1);
    soffio.analysis.build();
  });
  return `layout shift ${shift.toFixed(4)} in eight steps`;
}

/** Runs in the page of a phone in landscape, and returns the faults of its layout. */
function landscapeFaults() {
  const faults = [];
  const names = ["#board svg", ".top", "#moves", "#controls", "#analysis .lines", "#moves [aria-current]"];
  const [board, top, moves, controls, lines, move] = names.map((name) => document.querySelector(name).getBoundingClientRect());
  const panels = document.querySelector(".panels");
  const panel = panels.getBoundingClientRect();
  const isInside = (inner, outer) => inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1 && inner.left >= outer.left - 1 && inner.right <= outer.right + 1;
  const screen = { top: 0, left: 0, bottom: innerHeight, right: innerWidth };
  for (const [at, box] of [board, top, moves, controls, lines].entries()) if (!isInside(box, screen)) faults.push(`${names[at]} is cut: ${JSON.stringify(box)}`);
  for (const [name, box] of [["the moves", moves], ["the lines", lines]]) if (!isInside(box, panel)) faults.push(`${name} are not in the panel`);
  if (!isInside(move, moves)) faults.push("the move on the board is not in view");
  if (moves.height < 90) faults.push(`the moves have ${moves.height} pixels`);
  if (moves.left < lines.right) faults.push("the moves are not beside the lines");
  if (panel.top < top.bottom - 1 || panel.bottom > controls.top || panel.left < board.right) faults.push("the panel overlaps");
  const root = document.documentElement;
  for (const [name, { scrollHeight, clientHeight, scrollWidth, clientWidth }] of [["page", root], ["panel", panels], ["game", document.getElementById("game")]]) {
    if (scrollHeight > clientHeight || scrollWidth > clientWidth) faults.push(`the ${name} has ${scrollWidth}x${scrollHeight} pixels, but shows ${clientWidth}x${clientHeight}`);
  }
  // The strips of the players are above and below the board.
  const strips = [...document.querySelectorAll(".player")].reduce((sum, strip) => sum + strip.offsetHeight, 0);
  if (board.height < innerHeight - strips - 8) faults.push(`the board has ${board.height} pixels`);
  return faults;
}

/**
 * Tests that a phone in landscape shows the board, five lines of analysis, the moves and the navigation at once: nothing
 * overlaps, and neither the page nor its side panel has to be scrolled.
 */
export async function landscape(visitor, { address, file }) {
  const found = [];
  for (const [width, height] of [[800, 375], [667, 375]]) {
    for (const colorScheme of ["light", "dark"]) {
      const phone = await Visitor.come(visitor.context.browser(), address, { viewport: { width, height }, colorScheme, hasTouch: true, isMobile: true });
      const where = `${width}x${height} ${colorScheme}`;
      await phone.ask(() => (document.getElementById("remarks-box").open = false));
      await analyseGame(phone);
      const shift = await stepThrough(phone);
      for (const language of ["de", "fr", "it", "nl", "pl", "pt", "ru", "tr", "en"]) {
        await phone.menu("settings");
        await phone.page.locator("dialog select").nth(0).selectOption(language);
        await phone.page.keyboard.press("Escape");
        await phone.page.waitForFunction(() => document.querySelectorAll("#analysis .lines li").length === 5 && !document.querySelector(".lines.old"));
        const faults = await phone.ask(landscapeFaults);
        check(!faults.length, `${where} ${language}: ${faults.join(", ")}`);
      }
      await phone.picture(file(`landscape-${width}-${colorScheme}.png`));
      await phone.isAccessible(where);
      await phone.leave();
      found.push(`${where}: layout shift ${shift.toFixed(4)}`);
    }
  }
  return found.join(", ");
}

/**
 * Tests that the board is square, comes first and is never cut off, that square numbers have at least eleven pixels
 * and are never half hidden, and that black men are easy to see.
 */
export async function layouts(browser, address) {
  const found = [];
  for (const [width, height] of [[1280, 800], [1920, 1080], [1000, 700], [800, 375], [375, 800], [375, 640], [768, 1024]]) {
    for (const colorScheme of ["light", "dark"]) {
      const visitor = await Visitor.come(browser, address, { viewport: { width, height }, colorScheme });
      const where = `${width}x${height} ${colorScheme}`;
      for (const variant of ["international", "turkish", "spantsiretti"]) {
        await visitor.open(variant);
        await visitor.page.waitForTimeout(60);
        const box = await visitor.ask(() => document.querySelector("#board svg").getBoundingClientRect().toJSON());
        check(box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height, `${where}: the board of ${variant} is cut: ${JSON.stringify(box)}`);
        const [ratio, least] = await visitor.ask(() => [soffio.view.svg.viewBox.baseVal.width / soffio.view.svg.viewBox.baseVal.height, Math.min(...[...document.querySelectorAll(".edge, .number")].map((node) => parseFloat(getComputedStyle(node).fontSize) * soffio.view.svg.getScreenCTM().a))]);
        check(Math.abs(box.width / box.height - ratio) < 0.02, `${where}: the board of ${variant} is ${box.width} by ${box.height}`);
        check(least > 10.9, `${where}: numbers of ${least} pixels`);
        if (variant === "international") found.push(`${where} ${Math.round(box.width)}`);
      }
      const half = await visitor.ask(() => [...document.querySelectorAll(".number:not([hidden])")].filter((node) => soffio.view.piece(Number(node.dataset.name)) !== "e").length);
      check(!half, `${where}: ${half} numbers under men`);
      const [side, board] = await visitor.ask(() => [".panels", "#board"].map((name) => document.querySelector(name).getBoundingClientRect().toJSON()));
      check(width > height ? side.left >= board.right : side.top >= board.bottom, `${where}: the columns`);
      for (const colours of ["wood", "blue", "green", "slate", "print", "contrast"]) {
        await visitor.ask((name) => (document.documentElement.dataset.colours = name), colours);
        const contrast = await visitor.ask(() => {
          const light = (selector) => {
            const [r, g, b] = getComputedStyle(document.querySelector(selector)).fill.match(/[\d.]+/g).map((part) => (part / 255 <= 0.03928 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
          };
          soffio.view.show(soffio.board.position);
          return light(".ground .dark:not(.lined), .ground .lined") / light(".piece.black .top");
        });
        check(contrast >= 3, `${where}: black men on ${colours} have contrast ${contrast.toFixed(2)}`);
      }
      await visitor.leave();
    }
  }
  return found.join(", ");
}

/**
 * Tests that during a game, flipping the board takes no time from the clock, the page shows that the engine is
 * searching, and earlier moves can be viewed without affecting the game.
 */
export async function inGame(visitor) {
  const { page } = visitor;
  await visitor.open("english");
  await visitor.ask(() => {
    soffio.set("play", { side: "white", level: "easy", time: "5+3" });
    return soffio.play.begin(true);
  });
  await page.waitForFunction(() => soffio.position && soffio.play.running);
  const left = () => visitor.ask(() => soffio.play.clock(soffio.play.running));
  check(!(await page.isVisible("#analysis")), "nothing is analysed in a game");
  await page.keyboard.press("a");
  check(!(await visitor.ask(() => soffio.analysis.on)), "not by its key either");
  const turn = () => page.waitForFunction(() => soffio.play.on && !soffio.play.isEngines && soffio.position?.side === "white" && soffio.play.running === "white", null, { timeout: 20000 });
  await turn();
  await page.waitForTimeout(1200);
  const before = await left();
  await page.keyboard.press("f");
  await page.waitForTimeout(200);
  check((await left()) < before && (await left()) > before - 1500, `F gives time back: ${before} to ${await left()}`);
  await page.keyboard.press("f");
  // The engine takes a long time here, so that the test can see that it is searching.
  await visitor.ask(() => {
    soffio.play.level = "full";
    soffio.playMove(soffio.position.ways[0]);
  });
  await page.waitForSelector(".player .thinking");
  await turn();
  check(!(await page.locator(".thinking").count()), "it has thought");
  const plies = await visitor.ask(() => soffio.tree.line(soffio.tree.root).length);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => soffio.isBack && soffio.position);
  check(await visitor.ask(() => soffio.play.on && soffio.play.running === "white"), "the game and its clock go on");
  await visitor.click(await visitor.ask(() => [...soffio.tree.current.position].slice(1).findIndex((letter) => letter === "w")));
  await noticed(page, "earlier position");
  await visitor.ask(() => (document.getElementById("notice").textContent = ""));
  await page.fill("#entry-text", "1-2");
  await page.keyboard.press("Enter");
  await noticed(page, "earlier position");
  check((await page.inputValue("#entry-text")) === "1-2", "the typed move is still there");
  await page.fill("#entry-text", "");
  await page.focus("#moves");
  await page.keyboard.press("End");
  await page.waitForFunction(() => !soffio.isBack && soffio.position?.ways.length);
  await visitor.play((await visitor.ask(() => soffio.position.ways))[0], "click");
  await turn();
  check((await visitor.ask(() => soffio.tree.line(soffio.tree.root).length)) === plies + 2, "the game goes on");
  const times = await visitor.ask((ply) => soffio.play.times[ply], plies);
  await page.click("#play [data-key=takeBack]");
  await page.waitForFunction((count) => soffio.tree.line(soffio.tree.root).length === count && soffio.play.running === "white", plies);
  const again = await visitor.ask(() => soffio.play.left);
  check(JSON.stringify(again) === JSON.stringify(times), `taking back sets the clocks to ${JSON.stringify(again)} instead of ${JSON.stringify(times)}`);
  await page.click("#play [data-key=endPlay]");
}

/** Tests that a search for a win can be stopped. */
export async function stopWin(visitor) {
  const { page } = visitor;
  await visitor.open("international");
  await visitor.ask(() => soffio.set("within", 40));
  await page.click("[data-key=findWin]");
  await page.waitForFunction(() => document.querySelector("[data-key=findWin]").textContent === "Stop");
  await page.click("[data-key=findWin]");
  await page.waitForFunction(() => document.querySelector("[data-key=findWin]").textContent === "Find a win" && !soffio.talk.running);
  check((await visitor.notice()) === "", "and leaves nothing behind");
  await visitor.ask(() => soffio.set("within", 8));
}

/**
 * Tests that men can be dragged, painted, placed with the right button and read from text, and that the counts and
 * the side to move are updated.
 */
export async function placing(visitor) {
  const { page } = visitor;
  await visitor.open("international");
  await page.click("#menu [data-key=setUp]");
  const has = async (name, letter) => {
    const at = await named(visitor, name);
    const found = await visitor.ask((square) => soffio.setUp.position[square + 1], at);
    check(found === letter, `${found} on ${name} instead of ${letter}`);
  };
  await dragTo(visitor, "31", "26");
  await has("31", "e");
  await has("26", "w");
  await page.mouse.move(...(await visitor.place(await named(visitor, "20"))));
  await page.mouse.down();
  await page.mouse.move(5, 300, { steps: 4 });
  await page.mouse.up();
  await has("20", "e");
  check((await page.textContent("#player-top .count")) === "× 19", "the count follows");
  await page.click("#setup [data-key=clearBoard]");
  await page.mouse.move(...(await visitor.place(await named(visitor, "46"))));
  await page.mouse.down();
  for (const name of ["41", "37", "32"]) await page.mouse.move(...(await visitor.place(await named(visitor, name))), { steps: 6 });
  await page.mouse.up();
  for (const name of ["46", "41", "37", "32"]) await has(name, "w");
  await page.mouse.click(...(await visitor.place(await named(visitor, "9"))), { button: "right" });
  await has("9", "b");
  await page.selectOption("#setup .tools select", "B");
  check((await page.textContent("#turn")).startsWith("Black"), "the side to move follows");
  await page.waitForFunction(() => document.querySelector("#setup .setup-fen").value === "B:W32,37,41,46:B9");
  await page.fill("#setup .setup-fen", "W:W50,K49:B1,2");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => soffio.setUp.position.startsWith("Wbb"));
  await has("49", "W");
  await page.fill("#setup .setup-fen", "W:W50,K49:B1,2:H7:F20");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => soffio.setUp.answer.fen === "W:WK49,50:B1,2:H7:F20");
  await page.selectOption("#setup .tools select", "B");
  await page.waitForFunction(() => soffio.setUp.answer.fen === "B:WK49,50:B1,2");
  await page.selectOption("#setup .tools select", "W");
  await page.waitForFunction(() => soffio.setUp.answer.fen === "W:WK49,50:B1,2:H7:F20");
  await page.fill("#setup .setup-fen", "W:W5:B1,2");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#setup .said").classList.contains("wrong"));
  const said = await page.textContent("#setup .said");
  check(/^[A-Z]/.test(said) && !/^fen/i.test(said), said);
  await page.click("#setup [data-key=cancel]");
}

/** Tests that a position of a larger board offers the games on it, and that a pasted game can begin with a FEN. */
export async function pasted(visitor) {
  const { page } = visitor;
  await visitor.open("english");
  await visitor.paste("W:W31,50:B6,7,K5");
  await page.waitForSelector("dialog .games button");
  const offered = await page.locator("dialog .games button").allTextContents();
  check(offered.includes("International") && !offered.includes("Russian"), offered.join());
  await page.locator("dialog .games button", { hasText: /^International$/ }).click();
  await page.waitForFunction(() => soffio.tree.variant === "international" && soffio.position?.fen.startsWith("W:W31,50"));
  await visitor.paste("[FEN \"W:W31,50:B6,7,K5\"]\n[GameType \"20\"]\n\n1. 31-27 7-12 *");
  await page.waitForFunction(() => soffio.tree.root.children[0]?.text === "31-27");
  await visitor.drop([...Buffer.from("[FEN \"W:W31,50:B6,7,K5\"]\n[GameType \"20\"]\n\n1. 31-26 *\n")], "game.pdn");
  await page.waitForFunction(() => soffio.tree.root.children[0]?.text === "31-26");
  await visitor.drop([...Buffer.from("[FEN \"B:W18,K32:B1,K7\"]\n[GameType \"21\"]\n\n1. 7-11 *\n", "utf16le")], "game.pdn");
  await page.waitForFunction(() => soffio.tree.root.children[0]?.text === "7-11" && soffio.tree.number(soffio.tree.root.children[0]) === "1.");
  await visitor.paste("[FEN \"W:W32:B19\"]");
  await page.waitForFunction(() => soffio.tree.root.children.length === 0 && soffio.tree.fen.startsWith("W:W32"));
}

/** Tests that a list of thousands of games appears at once, shows the reading progress, and is filtered immediately. */
export async function thousands(visitor) {
  const { page } = visitor;
  const count = 8688;
  const text = Array.from({ length: count }, (_, n) => `[White "Player ${n}"]\n[Black "Other"]\n[GameType "21"]\n\n1. 11-15 23-19 2. 8-11 22-17 3. 4-8 25-22 4. 11-16 24-20 *\n\n`).join("");
  await visitor.ask(() => {
    window.progress = new Set();
    const look = () => window.progress.add(document.querySelector("dialog [role=status]")?.textContent);
    new MutationObserver(look).observe(document.getElementById("dialogs"), { childList: true, subtree: true });
  });
  const begun = Date.now();
  await visitor.paste(text);
  await page.waitForSelector("dialog .games button");
  const first = Date.now() - begun;
  await page.waitForFunction((all) => soffio.files.list.isWhole && soffio.files.list.games.length === all, count, { timeout: 120000 });
  const whole = Date.now() - begun;
  const progress = await visitor.ask(() => [...window.progress]);
  check(progress.some((said) => said?.startsWith("Reading")), `the list says ${progress}`);
  const key = await visitor.ask(() => {
    const filter = document.querySelector("dialog input[type=search]");
    const begun = performance.now();
    filter.value = "player 8123";
    filter.dispatchEvent(new Event("input"));
    document.querySelector("dialog .games").getBoundingClientRect();
    return performance.now() - begun;
  });
  check(key < 100, `the filter takes ${key} ms`);
  check((await page.locator("dialog .games button").count()) === 2, "games 8123 and of player 8123 are found");
  for (const [words, found] of [["11-15 23-19 8-11", count], ["11-15 23-18", 0], ["", count]]) {
    await page.fill("dialog input[type=search]", words);
    await page.waitForFunction((n) => parseFloat(document.querySelector("dialog .games ol").style.height) === 52 * n, found);
  }
  await visitor.ask(() => (document.querySelector("dialog .games").scrollTop = 1e6));
  await page.locator("dialog .games button", { hasText: `Player ${count - 1} ` }).waitFor();
  const rows = await page.locator("dialog .games li").count();
  check(rows < 50, `${rows} rows are drawn`);
  await visitor.fits();
  await visitor.isAccessible("a collection");
  await page.keyboard.press("Escape");
  return `${count} games: listed after ${first} ms, read after ${whole} ms, a key of the filter ${key.toFixed(1)} ms`;
}

/** Tests that a better move becomes a variation, and that the curve has dots, a tooltip, and a gap without scores. */
export async function better(visitor) {
  const { page } = visitor;
  await visitor.paste("[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 22-17 3. 9-14 25-22 4. 14-18 *");
  await page.waitForFunction(() => soffio.tree.line(soffio.tree.root).length === 7 && soffio.position);
  await visitor.ask(() => soffio.analysis.annotate());
  const bad = await visitor.ask(() => soffio.tree.line(soffio.tree.root).filter((node) => node.glyphs.some((glyph) => glyph === 2 || glyph === 4)).map((node) => node.parent.children.length));
  check(bad.length && bad.every((children) => children > 1), `variations: ${bad}`);
  check((await page.locator("#moves .variation").count()) >= bad.length, "the variations are listed");
  check((await page.locator("#curve .dot").count()) >= bad.length, "mistakes have dots");
  await page.hover("#curve svg");
  check(/\d.*[+−#]/.test(await page.textContent("#curve .tip")), `the tooltip says ${await page.textContent("#curve .tip")}`);
  await visitor.ask(() => {
    soffio.tree.line(soffio.tree.root)[2].score = null;
    soffio.curve.draw();
  });
  check((await page.locator("#curve .area").count()) === 2, "a gap in the curve");
  const before = await visitor.ask(() => soffio.tree.root.children.length);
  await page.focus("#moves");
  await page.keyboard.press("Control+z");
  check(before === 1 && (await page.locator("#moves .variation").count()) === 0, "one key takes all of it back");
}

/** Tests that Ctrl+Z undoes moves and glyphs, the wheel steps through the game, and `?` shows the keys. */
export async function habits(visitor) {
  const { page } = visitor;
  await visitor.paste(GAME);
  await page.waitForFunction(() => soffio.tree.variant === "international" && soffio.tree.root.children.length && soffio.position);
  await page.mouse.move(...(await visitor.place(20)));
  for (const [way, ply] of [[120, 1], [120, 2], [-120, 1]]) {
    await page.mouse.wheel(0, way);
    await page.waitForFunction((count) => soffio.tree.current.ply === count && soffio.position, ply);
  }
  const other = await visitor.ask(() => soffio.position.ways.find((way) => way.text !== soffio.tree.current.children[0].text));
  await visitor.play(other, "click");
  await page.selectOption("#remarks select", "1");
  check((await visitor.ask(() => soffio.tree.current.glyphs.join())) === "1", "a sign");
  await page.focus("#moves");
  await page.keyboard.press("Control+z");
  check((await visitor.ask(() => soffio.tree.current.glyphs.join())) === "", "no sign");
  await page.keyboard.press("Control+z");
  check((await visitor.ask(() => soffio.tree.root.children[0].children.length)) === 1, "no variation");
  await page.keyboard.press("?");
  check((await page.textContent("dialog")).includes("Ctrl+Z"), "the keys are shown");
  await page.keyboard.press("Escape");
}

/** Tests that arrows and squares drawn with the right button are stored in the comment, and toggled when redrawn. */
export async function drawing(visitor) {
  const { page } = visitor;
  await visitor.open("english");
  const draw = async (from, to) => {
    await page.mouse.move(...(await visitor.place(await named(visitor, from))));
    await page.mouse.down({ button: "right" });
    await page.mouse.move(...(await visitor.place(await named(visitor, to))), { steps: 3 });
    await page.mouse.up({ button: "right" });
  };
  await draw("11", "18");
  await page.keyboard.down("Shift");
  await draw("22", "22");
  await page.keyboard.up("Shift");
  const comment = () => visitor.ask(() => soffio.tree.root.comment);
  check((await comment()) === "[%csl R22] [%cal G11-18]", await comment());
  check((await page.locator(".arrows .said.green").count()) === 1 && (await page.locator(".marks .said.red").count()) === 1, "both are shown");
  await visitor.play((await visitor.ask(() => soffio.position.ways))[0], "click");
  const written = await visitor.ask(() => soffio.files.pdn());
  await visitor.paste(written);
  await page.waitForFunction(() => soffio.position && soffio.tree.root.parts.filter((part) => part.mark).length === 2);
  await page.keyboard.press("Home");
  await draw("11", "18");
  check((await comment()) === "[%csl R22]", await comment());
}

/** Tests that a link contains the whole game, and that the board can be saved as a bitmap. */
export async function sent(visitor) {
  const { page } = visitor;
  await visitor.paste("[White \"Ann\"]\n[GameType \"20\"]\n\n1. 32-28 {good & 100% + fine} 19-23 (1... 20-25 2. 37-32) 2. 28x19 *");
  await page.waitForFunction(() => soffio.tree.tag("White") === "Ann" && soffio.position);
  const before = await visitor.ask(() => soffio.files.pdn());
  await page.click("#menu [data-key=share]");
  await page.click("dialog [data-key=copyGameLink]");
  await page.waitForFunction(() => document.querySelector("dialog textarea").value.includes("#pdn="));
  const address = await page.inputValue("dialog textarea");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("dialog [data-key=savePng]")]);
  check(saved.suggestedFilename() === "board.png", saved.suggestedFilename());
  const [size, start] = await visitor.ask(async () => {
    const bytes = new Uint8Array(await (await soffio.files.bitmap()).arrayBuffer());
    return [bytes.length, String.fromCharCode(...bytes.slice(1, 4))];
  });
  check(size > 10000 && start === "PNG", `a bitmap of ${size} bytes`);
  await page.keyboard.press("Escape");
  const other = await visitor.context.newPage();
  await other.goto(address);
  await other.waitForFunction(() => window.soffio?.tree?.tag("White") === "Ann" && soffio.position);
  check((await other.evaluate(() => soffio.files.pdn())) === before, "the same game");
  await other.close();
  return `a link of ${address.length} characters, a bitmap of ${Math.round(size / 1024)} KiB`;
}

/** Tests that prints use the light theme, and that other languages show no English sentence about a move. */
export async function paper(visitor) {
  const { page } = visitor;
  await visitor.ask(() => soffio.set("appearance", "dark"));
  await visitor.ask(() => soffio.frame.draw());
  await page.emulateMedia({ media: "print" });
  const [body, scheme, square] = await visitor.ask(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.documentElement).colorScheme, getComputedStyle(document.querySelector(".ground .dark")).fill]);
  check(body === "rgb(255, 255, 255)" && scheme === "light" && square === "rgb(181, 138, 96)", `printed: ${body} ${scheme} ${square}`);
  check(!(await page.isVisible("#controls")) && (await page.isVisible("#moves")), "board and moves are printed");
  await page.emulateMedia({ media: "screen" });
  await visitor.ask(() => {
    soffio.set("appearance", "system");
    soffio.set("language", "de");
  });
  await page.reload();
  await visitor.settle();
  await visitor.open("english");
  await dragTo(visitor, "11", "18");
  await noticed(page, "11 kann nicht nach 18 ziehen.");
  await visitor.open("english", "W:W22,30,31:B1,18,27");
  await page.fill("#entry-text", "30-26");
  await page.keyboard.press("Enter");
  await noticed(page, "Schlagzwang: 22x15");
  await visitor.paste("W:W1:B32");
  await noticed(page, "Ein Stein auf 1 steht auf seiner Umwandlungsreihe (Weiß).");
  await visitor.ask(() => soffio.set("language", "en"));
  await page.reload();
  await visitor.settle();
}
