// Tests that the messages and remarks of the rules are translated, so that a page is never half English.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { check } from "./visitor.mjs";

const root = new URL("../..", import.meta.url).pathname;
const LANGUAGES = ["de", "fr", "it", "nl", "pl", "pt", "ru", "tr"];
/** The source files that contain the messages, and the sample values of the placeholders that are not numbers. */
const MESSAGES = ["src/notation/fen.rs", "src/notation/resolve.rs", "src/notation/syntax.rs", "src/position/setup.rs", "src/notation/pdn/read.rs", "src/notation/pdn/guess.rs", "crates/wasm/src/talk.rs"];
const VALUES = { expected: "a square", excerpt: "'x9' at column 3", color: "white", _0: "a move", file: "thai.weights", reason: "404" };
/** Every clause of a remark, and some combinations. */
const REMARKS = [
  "gives the win away", "gives the draw away: loses a man: 15x22; 32-28 is better", "lets White make a king: 8-11 31-26",
  "allows the shot 28-22 17x28 33x22x13, which gains 3 men; 8-13 is better", "loses 2 pieces: c3-d4 e5xc3", "the score falls by 0.25; 27-23 wins in 9",
  "the chance of winning falls from 60 to 41 %; 27-23 12-16 gains a piece", "the chance of losing rises from 6 to 10 %; 27-23 makes a king",
  "the score falls by 0.00; 27-23 12-16 exchanges 2 men", "the score falls by 0.00; 27-23 12-16 sacrifices a man", "the score falls by 0.00; 27-23 brings the piece on 27 to 15",
];

/** Returns the messages in the attributes and the strings of a source file, with sample values. */
function messages(path) {
  const source = readFileSync(root + path, "utf8").split("#[cfg(test)]")[0].replace(/\\\n\s*/g, "");
  // The names of the parts of a FEN are not messages.
  const attribute = path.includes("fen") ? /(?:error|format!)\(\s*"((?:[^"\\]|\\.)*)"/g : /(?:error|display|format!)\(\s*"((?:[^"\\]|\\.)*)"/g;
  // An excerpt of the input is a part of other messages.
  const templates = [...source.matchAll(attribute)].map(([, text]) => text).filter((text) => text !== "{} at column {column}");
  const filled = templates.map((text) => text.replace(/\{\{|\}\}|\{(\w*)(?::[^}]*)?\}/g, (whole, name) => (name === undefined ? whole[0] : VALUES[name] ?? "12")));
  // Templates without words only wrap other messages, as does a line of the protocol.
  return filled.filter((text) => /[a-z]{2,} [a-z'(]/.test(text) && !text.startsWith("info string"));
}

/** Imports the page's translations in Node. */
async function page(folder) {
  const home = `${folder}/page`;
  rmSync(home, { recursive: true, force: true });
  cpSync(`${root}crates/board/page`, home, { recursive: true });
  writeFileSync(`${home}/package.json`, '{"type": "module"}');
  globalThis.document ??= { documentElement: {} };
  const load = (name) => import(pathToFileURL(`${home}/${name}`).href);
  return { ...(await load("words.js")), ...(await load("reasons.js")) };
}

export async function translations(folder) {
  const { setLanguage, reasonText, remarkText, languages } = await page(folder);
  const all = MESSAGES.flatMap(messages);
  check(all.length > 35, `only ${all.length} messages were found in the sources`);
  setLanguage("en");
  for (const remark of REMARKS) check(remarkText(remark) === remark, `in English, '${remark}' becomes '${remarkText(remark)}'`);
  for (const code of LANGUAGES) {
    setLanguage(code);
    const refused = languages[code].refused;
    const open = all.filter((text) => reasonText(`fen ${text}${/:$/.test(text) ? " 'x9'" : ""}`) === refused);
    check(!open.length, `${code}: no translation of\n${open.join("\n")}`);
    for (const remark of REMARKS) check(remarkText(remark) && remarkText(remark) !== remark, `${code}: no translation of '${remark}'`);
    check(remarkText("I like 11-15; it is better") === null, "a comment by the user is not a remark");
  }
  return `${all.length} messages and ${REMARKS.length} remarks in ${LANGUAGES.length + 1} languages`;
}

/** Tests that invalid input is explained in the selected language. */
export async function foreign(visitor) {
  const { page } = visitor;
  const said = () => page.textContent("#notice");
  const fails = async (act, words) => {
    await visitor.ask(() => (document.getElementById("notice").textContent = ""));
    await act();
    await page.waitForFunction(() => document.getElementById("notice").textContent.length > 5);
    check((await said()).includes(words), `${await said()} instead of ${words}`);
  };
  const type = (move) => async () => {
    await page.fill("#entry-text", move);
    await page.keyboard.press("Enter");
  };
  await visitor.open("english");
  const speak = async (language) => {
    await visitor.menu("settings");
    await page.locator("dialog select").nth(0).selectOption(language);
    await page.keyboard.press("Escape");
  };
  await speak("de");
  await fails(type("11-99"), "Feld 99");
  await fails(type("11-12"), "11-12: 12 ist besetzt.");
  await fails(type("foo"), "Nicht verstanden: foo");
  await fails(() => visitor.paste("W:W99:B1"), "Feld 99");
  await fails(() => visitor.paste("W:W32,32:B1"), "zwei Steine");
  await fails(() => visitor.paste("some words"), "");
  await fails(() => visitor.paste("[GameType \"21\"]\n\n1. 11-15 foo 23-19 *"), "unverändert behalten: foo");
  await fails(() => visitor.paste("[GameType \"21\"]\n\n1. 11-15 23-19 2. 1-9 *"), "2. 1-9: ");
  await speak("en");
}
