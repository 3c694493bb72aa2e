import { h } from "../dom.js";
import { code, shown } from "./text.js";

/**
 * A plan, from the tree the daemon made of its Markdown (CommonMark's names). Elements are made one by one: markup in
 * the plan is text, an image is its words, a link says where it goes and goes nowhere.
 */

/** @typedef {{ type: string, children?: PlanNode[], text?: string, url?: string, level?: number, ordered?: boolean, start?: number, info?: string }} PlanNode */

const DEEP = 40;

/** @param {PlanNode} node */
export const plan = (node) => h("div.plan", {}, inner(node, 0));

/** @param {PlanNode} node @param {number} depth @returns {(Node | string)[]} */
const inner = (node, depth) => (node.children ?? []).map((child) => element(child, depth + 1));

/** @param {PlanNode} node @param {number} depth @returns {Node | string} */
function element(node, depth) {
  if (depth > DEEP) return "…";
  switch (node.type) {
    case "block_quote": return h("blockquote", {}, inner(node, depth));
    case "code": return h("code.value", {}, shown(node.text ?? ""));
    case "code_block": return code(node.text ?? "");
    case "emph": return h("em", {}, inner(node, depth));
    // The card's own title is a second-level heading.
    case "heading": return h(`h${Math.min(6, (node.level ?? 1) + 2)}`, {}, inner(node, depth));
    case "item": return h("li", {}, inner(node, depth));
    case "linebreak": return h("br");
    case "link": return h("span.link", {}, inner(node, depth), h("span.target", {}, " (", shown(node.url ?? ""), ")"));
    case "list": return node.ordered ? h("ol", { start: node.start ?? 1 }, inner(node, depth)) : h("ul", {}, inner(node, depth));
    case "paragraph": return h("p", {}, inner(node, depth));
    case "softbreak": return " ";
    case "strong": return h("strong", {}, inner(node, depth));
    case "text": return h("span", {}, shown(node.text ?? ""));
    case "thematic_break": return h("hr");
    default: return h("span", {}, shown(node.text ?? ""), inner(node, depth));
  }
}
