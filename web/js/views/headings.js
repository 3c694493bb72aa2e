import { fill, h } from "../dom.js";
import { base, counted } from "../text/words.js";
import { shown } from "./text.js";

/**
 * A line before the cards of one session. It is there also where there is only one, and as high whatever it says, so that
 * a second session moves nothing.
 */
export class Headings {
  /** @param {import("../state/model.js").Model} model */
  constructor(model) {
    this.model = model;
    /** The headings, by session and how often it came before: a late one stands at the end. @type {Map<string, HTMLElement>} */
    this.made = new Map();
  }

  /** @param {[string, HTMLElement][]} cards in order @returns {[string, HTMLElement][]} with the headings between them */
  among(cards) {
    const runs = this.runs(cards);
    const keys = new Set(runs.map(({ key }) => key));
    for (const key of this.made.keys()) if (!keys.has(key)) this.made.delete(key);
    return runs.flatMap(({ key, data, items }) => /** @type {[string, HTMLElement][]} */ ([[key, this.heading(key, data, items)], ...items]));
  }

  /** @param {[string, HTMLElement][]} cards */
  runs(cards) {
    /** @type {{ key: string, data: any, items: [string, HTMLElement][] }[]} */
    const runs = [];
    /** @type {Map<string, number>} */
    const times = new Map();
    for (const item of cards) {
      const data = this.model.cards.get(item[0])?.data ?? {};
      const last = runs.at(-1);
      if (last && last.data.session_id === data.session_id) {
        last.items.push(item);
        continue;
      }
      const time = (times.get(data.session_id) ?? 0) + 1;
      times.set(data.session_id, time);
      runs.push({ key: `${data.session_id} ${time}`, data, items: [item] });
    }
    return runs;
  }

  /** @param {string} key @param {any} data of its first card @param {[string, HTMLElement][]} items */
  heading(key, data, items) {
    const open = items.filter(([id]) => this.model.open(id)).length;
    const element = this.made.get(key) ?? h("p.heading");
    this.made.set(key, element);
    const { title } = data.context ?? {};
    fill(element, h("strong", {}, shown(base(data.cwd ?? "") || "?")), typeof title === "string" && title ? h("span.title", {}, shown(title)) : h("span.title"),
      h("span.count", {}, open ? counted(open, "request") : ""));
    return element;
  }
}
