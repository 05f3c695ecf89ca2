// Tests what helps to study a game: themes, automatic replay, the report, exercises from mistakes, threats, the fields
// with the position and the game as text, and draw offers.
import { check } from "./visitor.mjs";

const noticed = (page, words) => page.waitForFunction((text) => document.getElementById("notice").textContent.includes(text), words);
const GAME = "[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 22-17 3. 9-14 25-22 4. 14-18 *";

async function open(visitor) {
  await visitor.ask(() => (window.before = soffio.tree));
  await visitor.paste(GAME);
  await visitor.page.waitForFunction(() => soffio.tree !== window.before && soffio.tree.line(soffio.tree.root).length === 7 && soffio.position);
}

/** Tests that the settings change the board, the pieces and the sounds, and that pictures contain the same pieces. */
export async function themes(visitor) {
  const { page } = visitor;
  await visitor.open("english", "W:W32,K30:B1,K3");
  await visitor.ask(() => {
    window.sounds = [];
    soffio.sounds.knock = (...knock) => window.sounds.push(knock);
  });
  await page.click("#menu [data-key=settings]");
  const shown = (selector) => visitor.ask((name) => getComputedStyle(document.querySelector(name)).display !== "none", selector);
  const looks = new Set();
  for (const colours of ["blue", "print", "contrast", "green", "slate", "wood"]) {
    await page.locator("dialog select").nth(2).selectOption(colours);
    looks.add(await visitor.ask(() => ["light", "dark", "rim"].map((name) => getComputedStyle(document.querySelector(`.ground .${name}`)).fill).join()));
    check((await shown(".grain")) === (colours === "wood"), `the grain of ${colours}`);
  }
  check(looks.size === 6, `${looks.size} boards`);
  for (const [pieces, shine, ring] of [["glossy", true, true], ["flat", false, false], ["classic", false, true]]) {
    await page.locator("dialog select").nth(3).selectOption(pieces);
    check((await shown(".shine")) === shine && (await shown(".ring")) === ring, pieces);
    const picture = await visitor.ask(() => soffio.files.picture());
    check((picture.match(/to-move/g) || []).length === 1, "the picture shows the side to move");
    check(picture.includes("shine\" fill") === shine && !picture.includes("display"), `the picture of ${pieces}`);
  }
  await page.keyboard.press("Escape");
  await visitor.ask(() => soffio.playMove(soffio.position.ways[0]));
  await page.waitForFunction(() => window.sounds.length === 1);
  await visitor.ask(() => soffio.set("sound", false));
  await visitor.ask(() => soffio.playMove(soffio.position.ways[0]));
  await page.waitForFunction(() => soffio.tree.path().length === 2);
  check((await visitor.ask(() => window.sounds.length)) === 1, "no sound when sounds are switched off");
  await visitor.ask(() => {
    soffio.set("sound", true);
    delete soffio.sounds.knock;
  });
}

/** Tests that a game is played through automatically, and that the replay stops at its end. */
export async function replay(visitor) {
  const { page } = visitor;
  await open(visitor);
  await visitor.ask(() => soffio.step("last"));
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.click("#controls [data-key=autoplay]");
  check((await page.getAttribute("#controls [data-key=autoplay]", "aria-pressed")) === "true", "the button is pressed");
  await page.waitForFunction(() => soffio.tree.current.ply === 7);
  await page.waitForFunction(() => document.querySelector("#controls [data-key=autoplay]").getAttribute("aria-pressed") === "false");
}

