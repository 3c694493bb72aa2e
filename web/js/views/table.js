import { h } from "../dom.js";

/** After so long without a finger, a key or a scroll nobody is about to press anything; milliseconds. */
const IDLE = 4000;

/**
 * The cards' places. Whatever is laid or cleared, a card in view stays where it is; one that could not is told to the
 * gate, and ignores input for a moment.
 */
export class Table {
  /** @param {import("../state/gate.js").Gate} gate @param {(id: string) => boolean} isOpen */
  constructor(gate, isOpen) {
    this.gate = gate;
    this.isOpen = isOpen;
    this.element = h("div.cards", { tabindex: -1 });
    /** Cleared when their time has come and nothing moves by it. @type {Map<string, number>} */
    this.settled = new Map();
    /** @type {(id: string) => void} */
    this.onclear = () => undefined;
    /** @type {WeakMap<Element, number>} */
    this.heights = new WeakMap();
    this.sizes = new ResizeObserver((entries) => this.resized(entries.map((entry) => entry.target)));
    this.fingers = 0;
    this.touched = -IDLE;
    for (const kind of ["pointerdown", "pointermove", "wheel", "keydown", "scroll"])
      addEventListener(kind, () => (this.touched = performance.now()), { capture: true, passive: true });
    addEventListener("pointerdown", () => (this.fingers += 1), { capture: true, passive: true });
    for (const kind of ["pointerup", "pointercancel"])
      addEventListener(kind, () => ((this.fingers = Math.max(0, this.fingers - 1)), this.later(0)), { capture: true, passive: true });
    addEventListener("scroll", () => this.later(200), { passive: true });
  }

  /** @returns {HTMLElement[]} */
  get places() {
    return /** @type {HTMLElement[]} */ ([...this.element.children]);
  }

  /** @param {[string, HTMLElement][]} cards in order */
  lay(cards) {
    const wanted = cards.map(([, element]) => element);
    if (wanted.length === this.element.children.length && wanted.every((element, index) => this.element.children[index] === element)) return;
    this.steady(() => {
      for (const place of this.places) if (!wanted.includes(place)) this.lift(place);
      wanted.forEach((element, index) => {
        if (this.element.children[index] !== element) this.element.insertBefore(element, this.element.children[index] ?? null);
        if (!this.heights.has(element)) this.appeared(element);
      });
    });
  }

  /** @param {string} id @param {HTMLElement} element takes that card's place */
  swap(id, element) {
    const old = this.places.find((place) => place.dataset.id === id);
    if (!old) return;
    this.settled.delete(id);
    this.steady(() => {
      old.replaceWith(element);
      this.sizes.unobserve(old);
      this.appeared(element);
    });
  }

  empty() {
    for (const place of this.places) this.lift(place);
    this.settled.clear();
  }

  /** @param {HTMLElement} element */
  appeared(element) {
    this.heights.set(element, 0);
    this.sizes.observe(element);
    this.gate.moved(element.dataset.id ?? "");
  }

  /** @param {HTMLElement} place */
  lift(place) {
    this.sizes.unobserve(place);
    this.heights.delete(place);
    place.remove();
  }

  /** Does it with what is in view kept in its place. @param {() => void} act */
  steady(act) {
    const seen = this.places.filter((place) => this.isOpen(place.dataset.id ?? "") && isInView(place))
      .map((place) => ({ place, top: place.getBoundingClientRect().top }));
    act();
    const kept = seen.filter(({ place }) => place.isConnected);
    if (kept.length) scrollBy({ top: kept[0].place.getBoundingClientRect().top - kept[0].top, behavior: "instant" });
    for (const { place, top } of kept)
      if (Math.abs(place.getBoundingClientRect().top - top) > 1) this.gate.moved(place.dataset.id ?? "");
  }

  /** Whatever stands below one that changed its size has moved with it. @param {Element[]} changed */
  resized(changed) {
    const moved = changed.filter((place) => {
      const before = this.heights.get(place);
      const height = /** @type {HTMLElement} */ (place).offsetHeight;
      this.heights.set(place, height);
      return before && Math.abs(before - height) > 1;
    });
    if (!moved.length) return;
    const first = this.places.findIndex((place) => moved.includes(place));
    for (const place of this.places.slice(Math.max(0, first))) this.gate.moved(place.dataset.id ?? "");
  }

  /** An ended card takes one line, where no open card in view moves by that. @param {HTMLElement} place */
  shrink(place) {
    if (!isInView(place) || this.isAbove(place)) return;
    this.steady(() => place.style.removeProperty("--height"));
  }

  /** An ended card is cleared after `time` milliseconds, once that moves nothing. @param {string} id @param {number} time */
  settle(id, time) {
    this.settled.set(id, Math.min(this.settled.get(id) ?? Infinity, performance.now() + time));
    setTimeout(() => this.later(0), time + 10);
  }

  /** @param {number} delay */
  later(delay) {
    clearTimeout(this.sweeping);
    this.sweeping = setTimeout(() => this.sweep(), delay);
  }

  /**
   * Clears what has ended: out of view at any time; in view only where no open card stands below it. One's own answer
   * closes up, for that was asked for, and takes what else has ended along. Where nobody has done anything for a while
   * nothing is aimed at either, and what has ended makes room.
   */
  sweep() {
    if (this.fingers > 0 || !this.element.isConnected) return;
    const now = performance.now();
    const due = [...this.settled].filter(([, time]) => now >= time)
      .map(([id]) => ({ id, place: this.places.find((place) => place.dataset.id === id) }));
    const isAsked = due.some(({ place }) => place?.classList.contains("mine"));
    for (const { id, place } of due) {
      const isIdle = now - this.touched > IDLE;
      if (place && !isAsked && !isIdle && isInView(place) && this.isAbove(place)) {
        setTimeout(() => this.later(0), IDLE);
        continue;
      }
      this.settled.delete(id);
      this.onclear(id);
    }
  }

  /** @param {HTMLElement} place whether an open card below it is in view */
  isAbove(place) {
    const places = this.places;
    return places.slice(places.indexOf(place) + 1).some((other) => this.isOpen(other.dataset.id ?? "") && isInView(other));
  }
}

/** @param {Element} element */
function isInView(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}
