import { bySoonest } from "../state/model.js";
import { Hands } from "./hands.js";
import { Table } from "./table.js";

/** The open requests of one session inside its transcript. They are the very cards of the requests, lent meanwhile. */
export class Guests {
  /** @param {import("../app.js").App} app @param {string} session @param {() => void} onchange */
  constructor(app, session, onchange) {
    this.app = app;
    this.session = session;
    this.onchange = onchange;
    this.table = new Table(app.gate, (id) => app.model.open(id) !== null);
    this.table.element.setAttribute("aria-label", "Waiting for your answer");
    this.table.element.setAttribute("role", "group");
    this.hands = new Hands(this.table.element, app.gate, this);
    this.table.onclear = (id) => this.clear(id);
    /** In the order in which they stand. @type {string[]} */
    this.order = [];
  }

  /** Takes over the session's open cards. */
  begin() {
    this.app.requests.lent.guests = this;
    this.refresh();
  }

  leave() {
    this.table.empty();
    this.order = [];
    if (this.app.requests.lent.guests === this) this.app.requests.lent.takeBack();
  }

  get open() {
    return this.order.filter((id) => this.app.model.open(id));
  }

  /** Ids of their calls. */
  get calls() {
    return new Set(this.open.map((id) => String(this.app.model.open(id)?.data.tool_use_id ?? "")));
  }

  refresh() {
    const { model, requests, deck } = this.app;
    const ready = model.openCards.filter(({ id, data }) => data.session_id === this.session && (deck.order.includes(id) || deck.held.has(id)));
    const fresh = ready.toSorted(bySoonest).map(({ id }) => id).filter((id) => !this.order.includes(id));
    for (const id of fresh) if (requests.lent.lend(id)) this.order.push(id);
    this.lay();
    this.onchange();
  }

  lay() {
    const { cards } = this.app.requests.lent;
    this.order = this.order.filter((id) => cards.has(id));
    this.table.lay(this.order.map((id) => [id, /** @type {import("./card.js").CardView} */ (cards.get(id)).element]));
  }

  /** The same request again, or all of it now. @param {string} id */
  replace(id) {
    const old = this.app.requests.lent.cards.get(id);
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const hadFocus = old?.element.contains(active);
    const view = this.app.requests.lent.lend(id);
    if (!view) return;
    this.table.swap(id, view.element);
    if (hadFocus) (active && view.element.contains(active) ? active : view.element).focus({ preventScroll: true });
  }

  /** @param {string} id */
  clear(id) {
    this.hands.leaves(id, this.neighbour(id, 1));
    this.app.requests.lent.returned(id);
    this.lay();
    this.onchange();
  }

  /** @param {string | null} from @param {1 | -1} step @returns {string | null} */
  neighbour(from, step) {
    const ids = this.order.filter((id) => id === from || this.app.model.open(id));
    const index = from === null ? (step > 0 ? 0 : ids.length - 1) : ids.indexOf(from) + step;
    return ids[index] ?? null;
  }

  /** @param {string | null} from @param {1 | -1} step */
  move(from, step) {
    const id = this.neighbour(from, step);
    if (id) this.show(id);
  }

  /** @param {string} id */
  show(id) {
    const element = this.app.requests.lent.cards.get(id)?.element;
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} id @param {"deny" | "once" | "session"} verb */
  give(id, verb) {
    this.app.requests.give(id, verb);
  }
}
