import { h, set } from "../dom.js";

/** @typedef {import("./card.js").CardView} CardView */

/** Several requests answered at once, each for this once. */
export class BatchBar {
  /** @param {import("../app.js").App} app @param {import("./requests.js").RequestsView} view */
  constructor(app, view) {
    this.app = app;
    this.view = view;
    this.isOn = false;
    /** Belongs to requests, not to places: each as it was shown when it was ticked. @type {Map<string, CardView>} */
    this.picked = new Map();
    this.count = h("span.count", { role: "status" });
    this.deny = h("button.deny", { type: "button", onclick: () => this.send("deny") }, "Deny");
    this.allow = h("button.allow", { type: "button", onclick: () => this.send("allow") }, "Allow once");
    this.element = h("div.batch", { hidden: true, role: "group", "aria-label": "Selected requests" },
      this.count, this.deny, this.allow);
  }

  toggle() {
    this.isOn = !this.isOn;
    this.picked.clear();
    for (const view of this.view.views.values()) view.pick.checked = false;
    this.view.table.steady(() => document.body.classList.toggle("selecting", this.isOn));
    this.element.hidden = !this.isOn;
    set(this.view.selecting, "aria-pressed", this.isOn);
    this.view.selecting.textContent = this.isOn ? "Done" : "Select";
    this.update();
    this.view.refresh();
  }

  /** @param {CardView} view @param {boolean} isPicked */
  pick(view, isPicked) {
    if (isPicked && view.isWhole() && view.sight.isSeen) this.picked.set(view.card.id, view);
    else this.picked.delete(view.card.id);
    this.update();
  }

  /** A card was built anew: its tick stays where it shows what was ticked, and all of it. @param {CardView} view */
  rebuilt(view) {
    const old = this.picked.get(view.card.id);
    if (!old) return;
    if (!view.isSameAs(old) || !view.isWhole()) return this.drop(view.card.id);
    this.picked.set(view.card.id, view);
    view.pick.checked = true;
  }

  /** It has ended, or is another request now. @param {string} id */
  drop(id) {
    if (this.picked.delete(id)) this.update();
  }

  update() {
    const isOff = this.picked.size === 0 || !this.app.isOnline;
    this.count.textContent = `${this.picked.size} selected`;
    this.deny.disabled = this.allow.disabled = isOff;
  }

  /** @param {"allow" | "deny"} decision */
  send(decision) {
    const cards = [...this.picked.values()].filter((view) => view.isCurrent(this.app.model) && view.isWhole()).map(({ card }) => card);
    this.toggle();
    if (cards.length) this.app.answers.sendAll(cards, { decision });
  }
}
