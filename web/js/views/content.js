import { h } from "../dom.js";
import { named, part } from "../tool.js";
import { diff, isWhole, replacement } from "./diff.js";
import { plan } from "./plan.js";
import { code, shown } from "./text.js";
import { tree } from "./tree.js";

/**
 * What exactly will run, by kind. Nothing of the input is left out: what has no place of its own stands in the tree.
 */

/** Whose call is compared with the file, or made of Markdown, by the daemon. */
export const PREVIEWED = new Set(["file_changes", "plan"]);

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
  switch (data.kind) {
    case "question": return rest(data, "questions");
    // The agent's words stand above, if they are words.
    case "shell_command": return [code(part(data, "command"), { label: "command" }), ...rest(data, "command", ...(typeof part(data, "note") === "string" ? ["note"] : []))];
    case "file_changes": return change(data, preview);
    case "plan": return [preview?.kind === "plan" ? plan(preview.document) : code(part(data, "plan") ?? "", { label: "plan" }), ...rest(data, "plan")];
    case "read": case "search": return found(data);
    case "fetch": return named(data, "url") ? [address(part(data, "url")), ...rest(data, "url")]
      : [h("p.search-words", {}, shown(String(part(data, "query") ?? ""))), ...rest(data, "query")];
    default: return [tree(input)];
  }
}

/** @param {any} data @param {...string} used roles that have their place */
function rest(data, ...used) {
  const names = used.map((role) => named(data, role));
  const left = Object.fromEntries(Object.entries(data.tool_input ?? {}).filter(([name]) => !names.includes(name)));
  return Object.keys(left).length ? [tree(left)] : [];
}

/** Where it looks, the file before the folder before the pattern. @param {any} data */
function found(data) {
  const role = ["file", "path", "pattern"].find((role) => typeof part(data, role) === "string" && part(data, role));
  return role ? [h("p.path", {}, h("strong", {}, shown(part(data, role)))), ...rest(data, role)] : [tree(data.tool_input ?? {})];
}

/** @param {any} data @param {any} preview */
function change(data, preview) {
  const isList = named(data, "edits") !== undefined;
  const others = rest(data, "file", "content", ...(isList ? ["edits"] : ["old", "new", "everywhere"]));
  if (isWhole(preview)) return [diff(preview), ...others];
  const edits = isList ? part(data, "edits") : [data.tool_input];
  const everywhere = edits.some((/** @type {any} */ edit) => part(data, "everywhere", edit));
  return [
    replacement(String(part(data, "file") ?? ""), edits.map((/** @type {any} */ edit) => ({
      old: String(part(data, "old", edit) ?? ""), new: String(part(data, "new", edit) ?? part(data, "content", edit) ?? ""),
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
