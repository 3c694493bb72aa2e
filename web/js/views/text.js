import { h } from "../dom.js";
import { pieces } from "../text/characters.js";
import { counted } from "../text/words.js";

/** Longer text is folded, and has to be unfolded before it can be allowed: characters, about 24 lines of a phone. */
export const FOLD = 1000;
/** Lines shown of text that has more. */
export const LINES = 12;
/** A button that shows all takes the room of these, so no fewer are worth hiding. */
const SLACK = 3;

/** True if so many lines are folded. @param {number} count */
export const isFolded = (count) => count > LINES + SLACK;

/** The text's pieces; what nobody would see stands out. @param {string} text */
export function shown(text) {
  return pieces(text).map((piece) => (piece.hidden
    ? h("span.hidden-character", { title: "a character that cannot be seen" }, piece.hidden)
    : piece.text));
}

/** Characters at the end of a line that stay where it has no room: a long command differs from others by its end. */
const END = 16;
/** Characters of a line: more than any screen shows. */
const LINE = 200;

/** A command, a file or an address on one line; line feeds are marked. Its end is seen also where the middle is not. @param {unknown} value */
export function oneLine(value) {
  const letters = Array.from(String(value).trimEnd().replace(/\r?\n/g, " ⏎ "));
  if (letters.length <= END) return shown(letters.join(""));
  const start = letters.slice(0, -END);
  const cut = start.length > LINE - END ? [...start.slice(0, LINE - END), "…"] : start;
  return [h("span.start", {}, shown(cut.join(""))), h("span.rest", {}, shown(letters.slice(-END).join("")))];
}

/**
 * Text that runs or is written, whole and wrapped.
 * @param {unknown} value @param {{ label?: string, onunfold?: () => void, fold?: number }} [options]
 */
export function code(value, { label, onunfold, fold = FOLD } = {}) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? "";
  const lines = text.split("\n");
  const start = (isFolded(lines.length) ? lines.slice(0, LINES).join("\n") : text).slice(0, fold);
  const block = h("pre.code", { "aria-label": label, tabindex: null }, shown(start));
  if (start.length === text.length) return block;
  const more = h("button.quiet.unfold", { type: "button", onclick: () => {
    block.replaceChildren(...shown(text).map((piece) => piece ?? ""));
    more.remove();
    onunfold?.();
  } }, `Show all ${isFolded(lines.length) ? counted(lines.length, "line") : counted(text.length, "character")}`);
  return h("div.folded", { "data-folded": true }, block, more);
}
