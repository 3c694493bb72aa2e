import { fill, h, icon } from "../dom.js";
import { plain } from "../text/characters.js";
import { METHOD_NOT_FOUND, RpcError } from "../net/rpc.js";

/**
 * A view that asks for a list each time it is shown, and says plainly when there is none to be had.
 */
export class Listing {
  /** @param {import("../app.js").App} app @param {string} title */
  constructor(app, title) {
    this.app = app;
    this.title = title;
    this.list = h("div.list");
    this.note = h("div.note-box", { role: "status" });
    this.element = h("section.listing", { "aria-label": title }, this.note, this.list);
    this.turn = 0;
  }

  async appear() {
    const turn = ++this.turn;
    // Far away an empty view would look like an empty list.
    if (!this.list.childElementCount && this.app.isOnline) this.tell("Loading…");
    try {
      await this.load(() => turn === this.turn);
    } catch (error) {
      if (turn === this.turn) this.tell(this.excuse(error));
    }
  }

  /** @param {() => boolean} isCurrent @returns {Promise<void>} */
  async load(isCurrent) {
    throw new Error("a list knows how to load itself");
  }

  /** @param {unknown} error */
  excuse(error) {
    if (error instanceof RpcError && error.code === METHOD_NOT_FOUND) return `This daemon has no list of ${this.title.toLowerCase()} yet.`;
    if (error instanceof RpcError) return error.message;
    return "Offline: the list comes when the connection is back.";
  }

  /** @param {string} text "" for nothing */
  tell(text) {
    fill(this.note, text && h("p.note", {}, plain(text)));
  }

  /** @param {Node[]} items @param {any} drawing @param {string} headline @param {string} text where there are none */
  show(items, drawing, headline, text) {
    this.tell("");
    fill(this.list, items.length ? items : h("div.empty", {}, icon(drawing), h("h2", {}, headline), h("p", {}, text)));
  }
}

/**
 * A button that asks once more before it acts.
 * @param {string} label @param {string} question @param {() => Promise<void>} act @param {string} name what it is about, for screen readers
 */
export function careful(label, question, act, name) {
  name = plain(name);
  const button = h("button.quiet.careful", { type: "button", "aria-label": `${label} ${name}`, onclick: async () => {
    if (!button.classList.contains("asking")) {
      button.classList.add("asking");
      button.textContent = question;
      button.setAttribute("aria-label", `${question} ${name}`);
      return;
    }
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      calm();
      button.after(h("p.note", { role: "alert" }, plain(error instanceof Error ? error.message : error)));
    }
  }, onblur: () => calm() }, label);
  const calm = () => {
    button.disabled = false;
    button.classList.remove("asking");
    button.textContent = label;
    button.setAttribute("aria-label", `${label} ${name}`);
  };
  return button;
}
