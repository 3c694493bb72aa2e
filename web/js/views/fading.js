import { QUIET } from "../state/gate.js";

/** Shows which cards ignore input: their buttons fade in while they do nothing yet. */
export class Fading {
  /** @param {(id: string) => HTMLElement | undefined} find */
  constructor(find) {
    this.find = find;
    /** @type {Map<string, ReturnType<typeof setTimeout>>} */
    this.timers = new Map();
  }

  /** @param {string} id a card that moved */
  begin(id) {
    const element = this.find(id);
    if (!element) return;
    element.classList.add("quieted");
    clearTimeout(this.timers.get(id));
    this.timers.set(id, setTimeout(() => {
      element.classList.remove("quieted");
      this.timers.delete(id);
    }, QUIET));
  }
}
