import { h } from "../dom.js";

/**
 * A second step: says what is lost, and does nothing without a yes. The harmless answer has the focus.
 * @param {{ title: (Node | string)[] | string, text: (Node | string)[] | string, yes: string, no?: string, isHarmless?: boolean }} words
 *   `isHarmless`: a yes loses nothing
 * @returns {Promise<boolean>}
 */
export async function ask({ yes, isHarmless = false, ...words }) {
  return (await choose({ ...words, answers: [{ value: "yes", label: yes, style: isHarmless ? "allow" : "careful.asking" }] })) === "yes";
}

/**
 * The same with several answers.
 * @param {{ title: (Node | string)[] | string, text: (Node | string)[] | string, no?: string, answers: { value: string, label: string, style?: string }[] }} words
 * @returns {Promise<string>} the value of the answer; "" for none
 */
export function choose({ title, text, answers, no = "Keep" }) {
  return new Promise((resolve) => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    const keep = h("button.other", { type: "button", onclick: () => dialog.close("") }, no);
    const dialog = h("dialog.sheet", { "aria-labelledby": "ask-title", onclose: () => {
      dialog.remove();
      if (before?.isConnected) before.focus({ preventScroll: true });
      resolve(dialog.returnValue);
    } }, h("h2", { id: "ask-title" }, title), h("div.text", {}, text),
    h("div.answers", {}, keep, answers.map(({ value, label, style = "other" }) => h(`button.${style}`, { type: "button", onclick: () => dialog.close(value) }, label))));
    document.body.append(dialog);
    dialog.showModal();
    keep.focus();
  });
}
