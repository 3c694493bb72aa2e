import { h } from "../dom.js";
import { PAGE } from "../state/transcript.js";
import { Calls } from "./calls.js";
import { message } from "./message.js";

/** Chunks of messages on the page at once. The others are taken off it, and made again when they are scrolled to. */
const CHUNKS = 7;
/** Pixels before the end of what is laid out at which more is fetched. */
const AHEAD = 1500;
/** Pixels from the end of the page within which a person is taken to read what is newest. */
const NEAR = 160;

/** @typedef {{ from: number, to: number, element: HTMLElement }} Chunk */

/**
 * A part of a transcript, which moves along it as it is scrolled. Whatever is laid out or taken off, what is on the screen
 * stays where it is.
 */
export class Thread {
  /**
   * @param {import("../state/transcript.js").Transcript} transcript
   * @param {(act: () => void) => void} steady does it with the open cards kept in their place
   * @param {() => void} onchange other messages are laid out, or the end is near or far
   * @param {(error: unknown) => void} onfail
   */
  constructor(transcript, steady, onchange, onfail) {
    this.transcript = transcript;
    this.steady = steady;
    this.onchange = onchange;
    this.onfail = onfail;
    this.calls = new Calls(transcript);
    /** @type {Chunk[]} */
    this.chunks = [];
    this.top = h("div.edge");
    this.bottom = h("div.edge");
    this.inner = h("div.chunks");
    this.element = h("div.thread", {}, this.top, this.inner, this.bottom);
    this.isBusy = false;
    this.edges = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.more(), { rootMargin: `${AHEAD}px 0px` });
  }

  /** Those that are laid out. @returns {HTMLElement[]} */
  get messages() {
    return [...this.inner.querySelectorAll(":scope > .chunk > .message")].map((element) => /** @type {HTMLElement} */ (element));
  }

  get from() {
    return this.chunks[0]?.from ?? 0;
  }

  get to() {
    return this.chunks.at(-1)?.to ?? 0;
  }

  /** The end is laid out, and on the screen. */
  get isAtEnd() {
    return this.to >= this.transcript.total && this.isLow;
  }

  /** The end of the page is on the screen. */
  get isLow() {
    return document.documentElement.scrollHeight - scrollY - innerHeight < NEAR;
  }

  /** Begins anew, at the newest messages. */
  async showNewest() {
    await this.alone(async () => {
      const from = await this.transcript.newest();
      await this.restart(Math.max(0, from));
    });
    this.toEnd();
  }

  /** Begins anew around that place, unless it is laid out. @param {number} place */
  async showPlace(place) {
    if (place >= this.from && place < this.to) return;
    await this.alone(() => this.restart(Math.max(0, place - PAGE / 2)));
  }

  toEnd() {
    scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
    this.onchange();
  }

  /** @param {number} from */
  async restart(from) {
    const messages = await this.transcript.range(from, from + PAGE);
    for (const chunk of this.chunks) this.lift(chunk);
    this.chunks = [];
    this.append(from, messages);
    this.watch();
    this.onchange();
  }

  /** One change at a time: each of them measures what it must not move. @template T @param {() => Promise<T>} act */
  async alone(act) {
    while (this.isBusy) await this.busy;
    this.isBusy = true;
    this.busy = act().finally(() => (this.isBusy = false));
    return this.busy;
  }

  /** Lays out more where the end of what is laid out comes near. */
  more() {
    if (this.isBusy || !this.chunks.length || !this.element.isConnected) return;
    const { top, bottom } = this.inner.getBoundingClientRect();
    const isBelow = bottom < innerHeight + AHEAD && this.to < this.transcript.total;
    const isAbove = top > -AHEAD && this.from > 0;
    if (!isBelow && !isAbove) return;
    this.alone(() => (isBelow ? this.later() : this.earlier())).then(() => this.watch(), (error) => this.onfail(error));
  }

  /** Lays out what came since, where a person reads the end. @param {boolean} isScrolled whether the page goes on to it */
  async follow(isScrolled) {
    if (isScrolled && this.transcript.total - this.to > CHUNKS * PAGE) return this.showNewest();
    while (this.to < this.transcript.total && (isScrolled || this.isNear)) await this.alone(() => this.later());
    if (isScrolled) this.toEnd();
    this.watch();
    this.onchange();
  }

  /** The end of what is laid out is on the screen, or nearly. */
  get isNear() {
    return this.inner.getBoundingClientRect().bottom < innerHeight + AHEAD;
  }

  async later() {
    const from = this.to;
    const messages = await this.transcript.range(from, from + PAGE);
    this.steady(() => this.append(from, messages));
    while (this.chunks.length > CHUNKS) this.kept(() => this.lift(/** @type {Chunk} */ (this.chunks.shift())));
    this.onchange();
  }

  async earlier() {
    const to = this.from;
    const from = Math.max(0, to - PAGE);
    const messages = await this.transcript.range(from, to);
    if (messages.length < to - from) return;
    this.kept(() => {
      const chunk = this.chunk(from, messages);
      this.inner.prepend(chunk.element);
      this.chunks.unshift(chunk);
    });
    while (this.chunks.length > CHUNKS) this.lift(/** @type {Chunk} */ (this.chunks.pop()));
    this.onchange();
  }

  /** @param {number} from @param {import("../state/transcript.js").Message[]} messages */
  append(from, messages) {
    const last = this.chunks.at(-1);
    if (last && last.to - last.from + messages.length <= PAGE) {
      last.element.append(...this.elements(from, messages));
      last.to += messages.length;
      return;
    }
    const chunk = this.chunk(from, messages);
    this.inner.append(chunk.element);
    this.chunks.push(chunk);
  }

  /** @param {number} from @param {import("../state/transcript.js").Message[]} messages @returns {Chunk} */
  chunk(from, messages) {
    return { from, to: from + messages.length, element: h("div.chunk", {}, this.elements(from, messages)) };
  }

  /** @param {number} from @param {import("../state/transcript.js").Message[]} messages @returns {HTMLElement[]} */
  elements(from, messages) {
    return messages.map((one, index) => message(one, from + index, this.calls)).filter((element) => element !== null);
  }

  /** @param {Chunk} chunk */
  lift({ element }) {
    this.calls.drop(element);
    element.remove();
  }

  /** Does it with what is on the screen kept in its place. @param {() => void} act */
  kept(act) {
    const seen = this.messages.filter((element) => element.getBoundingClientRect().bottom > 0).slice(0, 60);
    const tops = seen.map((element) => element.getBoundingClientRect().top);
    act();
    const index = seen.findIndex((element) => element.isConnected);
    const moved = index < 0 ? 0 : seen[index].getBoundingClientRect().top - tops[index];
    if (moved) scrollBy({ top: moved, behavior: "instant" });
  }

  /** An edge that is still near is told again only if it is looked at anew. */
  watch() {
    for (const edge of [this.top, this.bottom]) {
      this.edges.unobserve(edge);
      this.edges.observe(edge);
    }
  }

  leave() {
    this.edges.disconnect();
  }
}
