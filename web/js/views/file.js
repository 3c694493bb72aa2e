import { fill, h, icon } from "../dom.js";
import { RpcError } from "../net/rpc.js";
import { plain } from "../text/characters.js";
import { base, counted, size } from "../text/words.js";
import { drawn } from "./picture.js";
import { shown } from "./text.js";

/** @type {Record<string, string>} */
const PICTURES = { gif: "image/gif", jpeg: "image/jpeg", jpg: "image/jpeg", png: "image/png", webp: "image/webp" };

/** Lines in a block of its own: what is not on the screen is not laid out. */
const BLOCK = 400;

/** Shows one file. @param {import("../app.js").App} app @param {string} workspace @param {string} path @param {HTMLElement} element */
export async function file(app, workspace, path, element) {
  const name = base(path);
  const head = h("header", {}, h("h2.path", {}, h("span.folder", {}, shown(path.slice(0, path.length - name.length))), h("strong", {}, shown(name))));
  const kind = PICTURES[name.split(".").at(-1)?.toLowerCase() ?? ""];
  try {
    // A frame has no room for a picture.
    const call = kind ? app.link.callWhole.bind(app.link) : app.link.call.bind(app.link);
    const told = await call("workspace/file/get", { workspace_id: workspace, path, max_size_kb: kind ? 6000 : 500 });
    fill(element, head, body(told, kind, name));
  } catch (error) {
    fill(element, head, refused(error, name));
  }
}

/** @param {any} told @param {string | undefined} kind @param {string} name @returns {(Node | null)[]} */
function body({ content, encoding, truncated, size: bytes, file_size }, kind, name) {
  const rest = truncated ? h("p.note", {}, `Only the first ${size(bytes ?? content.length)}${file_size ? ` of ${size(file_size)}` : ""} are shown.`) : null;
  if (encoding === "base64") return kind && !truncated ? [drawn(kind, content, `Picture ${plain(name)}`)] : [h("p.note", {}, `It is no text (${size(bytes ?? 0)}), so it is not shown.`)];
  if (content === "") return [h("p.note", {}, "The file is empty.")];
  const lines = content.replace(/\n$/, "").split("\n");
  return [h("p.note", {}, `${counted(lines.length, "line")} · ${size(bytes ?? content.length)}`), rest, source(lines, name)];
}

/** Lines with their numbers, as wide as they are. @param {string[]} lines @param {string} name */
function source(lines, name) {
  const blocks = [];
  for (let at = 0; at < lines.length; at += BLOCK) {
    const some = lines.slice(at, at + BLOCK);
    blocks.push(h("div.block", {}, h("pre.gutter", { "aria-hidden": "true" }, some.map((_, index) => at + index + 1).join("\n")),
      h("pre.lines", {}, shown(some.join("\n")))));
  }
  return h("div.source", { tabindex: 0, role: "group", "aria-label": `Content of ${plain(name)}` }, blocks);
}

/** @param {unknown} error @param {string} name */
function refused(error, name) {
  if (error instanceof RpcError && error.data?.refused === "drive")
    return h("div.alarm.calm", {}, icon("lock"), h("p", {}, h("strong", {}, shown(name)), " may hold secrets, such as keys or passwords. Only a device with drive rights is shown it: pair it on the computer with ", h("code", {}, "cdev pair --rights drive"), "."));
  const message = error instanceof Error ? error.message : String(error);
  return h("p.note", { role: "alert" }, plain(error instanceof RpcError ? `The file cannot be shown: ${message}.` : "Offline: the file comes when the connection is back."));
}
