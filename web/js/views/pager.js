import { fill, h } from "../dom.js";

/**
 * Which of the many are laid out, and the way to the others.
 * @param {HTMLElement} element @param {import("../state/deck.js").Deck} deck @param {(pages: number) => void} turn
 */
export function showPages(element, { order, start, page }, turn) {
  element.hidden = order.length <= page.length;
  const step = (/** @type {string} */ label, /** @type {number} */ pages, /** @type {boolean} */ isOff) =>
    h("button.quiet", { type: "button", disabled: isOff, onclick: () => turn(pages) }, label);
  fill(element, !element.hidden && [
    step("Sooner", -1, start === 0), h("span", {}, `${start + 1}–${start + page.length} of ${order.length}`),
    step("Later", 1, start + page.length >= order.length),
  ]);
}
