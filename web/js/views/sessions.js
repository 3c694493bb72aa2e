import { h, icon, set } from "../dom.js";
import { to } from "../text/address.js";
import { ago, base, compact, counted, lasted, money, short } from "../text/words.js";
import { plain } from "../text/characters.js";
import { seenAs, settingsWords, stateWords } from "../text/runs.js";
import { part } from "../tool.js";
import { earlier } from "./earlier.js";
import { Elsewhere } from "./elsewhere.js";
import { canStart, startFresh } from "./fresh.js";
import { Listing } from "./listing.js";
import { continuing } from "./resume.js";
import { Search } from "./search.js";
import { shown } from "./text.js";
import { ways } from "./ways.js";

const STATES = { active: "Active", ended: "Ended", permission_pending: "Waiting for an answer", stale: "Silent", tool_running: "Running" };

/** The order in which they want to be looked at. */
const FIRST = ["permission_pending", "tool_running", "active", "stale", "ended"];

/** As `session/gate` takes them. @type {[string | null, string][]} */
const GATES = [
  [null, "As configured"], ["always", "Ask me about everything"], ["auto", "Ask what Claude asks"],
  ["prompt", "Beside Claude’s dialog"], ["tool-call", "Before Claude’s dialog"],
];

/** What comes in numbers and changes no list: it has views of its own. */
const PASSED = new Set(["event/heartbeat", "event/claude_delta", "event/claude_message", "event/claude_tool_begin", "event/file_changed", "event/git_status_changed", "event/session_joined", "event/session_left"]);

