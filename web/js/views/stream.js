import { fill, h } from "../dom.js";
import { markdown } from "../text/markdown.js";
import { prose } from "./plan.js";
import { shown } from "./text.js";

/** So often what is written is drawn anew at most, in milliseconds. */
const EVERY = 100;
/** Characters shown of a message that is being written: of a longer one its end. */
const MOST = 100_000;

/** @typedef {{ type: string, text: string }} Piece */

/**
 * What Claude writes at this moment, below the last message. It is shown until the transcript has the whole message, which
 * then takes its place.
 */
export class Stream {
  /** @param {(act: () => void) => void} follow does it, and goes on to the end where a person reads the end */
  constructor(follow) {
    this.follow = follow;
    /** Whole messages that are not in the transcript yet. @type {{ uuid: string, element: HTMLElement }[]} */
    this.whole = [];
    /** @type {Piece[]} */
    this.pieces = [];
    this.current = h("article.message.assistant.writing", { "aria-label": "Claude writes" });
    // A screen reader would read each piece; it is told of the end.
    this.element = h("div.stream", { "aria-live": "off" });
  }

  /** What was written by now, in place of what is shown. @param {Piece[]} pieces */
  begin(pieces) {
    for (const { element } of this.whole) element.remove();
    this.whole = [];
    this.pieces = pieces.map(({ type, text }) => ({ type, text }));
    this.draw();
  }

  /** @param {Piece} piece */
  add({ type, text }) {
    const last = this.pieces.at(-1);
    if (last?.type === type) last.text = (last.text + text).slice(-MOST);
    else this.pieces.push({ type, text });
    this.timer ??= setTimeout(() => this.draw(), EVERY);
  }

  /** The message is whole: it stays as it was written until the transcript has it. @param {string} uuid @param {any} content */
  end(uuid, content) {
    const text = (Array.isArray(content) ? content : []).map((block) => (block?.type === "text" ? String(block.text) : "")).join("\n\n").trim();
    const wasShown = this.pieces.some(({ type }) => type === "text");
    this.pieces = [];
    if (text && wasShown) {
      const element = h("article.message.assistant", { "aria-label": "Claude" }, prose(markdown(text)));
      this.whole.push({ uuid, element });
      this.current.remove();
      this.follow(() => this.element.append(element));
    }
    this.draw();
  }

  /** @param {(uuid: string) => boolean} isWritten whether the transcript shows it */
  settle(isWritten) {
    for (const { uuid, element } of this.whole) if (isWritten(uuid)) element.remove();
    this.whole = this.whole.filter(({ element }) => element.isConnected);
  }

  draw() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.follow(() => {
      if (this.pieces.length) this.element.append(this.current);
      else this.current.remove();
      fill(this.current, this.pieces.map(({ type, text }) => (type === "text" ? prose(markdown(text)) : h("p.note", {}, "Thinks: ", shown(text.slice(-300))))));
    });
  }
}
