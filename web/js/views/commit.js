import { h } from "../dom.js";
import { counted } from "../text/words.js";

/** The message of a commit. What is typed stays, whatever is laid out around it. */
export class CommitForm {
  /** @param {(message: string, isPushed: boolean) => void} oncommit */
  constructor(oncommit) {
    this.staged = 0;
    this.field = h("textarea", { rows: 3, placeholder: "What changed, and why", "aria-label": "Commit message", oninput: () => (this.grow(), this.lay()) });
    this.push = h("input", { type: "checkbox", onchange: () => this.lay() });
    this.also = h("label.also", {}, this.push, "Push it too");
    this.submit = h("button.allow", { type: "submit" }, "Commit");
    this.hint = h("p.hint", { role: "status" });
    this.element = h("form.commit", { hidden: true, "aria-label": "Commit", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!this.submit.disabled) oncommit(this.field.value.trim(), this.push.checked && !this.also.hidden);
    } }, this.field, this.also, this.hint, this.submit);
  }

  /** @param {boolean} isOffered @param {number} staged @param {boolean} canPush */
  update(isOffered, staged, canPush) {
    this.staged = staged;
    this.element.hidden = !isOffered || (!staged && !this.field.value);
    this.also.hidden = !canPush;
    this.lay();
  }

  lay() {
    const isMissing = !this.field.value.trim();
    this.submit.disabled = isMissing || !this.staged;
    this.submit.textContent = this.staged ? `Commit ${counted(this.staged, "file")}${this.push.checked && !this.also.hidden ? " and push" : ""}` : "Commit";
    this.hint.textContent = !this.staged ? "Stage something first." : "";
  }

  clear() {
    this.field.value = "";
    this.push.checked = false;
    this.grow();
    this.lay();
  }

  grow() {
    this.field.style.setProperty("height", "auto");
    this.field.style.setProperty("height", `${this.field.scrollHeight + 2}px`);
  }
}
