import { RpcError, Unheard, outcome, request } from "./rpc.js";

/** @typedef {import("./rpc.js").Notification} Notification */

/** The daemon says something every 30 s. Silent for longer, a connection is dead: offline, none fires `close`. */
export const SILENCE = 45_000;

/** Calls and events over one WebSocket. It is of no use after `onclose`, which is called once. */
export class Socket {
  /**
   * @param {string} token
   * @param {{ onopen: () => void, onevent: (event: Notification) => void,
   *           onclose: (why: { opened: boolean, code: number, reason: string }) => void }} listener
   */
  constructor(token, listener) {
    this.listener = listener;
    /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
    this.waiting = new Map();
    this.opened = false;
    this.closed = false;
    const address = new URL("/ws", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(address, ["cdev", `cdev.token.${token}`]);
    this.socket.onopen = () => {
      this.opened = true;
      this.hear();
      listener.onopen();
    };
    this.socket.onmessage = (message) => this.take(message.data);
    this.socket.onclose = (event) => this.end(event.code, event.reason);
    this.hear(10_000);
  }

  /** @param {string} method @param {any} [params] @param {number} [patience] milliseconds @returns {Promise<any>} */
  call(method, params, patience = 20_000) {
    return new Promise((resolve, reject) => {
      if (this.closed || this.socket.readyState !== WebSocket.OPEN) return reject(new Unheard("there is no connection"));
      const message = request(method, params);
      const late = setTimeout(() => this.settle(message.id, { late: true }), patience);
      const done = (/** @type {any} */ act) => (/** @type {any} */ value) => (clearTimeout(late), act(value));
      this.waiting.set(message.id, { resolve: done(resolve), reject: done(reject) });
      this.socket.send(JSON.stringify(message));
    });
  }

  /** Gives up on it, whatever state it is in: closing one that is dead takes a browser minutes. */
  close() {
    this.socket.close();
    this.end(1000, "");
  }

  /** @param {number} [patience] */
  hear(patience = SILENCE) {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => {
      this.socket.close();
      this.end(0, "the connection went silent");
    }, patience);
  }

  /** @param {string} text */
  take(text) {
    if (this.closed) return;
    this.hear();
    const message = JSON.parse(text);
    if (message.method) this.listener.onevent(message);
    else this.settle(message.id, message);
  }

  /** @param {number} id @param {any} response */
  settle(id, response) {
    const call = this.waiting.get(id);
    this.waiting.delete(id);
    if (!call) return;
    if (response.late) return call.reject(new Unheard("the daemon did not answer in time"));
    try {
      call.resolve(outcome(response));
    } catch (error) {
      call.reject(/** @type {RpcError} */ (error));
    }
  }

  /** @param {number} code @param {string} reason */
  end(code, reason) {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.watch);
    for (const { reject } of this.waiting.values()) reject(new Unheard("the connection was lost"));
    this.waiting.clear();
    this.listener.onclose({ opened: this.opened, code, reason });
  }
}
