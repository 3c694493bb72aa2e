import { inline } from "./inline.js";

/**
 * Markdown as Claude writes it, as the tree that `views/plan.js` draws (CommonMark's names, and tables). Markup is text and
 * a picture is its address, so showing the tree loads and runs nothing.
 *
 * @typedef {import("../views/plan.js").PlanNode} PlanNode
 */

/** Longer text is shown as it is, in characters: no one reads more than that as a page. */
const LONGEST = 100_000;
const DEEP = 8;

// None of these has two parts in a row that take the same character: a long line would take its length squared.
const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:\s|$)/;
const RULE = /^ {0,3}([-*_])\s*(?:\1\s*){2,}$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+|$)/;
const QUOTE = /^ {0,3}> ?/;
const DASHES = /^:?-+:?$/;

/** @param {string} text @returns {PlanNode} */
export function markdown(text) {
  if (text.length > LONGEST) return { type: "document", children: [{ type: "code_block", text }] };
  return { type: "document", children: blocks(text.replaceAll("\r\n", "\n").replaceAll("\t", "    ").split("\n"), 0) };
}

/** @param {string[]} lines @param {number} depth @returns {PlanNode[]} */
function blocks(lines, depth) {
  if (depth > DEEP) return [paragraph(lines)];
  /** @type {PlanNode[]} */
  const nodes = [];
  for (let at = 0; at < lines.length;) {
    const [node, next] = block(lines, at, depth);
    if (node) nodes.push(node);
    at = next;
  }
  return nodes;
}

/** The block that begins with the line, and the line behind it. @param {string[]} lines @param {number} at @param {number} depth @returns {[PlanNode | null, number]} */
function block(lines, at, depth) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  const heading = HEADING.exec(line);
  if (heading) return [{ type: "heading", level: heading[1].length, children: inline(titled(line.slice(heading[0].length))) }, at + 1];
  if (FENCE.test(line)) return fenced(lines, at);
  if (RULE.test(line)) return [{ type: "thematic_break" }, at + 1];
  if (QUOTE.test(line)) return quote(lines, at, depth);
  if (ITEM.test(line)) return list(lines, at, depth);
  if (line.startsWith("    ")) return indented(lines, at);
  if (line.includes("|") && lines[at + 1]?.includes("-") && cells(lines[at + 1]).every((cell) => DASHES.test(cell))) return table(lines, at);
  return text(lines, at);
}

/** A heading without the marks that may stand behind it too. @param {string} text */
function titled(text) {
  const whole = text.trim();
  let end = whole.length;
  while (whole[end - 1] === "#") end -= 1;
  return end === 0 || /\s/.test(whole[end - 1]) ? whole.slice(0, end).trimEnd() : whole;
}

/** @param {string[]} lines @param {number} at @returns {[PlanNode, number]} */
function fenced(lines, at) {
  const [, marker, info] = FENCE.exec(lines[at]) ?? ["", "```", ""];
  const indent = lines[at].search(/\S/);
  let end = at + 1;
  while (end < lines.length && !isClosing(lines[end], marker)) end += 1;
  const inner = lines.slice(at + 1, end).map((line) => line.replace(new RegExp(`^ {0,${indent}}`), ""));
  return [{ type: "code_block", text: inner.join("\n"), info: info.trim() }, end + 1];
}

/** @param {string} line @param {string} marker */
function isClosing(line, marker) {
  const end = line.trim();
  return end.length >= marker.length && end === marker[0].repeat(end.length);
}

/** @param {string[]} lines @param {number} at @returns {[PlanNode, number]} */
function indented(lines, at) {
  let end = at;
  while (end < lines.length && (lines[end].startsWith("    ") || !lines[end].trim())) end += 1;
  while (!lines[end - 1].trim()) end -= 1;
  return [{ type: "code_block", text: lines.slice(at, end).map((line) => line.slice(4)).join("\n") }, end];
}

/** @param {string[]} lines @param {number} at @param {number} depth @returns {[PlanNode, number]} */
function quote(lines, at, depth) {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end])) end += 1;
  return [{ type: "block_quote", children: blocks(lines.slice(at, end).map((line) => line.replace(QUOTE, "")), depth + 1) }, end];
}

/** @param {string[]} lines @param {number} at @param {number} depth @returns {[PlanNode, number]} */
function list(lines, at, depth) {
  const first = ITEM.exec(lines[at]);
  const isOrdered = /\d/.test(first?.[2] ?? "");
  /** @type {PlanNode[]} */
  const items = [];
  let next = at;
  for (;;) {
    const match = next < lines.length && !RULE.test(lines[next]) ? ITEM.exec(lines[next]) : null;
    if (!match || /\d/.test(match[2]) !== isOrdered) break;
    const [inner, end] = item(lines, next, match);
    items.push({ type: "item", children: blocks(inner, depth + 1) });
    next = end;
    while (next < lines.length && !lines[next].trim() && ITEM.test(lines[next + 1] ?? "")) next += 1;
  }
  return [{ type: "list", ordered: isOrdered, start: Number.parseInt(first?.[2] ?? "1", 10) || 1, children: items }, next];
}

/** The lines of one item without its mark, and the line behind it. @param {string[]} lines @param {number} at @param {RegExpExecArray} match @returns {[string[], number]} */
function item(lines, at, match) {
  const width = match[1].length + match[2].length + Math.min(match[3].length || 1, 4);
  const inner = [lines[at].slice(Math.min(width, match[0].length))];
  let end = at + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end];
    const indent = line.search(/\S/);
    if (indent < 0) {
      // A blank line belongs to the item if what follows does.
      const after = lines[end + 1]?.search(/\S/) ?? -1;
      if (after < Math.min(width, 2)) break;
    } else if (indent < Math.min(width, 2) && (ITEM.test(line) || HEADING.test(line) || FENCE.test(line) || !lines[end - 1].trim())) {
      break;
    }
    inner.push(line.slice(Math.min(indent < 0 ? 0 : indent, width)));
  }
  return [inner, end];
}

/** @param {string[]} lines @param {number} at @returns {[PlanNode, number]} */
function table(lines, at) {
  let end = at + 2;
  while (end < lines.length && lines[end].includes("|") && lines[end].trim()) end += 1;
  const width = cells(lines[at]).length;
  const rows = [lines[at], ...lines.slice(at + 2, end)].map((line) => ({
    type: "row", children: cells(line).slice(0, width).map((cell) => ({ type: "cell", children: inline(cell) })),
  }));
  return [{ type: "table", children: rows }, end];
}

/** @param {string} line */
function cells(line) {
  const inner = line.trim().replace(/^\|/, "").replace(/(^|[^\\])\|$/, "$1");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** @param {string[]} lines @param {number} at @returns {[PlanNode, number]} */
function text(lines, at) {
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && ![HEADING, FENCE, RULE, QUOTE, ITEM].some((start) => start.test(lines[end]))) end += 1;
  return [paragraph(lines.slice(at, end)), end];
}

/** @param {string[]} lines @returns {PlanNode} */
const paragraph = (lines) => ({ type: "paragraph", children: inline(lines.map((line) => line.trimStart()).join("\n").trimEnd()) });
