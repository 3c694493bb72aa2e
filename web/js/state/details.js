import { RpcError } from "../net/rpc.js";
import { PREVIEWED } from "../views/content.js";
import { Sync } from "./sync.js";

/** @typedef {import("./model.js").Card} Card */

/** A card does not wait longer than this for its preview, in milliseconds. */
const PATIENCE = 700;

/** What is fetched for a card beside its event: the change compared with the file, and the whole of what came cut. */
export class Details {
  /**
   * @param {import("../net/link.js").Link} link @param {import("./model.js").Model} model
   * @param {import("./features.js").Features} features @param {(id: string) => void} onarrival
   */
  constructor(link, model, features, onarrival) {
    this.link = link;
    this.model = model;
    this.features = features;
    this.onarrival = onarrival;
    /** By card, so that another opening asks again. @type {WeakMap<Card, { value?: any, done: Promise<void> }>} */
    this.previews = new WeakMap();
    /** @type {WeakSet<Card>} */
    this.completing = new WeakSet();
    /** The last card that is being prepared. @type {Promise<void>} */
    this.last = Promise.resolve();
  }

  /** As `ready`, but not before the cards that came before: one that overtakes another leaves it no place but above. */
  /** @param {string} id */
  prepare(id) {
    return (this.last = Promise.all([this.last, this.ready(id)]).then(() => {}));
  }

  /** Asks for what a card will need. @param {string} id */
  async ready(id) {
    const card = this.model.open(id);
    const asked = card && this.ask(card);
    if (asked && asked.value === undefined)
      await Promise.race([asked.done, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  }

  /** The preview, if it is there; else it is asked for, and the card is laid anew when it comes. @param {Card} card */
  preview(card) {
    const asked = this.ask(card);
    if (asked && asked.value === undefined) asked.done.then(() => asked.value && this.model.open(card.id) === card && this.onarrival(card.id));
    return asked?.value;
  }

  /** @param {Card} card */
  ask(card) {
    if (card.ending || !PREVIEWED.has(card.data.kind) || !this.features.has("permission/preview")) return null;
    let asked = this.previews.get(card);
    if (!asked) {
      asked = { value: undefined, done: this.fetch(card) };
      this.previews.set(card, asked);
    }
    return asked;
  }

  /** @param {Card} card */
  async fetch(card) {
    let value = null;
    try {
      value = await this.link.call("permission/preview", { request_id: card.id }, 10_000);
    } catch (error) {
      // Without one the card shows the call itself. An answer that never came may come another time.
      if (!(error instanceof RpcError)) this.previews.delete(card);
    }
    const asked = this.previews.get(card);
    if (asked) asked.value = value;
  }

  /** @param {Card} card */
  async complete(card) {
    if (!Object.keys(card.data.truncated ?? {}).length || this.completing.has(card)) return;
    this.completing.add(card);
    try {
      const data = await Sync.whole(this.link, card.id);
      if (data && this.model.completes(data)) this.onarrival(card.id);
    } catch {
      // The card says that it is cut, and cannot be allowed so; the next layout asks again.
      this.completing.delete(card);
    }
  }
}
