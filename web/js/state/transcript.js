import { RpcError } from "../net/rpc.js";

/**
 * The messages of one session, by their place in its transcript. They are asked for in pages, and only some are kept: a
 * transcript may have tens of thousands.
 *
 * @typedef {{ uuid?: string, type: string, timestamp?: string, message?: { role?: string, content?: any }, is_meta?: boolean,
 *             is_context_compaction?: boolean, is_sidechain?: boolean, agent_id?: string, parent_tool_use_id?: string,
 *             truncated?: any, left_out_bytes?: number }} Message
 * @typedef {{ agent_id: string, tool_use_id?: string, agent_type?: string, description?: string, message_count?: number }} Subagent
 */

/** Messages asked for at once. */
export const PAGE = 40;
/** So many are kept. */
const KEPT = 1000;
/** Messages asked for at once where something is looked for. */
const SEARCHED = 100;

export class Transcript {
  /**
   * @param {import("../net/link.js").Link} link @param {string} workspace @param {string} session
   * @param {string} [agent] for the messages of that subagent alone
   */
  constructor(link, workspace, session, agent) {
    this.link = link;
    /** @type {{ workspace_id?: string, session_id: string, agent_id?: string }} */
    this.about = { ...(workspace ? { workspace_id: workspace } : {}), session_id: session, ...(agent ? { agent_id: agent } : {}) };
    /** By the call that started it. @type {Map<string, Subagent>} */
    this.subagents = new Map();
    /** The sessions that go on from one another. @type {{ kind: string, session_id: string }[]} */
    this.links = [];
    /** How many there are, as far as is known. */
    this.total = 0;
    /** By place; the one used longest ago stands first. @type {Map<number, Message>} */
    this.kept = new Map();
    /** Of the last one: another there means another transcript. @type {string | undefined} */
    this.last = undefined;
  }

  /** @param {any} params */
  async ask(params) {
    const answer = await this.link.call("workspace/session/messages", { ...this.about, ...params });
    if (answer.links) this.links = answer.links;
    for (const subagent of answer.subagents ?? []) if (subagent.tool_use_id) this.subagents.set(subagent.tool_use_id, subagent);
    return answer;
  }

  /** The messages of a subagent. @param {Subagent} subagent */
  of({ agent_id }) {
    return new Transcript(this.link, this.about.workspace_id ?? "", this.about.session_id, agent_id);
  }

  /** The place of a call; -1 if there is none. @param {string} id @param {boolean} isAsked whether the daemon looks for it by itself */
  async place(id, isAsked) {
    if (!isAsked) return this.find(this.total - 1, -1, calls(id));
    const { messages } = await this.ask({ tool_use_id: id, limit: 1, order: "asc" });
    return messages.length && calls(id)(messages[0]) ? messages[0].id - 1 : -1;
  }

  /** The place of the first of the newest ones, which are kept from then on. */
  async newest() {
    this.kept.clear();
    const { messages, total } = await this.ask({ limit: PAGE, offset: 0, order: "desc" });
    this.total = total;
    messages.forEach((/** @type {Message} */ message, /** @type {number} */ index) => this.keep(total - 1 - index, message));
    this.last = messages[0]?.uuid;
    return total - messages.length;
  }

  /**
   * Looks for messages that came since.
   * @returns {Promise<boolean>} false if it is another transcript now: it was replaced, or became shorter
   */
  async grow() {
    if (!this.total) return (await this.newest(), true);
    const from = this.total - 1;
    const { messages, total } = await this.ask({ limit: PAGE, offset: from, order: "asc" });
    if (total < this.total || messages[0]?.uuid !== this.last) return false;
    messages.forEach((/** @type {Message} */ message, /** @type {number} */ index) => this.keep(from + index, message));
    // There may be more than one page of them.
    if (total > from + messages.length) this.last = (await this.ask({ limit: 1, offset: total - 1, order: "asc" })).messages[0]?.uuid;
    else this.last = messages.at(-1)?.uuid;
    this.total = total;
    return true;
  }

  /** The whole of a message that came cut to a frame's size. @param {number} place @returns {Promise<Message | undefined>} */
  async whole(place) {
    const { messages } = await this.link.callWhole("workspace/session/messages", { ...this.about, limit: 1, offset: place, order: "asc" });
    if (messages[0]) this.keep(place, messages[0]);
    return messages[0];
  }

  /** @param {number} from @param {number} to @returns {Promise<Message[]>} from one place up to another, or up to the end */
  async range(from, to) {
    for (let at = from; at < Math.min(to, this.total);) {
      if (this.kept.has(at)) {
        at += 1;
        continue;
      }
      // An answer has a ceiling in bytes, and may hold fewer than were asked for.
      const { messages } = await this.ask({ limit: Math.min(to, this.total) - at, offset: at, order: "asc" });
      if (!messages.length) break;
      messages.forEach((/** @type {Message} */ message, /** @type {number} */ index) => this.keep(at + index, message));
      at += messages.length;
    }
    const found = [];
    for (let at = from; at < to && this.kept.has(at); at += 1) found.push(/** @type {Message} */ (this.kept.get(at)));
    return found;
  }

  /**
   * The place of the next message that passes, in the direction of `step`; -1 if there is none.
   * @param {number} from @param {1 | -1} step @param {(message: Message) => boolean} passes
   */
  async find(from, step, passes) {
    for (let at = from; at >= 0 && at < this.total;) {
      const start = step > 0 ? at : Math.max(0, at - SEARCHED + 1);
      const messages = await this.range(start, step > 0 ? at + SEARCHED : at + 1);
      const index = step > 0 ? messages.findIndex(passes) : messages.findLastIndex(passes);
      if (index >= 0) return start + index;
      if (!messages.length) return -1;
      at = step > 0 ? start + messages.length : start - 1;
    }
    return -1;
  }

  /** @param {number} place @param {Message} message */
  keep(place, message) {
    this.kept.delete(place);
    this.kept.set(place, message);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value ?? 0);
  }
}

/** A message's content as blocks. @param {Message} message @returns {any[]} */
export function blocks({ message }) {
  const content = message?.content;
  if (typeof content === "string") return content ? [{ type: "text", text: content }] : [];
  return Array.isArray(content) ? content.filter((block) => block && typeof block === "object") : [];
}

/** Whether a tool failed. @param {Message} message */
export const isError = (message) => blocks(message).some(({ type, is_error }) => type === "tool_result" && is_error === true);

/** Whether it is about that call. @param {string} id of the call @returns {(message: Message) => boolean} */
export const calls = (id) => (message) => blocks(message).some((block) => block.type === "tool_use" && block.id === id);

/** Codes of errors about a session that has no transcript. */
const UNKNOWN = new Set([-32602, -32010]);

/** Whether the session has no transcript yet. @param {unknown} error */
export const isUnwritten = (error) => error instanceof RpcError && UNKNOWN.has(error.code);

/** Why nothing can be shown. @param {unknown} error @returns {string} */
export function excuse(error) {
  if (error instanceof RpcError) return `The transcript cannot be shown: ${error.message}.`;
  return "Offline: the transcript goes on when the connection is back.";
}
