import { RpcError } from "../net/rpc.js";
import { NOTHING, offered } from "./offered.js";

/** Events that tell all of what such a session does, or its end. */
const WHOLE = new Set(["event/claude_status", "event/session_end", "event/session_start", "event/session_stopped"]);

/** What a session has taken so far; a daemon may not know each of them. */
const SPENT = ["total_cost_usd", "context_tokens", "context_window"];

/** Milliseconds for what may be megabytes, from a phone far away. */
const LONG = 120_000;

/** The session that the daemon runs in one conversation of Claude, where it runs one. */
export class Run {
  /**
   * @param {import("../net/link.js").Link} link @param {import("./features.js").Features} features
   * @param {string} conversation Claude's id of it @param {() => void} onchange
   */
  constructor(link, features, conversation, onchange) {
    this.link = link;
    this.features = features;
    this.conversation = conversation;
    this.onchange = onchange;
    /** As `session/state` tells it. @type {any} */
    this.told = null;
    /** What its agent offers. */
    this.offered = NOTHING;
  }

  get isOffered() {
    return this.features.has("session/state") && this.features.has("session/active");
  }

  /** It takes prompts. */
  get isOpen() {
    return this.told?.status === "running";
  }

  /** It does something at this moment, or is about to. */
  get isBusy() {
    return this.isOpen && (["running", "waiting", "starting"].includes(this.told.claude_state) || this.told.prompts?.length > 0);
  }

  /** A session of the daemon that goes on in another conversation now, after /clear. @returns {string} "" for the same one */
  get movedTo() {
    const now = this.told?.claude_session_id;
    return now && now !== this.conversation ? now : "";
  }

  /** Asks for all of it. */
  async ask() {
    if (!this.isOffered) return;
    // One that has ended may have been continued, which makes it another.
    const id = this.isOpen ? this.told.id : ((await this.find()) ?? this.told?.id);
    try {
      this.told = id ? { ...(await this.link.call("session/state", { session_id: id })), reason: this.told?.reason } : null;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      // The daemon has forgotten it.
      this.told = null;
    }
    this.onchange();
  }

  /** Asks what its agent offers, which the agent tells once it has started. */
  async learn() {
    if (!this.isOpen) return;
    this.offered = await offered(this, this.told.id);
    this.onchange();
  }

  /** @returns {Promise<string | undefined>} the daemon's id */
  async find() {
    const { sessions } = await this.link.call("session/active");
    return sessions.findLast((/** @type {any} */ one) => one.claude_session_id === this.conversation)?.id;
  }

  /** @param {import("../net/rpc.js").Notification} event @returns {boolean} whether it is about this session */
  take({ method, params }) {
    // One that begins while the page shows its conversation, from wherever it was started.
    const isNew = !this.isOpen && WHOLE.has(method) && params.status === "running" && params.claude_session_id === this.conversation;
    if (!isNew && (!this.told || params.session_id !== this.told.id)) return false;
    if (isNew && params.id !== this.told?.id) this.told = null;
    if (WHOLE.has(method)) this.told = { ...this.told, retry: undefined, ...params };
    else if (method === "event/claude_session_info") {
      this.told = { ...this.told, claude_session_id: params.claude_session_id, model: params.model, permission_mode: params.permission_mode };
      this.learn();
    } else if (method === "event/claude_usage") this.told = { ...this.told, ...Object.fromEntries(SPENT.filter((name) => name in params).map((name) => [name, params[name]])) };
    else return true;
    this.onchange();
    return true;
  }

  /** Does something with it. @param {string} name of the method behind `session/` @param {any} [params] @param {number} [patience] @returns {Promise<any>} */
  act(name, params = {}, patience) {
    return this.link.call(`session/${name}`, { session_id: this.told.id, ...params }, patience);
  }

  /** Sends a prompt. Pictures may be more than a frame holds. @param {{ prompt: any, prompt_id: string }} params @param {boolean} isLarge */
  send(params, isLarge) {
    return isLarge ? this.link.callWhole("session/send", { session_id: this.told.id, ...params }, LONG) : this.act("send", params);
  }
}

/** What the daemon said no to, or that nobody knows. @param {string} what was tried @param {unknown} error */
export function refusal(what, error) {
  if (!(error instanceof RpcError)) return `${what} was not confirmed: the connection went.`;
  return `${what} did not work: ${error.message.replace(/\.$/, "")}.`;
}
