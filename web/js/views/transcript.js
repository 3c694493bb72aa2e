import { fill, h } from "../dom.js";
import { Transcript, excuse } from "../state/transcript.js";
import { plain } from "../text/characters.js";
import { Doing } from "./doing.js";
import { Drive } from "./drive.js";
import { Guests } from "./guests.js";
import { Jumps } from "./jumps.js";
import { linked } from "./linked.js";
import { places } from "./places.js";
import { shown } from "./text.js";
import { Thread } from "./thread.js";
import { Viewers } from "./viewers.js";

/** Where no event tells of new lines they are asked for so often, and a transcript that is not there yet; milliseconds. */
const AGAIN = 2000;

/** What was said and done in one session, followed while it goes on. */
export class TranscriptView {
  /** @param {import("../app.js").App} app */
  constructor(app) {
    this.app = app;
    this.title = "Transcript";
    this.back = { href: "#sessions", label: "Back to the sessions" };
    this.element = h("section.transcript", { "aria-label": this.title });
    addEventListener("scroll", () => this.element.isConnected && this.update(), { passive: true });
    app.link.addEventListener("phase", () => this.drive?.lay());
    app.link.addEventListener("notification", (event) => this.heard(/** @type {CustomEvent} */ (event).detail));
  }

  /** @param {string[]} parts workspace, session, and perhaps a call */
  async open([workspace, session, call]) {
    this.leave();
    this.about = { workspace, session: session ?? "" };
    this.wanted = call ?? null;
    this.transcript = new Transcript(this.app.link, workspace, session ?? "");
    this.guests = new Guests(this.app, session ?? "", () => this.marked());
    this.thread = new Thread(this.transcript, (act) => this.guests?.table.steady(act), () => this.update(), (error) => this.tell(excuse(error)));
    this.sight = new IntersectionObserver((entries) => {
      this.isCardSeen = entries.at(-1)?.isIntersecting ?? false;
      this.update();
    });
    this.sight.observe(this.guests.table.element);
    this.note = h("div.note-box", { role: "status" });
    this.doing = new Doing(this.app, session ?? "", () => this.marked());
    this.jumps = new Jumps(this);
    this.head = h("div.head");
    this.viewers = new Viewers();
    this.drive = new Drive(this, session ?? "");
    fill(this.element, this.head, this.note, this.thread.element, this.drive.stream.element, this.guests.table.element, this.drive.composer.queue, this.doing.element, this.viewers.element, this.jumps.element, this.drive.element);
    this.entitle();
    this.isLoaded = false;
    this.guests.begin();
    if (this.app.isOnline) await this.appear();
  }

  entitle() {
    const { workspace, session } = /** @type {any} */ (this.about);
    const known = this.app.workspaces.find(workspace), title = this.drive?.run.told?.title || known?.sessions.find(({ id }) => id === session)?.summary;
    this.title = plain(known?.name ?? "Transcript");
    this.app.frame.entitle(this);
    fill(this.head, places(this.app, workspace, "transcript"), title ? h("p.summary", {}, shown(title)) : null, linked(workspace, this.transcript?.links ?? []));
  }

  /** Shown, or connected again: what was missed is asked for. */
  async appear() {
    const { about, transcript, thread } = this;
    if (!about || !transcript || !thread || !this.app.isOnline) return;
    try {
      this.tell("");
      await this.settle(about, transcript);
      if (this.transcript !== transcript) return;
      this.entitle();
      await this.drive?.appear();
      const watched = this.watch();
      if (!this.isLoaded) await thread.showNewest();
      if (this.transcript !== transcript) return;
      this.isLoaded = true;
      this.entitle();
      // What was written before the watch began is told by no event.
      await watched;
      await this.catchUp();
      if (this.transcript !== transcript) return;
      this.drive?.caughtUp();
      if (!transcript.total) this.tell("Nothing has been written yet.");
      if (this.wanted) await this.jumps?.reveal(this.wanted);
      this.wanted = null;
    } catch (error) {
      if (this.transcript !== transcript) return;
      this.tell(this.drive?.unwritten(error) || excuse(error));
    }
    if (this.transcript === transcript) this.later(thread);
  }

