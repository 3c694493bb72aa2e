import { SignedOut, post } from "./rpc.js";

/** @typedef {import("./rpc.js").Notification} Notification */

/** How long the daemon keeps a poll for news open, in seconds. */
const WAIT = 25;
const pause = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * The same as `Socket` where no WebSocket comes through: calls by POST, events by asking for them again and again.
 */
export class Poll {
  /**
   * @param {() => Promise<string>} token a good one, asked for before each call
   * @param {{ onevent: (event: Notification) => void, onclose: (why: { opened: boolean, code: number, reason: string }) => void,
   *           sequence: () => number }} listener `sequence` is the last event seen
   */
  constructor(token, listener) {
    this.token = token;
    this.listener = listener;
    this.closed = false;
  }

  /** @param {string} method @param {any} [params] @param {number} [patience] */
  async call(method, params, patience) {
    return post(await this.token(), method, params, patience);
  }

  /** Asks for news until it is closed or nobody answers. */
  async listen() {
    while (!this.closed) {
      const asked = Date.now();
      try {
        const sequence = this.listener.sequence() + 1;
        const answer = await this.call("events/since", { sequence, wait: WAIT }, (WAIT + 15) * 1000);
        if (this.closed) return;
        for (const event of answer.events) this.listener.onevent(event);
        // A daemon that does not keep the poll open answers at once; it is not to be asked without end.
        if (!answer.events.length && Date.now() - asked < 1000) await pause(2000);
      } catch (error) {
        return this.end(error instanceof SignedOut ? "signed out" : "the daemon does not answer");
      }
    }
  }

  close() {
    this.closed = true;
  }

  /** @param {string} reason */
  end(reason) {
    if (this.closed) return;
    this.closed = true;
    this.listener.onclose({ opened: true, code: 0, reason });
  }
}
