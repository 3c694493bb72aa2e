import { h } from "../dom.js";
import { plain } from "../text/characters.js";
import { ago, short, who } from "../text/words.js";
import { Listing, careful } from "./listing.js";
import { shown } from "./text.js";

/** What is settled without asking, session by session. */
export class RulesView extends Listing {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    super(app, "Rules");
  }

  /** @param {() => boolean} isCurrent */
  async load(isCurrent) {
    const { rules } = await this.app.link.call("permission/rules");
    if (!isCurrent()) return;
    const sessions = [...new Set(rules.map((/** @type {any} */ rule) => rule.session_id))];
    this.show(sessions.map((id) => h("section.group", {}, h("h2", {}, "Session ", shown(short(id))),
      rules.filter((/** @type {any} */ rule) => rule.session_id === id).toReversed().map((/** @type {any} */ rule) => this.item(rule)))),
    "rules", "No rules", "“Allow for session” makes one. It ends with its session.");
  }

  /** @param {any} rule */
  item(rule) {
    const { id, effect, pattern, granted_by, created_at, last_match, is_used } = rule;
    const used = is_used ? `last used ${ago(last_match, this.app.now)}` : "not used yet";
    const row = h("div.item.row", {}, h(`span.dot.${effect}`, { "aria-hidden": "true" }),
      h("span.main", {}, h("code", {}, shown(pattern)), h("span.line", {}, `${effect === "deny" ? "Denied" : "Allowed"} by ${plain(who(granted_by))} ${ago(created_at, this.app.now)} · ${used}`)),
      this.app.mayAnswer ? careful("Revoke", "Revoke it?", async () => {
        await this.app.link.call("permission/revoke", { rule_id: id });
        this.app.say(`Revoked ${plain(pattern)}`);
        await this.appear();
      }, pattern) : null);
    return row;
  }
}
