import { h } from "../dom.js";
import { to } from "../text/address.js";
import { shown } from "./text.js";

/**
 * The context of the call, folded: the session's title, what the person asked last, Claude's last words. These are
 * words, not facts, and no part of what runs. The whole conversation is a link away, where the daemon has it.
 * @param {any} data of a card @param {import("../state/features.js").Features} features @returns {HTMLElement | null}
 */
export function why({ context, workspace_id, session_id, tool_use_id }, features) {
  const { title, prompt, last_words } = context ?? {};
  const lines = [["Session", title], ["You asked", prompt], ["Claude said", last_words]].filter(([, text]) => typeof text === "string" && text);
  if (!lines.length) return null;
  const canRead = session_id && features.has("workspace/session/messages");
  return h("details.why", {}, h("summary", {}, "Why?"),
    h("dl", {}, lines.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, shown(text))))),
    canRead ? h("a.way", { href: to("transcript", workspace_id ?? "", session_id, ...(tool_use_id ? [tool_use_id] : [])) }, "Show it in the transcript") : null);
}
