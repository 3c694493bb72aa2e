import { fill, h, icon, unfold } from "../dom.js";
import { plain } from "../text/characters.js";
import { ago } from "../text/words.js";
import { ask } from "./ask.js";
import { shown } from "./text.js";

/** What was put aside, the latest first, and what can be done with it. Git calls it a stash. */
export class Stashes {
  /** @param {import("./changes.js").ChangesView} view */
  constructor(view) {
    this.view = view;
    this.isOpen = false;
    this.opener = h("button.disclose", { type: "button", "data-key": "stashes", "aria-expanded": false, onclick: () => this.toggle() }, icon("inbox"), h("strong.main", {}, "Put aside"), h("span.tag", {}, "git stash"));
    this.list = h("div.stash-list");
    this.message = h("input", { type: "text", placeholder: "What it is (you may leave this out)", "aria-label": "What is put aside", autocomplete: "off" });
    this.fresh = h("input", { type: "checkbox", checked: true });
    this.submit = h("button.other", { type: "submit", "data-key": "put aside" }, "Put the changes aside");
    this.form = h("form.putting", { hidden: true, "aria-label": "Put the changes aside", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.put();
    } }, this.message, h("label.also", {}, this.fresh, "New files too"), this.submit);
    this.inside = h("div.inside", { hidden: true }, this.form, this.list);
    this.element = h("section.item.folded", { "aria-label": "Put aside", hidden: true }, h("div.line-of", {}, this.opener), this.inside);
  }

  /** Another workspace. */
  clear() {
    this.message.value = "";
    fill(this.list);
  }

  /** @param {import("../state/repository.js").Status} status */
  update({ staged, unstaged, untracked, conflicted }) {
    this.element.hidden = !this.view.offers("stash/list");
    const changes = staged.length + unstaged.length + untracked.length;
    this.form.hidden = this.view.mayDrive !== true || !this.view.offers("stash/push") || !changes || conflicted.length > 0;
    if (this.isOpen) this.load();
  }

  toggle() {
    this.isOpen = unfold(this.opener, this.inside);
    if (this.isOpen) this.load();
  }

  async load() {
    const { repository } = this.view;
    if (!repository) return;
    if (!this.list.firstChild) fill(this.list, h("p.note", {}, "Loading…"));
    try {
      const { stashes, truncated } = await repository.call("stash/list");
      if (repository !== this.view.repository) return;
      const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.key;
      fill(this.list, stashes.length ? stashes.map((/** @type {any} */ stash) => this.row(stash)) : h("p.note", {}, "Nothing is put aside."), truncated ? h("p.note", {}, "There are more than can be listed here.") : null);
      const again = focused && this.list.querySelector(`[data-key="${CSS.escape(focused)}"]`);
      if (again instanceof HTMLElement) again.focus({ preventScroll: true });
    } catch (error) {
      if (repository === this.view.repository) fill(this.list, h("p.note", {}, plain(`What is put aside cannot be listed: ${error instanceof Error ? error.message : error}.`)));
    }
  }

  /** @param {any} stash */
  row(stash) {
    const { message, created_at, sha } = stash;
    const name = message || "Without a name";
    const button = (/** @type {string} */ label, /** @type {string} */ method, /** @type {() => void} */ onclick, style = "other") => this.view.mayDrive === true && this.view.offers(`stash/${method}`)
      && h(`button.${style}`, { type: "button", "data-key": `${method} ${sha}`, "aria-label": `${label.replace("…", "")}: ${plain(name)}`, onclick }, label);
    const target = { index: stash.index, sha };
    return h("div.stash", {}, h("span.main", {}, h("strong", {}, shown(name)), h("span.line", {}, ago(created_at, this.view.app.now))),
      h("div.stash-acts", {}, button("Take back", "pop", () => this.view.act("Taking it back", "stash/pop", target)),
        button("Copy back", "apply", () => this.view.act("Copying it back", "stash/apply", target)), button("Delete…", "drop", () => this.drop(stash), "careful")));
  }

  async put() {
    const message = this.message.value.trim();
    if (await this.view.act("Putting aside", "stash/push", { ...(message ? { message } : {}), include_untracked: this.fresh.checked })) this.message.value = "";
  }

  /** @param {any} stash */
  async drop({ index, sha, message }) {
    const yes = await ask({ title: ["Delete ", ...shown(message || "what was put aside"), "?"], text: "Nothing else has these changes. They are gone for good.", yes: "Delete" });
    if (yes) await this.view.act("Deleting it", "stash/drop", { index, sha });
  }
}
