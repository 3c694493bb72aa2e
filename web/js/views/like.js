import { fill, h } from "../dom.js";
import { QUIET } from "../state/gate.js";
import { counted } from "../text/words.js";
import { content } from "./content.js";
import { ANSWERS, Sight } from "./sight.js";
import { shown } from "./text.js";

/** @typedef {import("./card.js").CardView} CardView */

/**
 * The values that calls have in common which "for session" would treat alike: session, directory, tool and keys. Null
 * for a call that needs an answer of its own.
 * @param {CardView} view
 */
function keyOf({ card, data, isPlain, isCut }) {
  const { session_id, cwd, tool_name, patterns = [], hidden_characters = [] } = data;
  if (card.ending || card.answer || !isPlain || isCut || !patterns.length || hidden_characters.length) return null;
  return JSON.stringify([session_id, cwd, tool_name, patterns.toSorted()]);
}

/** "Allow 9 like this": shows the calls with equal keys, all of each, and allows them once. */
export class Likes {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    this.element = h("dialog.likes", { "aria-labelledby": "likes-title" });
  }

  /** Says on each card how many there are like it. @param {CardView[]} views */
  mark(views) {
    const keys = views.map(keyOf);
    views.forEach((view, index) => {
      const equal = keys[index] === null ? [] : views.filter((_, other) => keys[other] === keys[index]);
      view.actions.likes(equal.length, () => this.ask(equal));
    });
  }

  /** @param {CardView[]} views as they are now; those that come later are not among them */
  ask(views) {
    const list = h("ul", {}, views.map((view) => h("li.body", {}, content(view.data, view.preview))));
    const mark = h("div.mark");
    const allow = h("button.allow", { type: "button", disabled: true, onclick: () => this.send(views) }, `Allow these ${views.length} once`);
    const opened = performance.now();
    const update = () => {
      const isWhole = !list.querySelector("[data-folded] > .unfold");
      allow.disabled = !isWhole || !sight.isSeen || performance.now() < opened + QUIET;
    };
    const sight = new Sight(mark, update, ANSWERS);
    setTimeout(update, QUIET + 10);
    for (const more of list.querySelectorAll("[data-folded] > .unfold")) more.addEventListener("click", () => (sight.again(), update()));
    fill(this.element, h("h2", { id: "likes-title" }, counted(views.length, "request"), " like this"),
      h("p.note", {}, "They have the same keys: ", views[0].data.patterns.map((/** @type {string} */ pattern) => [h("code", {}, shown(pattern)), " "])),
      list, mark, h("div.buttons", {}, h("button.deny", { type: "button", onclick: () => this.element.close() }, "Cancel"), allow));
    this.element.showModal();
  }

  /** @param {CardView[]} views */
  send(views) {
    this.element.close();
    const cards = views.filter((view) => view.isCurrent(this.app.model) && !view.card.answer).map(({ card }) => card);
    if (cards.length && this.app.isOnline) this.app.answers.sendAll(cards, { decision: "allow" });
  }
}
