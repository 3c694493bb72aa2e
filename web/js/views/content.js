import { h } from "../dom.js";
import { diff, isWhole, replacement } from "./diff.js";
import { plan } from "./plan.js";
import { code, shown } from "./text.js";
import { tree } from "./tree.js";

/**
 * What exactly will run, by tool. Nothing of the input is left out: what has no place of its own stands in the tree.
 */

/** Whose call is compared with the file, or made of Markdown, by the daemon. */
export const PREVIEWED = new Set(["Edit", "ExitPlanMode", "MultiEdit", "NotebookEdit", "Write"]);

/** @param {any} data the card @param {any} [preview] of `permission/preview` @returns {Node[]} */
export function content(data, preview) {
  try {
    return arranged(data, preview);
  } catch {
    // Input of another form than the tool's own is shown as what it is.
    return [tree(data.tool_input)];
  }
}

/** @param {any} data @param {any} preview @returns {Node[]} */
function arranged(data, preview) {
  const input = data.tool_input ?? {};
  switch (data.tool_name) {
    case "AskUserQuestion": return rest(input, "questions");
    // Claude's words stand above, if they are words.
    case "Bash": return [code(input.command, { label: "command" }), ...rest(input, "command", ...(typeof input.description === "string" ? ["description"] : []))];
    case "Edit": case "MultiEdit": case "NotebookEdit": case "Write": return change(data.tool_name, input, preview);
    case "ExitPlanMode": return [preview?.kind === "plan" ? plan(preview.document) : code(input.plan ?? "", { label: "plan" }), ...rest(input, "plan")];
    case "Glob": case "Grep": case "Read": return found(input);
    case "WebFetch": return [address(input.url), ...rest(input, "url")];
    case "WebSearch": return [h("p.search-words", {}, shown(String(input.query ?? ""))), ...rest(input, "query")];
    default: return [tree(input)];
  }
}

/** @param {any} input @param {...string} used */
function rest(input, ...used) {
  const left = Object.fromEntries(Object.entries(input).filter(([name]) => !used.includes(name)));
  return Object.keys(left).length ? [tree(left)] : [];
}

/** Where it looks, the file before the folder before the pattern. @param {any} input */
function found(input) {
  const name = ["file_path", "path", "pattern"].find((name) => typeof input[name] === "string" && input[name]);
  return name ? [h("p.path", {}, h("strong", {}, shown(input[name]))), ...rest(input, name)] : [tree(input)];
}

/** What has a place of its own in the change that a tool makes; the first is the file. @type {Record<string, string[]>} */
const PLACED = {
  Edit: ["file_path", "old_string", "new_string", "replace_all"], MultiEdit: ["file_path", "edits"],
  NotebookEdit: ["notebook_path", "new_source"], Write: ["file_path", "content"],
};

/** Where the new text stands, if not in `new_string`. @type {Record<string, string>} */
const NEW = { NotebookEdit: "new_source", Write: "content" };

/** @param {string} tool @param {any} input @param {any} preview */
function change(tool, input, preview) {
  const others = rest(input, ...PLACED[tool]);
  if (isWhole(preview)) return [diff(preview), ...others];
  const edits = tool === "MultiEdit" ? input.edits : [input];
  const everywhere = edits.some((/** @type {any} */ edit) => edit.replace_all);
  return [
    replacement(String(input[PLACED[tool][0]] ?? ""), edits.map((/** @type {any} */ edit) => ({
      old: String(edit.old_string ?? ""), new: String(edit[NEW[tool] ?? "new_string"] ?? ""),
    })), preview && (preview.kind === "text" ? preview.reason : "Too long to be compared with the file.")),
    ...(everywhere ? [h("p.note", {}, "Everywhere in the file.")] : []), ...others,
  ];
}

/** The host apart from the rest: it says who gets to hear. @param {unknown} text */
function address(text) {
  let url;
  try {
    url = new URL(String(text));
  } catch {
    return code(String(text ?? ""));
  }
  return h("div.address", {}, h("strong.host", {}, shown(url.host)), code(String(text)));
}
