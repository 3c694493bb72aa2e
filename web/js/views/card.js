import { fill, h, icon, set } from "../dom.js";
import { plain } from "../text/characters.js";
import { base, cause, clock, counted, decided, left, more, short } from "../text/words.js";
import { isForUser, part } from "../tool.js";
import { Actions } from "./actions.js";
import { content } from "./content.js";
import { Sight } from "./sight.js";
import { shown } from "./text.js";
import { why } from "./why.js";

/** @typedef {import("../state/model.js").Card} Card */

const ICONS = { fetch: "globe", file_changes: "edit", plan: "plan", question: "question", read: "file", search: "search", shell_command: "terminal" };

/** One request, from the moment it is asked until its place is cleared. */
export class CardView {
  /**
   * @param {Card} card
   * @param {{ features: import("../state/features.js").Features, send: (card: Card, params: any) => void,
   *           onpick: (view: CardView, isPicked: boolean) => void }} services
   * @param {any} [preview] of `permission/preview`
   */
  constructor(card, services, preview) {
    this.card = card;
    const { data } = card;
    /** What is shown; the card may get more later. */
    this.data = data;
    this.preview = preview ?? null;
    this.body = h("div.body", {}, content(data, preview));
    for (const button of this.body.querySelectorAll("[data-folded] > .unfold")) button.addEventListener("click", () => this.unfolded());
    this.mark = h("div.mark", { "aria-hidden": "true" });
    this.sight = new Sight(this.mark, () => this.looked());
    this.actions = Actions.of(card, services.features, (params) => services.send(card, params), { isWhole: () => this.isWhole(), isSeen: () => this.sight.isSeen });
    this.bar = h("i");
    this.left = h("span.left", {});
    this.state = h("p.state", { role: "status" });
    this.pick = h("input", { type: "checkbox", "aria-label": "Select", disabled: true,
      onchange: () => services.onpick(this, this.pick.checked) });
    const tool = String(data.tool_name ?? "?");
    const name = data.kind === "mcp_tool" ? serverTool(String(data.title)) : String(data.title ?? tool);
    const sign = data.type === "file_write" ? "file" : ICONS[/** @type {keyof ICONS} */ (data.kind)] ?? "tool";
    const isNamed = name !== tool && data.kind !== "mcp_tool" && this.isPlain;
    const title = h("h2", { id: `title-${card.id}` }, icon(sign), h("span", {}, shown(name)), isNamed ? h("span.tag", {}, tool) : null);
    this.element = h("article.card", { "data-id": card.id, tabindex: 0, "aria-labelledby": title.id, "aria-keyshortcuts": "a s d" },
      h("div.time", { "aria-hidden": "true" }, this.bar),
      h("header", {}, h("div", {}, h("p.from", {}, this.from()), title), this.left, h("label.pick", {}, this.pick)),
      this.says(), this.flags(), this.body, this.where(), this.mark, why(data, services.features), this.state, this.actions.element);
  }

  /** Can be answered together with others. */
  get isPlain() {
    return !this.card.data.confirm && !isForUser(this.card.data);
  }

  isWhole() {
    return !this.isCut && !this.body.querySelector("[data-folded] > .unfold");
  }

  /** @param {CardView} other the same request, and the same of it is shown */
  isSameAs(other) {
    return this.card === other.card && this.data === other.data && this.preview === other.preview;
  }

  /** Whether what is shown is what is open. @param {import("../state/model.js").Model} model */
  isCurrent(model) {
    return model.open(this.card.id) === this.card && this.card.data === this.data;
  }

  unfolded() {
    this.sight.again();
    this.looked();
  }

  /** More of it, or its end, was seen. */
  looked() {
    if (this.card.ending) return;
    this.actions.update();
    this.pickable();
  }

  /** Shows the end of what it shows. */
  showEnd() {
    this.mark.scrollIntoView({ block: "center" });
  }

  /** Nothing is answered together with others before all of it was shown. */
  pickable() {
    const isWhole = this.isWhole();
    this.pick.disabled = !this.isPlain || !isWhole || !this.sight.isSeen || !this.isFree;
    const why = !this.isPlain ? "" : !isWhole ? "Show all of it before you select it." : this.sight.isSeen ? "" : "Scroll to its end before you select it.";
    set(this.pick, "aria-label", why ? `Select: ${why}` : "Select");
    set(this.pick, "title", why || null);
  }

  get isCut() {
    return Object.keys(this.data.truncated ?? {}).some((path) => path.startsWith("$.tool_input") || path === "$");
  }

  from() {
    const { cwd, session_id, agent_id, agent_type } = this.card.data;
    const agent = agent_id || agent_type ? h("span.tag", {}, shown(agent_type || "subagent")) : null;
    return [h("strong", {}, shown(base(cwd ?? "") || "?")), " ", h("span", {}, shown(short(session_id ?? ""))), " ", agent];
  }