  /** Asks again where nothing tells when to. @param {Thread} thread */
  later(thread) {
    clearTimeout(this.again);
    this.again = setTimeout(async () => {
      if (this.thread !== thread || !this.element.isConnected || !this.app.isOnline) return;
      if (!this.isLoaded) return this.appear();
      if (!this.isWatched) await this.attempt(() => this.catchUp());
      this.later(thread);
    }, AGAIN);
  }

  /** Finds the workspace, also of a session that is given alone. @param {{ workspace: string, session: string }} about @param {Transcript} transcript */
  async settle(about, transcript) {
    const { workspaces, model } = this.app;
    if (!(await workspaces.get(about.workspace))) {
      const cwd = model.openCards.find(({ data }) => data.session_id === about.session)?.data.cwd;
      about.workspace = workspaces.of({ session_id: about.session, cwd })?.id ?? about.workspace;
      if (about.workspace) transcript.about.workspace_id = about.workspace;
    }
    workspaces.looked.set(about.workspace, about.session);
  }

  /** New lines are told from now on, over a WebSocket; else they are asked for. */
  async watch() {
    const { workspace, session } = /** @type {any} */ (this.about);
    const about = { ...(workspace ? { workspace_id: workspace } : {}), session_id: session };
    this.isWatched = false;
    if (workspace && this.app.features.has("client/session/focus"))
      this.app.link.call("client/session/focus", about).then((told) => session === this.about?.session && this.viewers?.begin(told), () => undefined);
    if (!this.app.link.detour && this.app.features.has("workspace/session/watch"))
      this.isWatched = await this.app.link.call("workspace/session/watch", { ...about, ...(this.app.features.has("workspace/session/watch", "subagents") ? { subagents: true } : {}) }).then(({ watching }) => watching === true, () => false);
  }

  leave() {
    if (!this.about) return;
    clearTimeout(this.again);
    this.thread?.leave();
    this.sight?.disconnect();
    this.guests?.leave();
    this.drive?.leave();
    const { features, link, isOnline } = this.app;
    if (isOnline && features.has("workspace/session/unwatch")) link.call("workspace/session/unwatch", {}).catch(() => undefined);
    if (isOnline && this.about.workspace && features.has("client/session/focus"))
      link.call("client/session/focus", { workspace_id: this.about.workspace, session_id: "" }).catch(() => undefined);
    this.about = this.transcript = this.thread = this.guests = this.jumps = this.drive = undefined;
    fill(this.element);
  }

  /** @param {import("../net/rpc.js").Notification} event */
  heard({ method, params }) {
    if (!this.about || !this.element.isConnected) return;
    this.drive?.take({ method, params });
    if (params?.session_id !== this.about.session) return;
    if (method === "event/claude_message" && params.parent_tool_use_id !== undefined) return this.thread?.calls.grew(params);
    if (method === "event/claude_message") return void this.attempt(() => this.catchUp());
    if (method === "event/session_joined" || method === "event/session_left") return this.viewers?.heard(params);
    this.doing?.soon();
  }

  /**
   * An event says that there is more; what it is comes from the transcript, so that after a gap in the connection the page
   * shows neither less nor anything twice.
   */
  async catchUp() {
    this.isBehind = true;
    if (this.catching) return;
    this.catching = true;
    const { transcript, thread } = this;
    try {
      while (this.isBehind && transcript && thread && transcript === this.transcript) {
        this.isBehind = false;
        if (!this.isLoaded) continue;
        // With a card on the page nothing is scrolled by itself.
        const isScrolled = thread.isAtEnd && !this.guests?.open.length;
        if (await transcript.grow()) await thread.follow(isScrolled);
        else await thread.showNewest();
      }
    } finally {
      this.catching = false;
    }
    this.tell("");
  }

  marked() {
    this.thread?.calls.mark(this.guests?.calls ?? new Set(), this.drive?.isLive ?? false);
    this.update();
  }

  update() {
    this.drive?.laid();
    this.jumps?.update(this.isCardSeen ?? false);
  }

  /** @param {() => Promise<void>} act */
  async attempt(act) {
    try {
      await act();
    } catch (error) {
      this.tell(excuse(error));
    }
  }

  /** @param {string} text "" for nothing */
  tell(text) {
    if (this.note) fill(this.note, text && h("p.note", {}, plain(text)));
  }
}
