import { Probe, explanation } from "./detour.js";
import { Poll } from "./poll.js";
import { SignedOut, Unheard, post } from "./rpc.js";
import { SILENCE, Socket } from "./socket.js";
import { access } from "./tokens.js";

/** @typedef {"connecting" | "online" | "offline" | "out"} Phase */

const DELAYS = [500, 1000, 2000, 4000, 8000, 15_000];

/**
 * The connection as the page sees it. Whatever happens underneath, `phase` says what a person may rely on: only
 * `online` means that what is shown is what the daemon has open.
 *
 * Events: `phase`, and `notification` with one in `detail`.
 */
export class Link extends EventTarget {
  /** @param {(link: Link) => Promise<void>} catchUp learns what was missed; the link is online once it is done */
  constructor(catchUp) {
    super();
    this.catchUp = catchUp;
    /** @type {Phase} */
    this.phase = "connecting";
    this.reason = "";
    this.heard = Date.now();
    /** False for a device that only views. */
    this.mayAnswer = true;
    /** Why there is no WebSocket, where there is none. */
    this.detour = "";
    this.probe = new Probe(() => this.elsewhere());
    /** The last event seen, for asking for the next ones. @type {() => number} */
    this.sequence = () => 0;
    this.attempts = 0;
    this.refused = false;
    this.turn = 0;
    addEventListener("online", () => this.elsewhere());
    addEventListener("offline", () => this.lost("this device has no network"));
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
  }

  /** @param {string} method @param {any} [params] @param {number} [patience] @returns {Promise<any>} */
  async call(method, params, patience) {
    if (!this.way) throw new Unheard("there is no connection");
    return this.way.call(method, params, patience);
  }

  /** Over HTTP, which has room for what no frame may hold. @param {string} method @param {any} [params] @param {number} [patience] milliseconds */
  async callWhole(method, params, patience = 30_000) {
    return post(await access(), method, params, patience);
  }

  /** Begins, or begins again, at once. */
  async connect() {
    const turn = this.begin();
    try {
      const refused = this.refused;
      this.refused = false;
      const token = await access(refused);
      if (turn !== this.turn) return;
      if (this.detour) return await this.poll(turn);
      this.way = this.socket(token, turn);
    } catch (error) {
      this.failed(turn, error);
    }
  }

  begin() {
    clearTimeout(this.retry);
    this.probe.stop();
    const old = this.way;
    this.way = null;
    this.turn += 1;
    old?.close();
    if (this.phase !== "offline") this.enter("connecting", "");
    return this.turn;
  }

  /** @param {string} token @param {number} turn */
  socket(token, turn) {
    return new Socket(token, {
      onopen: () => this.opened(turn),
      onevent: (event) => turn === this.turn && this.tell(event),
      onclose: (why) => {
        if (turn !== this.turn) return;
        if (why.opened) this.lost(why.reason || "the connection was lost");
        else this.diagnose(turn, token);
      },
    });
  }

  /** No WebSocket came about; why, a browser does not say. @param {number} turn @param {string} token */
  async diagnose(turn, token) {
    try {
      await post(token, "status/health", {}, 10_000);
      if (turn !== this.turn) return;
      this.detour = explanation();
      await this.poll(turn);
    } catch (error) {
      if (error instanceof SignedOut && !this.refused) {
        this.refused = true;
        return this.connect();
      }
      this.failed(turn, error);
    }
  }

  /** @param {number} turn */
  async poll(turn) {
    const way = new Poll(() => access(), {
      onevent: (event) => turn === this.turn && this.tell(event),
      onclose: (why) => turn === this.turn && this.lost(why.reason),
      sequence: () => this.sequence(),
    });
    this.way = way;
    await this.opened(turn);
    if (turn !== this.turn || this.phase !== "online") return;
    this.probe.start();
    way.listen();
  }

  /** Now, or from here, a WebSocket may get through. */
  elsewhere() {
    if (!this.detour || this.phase === "out") return this.wake();
    this.detour = "";
    this.connect();
  }

  /** @param {number} turn */
  async opened(turn) {
    try {
      // Far away each answer takes long, so what does not depend on another is asked for at once.
      const greeting = this.call("initialize", { protocolVersion: "1.0", clientInfo: { name: "page", version: "1" } }).then((hello) => {
        this.mayAnswer = hello.capabilities?.permission?.respond !== false;
      });
      await Promise.all([greeting, this.catchUp(this)]);
      if (turn !== this.turn) return;
      this.attempts = 0;
      this.heard = Date.now();
      this.enter("online", "");
    } catch (error) {
      this.failed(turn, error);
    }
  }

  /** @param {import("./rpc.js").Notification} event */
  tell(event) {
    this.heard = Date.now();
    this.dispatchEvent(new CustomEvent("notification", { detail: event }));
  }

  /** @param {number} turn @param {unknown} error */
  failed(turn, error) {
    if (turn !== this.turn) return;
    if (error instanceof SignedOut) return this.leave(error.message);
    this.lost(error instanceof Error ? error.message : String(error));
  }

  /** @param {string} reason */
  lost(reason) {
    if (this.phase === "out") return;
    this.begin();
    this.enter("offline", reason);
    const delay = DELAYS[Math.min(this.attempts, DELAYS.length - 1)];
    this.attempts += 1;
    this.retry = setTimeout(() => this.connect(), delay * (0.8 + Math.random() * 0.4));
  }

  /** Not let in. @param {string} reason */
  leave(reason) {
    this.begin();
    clearTimeout(this.retry);
    this.enter("out", reason);
  }

  /** The device was asleep or changed networks: nothing that is shown counts before the daemon has said so again. */
  async wake() {
    if (this.phase === "out") return;
    this.attempts = 0;
    if (this.phase !== "online") return this.connect();
    const turn = this.turn;
    if (Date.now() - this.heard > SILENCE) this.enter("connecting", "");
    try {
      await this.call("status/health", {}, 5000);
      await this.catchUp(this);
      if (turn !== this.turn) return;
      this.heard = Date.now();
      this.enter("online", "");
    } catch (error) {
      if (turn === this.turn) this.connect();
    }
  }

  /** @param {Phase} phase @param {string} reason */
  enter(phase, reason) {
    if (phase === this.phase && reason === this.reason) return;
    this.phase = phase;
    this.reason = reason;
    this.dispatchEvent(new Event("phase"));
  }
}
