import { h } from "../dom.js";

/** The actions of keys, as `Hands` takes them. */
const KEYS = [
  ["j / k", "next, previous request"], ["a", "allow once; first shows the end of a long request"], ["s", "allow for session"], ["d", "deny"],
  ["Tab", "to the buttons of a request"], ["?", "this list"], ["Esc", "closes it"],
];

/** The list of keys, which `?` opens wherever nobody types. */
export class Keys {
  constructor() {
    this.element = h("dialog.keys", { "aria-labelledby": "keys-title" },
      h("h2", { id: "keys-title" }, "Keys"),
      h("dl", {}, KEYS.map(([key, what]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)))),
      h("p.note", {}, "Letters mean the request that has the focus; j brings it there."),
      h("button.deny", { type: "button", onclick: () => this.element.close() }, "Close"));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { target } = event;
    if (event.key !== "?" || event.ctrlKey || event.metaKey || !this.element.isConnected || this.element.open) return;
    if (target instanceof Element && target.matches("textarea, select, input:not([type=checkbox]):not([type=radio])")) return;
    event.preventDefault();
    this.element.showModal();
  }
}
