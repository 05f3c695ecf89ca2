// Lists the functions that can be on the stack when the module is suspended, one per line, for `wasm-opt --asyncify`.
// Usage: node pausing.mjs MODULE.wat
//
// These are the functions that reach `pause`, through direct or indirect calls. An indirect call can reach every
// function of the same type in the table, with three exceptions, without which nearly all functions would be listed:
// - The function that runs a unit of work takes one argument and returns nothing, like most functions that drop a
//   value. Only `work` calls it.
// - The function behind `Turns::yield_now` is called only there.
// - `LocalKey::with`, which is inlined into the export `allocate`, calls only the initialiser of a variable.
import { readFileSync } from "node:fs";

const WORK = "$work";
const isYield = (name) => /5Turns9yield_now/.test(name);
const isLocalKey = (name) => /LocalKey/.test(name) || name === "$allocate";

/** Parses the module: functions, function table, exports, the import `pause`, and the type of a work unit. */
function readModule(path) {
  const functions = new Map();
  const [table, exported] = [new Set(), []];
  let [pause, current, workType] = [null, null, null];
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [, start, name, type] = /^ \((func|elem|export|import|type) (\S+)(?: \(type (\S+?)\))?/.exec(line) ?? [];
    if (start === "func") {
      current = { type, calls: new Set(), types: new Set() };
      functions.set(name, current);
    } else if (start === "elem") line.match(/\$[^\s)]+/g).slice(1).forEach((member) => table.add(member));
    else if (start === "export") exported.push(/\(func (\S+?)\)/.exec(line)?.[1]);
    else if (start === "import" && name === '"soffio"') pause ??= /"pause" \(func (\S+)/.exec(line)?.[1];
    else if (start === "type" && /\(func \(param i32\)\)\)$/.test(line)) workType = name;
    else {
      const [, kind, target] = /\((?:return_)?(call|call_indirect) (?:\S+ \(type )?(\$[^\s)]+)/.exec(line) ?? [];
      if (kind === "call") current.calls.add(target);
      else if (kind) current.types.add(target);
    }
  }
  return { functions, table, exported: exported.filter(Boolean), pause, workType };
}

function pausing({ functions, table, pause, workType }) {
  const [callers, callersOfType] = [new Map(), new Map()];
  const add = (map, key, name) => (map.get(key) ?? map.set(key, []).get(key)).push(name);
  for (const [name, { calls, types }] of functions) {
    calls.forEach((target) => add(callers, target, name));
    if (!isLocalKey(name)) types.forEach((type) => add(callersOfType, type, name));
  }
  const found = new Set();
  const visit = (starts, indirect) => {
    const waiting = [...starts];
    while (waiting.length) {
      const name = waiting.pop();
      if (found.has(name)) continue;
      found.add(name);
      waiting.push(...(callers.get(name) ?? []));
      const type = functions.get(name)?.type;
      if (indirect && table.has(name) && type !== workType) waiting.push(...(callersOfType.get(type) ?? []));
    }
  };
  visit([pause], false);
  visit([WORK, ...[...functions.keys()].filter(isYield)], true);
  found.delete(pause);
  return found;
}

const module = readModule(process.argv[2]);
const found = pausing(module);
const fail = (text) => {
  console.error(`pausing.mjs: ${text}`);
  process.exit(1);
};
if (!module.pause || !module.workType || ![...found].some(isYield)) fail("the module has no `pause`, `Turns::yield_now` or `work`");
// Only `work` can be suspended. `take` calls the same functions for `probe`, but with a signal that never pauses.
const wrong = module.exported.filter((name) => ![WORK, "$take"].includes(name) && found.has(name));
if (wrong.length) fail(`these exports must not reach \`pause\`: ${wrong.join(" ")}`);
console.log([...found].map((name) => name.slice(1)).join("\n"));