/** Tests the report on an annotated game, and the exercises from its mistakes. */
export async function mistakes(visitor, { file }) {
  const { page } = visitor;
  await open(visitor);
  check(!(await page.isVisible("#report-box")), "a game without scores has no report");
  await visitor.ask(() => soffio.analysis.annotate());
  const rows = await page.locator("#report tbody tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  const row = (name) => rows.find(([text]) => text === name);
  check(/^\d+ %$/.test(row("Accuracy")[1]) && /^\d\.\d\d$/.test(row("Average loss")[2]) && rows.length === 3, `a game of one phase: ${JSON.stringify(rows)}`);
  const counts = row("Mistakes").slice(1).map((text) => /^\?\?Blunders (\d) ?\?Mistakes (\d) ?\?!Dubious moves (\d)$/.exec(text)?.slice(1).map(Number));
  check(counts[0]?.slice(0, 2).join() === "0,0" && counts[1]?.some(Boolean), JSON.stringify(rows));
  await visitor.picture(file("report.png"));
  await visitor.isAccessible("the report");
  await page.click("#report [data-side=black]");
  await page.waitForFunction(() => soffio.learn.on && soffio.position);
  check(!(await page.isVisible("#moves")) && !(await page.isVisible("#analysis")), "the solution is hidden");
  check((await page.locator(".arrows .arrow").count()) === 0, "no arrow shows it either");
  const before = await visitor.ask(() => soffio.tree.current.ply);
  await page.keyboard.press("End");
  await page.keyboard.press("Control+z");
  check((await visitor.ask(() => soffio.tree.current.ply)) === before && (await visitor.ask(() => soffio.learn.on)), "keys do not show it");
  await visitor.picture(file("learn.png"));
  await visitor.isAccessible("an exercise");
  const all = await visitor.ask(() => soffio.learn.nodes.length);
  for (let at = 0; at < all; at += 1) {
    const way = (text) => visitor.ask((wanted) => soffio.position.ways.find((known) => known.text === wanted), text);
    const [played, better] = await visitor.ask(() => [soffio.learn.node.text, soffio.learn.betterThan(soffio.learn.node).text]);
    const same = await way(played);
    await visitor.drag(same.route[0], same.route.at(-1));
    await noticed(page, `${played} is the move that was played`);
    if (at === 0) {
      // The engine rejects a blunder: its score is much lower.
      const other = await visitor.ask(([one, two]) => soffio.position.ways.find(({ text }) => text !== one && text !== two), [played, better]);
      await visitor.ask((bad) => {
        const { evaluate } = soffio.analysis;
        soffio.analysis.evaluate = async () => ({ score: { [soffio.position.side === "black" ? "white" : "black"]: 3 }, pv: [] });
        return soffio.learn.play(bad).then(() => (soffio.analysis.evaluate = evaluate));
      }, other);
      await noticed(page, `${other.text} loses`);
      // The engine evaluates every move except the better one.
      await visitor.ask((move) => soffio.learn.play(move), other);
      check(/loses|good too/.test(await visitor.notice()), await visitor.notice());
      if (await visitor.ask(() => soffio.learn.isSolved)) await visitor.ask(() => soffio.learn.show(0));
    }
    await page.waitForFunction(() => soffio.position?.ways.length && !soffio.learn.isSolved);
    const right = await way(better);
    await visitor.drag(right.route[0], right.route.at(-1));
    await noticed(page, "Correct.");
    check((await visitor.ask(() => soffio.tree.current.text)) === better, "the better move is on the board");
    if (at < all - 1) {
      await page.click("#learn [data-key=nextMistake]");
      await page.waitForFunction(() => soffio.position && !soffio.learn.isSolved);
    }
  }
  await page.click("#learn [data-key=endLearning]");
  check((await page.isVisible("#moves")) && !(await visitor.ask(() => soffio.learn.on)), "the game is back");
}

/** Tests that a draw ends the analysis, and that only the move that allows a repetition is a mistake. */
export async function drawn(visitor) {
  const { page } = visitor;
  await visitor.paste("[GameType \"21\"]\n[FEN \"W:WK6,K10,K15,K18:BK32\"]\n\n1. 6-1 32-27 2. 1-6 27-32 3. 6-1 32-27 4. 1-6 27-32 *");
  await page.waitForFunction(() => soffio.tree.line(soffio.tree.root).length === 8 && soffio.position);
  await visitor.ask(() => soffio.analysis.annotate());
  const bad = await visitor.ask(() => soffio.tree.line(soffio.tree.root).filter(({ glyphs }) => glyphs.length).map(({ ply }) => ply));
  check(bad.join() === "7", `bad moves: ${bad}`);
  await page.keyboard.press("End");
  await page.waitForFunction(() => soffio.position?.status.state === "drawn");
  await visitor.ask(() => {
    soffio.tree.current.score = { white: 5 };
    soffio.analysis.toggle(true);
  });
  check((await visitor.ask(() => JSON.stringify(soffio.tree.current.score))) === '{"cp":0}', "a draw has the score 0");
  check((await page.textContent("#moves [aria-current] .score")) === "0.00", await page.textContent("#moves [aria-current] .score"));
  check(!(await page.locator(".arrows .arrow").count()) && (await page.isDisabled("[data-key=findWin]")), "there is nothing to find");
  await page.keyboard.press("Home");
  await page.waitForFunction(() => soffio.analysis.lines.length);
  check(await page.isEnabled("[data-key=findWin]"), "there is a win in the start position");
  await page.click("[data-key=analyse]");
}

/** Tests that the threat of the side that is not to move is shown, and that the analysis continues afterwards. */
export async function threats(visitor) {
  const { page } = visitor;
  // If Black could move, 15 would capture 18.
  await visitor.open("english", "W:W18,31,32:B15,3,4");
  await page.keyboard.press("t");
  await page.waitForFunction(() => document.querySelector(".threat").textContent.startsWith("Threat: 15x22"));
  check((await page.locator(".arrows .said.red").count()) === 1, "an arrow shows the threat");
  await page.click("[data-key=analyse]");
  await page.waitForFunction(() => soffio.analysis.lines[0]?.depth > 4);
  check((await page.locator(".arrows .said.red").count()) === 1, "also during the analysis");
  await visitor.ask(() => soffio.playMove(soffio.position.ways[0]));
  await page.waitForFunction(() => soffio.analysis.lines[0]?.depth > 2 && soffio.analysis.threat.node === soffio.tree.current);
  await page.click("[data-key=threat]");
  check((await page.locator(".arrows .said.red").count()) === 0 && !(await page.isVisible(".threat")), "the threat is hidden");
  await page.click("[data-key=analyse]");
  await page.click("[data-key=practise]");
  await page.waitForFunction(() => soffio.play.on && soffio.play.side === soffio.position?.side);
  await page.click("#play [data-key=endPlay]");
}

/** Tests that the position and the game can be read and replaced as text next to the board. */
export async function fields(visitor) {
  const { page } = visitor;
  await open(visitor);
  await visitor.ask(() => (document.getElementById("fields-box").open = true));
  await page.waitForFunction(() => document.querySelector("#fields textarea").value.includes("14-18") && document.querySelector("#fields input").value.startsWith("B:W21"));
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelector("#fields input").value === soffio.position?.fen && soffio.tree.current.ply === 7);
  await page.fill("#fields textarea", "[GameType \"25\"]\n\n1. c3-d4 d6-c5 *");
  await page.click("#fields [data-key=show]");
  await page.waitForFunction(() => soffio.tree.variant === "russian" && soffio.tree.root.children.length);
  await page.fill("#fields input", "W:Wc3:Bz9");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("notice").classList.contains("wrong"));
  check(await visitor.ask(() => soffio.tree.root.children.length === 1), "a wrong position changes nothing");
  await page.fill("#fields input", "W:Wc3,Kd2:Bb8");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => soffio.position?.fen.startsWith("W:Wc3"));
  await visitor.ask(() => (document.getElementById("fields-box").open = false));
}

