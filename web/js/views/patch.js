import { h } from "../dom.js";
import { patch } from "../text/patch.js";
import { folded, numbered } from "./diff.js";
import { shown } from "./text.js";

/** @typedef {import("./diff.js").Line} Line */

/** Lines shown at first: a screen or ten of them, as a long diff takes a phone a while to lay out. */
const MOST = 300;
/** What is wide enough for two columns; as in files.css. */
export const WIDE = "(min-width: 1100px)";

/** What `git diff` says of one file. @param {string} text @param {boolean} isSplit old and new side by side @returns {HTMLElement} */
export function changed(text, isSplit) {
  const { hunks, isBinary, notes } = patch(text);
  const told = notes.map((note) => h("p.note", {}, shown(note)));
  if (isBinary) return h("div.change", {}, told, h("p.note", {}, "It is no text, so its change is not shown."));
  if (!hunks.length) return h("div.change", {}, told, h("p.note", {}, notes.length ? "Its content is the same." : "There is nothing to show: it is empty, or as it was."));
  const lines = hunks.flatMap((hunk, index) => [
    ...(index ? [h("div.gap", { "aria-hidden": "true" }, "⋯")] : []), ...(isSplit ? besides(hunk) : numbered(hunk)),
  ]);
  const box = folded(lines, MOST);
  box.classList.toggle("split", isSplit);
  return h("div.change", {}, told, box);
}

/** The lines of a hunk in pairs: what was removed on the left of what was added instead. @param {import("./diff.js").Hunk} hunk */
function besides(hunk) {
  let [before, after] = [hunk.old_start, hunk.new_start];
  return pairs(hunk.lines).map(([old, now]) => h("div.beside", {},
    side(old, old ? before++ : null, "del"), side(now, now ? after++ : null, "ins")));
}

/** @param {Line[]} lines @returns {[Line | null, Line | null][]} */
function pairs(lines) {
  /** @type {[Line | null, Line | null][]} */
  const found = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at].op === " ") {
      found.push([lines[at], lines[at]]);
      at += 1;
      continue;
    }
    const from = at;
    while (at < lines.length && lines[at].op !== " ") at += 1;
    const old = lines.slice(from, at).filter(({ op }) => op === "-");
    const now = lines.slice(from, at).filter(({ op }) => op === "+");
    for (let index = 0; index < Math.max(old.length, now.length); index += 1) found.push([old[index] ?? null, now[index] ?? null]);
  }
  return found;
}

/** @param {Line | null} line @param {number | null} number @param {"del" | "ins"} tag */
function side(line, number, tag) {
  if (!line) return h("div.line.void");
  const name = line.op === " " ? "div" : tag;
  return h(`${name}.line`, {}, h("span.number", { "aria-hidden": "true" }, number),
    h("span.sign", {}, { " ": " ", "-": "−", "+": "+" }[line.op]), h("span.text", {}, shown(line.text), line.no_newline && line.op !== " " ? h("span.note", {}, " no line feed behind this line") : null));
}
