import { h } from "../dom.js";
import { shown } from "./text.js";

/**
 * The context of the call, folded: the session's title, what the person asked last, Claude's last words. These are
 * words, not facts, and no part of what runs.
 * @param {any} context of a card @returns {HTMLElement | null}
 */
export function why(context) {
  const { title, prompt, last_words } = context ?? {};
  const lines = [["Session", title], ["You asked", prompt], ["Claude said", last_words]].filter(([, text]) => typeof text === "string" && text);
  if (!lines.length) return null;
  return h("details.why", {}, h("summary", {}, "Why?"),
    h("dl", {}, lines.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, shown(text))))));
}
