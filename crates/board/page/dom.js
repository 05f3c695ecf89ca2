// Helpers that create elements, messages and dialogs.
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Durations in milliseconds: how long notices stay visible, and the initial delay and the interval of a held button.
 */
const [SHORT_MS, LONG_MS] = [8000, 20000];
const [HELD_MS, REPEAT_MS] = [400, 90];
let hideTimer = null;

export const byId = (id) => document.getElementById(id);

function withAttributes(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

export const element = (tag, attributes = {}, ...children) => withAttributes(document.createElement(tag), attributes, children);
export const drawn = (tag, attributes = {}, ...children) => withAttributes(document.createElementNS(SVG, tag), attributes, children);

/** Icons of buttons, drawn on a square of ten units. */
const DRAWN_SIGNS = {
  first: "M2 1.5v7M8.5 1.5L3.5 5l5 3.5z", previous: "M7.5 1.5L2.5 5l5 3.5z", next: "M2.5 1.5L7.5 5l-5 3.5z", last: "M8 1.5v7M1.5 1.5L6.5 5l-5 3.5z",
  autoplay: "M1.5 1.5L5.5 5l-4 3.5zM7 1.5v7M9 1.5v7",
  flip: "M3 9V1.5M1 3.5l2-2 2 2M7 1v7.5M5 6.5l2 2 2-2", close: "M2 2l6 6M8 2l-6 6", menu: "M1.5 2.5h7M1.5 5h7M1.5 7.5h7",
};

/** Icons of the menu items. */
const MENU_SIGNS = {
  new: "M5 1.5v7M1.5 5h7", play: "M2.5 1.5L8 5l-5.5 3.5z", open: "M1 8V2.5h3l1 1.2h4V8z", setUp: "M1.5 1.5h7v7h-7zM5 1.5v7M1.5 5h7",
  share: "M5 6.3V1M2.8 3.2L5 1l2.2 2.2M3 4.6H1.8v4.2h6.4V4.6H7", gamesOf: "M1.5 2.5h7M1.5 5h7M1.5 7.5h4.5", settings: "M1 3h4M7.5 3H9M1 7h1.5M5 7h4M6.2 1.8a1.2 1.2 0 1 0 .01 0M3.8 5.8a1.2 1.2 0 1 0 .01 0",
  help: "M3.2 3.4a1.8 1.8 0 1 1 2.6 1.7Q5 5.5 5 6.3M5 8.3v.1",
};

export const sign = (key) => drawn("svg", { class: "drawing", viewBox: "0 0 10 10", "aria-hidden": "true" }, drawn("path", { d: DRAWN_SIGNS[key] }));

/** Creates a button with a text, or with an icon that has the text as its accessible name. */
export function button(key, onclick) {
  const name = t(key);
  const attributes = { type: "button", onclick, "data-key": key };
  if (!DRAWN_SIGNS[key]) return element("button", attributes, name);
  return element("button", { ...attributes, class: "sign", "aria-label": name, title: name }, sign(key));
}

/** Creates a button with an icon and a text. */
export function menuButton(key, onclick) {
  const made = button(key, onclick);
  made.prepend(drawn("svg", { class: "drawing", viewBox: "0 0 10 10", "aria-hidden": "true" }, drawn("path", { d: MENU_SIGNS[key] })));
  return made;
}

/** Creates a button that repeats its action while it is held. */
export function repeating(key, onclick) {
  let timer = null;
  const stop = () => clearInterval(timer);
  const made = button(key, onclick);
  made.addEventListener("pointerdown", (event) => {
    stop();
    if (event.button === 0) timer = setTimeout(() => (timer = setInterval(onclick, REPEAT_MS)), HELD_MS);
  });
  for (const name of ["pointerup", "pointerleave", "pointercancel"]) made.addEventListener(name, stop);
  return made;
}

/** Returns the text with a capital first letter, as in the selected language. */
const capitalised = (text) => text.slice(0, 1).toLocaleUpperCase(document.documentElement.lang) + text.slice(1);

export function select(label, options, value, onchange) {
  const list = element("select", { onchange: (event) => onchange?.(event.target.value) });
  for (const [name, text] of options) list.append(element("option", { value: name, selected: String(name) === String(value) }, capitalised(String(text))));
  return element("label", { class: "field" }, element("span", {}, label), list);
}

export function checkbox(label, checked, onchange) {
  const box = element("input", { type: "checkbox", checked, onchange: (event) => onchange(event.target.checked) });
  return element("label", { class: "field check" }, box, element("span", {}, label));
}

/** Announces a text to screen readers. */
export function announce(text) {
  byId("live").textContent = text;
}

/**
 * Shows a message over the board, with an optional action button. The message disappears after a while unless its kind
 * is `busy`. An empty text hides it.
 */
export function notice(text, kind = "", action = null) {
  const box = byId("notice");
  box.className = "notice " + kind;
  clearTimeout(hideTimer);
  const hide = () => (document.hidden ? wait() : notice(""));
  const wait = () => (hideTimer = setTimeout(hide, kind === "wrong" || action ? LONG_MS : SHORT_MS));
  if (text && kind !== "busy") wait();
  box.replaceChildren(...(text ? [element("span", {}, text), ...(action ? [action] : []), button("close", () => notice(""))] : []));
}

/** Opens a dialog with a title. The dialog is removed from the page when it is closed. */
export function dialog(title, ...children) {
  const box = element("dialog", { "aria-labelledby": "dialog-title", onclose: () => box.remove() });
  const head = element("div", { class: "dialog-head" }, element("h2", { id: "dialog-title" }, title), button("close", () => box.close()));
  box.append(head, ...children);
  byId("dialogs").replaceChildren(box);
  box.showModal();
  return box;
}

/** Asks for confirmation before an action that cannot be undone. */
export function question(text, key, action) {
  const done = () => {
    box.close();
    action();
  };
  const box = dialog(text, element("div", { class: "actions" }, button(key, done), button("cancel", () => box.close())));
}

/** Fills in the texts of the markup in the selected language. */
export function translate() {
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of document.querySelectorAll("[data-t-label]")) node.setAttribute("aria-label", t(node.dataset.tLabel));
}
