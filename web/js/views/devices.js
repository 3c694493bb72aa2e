import { fill, h } from "../dom.js";
import { kept, signOut } from "../net/tokens.js";
import { ago, clock } from "../text/words.js";
import { installing } from "./install.js";
import { Listing, careful } from "./listing.js";
import { ACCESS } from "./news.js";
import { notifying } from "./notifications.js";
import { shown } from "./text.js";

/** Who may answer, and this device among them. */
export class DevicesView extends Listing {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    super(app, "Devices");
    this.own = h("div.this-device");
    this.element.prepend(this.own);
    app.link.addEventListener("notification", (event) => this.heard(/** @type {CustomEvent} */ (event).detail.method));
  }

  /** Somebody came or went. @param {string} method */
  heard(method) {
    if (this.element.isConnected && ACCESS.has(method)) this.appear();
  }

  /** @param {() => boolean} isCurrent */
  async load(isCurrent) {
    const mine = await kept();
    const name = h("strong", {}, shown(mine?.deviceName ?? "A device with a token"));
    fill(this.own, h("section.group", {}, h("h2", {}, "This device"),
      h("div.item.row", {}, h("span.main", {}, name,
        h("span.line", {}, this.app.link.detour || "Connected by WebSocket")),
      careful("Sign out", "Sign out?", async () => {
        await signOut();
        this.app.link.leave("You signed out.");
      }, "this device")), notifying(this.app), installing(this.app)));
    const { devices } = await this.app.link.call("device/list");
    if (!isCurrent()) return;
    const own = devices.find((/** @type {any} */ device) => device.own);
    if (own) fill(name, shown(own.name));
    this.show([h("section.group", {}, h("h2", {}, "All devices"), devices.map((/** @type {any} */ device) => this.item(device)),
      h("p.note", {}, "A device revokes itself; others are revoked on the computer, with ", h("code", {}, "cdev devices revoke"), "."))], "devices", "No devices", "");
  }

  /** @param {any} device */
  item({ device_id, name, kind, platform, rights = [], created_at, last_seen, expires_at, connected, own }) {
    const facts = [
      platform, kind === "token" ? "token" : null, rights.includes("drive") ? null : rights.includes("decide") ? "answers" : "views only",
      connected ? "connected" : last_seen ? `seen ${ago(last_seen, this.app.now)}` : "never seen",
      `added ${clock(created_at)}`, expires_at ? null : "does not expire",
    ].filter(Boolean).join(" · ");
    return h("div.item.row", {}, h(`span.dot.${connected ? "active" : "away"}`, { "aria-hidden": "true" }),
      h("span.main", {}, h("strong", {}, shown(name)), " ", own ? h("span.tag", {}, "this one") : null,
        rights.includes("drive") ? h("span.tag.danger", { title: "It may change files and repositories and run Claude: as good as a shell on that machine." }, "may drive") : null,
        h("span.line", {}, shown(facts))),
      own && this.app.mayAnswer ? careful("Revoke", "Revoke it?", async () => {
        await this.app.link.call("device/revoke", { device_id });
        this.app.link.leave("This device was revoked.");
      }, name) : null);
  }
}
