/**
 * Markdown within a paragraph: code, emphasis, links, line breaks. Every marker is looked for in one direction only, and
 * one without an end is text, so that no text takes longer than its length.
 *
 * @typedef {import("../views/plan.js").PlanNode} PlanNode
 */

const DEEP = 12;
const ESCAPED = /[!-/:-@[-`{-~]/;
const SPECIAL = /[\\`*_~[!<\n]/g;

/** @param {string} text @returns {PlanNode[]} */
export const inline = (text) => new Reader(text).read(0);

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
    /** Markers that have no other behind the place where it was looked for. @type {Set<string>} */
    this.ended = new Set();
  }

  /** Nodes up to the marker, or to the end. @param {number} depth @param {number} [end] @returns {PlanNode[]} */
  read(depth, end = this.text.length) {
    /** @type {PlanNode[]} */
    const nodes = [];
    let plain = this.at;
    const flush = () => this.at > plain && nodes.push({ type: "text", text: this.text.slice(plain, this.at) });
    while (this.at < end) {
      SPECIAL.lastIndex = this.at;
      const match = SPECIAL.exec(this.text);
      this.at = Math.min(match?.index ?? end, end);
      if (this.at >= end) break;
      const before = this.at;
      const node = this.special(depth, end);
      if (!node) {
        this.at = before + 1;
        continue;
      }
      const after = this.at;
      this.at = before;
      flush();
      nodes.push(node);
      this.at = plain = after;
    }
    flush();
    return nodes;
  }

  /** What begins here, if anything does; then `at` is behind it. @param {number} depth @param {number} end @returns {PlanNode | null} */
  special(depth, end) {
    const { text, at } = this;
    switch (text[at]) {
      case "\\": return this.escaped(end);
      case "`": return this.code(end);
      case "\n": return this.past(at + 1, { type: text.slice(Math.max(0, at - 2), at) === "  " ? "linebreak" : "softbreak" });
      case "*": case "_": case "~": return depth < DEEP ? this.emphasis(depth, end) : null;
      case "!": return text[at + 1] === "[" ? this.link(depth, end, at + 1) : null;
      case "[": return depth < DEEP ? this.link(depth, end, at) : null;
      default: return this.address(end);
    }
  }

  /** @param {number} at @param {PlanNode} node */
  past(at, node) {
    this.at = at;
    return node;
  }

  /** @param {string} marker @param {number} from @param {number} end @returns {number} its index, or -1 */
  find(marker, from, end) {
    if (this.ended.has(marker)) return -1;
    const index = this.text.indexOf(marker, from);
    if (index < 0) this.ended.add(marker);
    return index >= 0 && index + marker.length <= end ? index : -1;
  }

  /** @param {number} end */
  escaped(end) {
    const next = this.text[this.at + 1];
    if (this.at + 1 >= end) return null;
    if (next === "\n") return this.past(this.at + 2, { type: "linebreak" });
    return ESCAPED.test(next) ? this.past(this.at + 2, { type: "text", text: next }) : null;
  }

  /** @param {number} end */
  code(end) {
    const ticks = /`+/y;
    ticks.lastIndex = this.at;
    const marker = ticks.exec(this.text)?.[0] ?? "`";
    let close = this.find(marker, this.at + marker.length, end);
    // A longer run is another marker.
    while (close >= 0 && this.text[close + marker.length] === "`") {
      ticks.lastIndex = close;
      close = this.find(marker, close + (ticks.exec(this.text)?.[0].length ?? 1), end);
    }
    if (close < 0) return this.past(this.at + marker.length, { type: "text", text: marker });
    const inner = this.text.slice(this.at + marker.length, close).replaceAll("\n", " ");
    const isPadded = inner.startsWith(" ") && inner.endsWith(" ") && inner.trim() !== "";
    return this.past(close + marker.length, { type: "code", text: isPadded ? inner.slice(1, -1) : inner });
  }

  /** @param {number} depth @param {number} end */
  emphasis(depth, end) {
    const { text, at } = this;
    const letter = text[at];
    const marker = text[at + 1] === letter ? letter + letter : letter;
    const inside = text[at + marker.length];
    if (marker === "~" || !inside || /\s/.test(inside)) return null;
    // snake_case is a word.
    if (letter === "_" && /[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) return null;
    // Once none closes up to here, none of those that follow needs to look.
    const none = `${marker}${end}`;
    if (this.ended.has(none)) return null;
    let close = this.find(marker, at + marker.length + 1, end);
    while (close >= 0 && !this.closes(close, marker)) close = this.find(marker, close + 1 + Number(marker.length === 1 && text[close + 1] === letter), end);
    if (close < 0) {
      this.ended.add(none);
      return null;
    }
    this.at = at + marker.length;
    const children = this.read(depth + 1, close);
    return this.past(close + marker.length, { type: marker === "~~" ? "struck" : marker.length === 2 ? "strong" : "emph", children });
  }

  /** @param {number} at @param {string} marker */
  closes(at, marker) {
    const after = this.text[at + marker.length] ?? " ";
    if (/\s/.test(this.text[at - 1])) return false;
    if (marker.length === 1 && after === marker) return false;
    return marker[0] !== "_" || !/[\p{L}\p{N}]/u.test(after);
  }

  /** A link, or a picture, which is its words and its address. @param {number} depth @param {number} end @param {number} open */
  link(depth, end, open) {
    const middle = this.find("](", open + 1, end);
    const close = middle < 0 ? -1 : this.find(")", middle + 2, end);
    if (close < 0) return null;
    const words = this.text.slice(open + 1, middle);
    const inner = this.text.slice(middle + 2, close).trim();
    const blank = inner.search(/\s/);
    const url = blank < 0 ? inner : inner.slice(0, blank);
    // Behind the address there may be a title, which nobody would see.
    if (words.includes("[") || (blank >= 0 && !/["']/.test(inner.slice(blank).trimStart()[0]))) return null;
    const isPicture = this.at !== open;
    this.at = open + 1;
    const children = isPicture ? [{ type: "text", text: words }] : this.read(depth + 1, middle);
    return this.past(close + 1, { type: "link", url, children });
  }

  /** `<https://…>`. Any other markup is text. @param {number} end */
  address(end) {
    const close = this.find(">", this.at + 1, end);
    const inner = close < 0 ? "" : this.text.slice(this.at + 1, close);
    return /^(https?:\/\/|mailto:)\S+$/.test(inner) ? this.past(close + 1, { type: "text", text: inner }) : null;
  }
}
