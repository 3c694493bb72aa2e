import { h } from "../dom.js";

/**
 * Where words are typed: a reason for a deny, or another command. One at a time, out of the way until asked for.
 */
export class Drawer {
  /** @param {() => void} onchange */
  constructor(onchange) {
    this.onchange = onchange;
    /** @type {"" | "edit" | "word"} */
    this.mode = "";
    this.field = h("textarea", { rows: 1, oninput: () => (this.grow(), onchange()), spellcheck: "false", autocapitalize: "off" });
    this.label = h("span", {});
    this.note = h("p.note", { hidden: true });
    this.element = h("label.drawer", { hidden: true }, this.label, this.field, this.note);
  }

  /** @param {"edit" | "word"} mode @param {string} label @param {string} [text] */
  toggle(mode, label, text = "") {
    const isClosing = this.mode === mode;
    this.mode = isClosing ? "" : mode;
    this.element.hidden = isClosing;
    if (!isClosing) {
      this.label.textContent = label;
      this.field.value = text;
      this.field.classList.toggle("mono", mode === "edit");
      this.grow();
      this.field.focus();
    }
    this.onchange();
  }

  get text() {
    return this.mode ? this.field.value : "";
  }

  /** As high as its text, so that nothing of a command is out of sight. */
  grow() {
    this.field.style.setProperty("height", "auto");
    this.field.style.setProperty("height", `${this.field.scrollHeight + 2}px`);
  }
}
