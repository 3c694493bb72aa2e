import { CallView } from "./call.js";
import { Inner } from "./inner.js";

/** @typedef {import("../state/transcript.js").Message} Message */

/** So many results are remembered whose call is not on the page. */
const REMEMBERED = 400;

/** The calls on the page, and the results that belong to them: a result is a message of its own, behind its call. */
export class Calls {
  /** @param {import("../state/transcript.js").Transcript} transcript */
  constructor(transcript) {
    this.transcript = transcript;
    /** @type {Map<string, CallView>} */
    this.views = new Map();
    /** @type {Map<string, { block: any, message: Message }>} */
    this.results = new Map();
    /** What subagents did, by the call that started each. @type {Map<string, Inner>} */
    this.inner = new Map();
    /** Calls that somebody is asked about. @type {Set<string>} */
    this.asked = new Set();
    /** Whether the session goes on: a call without a result then still runs. */
    this.isLive = false;
  }

  /** @param {any} block `tool_use` @param {Message} message */
  begin(block, message) {
    const view = new CallView(block, message.timestamp, () => this.inside(String(block.id)));
    this.views.set(view.id, view);
    const result = this.results.get(view.id);
    if (result) view.finish(result.block, result.message);
    else view.waits(this.state(view.id));
    return view.element;
  }

  /** Nothing to be seen by itself. @param {any} block `tool_result` @param {Message} message @returns {Node[]} */
  end(block, message) {
    const id = String(block.tool_use_id ?? "");
    this.results.delete(id);
    this.results.set(id, { block, message });
    if (this.results.size > REMEMBERED) this.results.delete(this.results.keys().next().value ?? "");
    this.views.get(id)?.finish(block, message);
    return [];
  }

  /** What the call's subagent did, if it started one; what is unfolded stays so. @param {string} id @returns {Node | null} */
  inside(id) {
    const subagent = this.transcript.subagents.get(id);
    if (!subagent) return null;
    const inner = this.inner.get(id) ?? new Inner(this.transcript.of(subagent), subagent, (transcript) => new Calls(transcript));
    this.inner.set(id, inner);
    return inner.element;
  }

  /** A subagent wrote another message into its own transcript. @param {any} event */
  grew({ agent_id, parent_tool_use_id: call, id }) {
    if (typeof call !== "string") return;
    const known = this.transcript.subagents.get(call);
    this.transcript.subagents.set(call, { ...known, agent_id, tool_use_id: call, message_count: Math.max(id, known?.message_count ?? 0) });
    const view = this.views.get(call);
    if (this.inner.has(call)) this.inner.get(call)?.grow(id);
    else if (view?.element.open) view.lay();
  }

  /** @param {string} id */
  state(id) {
    return this.asked.has(id) ? "waits for you" : this.isLive ? "running" : "";
  }

  /** @param {Set<string>} asked @param {boolean} isLive */
  mark(asked, isLive) {
    this.asked = asked;
    this.isLive = isLive;
    for (const [id, view] of this.views) view.waits(this.state(id));
  }

  /** @param {Element} element that is taken off the page */
  drop(element) {
    for (const call of element.querySelectorAll("[data-call]")) {
      const id = /** @type {HTMLElement} */ (call).dataset.call ?? "";
      if (this.views.get(id)?.element === call && this.views.delete(id)) this.inner.delete(id);
    }
  }
}
