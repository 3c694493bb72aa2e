import { fill, h, icon, unfold } from "../dom.js";
import { plain } from "../text/characters.js";
import { pathOf, perFile } from "../text/patch.js";
import { ago, counted } from "../text/words.js";
import { changed } from "./patch.js";
import { code, shown } from "./text.js";

/** Commits asked for at once. */
const PAGE = 20;

/** The commits of the branch, the newest first; each unfolds to what it changed. Nothing is asked for before it is unfolded. */
export class Commits {
  /** @param {import("./changes.js").ChangesView} view */
  constructor(view) {
    this.view = view;
    this.isOpen = false;
    this.opener = h("button.disclose", { type: "button", "data-key": "commits", "aria-expanded": false, onclick: () => this.toggle() }, icon("history"), h("strong.main", {}, "Commits"));
    this.list = h("div.commit-list");
    this.more = h("button.quiet", { type: "button", "data-key": "more commits", hidden: true, onclick: () => this.load(this.count + PAGE) }, "Show older commits");
    this.inside = h("div.inside", { hidden: true }, this.list, this.more);
    this.element = h("section.item.folded", { "aria-label": "Commits", hidden: true }, h("div.line-of", {}, this.opener), this.inside);
    this.clear();
  }

  /** Another workspace. */
  clear() {
    this.count = PAGE;
    /** Those that were unfolded stay so. @type {Map<string, CommitRow>} */
    this.rows = new Map();
    this.head = "";
    fill(this.list);
  }

  /** Shown, or something changed: what is unfolded is asked for anew, if another commit is checked out. @param {import("../state/repository.js").Status} status */
  update({ sha, branch, behind, ahead }) {
    this.element.hidden = !this.view.offers("log");
    const head = [sha, branch, behind, ahead].join();
    if (this.isOpen && head !== this.head) this.load(this.count);
    this.head = head;
  }

  toggle() {
    this.isOpen = unfold(this.opener, this.inside);
    if (this.isOpen) this.load(this.count);
  }

  /** @param {number} limit */
  async load(limit) {
    const { repository } = this.view;
    if (!repository) return;
    if (!this.list.firstChild) fill(this.list, h("p.note", {}, "Loading…"));
    this.more.disabled = true;
    try {
      const { commits, has_more } = await repository.call("log", { limit });
      if (repository !== this.view.repository) return;
      this.count = limit;
      this.rows = new Map(commits.map((/** @type {any} */ commit) => [commit.sha, this.rows.get(commit.sha) ?? new CommitRow(this.view, commit)]));
      for (const row of this.rows.values()) row.tick();
      fill(this.list, commits.length ? [...this.rows.values()].map((row) => row.element) : h("p.note", {}, "There is no commit yet."));
      this.more.hidden = !has_more;
    } catch (error) {
      if (repository === this.view.repository) fill(this.list, h("p.note", {}, plain(`The commits cannot be listed: ${error instanceof Error ? error.message : error}.`)));
    }
    this.more.disabled = false;
  }
}

/** One commit: who made it and when, and what it changed when it is unfolded. */
class CommitRow {
  /** @param {import("./changes.js").ChangesView} view @param {any} commit */
  constructor(view, commit) {
    this.view = view;
    this.commit = commit;
    const { sha, message } = commit;
    this.line = h("span.line");
    this.inside = h("div.inside", { hidden: true });
    this.opener = h("button.disclose", { type: "button", "data-key": `commit ${sha}`, "aria-expanded": false, onclick: () => this.toggle() }, h("span.main", {}, h("strong", {}, shown(message || "Without a message")), this.line));
    this.element = h("div.commit-row", {}, this.opener, this.inside);
  }

  tick() {
    const { author, committed_at, date, sha, parents = [] } = this.commit;
    fill(this.line, shown(author ?? ""), ` · ${ago(committed_at || date, this.view.app.now)} · `, h("code", {}, sha.slice(0, 7)), parents.length > 1 ? " · joins two branches" : "");
  }

  toggle() {
    // A commit never changes: it is asked for once.
    if (unfold(this.opener, this.inside) && !this.isLoaded) this.load();
  }

  async load() {
    const { repository } = this.view;
    if (!repository) return;
    fill(this.inside, h("p.note", {}, "Loading…"));
    try {
      const shownCommit = await repository.call("show", { sha: this.commit.sha });
      fill(this.inside, this.parts(shownCommit));
      this.isLoaded = true;
    } catch (error) {
      fill(this.inside, h("p.note", {}, plain(`The commit cannot be shown: ${error instanceof Error ? error.message : error}. Fold it and try again`)));
    }
  }

  /** @param {any} commit */
  parts({ body, diff, files = [], files_changed, truncated, reason, parents = [] }) {
    const isSplit = this.view.isSplit && this.view.wide.matches;
    return [body && code(String(body).trim()), h("p.note", {}, counted(files_changed ?? files.length, "file"), " changed", parents.length > 1 ? ", against the branch it was merged into" : ""),
      perFile(String(diff ?? "")).map((text) => h("div.one-file", {}, h("h3", {}, shown(pathOf(text))), changed(text, isSplit))),
      reason ? h("p.note", {}, "Not all is shown: ", shown(reason), ".") : null, truncated ? h("p.note", {}, "It is longer; only its beginning is shown.") : null];
  }
}
