import { RpcError } from "../net/rpc.js";

/** @typedef {import("../net/link.js").Link} Link */
/** @typedef {import("./model.js").Model} Model */

/**
 * Keeps the model as the daemon has it: by events while connected, and after every gap by asking what was missed and
 * what is open. It asks for what is open last, and that is what counts.
 */
export class Sync {
  /**
   * @param {Model} model @param {import("./features.js").Features} features
   * @param {(change: import("./model.js").Change) => void} onchange
   * @param {(event: import("../net/rpc.js").Notification) => void} onevent of each, missed ones too; perhaps twice
   */
  constructor(model, features, onchange, onevent = () => undefined) {
    this.model = model;
    this.features = features;
    this.onchange = onchange;
    this.onevent = onevent;
    this.newest = 0;
    this.running = 0;
    /** Added to this device's clock it makes the daemon's; milliseconds. */
    this.offset = 0;
  }

  /** @param {import("../net/rpc.js").Notification} event */
  take(event) {
    if (event.params?.server_time) this.offset = Date.parse(event.params.server_time) - Date.now();
    this.newest = Math.max(this.newest, event.params?.sequence ?? 0);
    if (!this.running) this.model.sequence = Math.max(this.model.sequence, this.newest);
    this.onchange(this.model.take(event));
    this.onevent(event);
  }

  /** @param {Link} link */
  async catchUp(link) {
    this.running += 1;
    try {
      const before = new Set(this.model.openCards.map((card) => card.id));
      await Promise.all([this.learn(link), this.model.sequence ? this.replay(link) : this.begin(link)]);
      this.onchange(this.model.reconcile(before, await this.everythingOpen(link)));
      this.model.sequence = Math.max(this.model.sequence, this.newest);
    } finally {
      this.running -= 1;
    }
  }

  /** @param {Link} link */
  async learn(link) {
    if (!this.features.methods.size) this.features.learn(await link.call("rpc.discover"));
  }

  /** Events from now on: what is open is asked for as a whole. @param {Link} link */
  async begin(link) {
    this.newest = Math.max(this.newest, ((await link.call("permission/stats")).next_sequence ?? 1) - 1);
  }

  /** @param {Link} link */
  async replay(link) {
    let sequence = this.model.sequence + 1;
    for (;;) {
      const answer = await link.call("events/since", { sequence, limit: 200 });
      for (const event of answer.events) this.take(event);
      if (!answer.more) return;
      sequence = answer.next_sequence;
    }
  }

  /** @param {Link} link @returns {Promise<any[]>} */
  async everythingOpen(link) {
    const all = [];
    for (;;) {
      const answer = await link.call("permission/pending", { offset: all.length });
      all.push(...answer.requests);
      if (!answer.more || !answer.requests.length) return all;
    }
  }

  /** The whole of a card that came cut to a frame's size. @param {Link} link @param {string} id @returns {Promise<any>} */
  static async whole(link, id) {
    try {
      const answer = await link.callWhole("permission/pending", { request_id: id });
      return answer.requests[0] ?? null;
    } catch (error) {
      if (error instanceof RpcError) return null;
      throw error;
    }
  }
}
