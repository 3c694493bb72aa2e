import { fill, h, icon, set } from "../dom.js";
import { here } from "../text/address.js";
import { plain } from "../text/characters.js";
import { clock } from "../text/words.js";
import { ChangesView } from "./changes.js";
import { DevicesView } from "./devices.js";
import { Feedback } from "./feedback.js";
import { FilesView } from "./files.js";
import { HistoryView } from "./history.js";
import { Keys } from "./keys.js";
import { RulesView } from "./rules.js";
import { SessionsView } from "./sessions.js";
import { TranscriptView } from "./transcript.js";

/**
 * @typedef {object} View
 * @property {string} title
 * @property {Node} element
 * @property {Node[]} [tools] stand beside the title
 * @property {() => void} [appear] it is shown, or the connection is back
 * @property {(parts: string[]) => void} [open] it is shown for what the address names; a view that has it stands under Sessions
 * @property {() => void} [leave] another is shown
 * @property {{ href: string, label: string }} [back] where it was come from
 */

/** @type {{ name: string, label: string, icon: any }[]} */
const TABS = [
  { name: "requests", label: "Requests", icon: "inbox" },
  { name: "sessions", label: "Sessions", icon: "sessions" },
  { name: "history", label: "History", icon: "history" },
  { name: "rules", label: "Rules", icon: "rules" },
  { name: "devices", label: "Devices", icon: "devices" },
];

const PHASES = { connecting: "Connecting…", offline: "Offline, trying again", online: "Connected", out: "Signed out" };

/** What stands around the views: title, state of the connection, tabs. Nothing in it changes its height. */
export class Frame {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    /** @type {Record<string, View>} */
    this.views = { requests: app.requests, sessions: new SessionsView(app), history: new HistoryView(app), rules: new RulesView(app), devices: new DevicesView(app),
      transcript: new TranscriptView(app), changes: new ChangesView(app), files: new FilesView(app) };
    this.title = h("h1", { tabindex: -1 });
    this.back = h("a.back", { hidden: true }, icon("back"));
    this.link = h("p.link", { role: "status" });
    this.tools = h("div.tools");
    this.main = h("main");
    this.notice = h("div.notice", { hidden: true }, h("p", { role: "alert" }), h("button.quiet", { type: "button", onclick: () => app.link.wake() }, "Try now"));
    this.tabs = TABS.map((tab) => this.tab(tab));
    this.feedback = new Feedback(() => this.status());
    this.element = h("div.frame", {}, h("header.top", {}, this.back, h("div.titles", {}, this.title, this.link), this.tools), this.main, h("div.notices", {}, app.news.element, this.notice),
      h("nav.tabs", { "aria-label": "Views" }, this.tabs.map((tab) => tab.element)), new Keys().element);
    addEventListener("hashchange", () => this.route());
  }

  /** @param {typeof TABS[number]} tab */
  tab({ name, label, icon: drawing }) {
    const badge = h("span.badge", { hidden: true });
    const element = h("a", { href: `#${name}`, onclick: () => name === "requests" && this.shown === name && this.app.requests.gather() },
      icon(drawing), h("span", {}, label), badge);
    return { name, element, badge };
  }

  route() {
    const { name, parts } = here();
    if (name === "request" && parts[0]) {
      this.show("requests");
      history.replaceState(null, "", "#requests");
      return this.app.requests.link.reveal(parts[0]);
    }
    const isView = Object.hasOwn(this.views, name) && (!this.views[name].open || parts.length > 0);
    this.show(isView ? name : "requests", parts);
  }

  /** @param {string} name @param {string[]} [parts] what it is shown for */
  show(name, parts = []) {
    const view = this.views[name];
    const key = view.open ? [name, ...parts].join("\n") : name;
    if (this.key === key) return;
    const isFirst = this.shown === undefined;
    if (this.shown !== undefined) this.views[this.shown].leave?.();
    this.shown = name;
    this.key = key;
    fill(this.tools, view.tools ?? []);
    fill(this.main, view.element);
    for (const tab of this.tabs) set(tab.element, "aria-current", tab.name === (view.open ? "sessions" : name) ? "page" : null);
    scrollTo({ top: 0 });
    if (view.open) view.open(parts);
    else view.appear?.();
    this.entitle(view);
    if (!isFirst) this.title.focus({ preventScroll: true });
  }

  /** The view's title is another now. @param {View} view */
  entitle(view) {
    if (this.shown === undefined || this.views[this.shown] !== view) return;
    this.title.textContent = view.title;
    this.back.hidden = !view.back;
    set(this.back, "href", view.back?.href);
    set(this.back, "aria-label", view.back?.label);
  }

  /** The state of the connection, plainly. */
  phase() {
    const { phase, reason, heard } = this.app.link;
    const isOffline = phase === "offline";
    this.notice.hidden = !isOffline;
    fill(/** @type {Element} */ (this.notice.firstChild), isOffline && [h("strong", {}, `Offline since ${clock(new Date(heard).toISOString())}. `), `No answer can be sent: ${reason}.`]);
    this.status();
    if (phase === "online" && this.shown) this.views[this.shown].appear?.();
  }

  /** The line under the title: what became of the last answer, else the connection. */
  status() {
    const { phase, reason, detour } = this.app.link;
    const { text, decision } = this.feedback;
    set(this.link, "data-feedback", text ? decision || "ended" : null);
    if (text) return fill(this.link, icon(decision === "allow" ? "check" : decision === "deny" ? "close" : "clock"), h("span", { title: plain(text) }, plain(text)));
    fill(this.link, h("span.dot", { "aria-hidden": "true" }), h("span", { title: reason || detour }, PHASES[phase] + (phase === "online" && detour ? ", without WebSocket" : "")));
  }

  /** @param {number} open @param {number} held */
  count(open, held) {
    const badge = this.tabs[0].badge;
    badge.hidden = open === 0;
    badge.textContent = String(open);
    badge.classList.toggle("more", held > 0);
    set(this.tabs[0].element, "aria-label", open ? `Requests, ${open} open` : "Requests");
  }
}
