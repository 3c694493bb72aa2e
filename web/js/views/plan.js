import { h } from "../dom.js";
import { code, shown } from "./text.js";

/**
 * A plan or a message, from the tree made of its Markdown (CommonMark's names, and tables). Elements are made one by one:
 * markup is text, an image is its words, a link says where it goes and goes nowhere.
 */

/** @typedef {{ type: string, children?: PlanNode[], text?: string, url?: string, level?: number, ordered?: boolean, start?: number, info?: string }} PlanNode */

const DEEP = 40;

/** @param {PlanNode} node */
export const plan = (node) => h("div.plan", {}, inner(node, 0));

/** The same for a message among many, whose headings are none of the page's. @param {PlanNode} node */
export const prose = (node) => h("div.prose", {}, inner(untitled(node), 0));

/** @param {PlanNode} node @returns {PlanNode} */
function untitled(node) {
  const children = node.children?.map((child) => (child.type === "heading" ? { ...child, type: "title" } : child.type === "list" || child.type === "item" || child.type === "block_quote" ? untitled(child) : child));
  return { ...node, children };
}

/** @param {PlanNode} node @param {number} depth @returns {(Node | string)[]} */
const inner = (node, depth) => (node.children ?? []).map((child) => element(child, depth + 1));

/** @param {PlanNode} node @param {number} depth @returns {Node | string} */
function element(node, depth) {
  if (depth > DEEP) return "…";
  switch (node.type) {
    case "block_quote": return h("blockquote", {}, inner(node, depth));
    case "code": return h("code.value", {}, shown(node.text ?? ""));
    case "cell": return h("td", {}, inner(node, depth));
    case "code_block": return block(node);
    case "emph": return h("em", {}, inner(node, depth));
    // The card's own title is a second-level heading.
    case "heading": return h(`h${Math.min(6, (node.level ?? 1) + 2)}`, {}, inner(node, depth));
    case "item": return h("li", {}, inner(node, depth));
    case "linebreak": return h("br");
    case "link": return h("span.link", {}, inner(node, depth), h("span.target", {}, " (", shown(node.url ?? ""), ")"));
    case "list": return node.ordered ? h("ol", { start: node.start ?? 1 }, inner(node, depth)) : h("ul", {}, inner(node, depth));
    case "paragraph": return h("p", {}, inner(node, depth));
    case "row": return h("tr", {}, inner(node, depth));
    case "softbreak": return " ";
    case "strong": return h("strong", {}, inner(node, depth));
    case "struck": return h("s", {}, inner(node, depth));
    case "table": return table(node, depth);
    case "text": return h("span", {}, shown(node.text ?? ""));
    case "title": return h("p.title", {}, inner(node, depth));
    case "thematic_break": return h("hr");
    default: return h("span", {}, shown(node.text ?? ""), inner(node, depth));
  }
}

/** Code, under the name of its language. @param {PlanNode} node */
function block(node) {
  const language = (node.info ?? "").split(/\s/)[0].slice(0, 30);
  const text = code(node.text ?? "");
  return language ? h("div.coded", {}, h("span.language", {}, shown(language)), text) : text;
}

/** The first row names the columns. A wide one is scrolled in its box. @param {PlanNode} node @param {number} depth */
function table(node, depth) {
  const [head, ...rows] = node.children ?? [];
  return h("div.scrolled", { tabindex: 0, role: "group", "aria-label": "Table" }, h("table", {},
    h("thead", {}, h("tr", {}, (head?.children ?? []).map((cell) => h("th", { scope: "col" }, inner(cell, depth))))),
    h("tbody", {}, rows.map((row) => element(row, depth + 1)))));
}
