// Solves a page of puzzles (`soffio puzzles --html`) in the same way as a user.
// The first puzzle gets a wrong move, a hint and the solution. The others are solved on the first attempt.
// Usage: node puzzles.mjs CHROMIUM PAGE.html PICTURES COUNT
import { pathToFileURL } from "node:url";
import { Visitor, check, launch } from "./visitor.mjs";

const [chromium, path, folder, count] = process.argv.slice(2);
/** Clicks the origin and the destination of a move, and then the squares in between if the move is ambiguous. */
async function clickWay(visitor, way) {
  await visitor.click(way.route[0]);
  await visitor.click(way.route.at(-1));
  for (const at of way.route.slice(1)) {
    if (await visitor.ask(() => !soffio.input.clicked.length)) break;
    await visitor.click(at);
  }
}

const browser = await launch(chromium);
try {
  const visitor = await Visitor.come(browser, pathToFileURL(path).href);
  const { page } = visitor;
  const all = await visitor.ask(() => soffio.start.games.length);
  for (let number = 0; number < Math.min(Number(count), all); number += 1) {
    await visitor.ask((at) => soffio.loadOwn(at), number);
    check(await visitor.ask(() => soffio.puzzles.on), `puzzle ${number + 1} is one`);
    check(!(await page.locator("#moves").isVisible()), "the moves are hidden");
    check((await page.locator(".arrows .arrow").count()) === 0, "no arrow shows the solution");
    await page.keyboard.press("End");
    check((await visitor.ask(() => soffio.tree.current.ply)) === 0, "keys do not show the solution");
    if (number === 0) {
      const wrong = await visitor.ask(() => soffio.puzzles.ways.find((way) => way.text !== soffio.puzzles.expected.text));
      await clickWay(visitor, wrong);
      check((await visitor.ask(() => soffio.tree.current.ply)) === 0, "a wrong move is not played");
      await page.click("#puzzle [data-key=hint]");
      check((await page.textContent("#notice")).length > 5, "there is a hint");
      await visitor.picture(`${folder}/puzzle.png`);
      await page.click("#puzzle [data-key=solution]");
      check(await page.locator("#moves").isVisible(), "the solution is shown");
      await visitor.picture(`${folder}/puzzle-solution.png`);
      continue;
    }
    while (await visitor.ask(() => soffio.puzzles.on)) {
      const way = await visitor.ask(() => soffio.puzzles.ways.find((known) => known.text === soffio.puzzles.expected.text));
      const ply = await visitor.ask(() => soffio.tree.current.ply);
      await clickWay(visitor, way);
      await page.waitForFunction((before) => !soffio.puzzles.on || soffio.tree.current.ply === before + 2, ply);
    }
    const line = await visitor.ask(() => soffio.tree.line().length === soffio.tree.current.ply);
    check(line, `puzzle ${number + 1} is played to its end`);
  }
  const [right, tried] = await visitor.ask(() => [Object.values(soffio.puzzles.results).filter(Boolean).length, Object.values(soffio.puzzles.results).length]);
  check(right === tried - 1, `${right} of ${tried} at once`);
  await visitor.fits();
  await visitor.isAccessible("puzzles");
  await visitor.picture(`${folder}/puzzles.png`);
  await visitor.leave();
  console.log(`${tried} puzzles, ${right} solved at once`);
} finally {
  await browser.close();
}
