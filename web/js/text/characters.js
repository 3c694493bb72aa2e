/**
 * Characters a reader does not see, or that change what he sees: control characters, zero-width and bidirectional ones,
 * blanks that are no space, characters of private use or of none. The same ones as the daemon counts in `hidden_characters`.
 */
const HIDDEN = /(?![\n\t \uFE0F])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** @typedef {{ text: string, hidden?: undefined } | { hidden: string, text?: undefined }} Piece */

/** @param {string} text @returns {Piece[]} `hidden` is a code point as `U+202E` */
export function pieces(text) {
  /** @type {Piece[]} */
  const found = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) found.push({ text: text.slice(from, match.index) });
    found.push({ hidden: code(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) found.push({ text: text.slice(from) });
  return found;
}

/** In one line of plain text. @param {unknown} value */
export function plain(value) {
  return String(value ?? "").replace(HIDDEN, (character) => `‹${code(character)}›`);
}

/** @param {string} text */
export function countHidden(text) {
  return text.match(HIDDEN)?.length ?? 0;
}

/** @param {string} character */
function code(character) {
  return "U+" + (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}
