import { fill, h, icon, set } from "../dom.js";
import { shown } from "./text.js";

/**
 * What "Allow for session" would also allow, written out; each can be taken away before it is granted.
 */
export class Patterns {
  /** @param {string[]} offered @param {boolean} canChoose the daemon takes a part of them @param {() => void} onchange */
  constructor(offered, canChoose, onchange) {
    this.offered = offered;
    /** @type {Set<string>} */
    this.removed = new Set();
    this.onchange = onchange;
    this.element = offered.length === 0 ? null : h("div.patterns", {},
      h("p", {}, "Then no longer asked for:"),
      h("ul", {}, offered.map((pattern) => this.item(pattern, canChoose))));
  }

  get kept() {
    return this.offered.filter((pattern) => !this.removed.has(pattern));
  }

  /** To be sent: nothing where all of them are meant. */
  get params() {
    return this.removed.size ? { patterns: this.kept } : {};
  }

  /** @param {string} pattern @param {boolean} canChoose */
  item(pattern, canChoose) {
    const text = h("code", {}, shown(pattern));
    if (!canChoose) return h("li", {}, text);
    const button = h("button.quiet.toggle", { type: "button", onclick: () => {
      if (!this.removed.delete(pattern)) this.removed.add(pattern);
      name();
      this.onchange();
    } });
    const name = () => {
      const isRemoved = this.removed.has(pattern);
      row.classList.toggle("removed", isRemoved);
      fill(button, isRemoved ? "Put back" : icon("close"));
      set(button, "aria-label", `${isRemoved ? "Put back" : "Remove"} ${pattern}`);
    };
    const row = h("li", {}, text, button);
    name();
    return row;
  }
}
