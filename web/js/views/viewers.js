import { fill, h, icon } from "../dom.js";
import { counted, who } from "../text/words.js";
import { shown } from "./text.js";

/** Who else looks at a session. */
export class Viewers {
  constructor() {
    this.element = h("p.viewers", { role: "status", hidden: true });
    /** By the id of the client; "" where nobody can tell who it is. @type {Map<string, string>} */
    this.others = new Map();
  }

  /** As `client/session/focus` answers. @param {any} told */
  begin({ other_viewers = [], viewer_names = {} }) {
    this.others = new Map(other_viewers.map((/** @type {string} */ id) => [id, String(viewer_names[id] ?? "")]));
    this.lay();
  }

  /** Another came, or went. @param {any} told */
  heard({ joining_client_id: came, leaving_client_id: went, viewer_names = {} }) {
    if (came) this.others.set(came, String(viewer_names[came] ?? ""));
    if (went) this.others.delete(went);
    this.lay();
  }

  lay() {
    const names = [...new Set([...this.others.values()].filter(Boolean).map(who))];
    const unnamed = [...this.others.values()].filter((name) => !name).length;
    const all = [...names, ...(unnamed ? [counted(unnamed, names.length ? "more device" : "other device")] : [])];
    this.element.hidden = !all.length;
    fill(this.element, all.length ? [icon("devices"), h("span", {}, "Also looking: ", shown(listed(all)))] : null);
  }
}

/** @param {string[]} names */
const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0]);
