/**
 * What `git diff` prints, as hunks of lines with their numbers.
 *
 * @typedef {import("../views/diff.js").Hunk} Hunk
 * @typedef {{ hunks: Hunk[], added: number, removed: number, isBinary: boolean, notes: string[] }} Patch `notes`: modes, renames
 */

const HUNK = /^@@+ -(\d+)(?:,\d+)? (?:-\d+(?:,\d+)? )*\+(\d+)(?:,\d+)? @@/;
const TOLD = /^(new file|deleted file|old mode|new mode|rename|copy|similarity)/;

/** @param {string} text @returns {Patch} */
export function patch(text) {
  /** @type {Patch} */
  const found = { hunks: [], added: 0, removed: 0, isBinary: false, notes: [] };
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
    const start = HUNK.exec(line);
    if (start) found.hunks.push({ old_start: Number(start[1]), new_start: Number(start[2]), lines: [] });
    else if (/^(Binary files|GIT binary patch)/.test(line)) found.isBinary = true;
    else if (TOLD.test(line)) found.notes.push(line);
    else take(found, line);
  }
  return found;
}

/** The parts of what `git diff` or `git show` prints of several files, one for each. @param {string} text @returns {string[]} */
export const perFile = (text) => text.split(/^(?=diff --(?:git|cc|combined) )/m).filter((part) => part.startsWith("diff --"));

/** The file that a part is about, as it is called now. @param {string} text @returns {string} */
export function pathOf(text) {
  const [head] = text.split(/^@@/m, 1);
  const renamed = /^rename to (.+)$/m.exec(head);
  if (renamed) return renamed[1];
  const side = /^\+\+\+ (?!\/dev\/null)(.+?)\t?$/m.exec(head) ?? /^--- (?!\/dev\/null)(.+?)\t?$/m.exec(head);
  // A part without lines names the file twice: `a/X b/X`.
  const names = side?.[1] ?? /^diff --\S+ (.+)$/m.exec(head)?.[1] ?? "";
  const name = side ? names : names.slice(Math.floor((names.length + 1) / 2));
  return name.replace(/^("?)[ab]\//, "$1");
}

/** @param {Patch} found @param {string} line */
function take(found, line) {
  const hunk = found.hunks.at(-1);
  if (!hunk) return;
  if (line.startsWith("\\")) {
    const last = hunk.lines.at(-1);
    if (last) last.no_newline = true;
    return;
  }
  const op = line[0] === "+" || line[0] === "-" ? line[0] : " ";
  if (op === "+") found.added += 1;
  if (op === "-") found.removed += 1;
  hunk.lines.push({ op, text: line.slice(1) });
}