  /** Claude's own words for it: they are no fact. */
  says() {
    const words = part(this.card.data, "note");
    return typeof words === "string" && words ? h("p.says", {}, h("span.unseen", {}, "Claude says: "), shown(words)) : null;
  }

  where() {
    const { cwd, permission_mode, terminal_prompt } = this.card.data;
    const mode = permission_mode && permission_mode !== "default" ? h("span.tag", {}, shown(permission_mode)) : null;
    return h("p.where", {}, h("span", {}, "in "), h("code", {}, shown(cwd ?? "")), " ", mode, terminal_prompt ? " · asked in the terminal too" : null);
  }

  flags() {
    const { hidden_characters = [], unverified, opening, agent, can_ask, rules_note, outside } = this.card.data;
    const hidden = hidden_characters.reduce((/** @type {number} */ sum, /** @type {any} */ entry) => sum + (entry.more ?? 1), 0);
    const flags = [
      outside && h("strong", {}, "This changes a file outside the project."),
      outside === null && h("strong", {}, "cdev could not tell if this changes a file outside the project."),
      hidden && `${counted(hidden, "character")} cannot be seen; here they are marked.`,
      can_ask === false && `Asked by ${agent}, which cannot ask by itself: unanswered it is denied.`,
      unverified && "Unverified: any program of that computer could have sent this.",
      rules_note && shown(rules_note),
      this.isCut && "It is very long. The rest is being fetched.",
      opening > 1 && "Asked again: the first time nobody answered.",
    ].filter(Boolean);
    return flags.length ? h("ul.flags", {}, flags.map((flag) => h("li", {}, icon("alert"), h("span", {}, flag)))) : null;
  }

  /** @param {boolean} isOnline @param {boolean} mayAnswer */
  update(isOnline, mayAnswer) {
    const { answer, ending } = this.card;
    if (ending) return this.end();
    const said = this.actions.hear(answer);
    const isSending = answer?.state === "sending" || answer?.state === "unsure";
    this.actions.element.hidden = !mayAnswer;
    this.actions.disable(!isOnline || !mayAnswer || isSending || answer?.state === "sent");
    this.element.classList.toggle("stale", !isOnline);
    set(this.element, "aria-busy", isSending);
    const stale = isOnline ? (mayAnswer ? "" : "This device only views.") : "Seen before the connection went. It may have been answered since.";
    const text = { sending: "Sending…", unsure: answer?.message, sent: "Sent. Claude’s dialog is open too: waiting for which answer it takes.", refused: said ?? answer?.message }[answer?.state ?? ""] ?? stale;
    this.state.textContent = plain(text);
    this.state.className = `state ${answer?.state ?? ""}`;
    this.isFree = isOnline && !isSending && answer?.state !== "sent";
    this.pickable();
  }

  /** Nothing is left to answer; it says how it ended, and keeps its height until its place may be cleared. */
  end() {
    const { decision, resolved_by, at, mine, scope, late, guess } = this.card.ending;
    const why = more(this.card.ending);
    const kind = { allow: "check", deny: "close" }[/** @type {string} */ (decision)] ?? "clock";
    const isAsking = this.card.answer?.state === "sending";
    const by = mine ? " by you" : isAsking ? "" : guess ? " while this page was away" : plain(cause(resolved_by));
    const line = guess && !decision ? `Not open any more: it ended${by}` : `${decided(decision)}${scope === "session" ? " for the session" : ""}${by}`;
    if (!this.element.classList.contains("ended")) {
      this.element.style.setProperty("--height", `${this.element.offsetHeight}px`);
      this.element.classList.add("ended");
    }
    this.element.classList.toggle("mine", !!mine);
    set(this.element, "aria-busy", null);
    set(this.element, "data-decision", decision ?? "ended");
    this.line = line;
    fill(this.element, h("div.end", {}, icon(/** @type {any} */ (kind)), h("div", {},
      h("p.how", {}, late ? `Too late: ${line}` : line),
      h("p.what", {}, plain(this.card.data.description ?? this.card.data.tool_name), at ? ` · ${clock(at)}` : ""),
      !mine && !isAsking && why && !late ? h("p.why", {}, plain(why)) : null)));
  }

  /** @param {number} now by the daemon's clock, in milliseconds */
  tick(now) {
    if (this.card.ending) return;
    const { created_at, deadline } = this.card.data;
    const [from, to] = [Date.parse(created_at), Date.parse(deadline)];
    const share = Math.min(1, Math.max(0, (to - now) / Math.max(1, to - from)));
    this.bar.style.setProperty("--share", String(share));
    this.left.textContent = to > now ? left(to - now) : "time is up";
    this.element.classList.toggle("urgent", to - now < 15_000);
  }
}

/** `server/tool` with the tool in front: there is more of that in a narrow column. @param {string} title */
function serverTool(title) {
  const bar = title.indexOf("/");
  return bar < 0 ? title : `${title.slice(bar + 1)} (${title.slice(0, bar)})`;
}