/** Tests that levels are described, and that the engine accepts a draw only late and only if it is not better. */
export async function draws(visitor) {
  const { page } = visitor;
  await visitor.open("english");
  await page.click("#menu [data-key=play]");
  await page.locator("dialog select").nth(0).selectOption("white");
  await page.locator("dialog select").nth(2).selectOption("none");
  for (const [level, words] of [["elo 1200", "at random"], ["full", "all its time"], ["easy", "2 half-moves"]]) {
    await page.locator("dialog select").nth(1).selectOption(level);
    check((await page.textContent("dialog .level-help")).includes(words), `${level}: ${await page.textContent("dialog .level-help")}`);
  }
  await page.click("dialog [data-key=begin]");
  await page.waitForFunction(() => soffio.play.on && soffio.position && !soffio.play.isEngines && soffio.play.score);
  await page.click("#play [data-key=offerDraw]");
  await noticed(page, "The engine declines the draw.");
  await visitor.ask(() => {
    soffio.play.head.ply += 40;
    soffio.play.score = { cp: -30 };
    soffio.play.offerDraw();
  });
  await visitor.ask(() => {
    soffio.play.score = { black: 4 };
    soffio.play.offerDraw();
  });
  check(await visitor.ask(() => soffio.play.on), "an engine that is better plays on");
  await visitor.ask(() => {
    soffio.play.score = { white: 4 };
    soffio.play.resume(soffio.play.toJson());
    soffio.play.head.ply = 44;
    soffio.play.offerDraw();
  });
  await page.waitForFunction(() => !soffio.play.on && soffio.tree.result === "1/2-1/2");
  await noticed(page, "Draw: agreement.");
}

