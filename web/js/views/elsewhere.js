import { fill, h } from "../dom.js";
import { plain } from "../text/characters.js";
import { ago, base } from "../text/words.js";
import { shown } from "./text.js";

const STATES = { active: "Active", idle: "Idle", waiting_for_input: "Waiting for a prompt", waiting_for_permission: "Waiting for an answer there" };

/** Sessions that other machines report: shown, and nothing of them can be answered here. */
export class Elsewhere {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    this.element = h("section.project.elsewhere", { "aria-label": "On other machines", hidden: true });
  }

  async load() {
    if (!this.app.features.has("session/elsewhere")) return [];
    return (await this.app.link.call("session/elsewhere").catch(() => ({ sessions: [] }))).sessions;
  }

  /** @param {any[]} sessions */
  show(sessions) {
    this.element.hidden = !sessions.length;
    fill(this.element, [h("header", {}, h("div", {}, h("h2", {}, "On other machines"), h("p.note", {}, "As they report it. What they ask is answered there."))),
      ...sessions.map((session) => this.item(session))]);
  }

  /** @param {any} session */
  item({ session_id, machine, status, cwd, title, last_activity }) {
    return h("article.item.session", { "data-id": session_id, "aria-label": plain(`${base(cwd || "?")} on ${machine}`) },
      h("div.row.head", {}, h("span.main", {},
        h("span.named", {}, h("strong", {}, shown(base(cwd || "?"))), " ", h("span.tag", {}, shown(machine || "?"))),
        title ? h("span.line.titled", {}, shown(title)) : null,
        h("span.line", {}, shown(STATES[/** @type {keyof STATES} */ (status)] ?? status))),
      h("time", {}, ago(last_activity, this.app.now))));
  }
}
