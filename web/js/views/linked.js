import { h } from "../dom.js";
import { to } from "../text/address.js";

/** @type {Record<string, string>} */
const WORDS = { clear_of: "Goes on after /clear: the session before", cleared_to: "Cleared: the session after", fork_of: "Copied from another session", forked_to: "Copied to another session" };

/** The ways to the sessions that this one goes on from, and that go on from it. @param {string} workspace @param {{ kind: string, session_id: string }[]} links */
export function linked(workspace, links) {
  const known = links.filter(({ kind }) => Object.hasOwn(WORDS, kind));
  return known.length ? h("nav.linked", { "aria-label": "Linked sessions" }, known.map(({ kind, session_id }) => h("a.way", { href: to("transcript", workspace, session_id) }, WORDS[kind]))) : null;
}
