import { bySoonest, grouped } from "./model.js";

/** @typedef {import("./model.js").Model} Model */

/** So many cards are laid out at once. */
export const PAGE = 40;

/**
 * Which cards are on the table, in which order. What is on it keeps its place: news goes to its end where the order
 * allows that, else it waits until the person asks for it.
 */
export class Deck {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    /** Ids in order, ended ones among them until they are swept. @type {string[]} */
    this.order = [];
    /** Open, and not on the table yet. @type {Set<string>} */
    this.held = new Set();
    this.start = 0;
    /** Only this session's, if set. @type {string | null} */
    this.session = null;
  }

  /** Ids to lay out. */
  get page() {
    return this.order.slice(this.start, this.start + PAGE);
  }

  /** @param {string} id @returns {boolean} */
  belongs(id) {
    const data = this.model.cards.get(id)?.data;
    return !!data && (!this.session || data.session_id === this.session);
  }

  /** @param {string} id a card that was opened, perhaps for the second time */
  arrives(id) {
    if (this.order.includes(id) || this.held.has(id) || !this.belongs(id)) return;
    const card = this.model.open(id);
    if (!card) return;
    const before = this.before(card);
    if (!this.held.size && (!before || bySoonest(before, card) <= 0)) this.order.push(id);
    else this.held.add(id);
  }

  /**
   * The card that one at the end must not be due before: the last one of its session, or the first one of the session that
   * stands last. @param {import("./model.js").Card} card
   */
  before(card) {
    const open = this.order.map((other) => this.model.open(other)).filter((other) => other !== null);
    const session = open.at(-1)?.data.session_id;
    if (session === card.data.session_id) return open.at(-1);
    return open[open.findLastIndex((other) => other.data.session_id !== session) + 1];
  }

  /** In the order in which they are laid out. @param {string[]} ids */
  sorted(ids) {
    return grouped(ids.map((id) => this.model.open(id)).filter((card) => card !== null)).map((card) => card.id);
  }

  /** @param {string} id a card that ended; on the table it stays until it is swept */
  leaves(id) {
    if (this.held.delete(id)) this.model.drop(id);
  }

  /** Takes an ended card off the table, or off its way there. @param {string} id */
  sweep(id) {
    if (this.model.open(id)) return;
    const index = this.order.indexOf(id);
    if (index >= 0) this.order.splice(index, 1);
    if (index >= 0 && index < this.start) this.start -= 1;
    this.model.drop(id);
    if (!this.page.length) this.start = Math.max(0, this.start - PAGE);
  }

  /** Lays the table anew: everything that is open, session by session. The person asked for it. */
  gather() {
    for (const id of this.order) this.model.drop(id);
    this.order = this.sorted(this.model.openCards.filter((card) => this.belongs(card.id)).map((card) => card.id));
    this.held.clear();
    this.start = 0;
  }

  /** @param {number} pages forward, or back if negative */
  turn(pages) {
    const start = this.start + pages * PAGE;
    this.start = Math.max(0, Math.min(start, Math.floor((this.order.length - 1) / PAGE) * PAGE));
  }

  /** The open card after (or before) this place; from a card that has gone, the one that took its place. */
  /** @param {string | null} id @param {1 | -1} step @returns {string | null} */
  neighbour(id, step) {
    const ids = this.page;
    const from = id === null ? (step > 0 ? -1 : ids.length) : ids.indexOf(id);
    for (let index = from + step; index >= 0 && index < ids.length; index += step)
      if (this.model.open(ids[index])) return ids[index];
    return null;
  }
}
