import { fill, h, icon } from "../dom.js";
import { plain } from "../text/characters.js";
import { to } from "../text/address.js";
import { ago, compact, counted, money } from "../text/words.js";
import { continuing } from "./resume.js";
import { shown } from "./text.js";
import { ways } from "./ways.js";

/** Sessions shown of each project before somebody asks for all. */
const FEW = 3;
const STEP = 50;

/**
 * A project with its sessions of the past, of which the latest are shown.
 * @param {import("../app.js").App} app @param {import("../state/workspaces.js").Workspace} workspace
 * @param {Set<string>} running ids of sessions that stand above @param {Set<string>} opened what stays open when the list is made anew
 * @param {boolean} mayStart this device may go on with one of them
 */
export function earlier(app, workspace, running, opened, mayStart) {
  const past = workspace.sessions.filter(({ id }) => !running.has(id)).toSorted((a, b) => at(b) - at(a));
  const key = `past ${workspace.id}`;
  const box = h("div.list");
  const more = h("button.quiet", { type: "button", "data-key": key, onclick: () => unfold(STEP) });
  const section = h("section.project", { "aria-label": plain(workspace.name) },
    h("header", {}, h("div", {}, h("h2", {}, shown(workspace.name)), h("p.where", {}, h("code", {}, shown(workspace.path)), workspace.branch ? [" ", h("span.branch", {}, icon("branch"), shown(workspace.branch))] : null)),
      ways(app, workspace.id, workspace.id)),
    past.length ? h("h3", {}, "Earlier") : null, box, more);
  const lay = (/** @type {any[]} */ sessions) => fill(box, sessions.map((session) => entry(app, workspace, session, mayStart)));
  const unfold = async (/** @type {number} */ limit) => {
    opened.add(key);
    more.disabled = true;
    try {
      const { sessions, total } = await app.link.call("workspace/session/history", { workspace_id: workspace.id, limit });
      lay(sessions.filter((/** @type {any} */ { session_id }) => !running.has(session_id)).map((/** @type {any} */ one) => ({ ...one, id: one.session_id })));
      more.hidden = sessions.length >= total || sessions.length < limit;
      more.textContent = `Show more of ${counted(total, "session")}`;
      more.onclick = () => unfold(limit + STEP);
    } catch (error) {
      more.textContent = `Not loaded: ${plain(error instanceof Error ? error.message : error)}. Try again`;
    }
    more.disabled = false;
  };
  lay(past.slice(0, FEW));
  more.textContent = `Show all ${counted(past.length, "session")}`;
  more.hidden = past.length <= FEW || !app.features.has("workspace/session/history");
  if (opened.has(key) && !more.hidden) unfold(STEP);
  return section;
}

/** @param {any} session */
const at = ({ last_updated, last_active, started_at }) => Date.parse(last_updated ?? last_active ?? started_at ?? "") || 0;

/** @param {import("../app.js").App} app @param {import("../state/workspaces.js").Workspace} workspace @param {any} session @param {boolean} mayStart */
function entry(app, workspace, session, mayStart) {
  const { id, summary, message_count, branch, cost_usd, input_tokens = 0, output_tokens = 0 } = session;
  const time = at(session);
  const count = input_tokens + output_tokens;
  const facts = [message_count !== undefined && counted(message_count, "message"), branch, typeof cost_usd === "number" && money(cost_usd), count > 0 && `${compact(count)} tokens`].filter(Boolean);
  const inner = [h("span.main", {}, h("strong", {}, shown(summary || "Without a title")), facts.length ? h("span.line", {}, shown(facts.join(" · "))) : null),
    time ? h("time", {}, ago(new Date(time).toISOString(), app.now)) : null];
  const element = app.features.has("workspace/session/messages")
    ? h("a.item.row", { href: to("transcript", workspace.id, id), "data-key": `open ${id}` }, inner) : h("div.item.row", {}, inner);
  return mayStart ? h("div.past", {}, element, continuing(app, workspace.id, id, plain(summary || "the session without a title"))) : element;
}
