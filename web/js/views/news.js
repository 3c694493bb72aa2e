import { fill, h, icon } from "../dom.js";
import { kept } from "../net/tokens.js";
import { plain } from "../text/characters.js";
import { base, clock, who } from "../text/words.js";
import { shown } from "./text.js";

/** @typedef {{ headline: string, text: string, at?: string, until?: string, wants?: string, isGrave?: boolean, times?: number }} Item
 * `wants` is a name to be let in, `times` how often it was told */

/** So many are kept until they are dismissed. */
const KEPT = 50;

/** What everybody who may answer is told of who is let in, by event. @type {Record<string, (event: any) => Item>} */
const TOLD = {
  "event/agent_refused": ({ method, pid }) => ({
    isGrave: true, headline: "An agent was refused.", text: `A process inside an agent (${pid}) tried “${method}”, which only you may.` }),
  "event/agent_not_held": ({ reason }) => ({ headline: "An agent is not held.", text: `${reason}.` }),
  "event/deny_ignored": ({ reason, denied_by, cwd }) => ({
    isGrave: true, headline: "A denied call ran.", text: `${reason}. Denied by ${who(denied_by)}, in ${cwd}.` }),
  "event/device_paired": ({ name, rights = [] }) => ({
    headline: `“${name}” was let in.`, text: `It ${rights.includes("drive") ? "may change files and run commands" : rights.includes("decide") ? "may answer" : "only views"}. If that was not you, revoke it on the computer.` }),
  "event/device_revoked": ({ name, reason }) => ({ headline: `“${name}” is let in no more:`, text: `${reason}.` }),
  "event/pairing_requested": ({ name, address, expires_at }) => ({
    wants: name, until: expires_at, headline: `“${name}” wants to be let in.`, text: `It typed the code${address ? ` at ${address}` : ""} and waits for a yes on the computer.` }),
};

/** Alarms: who only views is told too. */
const FOR_VIEWERS = new Set(["event/deny_ignored"]);

/** The events that change the list of devices. */
export const ACCESS = new Set(Object.keys(TOLD).filter((method) => method.startsWith("event/device_")));

/** Sessions of whose calls no card comes. @param {any[]} sessions the latest last @returns {Item} */
export function asksNothing(sessions) {
  const { root, cwd, mode_note, permission_mode } = sessions[sessions.length - 1];
  const others = sessions.length > 1 ? ` (and in ${sessions.length - 1} more)` : "";
  return { headline: `Nothing is asked in ${base(root || cwd || "?")}${others}.`, text: `${mode_note}.${permission_mode === "bypassPermissions" ? "" : " “Sessions” can change that."}` };
}

/** Notices that stay until somebody has read them, the newest first, one at a time. */
export class News {
  /** @param {import("../app.js").App} app @param {() => void} onuncover something else is where the notice was */
  constructor(app, onuncover) {
    this.app = app;
    this.onuncover = onuncover;
    /** @type {Item[]} */
    this.items = [];
    /** Sequences of events: catching up may bring one twice. @type {Set<number>} */
    this.seen = new Set();
    /** What holds for now, by what it is about. @type {Map<string, Item>} */
    this.standing = new Map();
    this.text = h("p", { role: "status" });
    this.count = h("span.tag", { hidden: true });
    this.drawing = h("span.drawing", {});
    this.element = h("div.notice.news", { hidden: true }, this.drawing, this.text, this.count,
      h("button.quiet", { type: "button", "aria-label": "Dismiss", onclick: () => this.dismiss() }, icon("close")));
  }

  /** @param {import("../net/rpc.js").Notification} event */
  async take({ method, params }) {
    const tell = TOLD[method];
    if (!tell || !(this.app.mayAnswer || FOR_VIEWERS.has(method)) || this.seen.has(params.sequence)) return;
    this.seen.add(params.sequence);
    // This very device was let in: whoever holds it knows.
    const mine = await kept().catch(() => undefined);
    if (mine?.deviceId && mine.deviceId === params.device_id) return;
    // Nobody waits any more who was let in.
    if (method === "event/device_paired") this.items = this.items.filter((item) => item.wants !== params.name);
    const item = { at: params.timestamp, ...tell(params) };
    if (!this.repeats(item)) this.add(item);
  }

  /**
   * What an agent was refused is one notice, which keeps its place: an agent that tries without end would drown the
   * others. @param {Item} item @returns {boolean} whether there is one already, which tells it now
   */
  repeats(item) {
    const before = item.isGrave && this.items.find(({ isGrave, headline }) => isGrave && headline === item.headline);
    if (!before) return false;
    Object.assign(before, item, { times: (before.times ?? 1) + 1 });
    this.show();
    return true;
  }

  /** @param {Item} item */
  add(item) {
    this.items = [...this.items, item].slice(-KEPT);
    if (item.until) setTimeout(() => this.drop(item), Math.max(0, Date.parse(item.until) - this.app.now));
    this.show();
  }

  /** It holds no more. @param {Item} item */
  drop(item) {
    if (!this.items.includes(item)) return;
    const wasShown = this.items.at(-1) === item;
    this.items = this.items.filter((other) => other !== item);
    this.show();
    if (wasShown) this.onuncover();
  }

  /** What holds for now: said once, and taken back when it holds no more. @param {string} about @param {Item | null} item */
  stand(about, item) {
    const before = this.standing.get(about);
    if (item?.headline === before?.headline && item?.text === before?.text) return;
    if (before) this.drop(before);
    this.standing.delete(about);
    if (!item) return;
    this.standing.set(about, item);
    this.add(item);
  }

  dismiss() {
    const item = this.items.at(-1);
    if (item) this.drop(item);
  }

  show() {
    const item = this.items.at(-1);
    const others = this.items.length - 1;
    this.element.hidden = !item;
    this.element.classList.toggle("grave", !!item?.isGrave);
    fill(this.drawing, icon(item?.isGrave ? "alert" : "rules"));
    this.count.hidden = others < 1;
    this.count.textContent = `+${others}`;
    this.count.title = plain(`${others} more`);
    const times = item?.times ? ` Told ${item.times} times; this was the last.` : "";
    fill(this.text, item && [h("strong", {}, shown(item.headline)), " ", shown(item.text), times, item.at && h("span.when", {}, ` ${clock(item.at)}`)]);
  }
}
