import { fill, h } from "../dom.js";
import { Prompts } from "../state/prompts.js";
import { Run, refusal } from "../state/run.js";
import { isUnwritten } from "../state/transcript.js";
import { to } from "../text/address.js";
import { plain } from "../text/characters.js";
import { stateWords } from "../text/runs.js";
import { Composer } from "./composer.js";
import { Resume } from "./resume.js";
import { RunSheet } from "./run-sheet.js";
import { Stream } from "./stream.js";
import { shown } from "./text.js";

/** How the dot of a state looks, as in the list of sessions. @type {Record<string, string>} */
const DOTS = { idle: "active", running: "tool_running", starting: "tool_running", waiting: "permission_pending" };

/** Milliseconds between two questions where no event comes. */
const AGAIN = 2000;

/** States in which nothing is written. */
const RESTS = new Set(["ended", "idle", "parked"]);

/** A session that the daemon runs, at the end of its transcript: what it does and writes, and the field to prompt it. */
export class Drive {
  /** @param {import("./transcript.js").TranscriptView} view that is open for a conversation @param {string} conversation */
  constructor(view, conversation) {
    this.view = view;
    this.app = view.app;
    this.run = new Run(this.app.link, this.app.features, conversation, () => this.changed());
    this.prompts = new Prompts(this.run, () => this.lay(), (sentence) => this.say(sentence));
    this.composer = new Composer(this.run, this.prompts, (sentence) => this.say(sentence));
    this.stream = new Stream((act) => this.follow(act));
    this.state = h("p.now");
    this.sheet = new RunSheet(this.run);
    this.resume = new Resume(view, conversation, (sentence) => this.say(sentence));
    this.stop = h("button.deny", { type: "button", onclick: () => this.interrupt() }, "Stop");
    this.bar = h("div.running", { hidden: true }, h("div.told", {}, this.state, this.sheet.spent), this.sheet.element, this.stop);
    this.problem = h("p.hint", { role: "status", hidden: true });
    this.element = h("div.dock", {}, this.bar, this.problem, this.resume.element, this.composer.element);
    // What else stands at the lower edge of the screen stands above it.
    this.size = new ResizeObserver(() => this.view.element.style.setProperty("--dock", `${this.element.offsetHeight}px`));
    this.size.observe(this.element);
    this.mayDrive = false;
    /** What is kept here was compared with what this daemon knows, since the connection was made. */
    this.isCurrent = false;
    this.recalled = this.prompts.recall();
  }

  /** The session goes on, wherever it runs: a call without a result still does. */
  get isLive() {
    return Boolean(this.view.doing?.isLive || (this.run.isOpen && !this.run.movedTo));
  }

  /** Shown, or connected again. */
  async appear() {
    this.view.doing?.ask();
    this.isCurrent = false;
    if (!this.run.isOffered) return;
    const [mayDrive] = await Promise.all([this.app.workspaces.mayDrive(), this.run.ask()]);
    this.mayDrive = mayDrive;
    this.run.learn();
    await this.watch();
    this.lay();
    this.later();
  }

  /** Without a WebSocket no event tells what it does, and it is asked for. */
  later() {
    clearTimeout(this.again);
    if (!this.app.link.detour || !this.run.told) return;
    this.again = setTimeout(async () => {
      if (this.view.drive !== this || !this.app.isOnline) return;
      await this.run.ask().catch(() => undefined);
      await this.view.attempt(() => this.view.catchUp());
      if (this.isCurrent) this.prompts.compare(this.run.told?.prompts ?? []);
      this.later();
    }, AGAIN);
  }

  /** The transcript is as the daemon has it. */
  async caughtUp() {
    this.lay();
    await this.recalled;
    if (this.isCurrent || this.view.drive !== this) return;
    this.isCurrent = true;
    this.laid();
    if (this.run.told) this.prompts.compare(this.run.told.prompts ?? []);
    this.prompts.resume();
  }

