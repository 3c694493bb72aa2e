import { RpcError } from "../net/rpc.js";
import { forget, keep, recall } from "../net/vault.js";
import { begun, content, hasRoom, keyOf } from "./prompt.js";
import { refusal } from "./run.js";

/** @typedef {import("./prompt.js").Prompt} Prompt */

/** A prompt that nobody confirmed is sent again by itself within this time, in milliseconds; later a person decides. */
const LASTS = 600_000;

/** Milliseconds until it is sent again where the connection stays. */
const AGAIN = 10_000;

/**
 * What is typed for one session and what was sent from here, kept over a reload until it stands in the transcript. Sending
 * the same prompt twice is harmless: the daemon runs each id once.
 */
export class Prompts {
  /** @param {import("./run.js").Run} run @param {() => void} onchange @param {(sentence: string) => void} onrefusal */
  constructor(run, onchange, onrefusal) {
    this.run = run;
    this.onchange = onchange;
    this.onrefusal = onrefusal;
    this.key = keyOf(run.conversation);
    this.draft = "";
    /** Pictures for the next prompt; they are not kept over a reload. @type {import("./scaled.js").Picture[]} */
    this.pictures = [];
    /** The page shows another session, which keeps for itself. */
    this.isLeft = false;
    /** Ids of those that are being taken back. @type {Set<string>} */
    this.leaving = new Set();
    /** Those that do not stand in the transcript yet, in their order. @type {Prompt[]} */
    this.list = [];
    /** A write waits for the one before it. */
    this.isDue = false;
    /** Writes are worked off in their order. @type {Promise<unknown>} */
    this.written = Promise.resolve();
  }

  /** What was kept. Storage that refuses keeps nothing, and the page works. */
  async recall() {
    const kept = await recall(this.key).catch(() => undefined);
    this.draft ||= String(kept?.draft ?? "");
    const list = /** @type {Prompt[]} */ (kept?.list ?? []).filter(({ id }) => !this.list.some((other) => other.id === id));
    this.list.unshift(...list.map((prompt) => ({ ...prompt, step: prompt.step === "sending" ? /** @type {const} */ ("unsure") : prompt.step })));
    this.onchange();
  }

  /** With pictures it may be megabytes, so one write stands for all changes that come before it begins. */
  keep() {
    if (this.isDue) return;
    this.isDue = true;
    this.written = this.written.then(() => {
      this.isDue = false;
      const isEmpty = !this.draft && !this.list.length;
      return isEmpty ? forget(this.key) : keep(this.key, { draft: this.draft, list: this.list.map((prompt) => ({ ...prompt })) });
    }).catch(() => undefined);
  }

  /** @param {string} text */
  type(text) {
    this.draft = text;
    this.keep();
  }

  /** There is nothing that could be sent. */
  get isEmpty() {
    return !this.draft.trim() && !this.pictures.length;
  }

  /** Puts a picture to what was typed. @param {import("./scaled.js").Picture} picture @returns {boolean} false where a prompt has no room for it */
  attach(picture) {
    if (!hasRoom([...this.pictures, picture])) return false;
    this.pictures = [...this.pictures, picture];
    this.onchange();
    return true;
  }

  /** @param {import("./scaled.js").Picture} picture */
  detach(picture) {
    this.pictures = this.pictures.filter((other) => other !== picture);
    this.onchange();
  }

  /** Sends what was typed. */
  send() {
    if (this.isEmpty) return;
    const prompt = begun(this.draft.trim(), this.pictures);
    this.draft = "";
    this.pictures = [];
    this.list.push(prompt);
    return this.give(prompt);
  }

  /** @param {Prompt} prompt */
  async give(prompt) {
    prompt.step = "sending";
    this.changed();
    try {
      const { status } = await this.run.send({ prompt: content(prompt), prompt_id: prompt.id }, Boolean(prompt.pictures));
      if (status === "completed") this.drop(prompt);
      else if (status !== "sent") prompt.step = "back";
      // An event may have told more by now.
      else if (prompt.step === "sending") prompt.step = "sent";
    } catch (error) {
      if (!(error instanceof RpcError)) this.doubt(prompt);
      // It was taken, though not written down: sent anew from the field, it would run twice.
      else if (error.data?.done) prompt.step = "sent";
      else {
        this.takeBack(prompt);
        this.onrefusal(`Not sent: ${error.message.replace(/\.$/, "")}.`);
      }
    }
    this.changed();
  }

  /** Pictures go a way of their own, which may fail while the connection stays: no new one comes that would send them again. @param {Prompt} prompt */
  doubt(prompt) {
    prompt.step = "unsure";
    if (prompt.pictures) setTimeout(() => this.isLeft || this.resume(), AGAIN);
  }

  /** Sends again what nobody confirmed; called once connected. */
  resume() {
    for (const prompt of this.list.filter(({ step }) => step === "unsure"))
      if (this.run.isOpen && Date.now() - prompt.at < LASTS) this.give(prompt);
      else prompt.step = "lost";
    this.changed();
  }

  /**
   * What the daemon has in its queue now. A prompt that has left it without being taken up is asked about, of the daemon
   * that told so: another one may know nothing of it, and would run it.
   * @param {{ prompt_id: string, state: "queued" | "sent" | "started" }[]} queue
   */
  follow(queue) {
    for (const prompt of [...this.list]) {
      const entry = queue.find(({ prompt_id }) => prompt_id === prompt.id);
      if (entry) prompt.step = entry.state;
      else if (this.leaving.has(prompt.id)) continue;
      else if (prompt.step === "started") this.drop(prompt);
      else if (prompt.step === "sent" || prompt.step === "queued") this.give(prompt);
    }
    this.changed();
  }

  /** The same after a gap, in which a prompt may have ended in any way. @param {{ prompt_id: string, state: any }[]} queue */
  compare(queue) {
    for (const prompt of [...this.list]) {
      const entry = queue.find(({ prompt_id }) => prompt_id === prompt.id);
      if (entry) prompt.step = entry.state;
      else if (prompt.step === "started") this.drop(prompt);
      else if (prompt.step === "sent" || prompt.step === "queued") prompt.step = "lost";
    }
    this.changed();
  }

  /** What stands in the transcript is shown there. @param {(id: string) => boolean} isWritten */
  settle(isWritten) {
    const left = this.list.filter(({ id }) => !isWritten(id));
    if (left.length === this.list.length) return;
    this.list = left;
    this.changed();
  }

  /**
   * Takes one that waits out of the daemon's queue. It goes back to the field if nothing is there, and else waits for a person
   * as one that was given back.
   * @param {Prompt} prompt
   */
  async cancel(prompt) {
    this.leaving.add(prompt.id);
    this.onrefusal("");
    this.onchange();
    const taken = await this.run.act("cancel_prompt", { prompt_id: prompt.id }).catch((error) => void this.onrefusal(refusal("Taking it back", error)));
    this.leaving.delete(prompt.id);
    if (taken?.cancelled === false) this.onrefusal("Not taken back: Claude has it already.");
    else if (taken && this.isEmpty) return this.takeBack(prompt);
    else if (taken) prompt.step = "back";
    this.changed();
  }

  /** Into the field again. @param {Prompt} prompt */
  takeBack(prompt) {
    this.drop(prompt);
    this.draft = [prompt.text, this.draft].filter(Boolean).join("\n\n");
    this.pictures = [...(prompt.pictures ?? []), ...this.pictures];
    this.changed();
  }

  /** @param {Prompt} prompt */
  drop(prompt) {
    this.list = this.list.filter((other) => other !== prompt);
  }

  changed() {
    this.keep();
    this.onchange();
  }
}
