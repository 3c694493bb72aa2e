import { fill, h, icon, set } from "../dom.js";
import { plain } from "../text/characters.js";
import { shown } from "./text.js";

/**
 * What an answer for the session would also settle, written out; each can be taken away before it is given.
 */
export class Patterns {
  /**
   * @param {string[]} offered @param {{ title: string, name?: string, words?: string | null }} words `name` stands behind each
   * for screen readers; `words` says what all of them mean
   * @param {boolean} canChoose the daemon takes a part of them
   * @param {() => void} onchange
   */
  constructor(offered, { title, name = "", words }, canChoose, onchange) {
    this.offered = offered;
    this.name = name;
    this.canChoose = canChoose;
    /** @type {Set<string>} */
    this.removed = new Set();
    this.onchange = onchange;
    this.element = offered.length === 0 ? null : h("div.patterns", {},
      typeof words === "string" && words ? h("p.words", {}, inWords(words)) : h("p", {}, title),
      h("ul", {}, offered.map((pattern) => this.item(pattern, canChoose))));
  }

  get kept() {
    return this.offered.filter((pattern) => !this.removed.has(pattern));
  }

  /** To be sent, also where all of them are meant: a card that was opened again may offer others by now. */
  get params() {
    return this.canChoose ? { patterns: this.kept } : {};
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
      set(button, "aria-label", `${isRemoved ? "Put back" : "Remove"} ${plain(pattern)}${this.name}`);
    };
    const row = h("li", {}, text, button);
    name();
    return row;
  }
}

/** A sentence with commands between back-ticks. @param {string} words */
const inWords = (words) => words.split("`").map((part, index) => (index % 2 ? h("code", {}, shown(part)) : shown(part)));
