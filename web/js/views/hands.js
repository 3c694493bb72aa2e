/**
 * Fingers and keys on the cards. Every press of a button goes past the gate first, whatever the button does.
 */

/** @typedef {import("../state/gate.js").Gate} Gate */

/** @type {Record<string, "deny" | "once" | "session">} */
const VERBS = { a: "once", d: "deny", s: "session" };

/** A field may go while somebody types in it. Keys that follow so soon were meant for it, in milliseconds. */
const TYPING = 1000;

export class Hands {
  /**
   * @param {HTMLElement} element holds the cards @param {Gate} gate
   * @param {{ move: (from: string | null, step: 1 | -1) => void, give: (id: string, verb: "deny" | "once" | "session") => void }} keys
   */
  constructor(element, gate, keys) {
    this.element = element;
    this.gate = gate;
    this.keys = keys;
    /** Where to go on from, once the selected card has gone. @type {string | null} */
    this.next = null;
    this.typed = -TYPING;
    element.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    element.addEventListener("pointercancel", () => gate.release());
    element.addEventListener("click", (event) => this.click(event), { capture: true });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** The card that has the focus: keys mean it and no other. */
  get selected() {
    return idOf(document.activeElement);
  }

  /** @param {Event} event */
  press(event) {
    const button = buttonOf(event.target);
    const id = idOf(button);
    if (id) this.gate.press(id, button);
    else this.gate.release();
  }

  /** @param {Event} event */
  click(event) {
    const button = buttonOf(event.target);
    const id = idOf(button);
    if (!id || this.gate.admits(id, button)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  }

  /** @param {string} id a card that is cleared @param {string | null} next the one after it */
  leaves(id, next) {
    if (this.selected !== id) return;
    this.next = next;
    this.element.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.element.isConnected) return;
    if (isSetOff(event) && !event.repeat) return this.press(event);
    if (this.isTyped(event)) return;
    if (event.key === "j" || event.key === "k") return this.move(event, event.key === "j" ? 1 : -1);
    const verb = VERBS[event.key];
    const id = this.selected;
    if (!verb || !id || event.repeat) return;
    event.preventDefault();
    if (this.gate.isReady(id)) this.keys.give(id, verb);
  }

  /** Whether it is part of a text, even of one whose field has just gone. @param {Event} event */
  isTyped({ target }) {
    const now = this.gate.now();
    const isTyped = isTyping(target) || now - this.typed < TYPING;
    if (isTyped) this.typed = now;
    return isTyped;
  }

  /** @param {Event} event @param {1 | -1} step */
  move(event, step) {
    event.preventDefault();
    const { selected, next } = this;
    this.next = null;
    if (selected === null && next !== null && step > 0) {
      const card = this.element.querySelector(`[data-id="${CSS.escape(next)}"]`);
      if (card instanceof HTMLElement) return card.focus();
    }
    this.keys.move(selected, step);
  }
}

const CONTROLS = "button, input[type=checkbox], input[type=radio]";

/** What a press of this sets off: a button, a tick, a choice, or the one that a label is for. @param {any} node @returns {Element | null} */
function buttonOf(node) {
  if (!(node instanceof Element)) return null;
  const control = node.closest(CONTROLS) ?? node.closest("label")?.control;
  return control?.matches(CONTROLS) ? control : null;
}

/** Keys that press what has the focus: Enter does not tick. @param {KeyboardEvent} event */
const isSetOff = ({ target, key }) => buttonOf(target) !== null && (key === " " || (key === "Enter" && /** @type {Element} */ (target).matches("button")));

/** @param {Element | null} node @returns {string | null} */
const idOf = (node) => /** @type {HTMLElement | null} */ (node?.closest(".card") ?? null)?.dataset.id ?? null;

/** @param {any} node */
const isTyping = (node) => node instanceof Element
  && node.matches("textarea, select, input:not([type=checkbox]):not([type=radio])");
