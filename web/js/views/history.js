import { fill, h, icon } from "../dom.js";
import { plain } from "../text/characters.js";
import { base, cause, day, decided, hour, more } from "../text/words.js";
import { content } from "./content.js";
import { Listing } from "./listing.js";
import { oneLine, shown } from "./text.js";

const KINDS = [["", "All"], ["allow", "Allowed"], ["deny", "Denied"], ["ask", "In terminal"], ["pass", "Left to Claude"]];

/** Who decided what, by hand or by rule. */
export class HistoryView extends Listing {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    super(app, "History");
    this.decision = "";
    this.query = h("input", { type: "search", placeholder: "Search tools and commands", "aria-label": "Search the history", autocomplete: "off", oninput: () => this.soon() });
    this.kinds = KINDS.map(([value, label]) => h("button.chip", { type: "button", "aria-pressed": value === "", onclick: () => this.choose(value) }, label));
    this.more = h("div.pager");
    this.element.prepend(h("form.search", { role: "search", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), this.appear()) },
      icon("search"), this.query), h("div.chips", { role: "group", "aria-label": "Decision" }, this.kinds));
    this.element.append(this.more);
  }

  soon() {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.appear(), 250);
  }

  /** @param {string} decision */
  choose(decision) {
    this.decision = decision;
    this.kinds.forEach((button, index) => button.setAttribute("aria-pressed", String(KINDS[index][0] === decision)));
    this.appear();
  }

  /** @param {string | null} [cursor] */
  ask(cursor) {
    const query = this.query.value.trim();
    return this.app.link.call("permission/history", {
      limit: 50, ...(query ? { query } : {}), ...(this.decision ? { decision: this.decision } : {}), ...(cursor ? { cursor } : {}),
    });
  }

  /** @param {() => boolean} isCurrent */
  async load(isCurrent) {
    const answer = await this.ask();
    if (!isCurrent()) return;
    const isSearch = this.query.value.trim() || this.decision;
    this.day = "";
    this.show(this.byDay(answer.requests), "history", isSearch ? "Nothing found" : "No history yet", isSearch ? "Try other words." : "Every decision will stand here.");
    this.goOn(answer.next);
  }

  /** The entries, with a heading before the first of each day. @param {any[]} entries */
  byDay(entries) {
    return entries.flatMap((entry) => {
      const of = day(entry.created_at);
      const isNext = of !== this.day;
      this.day = of;
      return isNext ? [h("h2.day", {}, of), item(entry)] : [item(entry)];
    });
  }

  /** @param {string | null} next */
  goOn(next) {
    fill(this.more, next && h("button.quiet", { type: "button", onclick: async (/** @type {Event} */ event) => {
      /** @type {HTMLButtonElement} */ (event.currentTarget).disabled = true;
      const turn = this.turn;
      const answer = await this.ask(next).catch((error) => this.tell(this.excuse(error)));
      if (!answer || turn !== this.turn) return;
      this.list.append(...this.byDay(answer.requests));
      this.goOn(answer.next);
    } }, "Older"));
  }
}

/** The call, and then its outcome. @param {any} entry */
function item(entry) {
  const { tool_name, target, title, cwd, created_at, decision, resolved_by, scope, message, updated_input, open } = entry;
  const why = more(entry);
  const verdict = open ? "Open" : decided(decision);
  return h("details.item", {},
    h("summary", {},
      h(`span.dot.${open ? "open" : decision}`, { "aria-hidden": "true" }),
      h("span.main", {}, h("code.target.one-line", {}, oneLine(target || title || tool_name)),
        h("span.line", {}, verdict, scope === "session" ? " for the session" : "", open ? "" : plain(cause(resolved_by)), " · ", shown(base(cwd ?? "")), " · ", shown(tool_name), " · ", h("time", { datetime: created_at }, hour(created_at))))),
    why ? h("p.note", {}, shown(why)) : null,
    message ? h("p.note", {}, "Told to Claude: ", shown(message)) : null,
    h("div.body", {}, content(entry)),
    updated_input ? [h("p.note", {}, "Ran instead:"), h("div.body", {}, content({ ...entry, tool_input: updated_input }))] : null,
    h("p.where", {}, "in ", h("code", {}, shown(cwd ?? ""))));
}
