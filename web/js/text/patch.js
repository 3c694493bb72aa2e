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