  /** What is said in place of a transcript that is not there yet. @param {unknown} error @returns {string} "" where something else is the matter */
  unwritten(error) {
    if (!isUnwritten(error)) return "";
    this.caughtUp();
    return this.isLive ? "Nothing has been written yet. It appears here once it is." : "";
  }

  /** Pieces come over a WebSocket only; else a message comes when it is whole. */
  async watch() {
    if (!this.run.isOpen || this.app.link.detour || !this.app.features.has("session/watch")) return this.stream.begin([]);
    const { partial } = await this.run.act("watch").catch(() => ({ partial: [] }));
    this.stream.begin(partial);
  }

  leave() {
    clearTimeout(this.again);
    this.prompts.isLeft = true;
    this.size.disconnect();
    if (this.app.isOnline && this.run.isOpen && !this.app.link.detour && this.app.features.has("session/unwatch")) this.app.link.call("session/unwatch", {}).catch(() => undefined);
  }

  /** @param {import("../net/rpc.js").Notification} event */
  take(event) {
    const { method, params } = event;
    const { isOpen } = this.run;
    if (!this.run.take(event)) return;
    if (!isOpen && this.run.isOpen) {
      this.watch();
      this.run.learn();
    }
    if (method === "event/claude_delta") this.stream.add(params);
    if (method === "event/claude_message" && params.type === "assistant" && !params.parent_tool_use_id) this.stream.end(params.uuid, params.content);
    if (method === "event/claude_status" && this.isCurrent) this.prompts.follow(params.prompts);
    if (method === "event/claude_usage") this.app.say(params.is_error ? "Claude ended with an error" : "Claude is done");
    // A message that was begun and is not whole by now never will be.
    if (method === "event/claude_usage" || (method === "event/claude_status" && RESTS.has(params.claude_state))) this.stream.end("", []);
  }

  /** Other messages are laid out: what is among them is not shown twice. */
  laid() {
    const { transcript, thread } = this.view;
    if (!transcript || !thread || (!this.prompts.list.length && !this.stream.whole.length)) return;
    const written = new Set([...transcript.kept.values()].map(({ uuid }) => uuid));
    this.prompts.settle((id) => written.has(id));
    const laid = new Set(thread.messages.map(({ dataset }) => dataset.uuid));
    this.stream.settle((id) => laid.has(id));
  }

  /** Does something below the messages, and goes on to the end where a person reads the end. @param {() => void} act */
  follow(act) {
    const isFollowed = this.view.thread?.isAtEnd && !this.view.guests?.open.length;
    act();
    if (isFollowed) this.view.thread?.toEnd();
  }

  changed() {
    if (this.title !== this.run.told?.title) this.view.entitle();
    this.title = this.run.told?.title;
    this.view.marked();
    this.lay();
  }

  lay() {
    const { told, movedTo, isOpen } = this.run;
    this.follow(() => {
      this.bar.hidden = !told;
      if (told) fill(this.state, h(`span.dot.${DOTS[told.claude_state] ?? "away"}`, { "aria-hidden": "true" }), h("span", {}, shown(stateWords(told)), movedTo ? [". It goes on in ", h("a", { href: to("transcript", told.workspace_id, movedTo) }, "another conversation")] : null));
      this.sheet.update(this.mayDrive && this.app.isOnline);
      this.resume.update(this.mayDrive && !isOpen && told?.status !== "stopping" && this.app.isOnline && this.app.features.has("session/start") && (this.view.transcript?.total ?? 0) > 0);
      this.stop.hidden = !this.mayDrive || !this.run.isBusy;
      this.composer.update(this.mayDrive && isOpen && !movedTo, this.app.isOnline);
    });
  }

  /** @param {string} sentence why something was not done; "" for nothing */
  say(sentence) {
    this.problem.textContent = plain(sentence);
    this.problem.hidden = !sentence;
  }

  /** Stops what it does; what waited behind it comes back. */
  async interrupt() {
    this.stop.disabled = true;
    this.say("");
    try {
      await this.run.act("interrupt");
    } catch (error) {
      this.say(refusal("Stopping", error));
    }
    this.stop.disabled = false;
  }
}
