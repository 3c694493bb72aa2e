/**
 * Characters a reader does not see, or that change what he sees: control characters, zero-width and bidirectional ones,
 * blanks that are no space. The same ones as the daemon counts in `hidden_characters`.
 */
const HIDDEN = new RegExp(
  "[\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u00A0\\u00AD\\u034F\\u0600-\\u0605\\u061C\\u06DD\\u070F\\u0890\\u0891\\u08E2"
    + "\\u115F\\u1160\\u1680\\u17B4\\u17B5\\u180B-\\u180F\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u2800\\u3000"
    + "\\u3164\\uFE00-\\uFE0E\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\u{110BD}\\u{110CD}\\u{13430}-\\u{1345F}"
    + "\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}]",
  "gu",
);

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
