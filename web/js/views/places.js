import { h } from "../dom.js";
import { to } from "../text/address.js";

/** The ways between what belongs to one workspace. @param {import("../app.js").App} app @param {string} workspace @param {"transcript" | "changes" | "files"} current */
export function places(app, workspace, current) {
  const session = app.workspaces.looked.get(workspace);
  const link = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string[]} */ ...parts) =>
    h("a", { href: to(name, ...parts), "aria-current": name === current ? "page" : null }, label);
  return h("nav.places", { "aria-label": "Of this project" },
    session !== undefined && link("transcript", "Transcript", workspace, session),
    app.features.has("workspace/git/status") && link("changes", "Changes", workspace),
    app.features.has("workspace/files/list") && link("files", "Files", workspace));
}
