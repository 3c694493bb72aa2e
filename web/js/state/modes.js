/** Modes in which Claude asks as usual, or nearly. */
const USUAL = new Set(["", "acceptEdits", "default"]);

/** Sessions that make calls in a mode that asks nothing: no card comes of them, and nothing else would say why. */
export class Modes {
  /** @param {import("../net/link.js").Link} link @param {(sessions: any[]) => void} onchange the sessions, the latest last */
  constructor(link, onchange) {
    this.link = link;
    this.onchange = onchange;
    /** @type {Map<string, any>} */
    this.sessions = new Map();
    /** Sessions with their modes that were asked about. @type {Set<string>} */
    this.asked = new Set();
  }

  /** @param {import("../net/rpc.js").Notification} event */
  async take({ method, params }) {
    if (method !== "event/claude_hook_tool_start" || USUAL.has(params.permission_mode ?? "")) return;
    const key = `${params.session_id} ${params.permission_mode}`;
    if (this.asked.has(key)) return;
    this.asked.add(key);
    const { sessions } = await this.link.call("hook/sessions");
    const session = sessions.find((/** @type {any} */ one) => one.session_id === params.session_id);
    // A gate of its own may have it ask, and an old event may be of a session that has ended.
    if (!session?.mode_note || session.state === "ended") return;
    this.sessions.set(session.session_id, session);
    this.onchange([...this.sessions.values()]);
  }
}
