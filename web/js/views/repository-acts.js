import { h } from "../dom.js";
import { plain } from "../text/characters.js";
import { counted } from "../text/words.js";
import { ask, choose } from "./ask.js";
import { shown } from "./text.js";

/** @typedef {import("./changes.js").ChangesView} ChangesView */

/**
 * Discards the changes of a file, after a second step that says what is lost.
 * @param {ChangesView} view @param {import("./change-row.js").Area} area @param {import("../state/repository.js").File} file
 */
export async function discard(view, area, { path, additions, deletions }) {
  const isNew = area === "untracked";
  const lines = [additions && `${counted(additions, "added line")}`, deletions && `${counted(deletions, "removed line")}`].filter(Boolean).join(" and ");
  const yes = await ask({
    title: isNew ? ["Delete ", ...shown(path), "?"] : ["Discard the changes to ", ...shown(path), "?"],
    text: isNew ? "Git has no copy of this file. It is gone for good." : `${lines ? `What is lost: ${lines}. ` : ""}The file becomes as it is staged, or as in the last commit. Nothing keeps a copy of these changes.`,
    yes: isNew ? "Delete" : "Discard",
  });
  if (yes) await view.act("Discarding", "discard", { paths: [path] });
}

/** Pulls. Where both sides went on, a person says how they are joined. @param {ChangesView} view */
export async function pull(view) {
  const { ahead = 0, behind = 0 } = view.status ?? {};
  const canChoose = view.app.features.has("workspace/git/pull", "rebase");
  const isAsked = canChoose && ahead > 0 && behind > 0;
  if (!isAsked && (await view.act("Pulling", "pull", {}) || view.refusal?.kind !== "diverged")) return;
  const how = await choose({
    title: "Both sides have new commits", no: "Leave it",
    text: [h("p", {}, "A merge keeps both as they are, and adds one commit that joins them."), canChoose && h("p", {}, "A rebase puts yours on top of theirs, as new commits: not for commits that somebody else has already.")].filter((part) => part instanceof Node),
    answers: [{ value: "merge", label: "Merge" }, ...(canChoose ? [{ value: "rebase", label: "Rebase" }] : [])],
  });
  if (how) await view.act(how === "rebase" ? "Rebasing" : "Pulling", "pull", { rebase: how === "rebase" });
}

/** Ends a merge or its like. @param {ChangesView} view @param {string} operation */
export async function abort(view, operation) {
  const yes = await ask({ title: `End the ${plain(operation)}?`, text: "Everything goes back to how it was before. What was resolved since is lost.", yes: "End it" });
  if (yes) await view.act("Ending it", "merge/abort", {});
}
