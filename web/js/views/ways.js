import { h, icon } from "../dom.js";
import { to } from "../text/address.js";

/** The ways from a session or a project to its changes and files. @param {import("../app.js").App} app @param {string} workspace @param {string} key of what they stand in */
export function ways({ features }, workspace, key) {
  const found = [
    features.has("workspace/git/status") && way("changes", "Changes", "changes", workspace, key),
    features.has("workspace/files/list") && way("files", "Files", "folder", workspace, key),
  ].filter(Boolean);
  return found.length ? h("div.ways", {}, found) : null;
}

/** @param {string} name @param {string} label @param {any} drawing @param {string} workspace @param {string} key */
const way = (name, label, drawing, workspace, key) => h("a.way", { href: to(name, workspace), "data-key": `${name} ${key}` }, icon(drawing), label);