/** Tests that a game can be saved as an animated GIF with a frame for each position. */
export async function gifs(visitor) {
  const { page } = visitor;
  await open(visitor);
  await page.click("#menu [data-key=share]");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("dialog [data-key=saveGif]")]);
  check(saved.suggestedFilename() === "game.gif", saved.suggestedFilename());
  await page.keyboard.press("Escape");
  const [size, start, frames, squares] = await visitor.ask(async () => {
    const before = soffio.view.state.position;
    const image = await soffio.files.animation(() => {});
    if (soffio.view.state.position !== before) throw new Error("the board shows a different position");
    const data = await image.arrayBuffer();
    const start = new TextDecoder().decode(data.slice(0, 6));
    // Browsers decode images only for pages of a server.
    if (!globalThis.ImageDecoder) return [data.byteLength, start, 8, []];
    const decoder = new ImageDecoder({ data, type: "image/gif" });
    await decoder.tracks.ready;
    await decoder.completed;
    const { frameCount } = decoder.tracks.selectedTrack;
    const canvas = document.createElement("canvas");
    const square = soffio.view.named("18");
    const squares = [];
    for (const frameIndex of [0, frameCount - 1]) {
      const { image: frame } = await decoder.decode({ frameIndex });
      [canvas.width, canvas.height] = [frame.displayWidth, frame.displayHeight];
      const context = canvas.getContext("2d");
      context.drawImage(frame, 0, 0);
      frame.close();
      const { x, width } = soffio.view.svg.viewBox.baseVal;
      const [left, top] = soffio.view.middle(square).map((at) => ((at - x) * canvas.width) / width);
      squares.push([...context.getImageData(left, top, 1, 1).data].slice(0, 3).reduce((sum, value) => sum + value));
    }
    return [data.byteLength, start, frameCount, squares];
  });
  check(start === "GIF89a" && frames === 8, `${frames} frames`);
  check(!squares.length || (squares[0] > 300 && squares[1] < 200), `the man on 18 is on the last frame only: ${squares}`);
  return `8 positions in ${Math.round(size / 1024)} KiB`;
}

/** Tests that the name of the opening is shown, from the moves or from the tag of a file. */
export async function openings(visitor) {
  const { page } = visitor;
  const shown = (text) => page.waitForFunction((name) => (document.querySelector("#moves .opening")?.textContent ?? "") === name, text);
  const play = async (move) => {
    await page.fill("#entry-text", move);
    await page.keyboard.press("Enter");
    await page.waitForFunction((text) => soffio.tree.current.text === text && soffio.position, move);
  };
  await visitor.open("english");
  await shown("");
  await play("11-15");
  await shown("");
  await play("24-20");
  await shown("Opening: Ayrshire Lassie");
  await visitor.paste("[GameType \"21\"]\n\n1. 11-15 23-19 8-11 22-17 9-13 17-14 10x17 19x10 7x14 *");
  await shown("Opening: Black Doctor");
  await visitor.paste("[GameType \"21\"]\n[Opening \"My own\"]\n\n1. 11-15 *");
  await shown("Opening: My own");
  await visitor.paste("[GameType \"21\"]\n[SetUp \"1\"]\n[FEN \"B:W21,22,23:B9,10,11\"]\n\n1. 9-13 *");
  await shown("");
  // The same squares in a different game.
  await visitor.open("italian");
  await play(await visitor.ask(() => soffio.position.ways[0].text));
  await shown("");
}

/** Tests that a game is annotated with one engine per core, and that the result is as complete as with one engine. */
export async function cores(visitor) {
  const { page } = visitor;
  const game = "[GameType \"21\"]\n\n1. 11-15 23-18 2. 8-11 27-23 3. 4-8 23-19 4. 10-14 19x10 5. 14x23 26x19 6. 7x14 24-20 7. 6-10 30-26 8. 11-15 28-24 9. 14-18 20-16 10. 18-23 16-11 *";
  const times = [];
  const connected = new Set();
  page.on("websocket", (socket) => connected.add(socket));
  page.on("worker", (worker) => connected.add(worker));
  for (const count of [1, 2]) {
    connected.clear();
    await visitor.ask((n) => Object.defineProperty(navigator, "hardwareConcurrency", { value: n, configurable: true }), count);
    await visitor.paste(game);
    await page.waitForFunction(() => soffio.tree.line(soffio.tree.root).length === 20 && soffio.tree.root.score === null && soffio.position);
    const begun = Date.now();
    await page.click("[data-key=annotate]");
    await page.waitForFunction(() => document.getElementById("notice").textContent.includes("The game is annotated."), null, { timeout: 120000 });
    times.push(Date.now() - begun);
    const missing = await visitor.ask(() => [soffio.tree.root, ...soffio.tree.line(soffio.tree.root)].filter(({ score }) => !score).length);
    check(!missing, `${missing} positions have no score`);
    const best = await visitor.ask(() => soffio.tree.line(soffio.tree.root).filter(({ glyphs, parent, text, comment }) => glyphs.length && (parent.children.length < 2 || comment.includes(`; ${text} is better`))).map(({ text }) => text));
    check(!best.length, `${best} is marked, but no other move is better`);
    check(connected.size === count - 1, `${connected.size} more engines with ${count} cores`);
  }
  await visitor.ask(() => delete navigator.hardwareConcurrency);
  return `a game of 20 moves is annotated in ${times[0]} ms by one engine, in ${times[1]} ms by two`;
}
