/**
 * Room that the bars take at the lower edge of the screen, in the height of letters (rem): what is behind them was not seen.
 * The page can be scrolled further than that below its last card (`main` in frame.css).
 */
const BARS = 8;
/** The same where only the answers stand there. */
export const ANSWERS = 5;

/**
 * Tells when the end of what a card shows was on the screen. Nothing is allowed before that.
 */
export class Sight {
  /** @param {HTMLElement} mark stands behind the last of it @param {() => void} onchange @param {number} [bars] */
  constructor(mark, onchange, bars = BARS) {
    this.mark = mark;
    this.onchange = onchange;
    /** Undefined until the browser has looked. @type {boolean | undefined} */
    this.isSeen = undefined;
    const room = bars * parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.observer = new IntersectionObserver((entries) => this.looked(entries), { rootMargin: `0px 0px -${room}px 0px` });
    this.observer.observe(mark);
  }

  /** There is more of it now. */
  again() {
    this.isSeen = undefined;
    this.observer.unobserve(this.mark);
    this.observer.observe(this.mark);
  }

  /** @param {IntersectionObserverEntry[]} entries */
  looked(entries) {
    if (this.isSeen || !this.mark.isConnected) return;
    const was = this.isSeen;
    this.isSeen = entries.some((entry) => entry.isIntersecting);
    if (this.isSeen) this.observer.unobserve(this.mark);
    if (this.isSeen !== was) this.onchange();
  }
}
