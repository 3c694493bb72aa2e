/**
 * What a finger or a key may set off. A card that has just appeared, or moved, was not aimed at; a press that began on
 * one card must not end on another.
 */

/** Milliseconds a card ignores input after it appeared or moved. */
export const QUIET = 500;

/**
 * @typedef {object} Aim what a press began on
 * @property {string} id
 * @property {number} version
 * @property {unknown} target
 */

export class Gate {
  /** @param {() => number} now milliseconds */
  constructor(now = () => performance.now()) {
    this.now = now;
    /** @type {Map<string, { until: number, version: number }>} */
    this.cards = new Map();
    /** @type {Aim | null} */
    this.aim = null;
    this.isPressed = false;
    /** @type {(id: string) => void} */
    this.onmove = () => undefined;
  }

  /** @param {string} id that card is somewhere else than it was, or something else */
  moved(id) {
    const version = (this.cards.get(id)?.version ?? 0) + 1;
    this.cards.set(id, { until: this.now() + QUIET, version });
    this.onmove(id);
  }

  /** @param {string} id */
  gone(id) {
    this.cards.delete(id);
  }

  /** @param {string} id */
  isReady(id) {
    const card = this.cards.get(id);
    return !!card && this.now() >= card.until;
  }

  /** A finger or a key goes down. @param {string} id @param {unknown} target */
  press(id, target) {
    this.isPressed = true;
    this.aim = this.isReady(id) ? { id, version: this.cards.get(id)?.version ?? 0, target } : null;
  }

  /** It did not end as a press of anything. */
  release() {
    this.isPressed = false;
    this.aim = null;
  }

  /**
   * Whether what is set off now is what was pressed: the same card, in the same place, the same control. Screen readers
   * set things off without a press.
   * @param {string} id @param {unknown} target
   */
  admits(id, target) {
    const { aim, isPressed } = this;
    this.release();
    if (!this.isReady(id)) return false;
    return !isPressed || (aim?.id === id && aim.target === target && aim.version === this.cards.get(id)?.version);
  }
}
