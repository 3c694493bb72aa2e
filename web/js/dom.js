/**
 * Makes elements. Text goes in as text and nothing here, or anywhere in the page, ever makes markup from a string.
 */

/** @typedef {Node | string | number | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag `button.primary` is a button of class `primary`
 * @param {Record<string, any>} [attributes] `onclick` and its like are listeners; true sets, false and null leave out
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) set(element, key, value);
  element.append(...nodes(children));
  return element;
}

/** @param {Element} element @param {string} key @param {any} value */
export function set(element, key, value) {
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  // To these, false is a value like any other.
  else if (key.startsWith("aria-") && typeof value === "boolean") element.setAttribute(key, String(value));
  else if (value === null || value === undefined || value === false) element.removeAttribute(key);
  else element.setAttribute(key, value === true ? "" : String(value));
}

/** Puts other children in. @param {Element} element @param {...(Child | Child[])} children */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/** @param {any[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return children
    .flat(3)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) => (child instanceof Node ? child : String(child)));
}

/** Lines of 24 × 24 icons, drawn by hand. */
const PATHS = {
  alert: ["M12 4 2.8 20h18.4L12 4Z", "M12 10v4.5", "M12 17.4v.1"],
  back: ["M15 5l-7 7 7 7"],
  branch: ["M7 7.500v9", "M7 3.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z", "M7 16.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z", "M17 5.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z", "M17 9.500c0 4-6 3-9.500 7"],
  changes: ["M12 4v8", "M8 8h8", "M8 17h8", "M5 3.500h14v17H5z"],
  check: ["M4.5 12.5l5 5 10-11"],
  clock: ["M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Z", "M12 7.5V12l3 2"],
  close: ["M6 6l12 12", "M18 6 6 18"],
  devices: ["M4 5h11v9H4z", "M2.5 17.5H12", "M16 9h5v11h-5z", "M18.4 17.4h.2"],
  down: ["M6 9.5l6 6 6-6"],
  edit: ["M4 20l1-4.5L16 4.5l3.5 3.5-11 11L4 20Z", "M13.5 7l3.5 3.5"],
  file: ["M6 3.5h8l4 4v13H6z", "M14 3.5v4h4"],
  folder: ["M3.500 6h6l2 2.500h9v10.500h-17z"],
  globe: ["M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Z", "M3.5 12h17", "M12 3.5c3 3 3 14 0 17", "M12 3.5c-3 3-3 14 0 17"],
  history: ["M4 12a8 8 0 1 0 2.6-5.9L4 8.5", "M4 4v4.5h4.5", "M12 8v4.5l3 1.8"],
  inbox: ["M4 13l2.5-8.5h11L20 13v6.5H4z", "M4 13h4.5c.5 2 1.8 3 3.5 3s3-1 3.5-3H20"],
  lock: ["M6 10.500h12v9.500H6z", "M8.500 10.500V8a3.500 3.500 0 0 1 7 0v2.500"],
  minus: ["M5 12h14"],
  picture: ["M3.500 5h17v14h-17z", "M4 17l5-5 4 4 2.500-2.500 4.500 4.500", "M15.500 9.500h.1"],
  plan: ["M8 6.500h12", "M8 12h12", "M8 17.500h12", "M4 6.500h.1", "M4 12h.1", "M4 17.500h.1"],
  plug: ["M9 3.5v5", "M15 3.5v5", "M6.5 8.500h11v3a5.5 5.5 0 0 1-11 0z", "M12 17v3.5"],
  plus: ["M12 5v14", "M5 12h14"],
  pull: ["M12 4v12", "M7 11l5 5 5-5", "M5 20h14"],
  push: ["M12 16V4", "M7 9l5-5 5 5", "M5 20h14"],
  question: ["M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Z", "M9.5 9.800a2.5 2.5 0 1 1 3.6 2.200c-.8.4-1.1.9-1.1 1.8", "M12 16.600v.1"],
  refresh: ["M19.500 12a7.500 7.500 0 1 1-2.200-5.300L19.500 9", "M19.500 4.500V9H15"],
  rules: ["M12 3.500l7.5 3v5c0 4.5-3 7.5-7.5 9-4.5-1.5-7.5-4.5-7.5-9v-5z", "M9 12l2.2 2.200L15.2 10"],
  search: ["M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Z", "M15.5 15.5 20 20"],
  right: ["M9 5l7 7-7 7"],
  sessions: ["M3.5 5h17v14h-17z", "M7 10l2.5 2L7 14", "M12 14.500h5"],
  terminal: ["M3.5 5h17v14h-17z", "M7 10l2.5 2L7 14", "M12 14.500h5"],
  thought: ["M12 4a6 6 0 0 0-3.500 10.900V17.500h7v-2.600A6 6 0 0 0 12 4Z", "M10 20.500h4"],
  tool: ["M14.5 4.500a4.5 4.5 0 0 0-4.2 6.200L4 17v3h3l6.3-6.300a4.5 4.5 0 0 0 6-5.400l-2.8 2.8-2.8-.8-.8-2.800z"],
};

/** Shows what a button discloses, or hides it again. @param {HTMLElement} opener @param {HTMLElement} inside @returns {boolean} true if it is shown now */
export function unfold(opener, inside) {
  inside.hidden = !inside.hidden;
  set(opener, "aria-expanded", !inside.hidden);
  return !inside.hidden;
}

/** @param {keyof typeof PATHS} name @returns {SVGElement} drawn in the colour of the text, and silent */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }))
    svg.setAttribute(key, value);
  for (const line of PATHS[name] ?? []) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", line);
    svg.append(path);
  }
  return svg;
}