/** Claude's sessions: what each does now, and what it did; below them those of the past, project by project. */
export class SessionsView extends Listing {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    super(app, "Sessions");
    /** Opened ones stay open when the list is made anew. @type {Set<string>} */
    this.opened = new Set();
    this.past = h("div.projects");
    this.elsewhere = new Elsewhere(app);
    this.search = new Search(app);
    this.fresh = h("button.fresh", { type: "button", hidden: true, onclick: () => startFresh(app) }, "New session");
    this.tools = [this.fresh];
    this.element.prepend(this.search.element);
    this.element.append(this.elsewhere.element, this.past);
    app.link.addEventListener("notification", (event) => this.heard(/** @type {CustomEvent} */ (event).detail.method));
  }

  /** @param {string} method */
  heard(method) {
    if (!this.element.isConnected || PASSED.has(method)) return;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.appear(), 400);
  }

  /** @param {() => boolean} isCurrent */
  async load(isCurrent) {
    const [{ sessions: seen, bystanders = [] }, facts, run, mayStart, , elsewhere] = await Promise.all([this.app.link.call("hook/sessions"), this.app.workspaces.facts(), this.run(), canStart(this.app), this.app.workspaces.load(), this.elsewhere.load()]);
    if (!isCurrent()) return;
    this.elsewhere.show(elsewhere);
    this.facts = facts;
    this.mayStart = mayStart;
    this.fresh.hidden = !mayStart || !this.app.workspaces.list.length;
    const sessions = joined(seen, run, this.app.workspaces);
    this.search.offer();
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const focused = active?.closest("[data-key]");
    const key = focused && this.element.contains(focused) ? /** @type {HTMLElement} */ (focused).dataset.key : undefined;
    const rank = (/** @type {any} */ { state }) => FIRST.indexOf(state) + 1 || FIRST.length;
    const sorted = sessions.toSorted((/** @type {any} */ a, /** @type {any} */ b) => rank(a) - rank(b) || Date.parse(b.last_activity) - Date.parse(a.last_activity));
    const items = [...bystanders.map(notHeld), ...sorted.map((/** @type {any} */ session) => this.item(session))];
    this.show(items, "sessions", "No sessions", "Claude Code has not been heard of.");
    const running = new Set(sessions.map((/** @type {any} */ { session_id }) => session_id));
    this.past.replaceChildren(...this.app.workspaces.list.map((workspace) => earlier(this.app, workspace, running, this.opened, mayStart)));
    const again = key && this.element.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /** Those that the daemon runs. */
  async run() {
    return this.app.features.has("session/active") ? (await this.app.link.call("session/active")).sessions : [];
  }

  /** @param {any} session */
  item(session) {
    const { session_id: id, state, current_tool, cwd, root, last_activity, pending_requests, unverified, agent, mode_note, permission_mode, title, last_prompt, turn_ended, run } = session;
    const workspace = this.app.workspaces.of(session);
    const known = { ...workspace?.sessions.find((one) => one.id === id), ...this.facts?.get(id) };
    const branch = session.branch || known.branch || workspace?.branch;
    const isIdle = turn_ended && (state === "active" || state === "stale");
    const usual = state === "tool_running" && current_tool ? `Running ${current_tool}` : isIdle ? "Waiting for your prompt" : STATES[/** @type {keyof STATES} */ (state)] ?? state;
    const doing = run && !(state === "tool_running" && current_tool) ? stateWords(run) : usual;
    const headline = title || known.summary || last_prompt;
    const main = [
      h(`span.dot.${state}`, { "aria-hidden": "true" }),
      h("span.main", {}, h("span.named", {}, h("strong", {}, shown(base(root || cwd || "?"))), " ", branch ? h("span.branch", {}, icon("branch"), shown(branch)) : null,
        permission_mode && permission_mode !== "default" ? h("span.tag", {}, shown(permission_mode)) : null,
        run ? h("span.tag", {}, "run by cdev") : null,
        agent && agent !== "claude" ? h("span.tag", {}, shown(agent)) : null),
      headline ? h("span.line.titled", {}, shown(headline)) : null,
      said(session, headline),
      h("span.line", {}, shown(doing), pending_requests ? ` · ${counted(pending_requests, "request")} open` : "", unverified ? " · unverified" : "", mode_note ? " · asks nothing" : "", run && settingsWords(run) ? " · project’s settings ignored" : "", known.viewers?.length ? ` · ${counted(known.viewers.length, "device")} looking` : ""),
      this.spent(known)),
      h("time", {}, ago(last_activity, this.app.now)),
    ];
    const canRead = this.app.features.has("workspace/session/messages");
    return h(`article.item.session.${state}`, { "data-id": id, "aria-label": plain(base(root || cwd || "?")) },
      canRead ? h("a.row.head", { href: to("transcript", workspace?.id ?? "", id), "data-key": `open ${id}` }, main) : h("div.row.head", {}, main),
      this.waiting(id), this.goesOn(session, workspace, headline), this.details(session, workspace));
  }

  /** An ended session of Claude can be gone on with. @param {any} session @param {import("../state/workspaces.js").Workspace | null} workspace @param {string} headline */
  goesOn({ session_id, state, agent, run }, workspace, headline) {
    if (!this.mayStart || !workspace || run || state !== "ended" || (agent && agent !== "claude")) return null;
    return h("div.goes-on", {}, continuing(this.app, workspace.id, session_id, plain(headline || workspace.name)));
  }

  /** Tokens and money, where they are known. @param {any} session */
  spent({ cost_usd, input_tokens = 0, output_tokens = 0, model }) {
    const count = input_tokens + output_tokens;
    const facts = [model, typeof cost_usd === "number" && money(cost_usd), count > 0 && `${compact(count)} tokens`].filter(Boolean);
    return facts.length ? h("span.line.spent", {}, shown(facts.join(" · "))) : null;
  }

  /** The open requests of a session, each with the way to it. @param {string} id */
  waiting(id) {
    const cards = this.app.model.openCards.filter(({ data }) => data.session_id === id);
    return cards.length ? h("div.waiting", {}, cards.slice(0, 3).map((card) => h("a.ask", { href: to("request", card.id), "data-key": `ask ${card.id}` },
      icon("question"), h("code", {}, shown(String(card.data.target || card.data.description || card.data.tool_name).slice(0, 120))), h("span", {}, this.app.mayAnswer ? "Answer" : "Show")))) : null;
  }

  /** @param {any} session @param {import("../state/workspaces.js").Workspace | null} workspace */
  details(session, workspace) {
    const { session_id: id, cwd, mode_note, last_prompt, tool_history = [], run: its } = session;
    const settings = its && settingsWords(its);
    const details = h("details.more", { open: this.opened.has(id), ontoggle: () => (details.open ? this.opened.add(id) : this.opened.delete(id)) },
      h("summary", { "data-key": `more ${id}` }, "What it did"),
      h("div.inside", {}, h("p.where", {}, h("code", {}, shown(short(id))), " in ", h("code", {}, shown(cwd ?? ""))),
        mode_note ? h("p.note", {}, shown(`${mode_note}.`)) : null,
        settings ? h("p.note", {}, settings) : null,
        last_prompt ? h("p.note", {}, "You asked: ", shown(last_prompt)) : null,
        this.gate(session),
        tool_history.length ? h("ol.timeline", {}, tool_history.toReversed().map(run)) : h("p.note", {}, "No tool has run yet.")));
    return h("div.foot", {}, workspace ? ways(this.app, workspace.id, id) : null, details);
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

/** The last line of what was said last, unless it is the headline. @param {any} session @param {string} headline */
function said({ turn_ended, last_words, last_prompt }, headline) {
  const words = turn_ended && last_words ? `Claude: ${last_words.split("\n").findLast((/** @type {string} */ line) => line.trim())}` : last_prompt && last_prompt !== headline ? `You: ${last_prompt}` : "";
  return words ? h("span.line.said", {}, shown(words)) : null;
}

/**
 * The sessions that hooks told of, and those that the daemon runs, each once.
 * @param {any[]} seen @param {any[]} run @param {import("../state/workspaces.js").Workspaces} workspaces
 */
function joined(seen, run, workspaces) {
  const others = run.filter((one) => !seen.some(({ session_id }) => session_id === one.claude_session_id)).map((one) => ({
    session_id: one.claude_session_id, cwd: workspaces.find(one.workspace_id)?.path ?? "", last_activity: one.last_active, permission_mode: one.permission_mode, title: one.title }));
  return [...seen, ...others].map((session) => {
    const its = run.find((one) => one.claude_session_id === session.session_id);
    return its ? { ...session, run: its, state: seenAs(its), title: its.title ?? session.title } : session;
  });
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
