import { fill, h, set } from "../dom.js";
import { base, left } from "../text/words.js";
import { oneLine, shown } from "./text.js";

/** Every request of the page in a line each, beside the cards where the screen is wide enough. */
export class Overview {
  /** @param {import("../app.js").App} app @param {(id: string) => void} onselect */
  constructor(app, onselect) {
    this.app = app;
    this.onselect = onselect;
    this.element = h("nav.overview", { "aria-label": "Requests at a glance", hidden: true });
    /** @type {Map<string, { row: HTMLElement, left: HTMLElement }>} */
    this.rows = new Map();
    document.addEventListener("focusin", () => this.select());
  }

  /** @param {string[]} ids of the cards that are laid out */
  show(ids) {
    const open = ids.filter((id) => this.app.model.open(id));
    this.element.hidden = open.length === 0;
    if (open.join() === [...this.rows.keys()].join()) return;
    const rows = new Map(open.map((id) => [id, this.rows.get(id) ?? this.row(id)]));
    this.rows = rows;
    fill(this.element, [...rows.values()].map(({ row }) => row));
    this.select();
  }

  /** @param {string} id */
  row(id) {
    const { data } = this.app.model.cards.get(id) ?? { data: {} };
    const rest = h("span.left");
    const row = h("button.glance", { type: "button", onclick: () => this.onselect(id) },
      h("code.one-line", {}, oneLine(data.target || data.title || data.tool_name)),
      h("span.line", {}, shown(base(data.cwd ?? "")), " · ", shown(data.tool_name ?? "")), rest);
    return { row, left: rest };
  }

  /** The card that has the focus stands out. */
  select() {
    const card = /** @type {HTMLElement | null} */ (document.activeElement?.closest(".card") ?? null);
    for (const [id, { row }] of this.rows) set(row, "aria-current", card?.dataset.id === id ? "true" : null);
  }

  /** @param {number} now by the daemon's clock, in milliseconds */
  tick(now) {
    for (const [id, { left: rest }] of this.rows) {
      const to = Date.parse(this.app.model.cards.get(id)?.data.deadline);
      rest.textContent = to > now ? left(to - now) : "time is up";
    }
  }
}
