import { fill, h } from "../dom.js";
import { shown } from "./text.js";

/** So often it is asked for at most, in milliseconds. */
const EVERY = 500;

/** What a session does now, in a line below its transcript. */
export class Doing {
  /** @param {import("../app.js").App} app @param {string} session @param {() => void} onchange */
  constructor(app, session, onchange) {
    this.app = app;
    this.session = session;
    this.onchange = onchange;
    this.element = h("p.doing", { hidden: true });
    /** Whether the session goes on: a call without a result then still runs. */
    this.isLive = false;
  }

  /** Something happened in the session. */
  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), EVERY);
  }

  async ask() {
    if (!this.app.features.has("hook/sessions")) return;
    const { sessions } = await this.app.link.call("hook/sessions").catch(() => ({ sessions: [] }));
    const session = sessions.find((/** @type {any} */ one) => one.session_id === this.session);
    this.isLive = Boolean(session && session.state !== "ended");
    const tool = session?.state === "tool_running" ? session.current_tool : "";
    this.element.hidden = !this.isLive;
    fill(this.element, h(`span.dot.${session?.state ?? ""}`, { "aria-hidden": "true" }),
      tool ? ["Running ", shown(tool)] : session?.state === "permission_pending" ? "Waiting for an answer" : "Session open");
    this.onchange();
  }
}
