import { h, set } from "../dom.js";
import { counted } from "../text/words.js";
import { BatchBar } from "./batch.js";
import { CardView } from "./card.js";
import { DeepLink } from "./deep-link.js";
import { Fading } from "./fading.js";
import { showNothing } from "./nothing.js";
import { Hands } from "./hands.js";
import { Headings } from "./headings.js";
import { Lent } from "./lent.js";
import { Likes } from "./like.js";
import { Overview } from "./overview.js";
import { showPages } from "./pager.js";
import { Table } from "./table.js";

/** @typedef {import("../state/model.js").Card} Card */
/** @typedef {import("../app.js").App} App */

/** Milliseconds for which an ended card says how it ended. */
const SAYS = { mine: 600, others: 5000 };

/** The open requests. */
export class RequestsView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.title = "Requests";
    /** @type {Map<string, CardView>} */
    this.views = new Map();
    this.lent = new Lent(this);
    this.link = new DeepLink(this);
    this.table = new Table(app.gate, (id) => this.app.model.open(id) !== null);
    this.hands = new Hands(this.table.element, app.gate, this);
    this.batch = new BatchBar(app, this);
    this.headings = new Headings(app.model);
    this.likes = new Likes(app);
    this.overview = new Overview(app, (id) => this.select(id));
    this.empty = h("div.empty");
    this.pager = h("nav.pager", { "aria-label": "Pages of requests" });
    this.fresh = h("button.fresh", { type: "button", hidden: true, onclick: () => this.gather() });
    this.selecting = h("button.quiet.select", { type: "button", "aria-pressed": "false", onclick: () => this.batch.toggle() }, "Select");
    this.tools = [this.fresh, this.selecting];
    this.element = h("section.requests", { "aria-label": "Requests" }, this.overview.element, this.likes.element, this.table.element, this.empty, this.pager, this.batch.element);
    const fading = new Fading((id) => this.lent.find(id)?.element);
    app.gate.onmove = (id) => fading.begin(id);
    this.table.onclear = (id) => this.clear(id);
  }

  /** @param {import("../state/model.js").Change} change */
  changed({ opened, ended }) {
    for (const id of ended) this.ended(id);
    for (const id of this.app.deck.sorted(opened)) this.opened(id);
  }

  /** @param {string} id */
  ended(id) {
    const { deck, model } = this.app;
    deck.leaves(id);
    this.batch.drop(id);
    const view = this.lent.find(id);
    if (view) {
      const hadFocus = view.element.contains(document.activeElement);
      view.update(this.app.isOnline, this.app.mayAnswer);
      const ending = view.card.ending;
      if (ending.mine || ending.late) this.app.frame.feedback.tell(ending, String(view.card.data.target || view.card.data.description || "").replace(/\r?\n/g, " ⏎ "));
      if (hadFocus) view.element.focus({ preventScroll: true });
      this.app.say(view.line ?? "");
      this.lent.table(id)?.shrink(view.element);
      this.lent.table(id)?.settle(id, model.cards.get(id)?.ending?.mine ? SAYS.mine : SAYS.others);
    } else {
      deck.sweep(id);
    }
    this.refresh();
  }

  /** What has to be fetched for a card is fetched first, so that it does not change its size under a finger. @param {string} id */
  async opened(id) {
    const { deck, details } = this.app;
    this.batch.drop(id);
    if (this.lent.find(id)) return this.replace(id);
    if (deck.page.length < 40) await details.prepare(id);
    deck.arrives(id);
    if (deck.page.includes(id)) this.app.announce(id);
    this.refresh();
  }

  /** The same request again, or all of it now: it stands where it stood, and typing in it goes on. @param {string} id */
  replace(id) {
    if (this.lent.cards.has(id)) return this.lent.guests?.replace(id);
    const old = this.views.get(id);
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const hadFocus = old?.element.contains(active);
    const view = old && this.make(id);
    if (!view) return;
    this.table.swap(id, view.element);
    if (hadFocus) (active && view.element.contains(active) ? active : view.element).focus({ preventScroll: true });
    this.refresh();
  }

  /** Lays out what the deck has. */
  refresh() {
    const { deck, model, isOnline, mayAnswer } = this.app;
    const ids = deck.page.filter((id) => !this.lent.cards.has(id));
    for (const id of ids) if (!this.views.has(id)) this.make(id);
    for (const id of [...this.views.keys()].filter((id) => !ids.includes(id))) this.views.delete(id);
    const views = ids.map((id) => /** @type {CardView} */ (this.views.get(id)));
    this.table.lay(this.headings.among(views.map((view) => [view.card.id, view.element])));
    for (const view of [...views, ...this.lent.cards.values()]) view.update(isOnline, mayAnswer);
    this.likes.mark(views);
    this.overview.show(ids);
    this.tick();
    showNothing(this.empty, ids.length > 0, this.app);
    const held = deck.held.size;
    this.fresh.hidden = held === 0;
    this.fresh.textContent = `${held} new`;
    set(this.fresh, "aria-label", `Show ${counted(held, "new request")}`);
    this.selecting.hidden = (ids.length < 2 || !mayAnswer) && !this.batch.isOn;
    showPages(this.pager, deck, (pages) => this.turn(pages));
    this.app.count(model.openCards.length, held);
    this.lent.guests?.refresh();
  }

  /** @param {string} id */
  make(id) {
    const view = this.build(id);
    if (view) this.batch.rebuilt(this.views.set(id, view).get(id) ?? view);
    return view;
  }

  /** @param {string} id */
  build(id) {
    const { model, details, features, answers } = this.app;
    const card = model.cards.get(id);
    if (!card) return null;
    const view = new CardView(card, {
      features, send: (card, params) => answers.send(card, params), onpick: (view, isPicked) => this.batch.pick(view, isPicked),
    }, details.preview(card));
    details.complete(card);
    return view;
  }

  /** Shown again, or connected again: nobody has aimed at anything yet. */
  appear() {
    for (const id of [...this.views.keys(), ...this.lent.cards.keys()]) this.app.gate.moved(id);
    this.table.later(0);
  }

  tick() {
    for (const view of [...this.views.values(), ...this.lent.cards.values(), this.overview]) view.tick(this.app.now);
  }

  gather() {
    this.app.deck.gather();
    this.rebuilt();
  }

  /** @param {number} pages */
  turn(pages) {
    this.app.deck.turn(pages);
    this.rebuilt();
  }

  rebuilt() {
    this.views.clear();
    this.table.empty();
    this.refresh();
    scrollTo({ top: 0 });
    this.table.element.focus({ preventScroll: true });
  }

  /** A cleared place. @param {string} id */
  clear(id) {
    this.hands.leaves(id, this.app.deck.neighbour(id, 1));
    this.app.deck.sweep(id);
    this.app.gate.gone(id);
    this.views.delete(id);
    if (!this.app.deck.page.some((other) => this.app.model.open(other)) && this.app.deck.held.size) this.app.deck.gather();
    this.refresh();
  }

  /** @param {string | null} id */
  select(id) {
    const view = id === null ? null : this.views.get(id);
    view?.element.focus();
    view?.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {string | null} from @param {1 | -1} step */
  move(from, step) {
    this.select(this.app.deck.neighbour(from, step));
  }

  /** @param {string} id @param {"deny" | "once" | "session"} verb */
  give(id, verb) {
    const view = this.app.model.open(id) ? this.lent.find(id) : null;
    if (verb === "deny" || view?.sight.isSeen !== false) return view?.actions.give(verb);
    view.showEnd();
    this.app.gate.moved(id);
  }
}
