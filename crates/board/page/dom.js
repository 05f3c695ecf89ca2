// Creates elements of the page.
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

function made(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

export const element = (tag, attributes = {}, ...children) => made(document.createElement(tag), attributes, children);
export const drawn = (tag, attributes = {}, ...children) => made(document.createElementNS(SVG, tag), attributes, children);

/** Button icons, drawn on a square of ten units. */
const DRAWN_SIGNS = {
  first: "M2 1.5v7M8.5 1.5L3.5 5l5 3.5z", previous: "M7.5 1.5L2.5 5l5 3.5z", next: "M2.5 1.5L7.5 5l-5 3.5z", last: "M8 1.5v7M1.5 1.5L6.5 5l-5 3.5z",
  flip: "M3 9V1.5M1 3.5l2-2 2 2M7 1v7.5M5 6.5l2 2 2-2", close: "M2 2l6 6M8 2l-6 6",
};

/** Creates a button with a text, or with an icon whose accessible name is the text. */
export function button(key, onclick) {
  const name = t(key);
  const attributes = { type: "button", onclick, "data-key": key };
  if (!DRAWN_SIGNS[key]) return element("button", attributes, name);
  const sign = drawn("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, drawn("path", { d: DRAWN_SIGNS[key] }));
  return element("button", { ...attributes, class: "sign", "aria-label": name, title: name }, sign);
}

export function select(label, options, value, onchange) {
  const list = element("select", { onchange: (event) => onchange?.(event.target.value) });
  for (const [name, text] of options) list.append(element("option", { value: name, selected: String(name) === String(value) }, text));
  return element("label", { class: "field" }, element("span", {}, label), list);
}

export function checkbox(label, checked, onchange) {
  const box = element("input", { type: "checkbox", checked, onchange: (event) => onchange(event.target.checked) });
  return element("label", { class: "field check" }, box, element("span", {}, label));
}

/** Announces a sentence to screen readers. */
export function announce(text) {
  byId("live").textContent = text;
}

/** Shows a sentence next to the board until the next one, with an optional button. */
export function notice(text, kind = "", action = null) {
  const box = byId("notice");
  box.className = "notice " + kind;
  box.replaceChildren(...(text ? [element("span", {}, text), ...(action ? [action] : []), button("close", () => notice(""))] : []));
}

/** Creates a dialog with a title, which is removed when it is closed. */
export function dialog(title, ...children) {
  const box = element("dialog", { "aria-labelledby": "dialog-title", onclose: () => box.remove() });
  const head = element("div", { class: "dialog-head" }, element("h2", { id: "dialog-title" }, title), button("close", () => box.close()));
  box.append(head, ...children);
  byId("dialogs").replaceChildren(box);
  box.showModal();
  return box;
}

/** Writes the texts of the markup in the current language. */
export function translate() {
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of document.querySelectorAll("[data-t-label]")) node.setAttribute("aria-label", t(node.dataset.tLabel));
}
