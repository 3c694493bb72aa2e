import { fill, h, icon } from "../dom.js";
import { to } from "../text/address.js";
import { plain } from "../text/characters.js";
import { ago } from "../text/words.js";
import { shown } from "./text.js";

/** Milliseconds after the last letter. */
const PAUSE = 300;

/** A search over everything that was said in any session. */
export class Search {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    this.query = h("input", { type: "search", placeholder: "Search all transcripts", "aria-label": "Search all transcripts", autocomplete: "off", oninput: () => this.soon() });
    this.found = h("div.list.found", { role: "status" });
    this.element = h("div.searching", { hidden: true }, h("form.search", { role: "search", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), this.run()) }, icon("search"), this.query), this.found);
    this.turn = 0;
  }

  /** Shows it where the daemon can search. */
  offer() {
    this.element.hidden = !this.app.features.has("session/search");
  }

  soon() {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.run(), PAUSE);
  }

  async run() {
    const turn = ++this.turn;
    const query = this.query.value.trim();
    if (!query) return fill(this.found);
    try {
      const { hits, incomplete } = await this.app.link.call("session/search", { query, limit: 30 });
      if (turn !== this.turn) return;
      fill(this.found, hits.length ? hits.map((/** @type {any} */ hit) => this.hit(hit)) : h("p.note", {}, "Nothing found. Try other words."),
        incomplete ? h("p.note", {}, "Transcripts are still being taken in: search again in a moment for the rest.") : null);
    } catch (error) {
      if (turn === this.turn) fill(this.found, h("p.note", {}, `Not searched: ${plain(error instanceof Error ? error.message : error)}.`));
    }
  }

  /** @param {any} hit */
  hit({ session_id, agent_id, id, snippet, timestamp, summary, type, cwd }) {
    const workspace = this.app.workspaces.of({ session_id, cwd });
    const place = agent_id ? [] : [`at ${id}`];
    return h("a.item.row", { href: to("transcript", workspace?.id ?? "", session_id, ...place) },
      h("span.main", {}, h("strong", {}, shown(summary || workspace?.name || "A session")), h("span.line", {}, workspace ? [shown(workspace.name), " · "] : null, type === "user" ? "You: " : "Claude: ", shown(String(snippet ?? "")))),
      timestamp ? h("time", {}, ago(timestamp, this.app.now)) : null);
  }
}
