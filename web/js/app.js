import { Link } from "./net/link.js";
import { Answers } from "./state/answers.js";
import { Deck } from "./state/deck.js";
import { Details } from "./state/details.js";
import { Features } from "./state/features.js";
import { Gate } from "./state/gate.js";
import { Model } from "./state/model.js";
import { Modes } from "./state/modes.js";
import { Presence } from "./state/presence.js";
import { Sync } from "./state/sync.js";
import { Workspaces } from "./state/workspaces.js";
import { plain } from "./text/characters.js";
import { base, counted } from "./text/words.js";
import { Frame } from "./views/frame.js";
import { News, asksNothing } from "./views/news.js";
import { renew } from "./views/notifications.js";
import { RequestsView } from "./views/requests.js";

/** The page's parts, put together. */
export class App {
  constructor() {
    this.model = new Model();
    this.deck = new Deck(this.model);
    this.gate = new Gate();
    this.features = new Features();
    this.sync = new Sync(this.model, this.features, (change) => this.requests.changed(change), (event) => this.heard(event));
    this.link = new Link((link) => this.sync.catchUp(link));
    this.link.sequence = () => this.model.sequence;
    this.answers = new Answers(this.link, this.model, (ids) => this.answered(ids));
    this.details = new Details(this.link, this.model, this.features, (id) => this.requests.replace(id));
    this.workspaces = new Workspaces(this.link, this.features);
    this.presence = new Presence(this.link, this.features);
    this.requests = new RequestsView(this);
    this.news = new News(this, () => this.requests.appear());
    this.modes = new Modes(this.link, (sessions) => this.news.stand("modes", asksNothing(sessions)));
    this.frame = new Frame(this);
    this.said = document.getElementById("said");
    this.link.addEventListener("notification", (event) => this.sync.take(/** @type {CustomEvent} */ (event).detail));
    this.link.addEventListener("phase", () => this.phase());
    setInterval(() => this.requests.tick(), 1000);
  }

  get isOnline() {
    return this.link.phase === "online";
  }

  get mayAnswer() {
    return this.link.mayAnswer;
  }

  /** By the daemon's clock, in milliseconds. */
  get now() {
    return Date.now() + this.sync.offset;
  }

  phase() {
    document.body.dataset.phase = this.link.phase;
    this.frame.phase();
    const { detour } = this.link;
    if (this.isOnline) this.news.stand("link", detour ? { headline: "Connected, but slower.", text: detour } : null);
    this.requests.refresh();
    this.requests.batch.update();
    if (!this.isOnline) return;
    this.answers.resume();
    this.requests.link.caughtUp();
    // Without it the page works; "On" is then not true before the next time.
    renew(this).catch(() => undefined);
  }

  /** @param {import("./net/rpc.js").Notification} event */
  heard(event) {
    this.news.take(event);
    // Without an answer it is asked again in the next session or mode.
    this.modes.take(event).catch(() => undefined);
  }

  /** @param {string[]} ids */
  answered(ids) {
    const ended = ids.filter((id) => this.model.cards.get(id)?.ending);
    this.requests.changed({ opened: [], ended });
    this.requests.refresh();
  }

  /** @param {string} sentence for who does not see the page */
  say(sentence) {
    if (this.said) this.said.textContent = sentence;
  }

  /** @param {string} id */
  announce(id) {
    const { description, cwd } = this.model.cards.get(id)?.data ?? {};
    this.say(`New request in ${plain(base(cwd ?? ""))}: ${plain(description)}`);
  }

  /** @param {number} open @param {number} held */
  count(open, held) {
    this.frame.count(open, held);
    document.title = open ? `(${open}) cdev` : "cdev";
    // On the icon of the installed page; elsewhere browsers refuse it.
    if (this.isOnline) navigator.setAppBadge?.(open).catch(() => undefined);
    this.summary = open ? `${counted(open, "request")} open` : "";
  }
}
