import { h } from "../dom.js";
import { PAGE } from "../state/transcript.js";
import { plain } from "../text/characters.js";
import { counted } from "../text/words.js";
import { CallView } from "./call.js";
import { message } from "./message.js";
import { shown } from "./text.js";

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

  /** What the call's subagent did, if it started one. @param {string} id @returns {Node | null} */
  inside(id) {
    const subagent = this.transcript.subagents.get(id);
    return subagent ? nested(this.transcript.of(subagent), subagent) : null;
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
      if (this.views.get(id)?.element === call) this.views.delete(id);
    }
  }
}

/** The messages of a subagent, a page at a time. @param {import("../state/transcript.js").Transcript} transcript @param {import("../state/transcript.js").Subagent} subagent */
function nested(transcript, { agent_type: type, message_count: messages = 0 }) {
  const calls = new Calls(transcript);
  const box = h("div.side", { role: "group", "aria-label": `Subagent ${plain(type ?? "")}`.trim() });
  transcript.total = messages;
  let at = 0;
  const more = h("button.quiet.unfold", { type: "button", onclick: async () => {
    more.disabled = true;
    try {
      const page = await transcript.range(at, at + PAGE);
      box.append(...page.map((one, index) => message(one, at + index, calls)).filter((element) => element !== null));
      at += page.length;
      more.textContent = `Show more of ${counted(messages, "message")}`;
      if (at >= messages || !page.length) more.remove();
    } catch {
      more.textContent = "Not loaded: the connection went. Try again";
    }
    more.disabled = false;
  } }, "Show what it did · ", counted(messages, "message"));
  return h("div.subagent", {}, type ? h("p.note", {}, "Subagent ", shown(type)) : null, box, more);
}
