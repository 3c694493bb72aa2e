import { h } from "../dom.js";
import { counted } from "../text/words.js";
import { code, shown } from "./text.js";

const DEEP = 6;

/** A value as people read one: names and what they hold, lists numbered, long text in a block. @param {any} value @param {number} [depth] */
export function tree(value, depth = 0) {
  if (value === null || typeof value !== "object") return leaf(value);
  const entries = Array.isArray(value) ? value.map((item, index) => [String(index + 1), item]) : Object.entries(value);
  if (!entries.length) return h("span.none", {}, Array.isArray(value) ? "an empty list" : "nothing");
  if (depth >= DEEP) return code(JSON.stringify(value, null, 2));
  return h("dl.tree", {}, entries.map(([name, item]) => branch(name, item, depth)));
}

/** @param {string} name @param {any} item @param {number} depth */
function branch(name, item, depth) {
  const isNested = item !== null && typeof item === "object" && Object.keys(item).length > 0;
  const title = h("dt", {}, shown(name), isNested && Array.isArray(item) ? h("small", {}, ` ${counted(item.length, "item")}`) : null);
  return h("div", { class: isNested ? "nested" : null }, title, h("dd", {}, tree(item, depth + 1)));
}

/** @param {any} value */
function leaf(value) {
  if (typeof value !== "string") return h("code.value", {}, String(value));
  if (value === "") return h("span.none", {}, "empty text");
  return value.length > 80 || value.includes("\n") ? code(value) : h("code.value", {}, shown(value));
}
