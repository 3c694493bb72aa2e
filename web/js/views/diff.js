import { h } from "../dom.js";
import { base, counted } from "../text/words.js";
import { LINES, isFolded, shown } from "./text.js";

/**
 * @typedef {{ op: " " | "-" | "+", text: string, no_newline?: boolean }} Line
 * @typedef {{ old_start: number, new_start: number, lines: Line[] }} Hunk
 */

/**
 * Whether a preview is a change with nothing left out to make it fit: a cut line has its `length`, and `more` counts the
 * lines that are not there. Less than what runs is not to be allowed.
 * @param {any} preview
 */
export function isWhole(preview) {
  return preview?.kind === "diff" && !preview.more
    && preview.hunks.every((/** @type {any} */ hunk) => hunk.lines.every((/** @type {any} */ line) => line.length === undefined));
}

/** A change of a file, as `permission/preview` gives it whole. @param {any} preview */
export function diff(preview) {
  /** @type {Hunk[]} */
  const hunks = preview.hunks;
  const lines = hunks.flatMap((hunk, index) => [...(index ? [h("div.gap", { "aria-hidden": "true" }, "⋯")] : []), ...numbered(hunk)]);
  const sum = h("span.sum", {}, h("span.added", {}, `+${preview.added}`), " ", h("span.removed", {}, `−${preview.removed}`));
  return h("div.change", {}, file(preview.path, sum), folded(lines));
}

/**
 * The same from the call alone, where nobody compared it with the file.
 * @param {string} path @param {{ old?: string, new: string }[]} edits @param {string} [reason] why not
 */
export function replacement(path, edits, reason) {
  const lines = edits.flatMap((edit, index) => [
    ...(index ? [h("div.gap", { "aria-hidden": "true" }, "⋯")] : []),
    ...numbered({ old_start: 0, new_start: 0, lines: [...split("-", edit.old), ...split("+", edit.new)] }),
  ]);
  return h("div.change", {}, file(path), reason ? h("p.note", {}, shown(reason)) : null, folded(lines));
}

/** @param {"-" | "+"} op @param {string | undefined} text @returns {Line[]} */
function split(op, text) {
  return text ? text.replace(/\n$/, "").split("\n").map((line) => ({ op, text: line })) : [];
}

/** @param {string} path @param {Node} [sum] */
function file(path, sum) {
  const name = base(path);
  const folder = path.slice(0, path.length - name.length);
  return h("p.path", {}, h("span.folder", {}, shown(folder)), h("strong", {}, shown(name)), sum);
}

/** The lines of a hunk, one below the other. @param {Hunk} hunk @returns {HTMLElement[]} */
export function numbered(hunk) {
  let [before, after] = [hunk.old_start, hunk.new_start];
  return hunk.lines.map(({ op, text, no_newline: endsWithin }) => {
    const number = op === "-" ? before : after;
    if (op !== "+") before += 1;
    if (op !== "-") after += 1;
    const tag = { "-": "del", "+": "ins", " ": "div" }[op];
    const sign = { "-": "−", "+": "+", " ": " " }[op];
    return h(`${tag}.line`, {}, hunk.new_start ? h("span.number", { "aria-hidden": "true" }, number) : null, h("span.sign", {}, sign), h("span.text", {}, shown(text), endsWithin && op !== " " ? h("span.note", {}, " no line feed behind this line") : null));
  });
}

/** @param {HTMLElement[]} lines @param {number} [most] shown at first of what is folded @returns {HTMLElement} */
export function folded(lines, most = LINES) {
  if (lines.length <= most || !isFolded(lines.length)) return h("div.diff", {}, lines);
  const box = h("div.diff", {}, lines.slice(0, most));
  const more = h("button.quiet.unfold", { type: "button", onclick: () => {
    box.append(...lines.slice(most));
    more.remove();
  } }, `Show all ${counted(lines.length, "line")}`);
  return h("div.folded", { "data-folded": true }, box, more);
}
