import { fill, h, icon, set, unfold } from "../dom.js";
import { plain } from "../text/characters.js";
import { base } from "../text/words.js";
import { changed } from "./patch.js";
import { discard } from "./repository-acts.js";
import { shown } from "./text.js";

/** @typedef {"conflicted" | "staged" | "unstaged" | "untracked"} Area */

/** @type {Record<string, string>} */
const WORDS = { "?": "New", A: "Added", C: "Copied", D: "Deleted", M: "Modified", R: "Renamed", T: "Type changed", U: "In conflict" };

/** One changed file: what happened to it, its diff when it is unfolded, and what can be done. */
export class ChangeRow {
  /** @param {import("./changes.js").ChangesView} view @param {Area} area */
  constructor(view, area) {
    this.view = view;
    this.area = area;
    this.isOpen = false;
    this.diff = h("div.diff-box");
    this.acts = h("div.acts-line");
    this.inside = h("div.inside", { hidden: true }, this.diff, this.acts);
    this.opener = h("button.disclose", { type: "button", "aria-expanded": false, onclick: () => this.toggle() });
    this.mover = h("button.mover", { type: "button", onclick: () => this.view.move(this.area, [this.file?.path ?? ""]) });
    this.element = h("div.item.changed-file", {}, h("div.line-of", {}, this.opener, this.mover), this.inside);
  }

  /** @param {import("../state/repository.js").File} file @param {boolean} may change it @param {boolean} isSplit */
  update(file, may, isSplit) {
    this.file = file;
    this.isSplit = isSplit;
    const { path, status, additions, deletions } = file;
    const name = base(path);
    const word = WORDS[status?.trim()[0] ?? ""] ?? "Changed";
    const from = file.old_path ?? file.from;
    set(this.opener, "data-key", `${this.area} ${path}`);
    fill(this.opener, h(`span.letter.${word.split(" ")[0].toLowerCase()}`, { title: word }, h("span", { "aria-hidden": "true" }, status?.trim()[0] ?? "M"), h("span.unseen", {}, `${word}: `)),
      h("span.path", {}, h("span.folder", {}, shown(path.slice(0, path.length - name.length))), h("strong", {}, shown(name)), from ? h("span.folder", {}, " from ", shown(from)) : null),
      additions || deletions ? h("span.sum", {}, h("span.added", {}, `+${additions ?? 0}`), " ", h("span.removed", {}, `−${deletions ?? 0}`)) : null);
    const verb = this.area === "staged" ? "Unstage" : "Stage";
    const isOffered = may && this.view.offers(verb.toLowerCase());
    this.mover.hidden = !isOffered;
    set(this.mover, "aria-label", `${verb} ${plain(path)}`);
    set(this.mover, "title", verb);
    set(this.mover, "data-key", `${verb} ${path}`);
    fill(this.mover, icon(this.area === "staged" ? "minus" : "plus"));
    const canDiscard = may && (this.area === "unstaged" || this.area === "untracked") && this.view.offers("discard");
    fill(this.acts, canDiscard && h("button.careful", { type: "button", "data-key": `Discard ${path}`, onclick: () => discard(this.view, this.area, file) }, this.area === "untracked" ? "Delete this file…" : "Discard these changes…"));
    if (this.isOpen) this.load();
  }

  toggle() {
    this.isOpen = unfold(this.opener, this.inside);
    if (this.isOpen) this.load();
  }

  /** The diff stays until the new one is there, so that nothing jumps. */
  async load() {
    const { repository } = this.view;
    const { file } = this;
    if (!repository || !file) return;
    if (!this.diff.firstChild) fill(this.diff, h("p.note", {}, "Loading…"));
    try {
      const { diff, truncated, reason } = await repository.call("diff", { path: file.path, ...(this.area === "staged" ? { staged: true } : {}) });
      if (this.file === file) fill(this.diff, reason && !diff ? h("p.note", {}, "Not shown: ", shown(reason), ".") : changed(String(diff ?? ""), this.isSplit ?? false), truncated ? h("p.note", {}, "It is longer; only its beginning is shown.") : null);
    } catch (error) {
      if (this.file === file) fill(this.diff, h("p.note", {}, plain(`The diff cannot be shown: ${error instanceof Error ? error.message : error}.`)));
    }
  }
}
