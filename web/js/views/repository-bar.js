import { h, icon } from "../dom.js";
import { plain } from "../text/characters.js";
import { abort, pull } from "./repository-acts.js";
import { shown } from "./text.js";

/** What to do amid it. @param {string} operation */
const resolve = (operation) => (operation === "rebase" ? ": resolve what is in conflict and stage it, then go on at the computer with “git rebase --continue”." : ": resolve what is in conflict, stage it, then commit.");

/**
 * The branch, how far it is from the remote one, and what goes between the two.
 * @param {import("./changes.js").ChangesView} view @param {import("../state/repository.js").Status} status @returns {(Node | null | false)[]}
 */
export function repositoryBar(view, { branch, upstream, ahead = 0, behind = 0, is_detached, sha, operation, truncated }) {
  const may = view.mayDrive === true;
  const named = [icon("branch"), h("span", {}, is_detached ? `No branch, at ${String(sha ?? "").slice(0, 7)}` : shown(branch || "No branch"))];
  const told = [ahead && `${ahead} to push`, behind && `${behind} to pull`].filter(Boolean).join(" · ") || (upstream ? `Up to date with ${upstream}` : "No remote branch yet");
  const button = (/** @type {any} */ drawing, /** @type {string} */ label, /** @type {() => void} */ onclick) => h("button.other", { type: "button", "data-key": label, onclick }, icon(drawing), label);
  return [
    view.offers("branches") ? h("button.other.branch-button", { type: "button", "data-key": "branch", "aria-label": `Branch ${plain(branch)}: others`, onclick: () => view.branches() }, named, icon("down")) : h("p.branch", {}, named),
    h("p.note", {}, shown(told), truncated ? " · There are more files than can be listed here." : null),
    may && h("div.remote", {},
      view.offers("fetch") && button("refresh", "Fetch", () => view.act("Fetching", "fetch", {})),
      view.offers("pull") && button("pull", behind ? `Pull ${behind}` : "Pull", () => pull(view)),
      view.offers("push") && button("push", ahead ? `Push ${ahead}` : "Push", () => view.act("Pushing", "push", upstream ? {} : { set_upstream: true }))),
    operation ? h("div.alarm.calm", {}, icon("alert"), h("p", {}, "Amid a ", h("strong", {}, shown(operation)), resolve(operation)),
      may && view.offers("merge/abort") ? h("button.careful", { type: "button", "data-key": "abort", onclick: () => abort(view, operation) }, "End it…") : null) : null,
    view.wide.matches ? h("button.chip", { type: "button", "data-key": "split", "aria-pressed": view.isSplit, onclick: () => {
      view.isSplit = !view.isSplit;
      view.lay();
    } }, "Side by side") : null,
  ];
}
