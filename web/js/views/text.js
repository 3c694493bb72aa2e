import { h } from "../dom.js";
import { pieces } from "../text/characters.js";
import { counted } from "../text/words.js";

/** Longer text is folded, and has to be unfolded before it can be allowed. */
export const FOLD = 4000;

/** The text's pieces; what nobody would see stands out. @param {string} text */
export function shown(text) {
  return pieces(text).map((piece) => (piece.hidden
    ? h("span.hidden-character", { title: "a character that cannot be seen" }, piece.hidden)
    : piece.text));
}

/**
 * Text that runs or is written, whole and wrapped.
 * @param {unknown} value @param {{ label?: string, onunfold?: () => void, fold?: number }} [options]
 */
export function code(value, { label, onunfold, fold = FOLD } = {}) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? "";
  const block = h("pre.code", { "aria-label": label, tabindex: null }, shown(text.slice(0, fold)));
  if (text.length <= fold) return block;
  const more = h("button.quiet.unfold", { type: "button", onclick: () => {
    block.replaceChildren(...shown(text).map((piece) => piece ?? ""));
    more.remove();
    onunfold?.();
  } }, `Show all ${counted(text.length, "character")}`);
  return h("div.folded", { "data-folded": true }, block, more);
}
