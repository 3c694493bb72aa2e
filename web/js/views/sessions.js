import { h, set } from "../dom.js";
import { ago, base, counted, lasted, short } from "../text/words.js";
import { plain } from "../text/characters.js";
import { part } from "../tool.js";
import { Listing } from "./listing.js";
import { shown } from "./text.js";

const STATES = { active: "Active", ended: "Ended", permission_pending: "Waiting for an answer", stale: "Silent", tool_running: "Running" };

/** As `session/gate` takes them. @type {[string | null, string][]} */
const GATES = [
  [null, "As configured"], ["always", "Ask me about everything"], ["auto", "Ask what Claude asks"],
  ["prompt", "Beside Claude’s dialog"], ["tool-call", "Before Claude’s dialog"],
];

/** Claude's sessions: what each does now, and what it did. */
export class SessionsView extends Listing {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    super(app, "Sessions");
    /** Opened ones stay open when the list is made anew. @type {Set<string>} */
    this.opened = new Set();
    app.link.addEventListener("notification", (event) => this.heard(/** @type {CustomEvent} */ (event).detail.method));
  }

  /** @param {string} method */
  heard(method) {
    if (!this.element.isConnected || method === "event/heartbeat") return;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.appear(), 400);
  }

  /** @param {() => boolean} isCurrent */
  async load(isCurrent) {
    const { sessions, bystanders = [] } = await this.app.link.call("hook/sessions");
    if (!isCurrent()) return;
    const focused = document.activeElement?.closest("details")?.dataset.id;
    const items = [...bystanders.map(notHeld), ...sessions.map((/** @type {any} */ session) => this.item(session))];
    this.show(items, "sessions", "No sessions", "Claude Code has not been heard of.");
    const again = focused && this.list.querySelector(`[data-id="${CSS.escape(focused)}"] > summary`);
    if (again) again.focus({ preventScroll: true });
  }

  /** @param {any} session */
  item(session) {
    const { session_id: id, state, current_tool, cwd, root, last_activity, pending_requests, tool_history = [], unverified, agent, mode_note, permission_mode, title, last_prompt } = session;
    const doing = state === "tool_running" && current_tool ? `Running ${current_tool}` : STATES[/** @type {keyof STATES} */ (state)] ?? state;
    const details = h("details.item", { "data-id": id, open: this.opened.has(id), ontoggle: () => (details.open ? this.opened.add(id) : this.opened.delete(id)) },
      h("summary", {},
        h(`span.dot.${state}`, { "aria-hidden": "true" }),
        h("span.main", {}, h("strong", {}, shown(base(root || cwd || "?"))), " ", h("small", {}, shown(short(id))),
          permission_mode && permission_mode !== "default" ? h("span.tag", {}, shown(permission_mode)) : null,
          agent && agent !== "claude" ? h("span.tag", {}, shown(agent)) : null,
          h("span.line", {}, shown(doing), pending_requests ? ` · ${counted(pending_requests, "request")} open` : "", unverified ? " · unverified" : "", mode_note ? " · asks nothing" : ""),
          title ? h("span.line.titled", {}, shown(title)) : null),
        h("time", {}, ago(last_activity, this.app.now))),
      h("p.where", {}, "in ", h("code", {}, shown(cwd ?? ""))),
      mode_note ? h("p.note", {}, shown(`${mode_note}.`)) : null,
      last_prompt ? h("p.note", {}, "You asked: ", shown(last_prompt)) : null,
      this.gate(session),
      tool_history.length ? h("ol.timeline", {}, tool_history.toReversed().map(run)) : h("p.note", {}, "No tool has run yet."));
    return details;
  }

  /** The choice of the calls that are asked about, for this session alone. @param {any} session @returns {Node | null} */
  gate({ session_id, gate, gate_own, cwd, root }) {
    if (!gate || !this.app.mayAnswer || !this.app.features.has("session/gate")) return null;
    const own = gate_own ? gate : null;
    const refusal = h("p.note", { role: "alert" });
    const buttons = GATES.map(([value, label]) => h("button.chip", { type: "button", "aria-pressed": value === own, onclick: async () => {
      refusal.textContent = "";
      for (const button of buttons) button.disabled = true;
      try {
        await this.app.link.call("session/gate", { session_id, gate: value });
        buttons.forEach((button, index) => set(button, "aria-pressed", GATES[index][0] === value));
      } catch (error) {
        refusal.textContent = `Not changed: ${plain(error instanceof Error ? error.message : error)}.`;
      }
      for (const button of buttons) button.disabled = false;
    } }, label));
    const name = plain(base(root || cwd || "?"));
    return h("div.gate", { role: "group", "aria-label": `What is asked about in ${name}` },
      h("p.note", {}, own ? "In this session:" : `As configured (${plain(gate)}). In this session instead:`), h("div.choices", {}, buttons), refusal);
  }
}

/** @param {any} bystander an agent that runs the hooks and is left to itself */
function notHeld({ reason }) {
  return h("p.note", {}, shown(`${reason}.`));
}

/** @param {any} tool of a session's history */
function run(tool) {
  const { tool_name, started_at, ended_at, is_error, agent_id } = tool;
  const outcome = ended_at === null ? "running" : is_error ? "failed" : "done";
  const about = ["command", "file", "pattern", "url", "query"].map((role) => part(tool, role)).find((value) => value !== undefined && value !== null) ?? "";
  return h(`li.${outcome}`, {},
    h("span.what", {}, h("strong", {}, shown(tool_name)), agent_id ? h("span.tag", {}, "subagent") : null, " ", h("code", {}, shown(String(about).slice(0, 300)))),
    h("span.outcome", {}, outcome === "running" ? "running" : `${outcome} · ${lasted(started_at, ended_at)}`));
}
