import { h } from "../dom.js";

/**
 * A second step: says what is lost, and does nothing without a yes. The harmless answer has the focus.
 * @param {{ title: (Node | string)[] | string, text: (Node | string)[] | string, yes: string, no?: string }} words @returns {Promise<boolean>}
 */
export function ask({ title, text, yes, no = "Keep" }) {
  return new Promise((resolve) => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    const keep = h("button.other", { type: "button", onclick: () => dialog.close("") }, no);
    const dialog = h("dialog.sheet", { "aria-labelledby": "ask-title", onclose: () => {
      dialog.remove();
      if (before?.isConnected) before.focus({ preventScroll: true });
      resolve(dialog.returnValue === "yes");
    } }, h("h2", { id: "ask-title" }, title), h("div.text", {}, text),
    h("div.answers", {}, keep, h("button.careful.asking", { type: "button", onclick: () => dialog.close("yes") }, yes)));
    document.body.append(dialog);
    dialog.showModal();
    keep.focus();
  });
}
